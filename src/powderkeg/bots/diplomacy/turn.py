"""From a plan of the whole turn to the answer of one question.

A bot is asked for one order at a time. It plans when it has written nothing yet, and remembers the
plan until the turn is over; who is asked in the middle of a turn plans what is left.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from powderkeg.bots.diplomacy.numbers.position import given
from powderkeg.bots.engine.budget import Clock
from powderkeg.bots.engine.thought import Line, Think, Thought
from powderkeg.core.ask import Orders, Question, Row
from powderkeg.core.chance import Rng
from powderkeg.core.game import Legal, Seat, View
from powderkeg.core.words import Msg
from powderkeg.games.diplomacy.actions import Order, Ready


@dataclass(frozen=True, slots=True)
class Turn:
    """What I mean to do this turn, by province, and why; `others` are plans that were worse."""

    orders: Mapping[str, Order]
    reason: Msg
    shares: Mapping[Seat, float] = field(default_factory=dict)
    visits: int = 0
    others: "tuple[Turn, ...]" = ()


Planner = Callable[[View, Rng, Clock], Turn]


def thinker(planner: Planner) -> Think:
    """A bot that follows the plans of `planner`."""
    kept: dict[Seat, tuple[Any, Turn]] = {}

    def think(view: View, question: Question, legal: Legal, rng: Rng, clock: Clock) -> Thought:
        if open_row(question) is None:
            return Thought(Ready(), Msg("bots.reason.values"))
        seat, now = view["seat"], moment(view)
        if seat not in kept or kept[seat][0] != now or not follows(view, kept[seat][1]):
            kept[seat] = now, planner(view, rng, clock)
        return follow(kept[seat][1], question, legal)

    return think


def follows(view: View, turn: Turn) -> bool:
    """Whether I have begun to write this plan. Coasts and convoys may be spelled otherwise."""
    written = given(view)
    meant = {province: turn.orders.get(province) for province in written}
    return bool(written) and all(
        type(order) is type(meant[province]) and _goal(order) == _goal(meant[province])
        for province, order in written.items()
    )


def _goal(order: Order | None) -> str:
    return str(getattr(order, "to", None))[:3]


def moment(view: View) -> Any:
    """What stays the same while I write my orders."""
    return view["phase"], view["units"], view["centres"], view["dislodged"]


def follow(turn: Turn, question: Question, legal: Legal) -> Thought:
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
    """The first piece without an order."""
    node = question.node
    rows = node.rows if isinstance(node, Orders) else ()
    return next((row for row in rows if not row.chosen), None)


# The levels
