"""A language model at a table: it plans whole turns, and talks if it may.

One request brings a whole turn. What was refused is asked again with the reason in words; after
that, or when a bound is reached, the harmless default is played. A table is never held up.
"""

import random
import time
from collections import deque
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any, Final, NamedTuple

from powderkeg.bots.engine.budget import Budget, Clock
from powderkeg.bots.engine.tally import forced_choice
from powderkeg.bots.engine.thought import ModelFault, ThinkingBot, Thought
from powderkeg.bots.game_bots import bots_of
from powderkeg.bots.models.chat import (
    ChatConnection,
    ChatFunction,
    ChatLine,
    ChatRequest,
    FormRefused,
    ModelReply,
    ModelUnreachable,
    chat_line,
    count_tokens,
)
from powderkeg.bots.models.mind import PlannedThought, SeatMind
from powderkeg.bots.models.prompts import PromptWriter
from powderkeg.bots.models.replies import (
    TURN_SCHEMA,
    parse_letters,
    parse_turn,
    read_diary,
    talk_schema,
)
from powderkeg.bots.models.settings import ModelEndpoint, ModelManner
from powderkeg.bots.models.turn import TurnDraft
from powderkeg.bots.models.usage import ModelUsage
from powderkeg.bots.seats.letters import TableMessage
from powderkeg.core import plain
from powderkeg.core.ask import Question
from powderkeg.core.chance import Rng
from powderkeg.core.game import Game, Legal, Seat, View
from powderkeg.core.words import Msg

MOST_EXCHANGES: Final = 200  # that are kept to look at
LONGEST_REMINDER: Final = 4000  # characters of a refused answer that the model sees again
LEAST_SECONDS: Final = 0.1  # a request needs some time, so never none at all


class ModelExchange(NamedTuple):
    """One question to the model and what it said; `refused`: why that could not be done."""

    seat: Seat
    asked: str
    said: str
    refused: str = ""


