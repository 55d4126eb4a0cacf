"""Dice and draws: described, sampled, written, audited."""

import hashlib
import random
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from powderkeg.core.chance import (
    Audited,
    Dice,
    Draw,
    Drawn,
    Roll,
    Seeded,
    _KeyedStream,
    parse_outcome,
    shuffle,
)
from powderkeg.core.errors import Unreadable
from powderkeg.core.legal import QuickRandom


@pytest.mark.parametrize("owed", [Dice(2), Dice(1, 4), Draw(("a", "b", "c"), 2), shuffle("abc")])
def test_all_outcomes_are_listed_counted_and_sampled(owed):
    listed = list(owed)
    assert len(listed) == owed.count_all()
    assert all(outcome in owed for outcome in listed)
    rng = random.Random(2)
    assert {owed.sample(rng) for _ in range(2000)} == set(listed)


@pytest.mark.parametrize(
    ("owed", "outcome"),
    [
        (Dice(2), Roll((1,))),
        (Dice(2), Roll((0, 7))),
        (Dice(2), Drawn(("1", "2"))),
        (Draw(("a", "b"), 1), Drawn(("a", "b"))),
        (Draw(("a", "b"), 2), Drawn(("a", "a"))),
        (Draw(("a",), 1), Roll((1,))),
    ],
)
def test_what_cannot_come_up(owed, outcome):
    assert outcome not in owed


def test_a_bag_may_hold_equal_things():
    bag = Draw(("cube", "cube", "disc"), 2)
    assert Drawn(("cube", "cube")) in bag
    assert Drawn(("disc", "disc")) not in bag
    assert bag.count_all() == len(list(bag)) == 6


@given(st.lists(st.integers(1, 99)).map(tuple))
def test_rolls_read_back(dice):
    assert parse_outcome(str(Roll(dice))) == Roll(dice)


@given(st.lists(st.text("abc_-/1", min_size=1)).map(tuple))
def test_draws_read_back(items):
    assert parse_outcome(str(Drawn(items))) == Drawn(items)


@pytest.mark.parametrize(
    "text", ["", "roll a", "castle", "rolls 3", "roll ³", "roll " + "9" * 5000]
)
def test_other_texts_do_not(text):
    with pytest.raises(Unreadable):
        parse_outcome(text)


def test_seeded_sources_agree():
    one, two = (Seeded(random.Random(3)) for _ in range(2))
    assert [one.draw(Dice(5), i) for i in range(9)] == [two.draw(Dice(5), i) for i in range(9)]


def test_audited_draws_depend_on_key_and_place_alone():
    one, two = Audited(b"a" * 32), Audited(b"a" * 32)
    assert [one.draw(Dice(9), i) for i in (4, 1, 1)] == [two.draw(Dice(9), i) for i in (4, 1, 1)]
    assert one.draw(Dice(9), 1) != one.draw(Dice(9), 2)
    assert one.draw(Dice(9), 1) != Audited(b"b" * 32).draw(Dice(9), 1)
    assert one.commitment == hashlib.sha256(b"a" * 32).hexdigest()


def test_audited_dice_are_fair():
    source = Audited(bytes(32))
    faces = Counter(die for i in range(600) for die in source.draw(Dice(10), i).dice)
    chi_square = sum((n - 1000) ** 2 / 1000 for n in faces.values())
    assert chi_square < 20.5  # one in a thousand for five degrees of freedom; the key is fixed


def test_a_word_that_would_favour_small_numbers_is_thrown_away():
    huge = 2**63 + 1  # nearly half of all words lie above the largest multiple
    numbers = [_KeyedStream(b"k", 0).randrange(huge)]
    stream = _KeyedStream(b"k", 0)
    numbers += [stream.randrange(huge) for _ in range(50)]
    assert all(0 <= n < huge for n in numbers)
    assert stream.counter > 60


@given(st.integers(0, 2**32), st.lists(st.integers(1, 10**6), max_size=20))
def test_quick_numbers_are_those_of_the_standard_generator(seed, sizes):
    quick, usual = QuickRandom(seed), random.Random(seed)
    assert [quick.randrange(n) for n in sizes] == [usual.randrange(n) for n in sizes]


@pytest.mark.parametrize("n", [0, -1])
def test_nothing_is_drawn_from_nothing(n):
    with pytest.raises(ValueError, match=str(n)):
        QuickRandom(1).randrange(n)
