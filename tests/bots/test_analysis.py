"""Analysis: what a position is worth, what a bot would do and why, where a game was lost."""

import random

import pytest
import sparks

from powderkeg.bots import analysis
from powderkeg.bots.budget import Budget
from powderkeg.bots.search import Knowledge
from powderkeg.core.chance import Seeded
from powderkeg.core.errors import Unreadable
from powderkeg.core.record import record
from powderkeg.core.table import Table
from powderkeg.core.words import LANGS, say
from tests.bots import nim


def test_a_won_position_is_worth_the_game():
    shares = analysis.evaluate(nim, nim.view(nim.State(1, 0), "a"))
    assert shares == pytest.approx({"a": 1.0, "b": 0.0})


def test_a_spectator_has_an_evaluation_bar():
    table = Table(sparks, 2, source=Seeded(random.Random(1)))
    shares = analysis.evaluate(sparks, table.view(None), budget=Budget(200))
    assert sum(shares.values()) == pytest.approx(1)
    assert analysis.evaluate(sparks, table.view(None), budget=Budget(200)) == shares


def test_advice_has_a_reason_that_can_be_said():
    view = nim.view(nim.State(6, 0), "a")
    advice = analysis.advise(nim, view, budget=Budget(400))
    assert (advice.seat, advice.action) == ("a", nim.Take(2))
    assert advice.shares["a"] > 0.7
    assert len(advice.lines) == 3
    for lang in LANGS:
        assert "take 2" in say(advice.reason, lang)


def test_advice_for_who_is_not_asked_is_refused():
    with pytest.raises(Unreadable):
        analysis.advise(nim, nim.view(nim.State(6, 0), "b"))
    with pytest.raises(Unreadable):
        analysis.advise(nim, nim.view(nim.State(6, 0), None))


def game_of_nim(*takes):
    table = Table(nim, 2, nim.Options(heap=10))
    for n in takes:
        table.act(min(table.to_act), nim.Take(n))
    return record(table)


def test_a_blunder_is_found_and_named():
    """From ten, two wins; three leaves seven, and the other takes three of them."""
    rec = game_of_nim(3, 3, 1, 3)
    found = list(analysis.blunders(rec, nim, budget=Budget(600)))
    first = found[0]
    assert (first.position, first.seat, first.did, first.better) == (
        0,
        "a",
        nim.Take(3),
        nim.Take(2),
    )
    assert first.loss > 0.05
    assert "take 2" in str(first.reason)
    assert not [b for b in found if b.seat == "b"], "the other played well"


def test_blunders_of_chosen_seats_only():
    rec = game_of_nim(3, 1, 1, 1, 1, 1, 1, 1)
    found = list(analysis.blunders(rec, nim, seats=("b",), budget=Budget(400)))
    assert {b.seat for b in found} == {"b"}


def test_chance_undo_and_forced_actions_are_no_decisions():
    table = Table(sparks, 2, source=Seeded(random.Random(1)))
    table.act("red", next(iter(table.legal("red"))))
    table.undo("red")
    found = list(analysis.blunders(record(table), sparks, budget=Budget(2), least=2.0))
    assert found == []


def test_two_actions_are_compared_with_the_same_luck():
    know = Knowledge(nim)
    view = nim.view(nim.State(3, 0), "a")
    gap, error = analysis.compare(know, view, nim.Take(3), nim.Take(3), Budget(30).start())
    assert (gap, error) == (0.0, 0.0)
    gap, error = analysis.compare(know, view, nim.Take(3), nim.Take(1), Budget(50).start())
    assert gap > 2 * error
