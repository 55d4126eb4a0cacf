"""The adjudicator: the outcomes of the orders of one movement phase.

    resolution = adjudicate(position, orders, rulebook)

`position` says where the units of every power stand (`position.Position`). `orders` maps a power
to its orders, legal or not, in the order in which they were written. `rulebook` chooses between
readings of the rules (`position.Rulebook`); the defaults follow our rulebook.

The answer is a `Resolution`: one `Outcome` for each order (by power, as written) and then one
for each unit without a valid order, which holds; the dislodged units with their legal retreats;
the provinces closed to retreats by a standoff; and the position afterwards, dislodged units
taken off. An outcome carries a verdict, a reason, the orders that caused it, the number of the
rule in the rulebook's summary and the id of the numbered rule (`outcomes`).

The function is pure. The order in which powers and orders are listed does not matter. If one unit
gets two different orders, neither counts (D-ORD-15). Orders are matched to units by province; a
wrong unit letter or origin coast is ignored (D-ORD-10, D-ORD-14).
"""

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any, Final, NamedTuple

from powderkeg.games.diplomacy.actions import Hold, Move, Order, Waive
from powderkeg.games.diplomacy.board import (
    ARMY_REACH,
    ARMY_UNITS,
    FLEET_UNITS,
    NUMBER_OF,
    PROVINCE_OF,
    Power,
    Unit,
    has_route,
    province_codes,
    set_members,
    unit_moves,
)
from powderkeg.games.diplomacy.rules.battle import NO, YES, MovementBattle
from powderkeg.games.diplomacy.rules.legality import (
    CONVOY,
    MOVE,
    SUPPORT,
    NumberedOrder,
    NumberedPosition,
    number_order,
    standing_unit,
)
from powderkeg.games.diplomacy.rules.outcomes import Dislodged, Outcome, Verdict, Why
from powderkeg.games.diplomacy.rules.position import STANDARD, Position, Rulebook
from powderkeg.games.diplomacy.rules.reasons import order_reason, rival_strengths

# Once for every order of every phase: made and looked up in less than half the time.
_write_outcome: Final[Callable[[tuple[Any, ...]], Outcome]] = partial(tuple.__new__, Outcome)
_HELD, _OVERPOWERED = Why.HELD, Why.OVERPOWERED


class Resolution(NamedTuple):
    """The results of a movement phase."""

    outcomes: tuple[Outcome, ...]
    dislodged: tuple[Dislodged, ...]
    contested: tuple[str, ...]  # provinces left empty by a standoff (D-RET-05)
    position: Position


def adjudicate(
    position: Position,
    orders: Mapping[Power, Iterable[Order]],
    rulebook: Rulebook = STANDARD,
) -> Resolution:
    """Resolve one movement phase."""
    field = NumberedPosition(position)
    sheet = _OrderSheet(field, orders)
    walkers = 0
    battle = _resolve_battle(position, field, sheet, rulebook, walkers)
    while rulebook.land_fallback and (stranded := _stranded_moves(battle)):
        walkers |= stranded
        battle = _resolve_battle(position, field, sheet, rulebook, walkers)
    return _Recorder(position, field, sheet, battle, rulebook).write_resolution()


class _OrderSheet:
    """The orders sorted into valid ones and void ones, with the reason."""

    def __init__(self, field: NumberedPosition, orders: Mapping[Power, Iterable[Order]]) -> None:
        self.lines: list[tuple[Power, Order, NumberedOrder | Why]] = []
        self.stands: dict[int, NumberedOrder] = {}
        self.orders: dict[int, Order] = {}  # the orders that stand; a unit without one holds
        self.addressed = twice = 0  # units with any order of their power
        numbers = {power: n for n, power in enumerate(field.powers)}
        for power, written in orders.items():
            number = numbers.get(power, len(numbers))
            for order in written:
                reading = number_order(field, number, order)
                self.lines.append((power, order, reading))
                if not isinstance(reading, NumberedOrder):
                    self.addressed |= _addressed_province(reading, order)
                    continue
                self.addressed |= 1 << reading.at
                if self.stands.setdefault(reading.at, reading) != reading:
                    twice |= 1 << reading.at
                self.orders[reading.at] = order
        if twice:
            self._strike_conflicts(twice)

    def _strike_conflicts(self, twice: int) -> None:
        """Void all orders for a unit that got different ones (D-ORD-15)."""
        self.stands = {at: r for at, r in self.stands.items() if not twice >> at & 1}
        self.orders = {at: self.orders[at] for at in self.stands}
        self.lines = [
            (
                power,
                order,
                Why.CONFLICT if isinstance(r, NumberedOrder) and twice >> r.at & 1 else r,
            )
            for power, order, r in self.lines
        ]


