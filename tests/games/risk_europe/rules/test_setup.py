"""Setup for four players: kits, bids, kingdoms."""

import pytest

import powderkeg.games.risk_europe as game
from powderkeg.core.errors import RulesError
from powderkeg.games.risk_europe.actions import PlaceBid
from powderkeg.games.risk_europe.board import (
    ADJACENT,
    CITIES,
    DECK,
    FULL_ARMY,
    GOLD_CITIES,
    IS_CITY,
    TARGETS,
)
from powderkeg.games.risk_europe.state import castles_left
from tests.games.risk_europe.scene import Scene, opening, settled


@pytest.mark.rule("R-SET-01", "R-3P-13", "R-2P-09")
@pytest.mark.parametrize(("players", "target"), [(4, 7), (3, 8), (2, 10)])
def test_target_by_players(players, target):
    lands = [game.view(Scene(players=players).state, None)["target"], TARGETS[players]]
    assert lands == [target, target]
    for crowns, wins in ((target - 1, False), (target, True)):
        s = Scene({"sweden": "blue 1f", "france": "orange 1f"}, players=players)
        s.has("blue", bought=crowns - 1)
        assert s.crowns("blue") == crowns
        s.end()
        assert (game.result(s.state) is not None) is wins


@pytest.mark.rule("R-SET-01")
@pytest.mark.parametrize("players", [1, 5])
def test_two_to_four_players(players):
    with pytest.raises(ValueError, match="players"):
        game.seats(players, game.Options())


@pytest.mark.rule("R-SET-02", "R-CARD-01")
def test_kit():
    army = opening().state.armies[0]
    assert army.reserve == FULL_ARMY == (35, 12, 12, 4)
    assert sorted(army.hand) == sorted(DECK)
    assert len(DECK) == 8


@pytest.mark.rule("R-SET-03")
def test_start_goods():
    s = opening()
    assert [s.coins(colour) for colour in s.state.colours] == [5] * 4
    s = settled()
    view = game.view(s.state, None)
    assert view["reserve"]["crowns"] == 11
    assert view["reserve"]["castles"] == castles_left(s.state) == 4
    assert view["reserve"]["crown_cards"] == 8
    assert (len(CITIES), len(GOLD_CITIES)) == (15, 8)


@pytest.mark.rule("R-SET-04")
def test_the_bank_never_runs_out():
    s = Scene({"saxony": "blue 1f"}).has("orange", coins=10_000).turn("blue", "tax")
    assert s.do("blue", "order tax").coins("blue") == 5 + 4


@pytest.mark.rule("R-SET-05")
def test_the_highest_bid_pays_and_the_others_keep():
    s = opening()
    assert s.legal("blue") == [f"bid {n}" for n in range(6)]
    s.do("blue", "bid 3").do("orange", "bid 2").do("green", "bid 2").do("purple", "bid 0")
    assert s.marker == "blue"
    assert [s.coins(colour) for colour in s.state.colours] == [2, 5, 5, 5]
    assert opening().refuses("blue", "bid 6") == ("too_dear", "R-SET-05")


@pytest.mark.rule("R-SET-05")
def test_nobody_bids_less_than_nothing():
    with pytest.raises(RulesError, match="coins"):
        game.apply(opening().state, "blue", PlaceBid(-1))


@pytest.mark.rule("R-SET-05")
def test_a_bid_may_be_changed_until_all_have_bid():
    s = opening().do("blue", "bid 5", "bid 1").do("orange", "bid 2").do("green", "bid 0")
    assert s.to_act == {"purple"}
    assert _bid_asked(s, "blue").chosen == 1
    assert _bid_asked(s, "purple").chosen is None
    s.do("purple", "bid 0")
    assert s.marker == "orange"
    assert s.barrier


def _bid_asked(s, seat):
    return game.ask(s.state, seat).node.options[0].then


@pytest.mark.rule("R-SET-06")
def test_tied_bids_roll_and_roll_again():
    s = opening()
    s.do("blue", "bid 3").do("orange", "bid 3").do("green", "bid 1").do("purple", "bid 0")
    assert s.to_act == {"chance"}
    s.roll(4, 4).roll(2, 5)
    assert s.marker == "orange"
    assert [s.coins(c) for c in s.state.colours] == [5, 2, 5, 5]


