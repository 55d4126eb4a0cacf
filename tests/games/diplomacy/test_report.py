"""The score pad of Diplomacy."""

import powderkeg.games.diplomacy as game
from powderkeg.core.table import Table
from powderkeg.core.words import say


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
