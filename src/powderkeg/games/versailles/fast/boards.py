"""One compiled board, and many random games (extra ``fast``).

    board = TreatyBoard.of(state)
    board.legal()                         # the codes of the answers to the pending question
    board.act(code)                       # carried out, with all that follows without a choice
    other = board.copy()                  # 5 kB

The readable rules are the reference: tests play both side by side. Covered are two to four players, all
options that matter to them, and custom packs. There are no deals and no solitaire.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from powderkeg.games.versailles import actions, flow
from powderkeg.games.versailles.cards.reader import pack_of
from powderkeg.games.versailles.fast import kernel
from powderkeg.games.versailles.fast.action_codes import answer_action, answer_code
from powderkeg.games.versailles.fast.layout import (
    AGENDA_AT,
    ENDED_BY,
    HEIGHT,
    ISSUE_IDS,
    MOST_ANSWERS,
    MOST_FALLEN,
    P_CHOOSE_OPTION,
    RECORD,
    SEAT_NATION,
    SHEET_LENGTH,
    SHEET_LIST,
)
from powderkeg.games.versailles.fast.rule_tables import RuleTable, make_table
from powderkeg.games.versailles.fast.state_arrays import TreatyCells, pack_treaty, unpack_treaty
from powderkeg.games.versailles.state import Options, State

__all__ = ["TreatyBoard", "play_random_games"]


class TreatyBoard:
    """A position that changes in place. Copies share the `table`, which never changes; each has its
    own `sheet` and `fallen`, which the kernel writes into, so that threads can use them side by side."""

    def __init__(self, cells: TreatyCells, options: Options, seats: tuple[str, ...]) -> None:
        self.cells, self.options, self.seats = cells, options, seats
        self.pack = pack_of(options.pack)
        self.table: RuleTable = make_table(options, len(seats))
        self.sheet = np.zeros(SHEET_LENGTH, np.int32)
        self.fallen = np.zeros(MOST_FALLEN, np.int16)

    @classmethod
    def of(cls, state: State) -> "TreatyBoard":
        return cls(pack_treaty(state), state.options, state.seats)

    def state(self) -> State:
        """The same position for the readable rules."""
        return unpack_treaty(self.cells, self.options, self.seats)

    def copy(self) -> "TreatyBoard":
        return TreatyBoard(self.cells.copy(), self.options, self.seats)

    def asked(self) -> int:
        """The seat that must answer; `kernel.ASKS_CHANCE`, or `kernel.ASKS_NOBODY` after the end."""
        return self._command(kernel.ASK_BOARD)

    def count(self) -> int:
        """How many answers the pending question has."""
        return self._command(kernel.LIST_LEGAL)

    def legal(self) -> NDArray[np.int32]:
        """The codes of the legal answers, at most `MOST_ANSWERS`."""
        count = self.count()
        return self.sheet[SHEET_LIST : SHEET_LIST + min(count, MOST_ANSWERS)].copy()

    def act(self, code: int) -> None:
        """Carry out a legal answer."""
        self._command(kernel.GIVE_ANSWER, code)

    def chance(self, fallen: NDArray[np.int16]) -> None:
        """Carry out an outcome of chance, as `fallen_numbers` writes it."""
        self.fallen[:] = fallen
        self._command(kernel.GIVE_OUTCOME)

    def action(self, code: int) -> actions.Action:
        return answer_action(code, self.pack)

    def code(self, action: actions.Action) -> int:
        return answer_code(action, self.pack, self._pending_issue())

    def scores(self) -> tuple[int, ...]:
        """The points of every seat if the game ended now; 0 for seats without a nation."""
        return tuple(
            self._command(kernel.ADD_SCORE, nation) if nation >= 0 else 0
            for nation in self._nations()
        )

    def winners(self) -> tuple[int, ...]:
        """The seats that won; nobody while the game goes on."""
        if not self.cells[ENDED_BY]:
            return ()
        ranks = [self._command(kernel.RANK_NATION, nation) for nation in self._nations()]
        return tuple(seat for seat, rank in enumerate(ranks) if rank == max(ranks))

    def _nations(self) -> list[int]:
        nations: list[int] = self.cells[SEAT_NATION : SEAT_NATION + len(self.seats)].tolist()
        return nations

    def _pending_issue(self) -> str:
        """The issue whose option is chosen now."""
        top = AGENDA_AT + RECORD * (int(self.cells[HEIGHT]) - 1)
        return ISSUE_IDS[self.cells[top + 1]] if self.cells[top] == P_CHOOSE_OPTION else ""

    def _command(self, what: int, number: int = 0) -> int:
        return kernel.command_treaty(what, self.cells, self.table, number, self.sheet, self.fallen)


def play_random_games(
    players: int, games: int, seed: int, *, most: int = 1 << 30, **options: Any
) -> tuple[TreatyCells, int]:
    """Whole random games without deals: the boards at their ends, and the number of answers and
    outcomes."""
    chosen = Options(**options)
    start = pack_treaty(flow.start(flow.seats(players, chosen), chosen))
    boards = np.repeat(start[None], games, axis=0)
    luck = np.random.default_rng(seed).integers(1, 1 << 63, 1, np.uint64)
    sheet, fallen = np.zeros(SHEET_LENGTH, np.int32), np.zeros(MOST_FALLEN, np.int16)
    table = make_table(chosen, players)
    return boards, kernel.play_treaties(boards, table, sheet, fallen, luck, most)
