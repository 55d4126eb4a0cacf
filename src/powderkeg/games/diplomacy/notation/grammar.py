"""The grammar of written orders: every way in which a text can be read in one language.

Words may play several roles ("A" is an army, a support or "to"), so nothing is decided here:
`order_parses` lists all that the words allow, and `reading` asks the board which of them can be
meant (D-ORD-05, D-ORD-06).
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Final, NamedTuple, TypeVar

from powderkeg.games.diplomacy.board import PROVINCES
from powderkeg.games.diplomacy.notation.lexicon import (
    ALIAS,
    SHORTENED,
    OrderLexicon,
    fold_text,
    is_order_word,
    name_words,
    takes_back,
)

HOLD, MOVE, SUPPORT, CONVOY = "hold", "move", "support", "convoy"
RETREAT, DISBAND, BUILD, WAIVE, BARE = "retreat", "disband", "build", "waive", "bare"
VERBS: Final = (HOLD, MOVE, SUPPORT, CONVOY, RETREAT, DISBAND, BUILD)

_TOKEN: Final = re.compile(
    # hyphens, dashes, arrows
    r"(?P<dash>[-\u2010-\u2015\u2212=~>\u00bb\u203a\u2190-\u21ff\u25b6\u25ba\u2794-\u27bf\u27f0-\u27ff]+)"
    r"|(?P<open>[(/\[])|(?P<plus>\+)|(?P<word>[^\W_]+)"
)
_REMARK: Final = re.compile(r"\([^()]*\)|\[[^\[\]]*\]|\*[^*]*\*")
_MOST_WORDS: Final = 5  # in the name of a place
_MOST_TOKENS: Final = 40  # in an order; a longer text is none
T = TypeVar("T")
CLEAR: Final = 100 * SHORTENED  # below this tier, all names are written as they are known


class Token(NamedTuple):
    kind: str  # dash, open, plus or word
    word: str  # folded
    raw: str


class WrittenPlace(NamedTuple):
    """A province as written, with the coast if one was named, and the tier of its name."""

    at: str
    coast: str
    tier: int

    @property
    def location(self) -> str:
        return f"{self.at}/{self.coast}" if self.coast else self.at


class WrittenPiece(NamedTuple):
    """A unit as written: the letter may be missing."""

    kind: str
    place: WrittenPlace


@dataclass(frozen=True, slots=True)
class OrderParse:
    """One way to read an order."""

    verb: str
    unit: WrittenPiece | None = None
    target: WrittenPiece | None = None
    to: WrittenPlace | None = None
    via: bool = False
    loose: int = 0  # the tier of the words that are not names

    @property
    def tier(self) -> int:
        """The least sure name counts most, then all the others."""
        tiers = [self.loose, *(piece.place.tier for piece in (self.unit, self.target) if piece)]
        tiers += [self.to.tier] if self.to else []
        return 100 * max(tiers) + sum(tiers)

    @property
    def is_complete(self) -> bool:
        """Whether no place is missing that could be meant."""
        return bool(self.to) or self.verb not in (BARE, SUPPORT)


def split_tokens(text: str) -> tuple[Token, ...]:
    """Words, dashes, arrows and opening brackets; all other characters only separate."""
    return tuple(
        Token(found.lastgroup or "", fold_text(found.group()), found.group())
        for found in _TOKEN.finditer(text)
    )


class BareOrder(NamedTuple):
    """A text without the remarks in it: whether any of them said something we do not know, and
    whether one of those named a place."""

    text: str
    unknown: bool = False
    places: bool = False


def drop_remarks(text: str, lexicon: OrderLexicon) -> BareOrder:
    """`text` without remarks in brackets."""
    kinds: set[str] = set()

    def keep_part(found: re.Match[str]) -> str:
        kind = _remark_kind(found.group(), lexicon)
        kinds.add(kind)
        return {"coast": found.group(), "words": found.group()[1:-1]}.get(kind, " ")

    plain = _REMARK.sub(keep_part, text)
    return BareOrder(plain, not kinds.isdisjoint({"unknown", "aside"}), "aside" in kinds)


def _remark_kind(text: str, lexicon: OrderLexicon) -> str:
    """What stands in brackets. Words that lead or name a place belong to the order, as in
    ``A Mar S A Par (- Bur)``; among other words a place is an aside: ``A Par H (Munich is near)``."""
    kind, tokens = lexicon.remark_kind(name_words(text)), split_tokens(text[1:-1])
    if kind != "unknown" or not tokens:
        return kind
    if tokens[0].kind == "dash":
        return "words"
    if not _names_place(tokens, lexicon):
        return kind
    leads = takes_back(name_words(text)) or any(token.kind == "dash" for token in tokens)
    stray = _stray_words(_Reader(tokens, lexicon, guess=False))
    return "words" if leads or all(is_order_word(token.word) for token in stray) else "aside"


def _names_place(tokens: tuple[Token, ...], lexicon: OrderLexicon) -> bool:
    # A short name is written like one: "war" and "con" are also ordinary words.
    raw = [t.raw if t.raw[0].isupper() or len(t.raw) > 3 else "" for t in tokens]
    return any(
        lexicon.is_place(name_words(" ".join(raw[i:end])))
        for i in range(len(raw))
        for end in range(i + 1, min(i + _MOST_WORDS, len(raw)) + 1)
    )


def order_parses(text: str, lexicon: OrderLexicon, *, guess: bool = False) -> list[OrderParse]:
    """Every way to read `text` but for its remarks; with `guess`, names may be misspelt.

    Beside a remark that names a place, an order must lead somewhere by itself: without the remark it
    could mean something else (D-ORD-04).
    """
    bare = drop_remarks(text, lexicon)
    listed = split_tokens(bare.text)
    if len(listed) > _MOST_TOKENS:
        return []
    found = dict.fromkeys(_Reader(listed, lexicon, guess).parse_order())
    return [parse for parse in found if not bare.places or parse.is_complete]


def _memoised(
    method: Callable[["_Reader", int], Iterator[T]],
) -> Callable[["_Reader", int], list[T]]:
    """Read the same words only once, however many ways lead to them, and drop repetitions."""

    def parse_once(self: "_Reader", i: int) -> list[T]:
        key = method.__name__, i
        if key not in self.kept:
            self.kept[key] = list(dict.fromkeys(method(self, i)))
        return self.kept[key]

    return parse_once


@dataclass
class _Reader:
    """Each method takes a position in the text and yields every parse that can begin there, with its
    end."""

    text: tuple[Token, ...]
    lexicon: OrderLexicon
    guess: bool
    kept: dict[tuple[str, int], list[Any]] = field(default_factory=dict)

    def parse_order(self) -> Iterator[OrderParse]:
        for parse, end in self._parse_clause():
            if any(rest == len(self.text) for rest in self.skip_fillers(end)):
                yield parse

    def _parse_clause(self) -> Iterator[tuple[OrderParse, int]]:
        for start in self.skip_fillers(0):
            yield from self.verb_first(start)
            for unit, after in self.parse_piece(start):
                yield OrderParse(BARE, unit), after
                for verb in (after, *self._parse_role(after, "ordered")):
                    for parse, end in self._parse_predicate(verb):
                        yield replace(parse, unit=unit), end

    def verb_first(self, i: int) -> Iterator[tuple[OrderParse, int]]:
        """``Build F Brest``, ``+F Brest``, ``Rusia retira E Gal``, ``-E Gal``, ``Waive``."""
        for end in self._parse_role(i, WAIVE):
            yield OrderParse(WAIVE), end
            for after in self.skip_fillers(end):
                yield from (
                    (OrderParse(WAIVE, to=place), j) for place, j in self.parse_place(after)
                )
        for verb, sign in ((BUILD, "plus"), (DISBAND, "dash")):
            for after in (*self._parse_role(i, verb), *([i + 1] if self._is_kind(i, sign) else [])):
                yield from ((OrderParse(verb, unit), end) for unit, end in self.parse_piece(after))
        for verb in (RETREAT, MOVE):
            for after in self._parse_role(i, verb):
                for unit, j in self.parse_piece(after):
                    yield from self._parse_going(verb, unit, j)

    def _parse_predicate(self, i: int) -> Iterator[tuple[OrderParse, int]]:
        for verb in (HOLD, DISBAND, BUILD):
            yield from ((OrderParse(verb), end) for end in self._parse_role(i, verb))
        for after in self._parse_role(i, RETREAT):
            yield from self._parse_going(RETREAT, None, after, bare=True)
        yield from self._parse_going(MOVE, None, i)
        for after in self._parse_role(i, SUPPORT):
            yield from self._parse_support(after)
        for after in self._parse_role(i, CONVOY):
            yield from self._parse_convoy(after)
        for place, end in self.parse_place(i):  # ``A Par Bur``: nothing else can be meant
            yield OrderParse(MOVE, to=place, loose=SHORTENED), end

    def _parse_going(
        self, verb: str, unit: WrittenPiece | None, i: int, *, bare: bool = False
    ) -> Iterator[tuple[OrderParse, int]]:
        for start in sorted({*self._parse_to(i), *([i] if bare else [])}):
            for place, end, via in self._parse_path(start):
                yield OrderParse(verb, unit, to=place, via=via), end

    @_memoised
    def _parse_support(self, i: int) -> Iterator[tuple[OrderParse, int]]:
        for target, end in self.parse_piece(i):
            yield OrderParse(SUPPORT, target=target), end
            yield from (
                (OrderParse(SUPPORT, target=target), j) for j in self._parse_role(end, HOLD)
            )
            for start in self._parse_to(end):
                for place, j, _via in self._parse_path(start):
                    yield OrderParse(SUPPORT, target=target, to=place), j

    @_memoised
    def _parse_convoy(self, i: int) -> Iterator[tuple[OrderParse, int]]:
        """``A Lon-Bre``, and also the rest of a chain: ``F MAO C A Lon-Bre``."""
        for army, end in self.parse_piece(i):
            for start in self._parse_to(end):
                for place, j, _via in self._parse_path(start):
                    yield OrderParse(CONVOY, target=army, to=place), j
            for after in self._parse_role(end, CONVOY):
                yield from self._parse_convoy(after)

    @_memoised
    def _parse_path(self, i: int) -> Iterator[tuple[WrittenPlace, int, bool]]:
        """The destination, whichever seas were named on the way (D-CONV-08), and whether by convoy."""
        for place, end in self.parse_place(i):
            yield place, end, False
            for after in self._parse_role(end, "via"):
                yield place, after, True
                yield from ((place, j, True) for j in self._parse_route(after))
            for start in self._parse_to(end):
                if PROVINCES[place.at].kind == "sea":
                    yield from ((last, j, True) for last, j, _ in self._parse_path(start))

    @_memoised
    def _parse_route(self, i: int) -> Iterator[int]:
        for start in sorted({i, *self._parse_to(i)}):
            for place, end in self.parse_place(start):
                if PROVINCES[place.at].kind == "sea":
                    yield end
                    yield from self._parse_route(end)

    @_memoised
    def parse_piece(self, i: int) -> Iterator[tuple[WrittenPiece, int]]:
        for start in self.skip_fillers(i):
            for kind, role in (("A", "army"), ("F", "fleet")):
                for after in self._parse_role(start, role):
                    for name in self.skip_fillers(after):
                        yield from self._parse_piece_at(kind, name)
            if self._misprinted_army(start):
                yield from self._parse_piece_at("A", start + 1, ALIAS)
            yield from self._parse_piece_at("", start)

    def _parse_piece_at(
        self, kind: str, i: int, tier: int = 0
    ) -> Iterator[tuple[WrittenPiece, int]]:
        for place, end in self.parse_place(i):
            yield WrittenPiece(kind, place._replace(tier=max(tier, place.tier))), end

    def _misprinted_army(self, i: int) -> bool:
        """The Spanish rulebook prints "A Varsovia" for "E Varsovia" itself (D-SET-03)."""
        return self.lexicon.lang == "es" and self._is_kind(i, "word") and self.text[i].raw == "A"

    def acts_after(self, piece: WrittenPiece, i: int) -> bool:
        """Whether something is said about the unit before `i`, or the text contains nothing else."""
        if i == len(self.text):
            return bool(piece.kind)
        said = {role for _, role in self.word_roles[i]}
        return self._is_kind(i, "dash") or not said.isdisjoint({"to", "ordered", *VERBS})

    def _is_kind(self, i: int, kind: str) -> bool:
        return i < len(self.text) and self.text[i].kind == kind

    # Places

    @_memoised
    def parse_place(self, i: int) -> Iterator[tuple[WrittenPlace, int]]:
        for code, tier, end in self.parse_province(i):
            yield WrittenPlace(code, "", tier), end
            for coast, after in self._parse_coast(end):
                known = f"{code}/{coast}" in PROVINCES[code].coasts
                yield WrittenPlace(code, coast if known else "", tier), after
        for coast, after in self._parse_coast(i):
            for start in self.skip_fillers(after):
                for code, tier, end in self.parse_province(start):
                    if f"{code}/{coast}" in PROVINCES[code].coasts:
                        yield WrittenPlace(code, coast, tier), end

    @_memoised
    def parse_province(self, i: int) -> Iterator[tuple[str, int, int]]:
        for name, end, cut in self._name_candidates(i):
            found = self.lexicon.find_places(name)
            if cut:
                found = self._across_dash(name, cut, found)
            elif not found and self.guess:
                found = self.lexicon.find_misspelt(name)
            yield from ((code, tier, end) for code, tier in found.items())

    def _across_dash(
        self, name: tuple[str, ...], cut: int, found: dict[str, int]
    ) -> dict[str, int]:
        """A dash may stand inside ``Mid-Atlantic``, but ``Swe-Den`` is no Sweden, and no name is
        guessed from words on both sides of it."""
        if self._is_sure(name[:cut]) and self._is_sure(name[cut:]):
            return {}
        return {code: tier for code, tier in found.items() if tier < SHORTENED}

    def _name_candidates(self, i: int) -> Iterator[tuple[tuple[str, ...], int, int]]:
        """The words at `i`, one more at a time, and how many of them stand before a dash."""
        name: tuple[str, ...] = ()
        cut = 0
        for end, token in enumerate(self.text[i : i + 2 * _MOST_WORDS], i + 1):
            if token.kind == "word":
                name += (token.word,)
                yield name, end, cut
            elif token.kind == "dash":
                cut = len(name)
            if token.kind == "open" or not name or len(name) == _MOST_WORDS:
                return

    def _is_sure(self, name: tuple[str, ...]) -> bool:
        return min(self.lexicon.find_places(name).values(), default=SHORTENED) < SHORTENED

    def _parse_coast(self, i: int) -> Iterator[tuple[str, int]]:
        marked = i < len(self.text) and self.text[i].kind != "word"
        start = i + marked
        for count in (4, 3, 2, 1):
            phrase = tuple(t.word for t in self.text[start : start + count])
            coast = self.lexicon.coasts.get(phrase)
            if coast and (marked or len("".join(phrase)) > 1):
                yield coast, start + count

    # Words

    @_memoised
    def _parse_to(self, i: int) -> Iterator[int]:
        """A dash, an arrow, "to", or "moves" with any of them."""
        if self._is_kind(i, "dash"):
            yield i + 1
            yield from self._skip_some(i + 1)
        for end in self._parse_role(i, "to"):
            yield end
            yield from self._skip_some(end)
        for end in self._parse_role(i, MOVE):
            yield end
            yield from self._parse_to(end)

    @_memoised
    def skip_fillers(self, i: int) -> Iterator[int]:
        """Past articles, prepositions and nationalities, none or some."""
        yield i
        yield from self._skip_some(i)

    def _skip_some(self, i: int) -> Iterator[int]:
        for end in self._parse_role(i, "skip"):
            yield from self.skip_fillers(end)

    def _parse_role(self, i: int, wanted: str) -> Iterator[int]:
        for count, role in self.word_roles[i] if i < len(self.text) else ():
            if role == wanted:
                yield i + count

    @cached_property
    def word_roles(self) -> list[list[tuple[int, str]]]:
        folded = [token.word if token.kind == "word" else "" for token in self.text]
        return [
            [
                (count, role)
                for count, role in self.lexicon.roles_at(tuple(folded[i:]), guess=self.guess)
                if count > 1 or self._fits_case(token.raw, role)
            ]
            for i, token in enumerate(self.text)
        ]

    def _fits_case(self, raw: str, role: str) -> bool:
        """A capital letter stands for a word, a small one among capitals is a preposition."""
        if raw == "A":
            return role not in {"to", "skip"}
        return raw != "a" or role in {"to", "skip"} or not self._has_capitals

    @cached_property
    def _has_capitals(self) -> bool:
        return any(token.raw != token.raw.lower() for token in self.text)


def piece_parses(text: str, lexicon: OrderLexicon, *, guess: bool = False) -> list[WrittenPiece]:
    """Every unit that the whole of `text` can name."""
    reader = _Reader(split_tokens(text)[:_MOST_TOKENS], lexicon, guess)
    return [piece for piece, end in reader.parse_piece(0) if end == len(reader.text)]


def place_parses(text: str, lexicon: OrderLexicon, *, guess: bool = False) -> list[WrittenPlace]:
    """Every place that the whole of `text` can name."""
    reader = _Reader(split_tokens(text)[:_MOST_TOKENS], lexicon, guess)
    return [
        place
        for start in reader.skip_fillers(0)
        for place, end in reader.parse_place(start)
        if end == len(reader.text)
    ]


def starts_like_order(text: str, lexicon: OrderLexicon) -> bool:
    """Whether `text` begins as orders do: a unit and what it does, or a verb and a unit."""
    reader = _Reader(
        split_tokens(drop_remarks(text, lexicon).text)[:_MOST_TOKENS], lexicon, guess=True
    )
    return any(
        reader.acts_after(piece, end)
        for i in reader.skip_fillers(0)
        for piece, end in reader.parse_piece(i)
    ) or any(True for _ in reader.verb_first(0))


def strange_word(text: str, lexicon: OrderLexicon) -> str:
    """The first word of `text` that is neither a name nor a word of orders, as written: one that
    resembles nothing, if there is one."""
    listed = split_tokens(drop_remarks(text, lexicon).text)[:_MOST_TOKENS]
    readers = (_Reader(listed, lexicon, guess) for guess in (True, False))
    stray = (token for reader in readers for token in _stray_words(reader))
    return next((token.raw for token in stray), "")


def _stray_words(reader: _Reader) -> list[Token]:
    """The words that are neither part of a name nor words of orders."""
    named = {
        n
        for i in range(len(reader.text))
        for _, _, end in reader.parse_province(i)
        for n in range(i, end)
    }
    return [
        token
        for i, token in enumerate(reader.text)
        if token.kind == "word" and i not in named and not reader.word_roles[i]
    ]
