"""The other side of `guard.Guard`: reads a view, deals a world that fits it, asks the bot.

    python -m powderkeg.bots.worker MEMORY

One line of JSON a request and one an answer. The bot's own prints go to standard error.
"""

import json
import os
import random
import signal
import sys
from dataclasses import replace
from functools import cache
from importlib import import_module
from typing import Any, cast

from powderkeg.bots import levels
from powderkeg.bots.budget import Budget
from powderkeg.bots.thought import Bot
from powderkeg.core.game import Game

GRACE = 5  # seconds after its limit at which a worker whose parent has gone ends itself


@cache
def game(name: str) -> Game:
    return cast(Game, import_module(name))


@cache
def bot(name: str, spec: str) -> Bot:
    return levels.load(game(name), spec)


def budgeted(mind: Bot, budget: Budget | None) -> Bot:
    """The same bot, which remembers what it meant to do, with another budget."""
    if budget is None or not isinstance(mind, levels.Mind):
        return mind
    return replace(mind, budget=budget)


def answer(request: dict[str, Any]) -> dict[str, str]:
    """What the bot says, or what came of asking it."""
    rules, view = game(request["game"]), request["view"]
    budget = Budget(*request["budget"]) if request["budget"] else None
    try:
        world = rules.deal(view, random.Random(request["seed"]))
        question, legal = rules.ask(world, view["seat"]), rules.legal(world, view["seat"])
        assert question is not None, "whoever must act is asked"  # noqa: S101  # the contract
        mind = budgeted(bot(request["game"], request["bot"]), budget)
        return {"text": str(mind(view, question, legal, random.Random(request["seed"])))}
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


def main() -> None:
    limit(int(sys.argv[1]))
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's to handle
    replies = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    for line in sys.stdin:
        request = json.loads(line)
        if hasattr(signal, "alarm"):  # the parent may be gone and cannot end us
            signal.alarm(int(request["seconds"]) + GRACE)
        replies.write(json.dumps(answer(request)) + "\n")
        replies.flush()
        if hasattr(signal, "alarm"):
            signal.alarm(0)


if __name__ == "__main__":
    main()
