"""Reading orders as people write them, in English, Spanish and Italian.

A badly written order with only one possible meaning must be followed (D-ORD-05), one with several
must not (D-ORD-06). So a reader who knows the board (a `Context`) understands more: missing and
wrong unit letters, coasts that go without saying, abbreviations that only one unit can fit.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final, NamedTuple, TypeVar

from powderkeg.core.errors import RulesError, Unreadable
from powderkeg.core.words import LANGS, Msg
from powderkeg.games.diplomacy.actions import (
    Order,
)
from powderkeg.games.diplomacy.board import Unit
from powderkeg.games.diplomacy.notation import grammar
from powderkeg.games.diplomacy.notation.grammar import Draft
from powderkeg.games.diplomacy.notation.lexicon import Lexicon, fold, lexicon
from powderkeg.games.diplomacy.notation.resolve import (
    Context,
    complete,
    possible,
    standing,
)
from powderkeg.games.diplomacy.notation.writing import FORMS, order_msg, unit_msg, write
from powderkeg.games.diplomacy.words import place_name

T = TypeVar("T")
_OUTSIDE: Final = re.compile(r"[,;](?![^\[]*\])")  # commas and semicolons, but not in brackets
_BULLET: Final = re.compile(r"\s*(?:\d+[.)]|[\u2022*\u2013\u2014-]\s)\s*")


class _Read(NamedTuple):
    """An order as understood; the smaller the tier, the surer."""

    order: Order
    possible: bool
    tier: int


def listed(line: str) -> Iterator[str]:
    """The orders in a line, without what separates them and the numbers or bullets of a list."""
    for part in _OUTSIDE.split(line):
        found = _BULLET.match(part)
        text = (part[found.end() :] if found else part).strip()
        if text.strip("."):
            yield text


def read(text: str, context: Context | None = None, lang: str | None = None) -> Order:
    """The order written in `text`; without `lang`, in whichever language it makes sense.

    An order that is clear but against the rules is returned as it was written: the adjudicator
    says why it is void. Raises `Unreadable` or `Illegal` when there is no order to judge.
    """
    tries = [_read(text, context, each) for each in _langs(lang)]
    understood = [tried for tried in tries if isinstance(tried, _Read)]
    if not understood:
        raise tries[0]  # type: ignore[misc]  # all of them are errors
    best = min((not tried.possible, tried.tier) for tried in understood)
    orders = [t.order for t in understood if (not t.possible, t.tier) == best]
    return _only(text, orders, order_msg)


def read_set(
    texts: Sequence[str], context: Context, lang: str | None = None
) -> tuple[str, list[Order | RulesError]]:
    """One power's orders, all in one language (D-ORD-02): that language, and for each text the
    order or what is wrong with it."""
    tries = [(each, [_read(text, context, each) for text in texts]) for each in _langs(lang)]
    chosen, results = min(tries, key=lambda tried: _cost(tried[1]))
    return chosen, [r.order if isinstance(r, _Read) else r for r in results]


def read_unit(text: str, lang: str | None = None) -> Unit:
    """The unit written in `text`: ``A Par``, ``F SPt (costa sur)``."""

    def meant(words: Lexicon, guess: bool) -> list[tuple[int, Unit]]:  # noqa: FBT001  # called once
        pieces = grammar.pieces(text, words, guess=guess)
        return [(piece.place.tier, unit) for piece in pieces for unit in standing(piece)]

    return _surest(text, meant, unit_msg, lang)


def read_place(text: str, lang: str | None = None) -> str:
    """The province or coast written in `text`."""

    def meant(words: Lexicon, guess: bool) -> list[tuple[int, str]]:  # noqa: FBT001  # called once
        return [(p.tier, p.location) for p in grammar.places(text, words, guess=guess)]

    return _surest(text, meant, place_name, lang)


def _langs(lang: str | None) -> tuple[str, ...]:
    return (lang,) if lang else LANGS


def _cost(results: Iterable[_Read | RulesError]) -> tuple[int, int, int]:
    """Fewest unreadable orders first, then the surest names, then fewest impossible orders."""
    results = list(results)
    understood = [result for result in results if isinstance(result, _Read)]
    return (
        len(results) - len(understood),
        sum(result.tier for result in understood),
        sum(not result.possible for result in understood),
    )


def _read(text: str, context: Context | None, lang: str) -> _Read | RulesError:
    words = lexicon(lang)
    drafts = grammar.readings(text, words) or grammar.readings(text, words, guess=True)
    try:
        if not drafts:
            raise _unreadable(text, words)
        return _chosen(text, drafts, context, lang)
    except RulesError as error:
        return error


def _chosen(text: str, drafts: list[Draft], context: Context | None, lang: str) -> _Read:
    """The reading that is possible and surest. A clear name is never bent to make it so."""
    tiers = sorted({draft.tier for draft in drafts})
    if context is None:
        orders = _completed(text, [d for d in drafts if d.tier == tiers[0]], None)
        ours = [o for o in orders if any(_same(text, write(o, lang, form)) for form in FORMS)]
        return _Read(_only(text, ours or orders, order_msg), possible=True, tier=tiers[0])
    for tier in tiers:
        orders = _completed(text, [d for d in drafts if d.tier == tier], context, strict=False)
        if able := [order for order in orders if possible(order, context)]:
            return _Read(_only(text, able, order_msg), possible=True, tier=tier)
        if orders and tier < grammar.CLEAR:
            return _Read(_only(text, orders, order_msg), possible=False, tier=tier)
    orders = _completed(text, [d for d in drafts if d.tier == tiers[0]], context)
    return _Read(_only(text, orders, order_msg), possible=False, tier=tiers[0])


def _completed(
    text: str, drafts: list[Draft], context: Context | None, *, strict: bool = True
) -> list[Order]:
    """The different orders that `drafts` describe; if there is none, why not."""
    orders: dict[Order, None] = {}
    wrong: list[RulesError] = []
    for draft in drafts:
        try:
            orders[complete(draft, context, text)] = None
        except RulesError as error:
            wrong.append(error)
    if strict and not orders:
        raise max(wrong, key=lambda error: error.code != "diplomacy_notation.no_verb")
    return list(orders)


def _only(text: str, meanings: Sequence[T], name: Callable[[T], Msg]) -> T:
    different = list(dict.fromkeys(meanings))
    if len(different) > 1:
        candidates = [name(meaning) for meaning in different[:6]]
        raise Unreadable(
            "diplomacy_notation.ambiguous", rule="D-ORD-06", text=text, candidates=candidates
        )
    return different[0]


def _same(a: str, b: str) -> bool:
    return "".join(fold(a).split()) == "".join(fold(b).split())


def _surest(
    text: str,
    meant: Callable[[Lexicon, bool], list[tuple[int, T]]],
    name: Callable[[T], Msg],
    lang: str | None,
) -> T:
    found = [m for each in _langs(lang) for m in meant(lexicon(each), False)]  # noqa: FBT003  # exact names first, then misspellings
    found = found or [m for each in _langs(lang) for m in meant(lexicon(each), True)]  # noqa: FBT003  # exact names first, then misspellings
    if not found:
        raise _unreadable(text, lexicon(_langs(lang)[0]))
    best = min(tier for tier, _ in found)
    return _only(text, [what for tier, what in found if tier == best], name)


def _unreadable(text: str, words: Lexicon) -> Unreadable:
    """What is unclear: a word that is no name, or all of it; and which names come near."""
    if not grammar.tokens(text):
        return Unreadable("diplomacy_notation.nothing")
    strange = grammar.strange_word(text, words)
    if not strange:
        return Unreadable("diplomacy_notation.unreadable", text=text)
    near = [place_name(code) for code in words.near(fold(strange))]
    if near:
        return Unreadable(
            "diplomacy_notation.unknown_place_maybe", text=text, word=strange, candidates=near
        )
    return Unreadable("diplomacy_notation.unknown_place", text=text, word=strange)
