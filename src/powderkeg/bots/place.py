"""A place at a table, in words: what an assistant needs to play, and no more.

Everything is text in one language. Whoever sits here sees its own view only, like anybody.
"""

import random
from itertools import islice
from typing import Protocol

from powderkeg.bots import guard, levels
from powderkeg.bots.llm import outline
from powderkeg.core.errors import RulesError, Unreadable
from powderkeg.core.game import Seat
from powderkeg.core.table import Table
from powderkeg.core.words import Arg, Msg, say

MOST = 200  # lines of a list


class Place(Protocol):
    """A seat at a table here or elsewhere."""

    def about(self) -> str: ...
    def look(self) -> str: ...
    def legal(self, start: str) -> str: ...
    def act(self, action: str) -> str: ...
    def news(self) -> str: ...


class Local:
    """A seat at a table in this process; bots of `level` have the others."""

    def __init__(
        self, table: Table, seat: Seat, level: str, *, seed: str = "0", lang: str = "en"
    ) -> None:
        self.table, self.seat, self.lang, self.seed = table, seat, lang, seed
        self.bot = levels.find(table.game, level)
        self.told = 0
        self.others_play()

    def about(self) -> str:
        return self.t("bots.mcp.about", game=self.table.game.name, seat=self.name(self.seat))

    def look(self) -> str:
        """The board in words, and what is asked."""
        sections = self.table.game.describe(self.table.view(self.seat))
        parts = [
            "\n".join([self.say(s.title), *(f"- {self.say(line)}" for line in s.lines)])
            for s in sections
        ]
        return "\n\n".join([*parts, self.asked()])

    def asked(self) -> str:
        if (result := self.table.result) is not None:
            return self.t("bots.mcp.over", why=result.why)
        question = self.table.ask(self.seat)
        if question is None:
            return self.t("bots.mcp.wait")
        tree = "\n".join(islice(outline(question.node, self.lang), MOST))
        return f"{self.say(question.prompt)}\n{tree}"

    def legal(self, start: str = "") -> str:
        """Legal actions whose text begins with `start`."""
        legal = self.table.legal(self.seat)
        texts = (text for text in map(str, legal) if text.startswith(start))
        head = self.t("bots.mcp.many", n=legal.count_all(), start=start)
        return "\n".join([head, *islice(texts, MOST)])

    def act(self, action: str) -> str:
        """Do it, let the others answer, and say what happened; or say why it cannot be done."""
        try:
            self.table.act(self.seat, action.strip())
        except RulesError as refusal:
            return self.say(refusal.msg) + (f" [{refusal.rule}]" if refusal.rule else "")
        self.others_play()
        return f"{self.news()}\n\n{self.asked()}"

    def news(self) -> str:
        """What this seat was told since it last asked."""
        facts = [f for facts in self.table.facts[self.told :] for f in facts]
        self.told = len(self.table.facts)
        return "\n".join(self.say(f.msg) for f in facts if f.seen_by(self.seat))

    def others_play(self) -> None:
        """Bots decide until this seat must, or the game is over."""
        table = self.table
        while (others := table.to_act - {self.seat}) and self.seat not in table.to_act:
            seat = min(others)
            said = guard.decide(
                table.game, table.state, seat, self.bot, f"{self.seed}/{seat}/{len(table.log)}"
            )
            table.act(seat, said.action)

    def name(self, seat: Seat) -> Msg:
        return Msg(f"{self.table.game.name}.seat.{seat}")

    def say(self, what: Arg) -> str:
        return say(what, self.lang)

    def t(self, code: str, /, **args: Arg) -> str:
        return self.say(Msg(code, **args))


def local(
    table: Table, seat: Seat | None, level: str, *, seed: str | None = None, lang: str = "en"
) -> Local:
    """A place at `table`: the seat that is named, or the first one."""
    if seat is not None and seat not in table.seats:
        raise Unreadable("core.no_such_seat", seat=seat)
    luck = seed if seed is not None else str(random.SystemRandom().getrandbits(64))
    return Local(table, seat or table.seats[0], level, seed=luck, lang=lang)
