"""Saved games of other programs come in, ours go out, and nothing is lost on the way."""

import copy
import itertools
import json
import random
from contextlib import suppress
from pathlib import Path

import pytest
import typer
from hypothesis import given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

import powderkeg.games.diplomacy as game
from powderkeg import games
from powderkeg.cli.convert import convert
from powderkeg.core import record
from powderkeg.core.errors import Unreadable
from powderkeg.core.table import Table
from powderkeg.games.diplomacy.board import POWERS
from powderkeg.games.diplomacy.exchange import (
    export_game,
    import_game,
    load,
    load_all,
    replay,
    sheet_of,
)
from powderkeg.games.diplomacy.judge import judge
from powderkeg.games.diplomacy.lines import load_orders
from powderkeg.games.diplomacy.orders import Ready
from powderkeg.games.diplomacy.position import Rulebook

SAVED = (Path(__file__).parent / "cases" / "saved_games.jsonl").read_text(encoding="utf-8")
ARCHIVES = load_all(SAVED)  # random games by the package; the second lets stranded armies walk
RAW = [json.loads(line) for line in SAVED.splitlines()]

app = typer.Typer()
app.command()(convert)


def sorted_lists(data):
    if isinstance(data, dict):
        return {key: sorted_lists(value) for key, value in data.items()}
    return sorted(data) if isinstance(data, list) else data


def test_what_is_in_a_saved_game():
    archive = ARCHIVES[0]
    assert archive.id == RAW[0]["id"]
    assert [phase.sheet.phase for phase in archive.phases] == [p["name"] for p in RAW[0]["phases"]]
    assert archive.phases[0].orders["FRANCE"] == RAW[0]["phases"][0]["orders"]["FRANCE"]
    assert archive.phases[0].results == RAW[0]["phases"][0]["results"]


@pytest.mark.parametrize("number", [0, 1])
def test_every_phase_is_judged_as_it_was(number):
    rulebook = Rulebook(land_fallback=number == 1)
    phases = ARCHIVES[number].phases
    for phase, after in itertools.pairwise(phases):
        orders, refused = load_orders(phase.sheet, phase.orders)
        judged = judge(phase.sheet, orders, rulebook).sheet
        assert not refused
        assert judged.phase == after.sheet.phase
        assert sorted_lists({p: list(map(str, u)) for p, u in judged.units.items()}) == (
            sorted_lists({p: list(map(str, u)) for p, u in after.sheet.units.items()})
        )
        assert judged.centres == after.sheet.centres


@pytest.mark.parametrize("number", [0, 1])
def test_a_saved_game_is_played_again(number):
    table = replay(ARCHIVES[number])
    assert table.options.land_fallback is (number == 1)
    last = ARCHIVES[number].phases[-1].sheet
    assert sheet_of(table.state).phase == last.phase
    assert sheet_of(table.state).centres == last.centres


@pytest.mark.parametrize("number", [0, 1])
def test_there_and_back(number):
    """Positions, centres, retreats, builds and influence are those of the program it came from."""
    exported = export_game(replay(ARCHIVES[number]), RAW[number]["id"])
    assert json.loads(json.dumps(exported)) == exported
    assert exported["id"] == RAW[number]["id"]
    for ours, theirs in zip(exported["phases"], RAW[number]["phases"], strict=True):
        for key in ("name", "units", "centers", "homes", "influence", "builds", "civil_disorder"):
            assert sorted_lists(ours["state"][key]) == sorted_lists(theirs["state"][key]), key
        assert ours["state"].keys() == theirs["state"].keys()
        assert ours["state"]["retreats"].keys() == theirs["state"]["retreats"].keys()
        assert ours.keys() == theirs.keys()
    assert replay(load(exported)).state == replay(ARCHIVES[number]).state


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
    again = import_game(json.dumps(export_game(table)))
    assert sheet_of(again.state) == sheet_of(table.state)
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
        replay(load(raw))
    assert error.value.code == "judge.diverges"
    assert error.value.msg.args["found"].args["year"] == 1902


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "judge.not_a_saved_game"),
        ("[]", "judge.not_a_saved_game"),
        ("{}", "judge.not_a_saved_game"),
        ("nonsense", "judge.not_a_saved_game"),
        ('{"phases": [1]}', "judge.not_a_saved_game"),
        ('{"phases": [], "map": "modern"}', "judge.other_map"),
    ],
)
def test_what_is_no_saved_game(text, code):
    with pytest.raises(Unreadable) as error:
        import_game(text)
    assert error.value.code == code


junk = st.none() | st.integers() | st.text(max_size=5) | st.lists(st.integers(), max_size=2)
phases = st.dictionaries(st.sampled_from(["name", "state", "orders", "results", "messages"]), junk)


@settings(deadline=None)
@given(phases, st.booleans())
def test_any_phase_is_read_or_refused(phase, whole):
    first = RAW[0]["phases"][0] if whole else {"state": {}}
    with suppress(Unreadable):
        assert len(load({"phases": [{**first, **phase}]}).phases) == 1


def test_the_command(tmp_path):
    saved, ours, back = tmp_path / "saved.json", tmp_path / "ours.jsonl", tmp_path / "back.json"
    saved.write_text(json.dumps(RAW[0]), encoding="utf-8")
    run = CliRunner()
    assert run.invoke(app, [str(saved), str(ours)]).exit_code == 0
    table = record.replay(record.read(ours.read_text(encoding="utf-8")), game)
    assert table.state == replay(ARCHIVES[0]).state
    assert run.invoke(app, [str(ours), str(back)]).exit_code == 0
    assert load(json.loads(back.read_text(encoding="utf-8"))).id == "ours"
    shown = run.invoke(app, [str(ours)])
    assert json.loads(shown.output)["phases"]
    with pytest.raises(Unreadable):
        run.invoke(app, [str(tmp_path / "none")], catch_exceptions=False)
    with pytest.raises(Unreadable):
        run.invoke(app, [str(tmp_path)], catch_exceptions=False)
    other = tmp_path / "other.jsonl"
    other.write_text(record.write(record.record(Table(games.find("risk_europe")))))
    with pytest.raises(Unreadable) as error:
        run.invoke(app, [str(other)], catch_exceptions=False)
    assert error.value.code == "judge.not_diplomacy"
