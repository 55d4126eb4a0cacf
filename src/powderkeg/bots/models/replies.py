"""What a model's reply says: JSON by a schema, or the last JSON object in a text."""

import json
import re
from collections import deque
from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple

from powderkeg.bots.envoy import PromisePart
from powderkeg.bots.seats.letters import TableMessage
from powderkeg.core.game import Seat

MOST_BRACES: Final = 200  # from the end of a reply, where an object that counts may begin
MOST_ORDERS: Final = 60  # of one answer
LONGEST_REASON: Final = 300  # characters

_TEXT: Final = {"type": "string"}
_TEXTS: Final = {"type": "array", "items": _TEXT}


def object_schema(**properties: Any) -> dict[str, Any]:
    """The schema of an object with exactly these properties."""
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


TURN_SCHEMA: Final = object_schema(why=_TEXT, orders=_TEXTS, diary=_TEXT)


def talk_schema(promise_kinds: Sequence[str]) -> dict[str, Any]:
    """The schema of letters; with promises and answers to offers where the game's bots know them."""
    letter: dict[str, Any] = {"to": _TEXTS, "text": _TEXT}
    formal: dict[str, Any] = {}
    if promise_kinds:
        kind = {"type": "string", "enum": list(promise_kinds)}
        promise = object_schema(kind=kind, against=_TEXTS, places=_TEXTS, action=_TEXT)
        letter["promises"] = {"type": "array", "items": promise}
        answer = object_schema(offer={"type": "integer"}, agree={"type": "boolean"})
        formal["answers"] = {"type": "array", "items": answer}
    says = {"type": "array", "items": object_schema(**letter)}
    return object_schema(say=says, **formal, diary=_TEXT)


class TurnAnswer(NamedTuple):
    """A turn as the model wrote it; `orders` None: there is none in the reply."""

    orders: tuple[str, ...] | None
    why: str = ""
    diary: str = ""


def parse_turn(said: str) -> TurnAnswer:
    """The turn in a reply."""
    found = last_object(said, ("orders",))
    orders = found.get("orders")
    texts = [orders] if isinstance(orders, str) else orders
    if not isinstance(texts, list):
        return TurnAnswer(None)
    lines = [
        line.strip()
        for text in texts
        if isinstance(text, str)
        for line in text.replace(";", "\n").splitlines()
    ]
    written = tuple(line for line in lines if line)[:MOST_ORDERS]
    return TurnAnswer(written, _text_of(found, "why")[:LONGEST_REASON], _text_of(found, "diary"))


def parse_letters(
    said: str, sender: Seat, others: Sequence[Seat], longest: int
) -> Iterator[TableMessage]:
    """The letters in a reply: answers to offers first."""
    found = last_object(said, ("say", "answers"))
    for item in _objects_of(found, "answers"):
        if type(item.get("offer")) is int:
            agree = item.get("agree") is True
            yield TableMessage(sender, (), "", answers=item["offer"], agree=agree)
    for item in _objects_of(found, "say"):
        text, wanted = _text_of(item, "text"), item.get("to")
        named = wanted if isinstance(wanted, list) else [wanted]
        to = tuple(seat for seat in others if seat in named)
        promises = tuple(parse_promise(part) for part in _objects_of(item, "promises"))
        if (text or promises) and (to or not wanted):
            yield TableMessage(sender, to, text[:longest], promises)


def parse_promise(item: dict[str, Any]) -> PromisePart:
    """One promise of a formal offer."""
    against, places = (
        tuple(x for x in _list_of(item, name) if isinstance(x, str))
        for name in ("against", "places")
    )
    return PromisePart(_text_of(item, "kind"), against, places, _text_of(item, "action"))


def last_object(said: str, names: Sequence[str]) -> dict[str, Any]:
    """The last JSON object in a reply that has one of these names, with anything around it."""
    starts = deque((m.start() for m in re.finditer(r"\{", said)), maxlen=MOST_BRACES)
    for start in reversed(starts):
        try:
            found, _ = json.JSONDecoder().raw_decode(said, start)
        except (ValueError, RecursionError):
            continue
        if isinstance(found, dict) and any(name in found for name in names):
            return found
    return {}


def read_diary(said: str) -> str:
    """What the model notes for itself."""
    return _text_of(last_object(said, ("diary",)), "diary")


def _list_of(item: dict[str, Any], name: str) -> list[Any]:
    found = item.get(name)
    return found if isinstance(found, list) else []


def _objects_of(item: dict[str, Any], name: str) -> list[dict[str, Any]]:
    return [x for x in _list_of(item, name) if isinstance(x, dict)]


def _text_of(item: dict[str, Any], name: str) -> str:
    found = item.get(name)
    return found.strip() if isinstance(found, str) else ""
