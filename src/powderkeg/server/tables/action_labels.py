"""An action in words, as the question that it answers says it."""

from typing import assert_never

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
from powderkeg.core.words import Arg, say


def in_words(asked: Question | None, text: str, lang: str) -> str:
    """The labels along the way that writes `text`; the text itself where there is no such way."""
    return " ".join(say(label, lang) for label in labels(asked, text))


def labels(asked: Question | None, text: str) -> list[Arg]:
    return (_labels(asked.node, text) if asked else None) or [text]


def _labels(node: Node | None, text: str) -> list[Arg] | None:
    match node:
        case None:
            return [] if text == "" else None
        case One(options):
            return _first(options, text)
        case Orders(rows, options):
            for row in rows:
                if (found := _labels(row.node, text)) is not None:
                    return [row.label, *found]
            return _first(options, text)
        case Some() | Amount() | Assign():
            head, _, tail = text.partition(" ")
            here, rest = _many(node, head), _labels(node.then, tail)
            return None if here is None or rest is None else [*here, *rest]
        case _:
            assert_never(node)


def _first(options: tuple[Option, ...], text: str) -> list[Arg] | None:
    for option in options:
        if text == option.text or text.startswith(f"{option.text} "):
            rest = _labels(option.then, text[len(option.text) + 1 :])
            if rest is not None:
                return [option.label, *rest]
    return None


def _many(node: Some | Amount | Assign, head: str) -> list[Arg] | None:
    """What one piece of text says: a number, several things, or shares of something."""
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
