"""Saved games of other programs come in, ours go out, and nothing is lost on the way."""

import copy
import itertools
import json
import random
from collections import Counter
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest
import typer
from hypothesis import given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

import powderkeg.games.diplomacy as game
from powderkeg import games
from powderkeg.cli.convert import convert_games
from powderkeg.core import record
from powderkeg.core.errors import Unreadable
from powderkeg.core.table import Table
from powderkeg.games.diplomacy.actions import Ready
from powderkeg.games.diplomacy.archive.forms import load_archives
from powderkeg.games.diplomacy.archive.replay import replay_archive
from powderkeg.games.diplomacy.archive.results_text import export_judge_text
from powderkeg.games.diplomacy.archive.saved_game import export_game, load_saved_game
from powderkeg.games.diplomacy.archive.webdiplomacy import export_api_game
from powderkeg.games.diplomacy.board import POWERS
from powderkeg.games.diplomacy.judge.jsonl import load_orders
from powderkeg.games.diplomacy.judge.judge import judge_phase
from powderkeg.games.diplomacy.judge.sheet import sheet_of
from powderkeg.games.diplomacy.rules.position import Rulebook
from powderkeg.games.diplomacy.state import Options, survivors

from .archive_games import as_dipcc
from .jdip_saves import jdip_text, jdip_world

CASES = Path(__file__).parents[1] / "cases"
SAVED = (CASES / "saved_games.jsonl").read_text(encoding="utf-8")
WON = (CASES / "won_game.jsonl").read_text(encoding="utf-8")  # by France, in 1904
ARCHIVES = load_archives(SAVED)  # random games by the package; the second lets stranded armies walk
RAW = [json.loads(line) for line in SAVED.splitlines()]

app = typer.Typer()
app.command()(convert_games)


def sorted_lists(data):
    if isinstance(data, dict):
        return {key: sorted_lists(value) for key, value in data.items()}
    return sorted(data) if isinstance(data, list) else data


def test_what_is_in_a_saved_game():
    archive = ARCHIVES[0]
    assert archive.id == RAW[0]["id"]
    assert [phase.phase for phase in archive.phases] == [p["name"] for p in RAW[0]["phases"]]
    assert archive.phases[0].orders["FRANCE"] == RAW[0]["phases"][0]["orders"]["FRANCE"]
    assert archive.phases[0].results == RAW[0]["phases"][0]["results"]


@pytest.mark.parametrize("number", [0, 1])
def test_every_phase_is_judged_as_it_was(number):
    rulebook = Rulebook(land_fallback=number == 1)
    phases = ARCHIVES[number].phases
    for phase, after in itertools.pairwise(phases):
        orders, refused = load_orders(phase.sheet, phase.orders)
        judged = judge_phase(phase.sheet, orders, rulebook).sheet
        assert not refused
        assert judged.phase == after.sheet.phase
        assert sorted_lists({p: list(map(str, u)) for p, u in judged.units.items()}) == (
            sorted_lists({p: list(map(str, u)) for p, u in after.sheet.units.items()})
        )
        assert judged.centres == after.sheet.centres


@pytest.mark.parametrize("number", [0, 1])
def test_a_saved_game_is_played_again(number):
    table = replay_archive(ARCHIVES[number]).table
    assert table.options.land_fallback is (number == 1)
    last = ARCHIVES[number].phases[-1].sheet
    assert sheet_of(table.state.situation).phase == last.phase
    assert sheet_of(table.state.situation).centres == last.centres


@pytest.mark.slow
@pytest.mark.parametrize("number", [0, 1])
def test_there_and_back(number):
    """Positions, centres, retreats, builds and influence are those of the program it came from."""
    exported = export_game(replay_archive(ARCHIVES[number]).table, RAW[number]["id"])
    assert json.loads(json.dumps(exported)) == exported
    assert exported["id"] == RAW[number]["id"]
    for ours, theirs in zip(exported["phases"], RAW[number]["phases"], strict=True):
        for key in ("name", "units", "centers", "homes", "influence", "builds", "civil_disorder"):
            assert sorted_lists(ours["state"][key]) == sorted_lists(theirs["state"][key]), key
        assert ours["state"].keys() == theirs["state"].keys()
        assert ours["state"]["retreats"].keys() == theirs["state"]["retreats"].keys()
        assert ours.keys() == theirs.keys()
    assert (
        replay_archive(load_saved_game(exported)).table.state
        == replay_archive(ARCHIVES[number]).table.state
    )


