"""Games of webDiplomacy, the judges and Backstabbr, written for these tests."""

import json

import pytest
import typer
from typer.testing import CliRunner

from powderkeg.cli.convert import convert_games
from powderkeg.core.errors import Unreadable
from powderkeg.core.record import Letter
from powderkeg.games import open_game_files
from powderkeg.games.diplomacy.archive.forms import load_archives
from powderkeg.games.diplomacy.archive.replay import replay_archive
from powderkeg.games.diplomacy.archive.results_text import export_judge_text
from powderkeg.games.diplomacy.archive.webdiplomacy import export_api_game

from .archive_games import GROWTH, STUCK, SWAP, played

RETREAT = ["A vie - tyr", "A tyr - ven; F tri S A tyr - ven", "A ven R apu", "A rom D"]
GAMES = [STUCK, SWAP, GROWTH, RETREAT]


def opened(text):
    return replay_archive(load_archives(text)[0])


# webDiplomacy


@pytest.mark.parametrize("moves", GAMES)
def test_a_game_of_the_api_goes_out_and_comes_back(moves):
    table = played(moves)
    letters = (Letter("FRANCE", ("ITALY",), "Hello", 0, 5.0), Letter("", (), "Go", 0))
    data = export_api_game(table, "12", letters)
    again = opened(json.dumps(data))
    assert again.table.state.units == table.state.units
    assert again.table.state.centres == table.state.centres
    assert again.letters == letters


def test_an_answer_of_the_api():
    """Numbers of webDiplomacy: Paris is 47, Burgundy 48, Munich 41; France is 2, Germany 4."""
    data = export_api_game(played(["A par - bur; A mun - bur"]), "9")
    orders = {each["terrID"]: each for each in data["phases"][0]["orders"]}
    assert orders[47] | {"turn": 0} == {
        "turn": 0,
        "phase": "Diplomacy",
        "countryID": 2,
        "unitType": "Army",
        "terrID": 47,
        "type": "Move",
        "fromTerrID": 0,
        "toTerrID": 48,
        "viaConvoy": "No",
        "success": "No",
        "dislodged": "No",
    }
    assert orders[41]["countryID"] == 4


def test_an_answer_of_the_api_may_hold_a_phase_twice():
    data = export_api_game(played(GROWTH), "12")
    data["phases"].insert(1, data["phases"][0])
    assert opened(json.dumps(data)).table.state.units == played(GROWTH).state.units


@pytest.mark.parametrize(
    ("moves", "phase", "kind"),
    [([*RETREAT[:2], "A ven D"], "Retreats", "Disband"), (RETREAT, "Builds", "Destroy")],
)
def test_a_unit_is_disbanded_in_a_retreat_and_destroyed_in_winter(moves, phase, kind):
    data = export_api_game(played(moves), "9")
    orders = [o["type"] for p in data["phases"] if p["phase"] == phase for o in p["orders"]]
    assert orders == [kind]


def test_numbers_of_the_api_may_be_texts():
    data = export_api_game(played(GROWTH), "12") | {"variantID": "1"}
    assert opened(json.dumps(data)).table.state.units == played(GROWTH).state.units


def test_variants_of_the_api_are_refused():
    data = export_api_game(played(GROWTH), "12") | {"variantID": 15}
    with pytest.raises(Unreadable, match="standard map"):
        opened(json.dumps(data))


# nJudge, DPjudge

MAIL = """\
From: the judge
Subject: evening: results

Movement results for Spring of 1901.  (evening.001)

Austria: Army Budapest -> Serbia.
Austria: Army Vienna -> Galicia. (*bounce*)
Austria: Fleet Trieste -> Albania.
England: Army Liverpool -> Yorkshire.
England: Fleet London -> North Sea.
England: Fleet Edinburgh, no order processed.
Russia: Army Warsaw -> Galicia. (*bounce*)
Russia: Fleet St. Petersburg (south coast) -> Gulf
        of Bothnia.
Russia: Army Moscow SUPPORT Army Warsaw -> Livonia. (*void*)

Movement results for Fall of 1901.  (evening.002)

Austria: Army Serbia SUPPORT Fleet Albania -> Greece.
Austria: Fleet Albania -> Greece.
England: Army Yorkshire -> North Sea -> Norway.
England: Fleet North Sea CONVOY Army Yorkshire -> Norway.
Russia: Fleet Gulf of Bothnia -> Sweden.

Adjustment results for Winter of 1901.  (evening.003)

Austria:   Builds an army in Budapest.
Austria:   Builds a fleet in Trieste.
England:   1 unusable build pending.
Russia:    Builds a fleet in St. Petersburg (north coast).
"""


