"""Any position and any order can be drawn, and the drawing says what came of it."""

import re
import xml.etree.ElementTree as ET

import pytest

from powderkeg.core.words import LANGS
from powderkeg.games import diplomacy
from powderkeg.games.diplomacy.board import HOMES, LOCATIONS, POWERS, PROVINCES, START, Unit
from powderkeg.games.diplomacy.draw import board_map
from powderkeg.picture.ink import THEMES
from powderkeg.picture.svg import part_way, smooth_curve, trim_line

SVG = "{http://www.w3.org/2000/svg}"
OPENING = {
    "units": {power: [str(unit) for unit in START[power]] for power in POWERS},
    "centers": {power: list(HOMES[power]) for power in POWERS},
}


def drawn(orders=(), position=OPENING, **how):
    return ET.fromstring(board_map.draw_map(position, orders, **how))


def found(root, *classes):
    return [e for e in root.iter() if set(classes) <= set(e.get("class", "").split())]


def test_every_unit_of_the_opening_stands_on_the_map():
    root = drawn()
    units = {(e.get("data-at"), "army" in e.get("class")) for e in found(root, "unit")}
    assert units == {(u.at, u.kind == "A") for power in POWERS for u in START[power]}
    assert len(found(root, "owned")) == sum(map(len, HOMES.values()))


@pytest.mark.parametrize("location", LOCATIONS)
def test_a_unit_can_be_drawn_anywhere(location):
    kind = "F" if "/" in location or PROVINCES[location].kind == "sea" else "A"
    position = {"units": {"ITALY": [f"{kind} {location}"]}}
    [unit] = found(drawn(position=position), "unit")
    assert unit.get("transform") == "translate({:g} {:g})".format(*board_map.unit_spot(location))


def test_land_is_coloured_by_owner_then_by_who_stands_there_then_by_who_lived_there():
    position = {
        "units": {"GERMANY": ["A bur"], "FRANCE": ["F eng"]},
        "centers": {"FRANCE": ["par", "bel"]},
    }
    washed = {e.get("href"): e.get("class") for e in found(drawn(position=position), "wash")}
    assert washed == {
        "#par": "wash france",
        "#bel": "wash france",
        "#bur": "wash germany",
        "#gas": "wash france",
        "#pic": "wash france",
    }


ORDERS = {
    "A par - bur": ("move france", "head"),
    "A par S A mar - gas": ("support france", "shaft"),
    "A par S A mar": ("support france", "shaft"),
    "A par H": ("hold france", "ring"),
    "F bre C A par - lon": ("convoy france", "ring"),
}


@pytest.mark.parametrize("order", ORDERS)
def test_each_kind_of_order_has_its_drawing(order):
    kind, part = ORDERS[order]
    [shape] = found(drawn([order]), "order")
    assert shape.get("class") == f"order {kind}"
    assert found(shape, part)


@pytest.mark.parametrize(
    ("order", "verdict", "sign"),
    [
        ("A par - bur", "bounced", "burst"),
        ("A par - lon", "no_convoy", "burst"),
        ("A par S A mar - gas", "cut", "cut"),
        ("F bre C A par - lon", "disrupted", "cut"),
        ("A par S A mar", "void", "cut"),
    ],
)
def test_failure_is_seen(order, verdict, sign):
    root = drawn([(order, verdict)])
    [shape] = found(root, "order")
    assert "failed" in shape.get("class")
    assert found(root, sign)
    assert not found(drawn([(order, "ok")]), sign)


def test_a_stopped_move_has_no_head():
    assert not found(drawn([("A par - bur", "bounced")]), "head")


def test_support_points_at_the_arrow_it_helps():
    root = drawn(["A mar - bur", "A par S A mar - bur"])
    [dot] = [e for e in found(root, "head") if e.tag == SVG + "circle"]
    a, b = board_map.unit_spot("mar"), board_map.unit_spot("bur")
    x, y = float(dot.get("cx")), float(dot.get("cy"))
    assert min(a[0], b[0]) - 12 < x < max(a[0], b[0]) + 12
    assert min(a[1], b[1]) - 12 < y < max(a[1], b[1]) + 12


def test_support_of_a_coast_left_out_still_finds_the_arrow():
    position = {"units": {"FRANCE": ["F mao", "A gas"]}}
    root = drawn(["F mao - spa/nc", "A gas S F mao - spa"], position)
    assert [e for e in found(root, "head") if e.tag == SVG + "circle"]


