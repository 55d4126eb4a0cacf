"""The book of openings: legal, varied, and second to promises and to orders already written."""

import random
from typing import Any

import pytest

from powderkeg import bots
from powderkeg.bots.diplomacy.plan.openings import opening_book, opening_turn
from powderkeg.bots.levels import find_adviser
from powderkeg.core.table import Table
from powderkeg.games import diplomacy
from powderkeg.games.diplomacy.board import POWERS


def first_spring(players: int = 7) -> Table:
    return Table(diplomacy, players, diplomacy.Options(last_year=1902))


def drawn(view: Any, seed: int) -> tuple[str, ...]:
    plan = opening_turn(view, random.Random(seed))
    return tuple(sorted(map(str, plan.orders.values()))) if plan else ()


@pytest.mark.parametrize("power", POWERS)
def test_every_opening_is_legal_and_orders_all_units(power):
    table = first_spring()
    for opening in opening_book()[power]:
        assert opening.weight > 0
        assert opening.suits_units(table.view(power)["units"][power])
        assert all(order in table.legal(power) for order in opening.orders.values())


def test_games_begin_differently():
    view = first_spring().view("TURKEY")
    assert {drawn(view, seed) for seed in range(60)} == {
        tuple(sorted(map(str, each.orders.values()))) for each in opening_book()["TURKEY"]
    }
    assert drawn(view, 3) == drawn(view, 3)


@pytest.mark.parametrize("level", ["normal", "hard", "expert"])
def test_levels_open_by_the_book_and_advice_does_not(level):
    table = first_spring()
    question = table.ask("ITALY")
    assert question is not None
    bot = bots.find_bot(diplomacy, level)
    thought = bot.think(table.view("ITALY"), question, table.legal("ITALY"), random.Random(2))
    assert thought.reason.code == "bots.reason.opening"
    adviser = find_adviser(diplomacy)
    advice = adviser.think(table.view("ITALY"), question, table.legal("ITALY"), random.Random(2))
    assert advice.lines


def test_an_opening_keeps_promises():
    view = dict(first_spring().view("FRANCE"))
    view["pledges"] = {"barred": ["bur", "eng"], "orders": ["A mar - spa"], "expected": []}
    found = {drawn(view, seed) for seed in range(60)}
    assert found == {
        ("A mar - spa", "A par - pic", "F bre - mao"),
        ("A mar - spa", "A par - gas", "F bre - mao"),
    }


def test_no_opening_fits_an_unusual_promise():
    view = dict(first_spring().view("FRANCE"))
    view["pledges"] = {"barred": [], "orders": ["A mar - pie"], "expected": []}
    assert opening_turn(view, random.Random(1)) is None


def test_an_opening_continues_what_is_written():
    table = first_spring()
    table.act("GERMANY", "F kie - hol")
    found = {drawn(table.view("GERMANY"), seed) for seed in range(60)}
    assert found == {("A ber - kie", "A mun - ruh", "F kie - hol")}


def test_several_powers_of_a_seat_open_together():
    table = first_spring(players=4)
    seat = next(s for s, each in table.view(None)["seats"].items() if len(each["powers"]) > 1)
    orders = drawn(table.view(seat), 1)
    assert len(orders) == sum(
        len(table.view(seat)["units"][p]) for p in table.view(seat)["seats"][seat]["powers"]
    )


def test_the_book_is_closed_after_the_first_spring():
    view = dict(first_spring().view("FRANCE"), phase="S1902M")
    assert opening_turn(view, random.Random(1)) is None
