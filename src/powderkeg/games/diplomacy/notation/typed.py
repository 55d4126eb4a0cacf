"""Orders typed by people, read with the view of their seat, never with the state."""

from collections.abc import Iterable

from powderkeg.core.errors import RulesError, Unreadable
from powderkeg.core.game import TypedOrder, View
from powderkeg.games.diplomacy.actions import Action, Order, parse, parse_unit
from powderkeg.games.diplomacy.board import POWERS, Power, Unit
from powderkeg.games.diplomacy.notation.reading import read_orders, split_orders
from powderkeg.games.diplomacy.notation.resolve import Context, is_possible

_MOST = 40  # orders that are read in one text: nobody has more pieces

# Refusals for a unit of another power or of none: a seat may play that power, too.
_ELSEWHERE = ("diplomacy_notation.not_yours", "diplomacy_notation.no_unit_there")


def read(view: View, text: str, lang: str | None = None) -> list[TypedOrder]:
    """The orders in `text`, in wire notation or as people write them.

    The orders may be in any of our languages, all in the same (D-ORD-02); `lang` is tried first.
    """
    texts = [piece for line in text.splitlines() for piece in split_orders(line)]
    words = {piece: word for piece in texts if (word := _seat_action(piece)) is not None}
    rest = [piece for piece in dict.fromkeys(texts) if piece not in words]
    orders = dict(zip(rest, _read_pieces(view, rest[:_MOST], lang), strict=False))
    beyond = Unreadable("diplomacy_notation.too_many", most=_MOST)
    return [
        (piece, words.get(piece) or _or_wire(piece, orders.get(piece, beyond))) for piece in texts
    ]


def _seat_action(text: str) -> Action | None:
    """An action that concerns no piece: *ready*, *propose draw*."""
    action = _parse_wire(text)
    return None if isinstance(action, Order) else action


def _parse_wire(text: str) -> Action | None:
    try:
        return parse(text)
    except RulesError:
        return None


def _or_wire(text: str, meaning: Order | RulesError) -> Action | RulesError:
    """A text that makes no sense in that language may be wire notation; then the rules say why it is
    refused."""
    unclear = isinstance(meaning, RulesError) and not meaning.rule
    return (_parse_wire(text) or meaning) if unclear else meaning


def _read_pieces(view: View, texts: list[str], lang: str | None) -> list[Order | RulesError]:
    """One meaning per text; where a seat plays several powers, that of the power with the piece."""
    seat = view["seats"].get(view["seat"])
    powers: tuple[Power, ...] = tuple(seat["powers"]) if seat else POWERS
    boards = [view_context(view, power) for power in powers]
    read_by_each = [_in_any_language(texts, board, lang) for board in boards]
    return [
        min(zip(boards, meanings, strict=True), key=_reading_doubt)[1]
        for meanings in zip(*read_by_each, strict=True)
    ]


def _in_any_language(
    texts: list[str], board: Context, lang: str | None
) -> list[Order | RulesError]:
    found = read_orders(texts, board, lang)[1]
    if lang is None or not any(map(_is_error, found)):
        return found
    other = read_orders(texts, board, prefer=lang)[1]
    return other if sum(map(_is_error, other)) < sum(map(_is_error, found)) else found


def _is_error(meaning: Order | RulesError) -> bool:
    return isinstance(meaning, RulesError)


def _reading_doubt(read_: tuple[Context, Order | RulesError]) -> int:
    """How unlikely a power's reading is: the lowest value wins."""
    board, meaning = read_
    if isinstance(meaning, RulesError):
        return 3 if meaning.code in _ELSEWHERE else 2
    return 0 if is_possible(meaning, board) else 1


def view_context(view: View, power: Power) -> Context:
    """The context in which the orders of `power` are read, from a view."""
    units = {each: _parse_units(texts) for each, texts in view["units"].items()}
    if view["stage"] == "retreat":
        beaten = [each for each in view["dislodged"] if each["power"] == power]
        places = {parse_unit(each["unit"]): tuple(each["retreats"]) for each in beaten}
        return Context(power, units, "R", places)
    if view["stage"] == "adjustment":
        due = view["adjustments"].get(power, {"due": 0, "sites": ()})
        return Context(power, units, "A", owed=due["due"], sites=tuple(due["sites"]))
    return Context(power, units)


def _parse_units(texts: Iterable[str]) -> tuple[Unit, ...]:
    return tuple(map(parse_unit, texts))
