"""Risk Europe's bots: an answer to everything, the same one every time, from nothing but the view."""

import os
import random
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from powderkeg import bots
from powderkeg.bots.engine.thought import Bot, Thought
from powderkeg.bots.risk_europe import (
    BOTS,
    battle_choices,
    candidates,
    card_choices,
    setup_choices,
    weights,
)
from powderkeg.bots.risk_europe.battle_odds import battle_odds, scale_army, threat_chance
from powderkeg.bots.risk_europe.evaluate import (
    Outlook,
    chance_of_crowns,
    mission_progress,
    position_values,
    touched_places,
    viewer_stakes,
    winning_chances,
)
from powderkeg.bots.risk_europe.policy import RoundPolicy, play_battles
from powderkeg.bots.risk_europe.rollouts import (
    WHOLE_GAME,
    HalvingTrial,
    found_kingdoms,
    random_cards,
    roll_out,
)
from powderkeg.core.chance import CHANCE, Seeded
from powderkeg.core.table import Table
from powderkeg.core.words import LANGS, Msg, has_words, say
from powderkeg.games import risk_europe
from powderkeg.games.risk_europe import actions
from powderkeg.games.risk_europe.board import (
    CITY_AT,
    DECK,
    EMPTY,
    GOLD_CITIES,
    NOBODY,
    TERRITORY_NAMES,
    TERRITORY_NUMBER,
)
from powderkeg.games.risk_europe.cards.pack import Mission
from powderkeg.games.risk_europe.odds.battle_odds import exact_odds
from powderkeg.games.risk_europe.state import (
    Attack,
    State,
    count_crowns,
    players_left,
    replace_at,
    with_army,
)
from powderkeg.games.risk_europe.steps import Act, Battle, Group, Pick, Settle

ROOT = Path(__file__).parents[3]
W = weights.learnt_odds()
SHORT = bots.Budget(iterations=8)


class Said(NamedTuple):
    step: str
    seat: str
    thought: Thought


def play(lineup: list[str], seed: int, **options: Any) -> tuple[Table, list[Said]]:
    """A whole game between levels, every answer checked."""
    table = Table(
        risk_europe,
        len(lineup),
        risk_europe.Options(**options),
        source=Seeded(random.Random(f"{seed}/chance")),
    )
    minds = {
        seat: bots.find_bot(
            risk_europe, level, SHORT if level in ("hard", "expert") else None
        ).exact()
        for seat, level in zip(table.seats, lineup, strict=True)
    }
    said = []
    while acting := table.to_act:
        seat = min(acting, key=table.seats.index)
        question, legal = table.ask(seat), table.legal(seat)
        assert question is not None
        rng = random.Random(f"{seed}/{seat}/{len(table.log)}")
        thought = minds[seat].think(table.view(seat), question, legal, rng)
        assert thought.action in legal
        said.append(Said(type(table.state.agenda[-1]).__name__, seat, thought))
        table.act(seat, thought.action)
    return table, said


# Whole games


@pytest.mark.slow
@pytest.mark.parametrize(
    ("lineup", "options"),
    [
        (["easy", "normal"], {}),
        (["hard", "normal"], {"rounds": 3}),
        (["expert", "easy"], {"rounds": 2, "missions": True}),
        (["normal", "easy", "random"], {"missions": True, "rounds": 8}),
        (["hard", "normal", "normal"], {"rounds": 3, "mercenary_seat": "ring"}),
        (["normal", "hard", "expert", "easy"], {"rounds": 2}),
        (["normal", "normal", "easy", "random"], {"missions": True, "rounds": 8}),
    ],
)
def test_every_level_answers_everything(lineup, options):
    table, said = play(lineup, 5, **options)
    assert table.result is not None
    for _, _, thought in said:
        for lang in LANGS:
            assert has_words(thought.reason.code, lang)
            assert thought.reason.code not in say(thought.reason, lang)


@pytest.mark.slow
def test_all_kinds_of_question_are_met():
    """The games above would prove little if some kind of question never came up."""
    met = set()
    for seed, lineup, options in [
        (1, ["normal"] * 2, {}),
        (2, ["normal", "easy", "random"], {"missions": True, "rounds": 12}),
        (3, ["normal"] * 4, {}),
    ]:
        met |= {step for step, _, _ in play(lineup, seed, **options)[1]}
    assert met >= {
        "Bid",
        "Settle",
        "Garrison",
        "Pick",
        "Auctions",
        "Keep",
        "Act",
        "Move",
        "Tax",
        "Spend",
        "Battles",
        "Battle",
        "Reveals",
    }


@pytest.mark.slow
def test_normal_beats_luck():
    won = 0
    for seed in range(4):
        lineup = ["random"] * 4
        lineup[seed] = "normal"
        table, _ = play(lineup, seed)
        assert table.result is not None
        won += table.result.winners == (table.seats[seed],)
    assert won >= 3


# The same answer every time

