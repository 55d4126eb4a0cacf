"""PettingZoo environments over any game: agents in turn (AEC), or all at once (parallel).

    env = powderkeg.rl.env("risk_europe", players=3)

Observations are ``{"observation": float32[...], "action_mask": int8[...]}``; an action is the
number of a word (see `lexicon`).
"""

from typing import Any

import numpy as np
from gymnasium.spaces import Box, Dict, Discrete
from pettingzoo import AECEnv, ParallelEnv  # type: ignore[import-untyped]  # it ships no types
from pettingzoo.utils import wrappers  # type: ignore[import-untyped]  # it ships no types

from powderkeg.core.game import Game, Seat
from powderkeg.rl.lexicon import FULL_STOP
from powderkeg.rl.play import (
    ENV_VERSION,
    RENDER_MODES,
    PlaySetting,
    WordPlay,
    check_render_mode,
    make_setting,
)

Observation = dict[str, Any]


def _env_metadata(fixed: PlaySetting, *, parallel: bool) -> dict[str, Any]:
    name = f"powderkeg_{fixed.game.name}_v{ENV_VERSION}"
    return {"name": name, "render_modes": list(RENDER_MODES), "is_parallelizable": parallel}


def _env_spaces(fixed: PlaySetting) -> tuple[Dict, Discrete[np.int64]]:
    count = len(fixed.lexicon)
    observation = Dict(
        {
            "observation": Box(-1.0, 1.0, (fixed.width,), np.float32),
            "action_mask": Box(0, 1, (count,), np.int8),
        }
    )
    return observation, Discrete(count)


class _CommonEnv:
    """Shared by both kinds of environment."""

    def __init__(self, fixed: PlaySetting, render_mode: str | None = None) -> None:
        self.setting = fixed
        self.render_mode = check_render_mode(render_mode)
        self.possible_agents = list(fixed.seats)
        self.agents: list[Seat] = []
        spaces = {seat: _env_spaces(fixed) for seat in fixed.seats}
        self.observation_spaces = {seat: found[0] for seat, found in spaces.items()}
        self.action_spaces = {seat: found[1] for seat, found in spaces.items()}
        self._seeds = np.random.default_rng()
        self.play = WordPlay(fixed, 0)

    def observation_space(self, agent: Seat) -> Dict:
        return self.observation_spaces[agent]

    def action_space(self, agent: Seat) -> "Discrete[np.int64]":
        return self.action_spaces[agent]

    def observe(self, agent: Seat) -> Observation:
        return {"observation": self.play.observe(agent), "action_mask": self.play.mask(agent)}

    def render(self) -> str:
        """The board in words."""
        return self.play.render()

    def state(self) -> Any:
        """What all seats see together, for centralised critics."""
        return np.concatenate([self.play.observe(seat) for seat in self.possible_agents])

    def close(self) -> None:
        """Nothing is held."""

    def _begin_game(self, seed: int | None) -> None:
        """Without a seed, the next game follows from the last seed given."""
        if seed is not None:
            self._seeds = np.random.default_rng(seed)
        self.play = WordPlay(self.setting, int(self._seeds.integers(1 << 62)))
        self.agents = list(self.possible_agents)


class TurnsEnv(_CommonEnv, AECEnv):  # type: ignore[misc]  # it ships no types
    """Agents in turn. Seats that choose at the same time are asked one after another, and none
    sees what another wrote."""

    def __init__(self, fixed: PlaySetting, render_mode: str | None = None) -> None:
        AECEnv.__init__(self)
        _CommonEnv.__init__(self, fixed, render_mode)
        self.metadata = _env_metadata(fixed, parallel=False)

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        self._begin_game(seed)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[Seat, dict[str, Any]] = {seat: {} for seat in self.agents}
        self._select_agent()

    def step(self, action: int | None) -> None:
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        self.play.write(agent, int(action or 0))
        self._select_agent()
        self._accumulate_rewards()

    def _select_agent(self) -> None:
        """Select the next agent; at the end of the game, pay the rewards."""
        seat = self.play.first_seat()
        if seat is None:
            self.rewards = self.play.rewards()
            self.terminations = dict.fromkeys(self.agents, True)
        elif self.play.cut_off:
            self.truncations = dict.fromkeys(self.agents, True)
        self.agent_selection = seat or self.agents[0]


class TogetherEnv(_CommonEnv, ParallelEnv):  # type: ignore[misc]  # it ships no types
    """All agents at once: each writes one word per step; an agent that is not asked writes `END`."""

    def __init__(self, fixed: PlaySetting, render_mode: str | None = None) -> None:
        _CommonEnv.__init__(self, fixed, render_mode)
        self.metadata = _env_metadata(fixed, parallel=True)

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[Seat, Observation], dict[Seat, dict[str, Any]]]:
        self._begin_game(seed)
        self.play.writing_seats()
        return {seat: self.observe(seat) for seat in self.agents}, {s: {} for s in self.agents}

    def step(
        self, actions: dict[Seat, int]
    ) -> tuple[
        dict[Seat, Observation],
        dict[Seat, float],
        dict[Seat, bool],
        dict[Seat, bool],
        dict[Seat, dict[str, Any]],
    ]:
        """A decision completed by one seat may end another's question: its word is then dropped.

        A word that the mask forbids ends the game with -1 for the agent that wrote it.
        """
        asked = {seat: self.play.mask(seat) for seat in self.play.writing_seats()}
        wrong = [seat for seat, mask in asked.items() if not mask[actions[seat]]]
        for seat in () if wrong else asked:
            if seat in self.play.asked_seats() and self.play.mask(seat)[actions[seat]]:
                self.play.write(seat, int(actions[seat]))
        self.play.writing_seats()
        seats, over, cut = self.agents, self.play.over or bool(wrong), self.play.cut_off
        if over or cut:
            self.agents = []
        return (
            {seat: self.observe(seat) for seat in seats},
            self.play.rewards() | dict.fromkeys(wrong, -1.0),
            dict.fromkeys(seats, over),
            dict.fromkeys(seats, cut),
            {seat: {"illegal": True} if seat in wrong else {} for seat in seats},
        )


def raw_env(game: str | Game, players: int | None = None, **more: Any) -> TurnsEnv:
    """Agents in turn, without PettingZoo's checks."""
    mode = more.pop("render_mode", None)
    return TurnsEnv(make_setting(game, players, **more), mode)


def env(game: str | Game, players: int | None = None, **more: Any) -> AECEnv:
    """Agents in turn. An action that the mask forbids ends the game with -1 for the agent that chose it."""
    checked = wrappers.TerminateIllegalWrapper(raw_env(game, players, **more), illegal_reward=-1)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(checked))


def parallel_env(game: str | Game, players: int | None = None, **more: Any) -> TogetherEnv:
    """All agents at once."""
    mode = more.pop("render_mode", None)
    return TogetherEnv(make_setting(game, players, **more), mode)


__all__ = ["FULL_STOP", "TogetherEnv", "TurnsEnv", "env", "parallel_env", "raw_env"]