class ModelPlayer:
    """A model that plays one game, at one seat or several. Seats may be asked in parallel."""

    def __init__(
        self,
        game: Game,
        endpoint: ModelEndpoint,
        manner: ModelManner | None = None,
        *,
        reply: ChatFunction | None = None,
    ) -> None:
        self.game, self.endpoint, self.manner = game, endpoint, manner or ModelManner()
        self.reply = reply or ChatConnection(endpoint, self.manner)
        self.writer = PromptWriter(game, self.manner)
        self.minds: dict[Seat, SeatMind] = {}
        self.exchanges: deque[ModelExchange] = deque(maxlen=MOST_EXCHANGES)

    @property
    def name(self) -> str:
        return f"bot ({self.endpoint.model})"

    @property
    def settings(self) -> dict[str, Any]:
        """The settings to store with a result: model and manner, without the key."""
        endpoint = {"model": self.endpoint.model, "seconds": self.endpoint.seconds}
        return {**endpoint, **plain.dump(self.manner)}

    def bot(self, budget: Budget | None = None) -> ThinkingBot:
        tries = 1 + self.manner.retries
        whole = Budget(tries, tries * self.endpoint.seconds)
        return ThinkingBot(self.name, self.think, budget or whole, self.settings)

    def seat_mind(self, seat: Seat) -> SeatMind:
        return self.minds.setdefault(seat, SeatMind(self.manner))

    def seat_usage(self, seat: Seat) -> ModelUsage:
        return self.seat_mind(seat).purse.spent

    def hear_news(self, seat: Seat, lines: Sequence[str]) -> None:
        """What happened, as the seat may know it."""
        self.seat_mind(seat).hear_news(lines)

    # Turns

    def think(
        self, view: View, question: Question, legal: Legal, rng: Rng, clock: Clock
    ) -> Thought:
        """The next step of the plan; without one, the model plans its turn first."""
        mind = self.seat_mind(view["seat"])
        if (only := forced_choice(legal)) is not None:
            mind.drop_step(only.action)
            return only
        self.plan_turn(view, question, legal, rng, clock)
        return mind.plan.popleft().thought

    def plan_turn(
        self, view: View, question: Question, legal: Legal, rng: Rng, clock: Clock
    ) -> None:
        """Ask for a turn, unless the plan still answers the question or there is no choice."""
        mind, draft = self._enter_phase(view, rng)
        if forced_choice(legal) is None and not mind.has_plan(question, legal):
            mind.plan.extend(self._ask_turn(mind, draft, question, clock))

    def _enter_phase(self, view: View, rng: Rng) -> tuple[SeatMind, TurnDraft]:
        mind, draft = (
            self.seat_mind(view["seat"]),
            TurnDraft(self.game, view, rng, self.manner.lang),
        )
        mind.enter_phase(draft.phase)
        return mind, draft

    def _ask_turn(
        self, mind: SeatMind, draft: TurnDraft, question: Question, clock: Clock
    ) -> Iterator[PlannedThought]:
        """The model's turn; with a fault, what could be read of it, or the default."""
        default = self.game.default(draft.world, draft.view["seat"])
        fault, detail = self._fill_draft(mind, draft, question, clock)
        if draft.takes_orders and (draft.steps or not fault):
            draft.close_orders()
        reason = Msg("bots.reason.model", said=detail)
        if fault:
            mind.purse.count_fault(fault)
            reason = Msg(f"bots.reason.{fault}", why=detail)
        if not draft.steps:
            yield PlannedThought(
                question.prompt.code, Thought(default, reason, fault=fault or "gave_up")
            )
        for number, step in enumerate(draft.steps):
            thought = Thought(step.action, reason, fault="" if number else fault)
            yield PlannedThought(step.asked, thought)

    def _fill_draft(
        self, mind: SeatMind, draft: TurnDraft, question: Question, clock: Clock
    ) -> tuple[ModelFault, str]:
        """Ask until the turn is legal; returns what went wrong, and the model's reason or ours."""
        lines = self._turn_lines(mind, draft.view, question)
        fault: ModelFault = ""
        detail = before = ""
        for _ in range(1 + self.manner.retries):
            if clock.late():
                break
            reply = self._send(mind, draft.view["seat"], lines, TURN_SCHEMA, clock)
            if isinstance(reply, ModelUnreachable):
                fault, detail = ("gave_up" if before else "unreachable"), str(reply)
                continue
            if reply is None:
                fault = "spent" if mind.purse.is_reachable else "unreachable"
                break
            detail, refusals = self._read_reply(mind, draft, reply.text)
            self._keep_exchange(draft.view["seat"], lines, reply.text, " ".join(refusals))
            if not refusals:
                return "", detail
            fault, detail = "gave_up", " ".join(refusals)
            if reply.text == before:
                fault = "repeated"
                break
            before = reply.text
            lines = [*lines, *self._refusal_lines(draft, before, refusals)]
        return fault or "unreachable", detail

    def _read_reply(self, mind: SeatMind, draft: TurnDraft, said: str) -> tuple[str, list[str]]:
        """Add the orders of a reply to the draft: the model's reason, and what was refused."""
        answer = parse_turn(said)
        mind.write_diary(answer.diary)
        empty = not answer.orders and not draft.takes_orders
        if answer.orders is None or empty:
            refusals = [self.writer.t("no_orders")]
        else:
            refusals = draft.add_orders(answer.orders)
        return answer.why, refusals

    def _turn_lines(self, mind: SeatMind, view: View, question: Question) -> list[ChatLine]:
        writer = self.writer
        memory = writer.memory(mind.news, mind.diary, mind.letters)
        asked = "\n\n".join([writer.board(view), *memory, writer.question(question)])
        return [chat_line("system", writer.introduction(view)), chat_line("user", asked)]

    def _refusal_lines(
        self, draft: TurnDraft, said: str, refusals: Sequence[str]
    ) -> list[ChatLine]:
        accepted = "; ".join(draft.accepted_texts()) or "-"
        why = "\n".join(refusals)
        asked = self.writer.t("refused", why=why, accepted=accepted)
        return [chat_line("assistant", said[-LONGEST_REMINDER:]), chat_line("user", asked)]

    # Requests

    def _send(
        self,
        mind: SeatMind,
        seat: Seat,
        lines: list[ChatLine],
        schema: dict[str, Any],
        clock: Clock | None = None,
    ) -> ModelReply | ModelUnreachable | None:
        """The model's reply, or why there is none; None: the seat may spend no more."""
        asked = sum(count_tokens(line["content"]) for line in lines)
        while mind.purse.can_pay(asked + self.manner.tokens):
            try:
                reply = self.reply(ChatRequest(lines, schema, self._patience(clock)))
            except ModelUnreachable as error:
                mind.purse.pay(asked, 0)
                self._keep_exchange(seat, lines, "", str(error))
                if isinstance(error, FormRefused):
                    continue
                mind.purse.count_answer(failed=True)
                time.sleep(min(error.pause, self._patience(clock)))
                return error
            mind.purse.pay(reply.tokens_in or asked, reply.tokens_out or count_tokens(reply.text))
            mind.purse.count_answer(failed=False)
            return reply
        return None

    def _keep_exchange(
        self, seat: Seat, lines: Sequence[ChatLine], said: str, refused: str = ""
    ) -> None:
        self.exchanges.append(ModelExchange(seat, lines[-1]["content"], said, refused))

    def _patience(self, clock: Clock | None) -> float:
        """Seconds to wait for an answer."""
        left = clock.seconds if clock else None
        most = self.endpoint.seconds
        return most if left is None else max(LEAST_SECONDS, min(most, left))

    # Talk

    def talk(
        self, view: View, inbox: Sequence[TableMessage], others: Sequence[Seat]
    ) -> list[TableMessage]:
        """What the model says to the others now, no more than it may in this phase. `inbox` is what
        was said so far; the model is reminded of it when it next decides."""
        mind, _ = self._enter_phase(view, random.Random(0))
        mind.letters = tuple(inbox)
        left = self.manner.press - mind.written
        if left <= 0:
            return []
        lines = self._talk_lines(mind, view, others)
        reply = self._send(mind, view["seat"], lines, talk_schema(self._promise_kinds))
        if not isinstance(reply, ModelReply):
            return []
        self._keep_exchange(view["seat"], lines, reply.text)
        mind.write_diary(read_diary(reply.text))
        found = parse_letters(reply.text, view["seat"], others, self.manner.press_length)
        made = list(islice(found, left))
        mind.written += len(made)
        mind.letters += tuple(made)
        return made

    @property
    def _promise_kinds(self) -> list[str]:
        envoy = bots_of(self.game).envoy
        return [each.kind for each in envoy.promise_kinds()] if envoy else []

    def _talk_lines(self, mind: SeatMind, view: View, others: Sequence[Seat]) -> list[ChatLine]:
        writer = self.writer
        memory = writer.memory(mind.news, mind.diary, mind.letters)
        left = self.manner.press - mind.written
        question = writer.talk_question(left, others, self._promise_kinds)
        asked = "\n\n".join([writer.board(view), *memory, question])
        return [chat_line("system", writer.introduction(view, talk=True)), chat_line("user", asked)]
