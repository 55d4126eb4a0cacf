"""What is compiled in the background: waiting or not, failing, and without Numba."""

from concurrent.futures import Future

import pytest

from powderkeg.bots.engine import compiled
from powderkeg.bots.engine.compiled import BackgroundCompiler

pytest.importorskip("numba")


def test_it_is_made_once():
    made = []
    compiler = BackgroundCompiler(lambda: made.append(1) or "player")
    assert [compiler.find(wait=True) for _ in range(2)] == ["player"] * 2
    assert made == [1]
    assert compiler.find(wait=False) == "player"


def test_who_cannot_wait_does_without():
    compiler: BackgroundCompiler[str] = BackgroundCompiler(lambda: "player")
    compiler.future = Future()
    assert compiler.find(wait=False) is None


def test_a_numba_that_fails_is_as_good_as_none():
    def fail() -> str:
        raise RuntimeError

    assert BackgroundCompiler(fail).find(wait=True) is None


def test_without_numba_there_is_nothing(monkeypatch):
    monkeypatch.setattr(compiled, "find_spec", lambda name: None)
    assert BackgroundCompiler(lambda: "player").find(wait=True) is None
