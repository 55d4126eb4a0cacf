"""Why a seat may not do something now. The list of legal actions is built from the same functions."""

from powderkeg.core.errors import Illegal
from powderkeg.core.game import Seat
from powderkeg.games.diplomacy.actions import (
    Absent,
    Accept,
    Action,
    Order,
    Propose,
    Ready,
    Refuse,
    Revise,
    Waive,
    Withdraw,
)
from powderkeg.games.diplomacy.board import Power
from powderkeg.games.diplomacy.rules.agreement import ballot_refusal
from powderkeg.games.diplomacy.rules.outcomes import CAUSES, Why
from powderkeg.games.diplomacy.state import State
from powderkeg.games.diplomacy.steps import KINDS, deciding_seats, draft_power, own_drafts
from powderkeg.games.diplomacy.words import order_name, power_name


def action_refusal(state: State, seat: Seat, action: Action) -> Illegal | None:
    """Why `seat` may not do this now, ready to be raised; None if it may."""
    if state.stage == "over":
        return Illegal("diplomacy.game_over")
    if state.stage == "toss":
        return Illegal("diplomacy.toss_first", rule="D-ALT-09")
    match action:
        case Propose() | Accept() | Refuse() | Withdraw():
            return ballot_refusal(state, seat, action)
        case Revise():
            return None if seat in state.ready else Illegal("diplomacy.not_ready_yet")
    if seat not in deciding_seats(state):
        return Illegal("diplomacy.nothing_to_decide", rule="D-PHASE-09")
    if seat in state.ready:
        return Illegal("diplomacy.revise_first", rule="D-ORD-15")
    match action:
        case Ready():
            return None
        case Absent():
            return _absence_refusal(state, seat)
    return _order_refusal(state, seat, action)


def _absence_refusal(state: State, seat: Seat) -> Illegal | None:
    """Only a movement can be missed, and only without a single order."""
    units = any(state.units[power] for power in state.hands[seat])
    if state.stage != "movement" or not units or own_drafts(state, seat):
        return Illegal("diplomacy.not_absent", rule="D-CD-01")
    return None


def _order_refusal(state: State, seat: Seat, order: Order) -> Illegal | None:
    if isinstance(order, Waive) and not order.at:
        return Illegal("diplomacy.waive_where", rule="D-ADJ-10")
    province = order.at[:3] if isinstance(order, Waive) else order.unit.province
    power = draft_power(state, province)
    if power is None or power not in state.hands[seat]:
        why = Why.NO_UNIT if power is None else Why.FOREIGN_UNIT
        return _void_order(why, power or state.hands[seat][0], order)
    found = KINDS[state.stage].objection(state, power, order)
    return None if found is None else _void_order(found, power, order)


def _void_order(why: Why, power: Power, order: Order) -> Illegal:
    return Illegal(
        f"diplomacy.why.{why}",
        rule=CAUSES[why].rule,
        power=power_name(power),
        order=order_name(order),
        by=(),
    )