def test_our_games_go_out_and_come_back():
    rng = random.Random(3)
    table = Table(game)
    while table.to_act and len(table.log) < 400:
        seat = min(table.to_act)
        for _ in range(4):
            action = table.legal(seat).sample(rng)
            if str(action)[:2] in ("A ", "F "):
                table.act(seat, action)
        table.act(seat, Ready())
    again = replay_archive(load_saved_game(export_game(table))).table
    assert sheet_of(again.state.situation) == sheet_of(table.state.situation)
    assert again.state.phase == table.state.phase


def test_undone_orders_do_not_go_out():
    table = Table(game)
    table.act("FRANCE", "A par - bur")
    table.undo("FRANCE")
    for power in POWERS:
        table.act(power, "ready")
    orders = export_game(table)["phases"][0]["orders"]
    assert orders["FRANCE"] == []


def test_where_a_game_parts_from_our_rules():
    raw = copy.deepcopy(RAW[0])
    raw["phases"][3]["state"]["units"]["FRANCE"].pop()
    with pytest.raises(Unreadable) as error:
        replay_archive(load_saved_game(raw))
    assert error.value.code == "archive.unit_differs"
    assert error.value.msg.args["phase"].args["year"] == 1902


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "archive.unknown_form"),
        ("[1]", "archive.not_a_saved_game"),
        ("{}", "archive.not_a_saved_game"),
        ("nonsense", "archive.unknown_form"),
        ('{"phases": [1]}', "archive.at_phase"),
        ('{"phases": [], "map": "modern"}', "judge.other_map"),
    ],
)
def test_what_is_no_saved_game(text, code):
    with pytest.raises(Unreadable) as error:
        replay_archive(load_archives(text)[0])
    assert error.value.code == code


def agreed(table, what, *voters):
    proposer, *others = voters
    table.act(proposer, f"propose {what}")
    for power in others:
        table.act(power, f"accept {what}")


def passed(table, phases):
    """`phases` phases in which everybody holds."""
    for _ in range(phases):
        for power in sorted(table.to_act):
            table.act(power, Ready())


def come_back(table):
    again = replay_archive(load_saved_game(export_game(table))).table
    assert again.state.ending == table.state.ending
    assert again.state.units == table.state.units
    assert again.state.centres == table.state.centres
    assert game.result(again.state) == game.result(table.state)
    assert export_game(again) == export_game(table)
    return again


@pytest.mark.parametrize("phases", [0, 1, 2, 3])
def test_a_draw_goes_out_and_comes_back(phases):
    table = Table(game)
    passed(table, phases)
    agreed(table, "draw", *POWERS)
    exported = export_game(table)
    unplayed, last = exported["phases"][-2:]
    assert set(unplayed["orders"].values()) == {None}
    assert unplayed["results"] == {}
    assert last["name"] == "COMPLETED"
    assert last["state"]["note"] == "Victory by: AUS, ENG, FRA, GER, ITA, RUS, TUR"
    come_back(table)


@pytest.mark.parametrize(("phases", "stage"), [(0, "retreat"), (1, "adjustment")])
def test_a_draw_amid_retreats_and_adjustments_comes_back(phases, stage):
    table = Table(game)
    table.act("AUSTRIA", "A vie - tyr")
    passed(table, 1)
    table.act("AUSTRIA", "A tyr - ven")
    table.act("AUSTRIA", "F tri S A tyr - ven")
    passed(table, 1 + phases)
    assert table.state.stage == stage
    agreed(table, "draw", *POWERS)
    come_back(table)


def test_a_concession_comes_back():
    table = Table(game)
    passed(table, 1)
    agreed(table, "FRANCE", *(power for power in POWERS if power != "FRANCE"))
    assert come_back(table).state.ending == ("concession", ("FRANCE",))


@pytest.mark.parametrize("year", [1901, 1902])
def test_a_game_out_of_time_comes_back(year):
    table = Table(game, 7, Options(last_year=year))
    table.act("GERMANY", "A mun - bur")
    passed(table, 1)
    table.act("GERMANY", "A bur - bel")
    while table.to_act:
        passed(table, 1)
    assert come_back(table).options.last_year == year


def test_a_won_game_comes_back():
    table = record.replay_record(record.read_record(WON), game)
    assert come_back(table).state.ending == ("victory", ("FRANCE",))


def went_on():
    """The won game, but its players went on for another year."""
    kept = record.read_record(WON)
    options = {**kept.header.options, "victory_centres": 34}
    kept = replace(kept, header=replace(kept.header, options=options))
    table = record.replay_record(kept, game)
    assert max(Counter(table.state.centres.values()).values()) >= 18
    passed(table, 4)
    return table


