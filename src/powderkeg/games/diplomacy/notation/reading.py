"""Reading orders as people write them, in English, Spanish and Italian.

A badly written order with only one possible meaning must be followed (D-ORD-05), one with several
must not (D-ORD-06). So a reader that knows the board (a `Context`) understands more: missing and
wrong unit letters, coasts that go without saying, abbreviations that only one unit can fit.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final, NamedTuple, TypeVar

from powderkeg.core.errors import Illegal, RulesError, Unreadable
from powderkeg.core.words import LANGS, Msg
from powderkeg.games.diplomacy.actions import Order
from powderkeg.games.diplomacy.board import Unit
from powderkeg.games.diplomacy.notation import grammar
from powderkeg.games.diplomacy.notation.grammar import OrderParse
from powderkeg.games.diplomacy.notation.lexicon import (
    OrderLexicon,
    awaits_unit,
    fold_text,
    opens_order,
    order_lexicon,
)
from powderkeg.games.diplomacy.notation.resolve import (
    Context,
    complete_order,
    is_possible,
    possible_units,
)
from powderkeg.games.diplomacy.notation.writing import (
    FORMS,
    write_order,
    written_order,
    written_unit,
)
from powderkeg.games.diplomacy.words import place_name

T = TypeVar("T")
_HALF_READ: Final = (
    "diplomacy_notation.ambiguous",
    "diplomacy_notation.no_verb",
    "diplomacy_notation.unit_kind_missing",
)
_BRACKETED: Final = re.compile(r"\([^()]*\)|\[[^\[\]]*\]")
_LONGEST_WORD: Final = 40
_FULL_STOP: Final = re.compile(r"(?<=(\w))\.\s*(?=([^\W\d_]+))")
_LETTERED: Final = re.compile(
    r"\s*[AEF]\s+[^\W\d_]{3,}\s*(?:\([^()]*\)\s*)?(?:[-\u2013\u2014=>\u2192]|[HSCMTARD]\b)"
)
_SEPARATOR: Final = re.compile(r"[,;]|\s\d{1,2}[.)]\s")
_SHORT_ORDER: Final = 8  # words: a longer text is a sentence
_BULLET: Final = re.compile(r"\s*(?:\d+[.)]|[\u2022*\u2013\u2014-]\s)\s*")


class UnderstoodOrder(NamedTuple):
    """An order as understood; the smaller the tier, the surer."""

    order: Order
    possible: bool
    tier: int
    corrected: bool = False  # a misspelling, a wrong letter or a remark was corrected


class OrderSet(NamedTuple):
    """One power's orders: the language they are written in, and for each text the order or its
    error."""

    lang: str
    orders: list[UnderstoodOrder | RulesError]


def split_orders(line: str) -> Iterator[str]:
    """The orders in a line, without separators and the numbers or bullets of a list."""
    for part in (each for text in _split_commas(line) for each in _split_sentences(text)):
        found = _BULLET.match(part)
        text = (part[found.end() :] if found else part).strip()
        if text.strip("."):
            yield text


def looks_like_order(text: str) -> bool:
    """Whether `text` is meant as an order, be it unreadable; greetings and chatter are not."""
    lettered = bool(_LETTERED.match(text)) and len(text.split()) <= _SHORT_ORDER
    return lettered or any(grammar.starts_like_order(text, order_lexicon(lang)) for lang in LANGS)


def _split_commas(line: str) -> Iterator[str]:
    """The parts between commas, semicolons or numbers of a list, ignoring those in brackets."""
    start = 0
    inside = [found.span() for found in _BRACKETED.finditer(line)]
    for mark in _SEPARATOR.finditer(line):
        while inside and inside[0][1] <= mark.start():
            inside.pop(0)
        if not inside or mark.start() < inside[0][0]:
            yield line[start : mark.start()]
            start = mark.end()
    yield line[start:]


def _split_sentences(text: str) -> Iterator[str]:
    """Orders with full stops between them; ``St. Petersburg`` and ``supp. A Tri`` stay whole."""
    start = 0
    for stop in _FULL_STOP.finditer(text):
        before = text[max(start, stop.start() - _LONGEST_WORD) : stop.start()]
        word = re.findall(r"[^\W\d_]+", before)[-1:]
        if opens_order(stop[2]) and word and not awaits_unit(word[0]):
            yield text[start : stop.start()]
            start = stop.end()
    yield text[start:]


def read_order(text: str, context: Context | None = None, lang: str | None = None) -> Order:
    """The order written in `text`; without `lang`, in whichever language it makes sense.

    An order that is clear but against the rules is returned as it was written: the adjudicator
    says why it is void. Raises `Unreadable` or `Illegal` when there is no order to judge.
    """
    tries = [_read_in_language(text, context, each) for each in _tried_languages(lang)]
    understood = [tried for tried in tries if isinstance(tried, UnderstoodOrder)]
    if not understood:
        raise tries[0]  # type: ignore[misc]  # all of them are errors
    best = min((not tried.possible, tried.tier) for tried in understood)
    orders = [t.order for t in understood if (not t.possible, t.tier) == best]
    return _only_meaning(text, orders, written_order)


def read_order_set(
    texts: Sequence[str], context: Context, lang: str | None = None, prefer: str | None = None
) -> OrderSet:
    """One power's orders, all in one language (D-ORD-02); `prefer` decides between languages in
    which they make equal sense."""
    tries = [
        OrderSet(each, [_read_in_language(text, context, each) for text in texts])
        for each in _tried_languages(lang, prefer)
    ]
    return min(tries, key=lambda tried: _reading_cost(tried.orders))


def read_orders(
    texts: Sequence[str], context: Context, lang: str | None = None, prefer: str | None = None
) -> tuple[str, list[Order | RulesError]]:
    """The language of one power's orders, and for each text the order or its error."""
    chosen, results = read_order_set(texts, context, lang, prefer)
    return chosen, [r.order if isinstance(r, UnderstoodOrder) else r for r in results]


