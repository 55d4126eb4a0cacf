"""The adjustment phase: as many units as centres, built at home or removed (D-ADJ, D-CD-05)."""

from collections.abc import Iterable, Mapping
from functools import cache
from typing import NamedTuple
from unicodedata import combining, normalize

from powderkeg.games.diplomacy.actions import Build, Disband, Hold, Order, Waive
from powderkeg.games.diplomacy.board import (
    ARMY_MOVES,
    FLEET_MOVES,
    HOMES,
    LOCATIONS,
    PROVINCE_NAMES,
    PROVINCES,
    Power,
    Unit,
    can_stand,
)
from powderkeg.games.diplomacy.rules.outcomes import Outcome, Verdict, Why
from powderkeg.games.diplomacy.rules.position import STANDARD, Position, Rulebook

Centres = Mapping[str, Power]  # the owner of each supply centre that has one


class Adjustments(NamedTuple):
    """The results of an adjustment phase."""

    outcomes: tuple[Outcome, ...]
    position: Position


def adjustment_balance(position: Position, centres: Centres, power: Power) -> int:
    """Centres minus units (D-ADJ-01): builds due if positive, removals if negative."""
    owned = list(centres.values()).count(power)
    return owned - len(position.units.get(power, ()))


def build_sites(position: Position, centres: Centres, power: Power) -> tuple[str, ...]:
    """Home centres that are empty and still controlled (D-ADJ-04)."""
    controlled = [home for home in HOMES[power] if centres.get(home) == power]
    if not controlled:
        return ()
    occupied = {unit.at[:3] for units in position.units.values() for unit in units}
    return tuple(home for home in controlled if home not in occupied)


def builds_due(position: Position, centres: Centres, power: Power) -> int:
    """How many units `power` may build now."""
    due = adjustment_balance(position, centres, power)
    return min(due, len(build_sites(position, centres, power))) if due > 0 else 0


def adjustment_due(position: Position, centres: Centres, power: Power) -> int:
    """Builds that `power` may make now; below zero, units that it must remove."""
    due = adjustment_balance(position, centres, power)
    return due if due < 0 else builds_due(position, centres, power)


def builds_at(home: str) -> tuple[Unit, ...]:
    """The units that can be built at a home centre (D-ADJ-05 to D-ADJ-07)."""
    places = PROVINCES[home].coasts or (home,)
    fleets = tuple(Unit("F", place) for place in places if can_stand(Unit("F", place)))
    return (Unit("A", home), *fleets)


def adjustment_objection(
    position: Position, centres: Centres, power: Power, order: Order
) -> Why | None:
    """Why `order` cannot be given in this adjustment phase, or None if it can."""
    due = adjustment_balance(position, centres, power)
    match order:
        case Waive(at):
            return (
                None
                if due > 0 and (not at or PROVINCES[at[:3]].home == power)
                else Why.NO_BUILD_DUE
            )
        case Build(unit):
            return _build_objection(position, centres, power, unit) if due > 0 else Why.NO_BUILD_DUE
        case Disband(unit) | Hold(unit):
            if not any(unit.province == own.province for own in position.units.get(power, ())):
                return Why.NO_UNIT
            return None if due < 0 else Why.NO_REMOVAL_DUE
    return Why.NOT_NOW


def _build_objection(position: Position, centres: Centres, power: Power, unit: Unit) -> Why | None:
    home = unit.province
    if home not in HOMES.get(power, ()):
        return Why.NOT_A_HOME
    if centres.get(home) != power:
        return Why.HOME_LOST
    if home not in build_sites(position, centres, power):
        return Why.HOME_OCCUPIED
    if unit.kind == "F" and PROVINCES[home].kind == "inland":
        return Why.FLEET_BUILT_INLAND
    if unit.kind == "F" and not can_stand(unit):
        return Why.BUILD_COAST_NEEDED
    return None


def spell_adjustment(position: Position, order: Order) -> Order:
    """A legal order with units as they stand; an army is built without a coast."""
    match order:
        case Build(unit):
            return Build(_as_built(unit))
        case Disband(unit):
            units = (own for units in position.units.values() for own in units)
            return Disband(next(own for own in units if own.province == unit.province))
    return order


def _as_built(unit: Unit) -> Unit:
    return Unit("A", unit.province) if unit.kind == "A" else unit


def resolve_adjustments(
    position: Position,
    centres: Centres,
    orders: Mapping[Power, Iterable[Order]],
    rulebook: Rulebook = STANDARD,
    static: frozenset[Power] = frozenset(),
) -> Adjustments:
    """Resolve one adjustment phase. Powers in `static` never build (D-ALT-02, D-CD-06).

    Orders count in the order written until there are enough; the rest are ignored (D-ADJ-12, D-ADJ-13).
    Removals without orders follow the rule for civil disorder (D-ADJ-14).
    """
    outcomes: list[Outcome] = []
    units: dict[Power, tuple[Unit, ...]] = dict(position.units)
    for power in dict.fromkeys((*position.units, *orders)):
        ledger = _Ledger(position, centres, power, power in static)
        outcomes += [ledger.enter_order(order) for order in orders.get(power, ())]
        outcomes += ledger.fill_removals(rulebook)
        units[power] = ledger.units_after()
    after = {power: found for power, found in units.items() if power in position.units or found}
    return Adjustments(tuple(outcomes), Position(after, position.players, position.closed))


