"""Duels: one power each on the whole map, everything else neutral."""

import random

import pytest

from powderkeg.core import plain
from powderkeg.core.table import Table
from powderkeg.games import diplomacy
from powderkeg.games.diplomacy.actions import Move
from powderkeg.games.diplomacy.board import CENTRES, HOMES, START
from powderkeg.games.diplomacy.invariants import broken
from powderkeg.games.diplomacy.state import Options
from tests.games.diplomacy.scene import begin, board, play, units

DUELS = {"france_austria": ("FRANCE", "AUSTRIA"), "germany_italy": ("GERMANY", "ITALY")}


@pytest.mark.rule("D-ALT-06", "D-ALT-08")
@pytest.mark.parametrize("duel", DUELS)
def test_a_duel_begins_in_1901_with_two_powers(duel):
    state = begin(2, duel=duel)
    assert state.phase == "S1901M"
    assert tuple(state.hands) == DUELS[duel]
    assert diplomacy.to_act(state) == set(DUELS[duel])
    for power, placed in state.units.items():
        assert placed == (START[power] if power in DUELS[duel] else ())
    assert set(state.centres.values()) == set(DUELS[duel])
    assert broken(state) == []


@pytest.mark.rule("D-ALT-07", "D-ALT-09")
def test_nothing_is_closed_and_nobody_else_gets_italy():
    state = board(begin(2, duel="france_austria"), {"AUSTRIA": "A tri", "FRANCE": "A mar"})
    assert Move(state.units["AUSTRIA"][0], "ven") in diplomacy.legal(state, "AUSTRIA")
    state, _ = play(state, AUSTRIA="A tri - ven", FRANCE="A mar - pie")
    state, _ = play(state, AUSTRIA="A ven - rom")
    assert state.centres["rom"] == "AUSTRIA"  # no coin is tossed: the fall count went on to winter
    assert state.phase == "W1901A"
    assert units(state, "ITALY") == set()


@pytest.mark.rule("D-WIN-05")
def test_eighteen_centres_win_a_duel():
    state = begin(2, duel="france_austria")
    assert state.target == 18
    owned = {"FRANCE": " ".join(CENTRES[:18]), "AUSTRIA": " ".join(CENTRES[18:])}
    state, _ = play(board(state, {"FRANCE": "A gas", "AUSTRIA": "A alb"}, owned, season="fall"))
    assert diplomacy.result(state).ranking[0] == ("FRANCE",)


def test_the_count_before_the_first_fall_knows_two_powers():
    first = diplomacy.view(begin(2, duel="germany_italy"), "ITALY")["history"][0]
    assert first["year"] == 1900
    assert {power: n for power, n in first["centres"].items() if n} == {
        power: len(HOMES[power]) for power in DUELS["germany_italy"]
    }


def test_with_more_players_the_option_means_nothing():
    assert diplomacy.seats(7, Options(duel="france_austria")) == diplomacy.seats(7, Options())
    assert begin(7, duel="france_austria").units == begin(7).units


@pytest.mark.parametrize("seed", range(2))
def test_random_duels_keep_the_invariants(seed):
    rng = random.Random(seed)
    table = Table(diplomacy, 2, Options(duel="france_austria", last_year=1904))
    while table.to_act:
        seat = min(table.to_act)
        table.act(seat, str(table.legal(seat).sample(rng)))
        assert broken(table.state) == []
        again = diplomacy.deal(table.view(seat), rng)
        assert again.units == table.state.units
        assert again.target == 18
    assert plain.load(Options, plain.dump(table.state.options)) == table.state.options
