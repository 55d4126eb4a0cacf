"""Reference bots: known to the arena, offered at no table, with legal answers."""

import pytest

from powderkeg import bots, games
from powderkeg.bots import levels
from powderkeg.bots.arena import tournament as arena
from powderkeg.bots.arena.tournament import Duel

SHORT = 120  # entries of a log
NAMES = [(game, "greedy") for game in games.GAME_NAMES] + [("diplomacy", "dumbbot")]


@pytest.mark.parametrize(("game", "name"), NAMES)
def test_a_reference_is_offered_at_no_table(game, name):
    rules = games.find_game(game)
    assert bots.find_bot(rules, name).name == name
    assert name not in levels.game_levels(rules)


@pytest.mark.slow
@pytest.mark.parametrize(("game", "name"), NAMES)
def test_a_reference_answers_legally(game, name):
    asked = arena.plan_tournament(
        games.find_game(game), {name: name}, (Duel(name, name),), seeds=1, cap=SHORT
    )
    assert not arena.play_pairing(asked, asked.schedule()[0]).played.faults
