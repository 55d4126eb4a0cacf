"""Many games of Diplomacy at once, in arrays (extra ``fast``).

    games = BatchGames(1000, last_year=1910)
    orders = games.sample_orders(np.random.default_rng(1))
    games.step(orders)                    # resolves one phase of every game

Units, results and order codes are numbered as in `fast.batch` and `fast.order_codes`. All orders of a
phase are given at once, by province: a unit, a dislodged unit, or a home centre where one may be
built. There are seven seats, no proposals and no absent players: a game ends by victory or after
the fall of `last_year`. The results are those of the readable rules; tests play both side by side.
"""

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from powderkeg.games.diplomacy.actions import Order, Waive
from powderkeg.games.diplomacy.board import (
    ARMY_UNITS,
    CODES,
    FLEET_UNITS,
    HOMES,
    NUMBER_OF,
    POWERS,
    START,
    Unit,
)
from powderkeg.games.diplomacy.board import PROVINCE_COUNT as COUNT
from powderkeg.games.diplomacy.fast import game_kernel as kernel
from powderkeg.games.diplomacy.fast.batch import adjudicate_batch, pack_positions
from powderkeg.games.diplomacy.fast.game_kernel import (
    CLOCK_SIZE,
    LAST_SIZE,
    MOVEMENT,
    OVER,
    RETREATS,
    SPRING,
    STAGE,
)
from powderkeg.games.diplomacy.fast.kernel import SEA_SHEET_SIZE, SHEET_SIZE
from powderkeg.games.diplomacy.fast.map_arrays import NODES, PLACE_COUNT
from powderkeg.games.diplomacy.fast.order_codes import code_order
from powderkeg.games.diplomacy.rules.adjustments import alphabet_key
from powderkeg.games.diplomacy.rules.position import STANDARD, Position, Rulebook
from powderkeg.games.diplomacy.rules.turn import FIRST_YEAR, VICTORY_CENTRES, phase_code

__all__ = ["BatchGames"]

Codes = NDArray[np.uint16]
MOST_ORDERS: Final = 256  # listed for one piece; random play rarely has more than a hundred
STAGE_NAMES: Final = ("movement", "retreat", "adjustment", "over")


@dataclass(frozen=True)
class _Opening:
    """The arrays of one game before spring 1901."""

    units: NDArray[np.int16]
    owner: NDArray[np.int8]


def _opening_arrays() -> _Opening:
    owner = np.full(COUNT, -1, np.int8)
    for number, power in enumerate(POWERS):
        owner[[NUMBER_OF[home] for home in HOMES[power]]] = number
    return _Opening(pack_positions([Position(START)], [{}])[0][0], owner)


