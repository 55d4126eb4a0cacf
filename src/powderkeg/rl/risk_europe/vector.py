"""Thousands of games of Risk Europe at once, compiled, word by word (extras ``rl`` and ``fast``).

    from powderkeg.rl.risk_europe.vector import WordsVector, WordsVectorEnv

    games = WordsVector(1024, players=4)               # every seat is yours
    seen = games.reset(seed=1)
    seen, rewards, terminated, truncated = games.step(actions)

    env = WordsVectorEnv(1024, players=4)              # Gymnasium: you are one seat, the others random

Words are those of `rl.VectorGames("risk_europe", …)`, with the same numbers. All arrays are allocated
once and overwritten by the next step. A game that ended starts again at the next step, whose action
for it is ignored. Of more than 4,096 choices in one decision only the first are offered.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from powderkeg.games.risk_europe import flow
from powderkeg.games.risk_europe.fast.layout import MOST_LISTED, MOST_OUTCOME, SHEET_SIZE
from powderkeg.games.risk_europe.fast.state_arrays import pack_state, unpack_board
from powderkeg.games.risk_europe.state import Options, State
from powderkeg.rl.risk_europe.columns import COLUMN_NAMES
from powderkeg.rl.risk_europe.kernel import LEXICON, step_rows
from powderkeg.rl.words_vector import WordGames, WordGamesEnv

__all__ = ["WordsVector", "WordsVectorEnv"]


class WordsVector(WordGames):
    """`count` games, stepped together; options are those of the game.

    With a `learner` (a seat's number) only that seat is asked, and the others play at random.
    """

    lexicon, view_columns = LEXICON, COLUMN_NAMES

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
        first = flow.start(flow.seats(players, self.options), self.options)
        self.colours = first.colours
        super().__init__(count, players, pack_state(first), learner=learner, most_steps=most_steps)
        self._codes = np.zeros((count, MOST_LISTED), np.int32)
        self._sheet = np.zeros(SHEET_SIZE, np.int32)
        self._outcome = np.zeros(MOST_OUTCOME, np.int16)

    def state(self, game: int) -> State:
        """A game for the readable rules."""
        return unpack_board(self.boards[game], self.options, self.colours)

    def _run(self, actions: NDArray[np.int64], *, fresh: bool) -> None:
        step_rows(
            self.boards, self._start, self.notes, self._codes, actions.astype(np.int64, copy=False),
            fresh, self.learner, self.most_steps, self._sheet, self._outcome, self.luck,
            self.observation, self.action_mask, self.rewards, self.terminated, self.truncated,
        )  # fmt: skip


class WordsVectorEnv(WordGamesEnv):
    """`num_envs` games for Gymnasium: one seat is the agent's, the others play at random.

    Observations and masks are written into the same arrays at every step: copy what you keep.
    """

    games: WordsVector

    def __init__(self, num_envs: int = 1, players: int = 4, seat: int = 0, **more: Any) -> None:
        super().__init__(WordsVector(num_envs, players, learner=seat, **more))
