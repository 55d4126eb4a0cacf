"""What Risk Europe's bots choose: orders, spending, losses, missions and the set-up."""

import random
from typing import Any

import pytest

from powderkeg import bots
from powderkeg.bots.risk_europe import (
    battle_choices,
    candidates,
    card_choices,
    setup_choices,
)
from powderkeg.bots.risk_europe.evaluate import (
    mission_progress,
)
from powderkeg.bots.risk_europe.policy import RoundPolicy
from powderkeg.games import risk_europe
from powderkeg.games.risk_europe import actions
from powderkeg.games.risk_europe.board import (
    CITY_AT,
    GOLD_CITIES,
    NOBODY,
    TERRITORY_NAMES,
    TERRITORY_NUMBER,
)
from powderkeg.games.risk_europe.cards.pack import Mission
from powderkeg.games.risk_europe.state import (
    Attack,
    State,
    replace_at,
    with_army,
)
from powderkeg.games.risk_europe.steps import Battle, Group
from tests.bots.risk_europe.positions import W, board, with_stack


def best(state: State, army: int, order: str) -> candidates.OrderPlan:
    return candidates.order_plans(RoundPolicy(state, W).outlook_for(state, army), army, order)[0]


def test_a_free_city_is_taken():
    state = with_stack(board(), 0, "brittany", 3)
    outlook = RoundPolicy(state, W).outlook_for(state, 0)
    gains = {}
    for place in ("france", "normandy", "navarre"):
        group = (Group(TERRITORY_NUMBER[place], (2, 0, 0, 0)),)
        gains[place] = candidates.weigh_move(outlook, 0, TERRITORY_NUMBER["brittany"], group)
    assert max(gains, key=gains.__getitem__) == "france"


def test_ten_coins_buy_a_crown():
    state = with_army(board(), 0, coins=12)
    assert actions.BuyCrown() in best(state, 0, "spend").actions


def test_tax_then_spend_where_there_is_money_to_be_made():
    state = with_army(board(), 0, coins=9, hand=("tax", "tax"))
    assert card_choices.rank_pairs(RoundPolicy(state, W), state, 0)[0].pick == actions.PickCards(
        "tax", "tax"
    )


def test_the_matrix_has_a_place_for_every_pair_and_sums_to_one():
    state = board()
    matrix = card_choices.CardMatrix(RoundPolicy(state, W), state, 0, bots.Budget(24).start())
    mixes = matrix.solve_mixes(random.Random(1))
    for mix, pairs in zip(mixes, matrix.pairs, strict=True):
        assert sum(mix) == pytest.approx(1)
        assert len(mix) == len(pairs)
    assert matrix.clock.spent <= 24


def test_without_time_the_others_are_thought_to_place_their_likeliest_pair():
    state = board()
    hasty = card_choices.CardMatrix(
        RoundPolicy(state, W), state, 0, bots.Budget(40, seconds=0.0).start()
    )
    assert [len(pairs) for pairs in hasty.pairs[1:]] == [1, 1, 1]
    assert sum(hasty.solve_mixes(random.Random(1))[0]) == pytest.approx(1)
    assert hasty.clock.spent == 0


class CountingRandom(random.Random):
    drawn = 0

    def randrange(self, *args: Any, **more: Any) -> int:
        self.drawn += 1
        return super().randrange(*args, **more)


def test_when_time_is_over_the_choice_of_cards_is_not_refined():
    """One first card is compared, and one round of the matrix is played."""
    state, rng = board(), CountingRandom(1)
    hasty = card_choices.CardMatrix(RoundPolicy(state, W), state, 0, bots.Budget(40, 0.0).start())
    assert len({pair.pick.first for pair in hasty.pairs[0]}) == 1
    hasty.solve_mixes(rng)
    assert 0 < rng.drawn <= len(hasty.seats) ** 2


@pytest.mark.parametrize(("cells", "most"), [(1, [23] * 4), (64, [23] * 4), (640, [2, 23, 1, 8])])
def test_the_whole_matrix_can_be_seen(cells, most):
    sizes = card_choices.matrix_sizes(cells, most)
    assert all(1 <= n <= m for n, m in zip(sizes, most, strict=True))
    product = 1
    for n in sizes:
        product *= n
    assert product <= cells
    for player in range(1, len(most)):  # nobody's pairs are left out that could be seen
        assert (
            sizes[player] == most[player] or product // sizes[player] * (sizes[player] + 1) > cells
        )


def test_losses_spare_the_units_that_win_the_battle():
    at = TERRITORY_NUMBER["wales"]
    state = with_stack(board(), 1, "wales", 3)._replace(attacks=(Attack(at, 0, (2, 0, 2, 0)),))
    outlook = RoundPolicy(state, W).outlook_for(state, 0)
    step = Battle(at, 4, "losses", attacker=(1, 1, 1), defender=(6, 6))
    assert battle_choices.choose_losses(outlook, step, state.attacks[0], (2, 0, 2, 0), 2).units == (
        2,
        0,
        0,
        0,
    )


def test_a_castle_rolls_again_only_when_it_helps():
    attack = Attack(TERRITORY_NUMBER["wales"], 0, (3, 0, 0, 1))
    bad = Battle(attack.at, 4, "castle", attacker=(5, 4, 2), defender=(1, 1))
    good = Battle(attack.at, 4, "castle", attacker=(5, 4, 2), defender=(5, 4))
    assert battle_choices.should_reroll(attack, (2, 0, 0, 0), bad)[0]
    again, with_roll, without = battle_choices.should_reroll(attack, (2, 0, 0, 0), good)
    assert again == (with_roll > without)
    assert not again


def test_the_nearest_mission_is_kept():
    state = with_army(board(), 0, coins=18)
    assert setup_choices.nearest_mission(state, 0, ("marshal", "treasurer")) == "treasurer"
    assert mission_progress(state, 0, Mission("coins", 20, "", "certain")) == pytest.approx(0.9)


def test_a_kingdom_begins_where_there_is_room():
    crowded = board()
    free = [at for at in CITY_AT.values() if crowded.owner[at] == NOBODY]
    worth = {at: setup_choices.site_value(crowded, 0, at) for at in free}
    alone = crowded._replace(owner=(NOBODY,) * len(TERRITORY_NAMES))
    assert all(setup_choices.site_value(alone, 0, at) > worth[at] for at in free)


def test_a_capital_is_worth_what_it_has_won_and_less_beside_a_rival():
    empty = board()._replace(owner=(NOBODY,) * len(TERRITORY_NAMES))
    assert set(setup_choices.CAPITALS) == set(GOLD_CITIES)
    worth = {at: setup_choices.capital_value(empty, 0, at) for at in GOLD_CITIES}
    assert worth == setup_choices.CAPITALS
    rival = empty._replace(owner=replace_at(empty.owner, CITY_AT["paris"], 1))
    assert setup_choices.capital_value(rival, 0, CITY_AT["london"]) < worth[CITY_AT["london"]]


def test_mercenaries_are_worth_coins_where_they_can_harm():
    chosen = risk_europe.Options()
    three = risk_europe.start(risk_europe.seats(3, chosen), chosen)
    far = three._replace(owner=board().owner, units=board().units, marker=0, ring=(0, 1, 2, 3))
    near = with_stack(far, 3, "scotland", 12)
    bids = [
        setup_choices.control_bid(RoundPolicy(s, W), with_army(s, 0, coins=9), 3, 0)
        for s in (far, near)
    ]
    assert bids[1].coins > bids[0].coins
    assert bids[1].coins <= 9
