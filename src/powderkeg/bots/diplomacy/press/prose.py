"""Simple sentences that people write to bots: peace, alliances, zones, supports, moves, draws.

A sentence becomes the promises of a formal offer, or nothing where it is not clear. It binds nobody:
the bot only says what it has understood, and the person decides whether to offer it.
"""

import re
import tomllib
from collections.abc import Iterator, Sequence
from functools import cache
from importlib.resources import files

from powderkeg.bots.diplomacy.press.commitments import is_possible_order
from powderkeg.bots.envoy import PromisePart
from powderkeg.core.game import Seat, View
from powderkeg.core.words import LANGS, say
from powderkeg.games.diplomacy.actions import Move, Support, parse_unit
from powderkeg.games.diplomacy.board import CODES, POWERS, Power, Unit
from powderkeg.games.diplomacy.notation.lexicon import fold_text
from powderkeg.games.diplomacy.words import place_name, power_name


def read_promises(view: View, to: Seat, text: str) -> list[PromisePart]:
    """The promises that a letter to one seat makes; none where it is not clear."""
    words = _plain_words(text)
    if _speaks_of("not", words):
        return []
    places, powers = _named_places(words), _named_powers(words)
    if _speaks_of("draw", words):
        return [PromisePart("draw")]
    if _speaks_of("zone", words) and places:
        return [PromisePart("zone", places=tuple(places))]
    if _speaks_of("support", words) and places:
        return _as_order(_named_supports(view, to, places))
    against = [seat for seat in _seats_of(view, powers) if seat not in (view["seat"], to)]
    if _speaks_of("alliance", words) and against:
        return [PromisePart("alliance", against=tuple(against))]
    if _speaks_of("peace", words):
        return [PromisePart("peace")]
    if _speaks_of("move", words) and len(places) > 1:
        return _as_order(_named_moves(view, to, places))
    return []


# Words


def _plain_words(text: str) -> str:
    """The words of a text without case, accents and signs, between spaces."""
    return f" {' '.join(re.findall(r'[a-z0-9]+', fold_text(text)))} "


@cache
def _phrases(meaning: str) -> tuple[str, ...]:
    path = files("powderkeg.bots.diplomacy.press") / "prose.toml"
    return tuple(tomllib.loads(path.read_text("utf-8"))[meaning])


def _speaks_of(meaning: str, words: str) -> bool:
    return any(f" {phrase}" in words for phrase in _phrases(meaning))


@cache
def _place_codes() -> dict[str, str]:
    """Every name of a place in any language, with its code."""
    return {_plain_words(say(place_name(c), lang)).strip(): c for c in CODES for lang in LANGS}


@cache
def _place_pattern() -> re.Pattern[str]:
    """Finds names of places; of two that begin alike, the longer one."""
    names = sorted(_place_codes(), key=len, reverse=True)
    return re.compile(rf"\b(?:{'|'.join(map(re.escape, names))})\b")


def _named_places(words: str) -> list[str]:
    """The places in a text, in the order in which they are named."""
    found = [_place_codes()[match] for match in _place_pattern().findall(words)]
    return list(dict.fromkeys(found))


def _named_powers(words: str) -> list[Power]:
    names = {
        power: {_plain_words(say(power_name(power), lang)).strip() for lang in LANGS}
        for power in POWERS
    }
    return [power for power in POWERS if any(f" {name} " in words for name in names[power])]


def _seats_of(view: View, powers: Sequence[Power]) -> list[Seat]:
    return [seat for seat, known in view["seats"].items() if set(known["powers"]) & set(powers)]


# Orders


def _as_order(orders: list[Move | Support]) -> list[PromisePart]:
    """The one order that fits best; none where several would."""
    return [PromisePart("order", action=str(orders[0]))] if len(orders) == 1 else []


def _named_supports(view: View, to: Seat, places: Sequence[str]) -> list[Move | Support]:
    """The supports of one side for a unit of the other that fit the places named."""
    target = places[-1] if len(places) < 3 else None
    found: list[Move | Support] = []
    for helper, helped in ((to, view["seat"]), (view["seat"], to)):
        for power, unit in _units_of(view, helper):
            for _, friend in _units_of(view, helped):
                for place in [target] if target else places:
                    order = Support(unit, friend, place)
                    if _fits_places((unit, friend), place, places) and is_possible_order(
                        view, power, order
                    ):
                        found.append(order)
        if found:
            return found
    return found


def _named_moves(view: View, to: Seat, places: Sequence[str]) -> list[Move | Support]:
    """The moves between the first two places named, in either direction."""
    one, two = places[:2]
    return [
        order
        for seat in (to, view["seat"])
        for power, unit in _units_of(view, seat)
        for start, end in ((one, two), (two, one))
        if unit.at[:3] == start and is_possible_order(view, power, order := Move(unit, end))
    ]


def _fits_places(units: Sequence[Unit], end: str, places: Sequence[str]) -> bool:
    """Whether an order has every place that was named, and no unit in its destination."""
    at = [unit.at[:3] for unit in units]
    return end not in at and set(places) <= {*at, end}


def _units_of(view: View, seat: Seat) -> Iterator[tuple[Power, Unit]]:
    for power in view["seats"][seat]["powers"]:
        for unit in view["units"][power]:
            yield power, parse_unit(unit)
