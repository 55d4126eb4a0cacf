"""The map, and who may go where: expansion, split expansion, manoeuvre."""

import pytest

import powderkeg.games.risk_europe as game
from powderkeg.games.risk_europe.board import (
    ADJACENT,
    CITIES,
    CITY_AT,
    GOLD_CITIES,
    SEA_LINES,
    TAX_VALUES,
    TERRITORIES,
    TERRITORY_NAMES,
    TERRITORY_NUMBER,
)
from powderkeg.games.risk_europe.state import supply_line
from tests.games.risk_europe.scene import Scene


def expanding(lands, origin, card="fortify", order="expand", **more):
    s = Scene(lands, **more).turn("blue", card).do("blue", f"order {order}")
    return s.do("blue", f"from {origin}") if f"from {origin}" in s.legal("blue") else s


# R-MAP


@pytest.mark.rule("R-MAP-01")
def test_territories_are_the_named_lands_and_nothing_else():
    assert len(TERRITORY_NAMES) == len(set(TERRITORY_NAMES)) == 49
    assert all(beside for beside in ADJACENT)
    with pytest.raises(ValueError, match="not an action"):
        game.parse("from corsica")


@pytest.mark.rule("R-MAP-02")
def test_fifteen_cities_of_two_kinds():
    assert (len(CITIES), len(GOLD_CITIES)) == (15, 8)
    shields = game.view(Scene().state, None)["shields"]
    assert set(shields) == {TERRITORIES[at].city for at in GOLD_CITIES}
    assert "warsaw" not in shields


@pytest.mark.rule("R-MAP-03")
def test_tax_values():
    values = {TERRITORIES[at].city: TAX_VALUES[at] for at in CITIES}
    assert values == {
        "berlin": 4, "rome": 4, "novgorod": 4,
        "london": 3, "paris": 3, "madrid": 3, "stockholm": 3, "constantinople": 3, "buda": 3,
        "bejaia": 3, "warsaw": 2, "kiev": 2, "athens": 2, "zurich": 2, "dublin": 2,
    }  # fmt: skip


@pytest.mark.rule("R-MAP-04", "R-EXP-12", "R-MAN-09")
def test_sea_lines_connect():
    assert len(SEA_LINES) == 19
    s = expanding({"england": "blue 3f"}, "england")
    assert {"lorraine", "normandy"} <= set(s.legal("blue", "to"))
    s = Scene({"scotland": "blue 3f", "norway": "blue 1f", "denmark": "blue 1f"})
    s.turn("blue", "split").do("blue", "order manoeuvre", "from scotland")
    assert set(s.legal("blue", "to")) == {"norway", "denmark"}  # two steps by sea
    line = supply_line(s.state, 0, TERRITORY_NUMBER["scotland"])
    assert [TERRITORY_NAMES[at] for at in line] == ["scotland", "norway", "denmark"]


@pytest.mark.rule("R-MAP-05", "R-MAN-05")
def test_an_emptied_territory_is_unclaimed_at_once():
    s = Scene(
        {"bavaria": "blue 3f", "bohemia": "blue 1f", "saxony": "blue 1f"}, castles="franconia"
    )
    s.turn("blue", "split").do("blue", "order manoeuvre", "from bavaria", "to bohemia")
    s.do("blue", "march footman:3")
    assert s.owner("bavaria") is None
    assert s.owner("franconia") is None  # a castle alone claims nothing
    assert "unclaimed" in s.fact_codes()


@pytest.mark.rule("R-MAP-06")
def test_a_castle_may_stand_in_a_city():
    land = game.view(Scene({"saxony": "blue 1f"}, castles="saxony bavaria").state, None)[
        "territories"
    ]
    assert (land["saxony"]["castle"], land["saxony"]["city"]) == (True, "berlin")
    assert (land["bavaria"]["castle"], land["bavaria"]["city"]) == (True, None)


