"""City bonuses, victory, elimination and Saved by the Crown."""

import pytest

import powderkeg.games.risk_europe as game
from powderkeg.games.risk_europe.board import TERRITORY_NUMBER
from powderkeg.games.risk_europe.steps import Act, Battles, EndRound
from tests.games.risk_europe.scene import Scene

HOMES = {"rome": "orange 2f", "turkey": "green 2f", "england": "purple 2f"}

# R-CITY


@pytest.mark.rule("R-CITY-01", "R-CITY-17")
def test_a_bonus_works_from_the_next_round():
    lands = {**HOMES, "england": "blue 1f", "saxony": "purple 1f"}
    s = Scene(lands, fresh="england").turn("blue", "tax").do("blue", "order tax")
    assert s.units("england") == "1f"
    s = Scene(lands, fresh="england").end()
    s.turn("blue", "tax").do("blue", "order tax")
    assert s.units("england") == "1f 2a"


@pytest.mark.rule("R-CITY-17", "R-CITY-01")
def test_a_conquered_shield_works_for_the_new_owner_next_round():
    s = Scene({**HOMES, "leon_castile": "purple 1f"}, attacks={"leon_castile": "blue 2f"})
    s.next(Battles(), Act(0, "tax"), EndRound()).roll(6, 6, 1)
    s.do("blue", "order tax")
    assert s.units("leon_castile") == "2f"  # not yet
    assert s.state.round == 2
    s.turn("blue", "tax").do("blue", "order tax")
    assert s.units("leon_castile") == "6f"


@pytest.mark.rule("R-CITY-02")
def test_a_shield_is_lost_at_once():
    lands = {**HOMES, "saxony": "blue 1f", "poland": "blue 1f"}
    s = Scene(lands, attacks={"saxony": "orange 2f"}).has("blue", coins=9)
    assert game.view(s.state, None)["armies"]["blue"]["prices"]["castle"] == 9
    s.next(Battles(), Act(0, "tax"), EndRound()).roll(6, 6, 1)
    prices = game.view(s.state, None)["armies"]
    assert (prices["blue"]["prices"]["castle"], prices["orange"]["prices"]["castle"]) == (12, 12)


@pytest.mark.rule("R-CITY-02")
def test_a_shield_lost_and_regained_waits_for_the_next_round():
    lands = {"saxony": "blue 1f", "bohemia": "blue 3f", "franconia": "orange 1s", **HOMES}
    s = Scene(lands).turn("orange", "siege", Act(0, "split"), Battles(), EndRound())
    s.do("orange", "besiege franconia saxony").roll(6, 1).do("orange", "pass")
    s.do("blue", "order split", "from bohemia", "to saxony", "march footman:1", "done")
    shield = game.view(s.state, None)["shields"]["berlin"]
    assert (shield["holder"], shield["works"]) == ("blue", s.state.round == 2)
    assert "berlin" not in s.fact_codes()


@pytest.mark.rule("R-CITY-04")
def test_a_disputed_city_still_serves_its_defender():
    s = Scene({**HOMES, "saxony": "blue 2f", "bohemia": "blue 1f"}, attacks={"saxony": "orange 1f"})
    s.has("blue", coins=9).turn("blue", "tax").do("blue", "order spend")
    assert s.legal("blue", "build") == ["bohemia"]  # Berlin's price still holds
    lands = {**HOMES, "england": "blue 2f", "france": "blue 1f", "normandy": "blue 1f"}
    s = Scene(lands, attacks={"england": "orange 1f"}).turn("blue", "tax").do("blue", "order tax")
    assert s.units("england") == "2f"  # not taxed, so no archers


@pytest.mark.rule("R-CITY-09")
def test_stockholm_pays_for_each_attack_won():
    lands = {
        **HOMES,
        "sweden": "blue 1f",
        "bavaria": "orange 1f",
        "serbia": "green 1f",
        "norway": "blue 5f",
    }
    attacks = {"bavaria": "blue 2f", "serbia": "blue 2f", "norway": "orange 1f"}
    s = Scene(lands, attacks=attacks).battles()
    s.do("blue", "fight norway").roll(1, 6, 6)
    assert s.coins("blue") == 5  # a defence
    s.do("blue", "fight bavaria").roll(6, 6, 1)
    assert s.coins("blue") == 9
    s.roll(6, 6, 1)
    assert s.coins("blue") == 13


