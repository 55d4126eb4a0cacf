"""Thousands of games of Versailles 1919 at once, compiled, word by word (extras ``rl`` and ``fast``).

    from powderkeg.rl.versailles.vector import TreatyVector, TreatyVectorEnv

    games = TreatyVector(1024, players=4)              # every seat is yours
    seen = games.reset(seed=1)
    seen, rewards, terminated, truncated = games.step(actions)

    env = TreatyVectorEnv(1024, players=4)             # Gymnasium: you are one seat, the others random

Words are those of `rl.VectorGames("versailles", …)`, with the same numbers, but nobody offers deals. All
arrays are allocated once and overwritten by the next step. A game that ended starts again at the next
step, whose action for it is ignored. Packs of your own cards are not part of it.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from powderkeg.games.versailles import flow
from powderkeg.games.versailles.fast.layout import MOST_ANSWERS, MOST_FALLEN, SHEET_LENGTH
from powderkeg.games.versailles.fast.rule_tables import make_table
from powderkeg.games.versailles.fast.state_arrays import pack_treaty, unpack_treaty
from powderkeg.games.versailles.state import Options, State
from powderkeg.rl.versailles.columns import TREATY_COLUMNS
from powderkeg.rl.versailles.kernel import TREATY_LEXICON, step_treaties
from powderkeg.rl.words_vector import WordGames, WordGamesEnv

__all__ = ["TreatyVector", "TreatyVectorEnv"]


class TreatyVector(WordGames):
    """`count` games of two to four players, stepped together; options are those of the game.

    With a `learner` (a seat's number) only that seat is asked, and the others play at random.
    """

    lexicon, view_columns = TREATY_LEXICON, TREATY_COLUMNS

    def __init__(
        self,
        count: int,
        players: int = 4,
        *,
        learner: int | None = None,
        most_steps: int = 20_000,
        **options: Any,
    ) -> None:
        self.options = Options(**options)
        if self.options.pack:
            raise ValueError("the compiled environment has no packs of your own")
        self.seats = flow.seats(players, self.options)
        start = pack_treaty(flow.start(self.seats, self.options))
        super().__init__(count, players, start, learner=learner, most_steps=most_steps)
        self._table = make_table(self.options, players)
        self._codes = np.zeros((count, MOST_ANSWERS), np.int32)
        self._sheet = np.zeros(SHEET_LENGTH, np.int32)
        self._fallen = np.zeros(MOST_FALLEN, np.int16)

    def state(self, game: int) -> State:
        """A game for the readable rules."""
        return unpack_treaty(self.boards[game], self.options, self.seats)

    def _run(self, actions: NDArray[np.int64], *, fresh: bool) -> None:
        step_treaties(
            self.boards, self._start, self._table, self.notes, self._codes,
            actions.astype(np.int64, copy=False), fresh, self.learner, self.most_steps, self._sheet,
            self._fallen, self.luck, self.observation, self.action_mask, self.rewards,
            self.terminated, self.truncated,
        )  # fmt: skip


class TreatyVectorEnv(WordGamesEnv):
    """`num_envs` games for Gymnasium: one seat is the agent's, the others play at random.

    Observations and masks are written into the same arrays at every step: copy what you keep.
    """

    games: TreatyVector

    def __init__(self, num_envs: int = 1, players: int = 4, seat: int = 0, **more: Any) -> None:
        super().__init__(TreatyVector(num_envs, players, learner=seat, **more))