def test_a_mailbox_of_a_judge():
    state = opened(MAIL).table.state
    assert state.phase == "S1902M"
    assert set(map(str, state.units["AUSTRIA"])) == {"A vie", "A ser", "F gre", "A bud", "F tri"}
    assert state.centres["nwy"] == "ENGLAND"
    assert "F stp/nc" in map(str, state.units["RUSSIA"])


OTHER_MAIL = MAIL.replace("(evening.", "(morning.")


@pytest.mark.parametrize(
    ("line", "drawn"),
    [
        ("Game 'morning' declared a draw.", ["morning"]),
        ("Game 'evening' has been declared a draw.", ["evening"]),
        ("The game was declared a draw.", ["morning"]),
        ("> we agreed not to draw, so let us play on until it ends in a draw", []),
    ],
)
def test_a_draw_ends_the_game_that_the_judge_names(line, drawn):
    found = load_archives(f"{MAIL}\n{OTHER_MAIL}\n{line}\n")
    assert [archive.id for archive in found if archive.over] == drawn


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("fleet in Trieste", "fleet in Xyz", "Winter 1901"),
        ("Winter of 1901", "Winter of 0000", "Winter 0"),
    ],
)
def test_a_game_that_cannot_be_read_costs_no_other_of_the_mailbox(old, new, why):
    bad, good = open_game_files(f"{MAIL.replace(old, new)}\n{OTHER_MAIL}")
    assert (bad.name, good.name) == ("evening", "morning")
    assert good.record
    assert why in str(bad.problem)


def test_results_that_were_mailed_twice_are_one_phase():
    twice = MAIL.replace("Movement results for Fall", f"{MAIL}\nMovement results for Fall")
    assert opened(twice).table.state == opened(MAIL).table.state


REPORT = """\
Movement results for Spring of 1901. (Spring 1901 Movement)

Austria:
A Budapest - Serbia
F Trieste - Albania
A Vienna - Galicia (*Bounce*)

Russia:
A Warsaw - Galicia (*Bounce*)
A Moscow Supports A Warsaw (*Ordered to Move*)
F St Petersburg(sc) - Gulf of Bothnia

Movement results for Fall of 1901. (Fall 1901 Movement)

Austria:
F Albania - Greece
A Serbia Supports F Albania - Greece

Adjustment orders for Winter of 1901. (Winter 1901 Adjustments)

Austria:
Build A Budapest
Build F Trieste
"""


def test_results_below_the_names_of_the_powers():
    """As programs for moderators print them, with the phase where a judge has the game's name."""
    [archive] = load_archives(REPORT)
    assert len(archive.phases) == 3
    state = opened(REPORT).table.state
    assert state.phase == "S1902M"
    assert set(map(str, state.units["AUSTRIA"])) == {"A vie", "A ser", "F gre", "A bud", "F tri"}
    assert "F bot" in map(str, state.units["RUSSIA"])


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("F Albania - Greece\n", "F Albania - Xyz\n", "No place on the map is called “Xyz”"),
        ("F Albania - Greece\n", "F Ionian Sea - Greece\n", "Ionian Sea"),
        ("A Serbia Supports", "A Rumania Supports", "Rumania"),
    ],
)
def test_an_order_that_makes_no_sense_there_is_no_hold(old, new, why):
    """Without positions, an order for a unit that is not there is the only sign of a difference."""
    with pytest.raises(Unreadable) as error:
        opened(REPORT.replace(old, new))
    assert error.value.code == "archive.order_unread"
    assert "Fall 1901, movement" in str(error.value)
    assert why in str(error.value)


