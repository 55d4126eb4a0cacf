"""Names of places, powers, units and verbs, in three languages and many spellings.

`order_lexicon(lang)` answers two questions about folded words (no case, no accents): which places may
they mean, and which roles may they play in an order. Places are found in tiers, so that a clear
name is never mistaken for a misspelling of another.
"""

import tomllib
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from powderkeg.core.words import LANGS, say
from powderkeg.games.diplomacy.board import POWERS, PROVINCES, Power, data_text
from powderkeg.games.diplomacy.words import place_name

# How sure we are of a name: the first two are exact, the last two are guesses.
NAMED, ALIAS, SHORTENED, MISSPELT, GARBLED = range(5)

_SMALL: Final = frozenset(
    [
        "the",
        "of",
        "de",
        "del",
        "della",
        "dello",
        "di",
        "d",
        "la",
        "el",
        "il",
        "lo",
        "le",
        "los",
        "las",
        "l",
    ]
)
_LONGEST: Final = 5  # words in a name
# Words that make an order depend on something: no mere remark (D-ORD-06).
_CONDITIONS: Final = frozenset(
    [
        "or",
        "if",
        "else",
        "unless",
        "otherwise",
        "maybe",
        "perhaps",
        "instead",
        "o",
        "u",
        "si",
        "sino",
        "salvo",
        "quiza",
        "quizas",
        "se",
        "oppure",
        "altrimenti",
        "forse",
        "invece",
    ]
)

# Words that take back what was written, if a place follows (D-ORD-06).
_CORRECTIONS: Final = frozenset(
    [
        "rather",
        "better",
        "sorry",
        "mean",
        "meant",
        "actually",
        "correction",
        "mejor",
        "digo",
        "perdon",
        "correccion",
        "meglio",
        "anzi",
        "piuttosto",
        "scusa",
        "scusate",
        "intendo",
        "correzione",
    ]
)


def fold_text(text: str) -> str:
    """`text` without case and accents: ``París`` and ``PARIS`` are the same word."""
    plain = unicodedata.normalize("NFKD", text)
    return "".join(c for c in plain if not unicodedata.combining(c)).casefold()


def name_words(text: str) -> tuple[str, ...]:
    """The folded words of a name; punctuation only separates."""
    return tuple("".join(c if c.isalnum() else " " for c in fold_text(text)).split())


@cache
def _notation_data() -> dict[str, Any]:
    return tomllib.loads(data_text("notation.toml"))


@dataclass(frozen=True, slots=True)
class OrderLexicon:
    """The words of one language."""

    lang: str
    exact: tuple[dict[str, tuple[str, ...]], ...]  # tier -> words run together -> provinces
    names: tuple[tuple[tuple[str, ...], str], ...]  # words of full names, for shortened ones
    spellings: dict[int, list[tuple[str, str]]]  # candidates for misspellings, by length
    roles: dict[tuple[str, ...], frozenset[str]]  # a phrase and the roles it can play
    coasts: dict[tuple[str, ...], str]
    powers: dict[tuple[str, ...], Power]

    def find_places(self, name: tuple[str, ...]) -> dict[str, int]:
        """The provinces that `name` may mean, and how sure that is (misspellings apart)."""
        found: dict[str, int] = {}
        joined = "".join(name)
        for tier, known in enumerate(self.exact):
            for code in known.get(joined, ()):
                found.setdefault(code, tier)
        if len(joined) >= 3:
            for code in _shortened_matches(name, self.names):
                found.setdefault(code, SHORTENED)
        return found

    def is_place(self, name: tuple[str, ...]) -> bool:
        """Whether `name` is a place as it is known, neither shortened nor misspelt."""
        return any("".join(name) in known for known in self.exact)

    def find_misspelt(self, name: tuple[str, ...]) -> dict[str, int]:
        """The provinces whose names are nearest to `name`, which is no name itself."""
        if any(len(word) == 1 for word in name):
            return {}  # a letter beside a name is a word of the order
        joined = "".join(name)
        for tier, wrong in ((MISSPELT, 1), (GARBLED, 2)):
            nearby = self._spellings_near(len(joined), wrong)
            if found := {
                code for spelling, code in nearby if _is_misspelling(joined, spelling, wrong)
            }:
                return dict.fromkeys(sorted(found), tier)
        return {}

    def _spellings_near(self, length: int, wrong: int) -> Iterator[tuple[str, str]]:
        """Spellings of about that length."""
        for size in range(length - wrong, length + wrong + 1):
            yield from self.spellings.get(size, ())

    def similar_places(self, word: str) -> list[str]:
        """Provinces whose names resemble `word`, the nearest first; at most four."""
        found: dict[str, tuple[int, str]] = {}
        for spelling, code in self._spellings_near(len(word), 2):
            wrong = edit_distance(word, spelling, 2)
            if wrong <= (1 if len(word) < 5 else 2) < len(spelling):
                found[code] = min(found.get(code, (9, "")), (wrong, code))
        return sorted(found, key=lambda code: found[code])[:4]

    def roles_at(self, listed: tuple[str, ...], *, guess: bool) -> Iterator[tuple[int, str]]:
        """Every role that the words at the front of `listed` can play, and how many they are."""
        for count in range(min(_LONGEST, len(listed)), 0, -1):
            for role in sorted(self.roles.get(listed[:count], ())):
                yield count, role
        if guess and listed and len(listed[0]) >= 5:
            yield from sorted({(1, role) for role in self._misspelt_roles(listed[0])})

    def remark_kind(self, words: tuple[str, ...]) -> str:
        """What words in brackets are: a coast, words of the order, decoration or unknown."""
        if words in _spoken_phrases("coasts"):
            return "coast"
        if words in _spoken_phrases("via") or not _CONDITIONS.isdisjoint(words):
            return "words"
        return "decoration" if "skip" in self.roles.get(words, ()) else "unknown"

    def _misspelt_roles(self, word: str) -> Iterator[str]:
        for phrase, roles in self.roles.items():
            if len(phrase) == 1 and len(phrase[0]) >= 5 and edit_distance(word, phrase[0], 1) == 1:
                yield from roles


