"""What the expert expects of the others, and of the last year."""

import random
from dataclasses import replace
from typing import Any

import pytest

from powderkeg import bots
from powderkeg.bots import levels
from powderkeg.bots.diplomacy.levels import EXPERT_EFFORT
from powderkeg.bots.diplomacy.numbers.engine import find_engine
from powderkeg.bots.diplomacy.numbers.position import orders_of_hand, own_hand, read_scene
from powderkeg.bots.diplomacy.plan.foresight import HABIT_EVERY, ForesightSearch
from powderkeg.bots.diplomacy.plan.promises import ExpectedPromises, Promises
from powderkeg.bots.diplomacy.weights import FINAL_WEIGHTS, FITTED_WEIGHTS
from powderkeg.bots.engine.budget import Budget
from powderkeg.games import diplomacy
from tests.bots.diplomacy.positions import bare_view

OPEN_SERBIA = bare_view(ITALY=["A rom"], AUSTRIA=["A bud"], TURKEY=["F ank"])
OPEN_SERBIA["centres"] |= {"AUSTRIA": ["bud", "vie", "tri"], "RUSSIA": ["rum"]}
PEACE_IN_SERBIA = ExpectedPromises("AUSTRIA", ("ser",), (), 1.0)


def searching(
    view: dict[str, Any], promises: Promises | None = None, budget: Budget | None = None
) -> ForesightSearch:
    clock = (budget or Budget(60_000)).start()
    given = (find_engine(wait=True), read_scene(view), own_hand(view), random.Random(3), clock)
    return ForesightSearch(*given, EXPERT_EFFORT, FITTED_WEIGHTS, {}, promises or Promises())


def guesses_of(search: ForesightSearch, power: str) -> list[set[str]]:
    """What a power is thought to order, guess by guess, without the guesses that follow habits."""
    hand = search.scene.hands[search.scene.hand_of(power)]
    rows = search.guess_orders(EXPERT_EFFORT.samples)
    return [
        set(map(str, orders_of_hand(search.scene, hand, row).values()))
        for number, row in enumerate(rows)
        if number % HABIT_EVERY
    ]


def test_others_are_expected_to_find_what_a_search_finds():
    found = guesses_of(searching(OPEN_SERBIA), "AUSTRIA")
    taking = [bool(orders & {"A bud - ser", "A bud - rum"}) for orders in found]
    assert sum(taking) > 0.8 * len(taking)


def test_a_trusted_power_is_expected_to_keep_its_promise_even_when_it_searches():
    free = guesses_of(searching(OPEN_SERBIA), "AUSTRIA")
    assert any("A bud - ser" in orders for orders in free)
    bound = searching(OPEN_SERBIA, Promises(expected=(PEACE_IN_SERBIA,)))
    assert all("A bud - ser" not in orders for orders in guesses_of(bound, "AUSTRIA"))


def test_without_time_the_guesses_are_complete_all_the_same():
    hurried = searching(OPEN_SERBIA, budget=Budget(60_000, 0.0))
    assert all(len(orders) == 1 for orders in guesses_of(hurried, "AUSTRIA"))


@pytest.mark.parametrize(
    ("last_year", "season", "left"),
    [(0, "fall", None), (1905, "fall", 1), (1905, "spring", 2), (1907, "spring", 6)],
)
def test_movements_to_the_end_of_the_last_year_are_counted(last_year, season, left):
    view = bare_view(season, ITALY=["A rom"]) | {"year": 1905, "options": {"last_year": last_year}}
    assert read_scene(view).left == left


def test_when_the_last_year_is_over_only_centres_count():
    search = searching(OPEN_SERBIA)
    looks = {}
    for left in (None, 1, 2, 3):
        search.scene = replace(search.scene, left=left)
        looks[left] = [search.outlook(depth) for depth in (0, 1)]
    usual = [(0, FITTED_WEIGHTS), (1, FITTED_WEIGHTS)]
    assert looks[None] == looks[3] == usual
    assert looks[2] == [usual[0], (1, FINAL_WEIGHTS)]
    assert looks[1] == [(0, FINAL_WEIGHTS)] * 2


def test_the_former_expert_can_be_measured_against_but_is_offered_at_no_table():
    assert bots.find_bot(diplomacy, "former-expert")
    assert "former-expert" not in levels.game_levels(diplomacy)