@pytest.mark.rule("R-MAP-07", "R-EXP-04", "R-DISP-01")
def test_entering_an_enemy_makes_a_dispute():
    s = expanding({"bohemia": "blue 4f", "highlands": "orange 2f"}, "bohemia")
    s.do("blue", "to highlands", "march footman:3")
    land = game.view(s.state, None)["territories"]["highlands"]
    assert land["owner"] == "orange"
    assert land["attacker"] == {
        "army": "blue",
        "units": {"footman": 3, "archer": 0, "cavalry": 0, "siege": 0},
    }
    assert "attacked" in s.fact_codes()


@pytest.mark.rule("R-MAP-08", "R-TAX-05")
def test_supply_lines_are_linked_undisputed_territories():
    lands = dict.fromkeys(("france", "lorraine", "saxony", "portugal"), "blue 2f")
    s = Scene(lands, attacks={"lorraine": "orange 1f"})
    lines = [
        [TERRITORY_NAMES[at] for at in supply_line(s.state, 0, TERRITORY_NUMBER[n])] for n in lands
    ]
    assert lines == [["france"], [], ["saxony"], ["portugal"]]
    s = Scene(lands)
    assert len(supply_line(s.state, 0, TERRITORY_NUMBER["france"])) == 3


@pytest.mark.rule("R-MAP-09", "R-CROWN-01")
def test_the_crown_track():
    s = Scene({"saxony": "blue 1f", "rome": "blue 1f", "poland": "blue 1f", "bohemia": "blue 1f"})
    s.has("blue", bought=2)
    assert s.crowns("blue") == 2 + 1 + 1 + 2  # Rome counts twice
    assert game.view(s.state, None)["armies"]["blue"]["crowns"] == 6


# R-EXP


BOHEMIA = {"bohemia": "blue 3f 1s", "highlands": "orange 1f", "poland": "orange 2f"}


@pytest.mark.rule("R-EXP-01")
def test_expansion_goes_to_one_adjacent_unclaimed_or_enemy_territory():
    s = expanding({**BOHEMIA, "denmark": "blue 1f"}, "bohemia")
    targets = {"poland", "highlands", "saxony", "franconia", "bavaria"}
    assert set(s.legal("blue", "to")) == targets
    assert s.refuses("blue", "to hungary") == ("not_adjacent", "R-EXP-01")
    s = Scene({**BOHEMIA, "rome": "blue 2f"}).turn("blue", "fortify").do("blue", "order expand")
    assert s.refuses("blue", "from highlands") == ("not_yours", "R-EXP-01")


@pytest.mark.rule("R-EXP-02", "R-EXP-03")
def test_one_stays_and_at_least_one_goes():
    s = expanding({"bohemia": "blue 4f", "bavaria": "blue 1f"}, "bohemia")
    s.do("blue", "to saxony")
    assert s.legal("blue", "march") == ["footman:1", "footman:2", "footman:3"]
    assert s.refuses("blue", "march footman:4") == ("wrong_units", "R-EXP-02")
    assert s.refuses("blue", "march -") == ("wrong_units", "R-EXP-02")
    lands = {"bohemia": "blue 4f", "bavaria": "blue 1f", "sicily": "blue 2f"}
    s = Scene(lands).turn("blue", "fortify").do("blue", "order expand")
    assert s.legal("blue", "from") == ["bohemia", "sicily"]
    assert s.refuses("blue", "from bavaria") == ("one_must_stay", "R-EXP-02")


@pytest.mark.rule("R-EXP-05", "R-CROWN-02")
def test_claiming_warsaw():
    s = expanding({"bohemia": "blue 4f"}, "bohemia").do("blue", "to poland", "march footman:2")
    assert (s.owner("poland"), s.units("poland")) == ("blue", "2f")
    assert (s.coins("blue"), s.crowns("blue")) == (5 + 2, 1)


