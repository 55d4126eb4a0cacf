"""OpenSpiel can load, play and copy our games."""

import pickle
import random

import numpy as np
import pytest
import sparks

pyspiel = pytest.importorskip("pyspiel")
from open_spiel.python.algorithms import (  # type: ignore[import-untyped]  # noqa: E402  # see below
    ismcts,
    mcts,
)

from powderkeg.rl import spiel  # noqa: E402  # only if OpenSpiel is there

NAMES = [
    "powderkeg_risk_europe(players=2,options=rounds:1)",
    "powderkeg_diplomacy(options=last_year:1901)",
    "powderkeg_versailles(players=2,options=length:5)",
]


@pytest.fixture(scope="module")
def tiny():
    spiel.register_game("sparks", sparks)
    return pyspiel.load_game("powderkeg_sparks")


def step(state, rng):
    if state.is_chance_node():
        actions, chances = zip(*state.chance_outcomes(), strict=True)
        assert sum(chances) == pytest.approx(1)
        state.apply_action(rng.choices(actions, chances)[0])
    else:
        assert state.legal_actions() == sorted(state.legal_actions())
        assert len(state.legal_actions()) > 1
        state.apply_action(rng.choice(state.legal_actions()))


def test_openspiels_own_simulations_pass(tiny):
    pyspiel.random_sim_test(tiny, num_sims=5, serialize=False, verbose=False)


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_real_games_are_played_to_their_end(name):
    game, rng = pyspiel.load_game(name), random.Random(1)
    state = game.new_initial_state()
    for _ in range(3000):
        if state.is_terminal():
            break
        step(state, rng)
    assert state.is_terminal()
    assert sum(state.returns()) == pytest.approx(1)


def test_a_copy_is_independent(tiny):
    rng = random.Random(2)
    state = tiny.new_initial_state()
    while not state.is_terminal():
        copy = state.clone()
        assert str(copy) == str(state)
        before = [state.information_state_string(p) for p in (0, 1)]
        step(copy, random.Random(1))
        assert [state.information_state_string(p) for p in (0, 1)] == before
        step(state, rng)


def test_an_offer_is_answered_before_the_game_goes_on():
    state = pyspiel.load_game("powderkeg_versailles(players=3)").new_initial_state()
    rng = random.Random(1)
    number = state.get_game().setting.lexicon.numbers
    while state.is_chance_node() or number["propose"] not in state.legal_actions():
        step(state, rng)
    proposer = state.current_player()
    state.apply_action(number["propose"])
    while state.current_player() == proposer:
        state.apply_action(state.legal_actions()[0])
    for answer in ("accept", "refuse"):
        copy = state.clone()
        copy.apply_action(number[answer])
        assert f"{answer} 1" in copy.information_state_string(state.current_player())
        assert copy.current_player() == proposer


# Pickles and other worlds


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_games_and_states_are_serialised(name):
    game, rng = pyspiel.load_game(name), random.Random(4)
    assert str(pickle.loads(pickle.dumps(game))) == str(game)
    state = game.new_initial_state()
    for _ in range(25):
        step(state, rng)
    kept = pyspiel.serialize_game_and_state(game, state)
    for twin in (
        pyspiel.deserialize_game_and_state(kept)[1],
        pickle.loads(pickle.dumps(state)),
        game.deserialize_state(state.serialize()),
    ):
        assert str(twin) == str(state)
        assert twin.history() == state.history()
        one, two = random.Random(1), random.Random(1)
        for each, luck in ((state.clone(), one), (twin, two)):
            for _ in range(10):
                step(each, luck)
        assert len(twin.serialize()) < 200_000


def test_openspiels_simulations_pass_with_serialisation(tiny):
    pyspiel.random_sim_test(tiny, num_sims=1, serialize=True, verbose=False)


@pytest.mark.slow
def test_a_real_game_passes_openspiels_simulation_with_serialisation():
    pyspiel.random_sim_test(pyspiel.load_game(NAMES[0]), num_sims=1, serialize=True, verbose=False)


@pytest.mark.parametrize("name", ["powderkeg_sparks", *NAMES])
def test_another_world_looks_the_same_to_a_seat(tiny, name):
    state, rng = pyspiel.load_game(name).new_initial_state(), random.Random(3)
    for _ in range(40):
        if state.is_terminal():
            break
        if not state.is_chance_node():
            player = state.current_player()
            other = state.resample_from_infostate(player, rng.random)
            assert other.current_player() == player
            assert other.legal_actions() == state.legal_actions()
            same = state.information_state_string(player)
            assert other.information_state_string(player) == same
            observer = state.get_game().make_py_observer()
            observer.set_from(state, player)
            before = observer.tensor.copy()
            observer.set_from(other, player)
            assert (observer.tensor == before).all()
        step(state, rng)


def test_hidden_cards_differ_between_worlds(tiny):
    state, rng = tiny.new_initial_state(), random.Random(3)
    while state.is_chance_node():
        step(state, rng)
    hands = {
        state.resample_from_infostate(0, rng.random).information_state_string(1) for _ in range(20)
    }
    assert len(hands) > 5


def test_openspiels_tree_search_over_worlds_plays(tiny):
    state, rng = tiny.new_initial_state(), random.Random(3)
    luck = np.random.RandomState(1)
    evaluator = mcts.RandomRolloutEvaluator(random_state=luck)
    bot = ismcts.ISMCTSBot(tiny, evaluator, uct_c=2, max_simulations=20, random_state=luck)
    while not state.is_terminal():
        if state.is_chance_node():
            step(state, rng)
        else:
            state.apply_action(bot.step(state))
    assert sum(state.returns()) == pytest.approx(1)


def test_chance_comes_one_thing_at_a_time(tiny):
    state = tiny.new_initial_state()
    seen = 0
    while state.is_chance_node():
        assert len(state.chance_outcomes()) == 9 - seen
        state.apply_action(state.chance_outcomes()[0][0])
        seen += 1
    assert seen == 8, "the ninth card needs no chance"


def test_a_seat_knows_only_the_facts_it_may_see(tiny):
    """Two games that differ in the other's cards alone look alike."""

    def dealt(*order):
        state = tiny.new_initial_state()
        for card in order:
            names = [state.action_to_string(a) for a, _ in state.chance_outcomes()]
            state.apply_action(names.index(card))
        return state

    one = dealt("c1", "c2", "c3", "c4", "c5", "c6", "c7", "c8")
    two = dealt("c1", "c2", "c3", "c4", "c7", "c9", "c5", "c8")
    assert one.information_state_string(0) == two.information_state_string(0)
    assert one.information_state_string(1) != two.information_state_string(1)


def test_tensors_and_words(tiny):
    state = tiny.new_initial_state()
    rng = random.Random(3)
    while state.is_chance_node():
        step(state, rng)
    observer = tiny.make_py_observer()
    observer.set_from(state, state.current_player())
    assert observer.tensor.shape == (tiny.setting.width,)
    assert np.abs(observer.tensor).max() <= 1
    assert observer.string_from(state, 0)
    action = state.legal_actions()[0]
    assert state.action_to_string(action) in tiny.setting.lexicon.words
    assert tiny.num_distinct_actions() == len(tiny.setting.lexicon)
