"""The judge: what comes of the orders of one movement phase.

    resolution = adjudicate(position, orders, rulebook)

`position` says where the units of every power stand (`position.Position`). `orders` maps a power
to its orders, legal or not, in the order in which they were written. `rulebook` chooses among
readings (`position.Rulebook`); the default is this rulebook's.

The answer is a `Resolution`: one `Outcome` for each order (by power, as written) and then one
for each unit without a valid order, which holds; the dislodged units with their legal retreats;
the provinces closed to retreats by a standoff; and the position afterwards, dislodged units
taken off. An outcome carries a verdict, a reason, the orders that caused it, the number of the
rule in the rulebook's summary and the id of the numbered rule (`outcomes`).

The function is pure: same input, same output, and no listing order of powers or orders matters,
but that of two different orders for one unit neither counts (D-ORD-15). Orders are matched to
units by province; a wrong letter or origin coast is no matter (D-ORD-10, D-ORD-14).
"""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from powderkeg.games.diplomacy.battle import NO, YES, Battle
from powderkeg.games.diplomacy.board import (
    ARMIES,
    ARMY_REACH,
    FLEETS,
    NUMBER,
    PROVINCE_OF,
    Power,
    Unit,
    codes,
    has_route,
    moves,
)
from powderkeg.games.diplomacy.legality import CONVOY, MOVE, NOBODY, SUPPORT, Field, Reading, read
from powderkeg.games.diplomacy.orders import Hold, Move, Order, Waive
from powderkeg.games.diplomacy.outcomes import Dislodged, Outcome, Verdict, Why
from powderkeg.games.diplomacy.position import STANDARD, Position, Rulebook
from powderkeg.games.diplomacy.reasons import dislodger, reason


class Resolution(NamedTuple):
    """What came of a movement phase."""

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
    field = Field(position)
    sheet = _Sheet(field, orders)
    battle = _fight(position, field, sheet, rulebook, walkers=0)
    while rulebook.land_fallback and (walkers := _stranded(battle)):
        battle = _fight(position, field, sheet, rulebook, walkers)
    return _Report(position, field, sheet, battle, rulebook).resolution()


class _Sheet:
    """The orders as judged: which stand, which are void and why."""

    def __init__(self, field: Field, orders: Mapping[Power, Iterable[Order]]) -> None:
        self.lines: list[tuple[Power, Order, Reading | Why]] = []
        self.stands: dict[int, Reading] = {}
        self.orders: dict[int, Order] = {}  # the orders that stand; a unit without one holds
        self.addressed = twice = 0  # units that got any order from their power
        numbers = {power: n for n, power in enumerate(field.powers)}
        for power, written in orders.items():
            number = numbers.get(power, len(numbers))
            for order in written:
                reading = read(field, number, order)
                self.lines.append((power, order, reading))
                if not isinstance(reading, Reading):
                    self.addressed |= _own(reading, order)
                    continue
                self.addressed |= 1 << reading.at
                if self.stands.setdefault(reading.at, reading) != reading:
                    twice |= 1 << reading.at
                self.orders[reading.at] = order
        if twice:
            self._strike(twice)

    def _strike(self, twice: int) -> None:
        """Of different orders for one unit none counts (D-ORD-15)."""
        self.stands = {at: r for at, r in self.stands.items() if not twice >> at & 1}
        self.orders = {at: self.orders[at] for at in self.stands}
        self.lines = [
            (power, order, Why.CONFLICT if isinstance(r, Reading) and twice >> r.at & 1 else r)
            for power, order, r in self.lines
        ]


def _own(why: Why, order: Order) -> int:
    """The province of the unit that a void order is for, as a set; empty if not the power's."""
    if isinstance(order, Waive) or why in (Why.NO_UNIT, Why.FOREIGN_UNIT):
        return 0
    return 1 << PROVINCE_OF[NUMBER[order.unit.at]]


def _fight(
    position: Position, field: Field, sheet: _Sheet, rulebook: Rulebook, walkers: int
) -> Battle:
    """The battle resolved, where `walkers` march although they could be carried."""
    battle = Battle(field, rulebook)
    carriers: dict[tuple[int, int], int] = {}
    for reading in sheet.stands.values():
        battle.enter(reading)
        if reading.kind == CONVOY:
            key = reading.who, reading.to
            carriers[key] = carriers.get(key, 0) | 1 << reading.at
    for reading in sheet.stands.values():
        if reading.kind == SUPPORT and _matches(battle, reading):
            battle.help(reading.at)
        elif reading.kind == MOVE and field.armies >> reading.at & 1:
            seas = carriers.get((reading.at, reading.to), 0)
            if not walkers >> reading.at & 1 and _sails(position, field, reading, seas, rulebook):
                battle.embark(reading.at, seas)
    battle.face()
    battle.resolve()
    return battle


def _matches(battle: Battle, support: Reading) -> bool:
    """Whether the support is for what its beneficiary was ordered to do (rules 8 and 9)."""
    moves = battle.kind[support.who] == MOVE
    if support.to == support.who:
        return not moves
    return moves and support.to in (battle.aim[support.who], battle.land[support.who])


