"""Letters of players: the orders in them, without greetings, quotations and signatures.

A letter is a text with a sender. Whose orders it has is said by headings (``France: A Par-Bur``), by the
sender's address, by the subject, or by the units in it.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from typing import Final, NamedTuple

from powderkeg.games.diplomacy.board import POWERS, Power
from powderkeg.games.diplomacy.judge.judge import sheet_context
from powderkeg.games.diplomacy.judge.page import (
    is_empty_set,
    is_phase_heading,
    line_heading,
    read_phase,
    read_section,
)
from powderkeg.games.diplomacy.judge.sheet import Sheet
from powderkeg.games.diplomacy.notation.lexicon import find_power, name_words, similar_power
from powderkeg.games.diplomacy.notation.reading import (
    UnderstoodOrder,
    looks_like_order,
    read_order_set,
    split_orders,
)

MOST_LINES: Final = 400  # of a letter that are read
MOST_PIECES: Final = 400  # of its text, between commas and line ends
_QUOTED: Final = re.compile(r"\s*[>|]")
_SIGNATURE: Final = re.compile(r"--\s*")
_REPLY_BELOW: Final = re.compile(
    r"\s*(?:-{2,}\s*(?:original message|mensaje original|messaggio originale)\b.*|_{10,}\s*)",
    re.IGNORECASE,
)
_ATTRIBUTION: Final = re.compile(r".*\b(?:wrote|escribió|scritto|scrive)\s*:\s*", re.IGNORECASE)
_HEADER: Final = re.compile(
    r"\s*\*?(?:from|sent|date|to|cc|subject|reply-to|message-id|received|return-path|x-[\w-]+|mime-version"
    r"|content-[\w-]+|de|enviado|enviado el|fecha|para|asunto|da|inviato|data|oggetto):\*?(?:\s.*|$)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Letter:
    """What a player sent."""

    text: str
    sender: str = ""  # an address, in lower case
    subject: str = ""
    sent: str = ""  # the date as people write it
    message_id: str = ""


@dataclass(frozen=True, slots=True)
class Player:
    """Who plays a power: known addresses, and the language of answers if it was chosen."""

    addresses: frozenset[str] = frozenset()
    lang: str | None = None


@dataclass(frozen=True, slots=True)
class Players:
    """Who plays which power; without any, every letter may speak for any power."""

    by_power: Mapping[Power, Player] = field(default_factory=dict)
    moderators: frozenset[str] = frozenset()

    def powers_of(self, letter: Letter) -> tuple[Power, ...]:
        """The powers that the sender may order."""
        if not self.by_power or letter.sender in self.moderators:
            return POWERS
        owned = self.by_power.items()
        return tuple(power for power, player in owned if letter.sender in player.addresses)

    def lang_of(self, power: Power) -> str | None:
        player = self.by_power.get(power)
        return player.lang if player else None


class LetterOrders(NamedTuple):
    """The orders in a letter by power, as written; lines of powers that the sender does not play."""

    texts: dict[Power, list[str]]
    foreign: list[tuple[Power, str]]
    unowned: list[str]


# The text of a letter


def letter_lines(text: str) -> Iterator[str]:
    """The lines that the sender wrote: no quotations, headers, attributions or signature."""
    written = False
    for line in text.splitlines()[:MOST_LINES]:
        if _SIGNATURE.fullmatch(line) or _REPLY_BELOW.fullmatch(line):
            return
        header = _HEADER.fullmatch(line)
        if header and written:  # the header of a letter quoted below the answer
            return
        if not (header or _QUOTED.match(line) or _ATTRIBUTION.fullmatch(line)):
            plain = line.partition("#")[0].strip().strip("*_")
            written = written or looks_like_order(plain)
            yield plain


def read_letter(letter: Letter, sheet: Sheet, players: Players) -> LetterOrders:
    """The orders in a letter for the phase of `sheet`."""
    own = players.powers_of(letter)
    found = LetterOrders({}, [], [])
    power: Power = own[0] if len(own) == 1 else subject_power(letter.subject, own)
    for owner, text in islice(_owned_texts(letter, sheet, power), MOST_PIECES):
        if not owner:
            found.unowned.append(text)
        elif owner in own:
            found.texts.setdefault(owner, []).extend([text] if text else [])
        elif text:
            found.foreign.append((owner, text))
    return _give_unowned(found, sheet, own)


def _owned_texts(letter: Letter, sheet: Sheet, first: Power) -> Iterator[tuple[Power, str]]:
    """Every order with the power of the heading above it; an empty text for *none*."""
    section, power, current = "orders", first, True
    for line in letter_lines(letter.text):
        if is_phase_heading(line):
            section, power, current = "orders", first, read_phase(line) == sheet.phase
        elif head := read_section(line):
            section = head
        elif current and section == "orders" and line:
            power, rest = _heading_power(line, power)
            for text in islice(split_orders(rest), MOST_PIECES):
                if is_empty_set(text):
                    yield power, ""
                elif looks_like_order(text):
                    yield power, text


def _heading_power(line: str, power: Power) -> tuple[Power, str]:
    """The power that a line begins with, else that of the lines above; the rest of the line."""
    _, colon, rest = line.partition(":")
    heading = line_heading(line)
    if named := find_power(heading) or similar_power(heading):
        return named, rest
    word, _, after = line.partition(" ")
    if len(word) > 3 and (named := find_power(word.rstrip(",;-"))):
        return named, after
    return power, rest if colon and looks_like_order(rest) else line


def subject_power(subject: str, powers: Iterable[Power]) -> Power:
    """The only one of `powers` that a subject names in full; empty if none or several."""
    words = {word for word in name_words(subject) if len(word) > 3}
    named = {find_power(word) for word in words} & set(powers)
    return named.pop() or "" if len(named) == 1 else ""


def _give_unowned(found: LetterOrders, sheet: Sheet, own: tuple[Power, ...]) -> LetterOrders:
    """Orders without a heading go to the only power whose units they are."""
    power = units_owner(found.unowned, sheet, own) if found.unowned else ""
    if not power:
        return found
    texts = {**found.texts, power: [*found.texts.get(power, []), *found.unowned]}
    return found._replace(texts=texts, unowned=[])


def units_owner(texts: list[str], sheet: Sheet, powers: Iterable[Power]) -> Power:
    """The one power that can give most of these orders; empty if there is none or a tie."""
    counts = {power: _count_understood(texts, sheet, power) for power in powers}
    best = max(counts.values(), default=0)
    able = [power for power, count in counts.items() if count == best > 0]
    return able[0] if len(able) == 1 else ""


def _count_understood(texts: list[str], sheet: Sheet, power: Power) -> int:
    read = read_order_set(texts, sheet_context(sheet, power))
    return sum(isinstance(found, UnderstoodOrder) and found.possible for found in read.orders)
