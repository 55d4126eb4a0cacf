"""Builds and removals."""

import pytest

from powderkeg.games.diplomacy.actions import parse_order, parse_unit
from powderkeg.games.diplomacy.board import CENTRES
from powderkeg.games.diplomacy.rules.adjustments import (
    adjustment_balance,
    build_sites,
    builds_at,
    removal_order,
    resolve_adjustments,
)
from powderkeg.games.diplomacy.rules.position import Position, Rulebook


def position(**units: list[str]) -> Position:
    return Position({power: tuple(map(parse_unit, found)) for power, found in units.items()})


def centres(**owned: str) -> dict[str, str]:
    return {code: power for power, codes in owned.items() for code in codes.split()}


def settle(at: Position, owned, orders, **options):
    written = {power: [*map(parse_order, texts)] for power, texts in orders.items()}
    done = resolve_adjustments(at, owned, written, **options)
    said = [f"{o.order}: {o.verdict} {o.why}" for o in done.outcomes]
    return said, {
        power: [str(unit) for unit in units] for power, units in done.position.units.items()
    }


@pytest.mark.rule("D-ADJ-01")
def test_centres_minus_units():
    at = position(FRANCE=["A par", "A mar"], GERMANY=["A mun"], ITALY=["A rom"])
    owned = centres(FRANCE="par", GERMANY="mun ber kie", ITALY="rom")
    assert [adjustment_balance(at, owned, power) for power in ("FRANCE", "GERMANY", "ITALY")] == [
        -1,
        2,
        0,
    ]
    said, units = settle(at, owned, {"ITALY": ["A ven B", "A rom D"], "GERMANY": ["A ber B"]})
    assert "A ven B: void no_build_due" in said
    assert "A rom D: void no_removal_due" in said
    assert [len(units[power]) for power in ("FRANCE", "GERMANY", "ITALY")] == [1, 2, 1]


@pytest.mark.rule("D-ADJ-03")
@pytest.mark.parametrize("gone", ["A par", "F nth", "A mos"])
def test_the_owner_chooses_what_goes(gone):
    at = position(FRANCE=["A par", "F nth", "A mos"])
    _, units = settle(at, centres(FRANCE="par mar"), {"FRANCE": [f"{gone} D"]})
    assert gone not in units["FRANCE"]
    assert len(units["FRANCE"]) == 2


@pytest.mark.rule("D-ADJ-04")
def test_only_in_free_home_centres_still_controlled():
    at = position(FRANCE=["F bre", "A bur"], ITALY=["A mar"])
    owned = centres(FRANCE="par bre spa por bel", ITALY="mar")
    assert build_sites(at, owned, "FRANCE") == ("par",)
    said, units = settle(at, owned, {"FRANCE": ["A mar B", "A bre B", "A spa B", "A par B"]})
    assert said == [
        "A mar B: void home_lost",
        "A bre B: void home_occupied",
        "A spa B: void not_a_home",
        "A par B: ok built",
    ]
    assert units["FRANCE"] == ["F bre", "A bur", "A par"]
    later = position(FRANCE=["A mar", "A bur"])
    assert build_sites(later, owned | {"mar": "FRANCE"}, "FRANCE") == ("bre", "par")


@pytest.mark.rule("D-ADJ-05", "D-ADJ-06", "D-ADJ-07")
def test_what_can_be_built_where():
    assert [str(unit) for unit in builds_at("mos")] == ["A mos"]
    assert [str(unit) for unit in builds_at("sev")] == ["A sev", "F sev"]
    assert [str(unit) for unit in builds_at("stp")] == ["A stp", "F stp/nc", "F stp/sc"]
    at, owned = position(RUSSIA=[]), centres(RUSSIA="mos stp sev war")
    said, units = settle(at, owned, {"RUSSIA": ["F mos B", "F stp B", "F stp/nc B", "F sev B"]})
    assert said[:2] == ["F mos B: void fleet_built_inland", "F stp B: void build_coast_needed"]
    assert units["RUSSIA"] == ["F stp/nc", "F sev"]


@pytest.mark.rule("D-ADJ-08")
def test_unused_builds_are_not_saved():
    at = position(FRANCE=["A par", "A mar", "F bre"])
    owned = centres(FRANCE="par mar bre spa por")
    said, units = settle(at, owned, {"FRANCE": ["A par B"]})
    assert said == ["A par B: void home_occupied"]
    moved = position(FRANCE=["A bur", "A gas", "F mao"])
    assert adjustment_balance(moved, owned, "FRANCE") == 2
    assert len(units["FRANCE"]) == 3


@pytest.mark.rule("D-ADJ-09")
def test_without_home_centres_no_builds():
    at = position(FRANCE=["A bur", "A gas"], GERMANY=["A par"])
    owned = centres(FRANCE="spa por bel", GERMANY="par mar bre")
    assert build_sites(at, owned, "FRANCE") == ()
    assert settle(at, owned, {"FRANCE": ["A par B"]})[1]["FRANCE"] == ["A bur", "A gas"]
    assert build_sites(at, owned | {"mar": "FRANCE"}, "FRANCE") == ("mar",)


