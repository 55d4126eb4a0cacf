"""Levels of another installed Powderkeg at the tables of the arena."""

import sys

import pytest

from powderkeg.bots.arena import report
from powderkeg.bots.arena import tournament as arena
from powderkeg.bots.arena.tournament import Duel
from powderkeg.bots.process import releases
from powderkeg.core.errors import Unreadable
from powderkeg.games import risk_europe


def plan(rest):
    bots = {"easy": "easy", "rest": rest}
    more = {"players": 2, "options": {"rounds": 1}, "seeds": 1}
    return arena.plan_tournament(risk_europe, bots, (Duel("easy", "rest"),), **more)


def test_a_level_of_another_installation_plays_as_it_would_there():
    here, there = plan("normal"), plan(f"normal@{sys.executable}")
    for pairing in here.schedule():
        mine, theirs = arena.play_pairing(here, pairing), arena.play_pairing(there, pairing)
        assert (theirs.text, theirs.played.faults) == (mine.text, {})


def test_the_version_of_a_release_is_kept_with_the_results():
    asked = plan(f"hard@{sys.executable}")
    found = report.summarize_games(asked, [])
    assert found["settings"] == {"rest": {"release": releases.release_version(sys.executable)}}
    assert found["foreign"] == ["rest"]


def test_an_interpreter_without_powderkeg_is_refused_before_anything_is_played():
    with pytest.raises(Unreadable, match="/no/such/python"):
        plan("hard@/no/such/python")
