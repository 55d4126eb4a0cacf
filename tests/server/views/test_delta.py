"""Deltas: applying what changed gives the new value, and nothing else is touched."""

import json
import random
from copy import deepcopy
from typing import Any

import pytest

from powderkeg.server.views.delta import KnownDeltas, apply_delta, make_delta, share_delta


@pytest.mark.parametrize(
    ("before", "now", "delta"),
    [
        ({"a": 1}, {"a": 1}, None),
        ({"a": 1}, {"a": 2}, {"set": {"a": 2}}),
        ({"a": 1}, {"b": 1}, {"set": {"b": 1}, "cut": ["a"]}),
        ({"a": None}, {}, {"cut": ["a"]}),
        ({"a": {"b": 1, "c": 2}}, {"a": {"b": 1, "c": 3}}, {"in": {"a": {"set": {"c": 3}}}}),
        ({"a": [1, 2, 3]}, {"a": [1, 5, 3]}, {"in": {"a": {"set": {"1": 5}}}}),
        ([1, 2, 3], [1], {"splice": (1, 2, [])}),
        ([1], [1, [2], 3], {"splice": (1, 0, [[2], 3])}),
        ([1, 2, 3, 4], [1, 9, 4], {"splice": (1, 2, [9])}),
        ([1, 1], [1, 1, 1], {"splice": (2, 0, [1])}),
        ({"a": [1]}, {"a": {"0": 1}}, {"set": {"a": {"0": 1}}}),
        ({"a": (1, 2)}, {"a": [1, 2]}, None),
        ({"a": {}}, {"a": None}, {"set": {"a": None}}),
    ],
)
def test_delta_names_what_changed(before: Any, now: Any, delta: Any) -> None:
    if isinstance(now, dict):
        assert share_delta(dict(before), dict(now), {}) == delta
    assert make_delta(before, now) == delta


def test_unchanged_parts_stay_the_same_objects() -> None:
    before: dict[str, Any] = {"board": {"a": [1]}, "seq": 1, "seats": [{"n": 1}, {"n": 2}]}
    now = {"board": {"a": [1]}, "seq": 2, "seats": [{"n": 1}, {"n": 3}]}
    delta = make_delta(before, now)
    assert delta is not None
    after = apply_delta(before, delta)
    assert after == now
    assert after["board"] is before["board"]
    assert after["seats"][0] is before["seats"][0]
    assert before["seq"] == 1


def _some_value(rng: random.Random, depth: int) -> Any:
    if depth and rng.random() < 0.7:
        members = [_some_value(rng, depth - 1) for _ in range(rng.randrange(5))]
        return members if rng.random() < 0.5 else {rng.choice("abcdef"): m for m in members}
    return rng.choice([None, True, False, 3, 4, 2.5, "", "x"])


@pytest.mark.parametrize("seed", range(200))
def test_any_value_becomes_any_other_over_the_wire(seed: int) -> None:
    rng = random.Random(seed)
    before, now = ({"v": _some_value(rng, 5), "w": _some_value(rng, 3)} for _ in range(2))
    shared = share_delta(deepcopy(before), deepcopy(now), {})
    delta = json.loads(json.dumps(make_delta(before, now)))
    assert json.loads(json.dumps(shared)) == delta
    after = before if delta is None else apply_delta(before, delta)
    assert json.dumps(after, sort_keys=True) == json.dumps(now, sort_keys=True)


def test_a_member_that_readers_share_is_compared_once() -> None:
    board, moved = {"par": "A", "lon": "F"}, {"par": "F", "lon": "F"}
    known: KnownDeltas = {}
    ann = share_delta({"view": {"board": board, "mine": 1}}, {"view": {"board": moved}}, known)
    ben = share_delta({"view": {"board": board}}, {"view": {"board": moved, "mine": 2}}, known)
    assert ann == {"in": {"view": {"cut": ["mine"], "in": {"board": {"set": {"par": "F"}}}}}}
    assert ben == {"in": {"view": {"set": {"mine": 2}, "in": {"board": {"set": {"par": "F"}}}}}}
    assert ann["in"]["view"]["in"]["board"] is ben["in"]["view"]["in"]["board"]


def test_a_list_that_readers_share_is_compared_once() -> None:
    before, now = [{"at": "par"}, {"at": "lon"}], [{"at": "bur"}, {"at": "lon"}]
    known: KnownDeltas = {}
    deltas = [
        share_delta({"view": {"units": before}}, {"view": {"units": now}}, known) for _ in "ab"
    ]
    assert deltas[0] == {"in": {"view": {"in": {"units": {"in": {"0": {"set": {"at": "bur"}}}}}}}}
    ann, ben = (delta["in"]["view"]["in"]["units"] for delta in deltas if delta)
    assert ann is ben
