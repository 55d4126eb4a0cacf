"""The score pad of Diplomacy."""

from dataclasses import replace

import powderkeg.games.diplomacy as game
from powderkeg.core.table import Table
from powderkeg.core.words import say
from powderkeg.games.diplomacy.state import Ending


def test_the_score_pad_counts_centres_at_home_and_abroad():
    table = Table(game, 7)
    home, won, total, units, needed = game.score(table.view("RUSSIA"))
    assert (home.points["RUSSIA"], won.points["RUSSIA"]) == (4, 0)
    assert (total.points["RUSSIA"], units.points["RUSSIA"]) == (4, 4)
    assert needed.points["RUSSIA"] == 14
    assert say(home.notes["ITALY"]) == "Naples, Rome and Venice"
    assert total.total
    assert needed.open


def test_a_seat_with_several_powers_counts_all_of_them():
    table = Table(game, 3)
    seat = max(table.seats, key=len)
    assert game.score(table.view(None))[2].points[seat] >= 6
    assert game.scenes(table.view(None), ()) == ()


def test_the_pad_counts_the_points_of_the_scoring_system_as_if_the_game_stopped_here():
    table = Table(game, 7, game.Options(scoring="c_diplo"))
    line = game.score(table.view(None))[-1]
    assert say(line.label) == "Points (C-Diplo)"
    assert (line.open, line.total) == (True, True)
    assert line.points["RUSSIA"] == 1 + 4 + 38
    assert line.points["FRANCE"] == 1 + 3 + (14 + 7) / 6  # six share the other two prizes
    assert not any("Points" in say(each.label) for each in game.score(Table(game, 7).view(None)))


def test_scores_of_an_agreed_end_follow_the_scoring_system():
    shared, squares = (Table(game, 7, game.Options(scoring=s)).state for s in ("shared", "squares"))
    assert game.agreed_scores(shared, ["FRANCE", "RUSSIA"]) == {"FRANCE": 0.5, "RUSSIA": 0.5}
    drawn = game.agreed_scores(squares, ["FRANCE", "RUSSIA"])  # all count by their centres
    assert drawn["RUSSIA"] == 100 * 16 / (16 + 6 * 9)
    assert game.agreed_scores(squares, ["ITALY"])["ITALY"] == 100


def test_a_draw_stays_a_draw_and_the_last_year_ranks_by_points():
    start = Table(game, 7, game.Options(scoring="squares")).state
    drawn = game.result(replace(start, ending=Ending("draw", ("FRANCE", "RUSSIA"))))
    assert drawn.ranking[0] == ("FRANCE", "RUSSIA")
    assert drawn.scores["RUSSIA"] > drawn.scores["FRANCE"] == drawn.scores["ITALY"] > 0
    timed = game.result(replace(start, ending=Ending("time", tuple(start.hands))))
    assert timed.ranking[0] == ("RUSSIA",)
    assert timed.scores == drawn.scores