@cache
def order_lexicon(lang: str) -> OrderLexicon:
    """The words of `lang`."""
    own = {code: _place_names(code, lang) for code in PROVINCES}
    traps: dict[str, list[str]] = _notation_data()["traps"][lang]
    named = _name_index((name, code) for code, names in own.items() for name in names)
    named |= {key: tuple(codes) for key, codes in traps.items()}
    others = [(n, code) for code in PROVINCES for other in LANGS for n in _place_names(code, other)]
    aliases = [*((code, code) for code in PROVINCES), *place_aliases()]
    known = {**_name_index(aliases), **named}
    spoken = _notation_data()["words"][lang]
    return OrderLexicon(
        lang,
        (named, _name_index(aliases), _name_index(others)),
        tuple(
            (tuple(w for w in name_words(say(place_name(code), lang)) if w not in _SMALL), code)
            for code in PROVINCES
        ),
        _by_length(known),
        _role_index(spoken),
        _phrase_meanings(spoken["coasts"]),
        _phrase_meanings(spoken["powers"]),
    )


@cache
def place_aliases() -> tuple[tuple[str, str], ...]:
    """Other names of places in any language, each with its province."""
    listed: dict[str, list[str]] = _notation_data()["aliases"]
    return tuple((name, code) for code, names in listed.items() for name in names)


@cache
def _spoken_phrases(*roles: str) -> frozenset[tuple[str, ...]]:
    """The phrases that play one of these roles in any of the languages."""
    return frozenset(
        name_words(phrase)
        for spoken in _notation_data()["words"].values()
        for role in roles
        for phrase in _listed_phrases(spoken[role])
    )


def _listed_phrases(phrases: Any) -> list[str]:
    return (
        phrases if isinstance(phrases, list) else [p for found in phrases.values() for p in found]
    )


def opens_order(word: str) -> bool:
    """Whether an order can begin with `word`, a full stop before it: ``A``, ``Flota``, ``Build``."""
    long = len(word) > 3 and (fold_text(word),) in _spoken_phrases(
        "army", "fleet", "build", "disband", "waive", "retreat"
    )
    return word in {"A", "E", "F"} or long


def awaits_unit(word: str) -> bool:
    """Whether `word` cannot end an order: ``supp.``, ``C.``"""
    return (fold_text(word),) in _spoken_phrases("support", "convoy", "army", "fleet", "to")


