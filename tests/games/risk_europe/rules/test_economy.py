"""Tax, Spend, and the bonus actions King Me, Fortify and Siege Assault."""

import pytest

import powderkeg.games.risk_europe as game
from powderkeg.games.risk_europe.board import TERRITORY_NUMBER
from powderkeg.games.risk_europe.rules.economy import tax_income
from powderkeg.games.risk_europe.steps import Act, Battles, EndRound, Turn
from tests.games.risk_europe.scene import Scene

# R-TAX


def taxing(lands, **more):
    return Scene(lands, **more).turn("blue", "tax")


@pytest.mark.rule("R-TAX-01", "R-SAVED-02")
def test_no_city_no_tax():
    s = Scene({"bohemia": "blue 2f", "rome": "orange 1f"}).has("blue", coins=12).turn("blue", "tax")
    assert s.legal("blue", "order") == ["spend"]
    assert s.refuses("blue", "order tax") == ("order_impossible", "R-ROUND-08")
    s = Scene({"bohemia": "blue 2f", "saxony": "blue 1f", "poland": "blue 1f"}).turn("blue", "tax")
    s.do("blue", "order tax")
    assert s.legal("blue") == ["tax poland", "tax saxony"]
    assert s.refuses("blue", "tax bohemia") == ("no_city", "R-TAX-01")
    assert s.refuses("blue", "tax rome") == ("not_yours", "R-TAX-01")


@pytest.mark.rule("R-TAX-02", "R-TAX-04", "R-TAX-08")
def test_income_of_a_supply_line():
    lands = dict.fromkeys(("saxony", "bohemia", "poland", "denmark", "bavaria"), "blue 1f")
    s = taxing(lands).do("blue", "order tax", "tax saxony")
    assert s.coins("blue") == 5 + 4 + 2 + 3
    s = taxing({"saxony": "blue 1f"}).do("blue", "order tax")
    assert s.coins("blue") == 5 + 4


@pytest.mark.rule("R-TAX-03")
def test_only_the_chosen_line_pays():
    s = taxing({"saxony": "blue 1f", "france": "blue 1f"})
    s.do("blue", "order tax", "tax france")
    assert s.coins("blue") == 5 + 3


@pytest.mark.rule("R-TAX-05")
def test_disputes_pay_nothing_and_cut_the_line():
    lands = dict.fromkeys(("saxony", "bohemia", "poland"), "blue 1f")
    s = taxing(lands, attacks={"bohemia": "orange 1f"}).do("blue", "order tax", "tax saxony")
    assert s.coins("blue") == 5 + 4
    s = taxing({**lands, "rome": "blue 1f"}, attacks={"saxony": "orange 1f"}).do(
        "blue", "order tax"
    )
    assert s.refuses("blue", "tax saxony") == ("disputed", "R-TAX-05")


@pytest.mark.rule("R-TAX-06")
def test_castles_have_no_part_in_tax():
    lands = dict.fromkeys(("saxony", "bohemia"), "blue 1f")
    plain, strong = Scene(lands), Scene(lands, castles="saxony bohemia")
    assert (
        tax_income(plain.state, 0, TERRITORY_NUMBER["saxony"])
        == tax_income(strong.state, 0, TERRITORY_NUMBER["saxony"])
        == 5
    )


@pytest.mark.rule("R-TAX-07", "R-CITY-05", "R-CITY-06", "R-CITY-07", "R-CITY-08", "R-CITY-16")
def test_tax_bonuses_come_together_and_unasked():
    lands = dict.fromkeys(("england", "normandy", "france", "navarre", "leon_castile"), "blue 1f")
    s = taxing(lands).do("blue", "order tax", "tax england")
    assert (s.units("england"), s.units("france"), s.units("leon_castile")) == (
        "1f 2a",
        "2f 1c",
        "5f",
    )
    assert s.coins("blue") == 5 + 3 * 3 + 2
    s = taxing({"england": "blue 1f", "france": "blue 1f"}).do("blue", "order tax", "tax england")
    assert (s.units("england"), s.units("france")) == ("1f 2a", "1f")  # not connected


# R-SPEND


def spending(lands, coins, card="tax", **more):
    return (
        Scene(lands, **more).has("blue", coins=coins).turn("blue", card).do("blue", "order spend")
    )