def test_an_army_by_sea_goes_over_its_fleets():
    position = {"units": {"ENGLAND": ["A lon", "F nth", "F ska"]}}
    orders = ["F ska C A lon - swe", "F nth C A lon - swe", "A lon - swe"]
    [move] = found(drawn(orders, position), "move")
    [shaft] = found(move, "shaft")
    points = [tuple(map(float, p.split())) for p in re.findall(r"[-.\d]+ [-.\d]+", shaft.get("d"))]
    for fleet in ("nth", "ska"):
        x, y = board_map.unit_spot(fleet)
        assert min(abs(px - x) + abs(py - y) for px, py in points) < 3


def test_moves_there_and_back_do_not_cover_each_other():
    position = {"units": {"FRANCE": ["A par"], "GERMANY": ["A bur"]}}
    a, b = found(drawn(["A par - bur", "A bur - par"], position), "move")
    assert found(a, "shaft")[0].get("d") != found(b, "shaft")[0].get("d")


def test_a_unit_that_is_driven_out_is_marked():
    position = {"units": {"FRANCE": ["A par", "A mar"], "GERMANY": ["A bur"]}}
    won = [("A par - bur", "ok"), ("A mar S A par - bur", "ok"), ("A bur H", "ok")]
    [jags] = found(drawn(won, position), "beaten")
    assert jags.get("transform") == "translate({:g} {:g})".format(*board_map.unit_spot("bur"))
    lost = [("A par - bur", "bounced"), ("A bur H", "ok")]
    assert not found(drawn(lost, position), "beaten")
    left = [("A par - bur", "ok"), ("A bur - mun", "ok")]
    assert not found(drawn(left, position), "beaten")


def test_a_view_of_the_game_can_be_drawn():
    state = diplomacy.start(POWERS, diplomacy.Options())
    root = drawn(position=board_map.view_position(diplomacy.view(state, None)))
    assert len(found(root, "unit")) == 22


def test_retreats_start_beside_the_winner():
    position = {"units": {"FRANCE": ["A bur"]}, "dislodged": {"GERMANY": ["A bur"]}}
    root = drawn(["A bur R ruh"], position)
    [retreat] = found(root, "order", "retreat")
    assert "germany" in retreat.get("class")
    [loser] = found(root, "unit", "dislodged")
    assert loser.get("transform").startswith(
        "translate({:g} {:g})".format(*board_map.dislodged_spot("bur"))
    )


def test_builds_and_removals_are_marked():
    root = drawn(["F stp/nc B", "A mos D", "WAIVE war"], {"units": {"RUSSIA": ["A mos"]}})
    assert found(root, "build")
    assert found(root, "disband")
    assert {e.get("data-at") for e in found(root, "unit", "built")} == {"stp/nc"}


def test_a_dislodged_unit_that_disbands_is_crossed_out_where_it_waits():
    position = {"units": {"FRANCE": ["A bur"]}, "dislodged": {"GERMANY": ["A bur"]}}
    [cross] = found(drawn(["A bur D"], position), "disband")
    assert cross.get("transform") == "translate({:g} {:g})".format(*board_map.dislodged_spot("bur"))


@pytest.mark.parametrize("lang", LANGS)
def test_letters_tell_the_powers_apart(lang):
    assert len({board_map.power_sign(power, lang) for power in POWERS}) == len(POWERS)


@pytest.mark.parametrize("lang", LANGS)
def test_only_the_language_asked_for_is_shown(lang):
    groups = found(drawn(lang=lang), "labels")
    assert [g.get("lang") for g in groups] == [lang]
    arcs = {e.get("id") for e in drawn(lang=lang).iter() if str(e.get("id")).startswith("arc-")}
    used = {e.get("href")[1:] for e in groups[0].iter(SVG + "textPath")}
    assert used == arcs


@pytest.mark.parametrize("theme", THEMES)
def test_no_colour_is_left_open(theme):
    assert "var(" not in board_map.draw_map(OPENING, theme=theme)


def test_titles_are_written_as_they_are():
    root = drawn(title="Spring 1901 <&>")
    assert [e.text for e in found(root, "title")] == ["Spring 1901 <&>"]


def test_an_empty_board_can_be_drawn():
    assert found(drawn(position={}), "unit") == []


def test_coast_of_an_army_is_its_province():
    assert (
        board_map.unit_spot("stp") != board_map.unit_spot("stp/nc") != board_map.unit_spot("stp/sc")
    )
    assert board_map.unit_block(Unit("A", "par"), "FRANCE", "en").count("Fr") == 1


def test_trimming_leaves_half_of_a_short_line():
    assert trim_line([(0, 0), (10, 0)], 20, 20) == [(2.5, 0), (7.5, 0)]
    assert part_way(smooth_curve([(0, 0), (5, 0), (10, 0)]), 0.5) == pytest.approx((5, 0))
