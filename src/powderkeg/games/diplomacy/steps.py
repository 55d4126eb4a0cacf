"""The kinds of phase: the powers that each waits for, and the orders that a power may draft in it.

`KINDS` has one entry for each stage in which orders are written. A draft stands for a province: of a
unit, of a dislodged unit, or of a home where a unit can be built.
"""

from collections.abc import Callable, Iterator
from functools import cached_property, lru_cache
from operator import itemgetter
from typing import Any, Final, NamedTuple

from powderkeg.core.ask import Option, Question, Row
from powderkeg.core.game import Seat
from powderkeg.core.identity_cache import once_per_state
from powderkeg.games.diplomacy.actions import Action, Build, Disband, Hold, Order, Retreat, Waive
from powderkeg.games.diplomacy.board import HOMES, NUMBER_OF, Power, Unit
from powderkeg.games.diplomacy.rules import adjustments, legality, retreats
from powderkeg.games.diplomacy.rules.adjustments import (
    adjustment_balance,
    adjustment_due,
    build_sites,
    builds_at,
)
from powderkeg.games.diplomacy.rules.listing import Listing, OrderGroups
from powderkeg.games.diplomacy.rules.outcomes import Why
from powderkeg.games.diplomacy.rules.position import Position
from powderkeg.games.diplomacy.rules.turn import Stage
from powderkeg.games.diplomacy.state import State, power_in_game, seat_in_game, survivors

PieceOrders = tuple[str, tuple[Action, ...]]  # the location of a piece, and the orders it may get


class PhaseKind(NamedTuple):
    """One kind of phase from the point of view of a power."""

    must_choose: Callable[[State, Power], bool]  # whether the phase waits for the power
    draftable: Callable[[State, Power], tuple[str, ...]]  # provinces for which it may draft
    pieces: Callable[[State, Power], Iterator[PieceOrders]]
    objection: Callable[[State, Power, Order], Why | None]  # why it may not give an order
    spell: Callable[[State, Power, Order], Order]  # a legal order as the list writes it


# Movement


def _unit_provinces(state: State, power: Power) -> tuple[str, ...]:
    return tuple(unit.province for unit in state.units[power])


def _movement_pieces(state: State, power: Power) -> Iterator[PieceOrders]:
    board = phase_board(state)
    for unit in state.units[power]:
        yield unit.at, board.unit_orders(unit)


def _movement_objection(state: State, power: Power, order: Order) -> Why | None:
    field = phase_board(state).listing.field
    return legality.movement_objection(field, field.powers.index(power), order)


def _spell_movement(state: State, power: Power, order: Order) -> Order:
    return legality.spell_movement(phase_board(state).listing.field, order)


# Retreats


def _can_retreat(state: State, power: Power) -> bool:
    return any(each.power == power and each.retreats for each in state.dislodged)


def _dislodged_provinces(state: State, power: Power) -> tuple[str, ...]:
    return tuple(each.unit.province for each in state.dislodged if each.power == power)


def _retreat_pieces(state: State, power: Power) -> Iterator[PieceOrders]:
    for each in state.dislodged:
        if each.power == power and each.retreats:
            yield (
                each.unit.at,
                (*(Retreat(each.unit, to) for to in each.retreats), Disband(each.unit)),
            )


def _retreat_objection(state: State, power: Power, order: Order) -> Why | None:
    return retreats.retreat_objection(state.dislodged, power, order)


def _spell_retreat(state: State, power: Power, order: Order) -> Order:
    return retreats.spell_retreat(state.dislodged, power, order)


# Adjustments


def _can_adjust(state: State, power: Power) -> bool:
    due = phase_board(state).dues[power]
    return due > 0 or len(state.units[power]) > -due > 0  # if all must go there is no choice


def _adjustable_provinces(state: State, power: Power) -> tuple[str, ...]:
    """Provinces of its units, and its home centres without a unit."""
    occupied = {unit.province for units in state.units.values() for unit in units}
    free = tuple(home for home in HOMES[power] if home not in occupied)
    return _unit_provinces(state, power) + free


