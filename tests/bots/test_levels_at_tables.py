"""What holds for every level of every game: legal answers, a stated time, and no need of a compiler."""

import random

import pytest

from powderkeg import bots, games
from powderkeg.bots import levels
from powderkeg.bots.diplomacy.numbers import engine
from powderkeg.bots.engine import compiled
from powderkeg.bots.engine.budget import Budget
from powderkeg.core.chance import Seeded
from powderkeg.core.table import Table

SEARCHING = ("hard", "expert")
DECISIONS = 4  # per game and level


@pytest.mark.parametrize("game", games.GAME_NAMES)
def test_a_level_that_searches_states_its_time_and_the_others_do_not_search(game):
    for name, level in levels.game_levels(games.find_game(game)).items():
        assert (level.budget.seconds is not None) == (name in SEARCHING)
        assert name in SEARCHING or level.budget.iterations == 1


@pytest.mark.slow
@pytest.mark.parametrize("level", bots.LEVEL_NAMES)
@pytest.mark.parametrize("game", games.GAME_NAMES)
def test_without_a_compiler_and_out_of_time_every_level_answers_legally(monkeypatch, game, level):
    for module in (engine, compiled):
        monkeypatch.setattr(module, "find_spec", lambda _name: None)
    rules = games.find_game(game)
    table = Table(rules, source=Seeded(random.Random(5)))
    bot = bots.find_bot(rules, level, Budget(1, 0.0))
    for number in range(DECISIONS):
        seat = min(table.to_act, key=table.seats.index)
        legal = table.legal(seat)
        action = bot(table.view(seat), table.ask(seat), legal, random.Random(number))
        assert action in legal
        table.act(seat, action)