@pytest.mark.rule("R-EXP-06", "R-SPLIT-05", "R-DISP-08")
@pytest.mark.parametrize(("attackers", "most"), [(4, 3), (6, 1), (1, 6)])
def test_only_the_surplus_leaves_a_dispute(attackers, most):
    lands = {"bohemia": "blue 7f", "saxony": "orange 9f", "turkey": "blue 2f"}
    s = Scene(lands, attacks={"bohemia": f"orange {attackers}f"}).turn("blue", "split")
    s.do("blue", "order split", "from bohemia", "to bavaria")
    if most == 1:  # no choice is left
        assert (s.units("bavaria"), s.units("bohemia")) == ("1f", "6f")
        return
    assert s.legal("blue", "march") == [f"footman:{n}" for n in range(1, most + 1)]
    s.do("blue", f"march footman:{most - 1}", "to franconia")
    assert (s.units("bavaria"), s.units("franconia")) == (f"{most - 1}f", "1f")
    assert s.units("bohemia") == f"{attackers}f"


@pytest.mark.rule("R-EXP-06", "R-DISP-03")
def test_no_surplus_and_no_withdrawal():
    lands = {
        "bohemia": "blue 4f",
        "saxony": "orange 9f",
        "turkey": "blue 2f",
        "hungary": "orange 1f",
    }
    lands["rome"] = "blue 2f"
    attacks = {"bohemia": "orange 4f", "hungary": "blue 3f"}
    s = Scene(lands, attacks=attacks).turn("blue", "fortify").do("blue", "order expand")
    assert s.refuses("blue", "from bohemia") == ("defenders_must_stay", "R-EXP-06")
    assert s.refuses("blue", "from hungary") == ("attackers_stay", "R-DISP-03")


@pytest.mark.rule("R-EXP-07")
def test_an_enemy_castle_needs_a_siege_weapon_in_the_group():
    s = expanding({**BOHEMIA, "bohemia": "blue 4f"}, "bohemia", castles="poland")
    assert s.refuses("blue", "to poland") == ("castle_needs_siege", "R-EXP-07")
    s = expanding(BOHEMIA, "bohemia", castles="poland").do("blue", "to poland")
    assert s.legal("blue", "march") == []
    assert s.legal("blue", "storm") == ["1 -", "1 footman:1", "1 footman:2"]
    assert s.refuses("blue", "storm 0 footman:2") == ("siege_must_go", "R-EXP-07")
    s.do("blue", "storm 1 footman:2")
    assert s.attackers("poland") == "2f 1s"


@pytest.mark.rule("R-EXP-08", "R-SPEND-09")
def test_an_unclaimed_castle_is_taken_by_anyone():
    s = expanding({"bohemia": "blue 2f"}, "bohemia", castles="bavaria")
    s.do("blue", "to bavaria")
    assert s.owner("bavaria") == "blue"  # the only footman that may go has gone
    assert TERRITORY_NUMBER["bavaria"] in s.state.castles


@pytest.mark.rule("R-EXP-09", "R-EXP-10", "R-EXP-11", "R-DISP-04")
def test_where_expansion_may_not_go():
    lands = {
        "bohemia": "blue 4f",
        "saxony": "orange 2f",
        "bavaria": "blue 1f",
        "highlands": "orange 1f",
    }
    attacks = {"saxony": "green 1f", "highlands": "blue 1f"}
    s = expanding(lands, "bohemia", attacks=attacks)
    assert s.refuses("blue", "to highlands") == ("use_manoeuvre", "R-EXP-09")
    assert s.refuses("blue", "to bavaria") == ("already_yours", "R-EXP-10")
    assert s.refuses("blue", "to saxony") == ("third_army", "R-EXP-11")


# R-SPLIT


@pytest.mark.rule("R-SPLIT-01", "R-SPLIT-06", "R-SPLIT-07")
def test_split_to_two_targets_placed_together():
    s = expanding({"bohemia": "blue 6f"}, "bohemia", "split", "split")
    s.do("blue", "to saxony", "march footman:2")
    assert (s.owner("saxony"), s.coins("blue")) == (None, 5)  # not before both are named
    assert s.refuses("blue", "to saxony") == ("same_target", "R-SPLIT-06")
    s.do("blue", "to poland", "march footman:3")
    assert [s.units(n) for n in ("bohemia", "saxony", "poland")] == ["1f", "2f", "3f"]
    assert s.coins("blue") == 5 + 4 + 2


