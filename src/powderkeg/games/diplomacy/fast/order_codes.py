"""Orders as one number each, the same at every moment of every game.

A code says what a piece does, without the piece: ``(kind * 76 + who + 1) * 82 + to + 1``, with the
province of the unit that is supported or convoyed (-1: none) and the location that is named (-1:
none). Which piece it is follows from the province for which the code is written.
"""

from typing import Final

from powderkeg.games.diplomacy.actions import (
    Build,
    Convoy,
    Disband,
    Hold,
    Move,
    Order,
    Retreat,
    Support,
    Waive,
)
from powderkeg.games.diplomacy.board import CODES, LOCATIONS, NUMBER_OF, PROVINCE_COUNT, Unit
from powderkeg.games.diplomacy.rules.legality import CONVOY, HOLD, MOVE, SUPPORT

__all__ = ["CODE_COUNT", "code_order", "join_code", "order_code", "split_code"]

# The kinds of orders, after those of `rules.legality` and the one of `fast.kernel`.
VIA, RETREAT, DISBAND, BUILD_ARMY, BUILD_FLEET, WAIVE = range(4, 10)
WHO_BASE: Final = PROVINCE_COUNT + 1
TO_BASE: Final = len(LOCATIONS) + 1
CODE_COUNT: Final = 10 * WHO_BASE * TO_BASE
NONE: Final = -1


def join_code(kind: int, who: int = NONE, to: int = NONE) -> int:
    """The code of an order."""
    return (kind * WHO_BASE + who + 1) * TO_BASE + to + 1


def split_code(code: int) -> tuple[int, int, int]:
    """Kind, helped province and named location of a code."""
    rest, to = divmod(code, TO_BASE)
    kind, who = divmod(rest, WHO_BASE)
    return kind, who - 1, to - 1


def order_code(order: Order) -> int:
    """The code of an order in the spelling of a legal one.

    >>> from powderkeg.games.diplomacy.actions import parse_order
    >>> from powderkeg.games.diplomacy.fast.order_codes import order_code, split_code
    >>> split_code(order_code(parse_order("A par S A mar - bur")))  # support, Marseilles, Burgundy
    (2, 37, 16)
    """
    match order:
        case Move(_, to, via):
            return join_code(VIA if via else MOVE, to=NUMBER_OF[to])
        case Support(_, target, to):
            goal = NONE if to is None else NUMBER_OF[to]
            return join_code(SUPPORT, NUMBER_OF[target.province], goal)
        case Convoy(_, army, to):
            return join_code(CONVOY, NUMBER_OF[army.province], NUMBER_OF[to])
        case Retreat(_, to):
            return join_code(RETREAT, to=NUMBER_OF[to])
        case Build(unit):
            kind = BUILD_ARMY if unit.kind == "A" else BUILD_FLEET
            return join_code(kind, to=NUMBER_OF[unit.at])
    return join_code({Hold: HOLD, Disband: DISBAND, Waive: WAIVE}[type(order)])


def code_order(unit: Unit | None, code: int, units: dict[str, Unit]) -> Order:
    """The order that a code means for a unit (None: for a site where one may be built).

    `units` has the units on the board by province, for those that are helped.
    """
    kind, who, to = split_code(code)
    if kind in (BUILD_ARMY, BUILD_FLEET):
        return Build(Unit("A" if kind == BUILD_ARMY else "F", LOCATIONS[to]))
    if unit is None:
        return Waive()
    if kind in (MOVE, VIA):
        return Move(unit, LOCATIONS[to], via=kind == VIA)
    if kind == SUPPORT:
        return Support(unit, units[CODES[who]], None if to < 0 else LOCATIONS[to])
    if kind == CONVOY:
        return Convoy(unit, units[CODES[who]], LOCATIONS[to])
    if kind == RETREAT:
        return Retreat(unit, LOCATIONS[to])
    return Disband(unit) if kind == DISBAND else Hold(unit)