@pytest.mark.parametrize(
    "export",
    [
        lambda table: json.dumps(export_game(table)),
        lambda table: json.dumps(as_dipcc(export_game(table))),
        lambda table: json.dumps(export_api_game(table, "7")),
        lambda table: export_judge_text(table, "evening"),
        lambda table: jdip_text(jdip_world(table)),
    ],
)
def test_a_game_that_went_on_after_a_victory_goes_on(export):
    table = went_on()
    again = replay_archive(load_archives(export(table))[0]).table
    assert again.state.ending is None
    assert sheet_of(again.state.situation) == sheet_of(table.state.situation)


def test_a_game_won_with_fewer_centres_comes_back_with_its_winner():
    """Other programs do not know the option: there the others gave in."""
    table = Table(game, 7, Options(victory_centres=4))
    while table.to_act:
        passed(table, 1)
    assert table.state.ending == ("victory", ("RUSSIA",))
    again = replay_archive(load_saved_game(export_game(table))).table
    assert again.state.ending == ("concession", ("RUSSIA",))
    assert sheet_of(again.state.situation) == sheet_of(table.state.situation)


def completed(number, note):
    """An archived game that was ended where it stood."""
    raw = copy.deepcopy(RAW[number])
    last = copy.deepcopy(raw["phases"][-1])
    last["name"] = last["state"]["name"] = "COMPLETED"
    last["state"]["note"] = note
    raw["phases"].append(last)
    return raw


@pytest.mark.slow
@pytest.mark.parametrize("number", [0, 1])
@pytest.mark.parametrize("played", [False, True])
def test_an_archived_game_that_nobody_won_ends_in_a_draw(number, played):
    """Some programs keep the phase that was not played any more, others do not."""
    raw = completed(number, "")
    if played:
        del raw["phases"][-2]
    state = replay_archive(load_saved_game(raw)).table.state
    assert state.ending == ("draw", survivors(state))
    assert (
        sheet_of(state.situation).units
        == sheet_of(replay_archive(ARCHIVES[number]).table.state.situation).units
    )


def test_the_end_of_an_archived_game_must_agree_with_ours():
    raw = completed(0, "")
    raw["phases"][-1]["state"]["units"]["FRANCE"].pop()
    with pytest.raises(Unreadable) as error:
        replay_archive(load_saved_game(raw))
    assert error.value.code == "archive.unit_differs"


def test_an_end_that_our_rules_do_not_know_is_left_open_and_said(tmp_path):
    """All survivors share a draw (D-WIN-04); elsewhere some of them may."""
    raw = completed(0, "Victory by: FRA, TUR")
    table = replay_archive(load_saved_game(raw)).table
    assert table.state == replay_archive(ARCHIVES[0]).table.state
    saved = tmp_path / "saved.json"
    saved.write_text(json.dumps(raw), encoding="utf-8")
    shown = CliRunner().invoke(app, [str(saved), str(tmp_path / "ours.jsonl")])
    assert shown.exit_code == 0
    assert "Spring 1904" in " ".join(shown.stderr.split())


junk = st.none() | st.integers() | st.text(max_size=5) | st.lists(st.integers(), max_size=2)
phases = st.dictionaries(st.sampled_from(["name", "state", "orders", "results", "messages"]), junk)


@settings(deadline=None)
@given(phases, st.booleans())
def test_any_phase_is_read_or_refused(phase, whole):
    first = RAW[0]["phases"][0] if whole else {"state": {}}
    with suppress(Unreadable):
        assert len(load_saved_game({"phases": [{**first, **phase}]}).phases) == 1


@pytest.mark.slow
def test_the_command(tmp_path):
    saved, ours, back = tmp_path / "saved.json", tmp_path / "ours.jsonl", tmp_path / "back.json"
    saved.write_text(json.dumps(RAW[0]), encoding="utf-8")
    run = CliRunner()
    assert run.invoke(app, [str(saved), str(ours)]).exit_code == 0
    table = record.replay_record(record.read_record(ours.read_text(encoding="utf-8")), game)
    assert table.state == replay_archive(ARCHIVES[0]).table.state
    assert run.invoke(app, [str(ours), str(back)]).exit_code == 0
    assert load_saved_game(json.loads(back.read_text(encoding="utf-8"))).id == "ours"
    shown = run.invoke(app, [str(ours)])
    assert json.loads(shown.output)["phases"]
    with pytest.raises(Unreadable):
        run.invoke(app, [str(tmp_path / "none")], catch_exceptions=False)
    other = tmp_path / "other.jsonl"
    other.write_text(record.write_record(record.make_record(Table(games.find_game("risk_europe")))))
    with pytest.raises(Unreadable) as error:
        run.invoke(app, [str(other)], catch_exceptions=False)
    assert error.value.code == "judge.not_diplomacy"