@pytest.mark.rule("R-SPLIT-01")
def test_split_to_one_target_only():
    s = expanding({"bohemia": "blue 6f"}, "bohemia", "split", "split")
    s.do("blue", "to saxony", "march footman:2", "done")
    assert [s.units(n) for n in ("bohemia", "saxony")] == ["4f", "2f"]


@pytest.mark.rule("R-SPLIT-02")
def test_both_targets_border_the_origin():
    s = expanding({"bohemia": "blue 6f"}, "bohemia", "split", "split")
    s.do("blue", "to saxony", "march footman:2")
    assert s.refuses("blue", "to friesland") == ("not_adjacent", "R-SPLIT-02")


@pytest.mark.rule("R-SPLIT-03")
def test_one_stays_in_all():
    s = expanding({"bohemia": "blue 3f"}, "bohemia", "split", "split")
    s.do("blue", "to saxony")
    assert s.legal("blue", "march") == ["footman:1", "footman:2"]
    s.do("blue", "march footman:1", "to bavaria")
    assert [s.units(n) for n in ("bohemia", "saxony", "bavaria")] == ["1f", "1f", "1f"]


@pytest.mark.rule("R-SPLIT-04")
def test_each_castle_needs_its_own_siege_weapon():
    lands = {"bohemia": "blue 4f 1s", "poland": "orange 1f", "highlands": "orange 1f"}
    s = expanding(lands, "bohemia", "split", "split", castles="poland highlands")
    s.do("blue", "to poland", "storm 1 footman:1")
    assert s.refuses("blue", "to highlands") == ("castle_needs_siege", "R-EXP-07")
    s = expanding(
        {**lands, "bohemia": "blue 4f 2s"}, "bohemia", "split", "split", castles="poland highlands"
    )
    s.do("blue", "to poland", "storm 1 footman:1", "to highlands", "storm 1 footman:1")
    assert (s.attackers("poland"), s.attackers("highlands")) == ("1f 1s", "1f 1s")


# R-MAN


LINE = {"saxony": "blue 4f", "bohemia": "blue 3f", "highlands": "blue 2f", "hungary": "blue 2f"}


def manoeuvring(lands, origin, **more):
    return (
        Scene(lands, **more).turn("blue", "split").do("blue", "order manoeuvre", f"from {origin}")
    )


@pytest.mark.rule("R-MAN-01")
def test_manoeuvre_two_steps():
    s = manoeuvring(LINE, "saxony")
    assert s.legal("blue", "to") == ["highlands", "bohemia"]
    assert s.refuses("blue", "to hungary") == ("out_of_reach", "R-MAN-02")
    s.do("blue", "to highlands", "march footman:2")
    assert (s.units("saxony"), s.units("highlands")) == ("2f", "4f")


@pytest.mark.rule("R-MAN-02")
def test_a_dispute_ends_the_way():
    s = manoeuvring(LINE, "saxony", attacks={"bohemia": "orange 1f"})
    assert s.state.agenda[-1].target == TERRITORY_NUMBER["bohemia"]  # the only way there is
    s = manoeuvring({**LINE, "denmark": "blue 1f"}, "saxony", attacks={"bohemia": "orange 1f"})
    assert s.legal("blue", "to") == ["denmark", "bohemia"]
    assert s.refuses("blue", "to highlands") == ("out_of_reach", "R-MAN-02")


@pytest.mark.rule("R-MAN-02")
def test_no_way_through_foreign_land():
    s = manoeuvring(
        {**LINE, "denmark": "blue 1f", "friesland": "blue 1f", "bohemia": "orange 1f"}, "saxony"
    )
    assert s.refuses("blue", "to highlands") == ("out_of_reach", "R-MAN-02")


