"""The retreat phase: every dislodged unit retreats or is disbanded (D-RET)."""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from powderkeg.games.diplomacy.actions import Disband, Order, Retreat
from powderkeg.games.diplomacy.board import FLEET_UNITS, NUMBER_OF, Power, Unit
from powderkeg.games.diplomacy.rules.outcomes import Dislodged, Outcome, Verdict, Why
from powderkeg.games.diplomacy.rules.position import Position


class Retreats(NamedTuple):
    """The results of a retreat phase."""

    outcomes: tuple[Outcome, ...]
    position: Position


def retreat_objection(dislodged: Iterable[Dislodged], power: Power, order: Order) -> Why | None:
    """Why `order` cannot be given in this retreat phase, or None if it can."""
    if not isinstance(order, Retreat | Disband):
        return Why.NOT_NOW
    unit = _find_dislodged(dislodged, power, order.unit)
    if unit is None:
        return Why.NOT_DISLODGED
    found = retreat_location(unit, order.to) if isinstance(order, Retreat) else ""
    return found if isinstance(found, Why) else None


def retreat_location(beaten: Dislodged, to: str) -> str | Why:
    """The location where a retreat `to` some place ends, its coast filled in (D-RET-12)."""
    if to in beaten.retreats:
        return to
    coasts = [place for place in beaten.retreats if place[:3] == to[:3]]
    if beaten.unit.kind == "A" and coasts:
        return coasts[0]
    if to != to[:3] or not coasts:
        return Why.RETREAT_BARRED
    return coasts[0] if len(coasts) == 1 else Why.COAST_NEEDED


def spell_retreat(dislodged: Iterable[Dislodged], power: Power, order: Order) -> Order:
    """A legal order with the unit as it stood and the coast where it goes."""
    if not isinstance(order, Retreat | Disband):
        return order
    beaten = _find_dislodged(dislodged, power, order.unit)
    if beaten is None:
        return order
    if isinstance(order, Disband):
        return Disband(beaten.unit)
    to = retreat_location(beaten, order.to)
    return order if isinstance(to, Why) else Retreat(beaten.unit, to)


def _find_dislodged(dislodged: Iterable[Dislodged], power: Power, unit: Unit) -> Dislodged | None:
    for each in dislodged:
        if each.power == power and each.unit.province == unit.province:
            return each
    return None


def resolve_retreats(
    position: Position,
    dislodged: tuple[Dislodged, ...],
    orders: Mapping[Power, Iterable[Order]],
) -> Retreats:
    """Resolve one retreat phase."""
    lines = [
        (power, order, retreat_objection(dislodged, power, order))
        for power, written in orders.items()
        for order in written
    ]
    plans = _retreat_plans(dislodged, lines)
    crowd = Counter(order.to[:3] for order in plans.values() if isinstance(order, Retreat))
    outcomes = [_retreat_outcome(dislodged, plans, crowd, line) for line in lines]
    outcomes += [_silent_outcome(each) for each in dislodged if each.unit not in plans]
    units = {power: list(units) for power, units in position.units.items()}
    for each in dislodged:
        order = plans.get(each.unit)
        if isinstance(order, Retreat) and crowd[order.to[:3]] == 1:
            units[each.power].append(_moved_unit(each.unit, order.to))
    after = {power: tuple(found) for power, found in units.items()}
    return Retreats(tuple(outcomes), Position(after, position.players, position.closed))


def _retreat_plans(
    dislodged: tuple[Dislodged, ...], lines: list[tuple[Power, Order, Why | None]]
) -> dict[Unit, Order]:
    """The order of each dislodged unit; if a unit got different orders, none counts."""
    plans: dict[Unit, Order] = {}
    for each in dislodged:
        given = {
            spell_retreat(dislodged, power, order)
            for power, order, why in lines
            if why is None and _find_dislodged([each], power, order.unit)  # type: ignore[union-attr]  # no objection
        }
        if len(given) == 1:
            plans[each.unit] = given.pop()
    return plans


def _retreat_outcome(
    dislodged: tuple[Dislodged, ...],
    plans: dict[Unit, Order],
    crowd: Counter[str],
    line: tuple[Power, Order, Why | None],
) -> Outcome:
    power, order, why = line
    if why is not None:
        return Outcome(power, order, Verdict.VOID, why)
    plan = spell_retreat(dislodged, power, order)
    if plan not in plans.values():
        return Outcome(power, order, Verdict.VOID, Why.CONFLICT)
    if isinstance(plan, Retreat):
        others = tuple(
            other
            for other in plans.values()
            if isinstance(other, Retreat) and other != plan and other.to[:3] == plan.to[:3]
        )
        if crowd[plan.to[:3]] > 1:
            return Outcome(power, plan, Verdict.BOUNCED, Why.RETREATS_CLASH, others)
        return Outcome(power, plan, Verdict.OK, Why.RETREATED)
    return Outcome(power, plan, Verdict.OK, Why.DISBANDED)


def _silent_outcome(beaten: Dislodged) -> Outcome:
    why = Why.NO_RETREAT_ORDER if beaten.retreats else Why.NO_RETREAT
    return Outcome(beaten.power, Disband(beaten.unit), Verdict.OK, why, (beaten.by,))


def _moved_unit(unit: Unit, to: str) -> Unit:
    return Unit("A", to[:3]) if unit.kind == "A" else FLEET_UNITS[NUMBER_OF[to]]
