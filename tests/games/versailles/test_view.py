"""The view: what everybody sees of the table, and where the game is."""

import powderkeg.games.versailles as game
from powderkeg.core.words import LANGS, say
from powderkeg.games.versailles import ops
from powderkeg.games.versailles.steps import Bidding, Do
from tests.games.versailles.scene import lay, midway, opening, unsettled


def seen(play):
    return game.view(play.state, None)


def where(play):
    view = seen(play)
    return view["phase"], view["stage"]


def test_a_phase_is_a_player_turn():
    play = opening(3, first=2)
    assert where(play) == ("turn.1.france", "turn")
    play("france place armenia 1")
    assert where(play) == ("turn.1.france", "turn")
    play("france place ethiopia 1", "france end")
    assert where(play) == ("turn.2.usa", "turn")


def test_stages_tell_what_is_asked_within_a_turn():
    play = lay(opening(3), cubes={"armenia": {"usa": 2}})
    play("uk settle armenia")
    assert play.decider == "usa"
    assert where(play) == ("turn.1.uk", "settle")
    units = ("europe 6", "available", "available")
    rising = lay(opening(3), unrest={"europe": 4}, units={"usa": units})
    midway(rising, Do((ops.Check("europe"),), 0, 0, "crisis"))
    assert rising.decider == "usa"
    assert where(rising)[1] == "uprising"
    bid = lay(opening(3), held={"syria": "uk"})
    midway(bid, unsettled("syria", 2))
    assert isinstance(bid.pending, Bidding)
    assert where(bid)[1] == "bid"


def test_phases_have_names_in_every_language():
    options = game.Options()
    start = game.start(game.seats(4, options), options)
    assert game.view(start, None)["phase"] == "setup"
    assert say(game.phase_name("turn.12.uk"), "en") == "Turn 12, UK"
    for lang in LANGS:
        for phase in ("setup", "turn.3.italy", "over"):
            assert "versailles." not in say(game.phase_name(phase), lang)


def test_a_finished_game_says_so():
    play = lay(opening(3), table=("rush_to_the_finish", "rheinland"))
    lay(play, cubes={"rush_to_the_finish": {"usa": 1}})
    play("uk settle rush_to_the_finish")
    assert where(play) == ("over", "over")
