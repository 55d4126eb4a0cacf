"""Typed text in wire notation, and the messages that every game's catalogue has."""

import sparks

from powderkeg.core.errors import Unreadable
from powderkeg.core.game import Game, Marks, game_message, seat_message
from powderkeg.core.notation import wire_reader

GAME: Game = sparks


def test_each_line_is_an_action_or_says_why_not():
    read = wire_reader(sparks.parse)
    (first, action), (second, error) = read({}, " card c1 \n\nnonsense\n", "es")
    assert (first, action, second) == ("card c1", sparks.Card("c1"), "nonsense")
    assert isinstance(error, Unreadable)
    assert GAME.read({}, "duck") == [("duck", sparks.Say("duck"))]


def test_names_come_from_the_catalogue_of_the_game():
    assert game_message(GAME).code == "sparks.name"
    assert seat_message(GAME, "red").code == "sparks.seat.red"


def test_a_game_need_not_mark_its_phases():
    assert Marks() == ("", "", True, frozenset())
