"""Orders that sentences in plain words may mean: supports, moves, units that hold."""

import re
from collections.abc import Callable, Iterator, Sequence
from typing import TypeAlias

from powderkeg.bots.diplomacy.press import commitments
from powderkeg.bots.diplomacy.press.prose_frames import lists_names
from powderkeg.bots.diplomacy.press.prose_words import (
    is_wish,
    named_places,
    places_after,
    says_phrase,
)
from powderkeg.bots.envoy import PromisePart
from powderkeg.core.game import Seat, View
from powderkeg.games.diplomacy.actions import Hold, Move, Support, parse_unit
from powderkeg.games.diplomacy.board import Power, Unit

NamedOrder: TypeAlias = Move | Support | Hold
_Fits: TypeAlias = Callable[[NamedOrder], bool]
_SUPPORTER = re.compile(
    r"@(\w+) (?:can |could |will |to |puede |podria |puo |potrebbe |a )?(?:supports?|apoy\w+|appogg\w+|sost\w+|s) "
)
_STAYS = re.compile(
    r" (?:to hold|to stay|in place|a mantener\w*|a quedar\w*|a tenere|a restare|sul posto) "
)
_ARROWS = re.compile(r"@(\w+) (?:-|to|into|hacia|verso|a|al|alla|in|nel|nella) @(\w+)")


def named_supports(view: View, to: Seat, words: str) -> list[NamedOrder]:
    """The supports of one side for a unit of the other that fit a clause."""
    possible = commitments.order_checker(view)
    subject = _SUPPORTER.search(words)
    for helper in _helpers(view, to, words):
        helped = to if helper == view["seat"] else view["seat"]
        found: list[NamedOrder] = [
            order
            for power, unit in _units_of(view, helper)
            if subject is None or unit.at[:3] == subject[1]
            for _, friend in _units_of(view, helped)
            for order in _supports_between(unit, friend, named_places(words))
            if not (order.to and _STAYS.search(words))
            if _goal(order) not in places_after(words, "unit_at") and possible(power, order)
        ]
        if found:
            return _best_fits(found, words)
    return []


def _helpers(view: View, to: Seat, words: str) -> Sequence[Seat]:
    me, you = view["seat"], to
    if _SUPPORTER.search(words):
        return [you, me]
    wanted, given = (says_phrase(words, "small", each) for each in ("help_me", "help_you"))
    if wanted != given:
        return [you] if wanted else [me]
    first_person = says_phrase(words, "small", "by_me")
    return [me, you] if first_person else [you, me]


def _supports_between(unit: Unit, friend: Unit, places: Sequence[str]) -> Iterator[Support]:
    """The supports of one unit for another that have every place named."""
    ends = [place for place in places if place not in (unit.at[:3], friend.at[:3])]
    if len(ends) == 1:
        yield Support(unit, friend, ends[0])
    elif not ends and friend.at[:3] in places:
        yield Support(unit, friend)


def named_moves(view: View, to: Seat, words: str) -> list[NamedOrder]:
    """The moves that fit a clause: from one place to another, or to the only one that it names."""
    pairs = _ARROWS.findall(words)
    seats = [view["seat"], to] if pairs else _movers(view, to, words)
    if found := _moves_between(view, seats, words, pairs):
        return _best_fits(found, words)
    # Where both places are named, it is plain whose unit it is
    others = [to, view["seat"]] if len(named_places(words)) > 1 else []
    return _best_fits(_moves_between(view, others, words, pairs), words)


def _moves_between(
    view: View, seats: Sequence[Seat], words: str, pairs: Sequence[tuple[str, str]]
) -> list[NamedOrder]:
    places, possible = named_places(words), commitments.order_checker(view)
    goals_only = places_after(words, "unit_at")
    return [
        order
        for seat in seats
        for power, unit in _units_of(view, seat)
        for end in places
        if unit.at[:3] != end and end not in goals_only
        if (unit.at[:3], end) in pairs
        or (not pairs and len(places) < 3 and set(places) <= {unit.at[:3], end})
        if possible(power, order := Move(unit, end))
    ]


def listed_moves(view: View, to: Seat, words: str) -> list[NamedOrder]:
    """The moves of a clause that lists several goals, if each can only be one: ``I go to Ruhr and Denmark``."""
    mine = says_phrase(words, "small", "by_me") and not says_phrase(words, "small", "by_you")
    listed = [f" {part.strip()} " for part in re.split(r" (?:and|y|e|,) ", words)]
    named = [part for part in listed if named_places(part) and (is_wish(part) or lists_names(part))]
    found = [named_moves(view, to, f" i will{part}" if mine else part) for part in named]
    moves = [orders[0] for orders in found if len(orders) == 1]
    several = len({move.unit for move in moves}) == len(found)
    return moves if several else []