@pytest.mark.rule("R-SPEND-01", "R-SPEND-02")
def test_prices_and_purse():
    s = spending({"saxony": "blue 1f"}, 16)
    for unit in ("footman", "archer", "cavalry", "siege"):
        s.do("blue", f"buy {unit} saxony 1")
    assert (s.coins("blue"), s.units("saxony")) == (0, "2f 1a 1c 1s")
    s = spending({"saxony": "blue 1f"}, 9)
    assert s.refuses("blue", "buy siege saxony 1") == ("too_dear", "R-SPEND-01")
    assert s.refuses("blue", "buy footman saxony 0") == ("nothing_bought", "R-SPEND-01")
    assert "cavalry saxony 3" in s.legal("blue", "buy")
    assert s.refuses("blue", "buy cavalry saxony 4") == ("too_dear", "R-SPEND-01")


@pytest.mark.rule("R-SPEND-01", "R-ROUND-08")
def test_spend_is_offered_only_when_something_can_be_bought():
    lands = {"saxony": "blue 1f", "rome": "orange 1f"}
    s = Scene(lands).has("blue", coins=0).turn("blue", "tax")
    assert s.legal("blue", "order") == ["tax"]
    lands = {"bohemia": "blue 1f", "rome": "orange 1f"}
    s = Scene(lands).has("blue", coins=10).turn("blue", "tax")
    assert s.legal("blue", "order") == ["spend"]  # a crown card, though there is no place for units
    assert s.do("blue", "order spend").legal("blue") == ["crown", "done"]


@pytest.mark.rule("R-SPEND-03", "R-SPEND-05", "R-SAVED-03")
def test_where_units_are_recruited():
    lands = dict.fromkeys(("saxony", "bavaria", "bohemia", "poland"), "blue 1f")
    s = spending(lands, 6, castles="bavaria", attacks={"poland": "orange 1f"}, fresh="rusland")
    assert {text.split()[1] for text in s.legal("blue", "buy")} == {"saxony", "bavaria"}
    assert s.refuses("blue", "buy footman bohemia 1") == ("no_recruiting_place", "R-SPEND-03")
    assert s.refuses("blue", "buy footman poland 1") == ("disputed", "R-SPEND-05")
    assert s.refuses("blue", "buy footman rome 1") == ("not_yours", "R-SPEND-03")
    s.do("blue", "buy footman saxony 1", "buy footman bavaria 2", "buy footman saxony 3")
    assert (s.units("saxony"), s.units("bavaria")) == ("5f", "3f")
    s = spending({"bohemia": "blue 1f", "bavaria": "blue 1f"}, 6, castles="bavaria")  # no city
    assert {text.split()[1] for text in s.legal("blue", "buy")} == {"bavaria"}


@pytest.mark.rule("R-SPEND-04")
def test_the_military_reserve_is_the_limit():
    s = spending({"saxony": "blue 3s"}, 40)
    s.do("blue", "buy siege saxony 1")
    assert s.refuses("blue", "buy siege saxony 1") == ("reserve_empty", "R-SPEND-04")


@pytest.mark.rule("R-SPEND-06")
def test_castles():
    lands = {"sweden": "blue 1f", "norway": "blue 1f", "denmark": "blue 1f"}
    s = spending(lands, 30, castles="sweden", attacks={"denmark": "orange 1f"})
    assert s.legal("blue", "build") == ["norway"]
    assert s.refuses("blue", "build sweden") == ("castle_there", "R-SPEND-06")
    assert s.refuses("blue", "build denmark") == ("disputed", "R-SPEND-06")
    assert s.refuses("blue", "build rome") == ("not_yours", "R-SPEND-06")
    assert s.do("blue", "build norway").coins("blue") == 30 - 12


@pytest.mark.rule("R-SPEND-07")
def test_eight_castles_and_no_more():
    seven = "england france rome turkey poland hungary greece"
    s = spending({"sweden": "blue 1f", "norway": "blue 1f"}, 40, castles=seven)
    s.do("blue", "build norway")
    assert s.refuses("blue", "build sweden") == ("castles_gone", "R-SPEND-07")


@pytest.mark.rule("R-SPEND-08")
def test_recruits_in_a_castle_just_built():
    s = spending({"sweden": "blue 1f", "norway": "blue 1f"}, 14)
    assert s.refuses("blue", "buy footman norway 2")[0] == "no_recruiting_place"
    s.do("blue", "build norway", "buy footman norway 2")
    assert (s.units("norway"), s.coins("blue")) == ("3f", 0)