def _adjustment_pieces(state: State, power: Power) -> Iterator[PieceOrders]:
    board = phase_board(state)
    if board.dues[power] > 0:
        for home in build_sites(board.position, state.centres, power):
            builds = [Build(unit) for unit in builds_at(home)]
            yield home, (Waive(home), *_open_adjustments(state, power, builds))
    elif board.dues[power] < 0:
        for unit in state.units[power]:
            yield unit.at, (Hold(unit), *_open_adjustments(state, power, [Disband(unit)]))


def _open_adjustments(
    state: State, power: Power, orders: list[Build] | list[Disband]
) -> list[Action]:
    return [order for order in orders if _adjustment_objection(state, power, order) is None]


def _adjustment_objection(state: State, power: Power, order: Order) -> Why | None:
    position = phase_board(state).position
    why = adjustments.adjustment_objection(position, state.centres, power, order)
    if why is not None or isinstance(order, Hold):
        return why
    if isinstance(order, Waive):
        sites = build_sites(position, state.centres, power)
        return None if order.at[:3] in sites else Why.HOME_OCCUPIED
    due = abs(adjustment_balance(position, state.centres, power))
    others = [p for p in power_drafts(state, power) if p != order.unit.province]
    if len(others) < due:
        return None
    return Why.NO_BUILD_DUE if isinstance(order, Build) else Why.NO_REMOVAL_DUE


def _spell_adjustment(state: State, power: Power, order: Order) -> Order:
    return adjustments.spell_adjustment(phase_board(state).position, order)


# The talk before a movement ends when all powers in the game agree, even those that have only
# centres left (D-PHASE-03).
KINDS: Final[dict[Stage, PhaseKind]] = {
    "movement": PhaseKind(
        power_in_game, _unit_provinces, _movement_pieces, _movement_objection, _spell_movement
    ),
    "retreat": PhaseKind(
        _can_retreat, _dislodged_provinces, _retreat_pieces, _retreat_objection, _spell_retreat
    ),
    "adjustment": PhaseKind(
        _can_adjust,
        _adjustable_provinces,
        _adjustment_pieces,
        _adjustment_objection,
        _spell_adjustment,
    ),
}


class _PhaseKey:
    """Finds the `PhaseBoard` of a state. States share what did not change, so all states of a phase
    have the very same units, centres and hands, whatever the seats write meanwhile."""

    __slots__ = ("state",)

    def __init__(self, state: State) -> None:
        self.state = state

    def __hash__(self) -> int:
        state = self.state
        return hash((id(state.units), id(state.centres), id(state.dislodged), id(state.hands)))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, _PhaseKey):
            return NotImplemented
        one, two = self.state, other.state
        return (
            one.units is two.units
            and one.centres is two.centres
            and one.dislodged is two.dislodged
            and one.hands is two.hands
            and one.stage == two.stage
        )