class _Ledger:
    """One power's adjustments as they are entered."""

    def __init__(self, position: Position, centres: Centres, power: Power, static: bool) -> None:  # noqa: FBT001  # a fact of the power
        self.position, self.centres, self.power, self.static = position, centres, power, static
        self.due = adjustment_balance(position, centres, power)
        self.built: list[Unit] = []
        self.removed: list[Unit] = []

    def enter_order(self, order: Order) -> Outcome:
        why = self._order_objection(order)
        if why is not None:
            return Outcome(self.power, order, Verdict.VOID, why)
        match order:
            case Build(unit):
                self.built.append(_as_built(unit))
                return Outcome(self.power, Build(self.built[-1]), Verdict.OK, Why.BUILT)
            case Disband(unit):
                self.removed.append(self._own_unit(unit))
                return Outcome(self.power, Disband(self.removed[-1]), Verdict.OK, Why.REMOVED)
            case Hold():
                return Outcome(self.power, order, Verdict.OK, Why.HELD)
        return Outcome(self.power, order, Verdict.OK, Why.WAIVED)

    def _order_objection(self, order: Order) -> Why | None:
        if self.static and not isinstance(order, Disband):
            return Why.STATIC
        why = adjustment_objection(self.position, self.centres, self.power, order)
        if why is not None:
            return why
        if isinstance(order, Build):
            if any(order.unit.province == unit.province for unit in self.built):
                return Why.BUILD_TWICE
            return Why.NO_BUILD_DUE if len(self.built) >= self.due else None
        if isinstance(order, Disband):
            full = len(self.removed) >= -self.due or self._own_unit(order.unit) in self.removed
            return Why.NO_REMOVAL_DUE if full else None
        return None

    def _own_unit(self, unit: Unit) -> Unit:
        return next(u for u in self.position.units[self.power] if u.province == unit.province)

    def fill_removals(self, rulebook: Rulebook) -> list[Outcome]:
        """Remove the units that the power left to the rules."""
        missing = max(0, -self.due - len(self.removed))
        rest = [u for u in self.position.units.get(self.power, ()) if u not in self.removed]
        gone = removal_order(rest, self.power, self.centres, rulebook)[:missing]
        self.removed += gone
        return [
            Outcome(self.power, Disband(unit), Verdict.OK, Why.REMOVED_BY_RULE) for unit in gone
        ]

    def units_after(self) -> tuple[Unit, ...]:
        kept = [u for u in self.position.units.get(self.power, ()) if u not in self.removed]
        return (*kept, *self.built)


def removal_order(
    units: Iterable[Unit], power: Power, centres: Centres, rulebook: Rulebook = STANDARD
) -> list[Unit]:
    """Units in the order in which civil disorder removes them (D-CD-05): the farthest from home
    first, fleets before armies, then by name, English unless the rulebook is read to the letter."""

    def key(unit: Unit) -> tuple[int, bool, str]:
        far = home_distance(unit, power, centres, rulebook)
        return -far, unit.kind == "A", alphabet_key(unit.province, rulebook.removal_alphabet)

    return sorted(units, key=key)


@cache
def alphabet_key(province: str, lang: str) -> str:
    """The name of a province as dictionaries sort it: accents do not count, ñ follows n."""
    plain = PROVINCE_NAMES[province][lang].casefold().replace("ñ", "n\uffff")
    return "".join(letter for letter in normalize("NFD", plain) if not combining(letter))


def home_distance(unit: Unit, power: Power, centres: Centres, rulebook: Rulebook = STANDARD) -> int:
    """Steps from `unit` to the nearest centre that counts; unreachable is farther than any distance."""
    if rulebook.removal_distance == "home":
        steps = province_steps(unit.province, by_sea_only=unit.kind == "F")
        goals: Iterable[str] = HOMES[power]
    else:
        steps = province_steps(unit.province, by_sea_only=False)
        goals = [centre for centre, owner in centres.items() if owner == power]
    return min((steps.get(goal, len(PROVINCES)) for goal in goals), default=len(PROVINCES))


@cache
def province_steps(start: str, *, by_sea_only: bool) -> dict[str, int]:
    """The number of steps from `start` to every province, without regard to coasts."""
    near: dict[str, set[str]] = {code: set() for code in PROVINCES}
    for place in LOCATIONS:
        ways = FLEET_MOVES[place] if by_sea_only else FLEET_MOVES[place] + ARMY_MOVES[place]
        near[place[:3]].update(to[:3] for to in ways)
    found = {start: 0}
    edge = [start]
    while edge:
        edge = sorted({to for at in edge for to in near[at] if to not in found})
        found.update(dict.fromkeys(edge, max(found.values()) + 1))
    return found