@pytest.mark.rule("R-SPEND-10", "R-SPEND-11", "R-CROWN-04")
def test_ten_coins_buy_a_crown_card_and_nine_do_not():
    s = spending({"sweden": "blue 1f"}, 10)
    assert s.do("blue", "crown").coins("blue") == 0
    s = spending({"sweden": "blue 1f"}, 9)
    assert s.refuses("blue", "crown") == ("too_dear", "R-SPEND-01")


@pytest.mark.rule("R-SPEND-10", "R-SPEND-11", "R-CROWN-04")
def test_one_crown_card_a_round():
    s = spending({"sweden": "blue 1f"}, 45)
    s.do("blue", "crown")
    assert (s.coins("blue"), s.crowns("blue")) == (35, 2)
    assert s.refuses("blue", "crown") == ("one_crown_a_round", "R-SPEND-10")
    s.do("blue", "done")
    assert s.crowns("blue") == 2  # for good


@pytest.mark.rule("R-SPEND-10")
def test_crown_cards_run_out_and_two_spend_orders_share_the_limit():
    s = spending({"sweden": "blue 1f"}, 45)
    s.state = s.state._replace(crown_cards=0)
    assert s.refuses("blue", "crown") == ("crown_cards_gone", "R-SPEND-10")
    s = Scene({"sweden": "blue 1f", "rome": "orange 1f"}).has("blue", coins=45)
    s.turn("blue", "tax", Act(0, "king"), Battles()).do("blue", "order spend", "crown", "done")
    s.do("blue", "order spend")
    assert s.refuses("blue", "crown") == ("one_crown_a_round", "R-SPEND-10")


@pytest.mark.rule("R-SPEND-10")
def test_the_next_round_sells_another_crown_card():
    s = Scene({"sweden": "blue 1f", "rome": "orange 1f"}).has("blue", coins=45)
    s.turn("blue", "tax").do("blue", "order spend", "crown", "done")
    assert (s.state.round, s.crowns("blue")) == (2, 2)
    s.turn("blue", "tax").do("blue", "order spend", "crown")
    assert (s.crowns("blue"), s.coins("blue")) == (3, 25)
    assert game.view(s.state, None)["reserve"]["crown_cards"] == 6


@pytest.mark.rule("R-SPEND-12")
def test_nothing_is_sold_or_traded():
    s = spending({"saxony": "blue 1f"}, 45)
    verbs = {text.split()[0] for text in s.legal("blue")}
    assert verbs == {"buy", "build", "crown", "done"}
    before = s.coins("orange")
    assert s.do("blue", "buy archer saxony 2", "build saxony").coins("orange") == before


# R-KING


@pytest.mark.rule("R-KING-01", "R-KING-02", "R-KING-04", "R-ROUND-07")
def test_king_me_takes_the_marker_at_once_and_the_last_one_counts():
    lands = {"saxony": "orange 5f", "rome": "green 5f", "france": "blue 1f", "england": "purple 1f"}
    attacks = {"france": "green 1f", "england": "orange 1f"}
    s = Scene(lands, attacks=attacks)
    s.has("orange", stack=("king",), hand=tuple(c for c in s.state.armies[1].hand if c != "king"))
    s.has("green", stack=("king",), hand=tuple(c for c in s.state.armies[2].hand if c != "king"))
    s.next(Turn(1, 1), Turn(2, 2), Battles(), EndRound())
    assert s.marker == "orange"  # before any order
    s.do("orange", "pass")
    assert s.marker == "green"
    s.do("green", "pass")
    assert s.to_act == {"green"}
    assert s.legal("green") == ["fight england", "fight france"]


@pytest.mark.rule("R-KING-03")
def test_nothing_else_moves_the_marker():
    s = Scene(
        {"bohemia": "blue 9f", "saxony": "orange 1f", "rome": "blue 1f", "england": "orange 1f"},
        marker="orange",
    )
    s.turn("blue", "fortify").do(
        "blue", "order expand", "from bohemia", "to saxony", "march footman:8", "fortify rome"
    )
    assert s.marker == "orange"
    s.roll(6, 6, 6, 1)
    assert (s.owner("saxony"), s.marker) == ("blue", "orange")