GAME = """
from tests.bots.risk_europe.test_bots import play
table, _ = play(["hard", "expert", "easy"], 11, rounds=2)
print(*(f"{e.seat} {e.do}" for e in table.log), sep="\\n")
"""


@pytest.mark.slow
def test_equal_seeds_give_equal_games_whatever_the_hash_seed():
    logs = [
        subprocess.run(
            [sys.executable, "-c", GAME],
            env=os.environ | {"PYTHONHASHSEED": seed},
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    ]
    assert logs[0] == logs[1]
    assert logs[0].count("pick") >= 6


# Nothing but the view


def positions(seed: int, players: int = 4, **options: Any) -> Iterator[tuple[State, str]]:
    """States of a game between normal bots, with one who is to act."""
    chosen = risk_europe.Options(**options)
    state = risk_europe.start(risk_europe.seats(players, chosen), chosen)
    rng, mind = random.Random(seed), bots.find_bot(risk_europe, "normal").exact()
    while acting := risk_europe.to_act(state):
        if CHANCE in acting:
            outcome = risk_europe.legal(state, CHANCE).sample(rng)
            state = risk_europe.apply(state, CHANCE, outcome).state
            continue
        seat = min(acting)
        yield state, seat
        state = risk_europe.apply(state, seat, answer(mind, state, seat)).state


def answer(mind: Bot, state: State, seat: str) -> Any:
    question = risk_europe.ask(state, seat)
    assert question is not None
    legal = risk_europe.legal(state, seat)
    return mind(risk_europe.view(state, seat), question, legal, random.Random(9))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("level", "first", "then"),
    [
        ("hard", bots.Budget(1), bots.Budget(240)),
        ("expert", bots.Budget(48, 0.0), bots.Budget(48)),  # no time at all, then all of it
    ],
)
def test_what_was_thought_of_a_turn_with_less_time_is_not_taken_over(level, first, then):
    hasty, thorough = (bots.find_bot(risk_europe, level, budget) for budget in (first, then))
    turns = [p for p in positions(2, 2, rounds=1) if isinstance(p[0].agenda[-1], Act)]
    answers = [(answer(hasty, *turn), answer(thorough, *turn)) for turn in turns]
    assert any(one != other for one, other in answers), "in this game they do not always agree"


def other_secrets(state: State, seat: str) -> State:
    """Another world that looks the same to `seat`."""
    view = risk_europe.view(state, seat)
    for luck in range(20):
        world: State = risk_europe.deal(view, random.Random(luck))
        if world != state:
            assert risk_europe.view(world, seat) == view
            return world
    return state


@pytest.mark.slow
@pytest.mark.parametrize("level", ["normal", "hard", "expert"])
def test_what_is_hidden_changes_nothing(level):
    mind = bots.find_bot(risk_europe, level, SHORT).exact()
    different = 0
    for state, seat in positions(4, players=3, missions=True, rounds=3):
        if state.round < 2 or different > 25:
            continue
        world = other_secrets(state, seat)
        different += world != state
        assert answer(mind, world, seat) == answer(mind, state, seat)
    assert different > 10


# What a board is worth


def board(**changes: Any) -> State:
    """Four kingdoms, nobody else on the map."""
    chosen = risk_europe.Options()
    state: State = risk_europe.start(risk_europe.seats(4, chosen), chosen)
    owner, units = [NOBODY] * len(TERRITORY_NAMES), [EMPTY] * len(TERRITORY_NAMES)
    for army, city in enumerate(("london", "rome", "kiev", "madrid")):
        owner[CITY_AT[city]], units[CITY_AT[city]] = army, (6, 0, 0, 0)
    return state._replace(
        owner=tuple(owner),
        units=tuple(units),
        agenda=(Pick(),),
        marker=0,
        ring=(0, 1, 2, 3),
        order=(0, 1, 2, 3),
        round=1,
        **changes,
    )


def with_stack(state: State, army: int, place: str, footmen: int, archers: int = 0) -> State:
    at = TERRITORY_NUMBER[place]
    there = (footmen, archers, 0, 0)
    return state._replace(
        owner=replace_at(state.owner, at, army), units=replace_at(state.units, at, there)
    )


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


# Decisions


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


def test_a_round_ahead_is_played_by_the_rules():
    state = next(s for s, _ in positions(6) if isinstance(s.agenda[-1], Pick) and s.round == 2)
    mind = RoundPolicy(state, W)
    end = mind.rest_of_round(state, random_cards(state, random.Random(1)), random.Random(1))
    assert all(len(own.hand) == 4 for own in end.armies)
    following = play_battles(end, random.Random(1))
    assert following.round == 3
    assert isinstance(following.agenda[-1], Pick)
    assert not following.attacks
    assert risk_europe.broken(following._replace(armies=with_discards(following))) == []