def rival_orders(parts: Sequence[PromisePart]) -> tuple[PromisePart, ...]:
    """The orders among which one unit would have to choose: hold, or move."""
    units = [part.action.split(" ")[:2] for part in parts]
    return tuple(
        part for part, unit in zip(parts, units, strict=True) if unit[1:] and units.count(unit) > 1
    )


def missing_remark(view: View, to: Seat, words: str, kind: str) -> str:
    """What to say where no order fits: what is missing, or that there is none."""
    if kind == "support" and set(named_places(words)) <= places_after(words, "unit_at"):
        return "support_which"
    if kind == "move" and not names_unit(view, to, words):
        return "order_which"
    return "no_such_order"


_DIRECTIONS = re.compile(
    r" (?:north|south|east|west|norte|sur|este|oeste|nord|sud|est|ovest|elsewhere|away|otro sitio|altrove) "
)


def goes_nowhere(view: View, to: Seat, words: str) -> bool:
    """Whether a clause names only where a unit stands: ``move Moscow south``, ``move Munich out of there``."""
    places = named_places(words)
    if len(places) != 1:
        return False
    by_mover = {
        unit.at[:3] for seat in _movers(view, to, words) for _, unit in _units_of(view, seat)
    }
    by_both = {unit.at[:3] for seat in (view["seat"], to) for _, unit in _units_of(view, seat)}
    to_nowhere = places[0] in by_mover and places[0] not in places_after(words, "to")
    return to_nowhere or (places[0] in by_both and bool(_DIRECTIONS.search(words)))


def names_moves(words: str) -> bool:
    """Whether a clause has a move from place to place."""
    return bool(_ARROWS.search(words))


def are_all_moves(orders: Sequence[NamedOrder], words: str) -> bool:
    """Whether a clause names several moves from place to place, and these are they."""
    return len(orders) > 1 and len(_ARROWS.findall(words)) == len({order.unit for order in orders})


def names_unit(view: View, to: Seat, words: str) -> bool:
    """Whether a clause names one place, or a unit of one side by its place and its goal."""
    places = named_places(words)
    units = {unit.at[:3] for seat in (view["seat"], to) for _, unit in _units_of(view, seat)}
    return len(places) == 1 or (len(places) == 2 and bool(units & set(places)))


def named_bounce(view: View, to: Seat, words: str) -> tuple[list[Move], list[Move]]:
    """The moves of the writer and of the reader to the place where they shall bounce: the last that a
    clause names, by the units at the others or by any."""
    *starts, end = _meeting_last(view, to, named_places(words))
    mine, yours = (moves_to(view, seat, end) for seat in (view["seat"], to))
    return _from_any(mine, starts), _from_any(yours, starts)


def _meeting_last(view: View, to: Seat, places: list[str]) -> list[str]:
    """The places, with the only one that both sides can reach at the end."""
    met = [p for p in places if all(moves_to(view, seat, p) for seat in (view["seat"], to))]
    return [p for p in places if p != met[0]] + met if len(met) == 1 else places


def moves_to(view: View, seat: Seat, end: str) -> list[Move]:
    """The moves to a place that one side can order."""
    possible = commitments.order_checker(view)
    moves = [(power, Move(unit, end)) for power, unit in _units_of(view, seat)]
    return [move for power, move in moves if possible(power, move)]


def _from_any(moves: list[Move], starts: Sequence[str]) -> list[Move]:
    return [move for move in moves if move.unit.at[:3] in starts] or moves


def named_holds(view: View, to: Seat, words: str) -> list[NamedOrder]:
    places = named_places(words)
    return [
        Hold(unit)
        for seat in (to, view["seat"])
        for _, unit in _units_of(view, seat)
        if [unit.at[:3]] == places
    ]


def _movers(view: View, to: Seat, words: str) -> Sequence[Seat]:
    mine = says_phrase(words, "small", "by_me")
    yours = says_phrase(words, "small", "by_you")
    if mine and yours:
        return [to, view["seat"]]
    return [view["seat"]] if mine else [to]


def _best_fits(found: list[NamedOrder], words: str) -> list[NamedOrder]:
    """Of several, those that have the places of the clause where its small words put them."""
    starts, ends = places_after(words, "from"), places_after(words, "to")
    tests: list[_Fits] = [
        lambda order: _goal(order) in ends,
        lambda order: _goal(order) not in starts - ends,
        lambda order: _start(order) in starts,
    ]
    for test in tests:
        found = [order for order in found if test(order)] or found
    return found


def _goal(order: NamedOrder) -> str:
    return commitments.attack_goal(order)


def _start(order: NamedOrder) -> str:
    unit = order.target if isinstance(order, Support) else order.unit
    return unit.at[:3]


def _units_of(view: View, seat: Seat) -> Iterator[tuple[Power, Unit]]:
    for power in view["seats"][seat]["powers"]:
        for unit in view["units"][power]:
            yield power, parse_unit(unit)
