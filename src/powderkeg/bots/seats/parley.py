"""Letters at a table in this process, with the envoys of its bots.

Bots write in the formal language of their game's envoy, everybody else in prose, with formal offers
and answers beside it. A letter reaches its readers when it is posted.
"""

import random
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from powderkeg.bots.envoy import Envoy, FormalNote
from powderkeg.bots.game_bots import bots_of
from powderkeg.bots.seats.letters import TableMessage
from powderkeg.core.errors import Unreadable
from powderkeg.core.game import Marks, Seat
from powderkeg.core.record import Letter
from powderkeg.core.table import Table
from powderkeg.core.words import Msg, say

LETTER_ROUNDS: Final = 4  # rounds of letters and answers among bots
MOST_LETTERS: Final = 50  # letters that a reader is shown


class PostedLetter(NamedTuple):
    """A letter: prose, a text in the formal language, or both; `after` so many entries of the log."""

    number: int
    phase: str
    seat: Seat
    to: tuple[Seat, ...]
    text: str
    form: str
    after: int
    reason: str = ""  # the code of a sentence that says why

    def is_open_to(self, seat: Seat) -> bool:
        return not self.to or seat in (self.seat, *self.to)


class Parley:
    """The letters of one game, and what the envoys remember; `characters` are those of the seats
    that have an envoy."""

    def __init__(self, table: Table, characters: Mapping[Seat, str]) -> None:
        self.table, self.characters = table, characters
        self.envoy: Envoy | None = bots_of(table.game).envoy
        self.envoys = (
            tuple(seat for seat in table.seats if seat in characters) if self.envoy else ()
        )
        self.letters: list[PostedLetter] = []
        self.memories: dict[Seat, Any] = {}
        self.heard: dict[Seat, int] = {}  # letters already answered by an envoy
        self.answered: set[tuple[Seat, int]] = set()

    @property
    def marks(self) -> Marks:
        return self.table.game.marks(self.table.state)

    def post_message(self, message: TableMessage) -> None:
        """Post what a seat says; raises when its offer or answer makes no sense."""
        to, form = message.to, ""
        if message.answers:
            asked = self._open_offer(message.sender, message.answers)
            to, form = (asked.seat,), self._formal.answer_text(asked.form, agree=message.agree)
            self.answered.add((message.sender, asked.number))
        elif message.promises:
            view = self.table.view(message.sender)
            form = self._formal.compose_offer(view, to, message.promises)
        self._append(message.sender, to, message.text, form)

    def post_reason(self, seat: Seat, code: str) -> None:
        """Post what a bot says to everybody about its move, where the rulebook lets players talk."""
        if code and self.marks.talk:
            self._append(seat, (), "", "", code)

    @property
    def _formal(self) -> Envoy:
        if self.envoy is None:
            raise Unreadable("bots.press.none_formal")
        return self.envoy

    def _open_offer(self, seat: Seat, number: int) -> PostedLetter:
        for letter in self.letters:
            if letter.number == number and self.awaits_answer(letter, seat):
                return letter
        raise Unreadable("bots.press.no_such_offer", n=number)

    def awaits_answer(self, letter: PostedLetter, seat: Seat) -> bool:
        """Whether a letter asks `seat` for a yes or no; offers end with their phase."""
        mine = letter.seat != seat and letter.is_open_to(seat)
        new = letter.phase == self.marks.phase and (seat, letter.number) not in self.answered
        return bool(mine and new and letter.form and self._formal.expects_answer(letter.form))

    def _append(
        self, seat: Seat, to: Sequence[Seat], text: str, form: str, reason: str = ""
    ) -> None:
        number, after = len(self.letters) + 1, len(self.table.log)
        letter = PostedLetter(number, self.marks.phase, seat, tuple(to), text, form, after, reason)
        self.letters.append(letter)

    def letters_for(self, seat: Seat, lang: str) -> list[TableMessage]:
        """The letters that a seat may read, in words, the latest at the end."""
        shown = [letter for letter in self.letters if letter.is_open_to(seat)][-MOST_LETTERS:]
        return [
            TableMessage(
                letter.seat,
                letter.to,
                self.letter_in_words(letter, lang),
                number=letter.number,
                asks=self.awaits_answer(letter, seat),
            )
            for letter in shown
        ]

    def letter_in_words(self, letter: PostedLetter, lang: str) -> str:
        words = say(self._formal.describe_text(letter.form), lang) if letter.form else ""
        why = say(Msg(letter.reason), lang) if letter.reason else ""
        return " ".join(filter(None, (words, why, letter.text)))

    def has_new(self, seat: Seat, since: int) -> bool:
        """Whether others wrote to `seat` after letter `since`."""
        return any(x.seat != seat and x.is_open_to(seat) for x in self.letters[since:])

    def recorded_letters(self) -> tuple[Letter, ...]:
        """The letters for a game file."""
        return tuple(
            Letter(x.seat, x.to, self.letter_in_words(x, "en"), x.after) for x in self.letters
        )

    # Envoys

    def exchange_letters(self, seed: str) -> bool:
        """Let every envoy read and write once; returns whether anything was written."""
        before = len(self.letters)
        if self.envoy is None or self.marks.stage not in self.envoy.TALKING_STAGES:
            return False
        for seat in self.envoys:
            self._let_envoy_write(seat, random.Random(f"{seed}/{seat}"))
        return len(self.letters) > before

    def _let_envoy_write(self, seat: Seat, rng: random.Random) -> None:
        notes = list(self._new_notes(seat))
        self.heard[seat] = len(self.letters)
        view = {**self.table.view(seat), "character": self.characters[seat]}
        memory = self.memories.get(seat)
        said = self._formal.exchange_letters(view, memory, notes, rng, None, public=False)
        self.memories[seat] = said.memory
        for note in said.notes:
            self._append(seat, note.to, "", note.text, note.reason)

    def _new_notes(self, seat: Seat) -> Iterator[FormalNote]:
        """The formal letters of this phase that an envoy has not read."""
        phase = self.marks.phase
        for letter in self.letters[self.heard.get(seat, 0) :]:
            others = letter.seat != seat and letter.is_open_to(seat)
            if others and letter.form and letter.phase == phase:
                yield FormalNote(letter.seat, letter.to, letter.form)
