"""Diplomacy turn by turn, compiled: one step is one phase, with the orders of all powers.

    from powderkeg.rl.orders import OrdersVector, orders_env

    games = OrdersVector(1024, last_year=1910)           # many games at once, in arrays
    seen = games.reset()
    seen, rewards, terminated = games.step(games.sample_orders(rng))

    env = orders_env(last_year=1910)                     # one game for PettingZoo, all agents at once

An order is a number that means the same at every moment (`games.diplomacy.fast.order_codes`). Where
the word-by-word environments ask for one word, these ask for all orders of a phase: a row of 75
numbers, one per province. Both need the extras ``rl`` and ``fast``.
"""

from typing import Any, NamedTuple

import numpy as np
from gymnasium.spaces import Box, Dict, MultiDiscrete
from numpy.typing import NDArray
from pettingzoo import ParallelEnv  # type: ignore[import-untyped]  # it ships no types

from powderkeg.bots.engine.shares import square_shares
from powderkeg.core import plain
from powderkeg.games.diplomacy.board import POWERS, PROVINCE_COUNT
from powderkeg.games.diplomacy.fast.game_kernel import WINNER_POWER
from powderkeg.games.diplomacy.fast.games import BatchGames, Codes
from powderkeg.games.diplomacy.fast.order_codes import CODE_COUNT
from powderkeg.rl.diplomacy import BoardEncoder
from powderkeg.rl.orders_kernel import encode_rows
from powderkeg.rl.play import ENV_VERSION, RENDER_MODES, Reward, check_render_mode

__all__ = ["OrdersEnv", "OrdersSeen", "OrdersVector", "orders_env"]

Rewards = NDArray[np.float32]
Observation = dict[str, Any]


class OrdersSeen(NamedTuple):
    """What all powers see, one row per game. The arrays are overwritten by the next step.

    `orders[game, province]` holds `counts[game, province]` legal orders of the piece there, which
    belongs to the power `pieces[game, province]` (-1: nothing to order).
    """

    observation: NDArray[np.float32]
    orders: Codes
    counts: NDArray[np.int16]
    pieces: NDArray[np.int8]

    def mask(self) -> NDArray[np.bool_]:
        """Which places of `orders` hold a legal order."""
        filled: NDArray[np.bool_] = np.arange(self.orders.shape[2]) < self.counts[:, :, None]
        return filled


class OrdersVector:
    """`count` games of seven powers, stepped together. `setting` is that of `BatchGames`.

    A game that ended starts again at the next step, whose orders for it are ignored.
    """

    def __init__(self, count: int, *, reward: Reward = "wins", **setting: Any) -> None:
        plain.load(Reward, reward)  # type: ignore[arg-type]  # a Literal is no class, and can be loaded
        self.games = BatchGames(count, **setting)
        self.count, self.reward = count, reward
        self.observation = np.zeros((count, len(BoardEncoder().names)), np.float32)
        self.rewards: Rewards = np.zeros((count, len(POWERS)), np.float32)

    def reset(self) -> OrdersSeen:
        """Begin all games. Diplomacy has no chance, so there is no seed."""
        self.games.reset()
        return self._look()

    def step(self, orders: Codes) -> tuple[OrdersSeen, Rewards, NDArray[np.bool_]]:
        """Resolve a phase of every game: what is seen now, rewards by power, and which games ended."""
        ended = self.games.over
        self.games.step(orders)
        if ended.any():
            self.games.reset(ended)
        self.rewards[:] = 0
        over = self.games.over
        for game in np.flatnonzero(over):
            self.rewards[game] = self._final_rewards(int(game))
        return self._look(), self.rewards, over

    def sample_orders(self, rng: np.random.Generator) -> Codes:
        """A random legal order for every piece."""
        return self.games.sample_orders(rng)

    def _look(self) -> OrdersSeen:
        games = self.games
        encode_rows(
            games.clocks, games.units, games.owner, games.beaten, games.last, self.observation
        )
        return OrdersSeen(self.observation, games.codes, games.counts, games.pieces)

    def _final_rewards(self, game: int) -> Any:
        """As `PlaySetting.rewards`: of a victory all to the winner, else by centres."""
        winner = int(self.games.clocks[game, WINNER_POWER])
        centres = self.games.centres[game]
        if winner >= 0:
            return np.arange(len(POWERS)) == winner
        if self.reward == "wins":
            first = centres == centres.max()
            return first / first.sum()
        scores = dict(zip(POWERS, (centres / centres.sum()).tolist(), strict=True))
        return list((square_shares(scores) if self.reward == "shares" else scores).values())


