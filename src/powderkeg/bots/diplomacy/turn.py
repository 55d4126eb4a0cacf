"""From a plan of the whole turn to the answer of one question.

A bot is asked for one order at a time. It plans when it has written nothing yet, and remembers the
plan until the turn is over; who is asked in the middle of a turn plans what is left.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from powderkeg.bots.diplomacy.numbers.engine import Plain
from powderkeg.bots.diplomacy.numbers.position import fixed, given, hand_number, orders, scene_of
from powderkeg.bots.diplomacy.plan import promises, retreats_and_builds
from powderkeg.bots.diplomacy.plan.orders import Army
from powderkeg.bots.diplomacy.plan.search import seeds
from powderkeg.bots.engine.budget import Clock
from powderkeg.bots.engine.random_bot import sampled
from powderkeg.bots.engine.search import Knowledge
from powderkeg.bots.engine.thought import Line, Think, Thought
from powderkeg.core.ask import Orders, Question, Row
from powderkeg.core.chance import Rng
from powderkeg.core.game import Action, Legal, Seat, View
from powderkeg.core.words import Msg
from powderkeg.games.diplomacy.actions import Order, Ready

BLUNDER: Final = 3  # an easy bot gives about one order in three without thinking


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


def dumb_think(know: Knowledge) -> Think:
    """Greedy by value."""
    return thinker(dumb_turn)


def easy_think(know: Knowledge) -> Think:
    """The same, but now and then a piece does whatever comes to its mind."""
    sober = thinker(dumb_turn)

    def think(view: View, question: Question, legal: Legal, rng: Rng, clock: Clock) -> Thought:
        row = open_row(question)
        if row is not None and view["stage"] == "movement" and rng.randrange(BLUNDER) == 0:
            action: Action | None = sampled(know.game, row.node, legal, rng)
            if action is not None:
                return Thought(action, Msg("bots.reason.random"))
        return sober(view, question, legal, rng, clock)

    return think


def dumb_turn(view: View, rng: Rng, clock: Clock) -> Turn:
    """Every piece where it is worth most."""
    scene, me = scene_of(view), hand_number(view)
    hand = scene.hands[me]
    why = Msg("bots.reason.values")
    if view["stage"] != "movement":
        return Turn(retreats_and_builds.greedy(view, hand, rng), why)
    army, bound = Army(scene, hand), promises.read(view)
    row = army.idle()
    for at, order in (bound.fixed(army) | fixed(given(view))).items():
        row[3 * at : 3 * at + 3] = order
    drafted = Plain().drafts(bound.scene(scene), row, [hand], seeds(rng, 1))[0]
    return Turn(orders(scene, hand, drafted), why)