class BatchGames:
    """`count` games, each at its own phase.

    `units`, `owner` (of centres) and `beaten` (dislodged units) have one cell per province; `clocks`
    has stage, season, year and winner. For the phase that waits, `codes[game, province]` holds
    `counts[game, province]` legal orders, and `pieces` the power that gives them (-1: nobody).
    Of a piece with more than `most_orders` orders the rest is legal, but not listed.
    """

    def __init__(
        self,
        count: int,
        *,
        last_year: int = 1910,
        victory_centres: int = VICTORY_CENTRES,
        rulebook: Rulebook = STANDARD,
        most_orders: int = MOST_ORDERS,
    ) -> None:
        self.count, self.rulebook = count, rulebook
        by_owned = rulebook.removal_distance == "owned"
        self.rules = np.array(
            [victory_centres, last_year, by_owned, not rulebook.bars_convoy_origin], np.int64
        )
        names = [alphabet_key(code, rulebook.removal_alphabet) for code in CODES]
        self.ranks = np.argsort(np.argsort(names))
        self.clocks = np.zeros((count, CLOCK_SIZE), np.int64)
        self.units = np.zeros((count, COUNT), np.int16)
        self.owner = np.zeros((count, COUNT), np.int8)
        self.beaten = np.zeros((count, COUNT), np.int16)
        self.contested = np.zeros((count, COUNT), np.bool_)
        self.barred = np.full((count, COUNT), -1, np.int8)
        self.last = np.zeros((count, PLACE_COUNT, LAST_SIZE), np.int16)
        self.codes: Codes = np.zeros((count, COUNT, most_orders), np.uint16)
        self.counts = np.zeros((count, COUNT), np.int16)
        self.pieces = np.zeros((count, COUNT), np.int8)
        self._sheet = np.zeros(SHEET_SIZE, np.uint8)
        self._seas = np.zeros(SEA_SHEET_SIZE, np.int64)
        self._opening = _opening_arrays()
        self.reset()

    @property
    def over(self) -> NDArray[np.bool_]:
        """Which games have ended."""
        ended: NDArray[np.bool_] = self.clocks[:, STAGE] == OVER
        return ended

    @property
    def centres(self) -> NDArray[np.int64]:
        """How many centres every power has in every game."""
        counts: NDArray[np.int64] = (self.owner[:, :, None] == np.arange(len(POWERS))).sum(axis=1)
        return counts

    def reset(self, which: Any = slice(None)) -> None:
        """Begin these games again, by default all."""
        self.units[which] = self._opening.units
        self.owner[which] = self._opening.owner
        for array in (self.beaten, self.contested, self.last):
            array[which] = 0
        self.clocks[which] = MOVEMENT, SPRING, FIRST_YEAR, -1
        self.list_orders()

    def list_orders(self) -> None:
        """Fill `codes`, `counts` and `pieces` for the phase that waits."""
        kernel.list_rows(
            self._sheet, self._seas, self.clocks, self.units, self.owner, self.beaten,
            self.contested, self.barred, self.codes, self.counts, self.pieces,
        )  # fmt: skip

    def step(self, orders: Codes) -> None:
        """Resolve a phase of every game that is not over; `orders` has a code per province.

        A piece without a code (0) holds, is disbanded or builds nothing; so does one whose code is
        not legal.
        """
        moving = np.flatnonzero(self.clocks[:, STAGE] == MOVEMENT)
        sheets = np.zeros((len(moving), COUNT, 3), np.int16)
        kernel.spell_rows(moving, self.units, orders, sheets)
        done = adjudicate_batch(self.units[moving], sheets, self.rulebook)
        moved = np.zeros(self.count, np.int64)
        moved[moving] = np.arange(len(moving))
        kernel.advance_rows(
            self.rules, self.ranks, self.clocks, self.units, self.owner, self.beaten, self.contested,
            self.barred, self.last, orders, moved,
            done.verdicts, done.winners, done.contested, done.convoyed, done.units,
        )  # fmt: skip
        self.list_orders()

    def sample_orders(self, rng: np.random.Generator) -> Codes:
        """A random legal order for every piece."""
        picks = (rng.random(self.counts.shape) * self.counts).astype(np.intp)
        return np.take_along_axis(self.codes, picks[:, :, None], axis=2)[:, :, 0]

    # In words

    def phase(self, game: int) -> str:
        """The phase that waits, such as ``S1901M``."""
        stage, season, year, _ = self.clocks[game].tolist()
        return phase_code(year, ("spring", "fall")[season], STAGE_NAMES[stage])

    def position(self, game: int) -> dict[str, tuple[Unit, ...]]:
        """The units of every power."""
        found: dict[str, list[Unit]] = {power: [] for power in POWERS}
        for code in self.units[game].tolist():
            if code:
                found[POWERS[(code - 1) // NODES]].append(_unit_of(code))
        return {power: tuple(units) for power, units in found.items()}

    def order(self, game: int, province: str, code: int) -> Order:
        """The order that a code means for the piece in a province."""
        at = NUMBER_OF[province]
        here = self.beaten if self.clocks[game, STAGE] == RETREATS else self.units
        unit = _unit_of(int(here[game, at])) if here[game, at] else None
        units = {CODES[n]: _unit_of(c) for n, c in enumerate(self.units[game].tolist()) if c}
        order = code_order(unit, int(code), units)
        return Waive(province) if isinstance(order, Waive) else order


def _unit_of(code: int) -> Unit:
    node = (code - 1) % NODES
    return (FLEET_UNITS if node & 1 else ARMY_UNITS)[node // 2]