@pytest.mark.rule("R-CITY-09")
def test_stockholm_does_not_pay_when_fresh_or_when_both_die():
    lands = {**HOMES, "sweden": "blue 1f", "bavaria": "orange 1a"}
    s = Scene(lands, attacks={"bavaria": "blue 1a"}).battles().roll(5, 5)
    assert s.coins("blue") == 5
    s = Scene(lands, attacks={"bavaria": "blue 2a"}, fresh="sweden").battles().roll(5, 5, 1)
    assert s.coins("blue") == 5


@pytest.mark.rule("R-CITY-10")
def test_berlin_manoeuvres_after_all_else():
    lands = {**HOMES, "saxony": "blue 5f", "bohemia": "blue 4f"}
    s = (
        Scene(lands)
        .turn("blue", "fortify")
        .do("blue", "order expand", "from bohemia", "to bavaria")
    )
    assert s.refuses("blue", "berlin")[0] == "not_asked"
    s.do("blue", "march footman:2")
    assert "berlin" in s.legal("blue")
    s.do("blue", "berlin", "from saxony", "to bavaria", "march footman:3")
    assert s.units("bavaria") == "5f"
    assert s.state.round == 2  # the fortification is forfeited: nothing follows the manoeuvre
    s = Scene(lands).turn("blue", "fortify")
    assert s.refuses("blue", "berlin") == ("no_berlin", "R-CITY-10")  # no expansion made
    s.do("blue", "order manoeuvre", "from bohemia", "to saxony", "march footman:1")
    assert s.refuses("blue", "berlin") == ("no_berlin", "R-CITY-10")
    s = Scene(lands, fresh="saxony").turn("blue", "fortify")
    s.do("blue", "order expand", "from bohemia", "to bavaria", "march footman:1")
    assert s.refuses("blue", "berlin") == ("no_berlin", "R-CITY-10")


@pytest.mark.rule("R-CITY-10")
def test_berlin_is_not_offered_where_nothing_can_manoeuvre():
    """A city and two castles, each with the one unit that must stay."""
    lands = {**HOMES, "saxony": "blue 1f", "bavaria": "blue 2f"}
    s = Scene(lands, castles="bavaria").turn("blue", "fortify")
    s.do("blue", "order expand", "from bavaria", "to swabia")
    assert s.owner("swabia") == "blue"
    assert s.legal("blue", "berlin") == []
    assert s.refuses("blue", "berlin") == ("order_impossible", "R-CITY-10")


@pytest.mark.rule("R-CITY-10", "R-CITY-16")
def test_expand_fortify_then_manoeuvre():
    s = Scene({**HOMES, "saxony": "blue 5f", "bohemia": "blue 4f"}).turn("blue", "fortify")
    s.do("blue", "order expand", "from bohemia", "to bavaria", "march footman:2", "fortify saxony")
    assert s.legal("blue") == ["berlin", "pass"]  # asked, not forced


@pytest.mark.rule("R-CITY-11")
def test_berlin_castles():
    s = Scene({**HOMES, "saxony": "blue 1f"}).has("blue", coins=9).turn("blue", "tax")
    assert s.do("blue", "order spend", "build saxony").coins("blue") == 0


@pytest.mark.rule("R-CITY-12")
def test_siege_weapons_bring_their_escort():
    s = Scene({"turkey": "blue 1f", "rome": "orange 1f"}, castles="turkey").has("blue", coins=20)
    s.turn("blue", "tax").do("blue", "order spend", "buy siege turkey 2")
    assert s.units("turkey") == "9f 2s"


@pytest.mark.rule("R-CITY-12")
def test_only_siege_weapons_have_an_escort_and_only_while_the_shield_works():
    lands = {"turkey": "blue 1f", "rome": "orange 1f"}
    s = Scene(lands).has("blue", coins=20).turn("blue", "tax").do("blue", "order spend")
    s.do("blue", "buy footman turkey 1", "buy archer turkey 1", "buy cavalry turkey 1")
    assert s.units("turkey") == "2f 1a 1c"
    s = Scene(lands, fresh="turkey").has("blue", coins=20).turn("blue", "tax")
    s.do("blue", "order spend", "buy siege turkey 1")
    assert s.units("turkey") == "1f 1s"


