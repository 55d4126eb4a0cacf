"""A seat at a table, in words: everything an assistant needs to play, and no more.

Everything is text in one language. The assistant sees only the view of its own seat, like any player.
"""

import random
from abc import ABC, abstractmethod
from collections.abc import Iterator
from itertools import islice
from typing import Protocol

from powderkeg.bots import levels
from powderkeg.bots.process import guard
from powderkeg.bots.seats.language_model import outline_question
from powderkeg.bots.seats.turn_order import TurnOrder, seats_without_offers
from powderkeg.core.ask import Question
from powderkeg.core.errors import RulesError, Unreadable
from powderkeg.core.game import Game, Legal, Result, Seat, View, seat_message
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


class AssistantSeat(ABC):
    """A seat at a table. Subclasses know where the table is: in this process or on a server."""

    def __init__(self, face: TableFace, seat: Seat, lang: str) -> None:
        self.face, self.seat, self.lang = face, seat, lang
        self.told = 0  # entries of the log already reported

    def refresh(self) -> None:  # noqa: B027  # a table here is always as it is now
        """See the table as it is now."""

    def others_play(self) -> None:  # noqa: B027  # on a server others play by themselves
        """Let the others play, if they are played from here."""

    @abstractmethod
    def news(self) -> str:
        """The facts for this seat since it last asked."""

    def about(self) -> str:
        return self.t("bots.mcp.about", game=self.face.game.name, seat=self.name(self.seat))

    def look(self) -> str:
        """The board in words, and what is asked."""
        self.refresh()
        sections = self.face.game.describe(self.face.view(self.seat))
        parts = [
            "\n".join([self.say(s.title), *(f"- {self.say(line)}" for line in s.lines)])
            for s in sections
        ]
        return "\n\n".join([*parts, self.asked()])

    def asked(self) -> str:
        if (result := self.face.result) is not None:
            return self.t("bots.mcp.over", why=result.why)
        question = self.face.ask(self.seat)
        if question is None:
            return self.t("bots.mcp.wait")
        tree = self.cut(outline_question(question.node, self.lang), MOST_TREE_LINES)
        return "\n".join([self.say(question.prompt), *tree])

    def legal(self, start: str = "") -> str:
        """Legal actions whose text begins with `start`."""
        self.refresh()
        legal = self.face.legal(self.seat)
        texts = (text for text in map(str, legal) if text.startswith(start))
        code = "bots.mcp.many" if start else "bots.mcp.all"
        head = self.t(code, n=legal.count_all(), start=start)
        return "\n".join([head, *self.cut(texts, MOST_LINES)])

    def cut(self, lines: Iterator[str], most: int) -> list[str]:
        """The first lines; if there are more, a line that says so."""
        shown = list(islice(lines, most + 1))
        return shown if len(shown) <= most else [*shown[:most], self.t("bots.mcp.cut", n=most)]

    def act(self, action: str) -> str:
        """Perform an action, let the others answer, and report what happened, or why it was refused."""
        try:
            self.face.act(self.seat, action.strip())
        except RulesError as refusal:
            why = getattr(refusal, "text", "") or self.say(refusal.msg)
            return f"{why} [{refusal.rule}]" if refusal.rule else str(why)
        self.others_play()
        return f"{self.news()}\n\n{self.asked()}"

    def name(self, seat: Seat) -> Msg:
        return seat_message(self.face.game, seat)

    def say(self, what: Arg) -> str:
        return say(what, self.lang)

    def t(self, code: str, /, **args: Arg) -> str:
        return self.say(Msg(code, **args))


class LocalSeat(AssistantSeat):
    """A seat at a table in this process; bots of `level` have the others."""

    def __init__(
        self, table: Table, seat: Seat, level: str, *, seed: str = "0", lang: str = "en"
    ) -> None:
        super().__init__(table, seat, lang)
        self.table, self.seed = table, seed
        self.bot = levels.find_bot(table.game, level)
        others = (other for other in table.seats if other != seat)
        self.turn_order = TurnOrder(table.game, table.seats, seats_without_offers(self.bot, others))
        self.others_play()

    def news(self) -> str:
        facts = [f for facts in self.table.facts[self.told :] for f in facts]
        self.told = len(self.table.facts)
        return "\n".join(self.say(f.msg) for f in facts if f.seen_by(self.seat))

    def others_play(self) -> None:
        """Bots decide until this seat is asked, or the game is over."""
        table = self.table
        while (asked := self.turn_order.next_seats(table.state)) and self.seat not in asked:
            seat = min(asked)
            said = guard.decide_here(
                table.game, table.state, seat, self.bot, f"{self.seed}/{seat}/{len(table.log)}"
            )
            table.act(seat, said.action)


def take_seat(
    table: Table, seat: Seat | None, level: str, *, seed: str | None = None, lang: str = "en"
) -> LocalSeat:
    """A place at `table`: the seat that is named, or the first one."""
    if seat is not None and seat not in table.seats:
        raise Unreadable("core.no_such_seat", seat=seat)
    luck = seed if seed is not None else str(random.SystemRandom().getrandbits(64))
    return LocalSeat(table, seat or table.seats[0], level, seed=luck, lang=lang)
