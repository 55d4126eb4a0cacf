"""The trained baseline: its weights, its bot, and that it has learnt something."""

import random

import numpy as np
import pytest

import powderkeg
from powderkeg.bots import find_bot
from powderkeg.games.diplomacy.board import POWERS

pytest.importorskip("numba")
from powderkeg.games.diplomacy.fast.games import BatchGames  # needs Numba
from powderkeg.rl.baseline.bot import load_weights, play_baseline  # see above
from powderkeg.rl.baseline.features import SEASONS, SIZE, choose_rows  # see above
from tools.train_orders import play_round  # see above


@pytest.mark.slow
def test_the_bot_plays_legal_turns_in_every_kind_of_phase():
    table, rng = powderkeg.table("diplomacy", last_year=1902), random.Random(1)
    rival, stages = find_bot(table.game, "random"), set()
    while table.to_act:
        seat = min(table.to_act)
        bot = play_baseline if seat in ("FRANCE", "TURKEY", "GERMANY") else rival
        stages.add((table.state.stage, bot is play_baseline))
        table.act(seat, bot(table.view(seat), table.ask(seat), table.legal(seat), rng))
    assert {("movement", True), ("adjustment", True)} <= stages
    assert len(table.log) < 5000


@pytest.mark.slow
def test_it_takes_more_centres_than_random_play():
    games, rng = BatchGames(40, last_year=1904), np.random.default_rng(1)
    learnt = np.zeros((40, len(POWERS)), bool)
    learnt[np.arange(40), np.arange(40) % 7] = True
    while not games.over.all():
        orders = games.sample_orders(rng)
        choose_rows(
            load_weights(), games.clocks, games.units, games.owner, games.beaten, games.codes,
            games.counts, games.pieces, rng.random(games.counts.shape), 0.5, learnt, orders,
            np.zeros((40, len(POWERS), SEASONS, SIZE)),
        )  # fmt: skip
        games.step(orders)
    assert games.centres[learnt].mean() > 2 * games.centres[~learnt].mean()


def test_training_finds_a_direction():
    weights = np.zeros((SEASONS, SIZE))
    gradient, centres = play_round(weights, 8, np.random.default_rng(1))
    assert gradient.shape == weights.shape
    assert np.abs(gradient).max() > 0
    assert 0 < centres < 34
