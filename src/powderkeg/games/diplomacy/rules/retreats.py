"""The retreat phase: every dislodged unit goes where it may, or is disbanded (D-RET)."""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from powderkeg.games.diplomacy.actions import Disband, Order, Retreat
from powderkeg.games.diplomacy.board import FLEETS, NUMBER, Power, Unit
from powderkeg.games.diplomacy.rules.outcomes import Dislodged, Outcome, Verdict, Why
from powderkeg.games.diplomacy.rules.position import Position


class Retreats(NamedTuple):
    """What came of a retreat phase."""

    outcomes: tuple[Outcome, ...]
    position: Position


def objection(dislodged: Iterable[Dislodged], power: Power, order: Order) -> Why | None:
    """Why `order` cannot be given in this retreat phase, or None if it can."""
    if not isinstance(order, Retreat | Disband):
        return Why.NOT_NOW
    unit = _beaten(dislodged, power, order.unit)
    if unit is None:
        return Why.NOT_DISLODGED
    found = refuge(unit, order.to) if isinstance(order, Retreat) else ""
    return found if isinstance(found, Why) else None


def refuge(beaten: Dislodged, to: str) -> str | Why:
    """The location where a retreat `to` some place ends, its coast filled in (D-RET-12)."""
    if to in beaten.retreats:
        return to
    coasts = [place for place in beaten.retreats if place[:3] == to[:3]]
    if beaten.unit.kind == "A" and coasts:
        return coasts[0]
    if to != to[:3] or not coasts:
        return Why.RETREAT_BARRED
    return coasts[0] if len(coasts) == 1 else Why.COAST_NEEDED


def spelled(dislodged: Iterable[Dislodged], power: Power, order: Order) -> Order:
    """A legal order with the unit as it stood and the coast where it goes."""
    if not isinstance(order, Retreat | Disband):
        return order
    beaten = _beaten(dislodged, power, order.unit)
    if beaten is None:
        return order
    if isinstance(order, Disband):
        return Disband(beaten.unit)
    to = refuge(beaten, order.to)
    return order if isinstance(to, Why) else Retreat(beaten.unit, to)


def _beaten(dislodged: Iterable[Dislodged], power: Power, unit: Unit) -> Dislodged | None:
    for each in dislodged:
        if each.power == power and each.unit.province == unit.province:
            return each
    return None


def retreat(
    position: Position,
    dislodged: tuple[Dislodged, ...],
    orders: Mapping[Power, Iterable[Order]],
) -> Retreats:
    """Resolve one retreat phase."""
    lines = [
        (power, order, objection(dislodged, power, order))
        for power, written in orders.items()
        for order in written
    ]
    plans = _plans(dislodged, lines)
    crowd = Counter(order.to[:3] for order in plans.values() if isinstance(order, Retreat))
    outcomes = [_outcome(dislodged, plans, crowd, line) for line in lines]
    outcomes += [_silence(each) for each in dislodged if each.unit not in plans]
    units = {power: list(units) for power, units in position.units.items()}
    for each in dislodged:
        order = plans.get(each.unit)
        if isinstance(order, Retreat) and crowd[order.to[:3]] == 1:
            units[each.power].append(_moved(each.unit, order.to))
    after = {power: tuple(found) for power, found in units.items()}
    return Retreats(tuple(outcomes), Position(after, position.players, position.closed))


def _plans(
    dislodged: tuple[Dislodged, ...], lines: list[tuple[Power, Order, Why | None]]
) -> dict[Unit, Order]:
    """The order of each dislodged unit; of different ones for one unit none counts."""
    plans: dict[Unit, Order] = {}
    for each in dislodged:
        given = {
            spelled(dislodged, power, order)
            for power, order, why in lines
            if why is None and _beaten([each], power, order.unit)  # type: ignore[union-attr]  # no objection
        }
        if len(given) == 1:
            plans[each.unit] = given.pop()
    return plans


def _outcome(
    dislodged: tuple[Dislodged, ...],
    plans: dict[Unit, Order],
    crowd: Counter[str],
    line: tuple[Power, Order, Why | None],
) -> Outcome:
    power, order, why = line
    if why is not None:
        return Outcome(power, order, Verdict.VOID, why)
    plan = spelled(dislodged, power, order)
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


def _silence(beaten: Dislodged) -> Outcome:
    why = Why.NO_RETREAT_ORDER if beaten.retreats else Why.NO_RETREAT
    return Outcome(beaten.power, Disband(beaten.unit), Verdict.OK, why, (beaten.by,))


def _moved(unit: Unit, to: str) -> Unit:
    return Unit("A", to[:3]) if unit.kind == "A" else FLEETS[NUMBER[to]]