def takes_back(words: tuple[str, ...]) -> bool:
    """Whether words beside an order correct it: ``sorry, Gas``."""
    return not _CORRECTIONS.isdisjoint(words)


def is_order_word(word: str) -> bool:
    """Whether a word plays a role in orders of any language."""
    return any((word,) in order_lexicon(lang).roles for lang in LANGS)


@cache
def find_power(text: str) -> Power | None:
    """The power called `text` in any of the languages."""
    if text.upper() in POWERS:
        return text.upper()
    for lang in LANGS:
        if power := order_lexicon(lang).powers.get(name_words(text)):
            return power
    return None


@cache
def similar_power(text: str) -> Power | None:
    """The only power whose name is `text` with a slip or two: ``Ttalia``."""
    typed = " ".join(name_words(text))
    wrong = 2 if len(typed) >= 7 else 1
    near = {
        power
        for lang in LANGS
        for phrase, power in order_lexicon(lang).powers.items()
        if min(len(typed), len(" ".join(phrase))) >= 5
        and edit_distance(typed, " ".join(phrase), wrong) <= wrong
    }
    return near.pop() if len(near) == 1 else None


def _place_names(code: str, lang: str) -> tuple[str, ...]:
    return say(place_name(code), lang), say(place_name(code, short=True), lang)


def _name_index(pairs: Iterable[tuple[str, str]]) -> dict[str, tuple[str, ...]]:
    index: dict[str, tuple[str, ...]] = {}
    for name, code in pairs:
        key = "".join(name_words(name))
        if code not in index.get(key, ()):
            index[key] = (*index.get(key, ()), code)
    return index


def _by_length(index: dict[str, tuple[str, ...]]) -> dict[int, list[tuple[str, str]]]:
    found: dict[int, list[tuple[str, str]]] = {}
    for name, codes in index.items():
        found.setdefault(len(name), []).extend((name, code) for code in codes)
    return found


def _role_index(spoken: dict[str, Any]) -> dict[tuple[str, ...], frozenset[str]]:
    roles: dict[tuple[str, ...], frozenset[str]] = {}
    for role, phrases in spoken.items():
        if isinstance(phrases, list):
            for phrase in map(name_words, phrases):
                roles[phrase] = roles.get(phrase, frozenset()) | {role}
    for phrase in _phrase_meanings(spoken["powers"]):  # nationality is decoration (D-ORD-03)
        roles[phrase] = roles.get(phrase, frozenset()) | {"skip"}
    return roles


def _phrase_meanings(listed: dict[str, list[str]]) -> dict[tuple[str, ...], str]:
    return {
        name_words(phrase): meaning for meaning, phrases in listed.items() for phrase in phrases
    }


def _shortened_matches(
    name: tuple[str, ...], names: tuple[tuple[tuple[str, ...], str], ...]
) -> list[str]:
    """Provinces of which each word is begun by the words of `name`: ``n atl``, ``Burg``."""
    typed = [word for word in name if word not in _SMALL] or list(name)
    return [
        code
        for full, code in names
        if len(typed) <= len(full) and all(map(str.startswith, full, typed))
    ]


def _is_misspelling(typed: str, spelling: str, wrong: int) -> bool:
    """Whether `typed` is `spelling` with `wrong` slips; short words allow fewer."""
    if len(typed) < (3, 7)[wrong - 1] or len(spelling) < 3 * wrong:
        return False
    if len(typed) <= 4 and typed[0] != spelling[0]:
        return False
    if len(typed) == 3 and len(spelling) != 3:
        return False
    return edit_distance(typed, spelling, wrong) == wrong


def edit_distance(a: str, b: str, most: int) -> int:
    """Letters added, dropped, changed or swapped with their neighbour; more than `most` is
    `most` + 1."""
    if abs(len(a) - len(b)) > most or len(set(a) ^ set(b)) > 2 * most:  # one slip, two letters
        return most + 1
    older: list[int] = []
    last = list(range(len(b) + 1))
    for i, x in enumerate(a):
        row = [i + 1]
        for j, y in enumerate(b):
            cost = min(last[j + 1] + 1, row[j] + 1, last[j] + (x != y))
            if i and j and x == b[j - 1] and y == a[i - 1]:
                cost = min(cost, older[j - 1] + 1)
            row.append(cost)
        if min(row) > most:
            return most + 1
        older, last = last, row
    return last[-1]