@pytest.mark.rule("R-SET-07")
def test_the_marker_begins_and_the_left_follows():
    s = (
        opening()
        .do("blue", "bid 0")
        .do("orange", "bid 0")
        .do("green", "bid 1")
        .do("purple", "bid 0")
    )
    order = []
    while s.to_act and s.state.round == 0:
        (seat,) = s.to_act
        order.append(seat)
        s.do(seat, s.legal(seat)[0])
    assert order[::2] == ["green", "purple", "blue", "orange"]
    assert [s.state.colours[i] for i in s.state.order] == ["green", "purple", "blue", "orange"]


@pytest.mark.rule("R-SET-08")
def test_each_completes_all_steps_before_the_next():
    s = (
        opening()
        .do("blue", "bid 1")
        .do("orange", "bid 0")
        .do("green", "bid 0")
        .do("purple", "bid 0")
    )
    s.do("blue", "settle saxony")
    assert s.to_act == {"blue"}
    s.do("blue", "garrison bohemia 5")
    assert s.to_act == {"orange"}
    assert game.view(s.state, "orange")["territories"]["bohemia"]["units"]["footman"] == 5


@pytest.mark.rule("R-SET-09", "R-SET-10")
def test_start_city():
    s = (
        opening()
        .do("blue", "bid 1")
        .do("orange", "bid 0")
        .do("green", "bid 0")
        .do("purple", "bid 0")
    )
    gold = {"england", "sweden", "rusland", "turkey", "saxony", "rome", "france", "leon_castile"}
    assert set(s.legal("blue", "settle")) == gold
    assert s.refuses("blue", "settle poland") == ("not_gold", "R-SET-09")
    s.do("blue", "settle saxony", "garrison bohemia 5")
    assert (s.coins("blue"), s.crowns("blue")) == (5 - 1 + 4, 1)
    land = game.view(s.state, None)["territories"]["saxony"]
    assert (land["castle"], land["crown"]) == (True, True)
    assert game.view(s.state, None)["shields"]["berlin"]["holder"] == "blue"
    assert s.refuses("orange", "settle saxony") == ("city_taken", "R-SET-09")
    assert s.do("orange", "settle rome").crowns("orange") == 2


@pytest.mark.rule("R-SET-11")
def test_ten_footmen_in_the_city_and_beside_it():
    s = (
        opening()
        .do("blue", "bid 1")
        .do("orange", "bid 0")
        .do("green", "bid 0")
        .do("purple", "bid 0")
    )
    s.do("blue", "settle saxony")
    assert s.refuses("blue", "garrison poland 5") == ("not_beside_city", "R-SET-11")
    assert s.refuses("blue", "garrison bohemia 10") == ("both_held", "R-SET-11")
    assert s.refuses("blue", "garrison bohemia 0") == ("both_held", "R-SET-11")
    s.do("blue", "garrison bohemia 9")
    assert (s.units("saxony"), s.units("bohemia"), s.left("blue")) == ("1f", "9f", "25f 12a 12c 4s")
    s.do("orange", "settle england", "garrison lorraine 4")  # across a sea line
    s.do("green", "settle france")
    assert s.refuses("green", "garrison lorraine 4") == ("not_beside_city", "R-SET-11")


@pytest.mark.rule("R-SET-11")
def test_no_kingdom_can_be_shut_in():
    """The land beside each gold city is more than seven others can take."""
    for city in GOLD_CITIES:
        own = [at for at in ADJACENT[city] if not IS_CITY[at]]
        rivals = [c for c in GOLD_CITIES if c != city and set(ADJACENT[c]) & set(own)]
        assert len(own) > len(rivals)


@pytest.mark.rule("R-SET-12", "R-CITY-01")
def test_shields_of_setup_work_in_round_one():
    s = settled()
    assert s.state.round == 1
    assert all(
        shield["works"]
        for shield in game.view(s.state, None)["shields"].values()
        if shield["holder"]
    )