def test_a_text_without_orders_is_no_game():
    with pytest.raises(Unreadable) as error:
        opened("Movement results for Spring of 1901.\n\nWe shall see.\n")
    assert error.value.code == "archive.no_orders"


def test_a_wrong_result_is_found():
    with pytest.raises(Unreadable) as error:
        opened(MAIL.replace("Galicia. (*bounce*)", "Galicia.", 1))
    assert error.value.code == "archive.failed_here_only"


@pytest.mark.parametrize("moves", GAMES)
def test_a_game_as_judges_write_it(moves):
    table = played(moves)
    text = export_judge_text(table, "evening")
    again = opened(text).table
    assert again.state.units == table.state.units
    assert again.state.centres == table.state.centres
    assert load_archives(text)[0].id == "evening"


# Backstabbr

PAGE = """\
Spring 1901
Austria
Bud - Ser SUCCEEDS
Vie - Gal FAILS
Tri - Alb
Russia
War → Gal FAILS
StP - BOT

Fall 1901
Austria: Ser S Alb - Gre; Alb - Gre
Russia: BOT - Swe

Winter 1901
Austria: Build A Bud; F Tri B
"""


def test_a_page_of_orders():
    state = opened(PAGE).table.state
    assert state.phase == "S1902M"
    assert len(state.units["AUSTRIA"]) == 5
    assert state.centres["gre"] == "AUSTRIA"
    assert state.centres["swe"] == "RUSSIA"


SEASONS = {
    "id": "7",
    "seasons": {
        "1901 winter": {"orders": {"Austria": {"Vie": {"type": "BUILD", "unit_type": "A"}}}},
        "1901 spring": {
            "orders": {
                "Austria": {"Vie": {"type": "MOVE", "to": "Tyr", "result": "SUCCEEDS"}},
                "Italy": {"Ven": {"type": "HOLD", "result": "SUCCEEDS"}},
            }
        },
        "1901 fall": {
            "orders": {
                "Austria": {
                    "Tyr": {"type": "MOVE", "to": "Ven", "result": "SUCCEEDS"},
                    "Tri": {"type": "SUPPORT", "from": "Tyr", "to": "Ven", "result": "SUCCEEDS"},
                },
                "Italy": {
                    "Ven": {
                        "type": "HOLD",
                        "result": "FAILS",
                        "retreat": {"type": "MOVE", "to": "Apu", "result": "SUCCEEDS"},
                    }
                },
            }
        },
    },
}


def test_seasons_of_backstabbr():
    state = opened(json.dumps(SEASONS)).table.state
    assert set(map(str, state.units["AUSTRIA"])) == {"A bud", "A ven", "F tri", "A vie"}
    assert len(state.units["ITALY"]) == 2  # one was removed by the rule


def test_a_judge_says_that_a_move_by_sea_failed():
    """An army in Bulgaria that was to go by sea, but no fleet carried it."""
    table = played(["A con - bul; F ank - bla", "A bul - rum via"])
    text = export_judge_text(table, "sea")
    assert "Army Bulgaria -> Rumania via convoy. (*no convoy*)" in text
    assert opened(text).table.state.units == table.state.units


def test_an_unknown_form_lists_those_that_are_known():
    with pytest.raises(Unreadable, match="nJudge"):
        list(open_game_files("Dear diary, today we played."))


def test_a_folder_of_seasons(tmp_path):
    app = typer.Typer()
    app.command()(convert_games)
    (tmp_path / "in").mkdir()
    for name, season in SEASONS["seasons"].items():
        file = tmp_path / "in" / f"game7_{name.title().replace(' ', '_')}.json"
        file.write_text(json.dumps(season), encoding="utf-8")
    shown = CliRunner().invoke(app, [str(tmp_path / "in"), str(tmp_path / "out")])
    assert shown.exit_code == 0
    [ours] = (tmp_path / "out").iterdir()
    assert ours.name == "game7.jsonl"
    for to, start in (("judge", "Movement results for Spring of 1901."), ("webdiplomacy", "{")):
        out = CliRunner().invoke(app, [str(ours), "--to", to]).stdout
        assert out.startswith(start)
        [found] = open_game_files(out)
        assert found.problem is None