def read_unit(text: str, lang: str | None = None) -> Unit:
    """The unit written in `text`: ``A Par``, ``F SPt (costa sur)``."""

    def find_meanings(words: OrderLexicon, guess: bool) -> list[tuple[int, Unit]]:  # noqa: FBT001  # called once
        pieces = grammar.piece_parses(text, words, guess=guess)
        return [(piece.place.tier, unit) for piece in pieces for unit in possible_units(piece)]

    return _surest_meaning(text, find_meanings, written_unit, lang)


def read_place(text: str, lang: str | None = None) -> str:
    """The province or coast written in `text`."""

    def find_meanings(words: OrderLexicon, guess: bool) -> list[tuple[int, str]]:  # noqa: FBT001  # called once
        return [(p.tier, p.location) for p in grammar.place_parses(text, words, guess=guess)]

    return _surest_meaning(text, find_meanings, place_name, lang)


def _tried_languages(lang: str | None, prefer: str | None = None) -> tuple[str, ...]:
    return (lang,) if lang else tuple(sorted(LANGS, key=lambda each: each != prefer))


def _reading_cost(results: Iterable[UnderstoodOrder | RulesError]) -> tuple[int, int, int, int]:
    """Fewest unreadable orders first, then those that say most about them, then the surest names,
    then fewest impossible orders."""
    results = list(results)
    understood = [result for result in results if isinstance(result, UnderstoodOrder)]
    return (
        len(results) - len(understood),
        sum(_error_doubt(result) for result in results if isinstance(result, RulesError)),
        sum(result.tier for result in understood),
        sum(not result.possible for result in understood),
    )


def _error_doubt(error: RulesError) -> int:
    """How little was understood: the order but for its unit, its words, or nothing."""
    if isinstance(error, Illegal):
        return 0
    return 1 if error.code in _HALF_READ else 2


def _read_in_language(
    text: str, context: Context | None, lang: str
) -> UnderstoodOrder | RulesError:
    words = order_lexicon(lang)
    exact = grammar.order_parses(text, words)
    parses = exact or grammar.order_parses(text, words, guess=True)
    try:
        if not parses:
            raise _unreadable_error(text, words)
        chosen = _choose_reading(text, parses, context, lang)
    except RulesError as error:
        return error
    as_written = any(_same_units(parse, chosen.order) for parse in exact)
    return chosen._replace(corrected=not as_written or grammar.drop_remarks(text, words).unknown)


