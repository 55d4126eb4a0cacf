"""One seat for Gymnasium and those who build on it: ids, masks, vectors, pickles."""

import copy
import pickle

import numpy as np
import pytest
import sparks

from powderkeg import rl
from powderkeg.core.errors import RulesError
from powderkeg.rl.gym import ENV_NAMES

gymnasium = pytest.importorskip("gymnasium")
from gymnasium.vector import AutoresetMode, VectorEnv  # noqa: E402  # only if it is there

SHORT = {
    "diplomacy": {"last_year": 1901},
    "risk_europe": {"players": 2, "rounds": 1},
    "versailles": {"players": 2, "length": 5},
}


@pytest.mark.slow
@pytest.mark.parametrize(("game", "name"), ENV_NAMES.items())
def test_gymnasium_makes_our_games_by_their_id(game, name):
    env = gymnasium.make(f"powderkeg/{name}-v1", **SHORT[game])
    _, info = env.reset(seed=1)
    for _ in range(5):
        masks = env.unwrapped.action_masks()
        assert masks.dtype == np.bool_
        assert (masks == info["action_mask"].astype(bool)).all()
        *_, info = env.step(int(np.flatnonzero(masks)[0]))


def test_gymnasium_makes_many_at_once():
    envs = gymnasium.make_vec("powderkeg/RiskEurope-v1", num_envs=3, **SHORT["risk_europe"])
    assert isinstance(envs.unwrapped, rl.SeatVectorEnv)
    seen, infos = envs.reset(seed=1)
    assert seen in envs.observation_space
    assert (infos["action_mask"] == seen["action_mask"]).all()


def play_vector(envs, steps, seed=5):
    """What a vector gives when the last word of each mask is written."""
    seen, _ = envs.reset(seed=seed)
    found = []
    for _ in range(steps):
        masks = seen["action_mask"]
        actions = np.array([np.flatnonzero(mask)[-1] for mask in masks])
        seen, rewards, over, cut, _ = envs.step(actions)
        found.append((seen["observation"].sum(axis=1), rewards, over, cut))
    return [np.stack(column) for column in zip(*found, strict=True)]


def test_the_vector_is_a_true_one_and_equal_to_gymnasiums_own():
    ours = rl.SeatVectorEnv(sparks, 4)
    assert isinstance(ours, VectorEnv)
    assert ours.metadata["autoreset_mode"] == AutoresetMode.NEXT_STEP
    theirs = gymnasium.vector.SyncVectorEnv([lambda: rl.SeatEnv(sparks)] * 4)
    for one, two in zip(play_vector(ours, 40), play_vector(theirs, 40), strict=True):
        assert (one == two).all()
    assert ours.action_masks().shape == (4, ours.single_action_space.n)
    assert (play_vector(ours, 40)[2]).any(), "games ended and started again"
    ours.reset(seed=[1, 2, None, 4])
    ours.close()


def test_a_render_mode_is_honoured_or_refused():
    env = rl.SeatEnv(sparks, render_mode="ansi")
    env.reset(seed=1)
    assert env.render()
    for make in (rl.SeatEnv, rl.env, rl.parallel_env):
        with pytest.raises(RulesError, match="rgb_array"):
            make(sparks, render_mode="rgb_array")


@pytest.mark.parametrize("copy_of", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
@pytest.mark.parametrize("game", [sparks, "diplomacy", "versailles"])
def test_a_seat_can_be_pickled_in_the_middle_of_a_word(copy_of, game):
    env = rl.SeatEnv(game)
    _, info = env.reset(seed=2)
    for _ in range(7):
        *_, info = env.step(int(np.flatnonzero(info["action_mask"])[-1]))
    twin = copy_of(env)
    for _ in range(8):
        word = int(np.flatnonzero(env.action_masks())[0])
        (one, *mine), (two, *theirs) = env.step(word), twin.step(word)
        assert (one["observation"] == two["observation"]).all()
        assert mine[:3] == theirs[:3]


@pytest.mark.parametrize("make", [rl.raw_env, rl.parallel_env])
def test_environments_of_many_agents_can_be_pickled(make):
    env = make(sparks)
    env.reset(seed=1)
    twin = pickle.loads(pickle.dumps(env))
    for seat in env.possible_agents:
        assert (twin.observe(seat)["observation"] == env.observe(seat)["observation"]).all()
