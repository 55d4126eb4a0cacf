"""Risk Europe played on from a position: by the rules, to an end, with guesses at hidden cards."""

import random
from collections import Counter
from typing import Any

import pytest

from powderkeg import bots
from powderkeg.bots.risk_europe.policy import RoundPolicy, play_battles
from powderkeg.bots.risk_europe.rollouts import (
    WHOLE_GAME,
    HalvingTrial,
    found_kingdoms,
    random_cards,
    roll_out,
)
from powderkeg.games import risk_europe
from powderkeg.games.risk_europe.board import (
    CITY_AT,
    DECK,
)
from powderkeg.games.risk_europe.state import (
    State,
    count_crowns,
    players_left,
    with_army,
)
from powderkeg.games.risk_europe.steps import Pick, Settle
from tests.bots.risk_europe.positions import W, board, positions


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
