"""Centres that nobody can defend are taken within the year, unless a promise forbids it."""

import random
from typing import Any

import pytest

from powderkeg.bots.diplomacy.levels import EXPERT_EFFORT, HARD_EFFORT
from powderkeg.bots.diplomacy.plan.foresight import ForesightSearch
from powderkeg.bots.diplomacy.plan.planners import greedy_turn, search_planner
from powderkeg.bots.diplomacy.turn import TurnPlanner
from powderkeg.bots.engine.budget import Budget
from powderkeg.games.diplomacy.actions import Move, parse_order
from tests.bots.diplomacy.positions import bare_view

HARD, EXPERT = search_planner(HARD_EFFORT), search_planner(EXPERT_EFFORT, search=ForesightSearch)
LEVELS = pytest.mark.parametrize(
    "planner", [greedy_turn, HARD, EXPERT], ids=["normal", "hard", "expert"]
)


def planned(planner: TurnPlanner, view: dict[str, Any], seed: int) -> set[str]:
    orders = planner(view, random.Random(seed), Budget(60).start()).orders.values()
    return set(map(str, orders))


def italy(season: str = "fall") -> dict[str, Any]:
    """Tunis is open to Italy alone; Greece and Serbia are contested, and draw every unit."""
    units = {"ITALY": ["F ion", "A tri", "A ven"], "TURKEY": ["A bul", "F aeg"]}
    view = bare_view(season, **units, AUSTRIA=["A bud"])
    view["centres"] |= {"ITALY": ["rom", "nap", "ven"], "TURKEY": ["con", "smy", "ank", "bul"]}
    return view


@LEVELS
def test_an_open_centre_is_taken_in_the_fall(planner):
    assert all("F ion - tun" in planned(planner, italy(), seed) for seed in range(8))


@LEVELS
def test_a_promise_forbids_to_take_it(planner):
    view = italy() | {"pledges": {"barred": ["tun"], "orders": [], "expected": []}}
    assert all("F ion - tun" not in planned(planner, view, seed) for seed in range(4))


@LEVELS
def test_a_promised_order_is_given_all_the_same(planner):
    view = italy() | {"pledges": {"barred": [], "orders": ["F ion - gre"], "expected": []}}
    assert all("F ion - gre" in planned(planner, view, seed) for seed in range(4))


@LEVELS
def test_a_unit_does_not_leave_an_open_centre_before_the_count(planner):
    view = bare_view(ENGLAND=["F por"], FRANCE=["A par"])
    view["centres"]["FRANCE"] = ["por", "par", "bre", "mar"]
    for seed in range(8):
        (order,) = planned(planner, view, seed)
        assert " - " not in order


def test_an_idle_unit_walks_in_already_in_spring():
    view = bare_view("spring", RUSSIA=["A fin", "A mos"], TURKEY=["A con"])
    view["centres"]["RUSSIA"] = ["mos", "stp", "war", "sev"]
    for seed in range(8):
        assert {"A fin - swe", "A fin - nwy"} & planned(greedy_turn, view, seed)


def test_two_units_do_not_go_to_the_same_open_centre():
    view = bare_view(FRANCE=["F mao", "A gas", "A mar"], GERMANY=["A mun"])
    view["centres"]["FRANCE"] = ["par", "bre", "mar"]
    for seed in range(20):
        orders = map(parse_order, planned(greedy_turn, view, seed))
        goals = [order.to[:3] for order in orders if isinstance(order, Move)]
        assert len(goals) == len(set(goals))
        assert {"spa", "por"} <= set(goals)
