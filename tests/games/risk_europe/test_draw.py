"""Any position can be drawn: who holds what, with which units, where it is disputed."""

import re
import xml.etree.ElementTree as ET

import pytest
from typer.testing import CliRunner

from powderkeg.cli.app import app
from powderkeg.core.words import LANGS
from powderkeg.games import risk_europe
from powderkeg.games.risk_europe.board import (
    COLOURS,
    SEA_LINES,
    TERRITORIES,
    TERRITORY_NAMES,
    TERRITORY_NUMBER,
    UNITS,
)
from powderkeg.games.risk_europe.draw import board_map
from powderkeg.games.risk_europe.state import supply_line
from powderkeg.picture.ink import THEMES
from tests.games.risk_europe.scene import Scene

SVG = "{http://www.w3.org/2000/svg}"
HELD = {
    "england": {"owner": "blue", "units": {"footman": 3, "archer": 1}, "castle": True},
    "scotland": {"owner": "blue", "units": {"footman": 1}},
    "ireland": {"owner": "blue", "units": {"siege": 2}},
    "bohemia": {
        "owner": "green",
        "units": {"footman": 2},
        "attacker": {"army": "orange", "units": {"cavalry": 4, "footman": 1}},
    },
}


def drawn(territories=None, **how):
    position = {"territories": HELD if territories is None else territories}
    return ET.fromstring(board_map.draw_map(position, **how))


def found(root, *classes):
    return [e for e in root.iter() if set(classes) <= set(e.get("class", "").split())]


def counts(muster):
    return [e.text for e in found(muster, "count")]


def test_armies_show_their_units_in_the_order_of_battle():
    [army] = found(
        drawn({"france": {"owner": "purple", "units": {u: n for n, u in enumerate(UNITS, 1)}}}),
        "muster",
    )
    assert counts(army) == ["1", "2", "3", "4"]
    assert "purple" in army.get("class")
    assert len(found(army, "icon")) == 4


@pytest.mark.parametrize("name", TERRITORY_NAMES)
def test_an_army_can_stand_anywhere_with_a_castle_and_a_rival(name):
    held = {
        "owner": "blue",
        "units": {"footman": 1},
        "castle": True,
        "attacker": {"army": "green", "units": {"footman": 1}},
    }
    root = drawn({name: held})
    assert len(found(root, "muster")) == 2
    assert found(root, "castle", "blue")
    assert found(root, "dispute")


ARMIES = [
    ({"footman": 1}, {"footman": 3}),
    ({"footman": 12, "archer": 2}, {"footman": 10, "siege": 1}),
    (dict.fromkeys(UNITS, 3), dict.fromkeys(UNITS, 4)),
]


@pytest.mark.parametrize(("units", "foes"), ARMIES)
@pytest.mark.parametrize("name", TERRITORY_NAMES)
def test_armies_castle_and_swords_of_a_dispute_do_not_hide_one_another(name, units, foes):
    held = {"owner": "blue", "units": units, "castle": True}
    root = drawn({name: {**held, "attacker": {"army": "green", "units": foes}}})
    [castle], [dispute] = found(root, "castle"), found(root, "dispute")
    plates = [box(piece) for colour in ("blue", "green") for piece in found(root, "muster", colour)]
    assert not overlap(*plates)
    for plate in plates:
        assert not overlap(plate, around(castle, 8))
        assert not overlap(plate, around(dispute, 7))


def placed(piece):
    x, y = re.findall(r"-?[\d.]+", piece.get("transform"))[:2]
    return float(x), float(y)


def box(muster):
    (x, y), [block] = placed(muster), found(muster, "block")
    width, height = float(block.get("width")), float(block.get("height"))
    return x - width / 2, y - height / 2, x + width / 2, y + height / 2


def around(piece, reach):
    x, y = placed(piece)
    return x - reach, y - reach, x + reach, y + reach


def overlap(one, two):
    return one[0] < two[2] and two[0] < one[2] and one[1] < two[3] and two[1] < one[3]


def test_disputed_territory_shows_both_armies():
    root = drawn()
    [defender] = [e for e in found(root, "muster", "green") if e.get("data-at") == "bohemia"]
    [attacker] = [e for e in found(root, "muster", "orange") if e.get("data-at") == "bohemia"]
    assert counts(defender) == ["2"]
    assert counts(attacker) == ["1", "4"]
    assert len(found(root, "dispute")) == 1


def test_every_city_has_its_crown_and_its_tax():
    root = drawn({})
    assert len(found(root, "city", "gold")) == sum(t.gold for t in TERRITORIES)
    assert len(found(root, "city", "black")) == sum(
        bool(t.city) and not t.gold for t in TERRITORIES
    )
    taxes = sorted(int(e.text) for e in found(root, "tax"))
    assert taxes == sorted(t.tax for t in TERRITORIES if t.city)


