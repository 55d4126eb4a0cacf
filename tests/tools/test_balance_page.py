"""The page about the balance of Versailles says with which rules, cards and bots it was measured."""

import importlib.util
from pathlib import Path

import pytest

from powderkeg.games.versailles.state import Options

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def bench():
    path = ROOT / "bench" / "versailles_balance.py"
    spec = importlib.util.spec_from_file_location("versailles_balance", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.slow
def test_the_fingerprint_changes_with_the_games(bench, monkeypatch):
    before = bench.fingerprint(games=1)
    assert bench.fingerprint(games=1) == before
    with monkeypatch.context() as changed:
        changed.setitem(bench.BOTS, "normal", bench.at_random)
        assert bench.fingerprint(games=1) != before
    monkeypatch.setattr(bench, "Options", lambda: Options(length=10))
    assert bench.fingerprint(games=1) != before


def test_a_page_without_todays_fingerprint_is_out_of_date(bench, tmp_path, monkeypatch):
    monkeypatch.setattr(bench, "fingerprint", lambda: "1" * 16)
    page = tmp_path / "reference" / "versailles-balance.md"
    page.parent.mkdir()
    page.write_text(f"{bench.STAMP}`{'0' * 16}`\n", encoding="utf-8")
    assert "out of date" in bench.stale_page(tmp_path)
    page.write_text(f"{bench.STAMP}`{'1' * 16}`\n", encoding="utf-8")
    assert bench.stale_page(tmp_path) == ""