class OrdersEnv(ParallelEnv):  # type: ignore[misc]  # it ships no types
    """One game for PettingZoo: every agent gives all orders of its power at once.

    An action has a number for each of the 75 provinces; only those of the agent's own pieces
    (`mine`) count. A number that is not legal means hold, disband or no build.
    """

    def __init__(self, render_mode: str | None = None, **setting: Any) -> None:
        self.render_mode = check_render_mode(render_mode)
        self.metadata = {
            "name": f"powderkeg_diplomacy_orders_v{ENV_VERSION}",
            "render_modes": list(RENDER_MODES),
            "is_parallelizable": True,
        }
        self.vector = OrdersVector(1, **setting)
        self.possible_agents = list(POWERS)
        self.agents: list[str] = []
        most = self.vector.games.codes.shape[2]
        self._observation_space = Dict(
            {
                "observation": Box(-1, 1, self.vector.observation.shape[1:], np.float32),
                "orders": Box(0, CODE_COUNT, (PROVINCE_COUNT, most), np.uint16),
                "counts": Box(0, most, (PROVINCE_COUNT,), np.int16),
                "mine": Box(0, 1, (PROVINCE_COUNT,), np.bool_),
            }
        )
        self._action_spaces = {
            power: MultiDiscrete([CODE_COUNT] * PROVINCE_COUNT) for power in POWERS
        }

    def observation_space(self, agent: str) -> Dict:
        return self._observation_space

    def action_space(self, agent: str) -> MultiDiscrete:
        return self._action_spaces[agent]

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Observation], dict[str, dict[str, Any]]]:
        """Begin a game. Diplomacy has no chance: the seed changes nothing."""
        self.agents = list(POWERS)
        return self._observations(self.vector.reset()), {power: {} for power in POWERS}

    def step(
        self, actions: dict[str, Any]
    ) -> tuple[
        dict[str, Observation],
        dict[str, float],
        dict[str, bool],
        dict[str, bool],
        dict[str, dict[str, Any]],
    ]:
        pieces = self.vector.games.pieces[0]
        orders = np.zeros((1, PROVINCE_COUNT), np.uint16)
        for number, power in enumerate(POWERS):
            if power in actions:
                np.copyto(orders[0], actions[power], where=pieces == number, casting="unsafe")
        seen, rewards, ended = self.vector.step(orders)
        over = bool(ended[0])
        if over:
            self.agents = []
        return (
            self._observations(seen),
            dict(zip(POWERS, rewards[0].tolist(), strict=True)),
            dict.fromkeys(POWERS, over),
            dict.fromkeys(POWERS, False),
            {power: {} for power in POWERS},
        )

    def _observations(self, seen: OrdersSeen) -> dict[str, Observation]:
        """One copy for all: what the powers see differs only in which pieces are theirs."""
        shared = {
            "observation": seen.observation[0].copy(),
            "orders": seen.orders[0].copy(),
            "counts": seen.counts[0].copy(),
        }
        pieces = seen.pieces[0]
        return {power: {**shared, "mine": pieces == n} for n, power in enumerate(POWERS)}

    def render(self) -> str:
        """Phase and units, one line per power."""
        units = self.vector.games.position(0)
        lines = [f"{power}: {', '.join(map(str, units[power]))}" for power in POWERS]
        return "\n".join([self.vector.games.phase(0), *lines])

    def close(self) -> None:
        """Nothing is held."""


def orders_env(**setting: Any) -> OrdersEnv:
    """Diplomacy for PettingZoo, turn by turn. Options are those of `OrdersVector`."""
    return OrdersEnv(**setting)
