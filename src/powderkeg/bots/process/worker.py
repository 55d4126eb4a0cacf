"""The other side of `guard.Guard`: reads a view, deals a world that fits it, asks the bot."""

import json
import random
from dataclasses import replace
from functools import cache
from typing import Any

from powderkeg.bots import levels
from powderkeg.bots.analysis import evaluate_view
from powderkeg.bots.engine.budget import Budget
from powderkeg.bots.engine.thought import Bot, ThinkingBot
from powderkeg.bots.envoy import FormalNote
from powderkeg.bots.game_bots import bots_of
from powderkeg.bots.process.child import serve_requests
from powderkeg.bots.process.guard import ask_bot, view_with_promises
from powderkeg.core.game import import_game

THINKING_PART = (
    0.8  # part of its seconds in which a bot may think: starting and answering take time, too
)


@cache
def cached_bot(name: str, spec: str) -> Bot:
    return levels.load_bot(import_game(name), spec)


def with_budget(mind: Bot, budget: Budget | None, seconds: float) -> Bot:
    """The same bot (it keeps its plan) with another budget that fits into the `seconds` after which
    it is killed.
    """
    if not isinstance(mind, ThinkingBot):
        return mind
    budget = budget or mind.budget
    if budget.seconds is not None:
        budget = replace(budget, seconds=min(budget.seconds, THINKING_PART * seconds))
    return replace(mind, budget=budget)


def answer_letters(request: dict[str, Any]) -> dict[str, str]:
    """What the bot's envoy says to the others, as JSON."""
    envoy = bots_of(import_game(request["game"])).envoy
    assert envoy is not None, "only envoys are sent letters"  # noqa: S101  # the host looked
    heard = [FormalNote(seat, tuple(to), text, why) for seat, to, text, why in request["heard"]]
    clock, rng = Budget(1, request["within"]).start(), random.Random(request["seed"])
    public = request["public"]
    said = envoy.exchange_letters(
        request["view"], request["memory"], heard, rng, clock, public=public
    )
    return {"text": json.dumps(said)}


def answer_estimate(request: dict[str, Any]) -> dict[str, str]:
    """The expected share of each seat, as JSON."""
    game, budget = import_game(request["game"]), Budget(60, request["estimate"])
    shares = evaluate_view(game, request["view"], budget=budget, seed=request["seed"])
    return {"text": json.dumps(shares)}


def answer_question(request: dict[str, Any]) -> dict[str, str]:
    """The bot's answer as JSON, or the fault."""
    rules, view = import_game(request["game"]), request["view"]
    budget = Budget(*request["budget"]) if request.get("budget") else None
    try:
        if "heard" in request:
            return answer_letters(request)
        if "estimate" in request:
            return answer_estimate(request)
        world = rules.deal(view, random.Random(request["seed"]))
        question, legal = rules.ask(world, view["seat"]), rules.legal(world, view["seat"])
        assert question is not None, "every seat that must act is asked"  # noqa: S101  # the contract
        mind = cached_bot(request["game"], request["bot"])
        mind = mind.exact() if request.get("exact") and isinstance(mind, ThinkingBot) else mind
        mind = with_budget(mind, budget, request["seconds"])
        seen = view_with_promises(rules, view, request.get("memory"))
        said = ask_bot(mind, seen, question, legal, random.Random(request["seed"]))
        return said._replace(detail=said.detail[:500])._asdict()
    except MemoryError as error:
        return {"text": "", "fault": "memory", "detail": repr(error)}
    except Exception as error:  # noqa: BLE001  # anything may come out of a bot
        return {"text": "", "fault": "raised", "detail": repr(error)[:500]}


if __name__ == "__main__":
    serve_requests(answer_question)