def _addressed_province(why: Why, order: Order) -> int:
    """The province of the unit that a void order names, as a set; empty if it is not the power's unit."""
    if isinstance(order, Waive) or why in (Why.NO_UNIT, Why.FOREIGN_UNIT):
        return 0
    return 1 << PROVINCE_OF[NUMBER_OF[order.unit.at]]


def _resolve_battle(
    position: Position,
    field: NumberedPosition,
    sheet: _OrderSheet,
    rulebook: Rulebook,
    walkers: int,
) -> MovementBattle:
    """The resolved battle; the armies in `walkers` go by land although they could be convoyed."""
    battle = MovementBattle(field, rulebook)
    carriers: dict[tuple[int, int], int] = {}
    for reading in sheet.stands.values():
        battle.enter_order(reading)
        if reading.kind == CONVOY:
            key = reading.who, reading.to
            carriers[key] = carriers.get(key, 0) | 1 << reading.at
    for reading in sheet.stands.values():
        if reading.kind == SUPPORT and _is_matched(battle, reading):
            battle.add_support(reading.at)
        elif reading.kind == MOVE and field.armies >> reading.at & 1:
            seas = carriers.get((reading.at, reading.to), 0)
            if not walkers >> reading.at & 1 and _goes_by_sea(
                position, field, reading, seas, rulebook
            ):
                battle.embark_army(reading.at, seas)
    battle.pair_opponents()
    battle.resolve_moves()
    return battle


def _is_matched(battle: MovementBattle, support: NumberedOrder) -> bool:
    """Whether a support matches the order of the unit it supports (rules 8 and 9)."""
    moves = battle.kind[support.who] == MOVE
    if support.to == support.who:
        return not moves
    return moves and support.to in (battle.aim[support.who], battle.land[support.who])


def _goes_by_sea(
    position: Position, field: NumberedPosition, move: NumberedOrder, seas: int, rulebook: Rulebook
) -> bool:
    """Whether an army goes by convoy: there is no land route, its order says so, or a fleet of its own
    player convoys it (D-CONV-11, D-CONV-12)."""
    if move.via or not ARMY_REACH[move.at] >> move.to & 1:
        return True
    if not seas or rulebook.convoy_intent != "own_fleet":
        return False
    players = [position.players.get(power, power) for power in field.powers]
    mine = players[field.owner[move.at]]
    own = any(seas >> at & 1 and players[field.owner[at]] == mine for at in range(len(field.owner)))
    return own and has_route(seas, move.at, move.to)


def _stranded_moves(battle: MovementBattle) -> int:
    """Moves whose convoy failed although there is a route over land."""
    walkers = 0
    for at in battle.movers:
        if battle.path_state(at) == NO and ARMY_REACH[at] >> battle.aim[at] & 1:
            walkers |= 1 << at
    return walkers


