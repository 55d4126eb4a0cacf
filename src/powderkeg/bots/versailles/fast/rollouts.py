"""Rollouts by the compiled policy for a search that thinks in readable states."""

from collections.abc import Sequence
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from powderkeg.bots.versailles.evaluate import Judge
from powderkeg.bots.versailles.fast import rollout_kernel
from powderkeg.bots.versailles.fast.bargains import BARGAIN_SCRATCH, GIFT_BITS, NO_DEAL
from powderkeg.bots.versailles.fast.value_sheet import ValueSheet, make_sheet
from powderkeg.games.versailles.fast.boards import TreatyBoard
from powderkeg.games.versailles.fast.layout import (
    MOST_FALLEN,
    NATION_COUNT,
    SHEET_LENGTH,
    TREATY_SIZE,
)
from powderkeg.games.versailles.state import State

__all__ = ["LinePlayer"]

LineShares: TypeAlias = NDArray[np.float64]
"""Shares by action, line and seat."""
AS_IT_STANDS: Final = -1  # instead of an answer
NEVER_TALKS: Final = 1 << 14  # later than any turn


class LinePlayer:
    """Plays lines of a game to their end. It has its own scratch, so that threads can have one each."""

    def __init__(self, judge: Judge) -> None:
        self.judge = judge
        self.boards = np.zeros((3, TREATY_SIZE), np.int16)
        self.sheets = np.zeros((3, SHEET_LENGTH), np.int32)
        self.scratch = np.zeros(BARGAIN_SCRATCH)
        self.fallen = np.zeros(MOST_FALLEN, np.int16)
        self.luck = np.ones(1, np.uint64)

    def sheet_for(self, board: TreatyBoard) -> ValueSheet:
        """The values of this game's cards."""
        sheet = make_sheet(self.judge.weights, board.pack)
        rollout_kernel.prepare_sheet(board.cells, board.table, sheet)
        return sheet

    def roll_out(
        self,
        p: State,
        actions: Sequence[Any],
        seeds: Sequence[int],
        until: int,
        talks: int = NEVER_TALKS,
    ) -> LineShares:
        """The shares after each action, one line per seed; the actions have the same luck. Without
        actions, the shares from `p` as it stands. From turn `talks` on, players make simple deals."""
        board = TreatyBoard.of(p)
        codes = [board.code(action) for action in actions] or [AS_IT_STANDS]
        out = np.zeros((len(codes), len(seeds), len(p.seats)))
        rollout_kernel.roll_out_codes(
            board.cells, board.table, self.sheet_for(board), np.array(codes, np.int32),
            np.array(seeds, np.uint64), until, talks, self.boards, self.sheets, self.scratch,
            self.fallen, self.luck, out,
        )  # fmt: skip
        return out

    def estimate(self, board: TreatyBoard) -> NDArray[np.float64]:
        """The points that each nation may expect."""
        rollout_kernel.estimate_board(board.cells, board.table, self.sheet_for(board), self.scratch)
        return self.scratch[:NATION_COUNT].copy()

    def choose(self, board: TreatyBoard) -> int:
        """The code of the policy's answer."""
        self.luck[:] = 1
        code: int = rollout_kernel.choose_code(
            board.cells, board.table, self.sheet_for(board), self.boards, self.sheets, self.scratch,
            self.luck,
        )  # fmt: skip
        return code

    def bargain(self, board: TreatyBoard) -> tuple[int, int] | None:
        """The place on the table that the active player settles for its leader in rollouts, and the
        cubes that it gets for that; None: they make no deal."""
        self.luck[:] = 1
        deal: int = rollout_kernel.offer_code(
            board.cells, board.table, self.sheet_for(board), self.boards, self.sheets, self.scratch,
            self.luck,
        )  # fmt: skip
        return None if deal == NO_DEAL else (deal >> GIFT_BITS, deal & ((1 << GIFT_BITS) - 1))
