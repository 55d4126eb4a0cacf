"""The book of capitals: complete, fair to look at, and asked about the right table."""

import random

import pytest

from powderkeg.bots.risk_europe import capitals
from powderkeg.games import risk_europe
from powderkeg.games.risk_europe.actions import SettleCity
from powderkeg.games.risk_europe.board import CITY_AT, GOLD_CITIES
from powderkeg.games.risk_europe.state import State
from powderkeg.games.risk_europe.steps import Settle
from tests.bots.risk_europe.positions import positions


def settling(number: int, players: int = 4) -> State:
    """The position in which so many players have chosen."""
    found = [s for s, _ in positions(3, players) if isinstance(s.agenda[-1], Settle)]
    return found[number]


def test_every_way_to_begin_is_in_the_book():
    cities, found = capitals._book()
    assert sorted(cities) == sorted(GOLD_CITIES)
    assert len(found) == 8 * 7 * 6 * 5
    for chances in found.values():
        assert sum(chances) == pytest.approx(1, abs=0.01)
        assert all(0 <= share <= 1 for share in chances)


@pytest.mark.parametrize("count", range(4))
def test_the_chances_before_all_have_chosen_add_up(count):
    taken = tuple(CITY_AT[name] for name in ("paris", "rome", "kiev")[:count])
    assert sum(capitals.expected_chances(taken)) == pytest.approx(1, abs=0.01)
    assert set(capitals.capital_chances(taken)) == set(GOLD_CITIES) - set(taken)


def test_the_last_to_choose_compares_what_is_left():
    taken = tuple(CITY_AT[name] for name in ("paris", "rome", "kiev"))
    found = capitals.capital_chances(taken)
    book = capitals._book()[1]
    assert found == {city: book[*taken, city][3] for city in found}


def test_capitals_are_counted_in_the_order_of_choosing():
    chosen: list[int] = []
    state = settling(0)
    while isinstance(state.agenda[-1], Settle):
        assert capitals.taken_capitals(state) == tuple(chosen)
        seat = min(risk_europe.to_act(state))
        chosen.append(random.Random(len(chosen)).choice(list(risk_europe.legal(state, seat))).at)
        state = risk_europe.apply(state, seat, SettleCity(chosen[-1])).state
        seat = min(risk_europe.to_act(state))
        state = risk_europe.apply(state, seat, risk_europe.default(state, seat)).state
    assert len(chosen) == 4


def test_the_book_is_about_the_basic_game_of_four():
    assert capitals.knows_table(settling(0))
    assert not capitals.knows_table(settling(0, players=3))
    missions = next(s for s, _ in positions(3, missions=True))
    assert not capitals.knows_table(missions)