def test_games_that_are_played_on_end_and_share_one_victory():
    state = next(s for s, _ in positions(6) if isinstance(s.agenda[-1], Pick) and s.round == 2)
    mind = RoundPolicy(state, W)
    ends = []
    for luck in range(3):
        rng = random.Random(luck)
        ends.append(roll_out(mind, state, random_cards(state, rng), rng, WHOLE_GAME))
    for luck, end in enumerate(ends):
        assert sum(end) == pytest.approx(1)
        rng = random.Random(luck)
        assert (
            roll_out(RoundPolicy(state, W), state, random_cards(state, rng), rng, WHOLE_GAME) == end
        )
    assert max(max(end) for end in ends) > 0.5  # somebody has won, or is about to


def test_a_setup_is_carried_on_to_the_first_round():
    state = next(s for s, _ in positions(3) if isinstance(s.agenda[-1], Settle))
    begun = found_kingdoms(state, W)
    assert begun.round == 1
    assert isinstance(begun.agenda[-1], Pick)
    assert risk_europe.broken(begun) == []
    assert all(
        count_crowns(begun, i) == 1 or begun.owner[CITY_AT["rome"]] == i
        for i in players_left(begun)
    )


def test_tries_go_to_what_promises_most():
    """With equal luck for all, and the better half of them tried on."""
    lucks: dict[int, list[float]] = {choice: [] for choice in range(6)}

    def attempt(choice: int, rng: random.Random) -> float:
        lucks[choice].append(rng.random())
        return choice / 10

    trial = HalvingTrial([0.0] * 6, 0)
    assert trial.best_choice(attempt, bots.Budget(60).start(), 60) == 5
    assert trial.tries[5] > trial.tries[2] > 0
    assert sum(trial.tries) <= 60
    for found in lucks.values():
        assert found == lucks[5][: len(found)]


def test_a_trial_without_time_keeps_to_what_was_promised():
    trial = HalvingTrial([0.2, 0.7, 0.1], 12)
    assert trial.best_choice(lambda choice, rng: 0.0, bots.Budget(1).start(), 60) == 1
    assert sum(trial.tries) == 1


def with_discards(state: State) -> tuple[Any, ...]:
    """The cards played ahead were not laid open; here they are."""
    return tuple(
        own._replace(
            discard=tuple(sorted((Counter(DECK) - Counter(own.hand)).elements(), key=DECK.index))
        )
        for own in state.armies
    )


def test_a_crown_that_wins_now_counts_as_victory():
    state = with_army(board(), 0, bought=6)
    assert chance_of_crowns(state, 0) == 1
    assert winning_chances(state, W)[0] == 1
    at = CITY_AT["london"]
    fight = state._replace(attacks=(Attack(at, 1, (6, 0, 0, 0)),))
    lost = battle_odds((6, 0, 0, 0), (6, 0, 0, 0), castle=False)
    assert chance_of_crowns(fight, 0) == pytest.approx(lost.defender)
    assert winning_chances(fight, W)[0] >= chance_of_crowns(fight, 0)


def test_a_guess_at_hidden_cards_knows_only_which_are_left():
    state = with_army(board(), 1, hand=("tax", "king"), stack=("split", "split"))
    other = with_army(board(), 1, hand=("split", "tax"), stack=("king", "split"))
    guesses = [RoundPolicy(s, W).guess_cards(s, 0) for s in (state, other)]
    assert guesses[0] == guesses[1]
    assert sorted(guesses[0].stacks[1] + guesses[0].hands[1]) == ["king", "split", "split", "tax"]
    mine = with_army(board(), 0, hand=(), stack=("tax", "siege"))
    assert RoundPolicy(mine, W).guess_cards(mine, 0).stacks[0] == ("tax", "siege")
    drawn = {
        RoundPolicy(state, W).guess_cards(state, 0, random.Random(n)).stacks[1] for n in range(12)
    }
    assert len(drawn) > 1


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


# Analysis and tuning


def test_knowledge_values_a_state_for_people():
    value = BOTS.knowledge.value
    found = value(board()) if value else {}
    assert set(found) == {"blue", "orange", "green", "purple"}
    assert sum(found.values()) == pytest.approx(1)


def test_weights_are_data_that_can_be_tuned():
    tunable = BOTS.tunables["normal"]
    assert all(n > 0 for n in tunable.start.values())
    assert weights.replace_weights(tunable.start) == weights.learnt_odds()
    state = next(state for state, _ in positions(2) if isinstance(state.agenda[-1], Pick))
    seat = state.colours[players_left(state)[0]]
    changed = tunable.make(tunable.start | {"keep_fortify": 9.0, "keep_split": 9.0})
    pick = answer(changed, state, seat)
    assert not {"fortify", "split"} & {pick.first, pick.second}


def test_a_reason_names_what_it_is_about():
    state = with_stack(board(), 0, "brittany", 3)
    group = (Group(CITY_AT["paris"], (2, 0, 0, 0)),)
    gain = candidates.weigh_move(
        RoundPolicy(state, W).outlook_for(state, 0), 0, TERRITORY_NUMBER["brittany"], group
    )
    assert gain > 0
    reason = Msg("risk_europe_bots.claim", at=Msg("risk_europe.territory.france"))
    assert "Fran" in say(reason, "es")
    assert count_crowns(state, 0) == 1