def _sails(position: Position, field: Field, move: Reading, seas: int, rulebook: Rulebook) -> bool:
    """Whether an army goes by convoy: it must, it is told to, or its own player carries it
    (D-CONV-11, D-CONV-12)."""
    if move.via or not ARMY_REACH[move.at] >> move.to & 1:
        return True
    if not seas or rulebook.convoy_intent != "own_fleet":
        return False
    players = [position.players.get(power, power) for power in field.powers]
    mine = players[field.owner[move.at]]
    own = any(seas >> at & 1 and players[field.owner[at]] == mine for at in range(len(field.owner)))
    return own and has_route(seas, move.at, move.to)


def _stranded(battle: Battle) -> int:
    """Convoyed moves that failed to get across and could have walked."""
    walkers = 0
    for at in battle.movers:
        if battle.path(at) == NO and ARMY_REACH[at] >> battle.aim[at] & 1:
            walkers |= 1 << at
    return walkers


class _Report:
    """Writes down what came of a battle."""

    def __init__(
        self, position: Position, field: Field, sheet: _Sheet, battle: Battle, rulebook: Rulebook
    ) -> None:
        self.position, self.field, self.sheet = position, field, sheet
        self.battle, self.rulebook = battle, rulebook
        self.lost = {at: winner for at in battle.into if (winner := self._winner(at)) is not None}

    def _winner(self, at: int) -> int | None:
        return dislodger(self.battle, at) if self.field.owner[at] != NOBODY else None

    def resolution(self) -> Resolution:
        units = {power: tuple(self._after(units)) for power, units in self.position.units.items()}
        after = Position(units, self.position.players, self.position.closed)
        occupied = self._occupied()
        contested = self._contested(occupied)
        return Resolution(
            self._outcomes(),
            self._dislodged(occupied | contested | self.field.closed),
            codes(contested) if contested else (),
            after,
        )

    def _after(self, units: tuple[Unit, ...]) -> Iterable[Unit]:
        battle = self.battle
        for unit in units:
            at = PROVINCE_OF[NUMBER[unit.at]]
            if battle.fate[at] == YES:
                yield (ARMIES if unit.kind == "A" else FLEETS)[battle.land[at]]
            elif at not in self.lost:
                yield unit

    def _occupied(self) -> int:
        occupied = self.field.armies | self.field.fleets
        gone = come = 0
        for at in self.battle.movers:
            if self.battle.fate[at] == YES:
                gone |= 1 << at
                come |= 1 << self.battle.aim[at]
        return occupied & ~gone | come

    def _contested(self, occupied: int) -> int:
        """Provinces that are empty because rivals stopped each other."""
        contested = 0
        for to, attackers in self.battle.into.items():
            if not occupied >> to & 1 and any(self.battle.prevention(at)[0] for at in attackers):
                contested |= 1 << to
        return contested

    def _dislodged(self, barred: int) -> tuple[Dislodged, ...]:
        return tuple(
            Dislodged(
                self.field.powers[self.field.owner[at]],
                unit,
                self._order(winner),  # type: ignore[arg-type]  # a dislodger moves
                self._retreats(unit, winner, barred),
            )
            for at, winner in sorted(self.lost.items())
            if (unit := self.field.unit[at])
        )

    def _retreats(self, unit: Unit, winner: int, barred: int) -> tuple[str, ...]:
        by_sea = self.battle.by_sea >> winner & 1
        if not (by_sea and self.rulebook.retreat_to_convoy_origin):
            barred |= 1 << winner
        return tuple(to for to in moves(unit) if not barred >> PROVINCE_OF[NUMBER[to]] & 1)

    def _outcomes(self) -> tuple[Outcome, ...]:
        written = [self._judged(*line) for line in self.sheet.lines]
        silent = [
            self._outcome(power, Hold(unit), at)
            for power, units in self.position.units.items()
            for unit in units
            if not self.sheet.addressed >> (at := PROVINCE_OF[NUMBER[unit.at]]) & 1
        ]
        return tuple(written + silent)

    def _judged(self, power: Power, order: Order, reading: Reading | Why) -> Outcome:
        if isinstance(reading, Reading):
            return self._outcome(power, order, reading.at)
        winner = self.lost.get(_own(reading, order).bit_length() - 1)
        by = None if winner is None else self._order(winner)
        return Outcome(power, order, Verdict.VOID, reading, (), by)  # type: ignore[arg-type]  # it moves

    def _outcome(self, power: Power, order: Order, at: int) -> Outcome:
        verdict, why, causes = reason(self.battle, at)
        if why is Why.HELD and at not in self.sheet.stands:
            why = Why.UNORDERED
        winner = self.lost.get(at)
        by: Move | None = None if winner is None else self._order(winner)  # type: ignore[assignment]  # it moves
        return Outcome(power, order, verdict, why, tuple(map(self._order, causes)), by)

    def _order(self, at: int) -> Order:
        """The order that the unit at `at` carries out."""
        order = self.sheet.orders.get(at)
        if order is None:
            unit = self.field.unit[at]
            assert unit is not None  # noqa: S101  # causes are units
            order = Hold(unit)
        return order
