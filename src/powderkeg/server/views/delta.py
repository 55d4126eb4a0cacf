"""What changed between two JSON values, as a small JSON object of its own.

A delta of an object or a list names the members that are new (`set`), gone (`cut`) or changed inside
(`in`); those of a list by their places. A list that is longer or shorter than before has a `splice`
instead: at which place how many members go, and which come in their stead. What is not named stayed as
it was: an unchanged part is the same object before and after, also in the value that a delta was made of,
so that only what changed takes new memory. A member is a number or a truth value, never one after the
other: to Python 1 equals True.
"""

from collections.abc import Sequence
from typing import Any, TypeAlias, TypedDict

__all__ = ["Delta", "KnownDeltas", "apply_delta", "make_delta", "share_delta"]

Delta = TypedDict(
    "Delta",
    {
        "set": dict[str, Any],
        "cut": list[str],
        "in": dict[str, "Delta"],
        "splice": Sequence[Any],  # from JSON it is a list
    },
    total=False,
)


NOTHING = object()
LISTS = (list, tuple)


def make_delta(before: Any, now: Any) -> Delta | None:
    """The delta that turns an object or a list into another of its kind; None if they are equal."""
    return _object_delta(before, now) if isinstance(now, dict) else _list_delta(before, now)


# The deltas between two objects, by their ids; both are kept, so that the ids stay theirs.
KnownDeltas: TypeAlias = dict[tuple[int, int], tuple[Any, Any, Delta | None]]
SHARED = (dict, list)  # the kinds of members that are compared once for all readers


def share_delta(
    before: dict[str, Any], now: dict[str, Any], known: KnownDeltas, *, own: bool = True
) -> Delta | None:
    """The same for a table that one of several readers sees. It and its parts are their own; the members of
    the view are the same objects for many, and compared once: `known` remembers them while the table stays as
    it is."""
    new: dict[str, Any] = {}
    inner: dict[str, Delta] = {}
    for name, value in now.items():
        old = before.get(name, NOTHING)
        if old is value:
            continue
        if old == value:
            now[name] = old
        elif type(value) is not type(old) or type(value) not in SHARED:
            _add_member(new, inner, name, old, value)
        elif delta := _part_delta(old, value, known) if own else _known_delta(old, value, known):
            inner[name] = delta
    return _join_delta(new, _gone_names(before, now), inner)


def _part_delta(old: Any, new: Any, known: KnownDeltas) -> Delta | None:
    if isinstance(new, dict):
        return share_delta(old, new, known, own=False)
    return _list_delta(old, new)


def _known_delta(old: Any, new: Any, known: KnownDeltas) -> Delta | None:
    if (found := known.get((id(old), id(new)))) is None:
        found = known[id(old), id(new)] = old, new, make_delta(old, new)
    return found[2]


def _gone_names(before: dict[str, Any], now: dict[str, Any]) -> list[str]:
    return [] if before.keys() <= now.keys() else [name for name in before if name not in now]


def _object_delta(before: dict[str, Any], now: dict[str, Any]) -> Delta | None:
    new: dict[str, Any] = {}
    inner: dict[str, Delta] = {}
    for name, value in now.items():
        old = before.get(name, NOTHING)
        if old is value:
            continue
        if old == value:
            now[name] = old
        else:
            _add_member(new, inner, name, old, value)
    return _join_delta(new, _gone_names(before, now), inner)


def _list_delta(before: Sequence[Any], now: Sequence[Any]) -> Delta | None:
    if len(now) != len(before):
        return {"splice": _find_splice(before, now)}
    new: dict[str, Any] = {}
    inner: dict[str, Delta] = {}
    for place, (old, value) in enumerate(zip(before, now, strict=True)):
        if old is value:
            continue
        if old != value:
            _add_member(new, inner, str(place), old, value)
        elif isinstance(now, list):
            now[place] = old
    return _join_delta(new, [], inner)


def _add_member(
    new: dict[str, Any], inner: dict[str, Delta], name: str, old: Any, value: Any
) -> None:
    """Add a member that has changed."""
    kind = type(value)
    if kind is dict and type(old) is dict:
        delta = _object_delta(old, value)
    elif kind in LISTS and type(old) in LISTS:
        delta = _list_delta(old, value)
    else:
        new[name] = value
        return
    if delta:
        inner[name] = delta


def _join_delta(new: dict[str, Any], gone: list[str], inner: dict[str, Delta]) -> Delta | None:
    delta: Delta = {}
    if new:
        delta["set"] = new
    if gone:
        delta["cut"] = gone
    if inner:
        delta["in"] = inner
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
