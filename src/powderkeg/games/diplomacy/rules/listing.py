"""All legal orders of a unit, each in one spelling.

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
    return {CODES[at]: listing.unit_orders(at) for at, *_ in listing.ranges}


@cache
def _own_orders(unit: Unit) -> tuple[Order, ...]:
    """Orders of a unit that need no other unit."""
    moves = ARMY_MOVES if unit.kind == "A" else FLEET_MOVES
    return Hold(unit), *(Move(unit, to) for to in moves[unit.at])


class Listing:
    """Lists the orders of the units of one position."""

    def __init__(self, field: NumberedPosition) -> None:
        self.field = field
        # Of every unit: its province, its number, where it could go by itself, and by convoy too.
        self.ranges = [
            (at, self._unit_number(at), near_provinces(field, at), self._unit_range(at))
            for at in set_members(field.armies | field.fleets)
        ]

    def _unit_number(self, at: int) -> int:
        """Army or fleet and location in one number."""
        return 2 * self.field.place[at] + (self.field.fleets >> at & 1)

    def _unit_range(self, at: int) -> int:
        by_sea = self.field.convoy_reach(at) if self.field.armies >> at & 1 else 0
        return self.field.reachable_provinces(at) | by_sea

    def unit_orders(self, at: int) -> list[Order]:
        """Every order that the unit at `at` can be given."""
        unit = standing_unit(self.field, at)
        orders = [order for order in _own_orders(unit) if not self._is_barred(order)]
        if unit.kind == "A":
            orders += self._convoyed_moves(at, unit)
        orders += self._list_supports(at)
        if self.field.carriers >> at & 1:
            orders += self._list_convoys(at)
        return orders

    def _is_barred(self, order: Order) -> bool:
        closed = self.field.closed
        return (
            bool(closed)
            and isinstance(order, Move)
            and bool(closed >> _province_number(order.to) & 1)
        )

    def _convoyed_moves(self, at: int, unit: Unit) -> list[Order]:
        """Moves by convoy; marked ``VIA`` if there is also a way over land."""
        by_land = self.field.reachable_provinces(at)
        return [
            Move(unit, CODES[to], via=bool(by_land >> to & 1))
            for to in set_members(self.field.convoy_reach(at))
        ]

    def _list_supports(self, at: int) -> list[Order]:
        field, orders = self.field, list[Order]()
        reach = near_provinces(field, at)
        open_to = reach & ~field.closed
        mine = self._unit_number(at) * _UNITS
        for target, number, alone, anyhow in self.ranges:
            key = (mine + number) * (PROVINCE_COUNT + 1)
            if reach >> target & 1:
                orders.append(_SUPPORTS.get(key + _STAYS) or self._make_support(at, target, _STAYS))
            common = anyhow & open_to
            while common and target != at:
                low = common & -common
                common ^= low
                to = low.bit_length() - 1
                if alone >> to & 1 or could_go(field, target, to, helper=at):
                    orders.append(_SUPPORTS.get(key + to) or self._make_support(at, target, to))
        return orders

    def _make_support(self, at: int, target: int, to: int) -> Support:
        """Make a support for the first time."""
        key = (self._unit_number(at) * _UNITS + self._unit_number(target)) * (
            PROVINCE_COUNT + 1
        ) + to
        units = standing_unit(self.field, at), standing_unit(self.field, target)
        order = _SUPPORTS[key] = Support(*units, None if to == _STAYS else CODES[to])
        return order

    def _list_convoys(self, at: int) -> list[Order]:
        field, orders = self.field, list[Order]()
        coast = shores_beside(flood_seas(1 << at, field.carriers))
        ends = list(set_members(coast & ~field.closed))
        for army in set_members(coast & field.armies):
            key = (at * PROVINCE_COUNT + army) * PROVINCE_COUNT
            for end in ends:
                if end != army and useful_seas(field.carriers, army, end) >> at & 1:
                    orders.append(_CONVOYS.get(key + end) or self._make_convoy(at, army, end))
        return orders

    def _make_convoy(self, at: int, army: int, end: int) -> Convoy:
        """Make a convoy order for the first time."""
        key = (at * PROVINCE_COUNT + army) * PROVINCE_COUNT + end
        units = standing_unit(self.field, at), standing_unit(self.field, army)
        order = _CONVOYS[key] = Convoy(*units, CODES[end])
        return order


def _province_number(location: str) -> int:
    return PROVINCE_OF[NUMBER_OF[location]]