@pytest.mark.rule("R-CITY-13")
def test_kiev_recruits_along_its_line():
    lands = dict.fromkeys(("rusland", "polotsk", "prussia", "bavaria"), "blue 1f")
    s = Scene({**lands, "rome": "orange 1f"}).turn("blue", "tax").do("blue", "order spend")
    assert {text.split()[1] for text in s.legal("blue", "buy")} == {"rusland", "polotsk", "prussia"}
    assert s.refuses("blue", "buy footman bavaria 1") == ("no_recruiting_place", "R-SPEND-03")
    s = Scene({**lands, "poland": "blue 1f", "rome": "orange 1f"}, attacks={"rusland": "orange 1f"})
    s.turn("blue", "tax").do("blue", "order spend")
    assert {text.split()[1] for text in s.legal("blue", "buy")} == {"poland"}


@pytest.mark.rule("R-CITY-15")
def test_free_units_are_limited_by_the_reserve():
    s = Scene({"england": "blue 1f", "rome": "orange 1f"}).reserve("blue", "9f 1a 12c 4s")
    s.turn("blue", "tax").do("blue", "order tax")
    assert s.units("england") == "1f 1a"
    s = Scene({"england": "blue 1f", "rome": "orange 1f"}).reserve("blue", "9f 12c 4s")
    s.turn("blue", "tax").do("blue", "order tax")
    assert s.units("england") == "1f"
    assert "free_units" not in s.fact_codes()  # nobody came, so the log has nothing about it


# R-WIN


def standing(blue, orange, **more):
    """Blue and orange with so many crowns, territories and coins."""
    lands = {"saxony": "blue 1f", "rome": "orange 1f", "sweden": "green 1f"}
    plain = (
        ["bohemia", "bavaria", "denmark", "franconia"],
        ["sicily", "lombardy", "venice", "serbia"],
    )
    for colour, (_, count, _), places in zip(
        ("blue", "orange"), (blue, orange), plain, strict=True
    ):
        lands |= dict.fromkeys(places[: count - 1], f"{colour} 1f")
    s = Scene(lands, **more)
    s.has("blue", bought=blue[0] - 1, coins=blue[2])
    return s.has("orange", bought=orange[0] - 2, coins=orange[2]).end()


@pytest.mark.rule("R-WIN-03", "R-WIN-04", "R-WIN-05", "R-WIN-06")
@pytest.mark.parametrize(
    ("blue", "orange", "marker", "winners"),
    [
        ((8, 1, 0), (7, 4, 9), "green", ("blue",)),  # more crowns
        ((7, 2, 0), (7, 4, 0), "green", ("orange",)),  # more territories
        ((7, 2, 8), (7, 2, 9), "green", ("orange",)),  # more coins
        ((7, 2, 5), (7, 2, 14), "blue", ("blue",)),  # the marker counts as ten
        ((7, 2, 4), (7, 2, 14), "blue", ("blue", "orange")),  # shared
    ],
)
def test_who_wins_among_several(blue, orange, marker, winners):
    assert game.result(standing(blue, orange, marker=marker).state).winners == winners


@pytest.mark.rule("R-WIN-03")
def test_house_ruling_all_at_the_target_are_tied():
    s = standing((8, 1, 0), (7, 4, 9), marker="green", tie="target")
    assert game.result(s.state).winners == ("orange",)


@pytest.mark.rule("R-WIN-05")
def test_a_shared_victory_shares_the_score():
    result = game.result(standing((7, 2, 4), (7, 2, 14), marker="blue").state)
    assert result.scores == {"blue": 0.5, "orange": 0.5, "green": 0.0, "purple": 0.0}


@pytest.mark.rule("R-WIN-07")
def test_the_last_kingdom_wins():
    s = Scene({"saxony": "blue 1f", "bohemia": "orange 3f"}).end()
    result = game.result(s.state)
    assert (result.winners, result.why.code) == (("blue",), "risk_europe.won.last")


