"""The other side of `guard.Guard`: reads a view, deals a world that fits it, asks the bot.

    python -m powderkeg.bots.process.worker MEMORY

One line of JSON a request and one an answer, which repeats the request's token. The bot's own
prints go to standard error.
"""

import json
import os
import random
import signal
import sys
from dataclasses import replace
from functools import cache, partial
from importlib import import_module
from typing import Any, cast

from powderkeg.bots import levels
from powderkeg.bots.engine.budget import Budget
from powderkeg.bots.engine.thought import Bot, ThinkingBot
from powderkeg.bots.envoy import FormalNote
from powderkeg.bots.game_bots import bots_of
from powderkeg.bots.process.guard import said_by
from powderkeg.core.game import Game, View

IN_TIME = 0.8  # of its seconds that a bot may think: it takes time to start and to answer, too
GRACE = 5  # seconds after its limit at which a worker whose parent has gone ends itself


@cache
def game(name: str) -> Game:
    return cast(Game, import_module(name))


@cache
def bot(name: str, spec: str) -> Bot:
    return levels.load_bot(game(name), spec)


def budgeted(mind: Bot, budget: Budget | None, seconds: float) -> Bot:
    """The same bot, which remembers what it meant to do, with another budget; one that fits into
    the `seconds` after which it is ended."""
    if not isinstance(mind, ThinkingBot):
        return mind
    budget = budget or mind.budget
    if budget.seconds is not None:
        budget = replace(budget, seconds=min(budget.seconds, IN_TIME * seconds))
    return replace(mind, budget=budget)


def pledged(rules: Game, view: View, memory: Any) -> View:
    """The view of a bot that remembers what it promised, where bots talk."""
    envoy = bots_of(rules).envoy
    return view if envoy is None or memory is None else dict(envoy.bind_view(view, memory))


def talk(request: dict[str, Any]) -> dict[str, str]:
    """What the bot's envoy says to the others, as JSON."""
    envoy = bots_of(game(request["game"])).envoy
    assert envoy is not None, "only envoys are sent letters"  # noqa: S101  # the host looked
    heard = [FormalNote(seat, tuple(to), text) for seat, to, text in request["heard"]]
    clock, rng = Budget(1, request["within"]).start(), random.Random(request["seed"])
    public = request["public"]
    said = envoy.exchange_letters(
        request["view"], request["memory"], heard, rng, clock, public=public
    )
    return {"text": json.dumps(said)}


def answer(request: dict[str, Any]) -> dict[str, str]:
    """What the bot says, or what came of asking it."""
    rules, view = game(request["game"]), request["view"]
    budget = Budget(*request["budget"]) if request.get("budget") else None
    try:
        if "heard" in request:
            return talk(request)
        world = rules.deal(view, random.Random(request["seed"]))
        question, legal = rules.ask(world, view["seat"]), rules.legal(world, view["seat"])
        assert question is not None, "whoever must act is asked"  # noqa: S101  # the contract
        mind = budgeted(bot(request["game"], request["bot"]), budget, request["seconds"])
        seen = pledged(rules, view, request.get("memory"))
        said = said_by(mind, seen, question, legal, random.Random(request["seed"]))
        return said._replace(detail=said.detail[:500])._asdict()
    except MemoryError as error:
        return {"text": "", "fault": "memory", "detail": repr(error)}
    except Exception as error:  # noqa: BLE001  # anything may come out of a bot
        return {"text": "", "fault": "raised", "detail": repr(error)[:500]}


def limit(memory: int) -> None:
    """Take no more memory than this, where the system can enforce it."""
    try:
        import resource
    except ImportError:  # Windows
        return
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))


def cut_off(nowhere: int, *pipes: int) -> None:
    """Nobody that a bot forks off hears questions or answers them."""
    for pipe in pipes:
        os.dup2(nowhere, pipe, inheritable=False)


def main() -> None:
    limit(int(sys.argv[1]))
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's to handle
    questions = os.fdopen(os.dup(0), encoding="utf-8")
    replies = os.fdopen(os.dup(1), "w", encoding="utf-8")
    nowhere = os.open(os.devnull, os.O_RDWR)
    os.dup2(nowhere, 0)  # whatever a bot starts inherits these two
    os.dup2(2, 1)
    if hasattr(os, "register_at_fork"):
        pipes = questions.fileno(), replies.fileno()
        os.register_at_fork(after_in_child=partial(cut_off, nowhere, *pipes))
    for line in questions:
        request = json.loads(line)
        if hasattr(signal, "alarm"):  # the parent may be gone and cannot end us
            signal.alarm(int(request["seconds"]) + GRACE)
        try:
            said = {**answer(request), "token": request["token"]}
            replies.write(f"\n{json.dumps(said)}\n")  # its own line, whatever a bot wrote before
            replies.flush()
        except BrokenPipeError:
            os._exit(0)  # nobody waits for the answer any more
        if hasattr(signal, "alarm"):
            signal.alarm(0)


if __name__ == "__main__":
    main()
