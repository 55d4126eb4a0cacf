"""All legal orders of a unit, each in one spelling.

Orders are values, so those for the same units are made once and shared by all positions. What does
not depend on fleets at sea is a look into a table; what does is kept for the seas that decide it.
"""

from collections.abc import Iterable, Sequence
from functools import cache, lru_cache, reduce
from itertools import chain
from operator import itemgetter, or_
from typing import Final, NamedTuple

from powderkeg.games.diplomacy.actions import Convoy, Hold, Move, Order, Support
from powderkeg.games.diplomacy.board import (
    ARMY_MOVES,
    ARMY_REACH,
    ARMY_UNITS,
    CODES,
    FLEET_MOVES,
    FLEET_REACH,
    FLEET_UNITS,
    LOCATIONS,
    NUMBER_OF,
    PROVINCE_OF,
    Unit,
    carried_shores,
    flood_seas,
    set_members,
    shores_beside,
    useful_seas,
)
from powderkeg.games.diplomacy.rules.legality import NumberedPosition
from powderkeg.games.diplomacy.rules.position import Position

_NODES: Final = 2 * len(LOCATIONS)  # an army or a fleet on every location
_KEPT: Final = 1 << 15  # results of one kind


def legal_orders(position: Position) -> dict[str, list[Order]]:
    """Every legal order of every unit, by the province where the unit stands."""
    listing = Listing(NumberedPosition(position))
    return {CODES[at]: listing.unit_orders(at) for at in listing.nodes}


# Tables. A node is an army or a fleet and its location in one number.


def _node_unit(node: int) -> Unit:
    return (FLEET_UNITS if node & 1 else ARMY_UNITS)[node >> 1]


def _node_reach(node: int) -> int:
    """The provinces that the unit could enter by itself."""
    return (FLEET_REACH if node & 1 else ARMY_REACH)[node >> 1]


@cache
def _own_orders(node: int, closed: int) -> tuple[Order, ...]:
    """Orders of a unit that need no other unit."""
    unit = _node_unit(node)
    moves = ARMY_MOVES if unit.kind == "A" else FLEET_MOVES
    ends = (to for to in moves[unit.at] if not closed >> PROVINCE_OF[NUMBER_OF[to]] & 1)
    return Hold(unit), *(Move(unit, to) for to in ends)


@cache
def _support_order(node: int, target: int, to: str | None) -> Support:
    return Support(_node_unit(node), _node_unit(target), to)


@lru_cache(_KEPT)
def _support_orders(node: int, target: int, goals: int) -> tuple[Order, ...]:
    """The supports for a unit to stay, if it is near enough, or to go to one of the `goals`."""
    stays = _node_reach(node) >> PROVINCE_OF[target >> 1] & 1
    moves = (_support_order(node, target, CODES[to]) for to in set_members(goals))
    return (*((_support_order(node, target, None),) if stays else ()), *moves)


@cache
def _support_row(node: int, closed: int) -> list[tuple[Order, ...]]:
    """Supports for every other unit, as far as it needs no convoy."""
    near, here = _node_reach(node), PROVINCE_OF[node >> 1]
    return [
        ()
        if PROVINCE_OF[target >> 1] == here
        else _support_orders(node, target, near & _node_reach(target) & ~closed)
        for target in range(_NODES)
    ] + [()]


@lru_cache(_KEPT)
def _convoyed_moves(at: int, ends: int) -> tuple[Order, ...]:
    """Moves by convoy; marked ``VIA`` if there is also a way over land."""
    near = ARMY_REACH[at]
    return tuple(
        Move(ARMY_UNITS[at], CODES[to], via=bool(near >> to & 1)) for to in set_members(ends)
    )


@lru_cache(_KEPT)
def _convoy_orders(seas: int, at: int, army: int, closed: int) -> tuple[Order, ...]:
    """The orders to carry an army that the fleet at `at` may get as one of linked `seas`."""
    ends = (end for end in set_members(shores_beside(seas) & ~closed) if end != army)
    return tuple(
        Convoy(FLEET_UNITS[at], ARMY_UNITS[army], CODES[end])
        for end in ends
        if useful_seas(seas, army, end) >> at & 1
    )


class OrderGroups(NamedTuple):
    """The orders of a unit: its own, its moves by convoy, its supports for each unit, and for each army the
    orders to carry it. The groups are shared by all positions in which they are the same."""

    own: Sequence[Order]
    convoyed: Sequence[Order]
    supports: Iterable[Sequence[Order]]
    convoys: Iterable[Sequence[Order]]


class Listing:
    """Lists the orders of the units of one position."""

    def __init__(self, field: NumberedPosition) -> None:
        self.field = field
        fleets, place = field.fleets, field.place
        self.nodes = {
            at: 2 * place[at] + (fleets >> at & 1) for at in set_members(field.armies | fleets)
        }
        self._pick_rows = itemgetter(*self.nodes.values(), -1)  # never a single one
        # Armies that convoys could take further: their place in the list, and where to.
        self._carried = [
            (n, at, further)
            for n, at in enumerate(self.nodes)
            if field.carriers and field.armies >> at & 1
            if (further := field.convoy_reach(at) & ~ARMY_REACH[at])
        ]
        self._further = reduce(or_, (further for _, _, further in self._carried), 0)

    def unit_orders(self, at: int) -> list[Order]:
        """Every order that the unit at `at` can be given."""
        own, convoyed, supports, convoys = self.unit_groups(at)
        return [*own, *convoyed, *chain.from_iterable(supports), *chain.from_iterable(convoys)]

    def unit_groups(self, at: int) -> OrderGroups:
        """The same by kinds."""
        field, node = self.field, self.nodes[at]
        ends = 0 if node & 1 else field.convoy_reach(at)
        return OrderGroups(
            _own_orders(node, field.closed),
            _convoyed_moves(at, ends) if ends else (),
            self._list_supports(at, node),
            self._list_convoys(at) if field.carriers >> at & 1 else (),
        )

    def _list_supports(self, at: int, node: int) -> Iterable[Sequence[Order]]:
        found = self._pick_rows(_support_row(node, self.field.closed))
        near = _node_reach(node)
        if self._further & near:
            found = list(found)
            for n, army, further in self._carried:
                if further & near and army != at:
                    found[n] = self._far_supports(at, node, army, further & near)
        return found  # type: ignore[no-any-return]  # rows of groups

    def _far_supports(self, at: int, node: int, army: int, further: int) -> tuple[Order, ...]:
        """Supports for an army that may go by convoy; a fleet that supports cannot convoy it."""
        if node & 1 and self.field.carriers >> at & 1:
            further &= carried_shores(self.field.carriers & ~(1 << at), army)
        return _support_orders(
            node, 2 * army, _node_reach(node) & ARMY_REACH[army] & ~self.field.closed | further
        )

    def _list_convoys(self, at: int) -> list[Sequence[Order]]:
        linked = flood_seas(1 << at, self.field.carriers)
        armies = set_members(shores_beside(linked) & self.field.armies)
        return [_convoy_orders(linked, at, army, self.field.closed) for army in armies]
