"""The environments pass the conformance suites of those who will use them."""

import random

import numpy as np
import pytest
import sparks

from powderkeg import games, rl
from powderkeg.bots.engine.shares import square_shares
from powderkeg.core.errors import RulesError
from powderkeg.rl.lexicon import FULL_STOP

gymnasium = pytest.importorskip("gymnasium")
pytest.importorskip("pettingzoo")
from gymnasium.utils.env_checker import check_env  # noqa: E402  # only if it is there
from pettingzoo.test import (  # type: ignore[import-untyped]  # noqa: E402  # it ships no types
    api_test,
    parallel_api_test,
    parallel_seed_test,
    seed_test,
)

MORE = {
    "sparks": {},
    "risk_europe": {"players": 2, "rounds": 1, "most_steps": 120},
    "versailles": {"players": 2, "most_steps": 60},
    "diplomacy": {"last_year": 1901, "most_steps": 120},
}
# The suite warns of what every environment with masks has, PettingZoo's own too.
pytestmark = [
    pytest.mark.filterwarnings(f"ignore:{text}")
    for text in (
        "Observation space for each agent probably",
        "We recommend agents to be named",
        "Observation is not a NumPy array",
        "No observation",
        "Observation is a dictionary",
        ".*has no more than|.*negative",
    )
]


def rules(name):
    return sparks if name == "sparks" else games.find_game(name)


@pytest.mark.parametrize("name", MORE)
def test_agents_in_turn(name):
    api_test(rl.env(rules(name), **MORE[name]), num_cycles=80)


@pytest.mark.slow
@pytest.mark.parametrize("name", MORE)
def test_agents_all_at_once(name):
    parallel_api_test(rl.parallel_env(rules(name), **MORE[name]), num_cycles=60)


@pytest.mark.parametrize("name", MORE)
def test_seeds(name):
    seed_test(lambda: rl.env(rules(name), **MORE[name]), num_cycles=20)
    parallel_seed_test(lambda: rl.parallel_env(rules(name), **MORE[name]), num_cycles=20)


@pytest.mark.parametrize("level", ["random", "easy"])
def test_one_seat_against_bots(level):
    env = rl.SeatEnv(sparks, level=level)
    if level == "random":
        check_env(env, skip_render_check=True)
    total, games_played, (_, info) = 0.0, 0, env.reset(seed=1)
    while games_played < 8:
        choice = np.flatnonzero(info["action_mask"])[-1]
        _, reward, over, cut, info = env.step(choice)
        if over or cut:
            total, games_played = total + reward, games_played + 1
            _, info = env.reset()
    assert 0 <= total <= 8


def test_a_forbidden_word_ends_the_game_for_its_writer():
    seat = rl.SeatEnv(sparks)
    _, info = seat.reset(seed=1)
    wrong = int(np.flatnonzero(info["action_mask"] == 0)[0])
    assert seat.step(wrong)[1:4] == (-1.0, True, False)
    env = rl.parallel_env(sparks)
    seen, _ = env.reset(seed=1)
    actions = {a: int(np.flatnonzero(o["action_mask"])[0]) for a, o in seen.items()}
    _, rewards, over, _, infos = env.step({**actions, "red": wrong})
    assert (rewards["red"], rewards["blue"], over["red"]) == (-1.0, 0.0, True)
    assert infos["red"]["illegal"]
    assert env.agents == []


def play_turns(env, seed):
    rng, total = random.Random(seed), {}
    env.reset(seed=seed)
    for agent in env.agent_iter():
        seen, reward, over, cut, _ = env.last()
        total[agent] = total.get(agent, 0.0) + reward
        choices = np.flatnonzero(seen["action_mask"])
        env.step(None if over or cut else int(rng.choice(list(choices))))
    return total


def test_rewards_come_at_the_end_and_sum_to_one():
    assert sum(play_turns(rl.env(sparks), 3).values()) == pytest.approx(1)


def test_a_game_that_is_too_long_is_cut_off():
    env = rl.env("risk_europe", 2, most_steps=10)
    assert sum(play_turns(env, 1).values()) == 0


def test_an_agent_that_is_not_asked_may_only_write_a_full_stop():
    env = rl.raw_env(sparks)
    env.reset(seed=1)
    env.play.table.act("red", next(iter(env.play.table.legal("red"))))
    mask = env.observe("red")["action_mask"]
    assert [env.setting.lexicon.words[i] for i in np.flatnonzero(mask)] == [FULL_STOP]


def test_observations_hide_what_views_hide():
    env = rl.raw_env(sparks)
    env.reset(seed=1)
    before = env.observe("blue")["observation"]
    red = env.play.table.legal("red")
    worlds = []
    for action in red:
        copy = rl.raw_env(sparks)
        copy.reset(seed=1)
        copy.play.table.act("red", action)
        worlds.append(copy.observe("blue")["observation"])
    assert all((world == worlds[0]).all() for world in worlds)
    assert not (worlds[0] == before).all(), "that red has chosen is known"


def test_the_state_for_critics_is_all_that_all_see():
    env = rl.raw_env(sparks)
    env.reset(seed=1)
    assert env.state().shape == (2 * env.setting.width,)
    assert "red" in env.render()
    env.close()


# Many games at once


