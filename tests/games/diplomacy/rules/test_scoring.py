"""Scoring systems of clubs, by their published examples."""

import pytest

from powderkeg.games.diplomacy.rules.victory import centre_points, winner_points

# Three games: centres, and for those without any the last year with some.
LEADER = {
    "R": (14, 0),
    "T": (7, 0),
    "F": (6, 0),
    "G": (4, 0),
    "E": (3, 0),
    "I": (0, 1905),
    "A": (0, 1902),
}
LEVEL = {
    "E": (8, 0),
    "R": (8, 0),
    "F": (7, 0),
    "T": (6, 0),
    "I": (4, 0),
    "A": (1, 0),
    "G": (0, 1906),
}


def test_carnage_pays_places_and_centres_and_ranks_the_eliminated_by_year():
    points = centre_points("carnage", LEADER)
    assert list(points.values()) == [7014, 6007, 5006, 4004, 3003, 2000, 1000]
    level = centre_points("carnage", LEVEL)
    assert list(level.values()) == [6508, 6508, 5007, 4006, 3004, 2001, 1000]
    assert winner_points("carnage", LEADER, "R")["R"] == 28034


def test_squares_share_a_hundred_points_by_the_squares_of_the_centres():
    points = centre_points("squares", {"A": (20, 0), "B": (10, 0), "C": (4, 0), "D": (0, 1903)})
    assert points == pytest.approx({"A": 40000 / 516, "B": 10000 / 516, "C": 1600 / 516, "D": 0})
    assert winner_points("squares", LEADER, "R") == dict.fromkeys(LEADER, 0.0) | {"R": 100.0}


def test_c_diplo_pays_for_playing_for_centres_and_the_first_three():
    points = centre_points("c_diplo", LEADER)
    assert list(points.values()) == [1 + 14 + 38, 1 + 7 + 14, 1 + 6 + 7, 5, 4, 1, 1]
    assert sum(points.values()) == 100
    level = centre_points("c_diplo", LEVEL)  # two share the first two prizes
    assert (level["E"], level["R"], level["F"]) == (1 + 8 + 26, 1 + 8 + 26, 1 + 7 + 7)


@pytest.mark.parametrize("scoring", ["squares", "carnage", "c_diplo"])
def test_every_game_of_seven_is_worth_the_same(scoring):
    whole = sum(winner_points(scoring, LEADER, "R").values())
    for places in (LEADER, LEVEL):
        assert sum(centre_points(scoring, places).values()) == pytest.approx(whole)