class _Recorder:
    """Writes down the outcomes of a battle."""

    def __init__(
        self,
        position: Position,
        field: NumberedPosition,
        sheet: _OrderSheet,
        battle: MovementBattle,
        rulebook: Rulebook,
    ) -> None:
        self.position, self.field, self.sheet = position, field, sheet
        self.battle, self.rulebook = battle, rulebook

    def write_resolution(self) -> Resolution:
        units = {power: self._units_after(units) for power, units in self.position.units.items()}
        after = Position(units, self.position.players, self.position.closed)
        occupied = self._occupied_provinces()
        contested = self._contested_provinces(occupied)
        return Resolution(
            self._order_outcomes(),
            self._dislodged_units(occupied | contested | self.field.closed),
            province_codes(contested) if contested else (),
            after,
        )

    def _units_after(self, units: tuple[Unit, ...]) -> tuple[Unit, ...]:
        fate, land, winner = self.battle.fate, self.battle.land, self.battle.winner
        found = []
        for unit in units:
            at = PROVINCE_OF[NUMBER_OF[unit.at]]
            if fate[at] == YES:
                found.append((ARMY_UNITS if unit.kind == "A" else FLEET_UNITS)[land[at]])
            elif at not in winner:
                found.append(unit)
        return tuple(found)

    def _occupied_provinces(self) -> int:
        gone = come = 0
        for at in self.battle.movers:
            if self.battle.fate[at] == YES:
                gone |= 1 << at
                come |= 1 << self.battle.aim[at]
        return (self.field.armies | self.field.fleets) & ~gone | come

    def _contested_provinces(self, occupied: int) -> int:
        """Provinces left empty by a standoff."""
        contested = 0
        for to, attackers in self.battle.into.items():
            if not occupied >> to & 1 and any(
                self.battle.prevent_strengths(at)[0] for at in attackers
            ):
                contested |= 1 << to
        return contested

    def _dislodged_units(self, barred: int) -> tuple[Dislodged, ...]:
        return tuple(
            Dislodged(
                self.field.powers[self.field.owner[at]],
                standing_unit(self.field, at),
                self._move_at(winner),
                self._retreat_options(standing_unit(self.field, at), winner, barred),
            )
            for at, winner in sorted(self.battle.winner.items())
        )

    def _retreat_options(self, unit: Unit, winner: int, barred: int) -> tuple[str, ...]:
        by_sea = self.battle.by_sea >> winner & 1
        if not by_sea or self.rulebook.bars_convoy_origin:
            barred |= 1 << winner
        return tuple(to for to in unit_moves(unit) if not barred >> PROVINCE_OF[NUMBER_OF[to]] & 1)

    def _order_outcomes(self) -> tuple[Outcome, ...]:
        outcomes = [
            self._order_outcome(power, order, reading.at)
            if isinstance(reading, NumberedOrder)
            else self._void_outcome(power, order, reading)
            for power, order, reading in self.sheet.lines
        ]
        silent = (self.field.armies | self.field.fleets) & ~self.sheet.addressed
        for at in set_members(silent):
            power = self.field.powers[self.field.owner[at]]
            outcomes.append(self._order_outcome(power, Hold(standing_unit(self.field, at)), at))
        return tuple(outcomes)

    def _order_outcome(self, power: Power, order: Order, at: int) -> Outcome:
        verdict, why, causes = order_reason(self.battle, at)
        if why is _HELD and at not in self.sheet.orders:
            why = Why.UNORDERED
        winner = self.battle.winner.get(at)
        return _write_outcome(
            (
                power,
                order,
                verdict,
                why,
                tuple([self._order_at(cause) for cause in causes]) if causes else (),
                None if winner is None else self._move_at(winner),
                rival_strengths(self.battle, at, causes) if why is _OVERPOWERED else None,
            )
        )

    def _void_outcome(self, power: Power, order: Order, why: Why) -> Outcome:
        winner = self.battle.winner.get(_addressed_province(why, order).bit_length() - 1)
        by = None if winner is None else self._move_at(winner)
        return Outcome(power, order, Verdict.VOID, why, (), by)

    def _order_at(self, at: int) -> Order:
        """The order that the unit at `at` carries out."""
        return self.sheet.orders.get(at) or Hold(standing_unit(self.field, at))

    def _move_at(self, at: int) -> Move:
        order = self.sheet.orders[at]
        assert isinstance(order, Move)  # noqa: S101  # only moves dislodge
        return order
