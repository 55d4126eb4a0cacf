"""All legal orders of a unit, each spelled in one way.

Orders are values, so those for the same units are made once and shared by all positions.
"""

from functools import cache
from typing import Final

from powderkeg.games.diplomacy.actions import Convoy, Hold, Move, Order, Support
from powderkeg.games.diplomacy.board import (
    ARMY_MOVES,
    CODES,
    FLEET_MOVES,
    LOCATIONS,
    NUMBER_OF,
    PROVINCE_COUNT,
    PROVINCE_OF,
    Unit,
    flood_seas,
    set_members,
    shores_beside,
    useful_seas,
)
from powderkeg.games.diplomacy.rules.legality import (
    NumberedPosition,
    could_go,
    near_provinces,
    standing_unit,
)
from powderkeg.games.diplomacy.rules.position import Position

_UNITS: Final = 2 * len(LOCATIONS)  # an army or a fleet on every location
_STAYS: Final = PROVINCE_COUNT  # stands for no destination
_SUPPORTS: Final[dict[int, Support]] = {}
_CONVOYS: Final[dict[int, Convoy]] = {}


def legal_orders(position: Position) -> dict[str, list[Order]]:
    """Every legal order of every unit, by the province where the unit stands."""
    listing = Listing(NumberedPosition(position))
    return {CODES[at]: listing.orders(at) for at, *_ in listing.ranges}


@cache
def _own_orders(unit: Unit) -> tuple[Order, ...]:
    """What a unit can do without anybody else."""
    moves = ARMY_MOVES if unit.kind == "A" else FLEET_MOVES
    return Hold(unit), *(Move(unit, to) for to in moves[unit.at])


class Listing:
    """Lists the orders of the units of one position."""

    def __init__(self, field: NumberedPosition) -> None:
        self.field = field
        # Of every unit: its province, its number, where it could go by itself, and by convoy too.
        self.ranges = [
            (at, self._number(at), near_provinces(field, at), self._range(at))
            for at in set_members(field.armies | field.fleets)
        ]

    def _number(self, at: int) -> int:
        """Army or fleet and location in one number."""
        return 2 * self.field.place[at] + (self.field.fleets >> at & 1)

    def _range(self, at: int) -> int:
        by_sea = self.field.carried(at) if self.field.armies >> at & 1 else 0
        return self.field.reach(at) | by_sea

    def orders(self, at: int) -> list[Order]:
        """Every order that the unit at `at` can be given."""
        unit = standing_unit(self.field, at)
        orders = [order for order in _own_orders(unit) if not self._barred(order)]
        if unit.kind == "A":
            orders += self._carried(at, unit)
        orders += self._supports(at)
        if self.field.carriers >> at & 1:
            orders += self._convoys(at)
        return orders

    def _barred(self, order: Order) -> bool:
        closed = self.field.closed
        return (
            bool(closed)
            and isinstance(order, Move)
            and bool(closed >> _province_number(order.to) & 1)
        )

    def _carried(self, at: int, unit: Unit) -> list[Order]:
        """By sea: where there is no way over land, or expressly ``VIA`` where there is."""
        by_land = self.field.reach(at)
        return [
            Move(unit, CODES[to], via=bool(by_land >> to & 1))
            for to in set_members(self.field.carried(at))
        ]

    def _supports(self, at: int) -> list[Order]:
        field, orders = self.field, list[Order]()
        reach = near_provinces(field, at)
        open_to = reach & ~field.closed
        mine = self._number(at) * _UNITS
        for target, number, alone, anyhow in self.ranges:
            key = (mine + number) * (PROVINCE_COUNT + 1)
            if reach >> target & 1:
                orders.append(_SUPPORTS.get(key + _STAYS) or self._support(at, target, _STAYS))
            common = anyhow & open_to
            while common and target != at:
                low = common & -common
                common ^= low
                to = low.bit_length() - 1
                if alone >> to & 1 or could_go(field, target, to, helper=at):
                    orders.append(_SUPPORTS.get(key + to) or self._support(at, target, to))
        return orders

    def _support(self, at: int, target: int, to: int) -> Support:
        """Make a support for the first time."""
        key = (self._number(at) * _UNITS + self._number(target)) * (PROVINCE_COUNT + 1) + to
        units = standing_unit(self.field, at), standing_unit(self.field, target)
        order = _SUPPORTS[key] = Support(*units, None if to == _STAYS else CODES[to])
        return order

    def _convoys(self, at: int) -> list[Order]:
        field, orders = self.field, list[Order]()
        coast = shores_beside(flood_seas(1 << at, field.carriers))
        ends = list(set_members(coast & ~field.closed))
        for army in set_members(coast & field.armies):
            key = (at * PROVINCE_COUNT + army) * PROVINCE_COUNT
            for end in ends:
                if end != army and useful_seas(field.carriers, army, end) >> at & 1:
                    orders.append(_CONVOYS.get(key + end) or self._convoy(at, army, end))
        return orders

    def _convoy(self, at: int, army: int, end: int) -> Convoy:
        """Make a convoy order for the first time."""
        key = (at * PROVINCE_COUNT + army) * PROVINCE_COUNT + end
        units = standing_unit(self.field, at), standing_unit(self.field, army)
        order = _CONVOYS[key] = Convoy(*units, CODES[end])
        return order


def _province_number(location: str) -> int:
    return PROVINCE_OF[NUMBER_OF[location]]
