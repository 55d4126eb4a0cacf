"""What the form for a new table learns about the games."""

from powderkeg.games import diplomacy, versailles
from powderkeg.server.lobby.catalog import present_game


def seats_by_choice(game, name):
    option = next(each for each in present_game(game, "en").options if each.name == name)
    return {choice.value: [each.seat for each in choice.seats] for choice in option.choices}


def test_a_choice_that_changes_who_plays_brings_its_seats():
    assert seats_by_choice(diplomacy, "duel") == {
        "no": [],
        "france_austria": ["FRANCE", "AUSTRIA"],
        "germany_italy": ["GERMANY", "ITALY"],
    }


def test_other_choices_leave_the_seats_alone():
    assert set(map(len, seats_by_choice(diplomacy, "scoring").values())) == {0}
    assert set(map(len, seats_by_choice(versailles, "solo_order").values())) == {0}
