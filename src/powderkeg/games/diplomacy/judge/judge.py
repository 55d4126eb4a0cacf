"""The judge: one phase of a game that is kept on paper or by another program.

    judged = judge_phase(sheet, orders)

`sheet` is the position with its date (`sheet.Sheet`), `orders` maps a power to its orders, legal or
not. Missing and illegal orders count as the rules say. `judged.sheet` is the next position that
has anything to decide: empty phases are skipped (D-PHASE-09), and the game is over when a power
controls eighteen centres (D-WIN-01). The effect of a phase on the board stands in `rules.turn`.
"""

from typing import NamedTuple

from powderkeg.core.errors import Illegal
from powderkeg.games.diplomacy.actions import Move, Order, Retreat
from powderkeg.games.diplomacy.board import CENTRES, POWERS, Power
from powderkeg.games.diplomacy.judge.sheet import OVER, Sheet, sheet_of
from powderkeg.games.diplomacy.notation.resolve import Context
from powderkeg.games.diplomacy.rules.adjustments import (
    adjustment_balance,
    adjustment_due,
    build_sites,
)
from powderkeg.games.diplomacy.rules.outcomes import Outcome, Why
from powderkeg.games.diplomacy.rules.position import STANDARD, Rulebook
from powderkeg.games.diplomacy.rules.retreats import resolve_retreats
from powderkeg.games.diplomacy.rules.turn import (
    VICTORY_CENTRES,
    OrderLists,
    Resolved,
    Situation,
    resolve_phase,
)


class Judged(NamedTuple):
    """The outcomes of a phase, and the next sheet."""

    outcomes: tuple[Outcome, ...]
    sheet: Sheet
    counted: bool = False  # centres changed hands


def judge_phase(sheet: Sheet, orders: OrderLists, rulebook: Rulebook = STANDARD) -> Judged:
    """Resolve the phase of `sheet`, and skip the phases after it in which no power has orders to give."""
    if sheet.phase == OVER:
        raise Illegal("judge.over")
    if sheet.kind == "R":
        done = _resolve_retreats(sheet, orders)
    else:
        done = _disband_stuck(resolve_phase(sheet.situation, orders, rulebook))
    outcomes, counted = done.outcomes, done.counted
    while not _is_pending(done.after):
        done = resolve_phase(done.after, {}, rulebook)
        outcomes, counted = outcomes + done.outcomes, counted or done.counted
    after = sheet_of(done.after)
    return Judged(outcomes, _counted_sheet(after) if counted else after, counted)


def sheet_winner(sheet: Sheet) -> Power | None:
    """The power that controls eighteen centres (D-WIN-01)."""
    owners = list(sheet.centres.values())
    return next((power for power in POWERS if owners.count(power) >= VICTORY_CENTRES), None)


def sheet_due(sheet: Sheet, power: Power) -> int:
    """Builds that `power` may make now; below zero, units that it must remove."""
    return adjustment_due(sheet.position, sheet.centres, power)


def sheet_context(sheet: Sheet, power: Power) -> Context:
    """The context in which the orders of `power` are read."""
    if sheet.kind == "R":
        return Context(power, sheet.units, "R", sheet.dislodged.get(power, {}))
    if sheet.kind == "A":
        position = sheet.position
        sites = build_sites(position, sheet.centres, power)
        return Context(
            power,
            sheet.units,
            "A",
            owed=adjustment_balance(position, sheet.centres, power),
            sites=sites,
        )
    return Context(power, sheet.units)


def _resolve_retreats(sheet: Sheet, orders: OrderLists) -> Resolved:
    """Retreats without naming the attackers, which are not on the sheet."""
    written = {power: [_as_retreat(order) for order in listed] for power, listed in orders.items()}
    done = resolve_phase(sheet.situation, written)
    clashed = Why.RETREATS_CLASH
    outcomes = tuple(o if o.why is clashed else o._replace(by=()) for o in done.outcomes)
    return done._replace(outcomes=outcomes)


def _as_retreat(order: Order) -> Order:
    """The rulebook writes retreats like moves: ``E SPt-Mos``."""
    return Retreat(order.unit, order.to) if isinstance(order, Move) else order


def _disband_stuck(done: Resolved) -> Resolved:
    """Units that cannot retreat are disbanded with the movement, so that no sheet lists them."""
    dislodged = done.after.dislodged
    stuck = tuple(each for each in dislodged if not each.retreats)
    if not stuck:
        return done
    lost = resolve_retreats(done.after.position, stuck, {}).outcomes
    after = done.after._replace(dislodged=tuple(each for each in dislodged if each.retreats))
    return Resolved(done.outcomes + lost, after, done.counted)


def _counted_sheet(sheet: Sheet) -> Sheet:
    """A sheet after the count: centres in the order of the map, the game over if it is won."""
    centres = {centre: sheet.centres[centre] for centre in CENTRES if centre in sheet.centres}
    return Sheet(OVER if sheet_winner(sheet) else sheet.phase, sheet.units, centres)


def _is_pending(after: Situation) -> bool:
    """Whether any power has orders to give."""
    if after.stage == "adjustment":
        return any(adjustment_due(after.position, after.centres, power) for power in POWERS)
    return after.stage == "movement" or bool(after.dislodged)