@pytest.mark.rule("D-ADJ-10")
def test_builds_may_be_waived():
    at, owned = position(FRANCE=[]), centres(FRANCE="par mar bre")
    said, units = settle(at, owned, {"FRANCE": ["WAIVE", "WAIVE mar", "A par B"]})
    assert said == ["WAIVE: ok waived", "WAIVE mar: ok waived", "A par B: ok built"]
    assert units["FRANCE"] == ["A par"]


@pytest.mark.rule("D-ADJ-11")
@pytest.mark.parametrize("text", ["A par - bur", "A par R bur", "A mun B", "A bur D"])
def test_bad_orders_are_ignored(text):
    at, owned = position(FRANCE=["A bur"]), centres(FRANCE="par mar bre")
    said, units = settle(at, owned, {"FRANCE": [text, "A par B"]})
    assert "void" in said[0]
    assert units["FRANCE"] == ["A bur", "A par"]


@pytest.mark.rule("D-ADJ-12")
def test_the_first_valid_builds_stand():
    at, owned = position(FRANCE=["A bur"]), centres(FRANCE="par mar bre")
    said, units = settle(at, owned, {"FRANCE": ["A bre B", "F bre B", "A mar B", "A par B"]})
    assert said[1:] == [
        "F bre B: void build_twice",
        "A mar B: ok built",
        "A par B: void no_build_due",
    ]
    assert units["FRANCE"] == ["A bur", "A bre", "A mar"]


@pytest.mark.rule("D-ADJ-13")
def test_the_first_valid_removal_stands():
    at = position(FRANCE=["A bur", "A gas"])
    said, units = settle(at, centres(FRANCE="par"), {"FRANCE": ["A pic D", "A gas D", "A bur D"]})
    assert said == ["A pic D: void no_unit", "A gas D: ok removed", "A bur D: void no_removal_due"]
    assert units["FRANCE"] == ["A bur"]


@pytest.mark.rule("D-ADJ-14")
def test_missing_removals_follow_the_rule():
    at = position(FRANCE=["A bur", "A mos"])
    said, units = settle(at, centres(FRANCE="par"), {})
    assert said == ["A mos D: ok removed_by_rule"]
    assert units["FRANCE"] == ["A bur"]


@pytest.mark.rule("D-CD-05")
def test_order_of_removal():
    owned = centres(RUSSIA="mos")

    def removed(*units: str, rulebook: Rulebook = Rulebook()) -> list[str]:  # noqa: B008  # frozen
        found = removal_order(map(parse_unit, units), "RUSSIA", owned, rulebook)
        return [str(unit) for unit in found]

    assert removed("A lvn", "A swe", "A mos") == ["A swe", "A lvn", "A mos"]  # farthest first
    assert removed("A boh", "F ska") == ["F ska", "A boh"]  # fleets before armies
    assert removed("A ukr", "A lvn", "A fin") == ["A fin", "A lvn", "A ukr"]  # then by name
    assert removed("F nwg", "F nth") == ["F nth", "F nwg"]  # North Sea before Norwegian Sea
    assert removed("A gre", "A rum") == ["A gre", "A rum"]  # Sevastopol is home though not owned
    literal = Rulebook(removal_distance="owned")
    assert removed("A arm", "A pru", rulebook=literal) == ["A arm", "A pru"]


@pytest.mark.rule("D-CD-05")
def test_armies_count_steps_over_sea_and_fleets_only_by_sea():
    owned = centres(ITALY="nap")
    far = removal_order(map(parse_unit, ["A gre", "F gre", "A tun"]), "ITALY", owned)
    assert [str(unit) for unit in far] == ["F gre", "A gre", "A tun"]


@pytest.mark.rule("D-CD-06", "D-ALT-02")
def test_a_power_that_nobody_plays_builds_nothing():
    at, owned = position(ITALY=["A rom"]), centres(ITALY="rom ven nap")
    said, units = settle(at, owned, {"ITALY": ["A ven B"]}, static=frozenset({"ITALY"}))
    assert said == ["A ven B: void static"]
    assert units["ITALY"] == ["A rom"]


@pytest.mark.rule("D-ADJ-15")
def test_a_power_without_units_but_with_a_home_centre_may_build():
    said, units = settle(position(FRANCE=[]), centres(FRANCE="par"), {"FRANCE": ["A par B"]})
    assert units["FRANCE"] == ["A par"]
    assert said == ["A par B: ok built"]


@pytest.mark.rule("D-SET-08")
def test_pieces_never_run_out():
    fleets = [
        f"F {at}"
        for at in [
            "nth",
            "eng",
            "iri",
            "mao",
            "nao",
            "nwg",
            "bar",
            "ska",
            "hel",
            "bal",
            "bot",
            "wes",
            "lyo",
            "tys",
            "ion",
        ]
    ]
    at = position(ENGLAND=fleets)
    owned = dict.fromkeys(CENTRES[:18], "ENGLAND") | dict.fromkeys(("lon", "edi", "lvp"), "ENGLAND")
    said, units = settle(at, owned, {"ENGLAND": ["F lon B", "F edi B", "F lvp B"]})
    assert all("ok built" in line for line in said)
    assert sum(unit.startswith("F") for unit in units["ENGLAND"]) == 18
