"""Typed values to JSON and back, with the place of every fault."""

import json
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Annotated, Any, Literal, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from powderkeg.core.errors import Unreadable
from powderkeg.core.plain import Between, dump, load


class Colour(StrEnum):
    RED = "red"
    BLUE = "blue"


class Point(NamedTuple):
    x: int
    y: int = 0


@dataclass(frozen=True)
class Hold:
    at: str


@dataclass(frozen=True)
class Move:
    at: str
    to: str | None = None


@dataclass(frozen=True)
class Tree:
    kids: "tuple[Tree, ...]" = ()


@dataclass(frozen=True)
class All:
    colour: Colour
    point: Point
    orders: tuple[Hold | Move, ...]
    pair: tuple[int, str]
    some: frozenset[str]
    table: dict[str, int]
    numbered: dict[int, bool]
    mode: Literal["a", "b", 3]
    bounded: Annotated[int, Between(0, 5)]
    ratio: float
    maybe: Hold | None
    mixed: int | str
    tree: Tree
    loose: Any = None
    made: tuple[int, ...] = field(default_factory=tuple)


FULL = All(
    Colour.BLUE,
    Point(1),
    (Hold("par"), Move("par", "bur"), Move("par")),
    (1, "x"),
    frozenset({"b", "a"}),
    {"k": 1},
    {3: True},
    3,
    5,
    0.5,
    None,
    "text",
    Tree((Tree(), Tree((Tree(),)))),
)


def test_everything_comes_back():
    stored = json.loads(json.dumps(dump(FULL)))
    assert load(All, stored) == FULL
    assert stored["some"] == ["a", "b"]
    assert stored["orders"][0] == {"is": "Hold", "at": "par"}
    assert stored["numbered"] == [[3, True]]
    assert stored["maybe"] is None


def test_one_class_or_nothing_needs_no_tag():
    assert dump(Hold("par"), Hold | None) == {"at": "par"}
    assert load(Hold | None, {"at": "par"}) == Hold("par")


def test_defaults_may_be_left_out():
    assert load(Point, {"x": 2}) == Point(2)
    assert load(Move, {"at": "par"}) == Move("par")


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"colour": "green"}, "/colour: expected one of red, blue, found 'green'."),
        ({"point": {"y": 1}}, "/point/x is missing."),
        ({"point": 3}, "/point: expected an object with named fields, found 3."),
        ({"orders": {"at": "par"}}, "/orders: expected a list, found {'at': 'par'}."),
        (
            {"orders": [{"is": "Fly"}]},
            "/orders/0: expected one of Hold, Move, found {'is': 'Fly'}.",
        ),
        ({"pair": [1]}, "/pair: expected a list of 2 items, found [1]."),
        ({"pair": ["x", "x"]}, "/pair/0: expected a whole number, found 'x'."),
        ({"table": {"k": True}}, "/table/k: expected a whole number, found True."),
        ({"table": 5}, "/table: expected an object with named fields, found 5."),
        ({"numbered": [[1]]}, "/numbered: expected an object with named fields, found [[1]]."),
        ({"mode": "c"}, "/mode: expected one of a, b, 3, found 'c'."),
        ({"mode": True}, "/mode: expected one of a, b, 3, found True."),
        ({"bounded": 6}, "/bounded: expected a number from 0 to 5, found 6."),
        ({"ratio": "x"}, "/ratio: expected a number, found 'x'."),
        ({"mixed": None}, "/mixed: expected one of several forms, found None."),
        ({"strange": 1}, "/strange: there is no such field. Known fields: "),
    ],
)
def test_faults_are_named_by_place(change, sentence):
    with pytest.raises(Unreadable) as error:
        load(All, {**dump(FULL), **change})
    assert str(error.value.msg).startswith(sentence)


def test_what_has_no_fields_is_refused():
    with pytest.raises(TypeError):
        dump(1j)


@dataclass(frozen=True)
class Options:
    length: Literal[20, 15] = 20
    seats: Annotated[int, Between(2, 4)] = 3
    missions: bool = False
    pack: str = ""


@given(st.builds(Options, st.sampled_from([20, 15]), st.integers(2, 4), st.booleans(), st.text()))
def test_options_round_trip(options):
    assert load(Options, json.loads(json.dumps(dump(options)))) == options
