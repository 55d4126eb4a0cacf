"""Protects the table from a bot that raises, hangs, answers nonsense or eats memory.

`Guard` asks a bot in a process of its own, with a limit of time and memory. Only the view is sent,
as JSON: the child process deals a world from it, so even a hostile bot cannot learn more. If
anything goes wrong, the answer is still legal: the game's `default`.

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
from powderkeg.bots.engine.shares import Shares
from powderkeg.bots.engine.thought import Bot, ModelFault, ThinkingBot
from powderkeg.bots.envoy import EnvoyReply, FormalNote
from powderkeg.bots.game_bots import bots_of
from powderkeg.bots.process.host import ProcessHost
from powderkeg.core import plain
from powderkeg.core.ask import Question
from powderkeg.core.chance import Rng
from powderkeg.core.errors import RulesError
from powderkeg.core.game import Action, Game, Legal, Seat, State, View, game_reference

BotFault = Literal["raised", "nonsense", "late", "memory", "died"] | ModelFault


class BotDecision(NamedTuple):
    """A legal action, the fault of the bot's own answer (if any), and how long it took."""

    action: Action
    fault: BotFault = ""
    seconds: float = 0.0
    detail: str = ""
    spoken: str = ""  # the code of a sentence for the others


class BotAnswer(NamedTuple):
    """A bot's answer before it is checked."""

    text: str
    fault: BotFault = ""
    detail: str = ""
    spoken: str = ""


def decide_here(
    game: Game, state: State, seat: Seat, bot: Bot, seed: str, memory: Any = None
) -> BotDecision:
    """Ask a bot in this process: quick, but safe only from errors and illegal answers. `memory` is
    what its envoy remembers."""
    began = time.perf_counter()
    question, legal = game.ask(state, seat), game.legal(state, seat)
    assert question is not None, "every seat that must act is asked"  # noqa: S101  # the contract
    try:
        view = view_with_promises(game, game.view(state, seat), memory)
        asked = ask_bot(bot, view, question, legal, random.Random(seed))
    except MemoryError as error:
        asked = BotAnswer("", "memory", repr(error))
    except Exception as error:  # noqa: BLE001  # anything may come out of a bot
        asked = BotAnswer("", "raised", repr(error))
    return checked_decision(game, state, seat, asked, time.perf_counter() - began)


def view_with_promises(game: Game, view: View, memory: Any) -> View:
    """The view of a bot that remembers what it promised, where bots talk."""
    envoy = bots_of(game).envoy
    return view if envoy is None or memory is None else dict(envoy.bind_view(view, memory))


def ask_bot(bot: Bot, view: View, question: Question, legal: Legal, rng: Rng) -> BotAnswer:
    """A bot's answer; a bot that explains itself also reports a failure to think."""
    if not isinstance(bot, ThinkingBot):
        return BotAnswer(str(bot(view, question, legal, rng)))
    thought = bot.think(view, question, legal, rng)
    why = str(thought.reason) if thought.fault else ""
    return BotAnswer(str(thought.action), thought.fault, why, thought.spoken)


def checked_decision(
    game: Game, state: State, seat: Seat, asked: BotAnswer, seconds: float
) -> BotDecision:
    """The bot's answer if it is legal, else the default."""
    try:
        action = game.parse(asked.text)
        if action in game.legal(state, seat):
            return BotDecision(action, asked.fault, seconds, asked.detail, asked.spoken)
    except RulesError:
        pass
    fault: BotFault = asked.fault or "nonsense"
    detail = asked.detail if asked.fault else repr(asked.text[:200])
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
        *,
        exact: bool = False,
    ) -> BotDecision:
        """The action of `bot` (a level, or ``module:name``); the default if it fails. `memory` is
        what its envoy remembers (`talk`); `exact` lets only the iterations of its budget count."""
        began = time.perf_counter()
        request = {
            "game": game_reference(game),
            "bot": bot,
            "view": game.view(state, seat),
            "seed": seed,
            "budget": [budget.iterations, budget.seconds] if budget else None,
            "exact": exact,
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
        """What the envoy of a game's bots says, within `within` seconds if possible; nothing if it
        fails. The texts are in their standard spelling.
        """
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

    def estimate(
        self, game: Game, view: View, seed: str, *, within: float
    ) -> tuple[Shares | None, BotFault]:
        """The share of the game that each seat can expect, judged by `view`."""
        request = {"game": game_reference(game), "view": view, "seed": seed, "estimate": within}
        asked = self.ask(request)
        if asked.fault:
            return None, asked.fault
        try:
            return plain.load(dict[str, float], json.loads(asked.text)), ""
        except (ValueError, TypeError):
            return None, "nonsense"

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


MOST_NOTES = 20  # per envoy and call
LONGEST_MEMORY = 50_000  # characters of an envoy's memory


def _parse_reply(game: Game, view: View, memory: Any, text: str) -> tuple[EnvoyReply, BotFault]:
    """What an envoy said, if it makes sense."""
    envoy, nothing = bots_of(game).envoy, EnvoyReply((), memory)
    assert envoy is not None, "only envoys are sent letters"  # noqa: S101  # the host looked
    try:
        notes, kept, rebound = json.loads(text)
        made = tuple(
            FormalNote(view["seat"], tuple(to), envoy.canonical_text(said), str(why))
            for _, to, said, why in notes
        )
    except (RulesError, ValueError, TypeError, AttributeError):
        return nothing, "nonsense"
    if len(made) > MOST_NOTES or len(json.dumps(kept)) > LONGEST_MEMORY:
        return nothing, "nonsense"
    return EnvoyReply(made, kept, bool(rebound)), ""
