"""A question is a grammar: what it lists, accepts and samples is the same language."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from powderkeg.core.ask import (
    Amount,
    Assign,
    Node,
    One,
    Option,
    Orders,
    Row,
    Share,
    Some,
    accepts_answer,
    answer_texts,
    sample_answer,
)
from powderkeg.core.words import Msg

LABEL = Msg("core.and")


def options(*names: str, then: Node | None = None) -> tuple[Option, ...]:
    return tuple(Option(name, LABEL, then=then) for name in names)


def shares(**most: int) -> tuple[Share, ...]:
    return tuple(Share(name, LABEL, n) for name, n in most.items())


PLACE = One(options("place", "deploy", then=One(options("smyrna", "silesia", then=Amount(1, 2)))))


@pytest.mark.parametrize(
    ("node", "expected"),
    [
        (One(options("duck", "stand")), ["duck", "stand"]),
        (Amount(0, 2), ["0", "1", "2"]),
        (Some(options("a", "b", "c"), 0, 2), ["-", "a", "b", "c", "a,b", "a,c", "b,c"]),
        (
            Some(options("a", "b", "c"), 0, 3, exclusive=(("a", "b"),)),
            ["-", "a", "b", "c", "a,c", "b,c"],
        ),
        (Assign(shares(x=1, y=2), 0, 2), ["-", "y:1", "x:1", "y:2", "x:1,y:1"]),
        (Amount(1, 1, then=Some(options("a"), 1, 1)), ["1 a"]),
        (Some(options("a"), 1, 5, then=Amount(7, 7)), ["a 7"]),
        (Assign(shares(x=1), 1, 1, then=Amount(7, 7)), ["x:1 7"]),
        (
            Orders((Row("par", LABEL, One(options("A par H"))),), options("ready")),
            ["A par H", "ready"],
        ),
        (Orders((Row("par", LABEL, One(options("A par H"))),), ()), ["A par H"]),
    ],
)
def test_the_language_of_a_node(node, expected):
    assert list(answer_texts(node)) == expected
    assert all(accepts_answer(node, text) for text in expected)
    rng = random.Random(1)
    assert {sample_answer(node, rng) for _ in range(200)} == set(expected)


def test_nested_choices_join_by_spaces():
    assert "deploy silesia 2" in list(answer_texts(PLACE))
    assert len(list(answer_texts(PLACE))) == 8


@pytest.mark.parametrize(
    "text", ["", "place", "place smyrna", "place smyrna 3", "place smyrna x", "places smyrna 1"]
)
def test_what_is_not_an_answer(text):
    assert not accepts_answer(PLACE, text)


@pytest.mark.parametrize("text", ["b,a", "a,a", "a,b,c", "d", ""])
def test_some_are_written_in_listed_order_once(text):
    assert not accepts_answer(Some(options("a", "b", "c"), 1, 2), text)


@pytest.mark.parametrize("text", ["y:1,x:1", "x:2", "x:0", "x:", "x", "z:1", "x:1,x:1", "y:2,"])
def test_shares_must_fit(text):
    assert not accepts_answer(Assign(shares(x=1, y=2), 1, 2), text)


names = st.lists(st.sampled_from("abcde"), min_size=1, max_size=4, unique=True)


@st.composite
def nodes(draw: st.DrawFn, depth: int = 2) -> Node:
    then = draw(st.none() | nodes(depth=depth - 1)) if depth else None
    some = draw(names)
    least = draw(st.integers(0, 2))
    most = least + draw(st.integers(0, 2))
    kind = draw(st.sampled_from(["one", "some", "amount", "assign"]))
    if kind == "one":
        return One(options(*some, then=then))
    if kind == "some":
        return Some(options(*some), min(least, len(some)), min(most, len(some)), then=then)
    if kind == "amount":
        return Amount(least, most, then=then)
    return Assign(shares(**dict.fromkeys(some, 2)), min(least, 2), min(most, 2), then=then)


@pytest.mark.slow
@given(nodes(), st.randoms(use_true_random=False))
def test_listed_accepted_and_sampled_agree(node, rng):
    listed = [text for text, _ in zip(answer_texts(node), range(300), strict=False)]
    assert all(accepts_answer(node, text) for text in listed)
    assert accepts_answer(node, sample_answer(node, rng))
    assert len(set(listed)) == len(listed)