def _same_units(parse: OrderParse, order: Order) -> bool:
    """Whether the letters of the units were written as they are in `order`."""
    units = [getattr(order, name, None) for name in ("unit", "target", "army")]
    kinds = {unit.province: unit.kind for unit in units if unit}
    pieces = [piece for piece in (parse.unit, parse.target) if piece]
    return all(
        kinds.get(piece.place.at) == (piece.kind or kinds.get(piece.place.at)) for piece in pieces
    )


def _choose_reading(
    text: str, parses: list[OrderParse], context: Context | None, lang: str
) -> UnderstoodOrder:
    """The reading that is possible and surest. A clear name is never bent to make it so."""
    tiers = sorted({parse.tier for parse in parses})
    if context is None:
        orders = _complete_parses(text, [d for d in parses if d.tier == tiers[0]], None)
        ours = [
            o
            for o in orders
            if any(_same_letters(text, write_order(o, lang, form)) for form in FORMS)
        ]
        return UnderstoodOrder(
            _only_meaning(text, ours or orders, written_order), possible=True, tier=tiers[0]
        )
    for tier in tiers:
        orders = _complete_parses(
            text, [d for d in parses if d.tier == tier], context, strict=False
        )
        if able := [order for order in orders if is_possible(order, context)]:
            return UnderstoodOrder(
                _only_meaning(text, able, written_order), possible=True, tier=tier
            )
        if orders and tier < grammar.CLEAR:
            return UnderstoodOrder(
                _only_meaning(text, orders, written_order), possible=False, tier=tier
            )
    orders = _complete_parses(text, [d for d in parses if d.tier == tiers[0]], context)
    return UnderstoodOrder(
        _only_meaning(text, orders, written_order), possible=False, tier=tiers[0]
    )


def _complete_parses(
    text: str, parses: list[OrderParse], context: Context | None, *, strict: bool = True
) -> list[Order]:
    """The different orders that `parses` describe; if there is none, why not."""
    orders: dict[Order, None] = {}
    wrong: list[RulesError] = []
    for parse in parses:
        try:
            orders[complete_order(parse, context, text)] = None
        except RulesError as error:
            wrong.append(error)
    if strict and not orders:
        raise max(wrong, key=lambda error: error.code != "diplomacy_notation.no_verb")
    return list(orders)


def _only_meaning(text: str, meanings: Sequence[T], name: Callable[[T], Msg]) -> T:
    different = list(dict.fromkeys(meanings))
    if len(different) > 1:
        candidates = [name(meaning) for meaning in different[:6]]
        raise Unreadable(
            "diplomacy_notation.ambiguous", rule="D-ORD-06", text=text, candidates=candidates
        )
    return different[0]


def _same_letters(a: str, b: str) -> bool:
    return "".join(fold_text(a).split()) == "".join(fold_text(b).split())


def _surest_meaning(
    text: str,
    find_meanings: Callable[[OrderLexicon, bool], list[tuple[int, T]]],
    name: Callable[[T], Msg],
    lang: str | None,
) -> T:
    lexicons = [order_lexicon(each) for each in _tried_languages(lang)]
    found: list[tuple[int, T]] = []
    for guess in (False, True):  # exact names first, then misspellings
        found = found or [m for lexicon in lexicons for m in find_meanings(lexicon, guess)]
    if not found:
        raise _unreadable_error(text, lexicons[0])
    best = min(tier for tier, _ in found)
    return _only_meaning(text, [what for tier, what in found if tier == best], name)


def _unreadable_error(text: str, words: OrderLexicon) -> Unreadable:
    """The error for a text: a word that is no name, with similar names, or the whole text."""
    if not grammar.split_tokens(text):
        return Unreadable("diplomacy_notation.nothing")
    strange = grammar.strange_word(text, words)
    if not strange:
        return Unreadable("diplomacy_notation.unreadable", text=text)
    near = [place_name(code) for code in words.similar_places(fold_text(strange))]
    if near:
        return Unreadable(
            "diplomacy_notation.unknown_place_maybe", text=text, word=strange, candidates=near
        )
    return Unreadable("diplomacy_notation.unknown_place", text=text, word=strange)