@pytest.mark.rule("R-KING-05")
def test_king_me_of_the_holder_changes_nothing():
    s = Scene({"saxony": "blue 5f", "rome": "green 5f"})
    s.has("blue", stack=("king",), hand=tuple(c for c in s.state.armies[0].hand if c != "king"))
    s.next(Turn(0, 1), EndRound())
    assert s.marker == "blue"
    assert "king_me" not in s.fact_codes()


# R-FORT


@pytest.mark.rule("R-FORT-01", "R-FORT-03")
def test_three_in_a_city_four_in_a_castle():
    lands = dict.fromkeys(("saxony", "rome", "bavaria", "bohemia"), "blue 1f")
    for at, units in (("saxony", "4f"), ("rome", "5f"), ("bavaria", "5f")):
        s = Scene(lands, castles="rome bavaria").turn("blue", "fortify")
        assert s.refuses("blue", "fortify bohemia") == ("no_city_or_castle", "R-FORT-01")
        assert s.refuses("blue", "fortify england") == ("not_yours", "R-FORT-01")
        s.do("blue", f"fortify {at}")
        assert (s.units(at), s.coins("blue")) == (units, 5)


@pytest.mark.rule("R-FORT-02", "R-DISP-07")
def test_only_the_defender_fortifies_a_dispute():
    lands = {"saxony": "orange 1f", "rome": "blue 1f", "bavaria": "blue 1f"}
    s = Scene(lands, castles="bavaria", attacks={"saxony": "blue 1f", "bavaria": "green 1f"})
    s.turn("blue", "fortify")
    assert s.refuses("blue", "fortify saxony") == ("only_defender", "R-FORT-02")
    assert s.do("blue", "fortify bavaria").units("bavaria") == "5f"


@pytest.mark.rule("R-FORT-04")
def test_fortify_takes_what_the_reserve_has():
    s = Scene({"saxony": "blue 1f", "rome": "blue 1f"}).reserve("blue", "2f 12a 12c 4s")
    s.turn("blue", "fortify").do("blue", "fortify saxony")
    assert (s.units("saxony"), s.left("blue")) == ("3f", "12a 12c 4s")
    s = Scene({"saxony": "blue 1f", "rome": "blue 1f"}).reserve("blue", "12a 12c 4s")
    s.turn("blue", "fortify")
    assert s.refuses("blue", "fortify saxony") == ("reserve_empty", "R-FORT-04")


@pytest.mark.rule("R-FORT-05", "R-CARD-07")
def test_a_city_taken_by_the_order_may_be_fortified():
    s = Scene({"bohemia": "blue 3f"}).turn("blue", "fortify")
    s.do("blue", "order expand", "from bohemia", "to poland", "march footman:1")
    assert s.do("blue", "fortify poland").units("poland") == "4f"


# R-SIEGE


GUNS = {
    "franconia": "blue 1f 2s",
    "lorraine": "orange 3f 2a",
    "swabia": "orange 1f",
    "saxony": "blue 1f",
}


@pytest.mark.rule("R-SIEGE-01", "R-SIEGE-02", "R-SIEGE-08")
def test_two_dice_a_weapon_and_the_victim_chooses():
    s = Scene(GUNS).turn("blue", "siege").do("blue", "besiege franconia lorraine")
    assert game.legal(s.state, "chance").count_all() == 6**4
    s.roll(1, 2, 3, 5)
    assert s.to_act == {"orange"}
    assert s.legal("orange", "lose") == ["footman:2", "footman:1,archer:1", "archer:2"]
    assert s.refuses("orange", "lose footman:1") == ("wrong_losses", "R-SIEGE-02")
    s.do("orange", "lose archer:2")
    assert (s.units("lorraine"), s.left("orange")) == ("3f", "31f 12a 12c 4s")


@pytest.mark.rule("R-SIEGE-03", "R-SIEGE-10")
def test_a_castle_neither_protects_nor_rerolls():
    s = (
        Scene(GUNS, castles="lorraine")
        .turn("blue", "siege")
        .do("blue", "besiege franconia lorraine")
    )
    s.roll(6, 6, 1, 1)
    assert s.legal("orange", "lose")
    assert s.legal("orange", "reroll") == []


