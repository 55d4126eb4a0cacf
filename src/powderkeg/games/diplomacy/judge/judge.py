"""The judge: what comes of one phase of a game that is kept on paper or by another program.

    judged = judge(sheet, orders)

`sheet` is the position with its date (`sheet.Sheet`), `orders` maps a power to its orders, legal or
not. Missing and illegal orders count as the rules say. `judged.sheet` is the next position that
has anything to decide: empty phases are skipped (D-PHASE-09), centres change hands after the fall
retreats (D-SC-01), and the game is over when a power controls eighteen (D-WIN-01).
"""

from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple

from powderkeg.core.errors import Illegal
from powderkeg.games.diplomacy.actions import Disband, Move, Order, Retreat
from powderkeg.games.diplomacy.board import CENTRES, POWERS, Power, Unit
from powderkeg.games.diplomacy.judge.sheet import OVER, Sheet
from powderkeg.games.diplomacy.notation.resolve import Context
from powderkeg.games.diplomacy.rules.adjudicate import adjudicate
from powderkeg.games.diplomacy.rules.adjustments import adjust, balance, build_sites, builds_due
from powderkeg.games.diplomacy.rules.outcomes import Dislodged, Outcome, Verdict, Why
from powderkeg.games.diplomacy.rules.position import STANDARD, Rulebook
from powderkeg.games.diplomacy.rules.retreats import retreat

TO_WIN: Final = 18
Orders = Mapping[Power, Iterable[Order]]


class Judged(NamedTuple):
    """What came of a phase, and the next sheet."""

    outcomes: tuple[Outcome, ...]
    sheet: Sheet
    counted: bool = False  # centres changed hands


def judge(sheet: Sheet, orders: Orders, rulebook: Rulebook = STANDARD) -> Judged:
    """Resolve the phase of `sheet`."""
    match sheet.kind:
        case "M":
            return _movement(sheet, orders, rulebook)
        case "R":
            return _retreats(sheet, orders)
        case "A":
            return _adjustments(sheet, orders, rulebook)
    raise Illegal("judge.over")


def winner(sheet: Sheet) -> Power | None:
    """Who controls eighteen centres."""
    owners = list(sheet.centres.values())
    return next((power for power in POWERS if owners.count(power) >= TO_WIN), None)


def due(sheet: Sheet, power: Power) -> int:
    """Builds that `power` may make now; below zero, units that it must remove."""
    owed = balance(sheet.position, sheet.centres, power)
    return owed if owed < 0 else builds_due(sheet.position, sheet.centres, power)


def context(sheet: Sheet, power: Power) -> Context:
    """What a reader of that power's orders must know."""
    if sheet.kind == "R":
        return Context(power, sheet.units, "R", sheet.dislodged.get(power, {}))
    if sheet.kind == "A":
        position = sheet.position
        sites = build_sites(position, sheet.centres, power)
        return Context(
            power, sheet.units, "A", owed=balance(position, sheet.centres, power), sites=sites
        )
    return Context(power, sheet.units)


def _movement(sheet: Sheet, orders: Orders, rulebook: Rulebook) -> Judged:
    done = adjudicate(sheet.position, orders, rulebook)
    stuck = tuple(
        Outcome(each.power, Disband(each.unit), Verdict.OK, Why.NO_RETREAT, (each.by,))
        for each in done.dislodged
        if not each.retreats
    )
    after = Sheet(sheet.phase, done.position.units, sheet.centres)
    if len(stuck) == len(done.dislodged):
        return _end_turn(after, done.outcomes + stuck)
    beaten: dict[Power, dict[Unit, tuple[str, ...]]] = {}
    for each in done.dislodged:
        if each.retreats:
            beaten.setdefault(each.power, {})[each.unit] = each.retreats
    phase = sheet.phase[:-1] + "R"
    return Judged(done.outcomes + stuck, Sheet(phase, after.units, sheet.centres, beaten))


def _retreats(sheet: Sheet, orders: Orders) -> Judged:
    dislodged = tuple(
        Dislodged(power, unit, Move(unit, unit.at), places)  # who did it is not on the sheet
        for power, refuges in sheet.dislodged.items()
        for unit, places in refuges.items()
    )
    written = {power: [_as_retreat(order) for order in listed] for power, listed in orders.items()}
    done = retreat(sheet.position, dislodged, written)
    clashed = Why.RETREATS_CLASH
    outcomes = tuple(o if o.why is clashed else o._replace(by=()) for o in done.outcomes)
    return _end_turn(Sheet(sheet.phase, done.position.units, sheet.centres), outcomes)


def _as_retreat(order: Order) -> Order:
    """The rulebook writes retreats like moves: ``E SPt-Mos``."""
    if isinstance(order, Move):
        return Retreat(order.unit, order.to)
    return order


def _adjustments(sheet: Sheet, orders: Orders, rulebook: Rulebook) -> Judged:
    done = adjust(sheet.position, sheet.centres, orders, rulebook)
    return Judged(done.outcomes, Sheet(f"S{sheet.year + 1}M", done.position.units, sheet.centres))


def _end_turn(sheet: Sheet, outcomes: tuple[Outcome, ...]) -> Judged:
    """After spring comes fall; after fall centres are counted and units adjusted."""
    if sheet.season == "S":
        return Judged(outcomes, Sheet(f"F{sheet.year}M", sheet.units, sheet.centres))
    counted = Sheet(f"W{sheet.year}A", sheet.units, _count(sheet))
    if winner(counted):
        return Judged(outcomes, Sheet(OVER, counted.units, counted.centres), counted=True)
    if not any(due(counted, power) for power in POWERS):
        counted = Sheet(f"S{sheet.year + 1}M", counted.units, counted.centres)
    return Judged(outcomes, counted, counted=True)


def _count(sheet: Sheet) -> dict[str, Power]:
    """A centre belongs to whoever stands there now, else to whom it did (D-SC-02, D-SC-03)."""
    stands = {u.province: power for power, units in sheet.units.items() for u in units}
    owners = {centre: stands.get(centre, sheet.centres.get(centre)) for centre in CENTRES}
    return {centre: owner for centre, owner in owners.items() if owner}
