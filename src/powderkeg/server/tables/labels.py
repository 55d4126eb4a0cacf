"""Games, seats, phases and actions in words."""

from collections.abc import Callable
from functools import lru_cache
from typing import TypeVar, assert_never, cast

from powderkeg.core.ask import (
    NONE_CHOSEN,
    Amount,
    Assign,
    Node,
    One,
    Option,
    Orders,
    Question,
    Some,
)
from powderkeg.core.chance import CHANCE
from powderkeg.core.game import Game, game_message, seat_message
from powderkeg.core.words import Arg, Msg, has_words, say
from powderkeg.server import message_json
from powderkeg.server.db.rows import TableRow

KNOWN_LABELS = 8192  # they are said again with every message to every reader
Label = TypeVar("Label", bound=Callable[..., str])


def _remember_labels(label: Label) -> Label:
    """Say each label once. A game is a module, so it can be a key though its type does not say so."""
    return cast(Label, lru_cache(KNOWN_LABELS)(label))


def game_words(game: Game) -> Msg | str:
    named = game_message(game)
    return named if has_words(named.code, "en") else game.name.replace("_", " ").title()


@_remember_labels
def game_label(game: Game, lang: str) -> str:
    return say(game_words(game), lang)


def seat_words(game: Game, seat: str) -> Msg | str:
    if seat == CHANCE:
        return Msg("server.chance")
    named = seat_message(game, seat)
    return named if has_words(named.code, "en") else seat.replace("_", " ").title()


@_remember_labels
def seat_label(game: Game, seat: str, lang: str) -> str:
    return say(seat_words(game, seat), lang)


def standing_label(game: Game, row: TableRow, seat: str, lang: str) -> str:
    """What a seat has become in its game, such as a nation that was chosen; else its own name."""
    own = row.standing.get(seat)
    if own is None or own["name"] is None:
        return seat_label(game, seat, lang)
    return say(message_json.load_message(own["name"]), lang)


def phase_words(game: Game, phase: str) -> Msg | str:
    """A phase in words; a game that marks no phases has none."""
    return game.phase_name(phase) if phase else phase


@_remember_labels
def phase_label(game: Game, phase: str, lang: str) -> str:
    return say(phase_words(game, phase), lang)


def action_in_words(asked: Question | None, text: str, lang: str) -> str:
    """An action in the words of the question: the labels on the path that produces `text`, or the
    text itself if there is no such path."""
    return " ".join(say(label, lang) for label in action_labels(asked, text))


def action_labels(asked: Question | None, text: str) -> list[Arg]:
    return (_node_labels(asked.node, text) if asked else None) or [text]


def _node_labels(node: Node | None, text: str) -> list[Arg] | None:
    match node:
        case None:
            return [] if text == "" else None
        case One(options):
            return _option_labels(options, text)
        case Orders(rows, options):
            for row in rows:
                if (found := _node_labels(row.node, text)) is not None:
                    return [row.label, *found]
            return _option_labels(options, text)
        case Some() | Amount() | Assign():
            head, _, tail = text.partition(" ")
            here, rest = _piece_labels(node, head), _node_labels(node.then, tail)
            return None if here is None or rest is None else [*here, *rest]
        case _:
            assert_never(node)


def _option_labels(options: tuple[Option, ...], text: str) -> list[Arg] | None:
    for option in options:
        if text == option.text or text.startswith(f"{option.text} "):
            rest = _node_labels(option.then, text[len(option.text) + 1 :])
            if rest is not None:
                return [option.label, *rest]
    return None


def _piece_labels(node: Some | Amount | Assign, head: str) -> list[Arg] | None:
    """The labels of one piece of text: a number, several things, or shares of something."""
    if isinstance(node, Amount):
        return [head] if head.isdecimal() else None
    parts = [] if head == NONE_CHOSEN else head.split(",")
    if isinstance(node, Some):
        known = {option.text: option.label for option in node.options}
        return [known[part] for part in parts] if all(p in known for p in parts) else None
    shares = {share.text: share.label for share in node.shares}
    pairs = [part.rpartition(":")[::2] for part in parts]
    if not all(name in shares for name, _ in pairs):
        return None
    return [word for name, count in pairs for word in (shares[name], count)]
