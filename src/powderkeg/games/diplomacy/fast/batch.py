"""Many movement phases at once, for those who judge millions of positions (extra ``fast``).

The results are those of the readable adjudicator; tests hold the two together. There are no
reasons here, only verdicts.

A position is a row of 75 numbers, one per province: 0 where nobody stands, else 1 + 162 * power +
2 * location + (1 for a fleet), with powers as in `board.POWERS` and locations as in
`board.NUMBER`. An order is three numbers for the province of the unit: kind, province of the
unit that is supported or convoyed, location named (-1: none). `pack_positions` and `unpack_position` translate.

    units, orders = pack_positions(positions, sets_of_orders)
    result = adjudicate_batch(units, orders)

The first call compiles (`fast.kernel`), which takes some seconds; the result is kept on disk for
later runs.
"""

from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from powderkeg.games.diplomacy.actions import Convoy, Move, Order, Support
from powderkeg.games.diplomacy.board import ARMY_UNITS, FLEET_UNITS, NUMBER_OF, POWERS, Unit
from powderkeg.games.diplomacy.board import PROVINCE_COUNT as COUNT
from powderkeg.games.diplomacy.fast.kernel import (
    CLOSED,
    FALLBACK,
    INTENT,
    PLAYER,
    RULE_21,
    SEA_SHEET_SIZE,
    SHEET_SIZE,
    SILENCE,
    VIA,
    Ints,
    adjudicate_rows,
    blank_circle,
)
from powderkeg.games.diplomacy.fast.map_arrays import PLACE_COUNT
from powderkeg.games.diplomacy.rules.legality import CONVOY, HOLD, MOVE, SUPPORT
from powderkeg.games.diplomacy.rules.outcomes import Verdict
from powderkeg.games.diplomacy.rules.position import STANDARD, Position, Rulebook

__all__ = [
    "VERDICTS",
    "Results",
    "adjudicate_batch",
    "pack_positions",
    "unit_number",
    "unpack_position",
]

VERDICTS: Final = (None, *Verdict)  # meaning of the numbers in `Results.verdicts`


class Results(NamedTuple):
    """The results of each position: one row per position, one entry per province."""

    verdicts: NDArray[np.int8]  # see VERDICTS; of the unit that stood there
    winners: NDArray[np.int8]  # the province of its dislodger, or -1
    contested: NDArray[np.bool_]  # left empty by a standoff
    units: Ints  # the position afterwards, dislodged units taken off
    convoyed: NDArray[np.bool_]  # moves that went by convoy, by the province they left


def adjudicate_batch(
    units: Ints,
    orders: Ints,
    rulebook: Rulebook = STANDARD,
    *,
    players: Mapping[str, str] | None = None,
    closed: Iterable[str] = (),
    threads: int = 1,
) -> Results:
    """Resolve a movement phase in every row. Same results as the readable adjudicator.

    With several `threads` each takes a part of the rows, on a core of its own.
    """
    shape = (len(units), COUNT)
    results = Results(
        np.empty(shape, np.int8),
        np.empty(shape, np.int8),
        np.empty(shape, np.bool_),
        np.empty(shape, np.int16),
        np.empty(shape, np.bool_),
    )
    sheet = _work_sheet(rulebook, players or {}, closed)
    arrays: tuple[Any, ...] = np.ascontiguousarray(units), np.ascontiguousarray(orders), *results
    if threads == 1:
        adjudicate_rows(sheet, np.zeros(SEA_SHEET_SIZE, np.int64), blank_circle(), *arrays)
        return results

    def adjudicate_part(rows: slice) -> None:
        seas = np.zeros(SEA_SHEET_SIZE, np.int64)
        adjudicate_rows(sheet.copy(), seas, blank_circle(), *(array[rows] for array in arrays))

    edges = [len(units) * n // threads for n in range(threads + 1)]
    mine, *others = map(slice, edges, edges[1:])
    with ThreadPoolExecutor(threads - 1) as pool:
        done = pool.map(adjudicate_part, others)
        adjudicate_part(mine)  # this thread would only wait
        list(done)
    return results


def _work_sheet(
    rulebook: Rulebook, players: Mapping[str, str], closed: Iterable[str]
) -> NDArray[np.uint8]:
    """An empty sheet for the kernel, with what is the same for all positions."""
    w = np.zeros(SHEET_SIZE, np.uint8)
    w[[CLOSED + NUMBER_OF[code] for code in closed]] = 1
    names = [players.get(power, power) for power in POWERS]
    w[PLAYER : PLAYER + len(POWERS)] = [names.index(name) for name in names]
    w[RULE_21] = rulebook.paradox == "rules_21_22"
    w[INTENT] = rulebook.convoy_intent == "own_fleet"
    w[SILENCE] = rulebook.silences_convoyed
    w[FALLBACK] = rulebook.land_fallback
    return w


# To and from values


def pack_positions(
    positions: Sequence[Position], orders: Sequence[Mapping[str, Iterable[Order]]]
) -> tuple[Ints, Ints]:
    """Positions and their orders as arrays. Of several orders for a unit the last one counts."""
    units = np.zeros((len(positions), COUNT), np.int16)
    sheets = np.zeros((len(positions), COUNT, 3), np.int16)
    for n, (position, written) in enumerate(zip(positions, orders, strict=True)):
        for power, found in position.units.items():
            for unit in found:
                units[n, NUMBER_OF[unit.province]] = unit_number(POWERS.index(power), unit)
        for sheet in written.values():
            for order in sheet:
                sheets[n, NUMBER_OF[order.unit.province]] = _order_numbers(order)  # type: ignore[union-attr]  # movement orders
    return units, sheets


def unit_number(power: int, unit: Unit) -> int:
    """A unit of the power of that number, as a cell of a position."""
    return 1 + power * 2 * PLACE_COUNT + 2 * NUMBER_OF[unit.at] + (unit.kind == "F")


def _order_numbers(order: Order) -> tuple[int, int, int]:
    match order:
        case Move(_, to, via):
            return VIA if via else MOVE, -1, NUMBER_OF[to]
        case Support(_, target, to):
            return SUPPORT, NUMBER_OF[target.province], -1 if to is None else NUMBER_OF[to]
        case Convoy(_, army, to):
            return CONVOY, NUMBER_OF[army.province], NUMBER_OF[to]
    return HOLD, -1, -1


def unpack_position(units: Ints) -> Position:
    """The position in one row."""
    found: dict[str, list[Unit]] = {power: [] for power in POWERS}
    for number in units.tolist():
        if number:
            power, code = divmod(number - 1, 2 * PLACE_COUNT)
            found[POWERS[power]].append((FLEET_UNITS if code & 1 else ARMY_UNITS)[code // 2])
    return Position({power: tuple(mine) for power, mine in found.items()})
