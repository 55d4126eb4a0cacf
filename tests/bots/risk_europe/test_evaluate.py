"""How Risk Europe's bots value a board."""

import pytest

from powderkeg.bots.risk_europe import (
    candidates,
)
from powderkeg.bots.risk_europe.evaluate import (
    Outlook,
    chance_of_crowns,
    position_values,
    touched_places,
    viewer_stakes,
    winning_chances,
)
from powderkeg.bots.risk_europe.policy import RoundPolicy
from powderkeg.bots.risk_europe.quick_odds import battle_odds, scale_army, threat_chance
from powderkeg.games.risk_europe.board import (
    CITY_AT,
    TERRITORY_NAMES,
    TERRITORY_NUMBER,
)
from powderkeg.games.risk_europe.odds.battle_odds import exact_odds
from powderkeg.games.risk_europe.state import (
    Attack,
    with_army,
)
from powderkeg.games.risk_europe.steps import Act
from tests.bots.risk_europe.positions import W, board, positions, with_stack


def test_chances_add_up_and_the_leader_is_hindered_most():
    state = with_army(board(), 2, bought=4)
    found = winning_chances(state, W)
    assert sum(found) == pytest.approx(1)
    assert max(found) == found[2]
    at_stake = viewer_stakes(found, W, 0)
    assert at_stake[0] == 1
    assert at_stake[2] == min(at_stake)


def test_a_crown_more_is_worth_more_the_nearer_to_victory():
    gains = []
    for bought in (0, 5):
        one, two = (with_army(board(), 0, bought=bought + n) for n in (0, 1))
        gains.append(position_values(two, W)[0] - position_values(one, W)[0])
    assert gains[1] > gains[0] > 0


def test_a_strong_neighbour_is_a_threat_to_a_city_and_a_hope_for_him():
    calm = with_stack(board(), 1, "sicily", 1)
    tense = with_stack(calm, 1, "scotland", 9)
    before, after = position_values(calm, W), position_values(tense, W)
    assert after[0] < before[0]
    assert after[1] - before[1] > 9 * W.footman


def test_a_castle_needs_a_siege_weapon():
    assert threat_chance((9, 0, 0, 0), (2, 0, 0, 0), castle=False) > 0.9
    assert threat_chance((9, 0, 0, 0), (2, 0, 0, 0), castle=True) == 0
    assert threat_chance((9, 0, 0, 1), (2, 0, 0, 0), castle=True) > 0.9
    assert threat_chance((1, 0, 0, 0), (1, 0, 0, 0), castle=False) == 0  # one must stay


def test_small_battles_are_exact_and_large_ones_near():
    exact = exact_odds((5, 1, 1, 0), (4, 1, 0, 0))
    assert battle_odds((5, 1, 1, 0), (4, 1, 0, 0), castle=False).attacker == exact.attacker
    large = battle_odds((14, 2, 0, 0), (8, 4, 0, 0), castle=False)
    assert large.attacker == pytest.approx(
        exact_odds((14, 2, 0, 0), (8, 4, 0, 0)).attacker, abs=0.1
    )
    assert scale_army((0, 0, 1, 0), 9) == (0, 0, 1, 0)


@pytest.mark.slow
def test_what_is_tried_is_weighed_as_the_whole_board_would_be():
    """The quick sum over touched places against the worth of the whole table afterwards."""
    seen = 0
    for state, _ in positions(7):
        if not isinstance(state.agenda[-1], Act) or seen > 150:
            continue
        act = state.agenda[-1]
        mind = RoundPolicy(state, W)
        outlook = mind.outlook_for(state, act.army)
        for plan in [
            *candidates.expansion_plans(outlook, act.army),
            *candidates.manoeuvre_plans(outlook, act.army),
        ]:
            after = candidates.apply_plan(state, act.army, plan.actions)
            whole = Outlook(after, W, outlook.stakes)
            whole.gives, whole.first = outlook.gives, outlook.first  # crowns as they were
            places = range(len(TERRITORY_NAMES))
            quick = sum(map(whole.place_value, places)) - sum(map(outlook.place_value, places))
            paid = after.armies[act.army].coins - state.armies[act.army].coins
            assert plan.gain == pytest.approx(quick + outlook.coin_value(act.army, paid))
            seen += 1
    assert seen > 150


def test_looking_leaves_the_board_as_it_was():
    state = with_stack(board(), 0, "scotland", 4, 1)
    outlook = Outlook(state, W, viewer_stakes(winning_chances(state, W), W, 0))
    for order in ("expand", "split", "manoeuvre", "tax", "spend"):
        candidates.order_plans(outlook, 0, order)
    candidates.bonus_plans(outlook, 0, "fortify")
    assert tuple(outlook.owner) == state.owner
    assert tuple(outlook.units) == state.units
    assert not outlook.attack
    assert outlook.castles == state.castles


def test_touched_places_are_near():
    near, far = touched_places(TERRITORY_NUMBER["wales"])
    assert TERRITORY_NUMBER["wales"] in near
    assert CITY_AT["london"] in near
    assert not set(near) & set(far)


def test_a_crown_that_wins_now_counts_as_victory():
    state = with_army(board(), 0, bought=6)
    assert chance_of_crowns(state, 0) == 1
    assert winning_chances(state, W)[0] == 1
    at = CITY_AT["london"]
    fight = state._replace(attacks=(Attack(at, 1, (6, 0, 0, 0)),))
    lost = battle_odds((6, 0, 0, 0), (6, 0, 0, 0), castle=False)
    assert chance_of_crowns(fight, 0) == pytest.approx(lost.defender)
    assert winning_chances(fight, W)[0] >= chance_of_crowns(fight, 0)
