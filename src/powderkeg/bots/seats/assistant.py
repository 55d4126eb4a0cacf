"""A seat at a table, in words: everything an assistant needs to play, and no more.

Everything is text in one language. The assistant sees only the view of its own seat, like any player.
"""

import random
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import Protocol

from powderkeg.bots import levels
from powderkeg.bots.characters import split_name
from powderkeg.bots.game_bots import bots_of
from powderkeg.bots.models.outline import outline_question
from powderkeg.bots.models.prompts import briefing_text, section_text
from powderkeg.bots.models.rulebook import rules_page, short_rules
from powderkeg.bots.process import guard
from powderkeg.bots.seats.letters import TableMessage
from powderkeg.bots.seats.parley import LETTER_ROUNDS, Parley
from powderkeg.bots.seats.turn_order import TurnOrder, seats_without_offers
from powderkeg.core.ask import Orders, Question
from powderkeg.core.errors import RulesError, Unreadable
from powderkeg.core.game import Action, Game, Legal, Result, Seat, View, game_message, seat_message
from powderkeg.core.table import Table
from powderkeg.core.words import Arg, Msg, say

MOST_LINES = 200  # lines of a list
MOST_TREE_LINES = 1000  # lines of a question: what it leaves out can be found nowhere else


class TableFace(Protocol):
    """The interface of a table, in this process or on a server."""

    @property
    def game(self) -> Game: ...
    @property
    def to_act(self) -> frozenset[Seat]: ...
    @property
    def result(self) -> Result | None: ...
    def view(self, seat: Seat, /) -> View: ...
    def ask(self, seat: Seat, /) -> Question | None: ...
    def legal(self, seat: Seat, /) -> Legal: ...
    def act(self, seat: Seat, action: str, /) -> object: ...
    def undo(self, seat: Seat, /) -> object: ...


class AssistantSeat(ABC):
    """A seat at a table. Subclasses know where the table is: in this process or on a server."""

    def __init__(self, face: TableFace, seat: Seat, lang: str) -> None:
        self.face, self.seat, self.lang = face, seat, lang
        self.reported = 0  # entries of the log already reported

    def refresh(self) -> None:  # noqa: B027  # a table here is always as it is now
        """See the table as it is now."""

    def others_play(self) -> None:  # noqa: B027  # on a server others play by themselves
        """Let the others play, if they are played from here."""

    @abstractmethod
    def read_news(self) -> str:
        """The facts and letters for this seat since it last asked."""

    @abstractmethod
    def send_message(self, message: TableMessage) -> None:
        """Post a letter with its offer or answer."""

    @abstractmethod
    def read_letters(self) -> Sequence[TableMessage]:
        """The letters that this seat may read."""

    # What an assistant reads

    def introduction(self) -> str:
        game = self.face.game
        return self.t("bots.mcp.about", game=game_message(game), seat=self.name(self.seat))

    def rules(self) -> str:
        """The goal, the map and the rules in short."""
        game, view = self.face.game, self.face.view(self.seat)
        skip = bots_of(game).briefing(view).skipped_rules
        parts = (briefing_text(game, view, self.lang), short_rules(game.name, self.lang, skip))
        return "\n\n".join(filter(None, parts))

    def full_rules(self) -> str:
        return rules_page(self.face.game.name, self.lang)

    def look(self) -> str:
        """The board in words, and the question."""
        self.refresh()
        sections = self.face.game.describe(self.face.view(self.seat))
        return "\n\n".join([*(section_text(s, self.lang) for s in sections), self.question()])

    def question(self) -> str:
        """The question, in a few lines."""
        if (result := self.face.result) is not None:
            return self.t("bots.mcp.over", why=result.why)
        question = self.face.ask(self.seat)
        if question is None:
            return self.t("bots.mcp.wait")
        lines = [self.say(question.prompt)]
        if isinstance(question.node, Orders):
            open_rows = [row.label for row in question.node.rows if not row.chosen]
            lines += [self.t("bots.mcp.without_order", pieces=open_rows)] if open_rows else []
        return "\n".join(lines)

    def answers(self, start: str = "") -> str:
        """The possible answers as a tree; with `start`, the legal actions that begin with it."""
        self.refresh()
        if start:
            legal = self.face.legal(self.seat)
            texts = (text for text in map(str, legal) if text.startswith(start))
            head = self.t("bots.mcp.many", n=legal.count_all(), start=start)
            return "\n".join([head, *self.cut(texts, MOST_LINES)])
        question = self.face.ask(self.seat)
        if question is None:
            return self.question()
        tree = self.cut(outline_question(question.node, self.lang), MOST_TREE_LINES)
        return "\n".join([self.say(question.prompt), self.t("bots.llm.tree"), *tree])

    def cut(self, lines: Iterator[str], most: int) -> list[str]:
        """The first lines; if there are more, a line that says so."""
        shown = list(islice(lines, most + 1))
        return shown if len(shown) <= most else [*shown[:most], self.t("bots.mcp.cut", n=most)]

    # What an assistant does

    def act(self, orders: str) -> str:
        """Perform one order or a whole turn, let the others answer, and report what happened."""
        self.refresh()
        done, refused = self._perform(orders)
        if done:
            self.others_play()
        lines = [self.t("bots.mcp.done", orders="; ".join(done))] if done else []
        news = self.read_news() if done else ""
        return "\n\n".join(filter(None, ["\n".join([*lines, *refused]), news, self.question()]))

    def _perform(self, orders: str) -> tuple[list[str], list[str]]:
        """Perform orders one after another; return those that were done, and why others were
        refused.
        """
        done, refused = list[str](), list[str]()
        game, text = self.face.game, orders.replace(";", "\n")
        for piece, meaning in game.read(self.face.view(self.seat), text, self.lang):
            if self.face.ask(self.seat) is None:
                refused.append(self.t("bots.mcp.not_played", order=piece))
            elif why := self._try_order(meaning):
                refused.append(self.t("bots.mcp.refused", order=piece, why=why))
            else:
                done.append(str(meaning))
        return done, refused or ([] if done else [self.t("bots.mcp.no_order")])

    def _try_order(self, meaning: Action | RulesError) -> str:
        """Perform an action; returns why it was refused, if it was."""
        try:
            if isinstance(meaning, RulesError):
                raise meaning
            self.face.act(self.seat, str(meaning))
        except RulesError as refusal:
            return self.refusal_text(refusal)
        return ""

    def refusal_text(self, refusal: RulesError) -> str:
        why = str(getattr(refusal, "text", "") or self.say(refusal.msg))
        return f"{why} [{refusal.rule}]" if refusal.rule else why

    def undo(self) -> str:
        """Take the last action back, if that is still possible."""
        try:
            self.face.undo(self.seat)
        except RulesError as refusal:
            return self.refusal_text(refusal)
        return self.question()

    def talk(self, message: TableMessage) -> str:
        """Post a letter, if there is anything in it, and read all letters."""
        try:
            if message.text or message.promises or message.answers:
                self.send_message(message)
        except RulesError as refusal:
            return self.refusal_text(refusal)
        return "\n".join(map(self.letter_line, self.read_letters())) or self.t("bots.mcp.silence")

    def letter_line(self, letter: TableMessage) -> str:
        number = f"[{letter.number}] " if letter.asks else ""
        return f"{number}{letter.sender} -> {', '.join(letter.to) or '*'}: {letter.text}"

    def name(self, seat: Seat) -> Msg:
        return seat_message(self.face.game, seat)

    def say(self, what: Arg) -> str:
        return say(what, self.lang)

    def t(self, code: str, /, **args: Arg) -> str:
        return self.say(Msg(code, **args))