def test_a_game_of_agreed_length():
    lands = {"saxony": "blue 1f", "rome": "orange 1f", "sweden": "green 1f"}
    assert game.result(Scene(lands, round=4, rounds=5).end().state) is None
    assert game.result(Scene(lands, round=1, rounds=1).end().state) is not None
    result = game.result(Scene(lands, round=5, rounds=5).end().state)
    assert result.ranking == (("orange",), ("blue",), ("green",), ("purple",))


def test_later_eliminated_rank_higher():
    s = Scene({"saxony": "blue 1f"}, round=6).has("green", out=2).has("purple", out=4).end()
    assert game.result(s.state).ranking == (("blue",), ("orange",), ("purple",), ("green",))


def test_when_all_fall_together_they_share():
    s = Scene({"bohemia": "blue 1f"}, round=6).has("green", out=2).end()
    assert game.result(s.state).ranking == (("blue", "orange", "purple"), ("green",))


# R-ELIM


@pytest.mark.rule("R-ELIM-01", "R-ELIM-02", "R-ELIM-03", "R-ELIM-05", "R-ELIM-07")
def test_no_city_and_no_crown_card_is_the_end():
    lands = {
        "saxony": "orange 1f",
        "rome": "green 1f",
        "bohemia": "blue 3f 1a",
        "bavaria": "blue 1f 2c",
        "england": "purple 1f",
    }
    s = Scene(lands, castles="bohemia", marker="green").has("blue", coins=9).end()
    assert s.state.armies[0].out == 1
    assert (s.owner("bohemia"), s.owner("bavaria")) == (None, None)
    assert (s.left("blue"), s.coins("blue")) == ("35f 12a 12c 4s", 0)
    assert TERRITORY_NUMBER["bohemia"] in s.state.castles
    assert s.to_act == {"orange", "green", "purple"}  # no further selection is asked
    assert s.broken() == []
    s = Scene({**lands, "sweden": "blue 1f"}).end()
    assert not s.state.armies[0].out


@pytest.mark.rule("R-ELIM-04")
def test_elimination_only_at_the_end_of_the_round():
    lands = {"saxony": "blue 1f", "bohemia": "blue 3f", "franconia": "orange 1s", **HOMES}
    s = Scene(lands).turn("orange", "siege", Act(0, "fortify"), Battles(), EndRound())
    s.do("orange", "besiege franconia saxony").roll(6, 1).do("orange", "pass")
    assert (s.crowns("blue"), s.to_act) == (0, {"blue"})
    s.do("blue", "order expand", "from bohemia", "to poland", "march footman:1", "pass")
    assert not s.state.armies[0].out


@pytest.mark.rule("R-ELIM-06")
def test_the_marker_of_the_eliminated_goes_left():
    s = Scene({"rome": "orange 1f", "turkey": "purple 1f"}, marker="green").end()
    assert s.marker == "purple"
    assert s.state.colours[s.state.order[0]] == "purple"


# R-SAVED


NO_CITY = {"bohemia": "blue 3f", "rome": "orange 1f", "turkey": "green 1f", "england": "purple 1f"}


@pytest.mark.rule("R-SAVED-01", "R-SAVED-04", "R-SAVED-05", "R-SAVED-06", "R-ELIM-07")
@pytest.mark.parametrize("cards", [1, 3])
def test_a_crown_card_saves_for_exactly_one_round(cards):
    s = Scene(NO_CITY).has("blue", bought=cards)
    s.state = s.state._replace(crown_cards=8 - cards)
    s.end()
    assert game.view(s.state, None)["armies"]["blue"]["saved"]
    assert "blue" in s.to_act
    s.end()
    assert s.state.armies[0].out
    assert s.crowns("blue") == 0
    assert game.view(s.state, None)["reserve"]["crown_cards"] == 8 - cards


@pytest.mark.rule("R-SAVED-07")
def test_rescue_begins_again_after_a_city_was_regained():
    s = Scene(NO_CITY).has("blue", bought=1).end()
    assert s.state.armies[0].grace
    s = Scene({**NO_CITY, "saxony": "blue 1f"}).has("blue", bought=1, grace=True).end()
    assert not s.state.armies[0].grace


@pytest.mark.rule("R-SAVED-08")
def test_crowns_without_a_city_can_win():
    s = Scene(NO_CITY).has("blue", bought=7).end()
    assert game.result(s.state).winners == ("blue",)
