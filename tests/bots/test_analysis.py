"""Analysis: what a position is worth, what a bot would do and why, where a game was lost."""

import random

import pytest
import sparks

from powderkeg import bots
from powderkeg.bots import analysis
from powderkeg.bots.engine.budget import Budget
from powderkeg.bots.engine.knowledge import Knowledge
from powderkeg.core.chance import CHANCE, Seeded
from powderkeg.core.errors import Unreadable
from powderkeg.core.record import make_record
from powderkeg.core.table import Table
from powderkeg.core.words import LANGS, say
from powderkeg.games import diplomacy, risk_europe
from tests.bots import nim


def test_a_won_position_is_worth_the_game():
    shares = analysis.evaluate_view(nim, nim.view(nim.State(1, 0), "a"))
    assert shares == pytest.approx({"a": 1.0, "b": 0.0})


def test_a_spectator_has_an_evaluation_bar():
    table = Table(sparks, 2, source=Seeded(random.Random(1)))
    shares = analysis.evaluate_view(sparks, table.view(None), budget=Budget(200))
    assert sum(shares.values()) == pytest.approx(1)
    assert analysis.evaluate_view(sparks, table.view(None), budget=Budget(200)) == shares


def test_advice_has_a_reason_that_can_be_said():
    view = nim.view(nim.State(6, 0), "a")
    advice = analysis.advise_action(nim, view, budget=Budget(400))
    assert (advice.seat, advice.action) == ("a", nim.Take(2))
    assert advice.shares["a"] > 0.7
    assert len(advice.lines) == 3
    for lang in LANGS:
        assert "take 2" in say(advice.reason, lang)


def test_advice_for_who_is_not_asked_is_refused():
    with pytest.raises(Unreadable):
        analysis.advise_action(nim, nim.view(nim.State(6, 0), "b"))
    with pytest.raises(Unreadable):
        analysis.advise_action(nim, nim.view(nim.State(6, 0), None))


def game_of_nim(*takes):
    table = Table(nim, 2, nim.Options(heap=10))
    for n in takes:
        table.act(min(table.to_act), nim.Take(n))
    return make_record(table)


def test_a_blunder_is_found_and_named():
    """From ten, two wins; three leaves seven, and the other takes three of them."""
    rec = game_of_nim(3, 3, 1, 3)
    found = list(analysis.find_blunders(rec, nim, budget=Budget(600)))
    first = found[0]
    assert (first.position, first.seat, first.did, first.better) == (
        0,
        "a",
        (nim.Take(3),),
        (nim.Take(2),),
    )
    assert first.loss > 0.05
    assert "take 2" in str(first.reason)
    assert not [b for b in found if b.seat == "b"], "the other played well"


def test_blunders_of_chosen_seats_only():
    rec = game_of_nim(3, 1, 1, 1, 1, 1, 1, 1)
    found = list(analysis.find_blunders(rec, nim, seats=("b",), budget=Budget(400)))
    assert {b.seat for b in found} == {"b"}


def test_chance_undo_and_forced_actions_are_no_decisions():
    """Taking one leaves nothing else to do; two of three is a decision."""
    table = Table(nim, 2, nim.Options(heap=4))
    table.act("a", nim.Take(1))
    table.undo("a")
    table.act("a", nim.Take(3))
    table.act("b", nim.Take(1))
    found = analysis.judge_decisions(make_record(table), nim, budget=Budget(50))
    assert [position for position, _, _ in found] == [2]
    rolled = Table(sparks, 2, source=Seeded(random.Random(1)))
    for _ in range(4):
        seat = min(rolled.to_act)
        rolled.act(seat, next(iter(rolled.legal(seat))))
    judged = [
        place
        for place, _, _ in analysis.judge_decisions(make_record(rolled), sparks, budget=Budget(2))
    ]
    assert judged
    assert CHANCE in {entry.seat for entry in rolled.log}
    assert CHANCE not in {rolled.log[place].seat for place in judged}


def test_what_was_taken_back_is_no_blunder():
    table = Table(nim, 2, nim.Options(heap=10))
    table.act("a", nim.Take(3))
    table.undo("a")
    table.act("a", nim.Take(2))
    assert list(analysis.find_blunders(make_record(table), nim, budget=Budget(600))) == []


def test_two_actions_are_compared_with_the_same_luck():
    know = Knowledge(nim)
    view = nim.view(nim.State(3, 0), "a")
    gap, error = analysis.compare_actions(know, view, nim.Take(3), nim.Take(3), Budget(30).start())
    assert (gap, error) == (0.0, 0.0)
    gap, error = analysis.compare_actions(know, view, nim.Take(3), nim.Take(1), Budget(50).start())
    assert gap > 2 * error


@pytest.mark.slow
def test_what_is_promised_is_of_the_action_that_is_advised():
    """Cards are mixed: what is drawn is not always what promises most, but it comes first."""
    table = Table(risk_europe, 2, source=Seeded(random.Random(1)))
    mind = bots.find_bot(risk_europe, "normal")
    while not str(next(iter(table.legal(seat := min(table.to_act))))).startswith("pick"):
        question = table.ask(seat)
        assert question is not None
        table.act(seat, mind(table.view(seat), question, table.legal(seat), random.Random(1)))
    for seed in range(12):
        advice = analysis.advise_action(
            risk_europe, table.view(seat), budget=Budget(40), seed=f"{seed}"
        )
        first = advice.lines[0]
        assert (first.action, first.shares) == (advice.action, advice.shares)


def test_a_turn_is_advised_by_one_plan():
    """Planning again for every order would have weighed fewer plans each time."""
    table = Table(diplomacy, 7)
    view = table.view("RUSSIA")
    advised = [advice for _, advice in analysis.advise_turn(diplomacy, view, budget=Budget(64))]
    *orders, last = advised
    assert len(orders) == 4
    assert str(last.action) == "ready"
    assert len({advice.reason for advice in orders}) == 1
    for advice in advised:
        table.act("RUSSIA", advice.action)
    assert "RUSSIA" not in table.to_act