class PhaseBoard:
    """What follows from the board alone, and stays the same while seats write their orders."""

    def __init__(self, state: State) -> None:
        self._state = state
        self._orders: dict[str, tuple[Action, ...]] = {}
        self.rows: dict[str, Row] = {}  # of questions, by location (see `ask`)
        # Of seats that have written nothing yet, with what they depend on besides the board (see `ask`)
        self.questions: dict[Seat, tuple[object, str, Question]] = {}
        self.ballots: tuple[Option, ...] | None = None  # while nothing is proposed (see `ask`)
        # What all seats see alike, after which reports and counts (see `view`)
        self.shown: tuple[object, object, dict[str, Any]] | None = None

    @cached_property
    def deciding(self) -> frozenset[Seat]:
        """The seats for which this phase waits, ready or not."""
        if (kind := KINDS.get(self._state.stage)) is None:
            return frozenset()
        return frozenset(
            seat
            for seat, powers in self._state.hands.items()
            if any(kind.must_choose(self._state, power) for power in powers)
        )

    @cached_property
    def out(self) -> frozenset[Seat]:
        """The seats without units and centres."""
        return frozenset(seat for seat in self._state.hands if not seat_in_game(self._state, seat))

    @cached_property
    def survivors(self) -> frozenset[Seat]:
        """The seats with a unit."""
        return frozenset(survivors(self._state))

    @cached_property
    def drafters(self) -> dict[str, Power]:
        """The power to which a draft for a province belongs."""
        if (kind := KINDS.get(self._state.stage)) is None:
            return {}
        found: dict[str, Power] = {}
        for power in self._state.units:
            for province in kind.draftable(self._state, power):
                found.setdefault(province, power)
        return found

    @cached_property
    def position(self) -> Position:
        """The units and their players."""
        return self._state.position

    @cached_property
    def dues(self) -> dict[Power, int]:
        """What each power may build in winter; below zero, what it must remove."""
        table = self.position, self._state.centres
        return {power: adjustment_due(*table, power) for power in self._state.units}

    @cached_property
    def listing(self) -> Listing:
        """Lists the orders of a movement."""
        return Listing(legality.NumberedPosition(self.position))

    def unit_groups(self, unit: Unit) -> OrderGroups:
        """The orders of a unit in a movement, by kinds."""
        return self.listing.unit_groups(NUMBER_OF[unit.province])

    def unit_orders(self, unit: Unit) -> tuple[Action, ...]:
        """The orders of a unit in a movement."""
        found = self._orders.get(unit.province)
        if found is None:
            found = tuple(self.listing.unit_orders(NUMBER_OF[unit.province]))
            self._orders[unit.province] = found
        return found


@lru_cache(maxsize=256)  # a server plays many tables in turn
def _keep_board(key: _PhaseKey) -> PhaseBoard:
    return PhaseBoard(key.state)


@once_per_state  # equal boards share the rest
def phase_board(state: State) -> PhaseBoard:
    """What follows from the board of a phase, worked out once per phase."""
    return _keep_board(_PhaseKey(state))


def deciding_seats(state: State) -> frozenset[Seat]:
    """The seats for which this phase waits, ready or not."""
    return phase_board(state).deciding


def order_pieces(state: State, seat: Seat) -> Iterator[PieceOrders]:
    """The pieces that `seat` may order, by location, each with its orders."""
    if kind := KINDS.get(state.stage):
        for power in state.hands[seat]:
            yield from kind.pieces(state, power)


# Drafts


def draft_power(state: State, province: str) -> Power | None:
    """The power to which a draft for `province` belongs."""
    return phase_board(state).drafters.get(province)


def draft_objection(state: State, province: str, order: Order) -> Why | None:
    """The objection to a draft for `province`, if there is one."""
    power = draft_power(state, province)
    return Why.NO_UNIT if power is None else KINDS[state.stage].objection(state, power, order)


def power_drafts(state: State, power: Power) -> list[str]:
    """The provinces for which `power` has drafted something."""
    drafters = phase_board(state).drafters
    return [province for province in sorted(state.drafts) if drafters.get(province) == power]


def sorted_drafts(state: State) -> list[tuple[str, Order]]:
    return sorted(state.drafts.items(), key=itemgetter(0))


def own_drafts(state: State, seat: Seat) -> dict[str, Order]:
    """The drafts that `seat` may know: its own."""
    if not state.drafts:
        return {}
    drafters, powers = phase_board(state).drafters, state.hands[seat]
    return {at: order for at, order in sorted_drafts(state) if drafters.get(at) in powers}


def write_draft(state: State, order: Order) -> dict[str, Order]:
    """The drafts with a legal order added; an order that changes nothing erases the draft."""
    province = order.at[:3] if isinstance(order, Waive) else order.unit.province
    if isinstance(order, Waive) or (state.stage == "adjustment" and isinstance(order, Hold)):
        return {p: o for p, o in state.drafts.items() if p != province}
    power = draft_power(state, province) or ""
    return {**state.drafts, province: KINDS[state.stage].spell(state, power, order)}
