"""Thousands of games at once, word by word, on a compiled kernel: what the games have in common.

A game adds its kernel: how a step is carried out, and what a board means.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from gymnasium.spaces import Box, Dict, Discrete
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from powderkeg.rl.lexicon import ActionLexicon
from powderkeg.rl.play import MOST_WORDS
from powderkeg.rl.words_kernel import DEPTH_WRITTEN, NOTE_SIZE, SEAT, WRITTEN, sample_words

__all__ = ["WordGames", "WordGamesEnv", "WordsSeen", "WordsStepped"]

ALL_SEATS = -1


class WordsSeen(NamedTuple):
    """What the acting seats see, one row per game; `seat` is the place of the seat in seat order."""

    observation: NDArray[np.float32]
    action_mask: NDArray[np.int8]
    seat: NDArray[np.int32]


class WordsStepped(NamedTuple):
    """What a step gives: observations, rewards by seat, and which games ended or were cut off."""

    seen: WordsSeen
    rewards: NDArray[np.float32]
    terminated: NDArray[np.bool_]
    truncated: NDArray[np.bool_]


class WordGames(ABC):
    """`count` games, stepped together, every one a row of `boards`.

    With a `learner` (a seat's number) only that seat is asked, and the others play at random.
    """

    lexicon: ActionLexicon
    view_columns: tuple[str, ...]

    def __init__(
        self,
        count: int,
        players: int,
        start: NDArray[np.int16],
        *,
        learner: int | None = None,
        most_steps: int = 20_000,
    ) -> None:
        self.count, self.players, self.most_steps = count, players, most_steps
        self.learner = ALL_SEATS if learner is None else learner
        self.boards = np.repeat(start[None], count, axis=0)
        self.observation = np.zeros((count, len(self.columns)), np.float32)
        self.action_mask = np.zeros((count, len(self.lexicon)), np.int8)
        self.rewards = np.zeros((count, players), np.float32)
        self.terminated, self.truncated = (np.zeros(count, np.bool_) for _ in range(2))
        self.notes = np.zeros((count, NOTE_SIZE), np.int32)
        self.luck = np.zeros((count, 1), np.uint64)
        self._start = start
        self._luck_source = np.random.default_rng()
        self._begun = False

    @abstractmethod
    def state(self, game: int) -> Any:
        """A game for the readable rules."""

    @abstractmethod
    def _run(self, actions: NDArray[np.int64], *, fresh: bool) -> None:
        """Write one word in every game, or begin them all."""

    @property
    def columns(self) -> tuple[str, ...]:
        """The meaning of every column of an observation."""
        words = self.lexicon.words
        return (
            *self.view_columns,
            *(f"written: {word}" for word in words),
            *(f"last word: {word}" for word in words),
        )

    @property
    def words(self) -> tuple[str, ...]:
        """The meaning of every action."""
        return self.lexicon.words

    def reset(self, seed: int | None = None) -> WordsSeen:
        """Begin all games. Without a seed they follow from the last seed given."""
        if seed is not None:
            self._luck_source = np.random.default_rng(seed)
        self.luck[:, 0] = self._luck_source.integers(1, 1 << 63, self.count, np.uint64)
        self._run(np.zeros(self.count, np.int64), fresh=True)
        self._begun = True
        return self._observe_games()

    def step(self, actions: NDArray[np.int64]) -> WordsStepped:
        """Write one word in every game."""
        self._check_actions(actions)
        self._run(actions, fresh=False)
        return WordsStepped(self._observe_games(), self.rewards, self.terminated, self.truncated)

    def sample_actions(self, rng: np.random.Generator) -> NDArray[np.int64]:
        """A random word that can be written, for every game."""
        found = np.zeros(self.count, np.int64)
        sample_words(self.action_mask, rng.random(self.count), found)
        return found

    def written(self, game: int) -> tuple[str, ...]:
        """The words of the decision in the making."""
        note = self.notes[game]
        numbers = note[WRITTEN : WRITTEN + min(note[DEPTH_WRITTEN], MOST_WORDS)]
        return tuple(self.lexicon.words[number] for number in numbers)

    def _check_actions(self, actions: NDArray[np.int64]) -> None:
        if not self._begun:
            raise ValueError("reset() comes before step()")
        if not ((actions >= 0) & (actions < len(self.lexicon))).all():
            raise ValueError(f"actions are numbers from 0 to {len(self.lexicon) - 1}")
        allowed = self.action_mask[np.arange(self.count), actions] > 0
        for game in np.flatnonzero(~(allowed | self.terminated | self.truncated)):
            raise ValueError(f"game {game} cannot write {self.words[actions[game]]!r} now")

    def _observe_games(self) -> WordsSeen:
        return WordsSeen(self.observation, self.action_mask, self.notes[:, SEAT])


class WordGamesEnv(VectorEnv[dict[str, Any], NDArray[np.int64], NDArray[Any]]):
    """Games for Gymnasium: one seat is the agent's, the others play at random.

    Observations and masks are written into the same arrays at every step: copy what you keep.
    """

    def __init__(self, games: WordGames) -> None:
        self.games = games
        self.num_envs, self.seat, self.render_mode = games.count, games.learner, None
        self.metadata = {"render_modes": [], "autoreset_mode": AutoresetMode.NEXT_STEP}
        self.single_observation_space = Dict(
            {
                "observation": Box(0, 1, games.observation.shape[1:], np.float32),
                "action_mask": Box(0, 1, games.action_mask.shape[1:], np.int8),
            }
        )
        self.single_action_space = Discrete(len(games.lexicon))
        self.observation_space = batch_space(self.single_observation_space, games.count)
        self.action_space = batch_space(self.single_action_space, games.count)

    def reset(
        self,
        *,
        seed: int | Sequence[int | None] | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Begin all games; of several seeds the first counts."""
        first = seed if seed is None or isinstance(seed, int) else seed[0]
        self.games.reset(first)
        return self._observation(), self._infos()

    def step(
        self, actions: NDArray[np.int64]
    ) -> tuple[dict[str, Any], NDArray[Any], NDArray[Any], NDArray[Any], dict[str, Any]]:
        stepped = self.games.step(actions)
        rewards = stepped.rewards[:, self.seat].astype(np.float64)
        ended = (stepped.terminated.copy(), stepped.truncated.copy())
        return self._observation(), rewards, *ended, self._infos()

    def action_masks(self) -> NDArray[np.bool_]:
        """Which actions can be taken now, one row per game."""
        return self.games.action_mask.astype(np.bool_)

    def _observation(self) -> dict[str, Any]:
        return {"observation": self.games.observation, "action_mask": self.games.action_mask}

    def _infos(self) -> dict[str, Any]:
        return {"action_mask": self.games.action_mask}