def ignore_change() -> None:
    """The `on_change` of a table that is not saved."""


class LocalSeat(AssistantSeat):
    """A seat at a table in this process; bots of `level` have the others, and write letters where
    their game has an envoy. `on_change` is called after every change."""

    def __init__(
        self, table: Table, seat: Seat, level: str, *, seed: str = "0", lang: str = "en"
    ) -> None:
        super().__init__(table, seat, lang)
        self.table, self.seed = table, seed
        self.on_change: Callable[[], None] = ignore_change
        self.bot = levels.find_bot(table.game, level)
        others = [other for other in table.seats if other != seat]
        self.turn_order = TurnOrder(table.game, table.seats, seats_without_offers(self.bot, others))
        envoy, (skill, character) = bots_of(table.game).envoy, split_name(level)
        talking = others if envoy and skill in envoy.TALKING_LEVELS else ()
        self.parley = Parley(table, dict.fromkeys(talking, character))
        self.seen_letters = 0
        self.spoken = ""  # the phase in which the bots wrote
        self.others_play()

    def read_news(self) -> str:
        facts = [f for facts in self.table.facts[self.reported :] for f in facts]
        self.reported = len(self.table.facts)
        lines = [self.say(f.msg) for f in facts if f.seen_by(self.seat)]
        letters = self.read_letters()
        new = [x for x in letters if x.number > self.seen_letters and x.sender != self.seat]
        self.seen_letters = len(self.parley.letters)
        return "\n".join([*lines, *map(self.letter_line, new)])

    def send_message(self, message: TableMessage) -> None:
        if not self.parley.marks.talk:
            raise Unreadable("bots.mcp.no_talk_now")
        self.parley.post_message(message)
        self._bots_write()

    def read_letters(self) -> Sequence[TableMessage]:
        return self.parley.letters_for(self.seat, self.lang)

    def others_play(self) -> None:
        """Bots write and decide until this seat is asked, or the game is over."""
        table = self.table
        self._open_talk()
        while (asked := self.turn_order.next_seats(table.state)) and self.seat not in asked:
            seat = min(asked)
            luck, memory = f"{self.seed}/{seat}/{len(table.log)}", self.parley.memories.get(seat)
            said = guard.decide_here(table.game, table.state, seat, self.bot, luck, memory)
            table.act(seat, said.action)
            self.parley.post_reason(seat, said.spoken)
            self._open_talk()
        self.on_change()

    def _open_talk(self) -> None:
        """Let the bots write at the start of a phase."""
        marks = self.parley.marks
        if marks.talk and marks.phase != self.spoken:
            self.spoken = marks.phase
            self._bots_write()

    def _bots_write(self) -> None:
        for number in range(LETTER_ROUNDS):
            if not self.parley.exchange_letters(f"{self.seed}/{len(self.parley.letters)}/{number}"):
                break

    def undo(self) -> str:
        text = super().undo()
        self.on_change()
        return text


def take_seat(
    table: Table, seat: Seat | None, level: str, *, seed: str | None = None, lang: str = "en"
) -> LocalSeat:
    """The assistant's seat at `table`: the one named, or the first one."""
    if seat is not None and seat not in table.seats:
        raise Unreadable("core.no_such_seat", seat=seat)
    luck = seed if seed is not None else str(random.SystemRandom().getrandbits(64))
    return LocalSeat(table, seat or table.seats[0], level, seed=luck, lang=lang)
