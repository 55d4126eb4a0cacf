"""Retreats: where, and what happens when several want the same place."""

import pytest

from powderkeg.games.diplomacy.actions import parse_order, parse_unit
from powderkeg.games.diplomacy.rules.adjudicate import Resolution, adjudicate
from powderkeg.games.diplomacy.rules.position import Position, Rulebook
from powderkeg.games.diplomacy.rules.retreats import resolve_retreats


def fight(units, orders, rulebook=Rulebook()) -> Resolution:  # noqa: B008  # frozen
    position = Position({power: tuple(map(parse_unit, found)) for power, found in units.items()})
    return adjudicate(position, orders_of(orders), rulebook)


def orders_of(orders):
    return {power: [*map(parse_order, texts)] for power, texts in orders.items()}


def options(done: Resolution) -> dict[str, list[str]]:
    return {str(each.unit): list(each.retreats) for each in done.dislodged}


def after(done: Resolution, orders) -> dict[str, list[str]]:
    found = resolve_retreats(done.position, done.dislodged, orders_of(orders)).position
    return {power: [str(unit) for unit in units] for power, units in found.units.items()}


def reasons(done: Resolution, orders) -> list[str]:
    outcomes = resolve_retreats(done.position, done.dislodged, orders_of(orders)).outcomes
    return [f"{o.order}: {o.verdict} {o.why}" for o in outcomes]


BURGUNDY = (
    {"FRANCE": ["A bur"], "GERMANY": ["A mun", "A ruh"]},
    {"GERMANY": ["A mun - bur", "A ruh S A mun - bur"]},
)


@pytest.mark.rule("D-RET-02")
def test_where_the_unit_could_move_without_convoy():
    units = {
        "FRANCE": ["F spa/nc", "A bre", "F eng"],
        "ITALY": ["F mao", "A mar", "A pic", "A par"],
    }
    orders = {
        "FRANCE": ["F eng C A bre - lon"],
        "ITALY": ["A mar - spa", "F mao S A mar - spa", "A pic - bre", "A par S A pic - bre"],
    }
    assert options(fight(units, orders)) == {"A bre": ["gas"], "F spa/nc": ["gas", "por"]}


@pytest.mark.rule("D-RET-04")
def test_not_where_the_attacker_came_from():
    assert options(fight(*BURGUNDY)) == {"A bur": ["bel", "gas", "mar", "par", "pic"]}


@pytest.mark.rule("D-RET-04")
def test_a_convoyed_attacker_leaves_its_origin_open_unless_read_literally():
    units = {"FRANCE": ["A gas", "A bur", "F mao", "F wes", "F lyo"], "ITALY": ["A mar"]}
    orders = {
        "FRANCE": [
            "A gas - mar VIA",
            "A bur S A gas - mar",
            "F mao C A gas - mar",
            "F wes C A gas - mar",
            "F lyo C A gas - mar",
        ]
    }
    assert options(fight(units, orders)) == {"A mar": ["gas", "pie", "spa"]}
    literal = Rulebook(retreat_to_convoy_origin=False)
    assert options(fight(units, orders, literal)) == {"A mar": ["pie", "spa"]}


@pytest.mark.rule("D-RET-03", "D-RET-05")
def test_not_where_units_stand_or_stood_off():
    units = BURGUNDY[0] | {
        "ITALY": ["A gas", "A pie", "A spa"],
        "ENGLAND": ["A pic", "A hol", "F eng"],
    }
    orders = BURGUNDY[1] | {
        "ITALY": ["A pie - mar", "A spa - mar"],
        "ENGLAND": ["A hol - bel", "F eng - bel"],
    }
    done = fight(units, orders)
    assert done.contested == ("bel", "mar")
    assert options(done) == {"A bur": ["par"]}


@pytest.mark.rule("D-RET-05")
def test_a_standoff_on_one_coast_closes_both():
    units = {"FRANCE": ["F gas", "F wes"], "ITALY": ["F tun", "F tys", "F por"]}
    orders = {
        "FRANCE": ["F gas - spa/nc"],
        "ITALY": ["F tys - wes", "F tun S F tys - wes", "F por - spa/nc"],
    }
    done = fight(units, orders)
    assert done.contested == ("spa",)
    assert "spa/sc" not in done.dislodged[0].retreats