def test_a_city_wears_the_ring_of_its_owner():
    root = drawn()
    [london] = found(root, "city", "blue", "gold")
    assert found(london, "owner-ring")


def test_unclaimed_castles_have_no_flag():
    root = drawn({"wales": {"castle": True}})
    [castle] = found(root, "castle")
    assert not found(castle, "pennon")


def test_land_is_washed_in_its_owners_colour():
    washed = {e.get("href"): e.get("class") for e in found(drawn(), "wash")}
    assert washed["#england"] == "wash blue"
    assert set(washed) == {f"#{name}" for name in HELD}


def test_every_sea_line_is_on_the_map():
    lines = {e.get("id") for e in found(drawn({}), "sea-line")}
    assert lines == {f"line-{TERRITORY_NAMES[a]}-{TERRITORY_NAMES[b]}" for a, b in SEA_LINES}


def test_supply_lines_are_shown_on_demand_over_land_and_sea():
    assert not found(drawn(), "supply-line")
    root = drawn(supply={"blue": [["england", "scotland", "ireland"]]})
    [line] = found(root, "supply-line", "blue")
    assert len(found(line, "knot")) == 3
    [net] = found(line, "net")
    assert net.get("d").count("M") == 2  # england-scotland by land, scotland-ireland by sea
    assert found(drawn(supply={"blue": [["france"]]}), "knot")


def test_marches_are_arrows():
    [march] = found(drawn(marches=[("blue", "england", "normandy")]), "march")
    assert "blue" in march.get("class")
    assert found(march, "head")


@pytest.mark.parametrize("lang", LANGS)
def test_letters_tell_the_armies_apart(lang):
    assert len({board_map.army_sign(colour, lang) for colour in COLOURS}) == len(COLOURS)


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("theme", THEMES)
def test_one_language_and_all_colours(lang, theme):
    text = board_map.draw_map({"territories": HELD}, lang=lang, theme=theme, title="1")
    assert "var(" not in text
    assert text.count('class="labels"') == 1


def test_the_legend_counts_crowns():
    root = ET.fromstring(board_map.draw_map({"crowns": {"blue": 3, "green": 5}}))
    counts = [e.text for purse in found(root, "crowns") for e in found(purse, "tax")]
    assert counts == ["3", "5"]
    assert [e.text for e in found(root, "name")] == ["Blue", "Green"]


def test_a_view_of_the_game_can_be_drawn():
    state = risk_europe.start(("blue", "orange", "green", "purple"), risk_europe.Options())
    position = board_map.view_position(risk_europe.view(state, None))
    root = ET.fromstring(board_map.draw_map(position))
    assert len(found(root, "city")) == 15
    assert len(found(root, "name")) == 4


def test_the_supply_lines_of_a_view_are_those_of_the_rules():
    lands = dict.fromkeys(("france", "lorraine", "saxony", "england", "portugal"), "blue 2f")
    lands |= {"rome": "orange 1f", "sicily": "orange 1f"}
    s = Scene(lands, attacks={"lorraine": "orange 1f"})
    lines = board_map.supply_lines(risk_europe.view(s.state, None))
    assert sorted(lines["blue"]) == [["england"], ["france"], ["portugal"], ["saxony"]]
    assert lines["orange"] == [["rome", "sicily"]]
    for owner, name in ((0, "france"), (1, "rome")):
        ruled = sorted(
            TERRITORY_NAMES[at] for at in supply_line(s.state, owner, TERRITORY_NUMBER[name])
        )
        assert ruled in lines[COLOURS[owner]]
    assert set(board_map.supply_lines(risk_europe.view(s.state, None), "orange")) == {"orange"}


def test_a_stored_game_is_drawn_as_it_was_at_any_moment(tmp_path):
    file, picture = tmp_path / "evening.jsonl", tmp_path / "map.svg"
    played = ["play", "risk_europe", "--people", "0", "--bots", "random", "--seed", "1"]
    run = CliRunner()
    assert run.invoke(app, [*played, "-o", "rounds=2", "--save", str(file)]).exit_code == 0
    drawn = []
    for entries in (4, 12):
        at = ["--at", str(entries), "--svg", str(picture), "--lang", "es"]
        printed = run.invoke(app, ["replay", str(file), *at])
        assert printed.exit_code == 0, printed.output
        drawn.append(ET.fromstring(picture.read_text(encoding="utf-8")))
    assert [len(found(root, "muster")) for root in drawn] == [0, 8]
    assert [e.text for e in found(drawn[1], "title")] == ["Ronda 1: cartas"]
