"""Clocks: what is begun can be ended in time."""

from types import SimpleNamespace

import pytest

from powderkeg.bots.engine import budget
from powderkeg.bots.engine.budget import Budget


@pytest.fixture
def clock(monkeypatch):
    """A clock of one second whose time is set by hand."""
    time = SimpleNamespace(now=0.0)
    monkeypatch.setattr(budget, "read_time", lambda: time.now)
    made = Budget(100, 1.0).start()
    return time, made


def test_a_step_that_would_not_end_in_time_is_not_begun(clock):
    time, made = clock
    done = []
    for step in made.while_time([0.2, 0.3, 0.3, 0.1]):
        time.now += step
        done.append(step)
    assert done == [0.2, 0.3, 0.3]  # another of 0.3 would end at 1.1


def test_the_first_step_is_always_made(clock):
    time, made = clock
    time.now = 5.0
    assert list(made.while_time("abc")) == ["a"]


def test_without_seconds_every_step_is_made():
    assert list(Budget(1).start().while_time("abc")) == ["a", "b", "c"]


def test_a_clock_looks_ahead(clock):
    time, made = clock
    time.now = 0.75
    assert (made.late(), made.late(0.2), made.late(0.3)) == (False, False, True)
