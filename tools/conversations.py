"""Writes ten conversations with Diplomacy's bots into their guide.

    python -m tools.conversations

In the first spring a bot of some character writes what it has to propose to France; France makes an offer,
and the bot answers, with its reason and perhaps an offer of its own. The same seed gives the same page, and a test compares the two.
"""

import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from powderkeg.bots.diplomacy.press import envoy
from powderkeg.bots.envoy import FormalNote
from powderkeg.core.table import Table
from powderkeg.core.words import Msg, say
from powderkeg.games import diplomacy
from powderkeg.games.diplomacy.words import power_name

GUIDE = Path(__file__).parent.parent / "docs" / "guides" / "diplomacy-bots.md"
PART = re.compile(r"(?<=<!-- conversations -->\n).*(?=<!-- /conversations -->)", re.DOTALL)


class Opener(NamedTuple):
    """An offer of France to one bot."""

    to: str
    character: str
    lang: str
    offer: str


OPENERS = (
    Opener("ENGLAND", "", "en", "PRP ( PCE ( ENG FRA ) )"),
    Opener("ENGLAND", "loyal", "en", "PRP ( DMZ ( ENG FRA ) ( ECH ) )"),
    Opener("GERMANY", "", "en", "PRP ( PCE ( FRA GER ) )"),
    Opener(
        "GERMANY", "cautious", "en", "PRP ( XDO ( ( GER AMY MUN ) SUP ( FRA AMY PAR ) MTO BUR ) )"
    ),
    Opener("GERMANY", "opportunist", "en", "PRP ( XDO ( ( GER AMY MUN ) HLD ) )"),
    Opener("ITALY", "cautious", "en", "PRP ( PCE ( FRA ITA ) )"),
    Opener("ITALY", "loyal", "es", "PRP ( DMZ ( FRA ITA ) ( PIE ) )"),
    Opener("RUSSIA", "", "en", "PRP ( DRW )"),
    Opener("RUSSIA", "", "it", "PRP ( ALY ( FRA RUS ) VSS ( GER ) )"),
    Opener("TURKEY", "", "en", "PRP ( PCE ( GER FRA ) )"),
)


def hold_conversation(opener: Opener) -> Iterator[str]:
    """What both sides say, in words."""
    table = Table(diplomacy, 7)
    view = {**table.view(opener.to), "character": opener.character}
    offer = FormalNote("FRANCE", (opener.to,), opener.offer)
    first = envoy.exchange_letters(view, None, [], random.Random(1))
    answer = envoy.exchange_letters(view, first.memory, [offer], random.Random(3))
    names = {seat: say(power_name(seat), opener.lang) for seat in ("FRANCE", opener.to)}
    for said in (*first.notes, offer, *answer.notes):
        if {said.seat, *said.to} == set(names):
            why = say(Msg(said.reason), opener.lang) if said.reason else ""
            words = say(envoy.describe_text(said.text), opener.lang)
            yield f"{names[said.seat]}: {words} {why}".rstrip()


def write_conversations() -> str:
    """All conversations as a list."""
    lines = []
    for opener in OPENERS:
        bot = f"{say(power_name(opener.to))} ({opener.character or 'even-handed'})"
        lines.append(f"- France and {bot}")
        lines += [f"  - {said}" for said in hold_conversation(opener)]
    return "\n".join(lines)


def guide_page() -> str:
    """The guide with these conversations."""
    text = f"\n{write_conversations()}\n\n"
    return PART.sub(lambda _: text, GUIDE.read_text(encoding="utf-8"))


if __name__ == "__main__":
    GUIDE.write_text(guide_page(), encoding="utf-8")
