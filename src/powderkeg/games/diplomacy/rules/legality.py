"""Which orders are legal, and why the others are not.

An order is illegal if it could not succeed whatever the others order (D-ORD-07). Only the position
counts, never another order. `NumberedPosition` is a position as small numbers, made once per phase.
"""

from collections.abc import Callable
from functools import partial
from typing import Any, Final, NamedTuple

from powderkeg.games.diplomacy.actions import Convoy, Hold, Move, Order, Support, Waive
from powderkeg.games.diplomacy.board import (
    ARMY_REACH,
    CODES,
    FLEET_LOCATIONS,
    FLEET_MOVES,
    FLEET_REACH,
    LOCATIONS,
    NUMBER_OF,
    PROVINCE_COUNT,
    PROVINCE_OF,
    PROVINCES,
    SEAS,
    SEAS_NEAR,
    Power,
    Unit,
    carried_shores,
    has_route,
    province_set,
    useful_seas,
)
from powderkeg.games.diplomacy.rules.outcomes import Why
from powderkeg.games.diplomacy.rules.position import Position

NO_ONE: Final = -1
HOLD: Final = 0
MOVE: Final = 1
SUPPORT: Final = 2
CONVOY: Final = 3
LAND: Final = ~SEAS


class NumberedPosition:
    """A position as small numbers: the unit in each province, and sets of provinces."""

    __slots__ = (
        "_carried",
        "armies",
        "carriers",
        "closed",
        "fleets",
        "owner",
        "place",
        "powers",
        "unit",
    )

    def __init__(self, position: Position) -> None:
        self.powers: tuple[Power, ...] = tuple(position.units)
        self.owner = [NO_ONE] * PROVINCE_COUNT
        self.place = [NO_ONE] * PROVINCE_COUNT  # number of the unit's location, coast included
        self.unit: list[Unit | None] = [None] * PROVINCE_COUNT
        armies = fleets = 0
        for power, units in enumerate(position.units.values()):
            for unit in units:
                place = NUMBER_OF[unit.at]
                at = PROVINCE_OF[place]
                self.owner[at] = power
                self.place[at] = place
                self.unit[at] = unit
                if unit.kind == "A":
                    armies |= 1 << at
                else:
                    fleets |= 1 << at
        self.armies, self.fleets = armies, fleets
        self.carriers = self.fleets & SEAS
        self.closed = province_set(sorted(position.closed))
        self._carried: dict[int, int] = {}

    def reachable_provinces(self, at: int) -> int:
        """The provinces that the unit at `at` could enter by itself."""
        place = self.place[at]
        return (FLEET_REACH if self.fleets >> at & 1 else ARMY_REACH)[place] & ~self.closed

    def convoy_reach(self, at: int) -> int:
        """The provinces to which the fleets now at sea could convoy the army at `at`."""
        found = self._carried.get(at)
        if found is None:
            found = carried_shores(self.carriers, at) if self.carriers else 0
            found = self._carried[at] = found & ~self.closed & ~(1 << at)
        return found


class NumberedOrder(NamedTuple):
    """A legal order as small numbers: its kind, the provinces of the unit and of the unit that it
    supports or convoys (else its own), the location it names, and whether it insists on a convoy."""

    kind: int
    at: int
    who: int
    to: int
    via: bool = False


# Once for every order of every phase: made in half the time.
_numbered: Final[Callable[[tuple[Any, ...]], NumberedOrder]] = partial(tuple.__new__, NumberedOrder)


def number_order(field: NumberedPosition, power: int, order: Order) -> NumberedOrder | Why:
    """An order in numbers, or the reason why the power of that number cannot give it."""
    if type(order) is Waive:
        return Why.NOT_NOW
    at = PROVINCE_OF[NUMBER_OF[order.unit.at]]  # type: ignore[union-attr]  # all others have a unit
    if field.owner[at] != power:
        return Why.NO_UNIT if field.owner[at] == NO_ONE else Why.FOREIGN_UNIT
    if type(order) is Move:  # compared by type, since this is done for every order of every phase
        place = move_destination(field, at, NUMBER_OF[order.to], via=order.via)
        return _numbered((MOVE, at, at, place, order.via)) if isinstance(place, int) else place
    if type(order) is Support:
        return _read_support(field, at, PROVINCE_OF[NUMBER_OF[order.target.at]], order.to)
    if type(order) is Convoy:
        who, end = PROVINCE_OF[NUMBER_OF[order.army.at]], PROVINCE_OF[NUMBER_OF[order.to]]
        return convoy_objection(field, at, who, end) or _numbered((CONVOY, at, who, end, False))
    return _numbered((HOLD, at, at, at, False)) if type(order) is Hold else Why.NOT_NOW


def _read_support(
    field: NumberedPosition, at: int, who: int, to: str | None
) -> NumberedOrder | Why:
    if to is None:
        return support_objection(field, at, who, None) or _numbered((SUPPORT, at, who, who, False))
    place = PROVINCE_OF[NUMBER_OF[to]] if field.armies >> who & 1 else NUMBER_OF[to]
    return support_objection(field, at, who, place) or _numbered((SUPPORT, at, who, place, False))


def movement_objection(field: NumberedPosition, power: int, order: Order) -> Why | None:
    """Why `order` cannot be given by the power of that number, or None if it can."""
    reading = number_order(field, power, order)
    return None if isinstance(reading, NumberedOrder) else reading


