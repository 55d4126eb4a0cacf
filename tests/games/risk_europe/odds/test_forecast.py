"""The odds in the view are those of the battle that would be fought, and tell nothing secret."""

from typing import Any

import pytest

import powderkeg.games.risk_europe as game
from powderkeg.games.risk_europe.odds.battle_odds import exact_odds
from tests.games.risk_europe.scene import Scene

LANDS = {"bohemia": "blue 3f 1a 1s", "poland": "orange 2f", "bavaria": "blue 1f"}


def forecast(s: Scene, seat: str | None) -> dict[str, Any]:
    return dict(game.view(s.state, seat)["odds"])


def test_before_a_target_is_chosen_each_has_the_chance_of_the_strongest_force():
    s = Scene(LANDS).turn("blue", "fortify").do("blue", "order expand", "from bohemia")
    outlook = forecast(s, "blue")
    strongest = exact_odds((2, 1, 0, 1), (2, 0, 0, 0)).attacker
    assert outlook["to"] == {"poland": pytest.approx(strongest, abs=1e-4)}
    assert outlook["with"] == {}


def test_before_units_are_chosen_every_choice_has_its_chance():
    s = Scene(LANDS).turn("blue", "fortify")
    s.do("blue", "order expand", "from bohemia", "to poland")
    outlook = forecast(s, "blue")["with"]
    assert len(outlook) == len(s.legal("blue", "march"))
    assert outlook["2,1,0,0"] == pytest.approx(
        exact_odds((2, 1, 0, 0), (2, 0, 0, 0)).attacker, abs=1e-4
    )


def test_a_castle_is_reckoned_with_its_best_defence():
    s = Scene(LANDS, castles="poland").turn("blue", "fortify")
    s.do("blue", "order expand", "from bohemia", "to poland")
    outlook = forecast(s, "blue")["with"]
    best = exact_odds((2, 1, 0, 1), (2, 0, 0, 0), castle="best").attacker
    assert outlook["2,1,0,1"] == pytest.approx(best, abs=1e-4)


def test_all_see_the_odds_of_battles_but_only_the_mover_those_of_a_march():
    s = Scene(LANDS, attacks={"poland": "green 3f"}).turn("blue", "fortify")
    s.do("blue", "order expand", "from bohemia")
    expected = exact_odds((3, 0, 0, 0), (2, 0, 0, 0))
    for seat in (None, "blue", "orange"):
        outlook = forecast(s, seat)["battles"]["poland"]
        assert outlook["attacker"] == pytest.approx(expected.attacker, abs=1e-4)
        assert outlook["defender"] == pytest.approx(expected.defender, abs=1e-4)
    s = Scene(LANDS).turn("blue", "fortify").do("blue", "order expand", "from bohemia")
    for seat in (None, "orange"):
        assert forecast(s, seat) == {"battles": {}, "to": {}, "with": {}}


def test_help_for_a_defender_counts_for_the_defender():
    lands = {"bohemia": "blue 3f", "bavaria": "blue 2f"}
    s = Scene(lands, attacks={"bavaria": "green 2f"}).turn("blue", "fortify")
    s.do("blue", "order manoeuvre", "from bohemia", "to bavaria")
    outlook = forecast(s, "blue")["with"]
    assert outlook["3,0,0,0"] == pytest.approx(
        exact_odds((2, 0, 0, 0), (5, 0, 0, 0)).defender, abs=1e-4
    )


def test_a_battle_too_large_to_be_reckoned_at_once_has_no_forecast():
    s = Scene({"poland": "orange 30f"}, attacks={"poland": "green 30f"})
    assert forecast(s, None)["battles"] == {"poland": None}
