"""Lines by the compiled policy for a search that thinks in readable states."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from powderkeg.bots.risk_europe.fast import rollout_kernel
from powderkeg.bots.risk_europe.fast.card_mixes import CardMixes
from powderkeg.bots.risk_europe.fast.odds_table import ODDS_SIZE, TABLE_ROWS
from powderkeg.bots.risk_europe.fast.value_layout import CHANCES, P_ARMY, PLAN_SIZE, value_sheet
from powderkeg.bots.risk_europe.weights import OddsWeights
from powderkeg.games.risk_europe.fast.boards import SearchBoard
from powderkeg.games.risk_europe.fast.layout import (
    ARMY_COUNT,
    BOARD_SIZE,
    KIND_COUNT,
    MOST_OUTCOME,
    SHEET_SIZE,
)
from powderkeg.games.risk_europe.fast.state_arrays import pack_state
from powderkeg.games.risk_europe.state import State

__all__ = ["RoundPlayer"]

LineChances: TypeAlias = NDArray[np.float64]
"""Chances to win by start, line and player."""
PAIR_COUNT: Final = KIND_COUNT * KIND_COUNT


def whole_chances(chances: Any) -> NDArray[np.int64]:
    """Chances as whole numbers that add up to `FINE`: nothing must be left for a pair without a chance."""
    found = np.round(np.array(chances) * rollout_kernel.FINE).astype(np.int64)
    found[found.argmax()] += rollout_kernel.FINE - found.sum()
    return found


class RoundPlayer:
    """Plays lines of a game. It has its own scratch, so that threads can have one each."""

    def __init__(self, weights: OddsWeights) -> None:
        self.sheet = value_sheet(weights)
        self.keys = np.full(TABLE_ROWS, -1, np.int64)
        self.odds = np.zeros(ODDS_SIZE)
        self.plan = np.full(PLAN_SIZE, -1, np.int64)
        self.boards = np.zeros((2, BOARD_SIZE), np.int16)
        self.codes = np.zeros(SHEET_SIZE, np.int32)
        self.outcome = np.zeros(MOST_OUTCOME, np.int16)
        self.luck = np.ones(1, np.uint64)

    def roll_out(
        self,
        starts: Sequence[State],
        pairs: Mapping[int, Sequence[float]],
        seeds: Sequence[int],
        until: int,
    ) -> LineChances:
        """The chances after a line from every state for every seed, with equal luck for all. `pairs` are
        the chances of the cards that players may have placed; others keep what they have."""
        return self._play(starts, pairs, seeds, until)[:, :, :ARMY_COUNT]

    def solve_cards(
        self,
        state: State,
        anchors: Mapping[int, Sequence[float]],
        batches: Iterable[Sequence[int]],
        until: int,
    ) -> dict[int, list[float]]:
        """How often each player should place each pair, after lines for these batches of seeds."""
        mixes = CardMixes(anchors)
        for seeds in batches:
            (found,) = self._play([state], mixes.now, seeds, until)
            mixes.learn_from(found[:, :ARMY_COUNT], found[:, ARMY_COUNT:].astype(np.int64))
        return mixes.average()

    def _play(
        self,
        starts: Sequence[State],
        pairs: Mapping[int, Any],
        seeds: Sequence[int],
        until: int,
    ) -> LineChances:
        deals = np.full((ARMY_COUNT, PAIR_COUNT), -1, np.int64)
        for who, chances in pairs.items():
            deals[who] = whole_chances(chances)
        out = np.zeros((len(starts), len(seeds), 2 * ARMY_COUNT))
        boards = np.array([pack_state(state) for state in starts])
        rollout_kernel.play_lines(
            boards, deals, np.array(seeds, np.uint64), until, self.boards, self.sheet, self.keys,
            self.odds, self.plan, self.codes, self.outcome, self.luck, out,
        )  # fmt: skip
        return out

    def chances(self, state: State) -> NDArray[np.float64]:
        """The chances to win of a position."""
        self._command(rollout_kernel.STOP, SearchBoard.of(state), 0)
        return self.sheet[CHANCES : CHANCES + ARMY_COUNT].copy()  # type: ignore[no-any-return]  # an array

    def choose(self, board: SearchBoard, who: int) -> int:
        """The code of the policy's answer; the plan is kept for the answers that follow."""
        return self._command(rollout_kernel.ANSWER, board, who)

    def forget_plan(self) -> None:
        self.plan[P_ARMY] = -1

    def _command(self, what: int, board: SearchBoard, who: int) -> int:
        code: int = rollout_kernel.command_policy(
            what, board.cells, who, self.sheet, self.keys, self.odds, self.plan, self.boards[1],
            self.codes, self.luck,
        )  # fmt: skip
        return code
