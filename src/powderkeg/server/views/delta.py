"""What changed between two JSON values, as a small JSON object of its own.

A delta of an object or a list names the members that are new (`set`), gone (`cut`) or changed inside
(`in`); those of a list by their places. A list that is longer or shorter than before has a `splice`
instead: at which place how many members go, and which come in their stead. What is not named stayed as
it was: an unchanged part is the same object before and after, also in the value that a delta was made of,
so that only what changed takes new memory. A member is a number or a truth value, never one after the
other: to Python 1 equals True.
"""

from collections.abc import Sequence
from typing import Any, TypedDict

__all__ = ["Delta", "apply_delta", "make_delta"]

Delta = TypedDict(
    "Delta",
    {
        "set": dict[str, Any],
        "cut": list[str],
        "in": dict[str, "Delta"],
        "splice": tuple[int, int, list[Any]],
    },
    total=False,
)


NOTHING = object()
FORMS: dict[type, str] = {dict: "object", list: "list", tuple: "list"}


def make_delta(before: Any, now: Any) -> Delta | None:
    """The delta that turns an object or a list into another of its kind; None if they are equal."""
    if isinstance(now, dict):
        return _object_delta(before, now)
    return _list_delta(before, now)


def _object_delta(before: dict[str, Any], now: dict[str, Any]) -> Delta | None:
    delta: Delta = {}
    for name, value in now.items():
        old = before.get(name, NOTHING)
        if old is value:
            continue
        if old == value:  # most members: here, since a call would cost more
            now[name] = old
        elif old is NOTHING:
            delta.setdefault("set", {})[name] = value
        else:
            _add_member(delta, name, old, value)
    if gone := [name for name in before if name not in now]:
        delta["cut"] = gone
    return delta or None


def _list_delta(before: Sequence[Any], now: Sequence[Any]) -> Delta | None:
    if len(now) != len(before):
        return {"splice": _find_splice(before, now)}
    delta: Delta = {}
    for place, (old, new) in enumerate(zip(before, now, strict=True)):
        if old is new:
            continue
        if old != new:
            _add_member(delta, str(place), old, new)
        elif isinstance(now, list):
            now[place] = old
    return delta or None


def _find_splice(before: Sequence[Any], now: Sequence[Any]) -> tuple[int, int, list[Any]]:
    """The part between what both lists begin with and what both end with."""
    shorter = min(len(before), len(now))
    head = 0
    while head < shorter and before[head] == now[head]:
        head += 1
    tail = 0
    while tail < shorter - head and before[-1 - tail] == now[-1 - tail]:
        tail += 1
    return head, len(before) - head - tail, list(now[head : len(now) - tail])


def _add_member(delta: Delta, name: str, old: Any, new: Any) -> None:
    """Add a member that has changed."""
    form = FORMS.get(type(old))
    if form is None or form != FORMS.get(type(new)):
        delta.setdefault("set", {})[name] = new
    elif inner := make_delta(old, new):
        delta.setdefault("in", {})[name] = inner


def apply_delta(before: Any, delta: Delta) -> Any:
    """The value after a change; `before` stays as it was."""
    if isinstance(before, dict):
        now: Any = {
            name: value for name, value in before.items() if name not in delta.get("cut", ())
        }
        now |= delta.get("set", {})
        return now | {
            name: apply_delta(now[name], part) for name, part in delta.get("in", {}).items()
        }
    now = list(before)
    if "splice" in delta:
        place, count, values = delta["splice"]
        now[place : place + count] = values
    for name, value in delta.get("set", {}).items():
        now[int(name)] = value
    for name, part in delta.get("in", {}).items():
        now[int(name)] = apply_delta(now[int(name)], part)
    return now