@pytest.mark.rule("D-RET-06")
def test_without_a_place_the_unit_is_disbanded():
    units = {"FRANCE": ["A por"], "ITALY": ["A spa", "F mao"]}
    done = fight(units, {"ITALY": ["A spa - por", "F mao S A spa - por"]})
    assert options(done) == {"A por": []}
    assert reasons(done, {}) == ["A por D: ok no_retreat"]


TWO = (
    {"ITALY": ["A vie", "A boh"], "AUSTRIA": ["A tri", "A bud"], "GERMANY": ["A mun", "A sil"]},
    {
        "AUSTRIA": ["A tri - vie", "A bud S A tri - vie"],
        "GERMANY": ["A mun - boh", "A sil S A mun - boh"],
    },
)


@pytest.mark.rule("D-RET-07")
def test_two_retreats_to_one_place_end_both():
    done = fight(*TWO)
    orders = {"ITALY": ["A vie R tyr", "A boh R tyr"]}
    assert after(done, orders)["ITALY"] == []
    assert reasons(done, orders) == [
        "A vie R tyr: bounced retreats_clash",
        "A boh R tyr: bounced retreats_clash",
    ]


@pytest.mark.rule("D-RET-08")
@pytest.mark.parametrize("text", ["A gal S A vie - tyr", "F adr C A vie - ven", "A gal - war"])
def test_no_help_and_no_moves(text):
    units = TWO[0] | {"ITALY": ["A vie", "A boh", "A gal", "F adr"]}
    done = fight(units, TWO[1])
    found = reasons(done, {"ITALY": ["A vie R tyr", "A boh R tyr", text]})
    assert found[2] == f"{text}: void not_now"
    assert "A vie R tyr: bounced retreats_clash" in found


@pytest.mark.rule("D-RET-09")
def test_no_order_disbands():
    done = fight(*BURGUNDY)
    assert after(done, {})["FRANCE"] == []
    assert reasons(done, {}) == ["A bur D: ok no_retreat_order"]


@pytest.mark.rule("D-RET-10")
def test_disbanding_is_a_choice():
    done = fight(*BURGUNDY)
    assert reasons(done, {"FRANCE": ["A bur D"]}) == ["A bur D: ok disbanded"]
    assert after(done, {"FRANCE": ["A bur R par"]})["FRANCE"] == ["A par"]


@pytest.mark.rule("D-RET-11")
def test_an_illegal_retreat_blocks_nobody():
    done = fight(*TWO)
    orders = {"ITALY": ["A boh R tyr", "A vie R tri"]}  # its attacker came from Trieste
    assert reasons(done, orders)[1] == "A vie R tri: void retreat_barred"
    assert after(done, orders)["ITALY"] == ["A tyr"]
    blocked = {"ITALY": ["A boh R mun", "A vie R tyr"]}
    assert after(done, blocked)["ITALY"] == ["A tyr"]


@pytest.mark.rule("D-RET-12")
def test_a_coast_must_be_named_where_both_are_open():
    done = fight(
        {"FRANCE": ["F mao"], "ITALY": ["F naf", "F iri"]},
        {"ITALY": ["F naf - mao", "F iri S F naf - mao"]},
    )
    assert {"spa/nc", "spa/sc"} <= set(done.dislodged[0].retreats)
    assert after(done, {"FRANCE": ["F mao R spa"]})["FRANCE"] == []
    assert after(done, {"FRANCE": ["F mao R spa/sc"]})["FRANCE"] == ["F spa/sc"]
    one = fight(
        {"FRANCE": ["F lyo"], "ITALY": ["F tys", "F wes"]},
        {"ITALY": ["F tys - lyo", "F wes S F tys - lyo"]},
    )
    assert after(one, {"FRANCE": ["F lyo R spa"]})["FRANCE"] == ["F spa/sc"]


@pytest.mark.rule("D-RET-15")
def test_retreats_change_nothing_else():
    done = fight(*TWO)
    found = resolve_retreats(
        done.position, done.dislodged, orders_of({"ITALY": ["A vie R tyr", "A boh D"]})
    )
    for power in ("AUSTRIA", "GERMANY"):
        assert found.position.units[power] == done.position.units[power]


@pytest.mark.rule("D-ORD-15")
def test_different_retreats_of_one_unit_count_for_nothing():
    done = fight(*BURGUNDY)
    orders = {"FRANCE": ["A bur R par", "A bur R gas"]}
    assert after(done, orders)["FRANCE"] == []
    assert reasons(done, orders)[0] == "A bur R par: void conflict"