def move_destination(field: NumberedPosition, at: int, to: int, *, via: bool = False) -> int | Why:
    """The location that the unit at `at` reaches if ordered `to` go there, or the objection.

    Coasts are filled in where one is possible (D-ORD-12) and dropped for armies (D-ORD-14).
    """
    province = PROVINCE_OF[to]
    if province == at:
        return Why.OWN_REGION
    if field.closed >> province & 1:
        return Why.NEUTRAL
    if field.fleets >> at & 1:
        return Why.FLEET_BY_CONVOY if via else _sail_destination(field.place[at], to, province)
    if SEAS >> province & 1:
        return Why.ARMY_AT_SEA
    by_land = ARMY_REACH[at] >> province & 1
    if (via or not by_land) and not field.convoy_reach(at) >> province & 1:
        return Why.NO_ROUTE if via or (SEAS_NEAR[at] and SEAS_NEAR[province]) else Why.NOT_ADJACENT
    return province


def _sail_destination(place: int, to: int, province: int) -> int | Why:
    if FLEET_LOCATIONS[place] >> to & 1:
        return to
    if not FLEET_REACH[place] >> province & 1:
        inland = PROVINCES[CODES[province]].kind == "inland"
        return Why.FLEET_INLAND if inland else Why.NOT_ADJACENT
    if to != province:
        return Why.COAST_UNREACHABLE
    coasts = [
        NUMBER_OF[near] for near in FLEET_MOVES[LOCATIONS[place]] if near[:3] == CODES[province]
    ]
    return coasts[0] if len(coasts) == 1 else Why.COAST_NEEDED


def support_objection(field: NumberedPosition, at: int, target: int, to: int | None) -> Why | None:
    """Why the unit at `at` cannot support the unit at `target` (moving `to` a location)."""
    if target == at:
        return Why.SUPPORTS_ITSELF
    if field.owner[target] == NO_ONE:
        return Why.SUPPORTS_NOBODY
    aim = target if to is None else PROVINCE_OF[to]
    if aim == at:
        return Why.OWN_REGION
    if not field.reachable_provinces(at) >> aim & 1 and not (
        to is None and near_provinces(field, at) >> aim & 1
    ):
        return Why.NEUTRAL if field.closed >> aim & 1 else Why.SUPPORT_TOO_FAR
    if to is not None and not could_go(field, target, to, helper=at):
        return Why.SUPPORTED_CANNOT_GO
    return None


def near_provinces(field: NumberedPosition, at: int) -> int:
    """Like `reachable_provinces`, plus neutral land: its defenders may be supported."""
    return (FLEET_REACH if field.fleets >> at & 1 else ARMY_REACH)[field.place[at]]


def could_go(field: NumberedPosition, at: int, to: int, *, helper: int) -> bool:
    """Whether the unit at `at` could move `to` a location; the fleet `helper` supports, so it cannot convoy."""
    province = PROVINCE_OF[to]
    if field.fleets >> at & 1:
        reached = FLEET_LOCATIONS[field.place[at]] >> to & 1
        return bool(reached) or (
            to == province and bool(FLEET_REACH[field.place[at]] >> province & 1)
        )
    if province == at or SEAS >> province & 1:
        return False
    if ARMY_REACH[at] >> province & 1:
        return True
    if not field.convoy_reach(at) >> province & 1:
        return False
    seas = field.carriers & ~(1 << helper)
    return seas == field.carriers or has_route(seas, at, province)


def convoy_objection(field: NumberedPosition, at: int, army: int, end: int) -> Why | None:
    """Why the unit at `at` cannot convoy the army from `army` to `end`."""
    if field.armies >> at & 1:
        return Why.CONVOY_BY_ARMY
    if not SEAS >> at & 1:
        return Why.CONVOY_FROM_COAST
    if not field.armies >> army & 1:
        return Why.CONVOYS_NO_ARMY
    if army == end:
        return Why.OWN_REGION
    if field.closed >> end & 1:
        return Why.NEUTRAL
    if not (SEAS_NEAR[army] and SEAS_NEAR[end] and LAND >> end & 1):
        return Why.CONVOY_TO_INLAND
    needed = useful_seas(field.carriers, army, end) >> at & 1
    return None if needed else Why.CONVOY_OFF_ROUTE


def spell_movement(field: NumberedPosition, order: Order) -> Order:
    """A legal order in the spelling of `listing`: actual units, and coasts only where they matter."""
    if not isinstance(order, Hold | Move | Support | Convoy):
        return order
    at = PROVINCE_OF[NUMBER_OF[order.unit.at]]
    unit = standing_unit(field, at)
    match order:
        case Move(_, to, via):
            place = move_destination(field, at, NUMBER_OF[to], via=via)
            assert isinstance(place, int)  # noqa: S101  # the order is legal
            return Move(unit, LOCATIONS[place], via=via and bool(ARMY_REACH[at] >> place & 1))
        case Support(_, target, to):
            other = standing_unit(field, PROVINCE_OF[NUMBER_OF[target.at]])
            return Support(unit, other, to and (to if other.kind == "F" else to[:3]))
        case Convoy(_, army, to):
            return Convoy(unit, standing_unit(field, PROVINCE_OF[NUMBER_OF[army.at]]), to[:3])
    return Hold(unit)


def standing_unit(field: NumberedPosition, at: int) -> Unit:
    """The unit at `at`, where there is one."""
    unit = field.unit[at]
    assert unit is not None  # noqa: S101  # the order is legal
    return unit