def roll(workers, steps=60):
    games_ = rl.VectorGames(sparks, 6, workers=workers)
    seen, rng, sums, total = games_.reset(seed=4), np.random.default_rng(1), [], 0.0
    for _ in range(steps):
        actions = np.array([rng.choice(np.flatnonzero(mask)) for mask in seen.action_mask])
        seen, rewards, over, cut = games_.step(actions)
        sums.append(float(seen.observation.sum()))
        total += rewards.sum()
        assert not cut.any()
        assert (rewards.sum(axis=1) == over).all()
    games_.close()
    return sums, total


@pytest.mark.slow
def test_vectors_step_many_games_alike_here_and_in_processes():
    here, there = roll(0), roll(2)
    assert here == there
    assert here[1] > 6, "games that ended began again"


PAID = {
    "risk_europe": {"players": 4, "rounds": 1},
    "versailles": {"players": 2, "length": 5},
    "diplomacy": {"last_year": 1901},
}


@pytest.mark.slow
@pytest.mark.parametrize("reward", ["wins", "shares", "scores"])
@pytest.mark.parametrize("name", PAID)
def test_vectors_pay_every_seat_its_own_reward(name, reward):
    """Scores may be listed in any order, so seats are looked up."""
    games_ = rl.VectorGames(name, 2, reward=reward, **PAID[name])
    seats, rng, ended = games_.setting.seats, np.random.default_rng(0), 0
    seen = games_.reset(seed=3)
    while not ended:
        actions = np.array([rng.choice(np.flatnonzero(mask)) for mask in seen.action_mask])
        tables = [play.table for play in games_.here.plays]
        seen, rewards, over, _ = games_.step(actions)
        for game in np.flatnonzero(over):
            result, ended = tables[game].result, ended + 1
            truth = {
                "wins": {s: (s in result.winners) / len(result.winners) for s in seats},
                "shares": square_shares(result.scores),
                "scores": result.scores,
            }[reward]
            assert list(rewards[game]) == [truth[seat] for seat in seats]


def test_vectors_have_a_row_for_every_game():
    games_ = rl.VectorGames(sparks, 5)
    seen = games_.reset(seed=1)
    assert seen.observation.shape == (5, games_.setting.width)
    assert seen.action_mask.shape == (5, len(games_.setting.lexicon))
    assert seen.seat.shape == (5,)


def first_seen(seed, **more):
    games_ = rl.VectorGames("risk_europe", 6, players=2, **more)  # six never agree by chance
    seen = games_.reset(seed) if seed is not None else games_.reset()
    games_.close()
    return seen.observation


def test_vectors_begin_other_games_unless_they_are_given_a_seed():
    games_ = rl.VectorGames("risk_europe", 2, players=2)
    first, again = games_.reset(seed=1).observation, games_.reset(seed=1).observation
    following = games_.reset().observation
    assert (first == again).all()
    assert not (following == first).all(), "without a seed the next games follow from the last"
    games_.reset(seed=1)
    assert (games_.reset().observation == following).all()
    assert not (first_seen(None) == first_seen(None)).all()


@pytest.mark.slow
def test_there_are_never_more_workers_than_games():
    games_ = rl.VectorGames(sparks, 2, workers=3)
    assert len(games_.processes) == 2
    assert games_.reset(seed=1).seat.shape == (2,)
    games_.close()


@pytest.mark.slow
@pytest.mark.parametrize("workers", [0, 1])
def test_a_word_that_vectors_cannot_write_is_reported_and_the_games_go_on(workers):
    games_ = rl.VectorGames(sparks, 2, workers=workers)
    seen = games_.reset(seed=1)
    with pytest.raises(ValueError, match="reset"):
        rl.VectorGames(sparks, 2).step(np.array([0, 0]))
    wrong = np.array([np.flatnonzero(mask == 0)[0] for mask in seen.action_mask])
    with pytest.raises(ValueError, match="cannot write"):
        games_.step(wrong)
    for number in (-1, seen.action_mask.shape[1]):
        with pytest.raises(ValueError, match="no word"):
            games_.step(np.array([number, 0]))
    right = np.array([np.flatnonzero(mask)[0] for mask in seen.action_mask])
    assert games_.step(right).rewards.shape == (2, 2)
    games_.close()


@pytest.mark.slow
def test_what_goes_wrong_in_a_process_is_raised_here():
    games_ = rl.VectorGames(sparks, 2, workers=2)
    seen = games_.reset(seed=1)
    wrong = int(np.flatnonzero(seen.action_mask[0] == 0)[0])
    right = int(np.flatnonzero(seen.action_mask[1])[0])
    with pytest.raises(ValueError, match="cannot write") as raised:
        games_._ask_workers("step", [np.array([wrong]), np.array([right])])
    assert "Traceback" in raised.value.__notes__[0]
    assert games_.reset(seed=1).seat.shape == (2,), "the processes go on"
    games_.processes[0].kill()
    games_.processes[0].join()
    with pytest.raises(RuntimeError, match="died"):
        games_.reset(seed=1)
    games_.close()


def test_unknown_seats_and_rewards_are_refused():
    with pytest.raises(RulesError, match="green"):
        rl.SeatEnv(sparks, seat="green")
    with pytest.raises(RulesError, match="'win'"):
        rl.env(sparks, reward="win")
