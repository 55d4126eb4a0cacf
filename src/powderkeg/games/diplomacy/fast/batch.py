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
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from powderkeg.games.diplomacy.actions import Convoy, Move, Order, Support
from powderkeg.games.diplomacy.board import ARMY_UNITS, FLEET_UNITS, NUMBER_OF, POWERS, Unit
from powderkeg.games.diplomacy.board import PROVINCE_COUNT as COUNT
from powderkeg.games.diplomacy.fast.kernel import (
    CLOSED,
    FALLBACK,
    FLAGS,
    INTENT,
    PLAYER,
    ROWS,
    RULE_21,
    SILENCE,
    VIA,
    Ints,
    adjudicate_rows,
)
from powderkeg.games.diplomacy.fast.map_arrays import PLACE_COUNT
from powderkeg.games.diplomacy.rules.legality import CONVOY, HOLD, MOVE, SUPPORT
from powderkeg.games.diplomacy.rules.outcomes import Verdict
from powderkeg.games.diplomacy.rules.position import STANDARD, Position, Rulebook

VERDICTS: Final = (None, *Verdict)  # meaning of the numbers in `Results.verdicts`


class Results(NamedTuple):
    """The results of each position: one row per position, one entry per province."""

    verdicts: NDArray[np.int8]  # see VERDICTS; of the unit that stood there
    winners: NDArray[np.int8]  # the province of its dislodger, or -1
    contested: NDArray[np.bool_]  # left empty by a standoff
    units: Ints  # the position afterwards, dislodged units taken off


def adjudicate_batch(
    units: Ints,
    orders: Ints,
    rulebook: Rulebook = STANDARD,
    *,
    players: Mapping[str, str] | None = None,
    closed: Iterable[str] = (),
) -> Results:
    """Resolve a movement phase in every row. Same results as the readable adjudicator."""
    shape = (len(units), COUNT)
    results = Results(
        np.empty(shape, np.int8),
        np.empty(shape, np.int8),
        np.empty(shape, np.bool_),
        np.empty(shape, np.int16),
    )
    w = np.zeros((ROWS, COUNT), np.int32)
    w[CLOSED, [NUMBER_OF[code] for code in closed]] = 1
    names = [(players or {}).get(power, power) for power in POWERS]
    w[PLAYER, : len(POWERS)] = [names.index(name) for name in names]
    w[FLAGS, RULE_21] = rulebook.paradox == "rules_21_22"
    w[FLAGS, INTENT] = rulebook.convoy_intent == "own_fleet"
    w[FLAGS, SILENCE] = rulebook.convoyed_dislodger_silences
    w[FLAGS, FALLBACK] = rulebook.land_fallback
    adjudicate_rows(w, np.ascontiguousarray(units), np.ascontiguousarray(orders), *results)
    return results


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
                code = 2 * NUMBER_OF[unit.at] + (unit.kind == "F")
                units[n, NUMBER_OF[unit.province]] = (
                    1 + POWERS.index(power) * 2 * PLACE_COUNT + code
                )
        for sheet in written.values():
            for order in sheet:
                sheets[n, NUMBER_OF[order.unit.province]] = _order_numbers(order)  # type: ignore[union-attr]  # movement orders
    return units, sheets


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