@pytest.mark.rule("R-MAN-03", "R-EXP-11")
def test_both_sides_of_a_dispute_are_reinforced_and_a_third_is_not():
    lands = {**LINE, "poland": "orange 2f", "galicia": "orange 3f", "rusland": "orange 1f"}
    s = manoeuvring(lands, "bohemia", attacks={"poland": "blue 1f"})
    assert "poland" in s.legal("blue", "to")
    s.do("blue", "to poland", "march footman:1")
    assert s.attackers("poland") == "2f"
    s = Scene(lands, attacks={"poland": "green 1f"}).turn("blue", "split")
    s.do("blue", "order manoeuvre", "from bohemia")
    assert s.refuses("blue", "to poland") == ("third_army", "R-MAN-03")
    s = Scene(lands, attacks={"poland": "green 1f"}).turn("orange", "split")
    s.do("orange", "order manoeuvre", "from galicia", "to poland", "march footman:3")
    assert s.units("poland") == "5f"


@pytest.mark.rule("R-MAN-01", "R-MAN-03")
def test_an_attack_is_reinforced_from_a_lonely_territory():
    """The only way out of Bohemia leads into the dispute."""
    lands = {"bohemia": "blue 4f", "poland": "orange 2f", "turkey": "blue 2f", "rome": "orange 1f"}
    s = Scene(lands, attacks={"poland": "blue 1f"}).turn("blue", "split")
    s.do("blue", "order manoeuvre", "from bohemia", "to poland", "march footman:4")
    assert (s.attackers("poland"), s.owner("bohemia")) == ("5f", None)


@pytest.mark.rule("R-MAN-04")
@pytest.mark.parametrize("side", ["blue", "orange"])
def test_nobody_manoeuvres_out_of_a_dispute(side):
    lands = {**LINE, "france": "orange 4f", "burgundy": "orange 1f"}
    s = Scene(lands, attacks={"bohemia": "orange 2f"}).turn(side, "split")
    s.do(side, "order manoeuvre")
    assert s.refuses(side, "from bohemia") == ("no_retreat", "R-MAN-04")


@pytest.mark.rule("R-MAN-05")
def test_cities_and_castles_keep_one():
    lands = {"saxony": "blue 2f", "bohemia": "blue 2f", "bavaria": "blue 2f"}
    for origin, most in (("saxony", 1), ("bavaria", 1), ("bohemia", 2)):
        s = manoeuvring(lands, origin, castles="bavaria")
        s.do("blue", f"to {s.legal('blue', 'to')[0]}") if s.legal("blue", "to") else None
        moved = s.legal("blue", "march")
        assert len(moved) == most if moved else most == 1
    s = Scene({**lands, "saxony": "blue 1f"}).turn("blue", "split").do("blue", "order manoeuvre")
    assert s.refuses("blue", "from saxony") == ("one_must_stay", "R-MAN-05")


@pytest.mark.rule("R-MAN-06")
def test_manoeuvre_neither_claims_nor_attacks():
    s = manoeuvring({**LINE, "franconia": "orange 1f"}, "bohemia")
    assert s.refuses("blue", "to franconia") == ("only_own_or_disputed", "R-MAN-06")
    assert s.refuses("blue", "to bavaria") == ("only_own_or_disputed", "R-MAN-06")


@pytest.mark.rule("R-MAN-07")
def test_one_origin_and_one_destination():
    s = manoeuvring(LINE, "saxony").do("blue", "to bohemia", "march footman:1")
    assert s.refuses("blue", "order manoeuvre")[0] in ("not_asked", "game_over")  # turn is over
    assert s.units("bohemia") == "4f"
    s = manoeuvring(LINE, "saxony")
    assert s.refuses("blue", "to saxony") == ("same_target", "R-MAN-07")


@pytest.mark.rule("R-MAN-08")
def test_reinforcing_an_attack_on_a_castle_needs_no_siege_weapon():
    lands = {**LINE, "poland": "orange 2f"}
    s = manoeuvring(lands, "bohemia", attacks={"poland": "blue 1s"}, castles="poland")
    s.do("blue", "to poland", "march footman:2")
    assert s.attackers("poland") == "2f 1s"


def test_berlin_is_where_saxony_is():
    assert TERRITORY_NAMES[CITY_AT["berlin"]] == "saxony"
