"""From a plan to the answer of one question."""

from collections.abc import Mapping
from dataclasses import fields
from typing import Any, Final

from powderkeg.bots.budget import Clock
from powderkeg.bots.diplomacy import dumb
from powderkeg.bots.diplomacy.response import best_response
from powderkeg.bots.search import Knowledge
from powderkeg.bots.simple import sampled
from powderkeg.bots.thought import Think, Thought
from powderkeg.core.ask import Orders, Question, Row, texts
from powderkeg.core.chance import Rng
from powderkeg.core.errors import RulesError
from powderkeg.core.game import Action, Legal, View
from powderkeg.core.words import Msg
from powderkeg.games.diplomacy.orders import Order, Ready, parse_order
from powderkeg.games.diplomacy.position import Rulebook

BLUNDER: Final = 3  # an easy bot gives about one order in three without thinking


def dumb_think(know: Knowledge) -> Think:
    """Greedy by value."""

    def think(view: View, question: Question, legal: Legal, rng: Rng, clock: Clock) -> Thought:
        return Thought(_next(view, question, legal, rng), Msg("bots.reason.values"))

    return think


def easy_think(know: Knowledge) -> Think:
    """The same, but now and then a piece does whatever comes to its mind."""

    def think(view: View, question: Question, legal: Legal, rng: Rng, clock: Clock) -> Thought:
        row = _open_row(question)
        if row is not None and view["stage"] == "movement" and rng.randrange(BLUNDER) == 0:
            action = sampled(know.game, row.node, legal, rng)
            if action is not None:
                return Thought(action, Msg("bots.reason.random"))
        return Thought(_next(view, question, legal, rng), Msg("bots.reason.values"))

    return think


def response_think(know: Knowledge) -> Think:
    """The best of many greedy plans against many guesses at what the others do."""

    def think(view: View, question: Question, legal: Legal, rng: Rng, clock: Clock) -> Thought:
        if view["stage"] != "movement" or _open_row(question) is None:
            return Thought(_next(view, question, legal, rng), Msg("bots.reason.values"))
        mine: list[str] = view["seats"][view["seat"]]["powers"]
        given = [text for text in view["drafts"].values() if _is_order(text)]
        found = best_response(view, mine, given, _rulebook(view), rng, clock)
        return Thought(_give(found, question, legal), Msg("bots.reason.response"))

    return think


def _rulebook(view: View) -> Rulebook:
    names = {field.name for field in fields(Rulebook)}
    return Rulebook(**{k: v for k, v in view["options"].items() if k in names})


def _open_row(question: Question) -> Row | None:
    """The first piece without an order."""
    node = question.node
    return (
        next((row for row in node.rows if not row.chosen), None)
        if isinstance(node, Orders)
        else None
    )


def _next(view: View, question: Question, legal: Legal, rng: Rng) -> Action:
    """The next order of a plan for the whole turn; *ready* when every piece has its own."""
    return _give(plan(view, question, rng), question, legal)


def _give(orders: Mapping[str, Order], question: Question, legal: Legal) -> Action:
    node = question.node
    rows = node.rows if isinstance(node, Orders) else ()
    for row in rows:
        order = orders.get(row.target[:3])
        if not row.chosen and order is not None and order in legal:
            return order
    return Ready()


def plan(view: View, question: Question, rng: Rng) -> Mapping[str, Order]:
    """What each piece without an order should do, by province."""
    mine: list[str] = view["seats"][view["seat"]]["powers"]
    given = [text for text in view["drafts"].values() if _is_order(text)]
    if view["stage"] == "movement":
        return dumb.movement(view, mine, given, rng)
    if view["stage"] == "retreat":
        return dumb.retreats(view, mine, _choices(question), given, rng)
    return dumb.adjustments(view, mine, _choices(question), given, rng)


def _is_order(text: str) -> bool:
    return not text.startswith("WAIVE")


def _choices(question: Question) -> dict[str, list[Order]]:
    """What every open piece may do."""
    node = question.node
    rows = [row for row in node.rows if not row.chosen] if isinstance(node, Orders) else []
    return {row.target[:3]: [o for text in texts(row.node) if (o := _read(text))] for row in rows}


def _read(text: str) -> Any:
    try:
        return parse_order(text)
    except RulesError:
        return None
