"""The words that actions are written in, numbered for good: the action space of a game.

An action is spelt word by word: ``A par - bur`` is four words, ``march footman:3,siege:1`` five.
Every word has its own number, which means the same at every moment of every game, so an action
space is no larger than the vocabulary (115 words for Diplomacy, 286 for Versailles, 218 for
Risk Europe) however many actions there are. Number 0 is the full stop `END`: "that is all" where
a text could also go on, and "nothing" for a seat that is not asked.
"""

import random
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property

from powderkeg.core.chance import Seeded
from powderkeg.core.errors import RulesError, Unreadable
from powderkeg.core.game import Game, Options
from powderkeg.core.table import Table
from powderkeg.rl.random_play import random_decisions

FULL_STOP = "."
_GAPS = re.compile(r"[ ,:.]+|(?<=[0-9a-z])\+(?=[0-9a-z])")


def words_of(text: str) -> tuple[str, ...]:
    """The words of an action's text.

    >>> words_of("march footman:3,siege:1")
    ('march', 'footman', '3', 'siege', '1')
    >>> words_of("bid 2+1 4"), words_of("modify +1")
    (('bid', '2', '1', '4'), ('modify', '+1'))
    """
    return tuple(_GAPS.split(text))


@dataclass(frozen=True)
class ActionLexicon:
    """All words of a game, in an order that never changes; the first is `END`.

    A number that is not in it cannot be chosen (no bid of 200 coins, say); any other word that
    is missing is an error of the lexicon.
    """

    words: tuple[str, ...]

    @cached_property
    def numbers(self) -> dict[str, int]:
        return {word: number for number, word in enumerate(self.words)}

    def __len__(self) -> int:
        return len(self.words)

    def known_numbers(self, words: Iterable[str]) -> list[int]:
        """The numbers of `words`, without those that are not in it."""
        return [self.numbers[word] for word in words if word in self.numbers]

    def can_spell(self, words: Iterable[str]) -> bool:
        """Whether all `words` are in it."""
        missing = [word for word in words if word not in self.numbers]
        if strange := [word for word in missing if not word.isdecimal()]:
            raise Unreadable("bots.rl.unknown_word", word=strange[0])
        return not missing


def game_lexicon(game: Game, players: int, options: Options) -> ActionLexicon:
    """The words of a game: written down for our games, gathered from random play for others."""
    known = LEXICONS.get(game.name)
    found = known() if known else harvest_words(game, players, options)
    return ActionLexicon(tuple(dict.fromkeys((FULL_STOP, *found))))


def harvest_words(game: Game, players: int, options: Options, games: int = 40) -> list[str]:
    """Every word that occurs in some random games, sorted. The same for the same rules."""
    found = set[str]()
    for number in range(games):
        rng = random.Random(f"words/{number}")
        table = Table(game, players, options, source=Seeded(rng))
        for seat in random_decisions(table, rng, 2000):
            found.update(word for action in table.legal(seat) for word in words_of(str(action)))
    return sorted(found)


def _every_seat(game: Game) -> list[str]:
    """The seats of every number of players."""
    found: list[str] = []
    for players in game.players:
        try:
            found += game.seats(players, game.Options())
        except RulesError:  # this number needs an option of its own
            continue
    return found


def _number_words(most: int) -> list[str]:
    return [str(n) for n in range(most + 1)]


def _diplomacy_words() -> list[str]:
    from powderkeg.games import diplomacy
    from powderkeg.games.diplomacy.board import LOCATIONS

    orders = "A F H - VIA S C R D B WAIVE"
    rest = "ready revise absent propose accept refuse withdraw draw"
    return [*orders.split(), *rest.split(), *LOCATIONS, *_every_seat(diplomacy)]


def _risk_europe_words() -> list[str]:
    from powderkeg.games.risk_europe.board import CARDS, COLOURS, TERRITORY_NAMES, UNITS
    from powderkeg.games.risk_europe.cards.pack import crown_pack

    verbs = (
        "bid settle garrison pick auction order fortify besiege berlin from to march storm tax buy "
        "build crown keep reveal fight reroll stand lose done pass expand split manoeuvre spend -"
    )
    return [
        *verbs.split(),
        *COLOURS,
        *UNITS,
        *CARDS,
        *TERRITORY_NAMES,
        *crown_pack(""),
        *_number_words(120),
    ]


def _versailles_words() -> list[str]:
    from powderkeg.games.versailles.board import CATEGORIES, COUNTERS, NATIONS
    from powderkeg.games.versailles.cards.reader import pack_of

    verbs = (
        "nation place reclaim settle deploy demobilise end option flag perform decline choose "
        "advance cube yes no draw dive keep mutiny modify +1 -1 bid pass strategy propose counter "
        "accept refuse withdraw give - available exhausted plus minus"
    )
    pack = pack_of("")
    options = [choice.id for issue in pack.issues.values() for choice in issue.options]
    parts = [word for counter in COUNTERS for word in words_of(counter)]
    cards = [*pack.issues, *options, *pack.events, *pack.strategies]
    return [*verbs.split(), *NATIONS, *CATEGORIES, *parts, *cards, *_number_words(60)]


LEXICONS: dict[str, Callable[[], list[str]]] = {
    "diplomacy": _diplomacy_words,
    "risk_europe": _risk_europe_words,
    "versailles": _versailles_words,
}
