"""From a view to the numbers that the bots work with, and back to orders."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any

from powderkeg.bots.diplomacy.numbers import kernel
from powderkeg.bots.diplomacy.numbers.kernel import FALL, SPRING, WINTER
from powderkeg.bots.diplomacy.numbers.map import COUNT, NODES, unit_of
from powderkeg.core.errors import RulesError
from powderkeg.core.game import Seat
from powderkeg.games.diplomacy.actions import (
    Convoy,
    Hold,
    Move,
    Order,
    Support,
    parse_order,
    parse_unit,
)
from powderkeg.games.diplomacy.board import CODES, LOCATIONS, NUMBER_OF, POWERS, Unit
from powderkeg.games.diplomacy.rules.position import STANDARD, Rulebook

Row = Sequence[int]
Cells = tuple[int, int, int]  # an order in numbers


@dataclass(frozen=True, slots=True)
class Scene:
    """A position at the beginning of a movement, and all that stays the same in its futures.

    `hands` are sets of powers, one a seat.
    """

    units: tuple[int, ...]
    owner: tuple[int, ...]
    season: int
    hands: tuple[int, ...]
    target: int = 18
    rulebook: Rulebook = STANDARD
    closed: tuple[str, ...] = ()

    @property
    def closed_row(self) -> list[int]:
        return [int(code in self.closed) for code in CODES]


def code_of(power: int, unit: Unit) -> int:
    return 1 + power * NODES + 2 * NUMBER_OF[unit.at] + (unit.kind == "F")


def read(units: Row, orders: Row, at: int) -> Order:
    """The order of the unit at `at`."""
    unit = unit_of((units[at] - 1) % NODES)
    kind, who, to = orders[3 * at : 3 * at + 3]
    if kind in (kernel.MOVE, kernel.VIA):
        return Move(unit, LOCATIONS[to], via=kind == kernel.VIA)
    if kind == kernel.SUPPORT:
        friend = unit_of((units[who] - 1) % NODES)
        return Support(unit, friend, None if to < 0 else LOCATIONS[to])
    if kind == kernel.CONVOY:
        return Convoy(unit, unit_of((units[who] - 1) % NODES), LOCATIONS[to])
    return Hold(unit)


def _units(row: Row) -> dict[str, tuple[Unit, ...]]:
    found: dict[str, list[Unit]] = {power: [] for power in POWERS}
    for code in row:
        if code:
            found[POWERS[(code - 1) // NODES]].append(unit_of((code - 1) % NODES))
    return {power: tuple(units) for power, units in found.items()}


def _players(scene: Scene) -> dict[str, str]:
    """Powers that share a player share a name."""
    return {
        power: str(hand) for hand in scene.hands for n, power in enumerate(POWERS) if hand >> n & 1
    }


def scene_of(view: Mapping[str, Any]) -> Scene:
    """The position of a view; the units of each seat are a hand, in the order of the seats."""
    units, owner = [0] * COUNT, [-1] * COUNT
    for number, power in enumerate(POWERS):
        for text in view["units"].get(power, ()):
            unit = parse_unit(text)
            units[NUMBER_OF[unit.province]] = code_of(number, unit)
        for code in view["centres"].get(power, ()):
            owner[NUMBER_OF[code]] = number
    season = SPRING if view["season"] == "spring" else FALL
    return Scene(
        tuple(units),
        tuple(owner),
        WINTER if view["stage"] == "adjustment" else season,
        tuple(_hand(each["powers"]) for each in view["seats"].values()),
        view["target"],
        _rulebook(view),
        tuple(view["neutral"]),
    )


def _hand(powers: Sequence[str]) -> int:
    return sum(1 << POWERS.index(power) for power in powers)


def _rulebook(view: Mapping[str, Any]) -> Rulebook:
    names = {field.name for field in fields(Rulebook)}
    return Rulebook(**{k: v for k, v in view["options"].items() if k in names})


def hand_number(view: Mapping[str, Any], seat: Seat | None = None) -> int:
    return list(view["seats"]).index(view["seat"] if seat is None else seat)


def given(view: Mapping[str, Any]) -> dict[str, Order]:
    """The orders that I have written, by province."""
    found = {}
    for province, text in view["drafts"].items():
        try:
            found[province] = parse_order(text)
        except RulesError:
            continue
    return found


def cells(order: Order) -> Cells:
    """An order of a movement in numbers."""
    match order:
        case Move(_, to, via):
            return kernel.VIA if via else kernel.MOVE, -1, NUMBER_OF[to]
        case Support(_, unit, to):
            return kernel.SUPPORT, NUMBER_OF[unit.province], -1 if to is None else NUMBER_OF[to]
        case Convoy(_, army, to):
            return kernel.CONVOY, NUMBER_OF[army.province], NUMBER_OF[to]
    return kernel.HOLD, -1, -1


def orders(scene: Scene, hand: int, row: Sequence[int]) -> dict[str, Order]:
    """The orders of one hand, by province."""
    return {
        CODES[at]: read(scene.units, row, at)
        for at in range(COUNT)
        if scene.units[at] and hand >> ((scene.units[at] - 1) // NODES) & 1
    }


def fixed(found: Mapping[str, Order]) -> dict[int, Cells]:
    """Orders of a movement by number of province."""
    return {
        NUMBER_OF[province]: cells(order)
        for province, order in found.items()
        if isinstance(order, Hold | Move | Support | Convoy)
    }
