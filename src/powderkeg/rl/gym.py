"""One seat as a Gymnasium environment, alone or many at once; bots have the others.

    env = gymnasium.make("powderkeg/RiskEurope-v1", players=2)          # after import powderkeg.rl
    envs = gymnasium.make_vec("powderkeg/RiskEurope-v1", num_envs=8, players=2)

The actions that can be taken are in ``info["action_mask"]``, in the observation, and in
`action_masks`, where sb3-contrib's MaskablePPO looks for them.
"""

from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from powderkeg.bots import levels
from powderkeg.bots.process import guard
from powderkeg.bots.seats.turn_order import seats_without_offers
from powderkeg.core.errors import Unreadable
from powderkeg.core.game import Game
from powderkeg.rl.play import ENV_VERSION, RENDER_MODES, WordPlay, check_render_mode, make_setting
from powderkeg.rl.zoo import Observation, _env_spaces


class SeatEnv(gymnasium.Env[Observation, np.int64]):
    """Play `seat` against bots of `level`."""

    metadata = {"render_modes": list(RENDER_MODES)}  # noqa: RUF012  # Gymnasium's way

    def __init__(
        self,
        game: str | Game,
        players: int | None = None,
        *,
        seat: str | None = None,
        level: str = "random",
        render_mode: str | None = None,
        **more: Any,
    ) -> None:
        self.setting = make_setting(game, players, **more)
        self.seat = seat or self.setting.seats[0]
        if self.seat not in self.setting.seats:
            raise Unreadable("core.no_such_seat", seat=self.seat)
        self.level = level
        self.bot = levels.find_bot(self.setting.game, level).exact()
        self.deaf = seats_without_offers(self.bot, self.setting.seats) - {self.seat}
        self.render_mode = check_render_mode(render_mode)
        self.observation_space, self.action_space = _env_spaces(self.setting)
        self.play = WordPlay(self.setting, 0)

    def __getstate__(self) -> dict[str, Any]:
        """Bots are functions; a pickle keeps their level."""
        return {name: value for name, value in vars(self).items() if name != "bot"}

    def __setstate__(self, kept: dict[str, Any]) -> None:
        vars(self).update(kept)
        self.bot = levels.find_bot(self.setting.game, self.level).exact()

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        super().reset(seed=seed)
        self.seed = int(self.np_random.integers(1 << 62))
        self.play = WordPlay(self.setting, self.seed, self.deaf)
        self._others_play()
        return self._observe_seat()

    def step(self, action: np.int64) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """An action that the mask forbids ends the game with -1."""
        if not self.play.mask(self.seat)[action]:
            return (*self._observe_seat()[:1], -1.0, True, False, {"illegal": True})
        if not self.play.over:
            self.play.write(self.seat, int(action))
        self._others_play()
        observation, info = self._observe_seat()
        reward = self.play.rewards()[self.seat]
        return observation, reward, self.play.over, self.play.cut_off, info

    def render(self) -> str:
        """The board in words."""
        return self.play.render()

    def action_masks(self) -> NDArray[np.bool_]:
        """Which actions can be taken now."""
        return self.play.mask(self.seat).astype(np.bool_)

    def _observe_seat(self) -> tuple[Observation, dict[str, Any]]:
        mask = self.play.mask(self.seat)
        return {"observation": self.play.observe(self.seat), "action_mask": mask}, {
            "action_mask": mask
        }

    def _others_play(self) -> None:
        """Bots decide until this seat has a choice."""
        table = self.play.table
        while not self.play.cut_off and (seat := self.play.first_seat()) not in (None, self.seat):
            if self.seat in self.play.asked_seats() and self.seat in self.play.writing_seats():
                return
            assert seat is not None  # noqa: S101  # it was looked at above
            luck = f"{self.seed}/{seat}/{len(table.log)}"
            self.play.open.pop(seat, None)
            self.play.steps += 1
            table.act(seat, guard.decide_here(table.game, table.state, seat, self.bot, luck).action)


class SeatVectorEnv(VectorEnv[Observation, NDArray[np.int64], NDArray[Any]]):
    """`num_envs` seats, each at a table of its own, stepped together in this process.

    A game that ended starts again at the next step, whose action is ignored (next-step mode).
    Observations and masks are written into the same arrays at every step: copy what you keep.
    """

    def __init__(self, game: str | Game, num_envs: int = 1, **more: Any) -> None:
        self.envs = [SeatEnv(game, **more) for _ in range(num_envs)]
        first = self.envs[0]
        self.num_envs, self.render_mode = num_envs, first.render_mode
        self.metadata = {**SeatEnv.metadata, "autoreset_mode": AutoresetMode.NEXT_STEP}
        self.single_observation_space = first.observation_space
        self.single_action_space = first.action_space
        self.observation_space = batch_space(first.observation_space, num_envs)
        self.action_space = batch_space(first.action_space, num_envs)
        self._seen: Observation = {
            "observation": np.zeros((num_envs, first.setting.width), np.float32),
            "action_mask": np.zeros((num_envs, len(first.setting.lexicon)), np.int8),
        }
        self._ended = np.zeros(num_envs, np.bool_)

    def reset(
        self,
        *,
        seed: int | Sequence[int | None] | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin all games; from one seed, game `i` gets the seed plus `i`."""
        if seed is None or isinstance(seed, int):
            seed = [None if seed is None else seed + i for i in range(self.num_envs)]
        for i, env in enumerate(self.envs):
            self._keep_seen(i, env.reset(seed=seed[i])[0])
        self._ended[:] = False
        return self._seen, self._infos()

    def step(
        self, actions: NDArray[np.int64]
    ) -> tuple[Observation, NDArray[Any], NDArray[Any], NDArray[Any], dict[str, Any]]:
        rewards = np.zeros(self.num_envs)
        over, cut = (np.zeros(self.num_envs, np.bool_) for _ in range(2))
        for i, env in enumerate(self.envs):
            if self._ended[i]:
                self._keep_seen(i, env.reset()[0])
            else:
                seen, rewards[i], over[i], cut[i], _ = env.step(actions[i])
                self._keep_seen(i, seen)
        self._ended = over | cut
        return self._seen, rewards, over, cut, self._infos()

    def action_masks(self) -> NDArray[np.bool_]:
        """Which actions can be taken now, one row per game."""
        return self._seen["action_mask"].astype(np.bool_)  # type: ignore[no-any-return]  # an array

    def _keep_seen(self, i: int, seen: Observation) -> None:
        for key, values in seen.items():
            self._seen[key][i] = values

    def _infos(self) -> dict[str, Any]:
        return {"action_mask": self._seen["action_mask"]}


ENV_NAMES = {"diplomacy": "Diplomacy", "versailles": "Versailles", "risk_europe": "RiskEurope"}


def register_envs() -> None:
    """Make our games known to `gymnasium.make` and `gymnasium.make_vec`."""
    for game, name in ENV_NAMES.items():
        gymnasium.register(
            f"powderkeg/{name}-v{ENV_VERSION}",
            entry_point=f"{__name__}:SeatEnv",
            vector_entry_point=f"{__name__}:SeatVectorEnv",
            kwargs={"game": game},
        )
