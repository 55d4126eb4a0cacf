"""Diplomacy turn by turn, compiled: the readable game is its oracle."""

import random

import numpy as np
import pytest

import powderkeg
from powderkeg.games.diplomacy.board import NUMBER_OF, POWERS

pytest.importorskip("numba")
pytest.importorskip("pettingzoo")
from pettingzoo.test import (  # type: ignore[import-untyped]  # it ships no types
    parallel_api_test,
    parallel_seed_test,
)

from powderkeg.bots.engine.shares import square_shares  # after the check above
from powderkeg.rl.diplomacy import BoardEncoder  # see above
from powderkeg.rl.orders import OrdersVector, orders_env  # see above
from tests.games.diplomacy.fast.test_games import play_readable, warlike_orders  # see above


@pytest.mark.slow
@pytest.mark.parametrize("reward", ["wins", "shares", "scores"])
def test_observations_and_rewards_are_those_of_the_readable_game(reward):
    rng, board = random.Random(reward), BoardEncoder()
    tables = [powderkeg.table("diplomacy", last_year=1904) for _ in range(3)]
    vector = OrdersVector(3, last_year=1904, reward=reward)
    seen, going = vector.reset(), set(range(3))
    while going:
        for n in going:
            expected = board.encode(tables[n].view(None))
            differing = np.flatnonzero(seen.observation[n] != expected)
            assert [board.names[i] for i in differing] == []
        orders = warlike_orders(vector.games, rng)
        for n in going:
            play_readable(vector.games, n, tables[n], orders)
        seen, rewards, over = vector.step(orders)
        for n in going & set(np.flatnonzero(over)):
            assert rewards[n].tolist() == pytest.approx(true_rewards(tables[n].result, reward))
        going -= set(np.flatnonzero(over))


def true_rewards(result, reward):
    truth = {
        "wins": {s: (s in result.winners) / len(result.winners) for s in POWERS},
        "shares": square_shares(result.scores),
        "scores": result.scores,
    }[reward]
    return [truth[power] for power in POWERS]


def test_a_victory_goes_to_the_winner_and_games_start_again():
    vector = OrdersVector(2, last_year=1902, victory_centres=3)
    vector.games.owner[0, NUMBER_OF["bel"]] = POWERS.index("FRANCE")
    seen = vector.reset()
    vector.games.owner[0] = -1
    vector.games.owner[0, : NUMBER_OF["bre"] + 1] = POWERS.index("FRANCE")
    rng = np.random.default_rng(1)
    for _ in range(12):
        seen, rewards, over = vector.step(vector.sample_orders(rng))
        if over[0]:
            break
    assert rewards[0].sum() == pytest.approx(1)
    assert seen.mask().sum() == seen.counts.sum()
    vector.step(vector.sample_orders(rng))
    assert not vector.games.over[0]


def test_pettingzoos_own_checks_pass():
    parallel_api_test(orders_env(last_year=1903), num_cycles=60)
    parallel_seed_test(lambda: orders_env(last_year=1902), num_cycles=10)


def test_agents_order_only_their_own_units():
    env = orders_env(last_year=1901, render_mode="ansi")
    seen, _ = env.reset(seed=1)
    france = seen["FRANCE"]
    assert [bool(france["mine"][NUMBER_OF[at]]) for at in ("par", "lon")] == [True, False]
    to_burgundy = next(
        code
        for code in france["orders"][NUMBER_OF["par"], : france["counts"][NUMBER_OF["par"]]]
        if str(env.vector.games.order(0, "par", code)) == "A par - bur"
    )
    orders = np.zeros(75, np.uint16)
    orders[[NUMBER_OF["par"], NUMBER_OF["mun"]]] = to_burgundy
    env.step({"FRANCE": orders})
    assert "A bur" in env.render()
    assert "A mun" in env.render()
    assert env.vector.games.phase(0) == "F1901M"
    *_, over, _, _ = env.step({})
    assert all(over.values())
    assert env.agents == []
    env.close()
