"""A position in numbers (`Scene`), read from a view; orders in numbers, and back.

Units and nodes are numbered as in `map`. An order takes three cells of a row: its kind, the province
of the unit that it helps, and its goal (-1 where there is none).
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any

from powderkeg.bots.diplomacy.numbers import kernel
from powderkeg.bots.diplomacy.numbers.kernel import FALL, FREE, HOLD, SPRING, WINTER
from powderkeg.bots.diplomacy.numbers.map import NODE_COUNT, unit_of
from powderkeg.core.errors import RulesError
from powderkeg.games.diplomacy.actions import (
    Convoy,
    Hold,
    Move,
    Order,
    Support,
    parse_order,
    parse_unit,
)
from powderkeg.games.diplomacy.board import (
    CODES,
    LOCATIONS,
    NUMBER_OF,
    POWERS,
    PROVINCE_COUNT,
    Unit,
)
from powderkeg.games.diplomacy.rules.position import STANDARD, Rulebook

NumberRow = Sequence[int]
OrderCells = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class Scene:
    """A position before a movement, with everything that stays the same in its futures.

    `hands` are sets of powers as bits, one set per seat.
    """

    units: tuple[int, ...]
    owner: tuple[int, ...]
    season: int
    hands: tuple[int, ...]
    target: int = 18
    rulebook: Rulebook = STANDARD
    closed: tuple[str, ...] = ()
    left: int | None = (
        None  # movements to the end of the last year, this one too; None: no such year
    )

    @property
    def closed_row(self) -> list[int]:
        """1 for every province that nobody may enter."""
        return [int(code in self.closed) for code in CODES]

    def hand_of(self, power: str) -> int:
        """The number of the hand that plays `power`."""
        bit = 1 << POWERS.index(power)
        return next(n for n, hand in enumerate(self.hands) if hand & bit)

    def powers_of(self, number: int) -> list[str]:
        """The powers of a hand."""
        return [power for n, power in enumerate(POWERS) if self.hands[number] >> n & 1]


def unit_code(power: int, unit: Unit) -> int:
    """The number of a unit in a row of units."""
    return 1 + power * NODE_COUNT + 2 * NUMBER_OF[unit.at] + (unit.kind == "F")


def put_orders(row: list[int], orders: Mapping[int, OrderCells]) -> None:
    """Write orders into a row, each into the cells of its province."""
    for at, cells in orders.items():
        row[3 * at : 3 * at + 3] = cells


def copy_cells(row: list[int], source: NumberRow, cells: Iterable[int]) -> None:
    """Copy some cells of `source` into a row."""
    for cell in cells:
        row[cell] = source[cell]


def order_at(units: NumberRow, orders: NumberRow, at: int) -> Order:
    """The order of the unit in province `at`."""
    unit = unit_of((units[at] - 1) % NODE_COUNT)
    kind, who, to = orders[3 * at : 3 * at + 3]
    if kind in (kernel.MOVE, kernel.VIA):
        return Move(unit, LOCATIONS[to], via=kind == kernel.VIA)
    if kind == kernel.SUPPORT:
        friend = unit_of((units[who] - 1) % NODE_COUNT)
        return Support(unit, friend, None if to < 0 else LOCATIONS[to])
    if kind == kernel.CONVOY:
        return Convoy(unit, unit_of((units[who] - 1) % NODE_COUNT), LOCATIONS[to])
    return Hold(unit)


def units_by_power(row: NumberRow) -> dict[str, tuple[Unit, ...]]:
    """The units of a row."""
    found: dict[str, list[Unit]] = {power: [] for power in POWERS}
    for code in row:
        if code:
            found[POWERS[(code - 1) // NODE_COUNT]].append(unit_of((code - 1) % NODE_COUNT))
    return {power: tuple(units) for power, units in found.items()}


def players_by_power(scene: Scene) -> dict[str, str]:
    """A name per power; powers of the same hand share it."""
    return {
        power: str(hand) for hand in scene.hands for n, power in enumerate(POWERS) if hand >> n & 1
    }


def read_scene(view: Mapping[str, Any]) -> Scene:
    """The scene of a view, with one hand per seat, in the order of the seats."""
    units, owner = [0] * PROVINCE_COUNT, [-1] * PROVINCE_COUNT
    for number, power in enumerate(POWERS):
        for text in view["units"].get(power, ()):
            unit = parse_unit(text)
            units[NUMBER_OF[unit.province]] = unit_code(number, unit)
        for code in view["centres"].get(power, ()):
            owner[NUMBER_OF[code]] = number
    season = SPRING if view["season"] == "spring" else FALL
    return Scene(
        tuple(units),
        tuple(owner),
        WINTER if view["stage"] == "adjustment" else season,
        tuple(_hand_bits(each["powers"]) for each in view["seats"].values()),
        view["target"],
        _read_rulebook(view),
        tuple(view["neutral"]),
        _movements_left(view),
    )


def _movements_left(view: Mapping[str, Any]) -> int | None:
    last = view["options"].get("last_year")
    if not last:
        return None
    moves = {"spring": 2, "fall": 1}[view["season"]] if view["stage"] == "movement" else 0
    return max(0, 2 * (int(last) - int(view["year"])) + moves)


def _hand_bits(powers: Sequence[str]) -> int:
    return sum(1 << POWERS.index(power) for power in powers)


def _read_rulebook(view: Mapping[str, Any]) -> Rulebook:
    names = {field.name for field in fields(Rulebook)}
    return Rulebook(**{k: v for k, v in view["options"].items() if k in names})


def own_hand(view: Mapping[str, Any]) -> int:
    """The number of the hand that the seat of `view` plays."""
    return list(view["seats"]).index(view["seat"])


def written_orders(view: Mapping[str, Any]) -> dict[str, Order]:
    """The orders that the seat has written so far, by province."""
    found = {}
    for province, text in view["drafts"].items():
        try:
            found[province] = parse_order(text)
        except RulesError:
            continue
    return found


def order_cells(order: Order) -> OrderCells:
    """The cells of an order of a movement."""
    match order:
        case Move(_, to, via):
            return kernel.VIA if via else kernel.MOVE, -1, NUMBER_OF[to]
        case Support(_, unit, to):
            return kernel.SUPPORT, NUMBER_OF[unit.province], -1 if to is None else NUMBER_OF[to]
        case Convoy(_, army, to):
            return kernel.CONVOY, NUMBER_OF[army.province], NUMBER_OF[to]
    return kernel.HOLD, -1, -1


def orders_of_hand(scene: Scene, hand: int, row: Sequence[int]) -> dict[str, Order]:
    """The orders of one hand in a row of orders, by province."""
    return {
        CODES[at]: order_at(scene.units, row, at)
        for at in range(PROVINCE_COUNT)
        if scene.units[at] and hand >> ((scene.units[at] - 1) // NODE_COUNT) & 1
    }


def cells_by_province(found: Mapping[str, Order]) -> dict[int, OrderCells]:
    """The cells of the orders of a movement, by number of province."""
    return {
        NUMBER_OF[province]: order_cells(order)
        for province, order in found.items()
        if isinstance(order, Hold | Move | Support | Convoy)
    }


def free_orders(scene: Scene, hands: Sequence[int] | None = None) -> list[int]:
    """A row of orders: units of `hands` (default: of all) have none yet, all others hold."""
    row = [HOLD, -1, -1] * PROVINCE_COUNT
    for at, code in enumerate(scene.units):
        played = scene.hands if hands is None else hands
        if code and any(hand >> ((code - 1) // NODE_COUNT) & 1 for hand in played):
            row[3 * at] = FREE
    return row
