"""Answers one question at a time from a plan for the whole turn.

A bot is asked for one order at a time. It plans before its first order and remembers the plan until
the turn is over; a bot that is asked in the middle of a turn plans the rest of it.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from powderkeg.bots.diplomacy.numbers.position import written_orders
from powderkeg.bots.engine.budget import Clock
from powderkeg.bots.engine.thought import Line, Think, Thought
from powderkeg.core.ask import Orders, Question, Row
from powderkeg.core.chance import Rng
from powderkeg.core.game import Legal, Seat, View
from powderkeg.core.words import Msg
from powderkeg.games.diplomacy.actions import Order, Ready


@dataclass(frozen=True, slots=True)
class TurnPlan:
    """Orders for a turn by province, with their reason and value; `others` are plans of less value."""

    orders: Mapping[str, Order]
    reason: Msg
    shares: Mapping[Seat, float] = field(default_factory=dict)
    visits: int = 0
    others: "tuple[TurnPlan, ...]" = ()


TurnPlanner = Callable[[View, Rng, Clock], TurnPlan]


def follow_planner(planner: TurnPlanner) -> Think:
    """A bot that plans with `planner` once per turn and gives one order at a time."""
    plans: dict[Seat, tuple[Any, TurnPlan]] = {}

    def think(view: View, question: Question, legal: Legal, rng: Rng, clock: Clock) -> Thought:
        if open_row(question) is None:
            return Thought(Ready(), Msg("bots.reason.values"))
        seat, now = view["seat"], turn_key(view)
        if seat not in plans or plans[seat][0] != now or not is_begun(view, plans[seat][1]):
            plans[seat] = now, planner(view, rng, clock)
        return next_order(plans[seat][1], question, legal)

    return think


def is_begun(view: View, turn: TurnPlan) -> bool:
    """Whether the written orders are part of this plan, however coasts and convoys are spelled."""
    written = written_orders(view)
    meant = {province: turn.orders.get(province) for province in written}
    return bool(written) and all(
        type(order) is type(meant[province]) and _order_goal(order) == _order_goal(meant[province])
        for province, order in written.items()
    )


def _order_goal(order: Order | None) -> str:
    return str(getattr(order, "to", None))[:3]


def turn_key(view: View) -> Any:
    """The parts of a view that do not change while a seat writes its orders."""
    return view["phase"], view["units"], view["centres"], view["dislodged"]


def next_order(turn: TurnPlan, question: Question, legal: Legal) -> Thought:
    """The next order of a plan; *ready* when there is none left."""
    node = question.node
    for row in node.rows if isinstance(node, Orders) else ():
        order = turn.orders.get(row.target[:3])
        if not row.chosen and order is not None and order in legal:
            lines = [Line(order, dict(turn.shares), turn.visits)]
            for other in turn.others:
                instead = other.orders.get(row.target[:3])
                if instead is not None and all(instead != line.action for line in lines):
                    lines.append(Line(instead, dict(other.shares), other.visits))
            return Thought(order, turn.reason, tuple(lines) if turn.visits else ())
    return Thought(Ready(), turn.reason)


def open_row(question: Question) -> Row | None:
    """The first unit without an order."""
    node = question.node
    rows = node.rows if isinstance(node, Orders) else ()
    return next((row for row in rows if not row.chosen), None)
