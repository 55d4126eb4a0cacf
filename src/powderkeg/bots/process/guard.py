"""A bot that raises, hangs, answers nonsense or eats memory never harms the table.

`Guard` asks a bot in a process of its own, with a limit of time and memory. Only the view crosses
over, as JSON: the other side deals a world from it, so even a hostile bot cannot learn more.
Whatever goes wrong, the answer is legal: the bot's, or the game's `default`.

    with Guard() as guard:
        said = guard.decide(game, state, seat, "hard", seed="g7/FRANCE/12")
        table.act(seat, said.action)
"""

import json
import random
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from powderkeg.bots.engine.budget import Budget
from powderkeg.bots.engine.thought import Bot, ThinkingBot
from powderkeg.bots.envoy import EnvoyReply, FormalNote
from powderkeg.bots.game_bots import bots_of
from powderkeg.bots.process.host import ProcessHost
from powderkeg.bots.process.reference import game_reference
from powderkeg.core import plain
from powderkeg.core.ask import Question
from powderkeg.core.chance import Rng
from powderkeg.core.errors import RulesError
from powderkeg.core.game import Action, Game, Legal, Seat, State, View

BotFault = Literal["", "raised", "nonsense", "late", "memory", "died", "gave_up", "unreachable"]


class BotDecision(NamedTuple):
    """A legal action; what was wrong with the bot's own answer, if anything; how long it took."""

    action: Action
    fault: BotFault = ""
    seconds: float = 0.0
    detail: str = ""


class BotAnswer(NamedTuple):
    """A bot's answer before it is checked."""

    text: str
    fault: BotFault = ""
    detail: str = ""


def decide_here(game: Game, state: State, seat: Seat, bot: Bot, seed: str) -> BotDecision:
    """Ask a bot in this process: quick, but safe only from errors and illegal answers."""
    began = time.perf_counter()
    question, legal = game.ask(state, seat), game.legal(state, seat)
    assert question is not None, "every seat that must act is asked"  # noqa: S101  # the contract
    try:
        asked = ask_bot(bot, game.view(state, seat), question, legal, random.Random(seed))
    except MemoryError as error:
        asked = BotAnswer("", "memory", repr(error))
    except Exception as error:  # noqa: BLE001  # anything may come out of a bot
        asked = BotAnswer("", "raised", repr(error))
    return checked_decision(game, state, seat, asked, time.perf_counter() - began)


def ask_bot(bot: Bot, view: View, question: Question, legal: Legal, rng: Rng) -> BotAnswer:
    """A bot's answer; a bot that explains itself also reports a failure to think."""
    if not isinstance(bot, ThinkingBot):
        return BotAnswer(str(bot(view, question, legal, rng)))
    thought = bot.think(view, question, legal, rng)
    return BotAnswer(
        str(thought.action), thought.fault, str(thought.reason) if thought.fault else ""
    )


def checked_decision(
    game: Game, state: State, seat: Seat, asked: BotAnswer, seconds: float
) -> BotDecision:
    """The bot's answer if it is legal, else the default."""
    fault, detail = asked.fault, asked.detail
    if not fault:
        try:
            action = game.parse(asked.text)
            if action in game.legal(state, seat):
                return BotDecision(action, "", seconds)
        except RulesError:
            pass
        fault, detail = "nonsense", repr(asked.text[:200])
    return BotDecision(game.default(state, seat), fault, seconds, detail)


BROKEN_FAULTS = (
    "late",
    "memory",
    "died",
    "nonsense",
)  # faults after which a process is not used again


@dataclass
class Guard(ProcessHost):
    """A process in which bots are asked."""

    module: str = "powderkeg.bots.process.worker"

    def decide(
        self,
        game: Game,
        state: State,
        seat: Seat,
        bot: str,
        seed: str,
        budget: Budget | None = None,
        memory: Any = None,
    ) -> BotDecision:
        """What `bot` (a level, or ``module:name``) does; the default if it cannot say. `memory` is
        what its envoy remembers (`talk`)."""
        began = time.perf_counter()
        request = {
            "game": game_reference(game),
            "bot": bot,
            "view": game.view(state, seat),
            "seed": seed,
            "budget": [budget.iterations, budget.seconds] if budget else None,
        }
        if memory is not None:
            request["memory"] = memory
        asked = self.ask(request)
        return checked_decision(game, state, seat, asked, time.perf_counter() - began)

    def talk(
        self,
        game: Game,
        view: View,
        memory: Any,
        heard: Sequence[FormalNote],
        seed: str,
        *,
        within: float,
        public: bool,
    ) -> tuple[EnvoyReply, BotFault]:
        """What the envoy of a game's bots says, `within` so many seconds if it can; nothing if it
        fails. The texts are as they should be spelled."""
        request = {
            "game": game_reference(game),
            "view": view,
            "memory": memory,
            "heard": [list(note) for note in heard],
            "public": public,
            "seed": seed,
            "within": within,
        }
        asked = self.ask(request)
        if asked.fault:
            return EnvoyReply((), memory), asked.fault
        return _parse_reply(game, view, memory, asked.text)

    def ask(self, request: dict[str, Any]) -> BotAnswer:
        """Send one request to the worker and read what its bot said."""
        body, fault, detail = self.send_request(request)
        if fault:
            return BotAnswer("", fault, detail)
        try:
            asked = plain.load(BotAnswer, body)
        except (ValueError, TypeError):
            asked = BotAnswer("", "nonsense", repr(body)[:200])
        if asked.fault in BROKEN_FAULTS:
            self.close()
        return asked


MOST_NOTES = 20  # of one envoy at a time
LONGEST_MEMORY = 50_000  # characters of what one remembers


def _parse_reply(game: Game, view: View, memory: Any, text: str) -> tuple[EnvoyReply, BotFault]:
    """What an envoy said, if it makes sense."""
    envoy, nothing = bots_of(game).envoy, EnvoyReply((), memory)
    assert envoy is not None, "only envoys are sent letters"  # noqa: S101  # the host looked
    try:
        notes, kept, rebound = json.loads(text)
        made = tuple(
            FormalNote(view["seat"], tuple(to), envoy.canonical_text(said)) for _, to, said in notes
        )
    except (RulesError, ValueError, TypeError, AttributeError):
        return nothing, "nonsense"
    if len(made) > MOST_NOTES or len(json.dumps(kept)) > LONGEST_MEMORY:
        return nothing, "nonsense"
    return EnvoyReply(made, kept, bool(rebound)), ""