@pytest.mark.rule("R-SIEGE-04", "R-SIEGE-05")
def test_targets_of_a_siege_assault():
    lands = {
        **GUNS,
        "bohemia": "orange 2f",
        "england": "blue 1f 1s",
        "normandy": "orange 1f",
        "bavaria": "blue 1s",
    }
    s = Scene(lands, attacks={"bohemia": "green 1f", "bavaria": "green 1f"}).turn("blue", "siege")
    assert s.legal("blue", "besiege") == ["franconia swabia", "franconia lorraine"]
    assert s.refuses("blue", "besiege franconia bohemia") == ("siege_disputed", "R-SIEGE-04")
    assert s.refuses("blue", "besiege bavaria swabia") == ("siege_disputed", "R-SIEGE-04")
    assert s.refuses("blue", "besiege england normandy") == ("siege_by_land", "R-SIEGE-05")
    assert s.refuses("blue", "besiege franconia normandy") == ("siege_by_land", "R-SIEGE-01")
    assert s.refuses("blue", "besiege franconia saxony") == ("no_enemy", "R-SIEGE-01")
    assert s.refuses("blue", "besiege lorraine saxony") == ("not_yours", "R-SIEGE-01")


@pytest.mark.rule("R-SIEGE-06")
def test_without_a_weapon_the_bonus_is_not_offered():
    s = Scene({**GUNS, "franconia": "blue 3f"}).turn("blue", "siege")
    assert s.legal("blue", "besiege") == []
    assert s.refuses("blue", "besiege franconia lorraine") == ("no_siege_weapon", "R-SIEGE-06")
    assert "expand" in s.legal("blue", "order")


@pytest.mark.rule("R-SIEGE-01", "R-CARD-07")
def test_one_assault_a_card():
    s = Scene(GUNS).turn("blue", "siege").do("blue", "besiege franconia lorraine")
    s.roll(1, 1, 1, 1)
    assert s.legal("blue", "besiege") == []
    assert s.refuses("blue", "besiege franconia lorraine") == ("bonus_used", "R-CARD-07")
    assert "expand" in s.legal("blue", "order")


@pytest.mark.rule("R-SIEGE-07", "R-CITY-09")
def test_an_assault_is_no_attack():
    s = Scene({**GUNS, "sweden": "blue 1f", "rome": "orange 1f"}).turn("blue", "siege")
    s.do("blue", "besiege franconia swabia").roll(6, 6, 6, 6)
    assert (s.state.attacks, s.coins("blue")) == ((), 5)
    assert "spoils" not in s.fact_codes()


@pytest.mark.rule("R-SIEGE-09", "R-CITY-03", "R-ELIM-04")
def test_a_city_shot_empty_is_unclaimed_and_may_be_claimed_without_a_weapon():
    lands = {"franconia": "blue 3f 1s", "saxony": "orange 2f", "bohemia": "orange 1f"}
    s = Scene(lands, castles="saxony").turn("blue", "siege").do("blue", "besiege franconia saxony")
    assert s.crowns("orange") == 1
    s.roll(6, 3)
    assert (s.owner("saxony"), s.crowns("orange")) == (None, 0)
    assert game.view(s.state, None)["shields"]["berlin"] == {
        "at": "saxony",
        "holder": None,
        "works": False,
        "rule": "R-CITY-10",
    }
    assert TERRITORY_NUMBER["saxony"] in s.state.castles
    assert not s.state.armies[1].out  # not before the end of the round
    s.do("blue", "order expand", "from franconia", "to saxony", "march footman:1")
    assert (s.owner("saxony"), s.coins("blue")) == ("blue", 5 + 4)


@pytest.mark.rule("R-SIEGE-11", "R-CARD-07")
def test_weapons_fire_after_a_move_or_before_it():
    lands = {
        "bohemia": "blue 1f 1s",
        "franconia": "blue 1f",
        "lorraine": "orange 1f",
        "rome": "orange 1f",
    }
    s = Scene(lands).turn("blue", "siege").do("blue", "order manoeuvre", "from bohemia")
    s.do("blue", "to franconia", "march siege:1")
    assert s.legal("blue", "besiege") == ["franconia lorraine"]
    s = Scene({**lands, "franconia": "blue 1f 1s"}).turn("blue", "siege")
    s.do("blue", "besiege franconia lorraine").roll(1, 1)
    assert "expand" in s.legal("blue", "order")
