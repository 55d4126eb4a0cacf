"""One compiled board, and many random games (extra ``fast``).

    board = SearchBoard.of(state)
    board.legal(0)                        # the codes of what player 0 may do
    board.act(0, code)                    # carried out, with all that follows without a choice
    other = board.copy()                  # 1.8 kB

The readable rules are the reference: tests play both side by side. Everything is covered: two to
four players, mercenaries, missions, custom packs and all options.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from powderkeg.games.risk_europe import actions, flow
from powderkeg.games.risk_europe.fast import kernel
from powderkeg.games.risk_europe.fast.action_codes import action_code, code_action
from powderkeg.games.risk_europe.fast.layout import (
    LIST,
    MOST_LISTED,
    MOST_OUTCOME,
    OVER,
    PEOPLE,
    RANK,
    SHEET_SIZE,
)
from powderkeg.games.risk_europe.fast.state_arrays import Board, pack_state, unpack_board
from powderkeg.games.risk_europe.state import Options, State

__all__ = ["SearchBoard", "play_random_games"]

Codes = NDArray[np.int32]


class SearchBoard:
    """A position that changes in place. `sheet` and `outcome` are scratch space, shared by copies."""

    def __init__(self, cells: Board, options: Options, colours: tuple[str, ...]) -> None:
        self.cells, self.options, self.colours = cells, options, colours
        self.sheet = np.zeros(SHEET_SIZE, np.int32)
        self.outcome = np.zeros(MOST_OUTCOME, np.int16)

    @classmethod
    def of(cls, state: State) -> "SearchBoard":
        return cls(pack_state(state), state.options, state.colours)

    def state(self) -> State:
        """The same position for the readable rules."""
        return unpack_board(self.cells, self.options, self.colours)

    def copy(self) -> "SearchBoard":
        return SearchBoard(self.cells.copy(), self.options, self.colours)

    def asked(self) -> int:
        """The players who must act, as bits; `kernel.CHANCE_ASKED` for chance; 0: it is over."""
        return self._command(kernel.ASK)

    def count(self, who: int) -> int:
        """How many legal actions a player has."""
        return self._command(kernel.LEGAL, who)

    def legal(self, who: int) -> Codes:
        """The codes of the legal actions, at most `MOST_LISTED`."""
        count = self.count(who)
        return self.sheet[LIST : LIST + min(count, MOST_LISTED)].copy()

    def act(self, who: int, code: int) -> None:
        """Carry out a legal action."""
        self._command(kernel.ACT, who, code)

    def chance(self, outcome: NDArray[np.int16]) -> None:
        """Carry out an outcome of chance, as `outcome_numbers` writes it."""
        self.outcome[:] = outcome
        self._command(kernel.OUTCOME)

    def action(self, code: int) -> actions.Action:
        return code_action(code, self.colours)

    def code(self, action: actions.Action) -> int:
        return action_code(action, self.colours)

    def winners(self) -> tuple[int, ...]:
        """Who won; nobody while the game goes on."""
        if not self.cells[OVER]:
            return ()
        return tuple(i for i in range(self.cells[PEOPLE]) if self.cells[RANK + i] == 0)

    def _command(self, what: int, who: int = 0, code: int = 0) -> int:
        return kernel.command_board(what, self.cells, who, code, self.sheet, self.outcome)


def play_random_games(
    players: int, games: int, seed: int, *, most: int = 1 << 30, **options: Any
) -> tuple[Board, int]:
    """Whole random games: the boards at their ends, and the number of actions, chance included."""
    chosen = Options(**options)
    start = pack_state(flow.start(flow.seats(players, chosen), chosen))
    boards = np.repeat(start[None], games, axis=0)
    luck = np.random.default_rng(seed).integers(1, 1 << 63, 1, np.uint64)
    sheet, outcome = np.zeros(SHEET_SIZE, np.int32), np.zeros(MOST_OUTCOME, np.int16)
    return boards, kernel.play_random(boards, sheet, outcome, luck, most)
