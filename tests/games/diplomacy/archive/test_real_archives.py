"""Archives of real games differ in many small things; none of them keeps a game from being read."""

import copy
import json

import pytest
import typer
from typer.testing import CliRunner

from powderkeg import games
from powderkeg.cli.convert import convert_games
from powderkeg.core import record
from powderkeg.core.errors import Unreadable
from powderkeg.core.words import say
from powderkeg.games.diplomacy.archive.replay import replay_archive
from powderkeg.games.diplomacy.archive.saved_game import export_game, load_saved_game
from powderkeg.games.diplomacy.state import Options

from .archive_games import GROWTH, STUCK, SWAP, as_dipcc, inserted, named, played, saved

app = typer.Typer()
app.command()(convert_games)


def replayed(data):
    return replay_archive(load_saved_game(json.loads(json.dumps(data))))


def refusal(data):
    with pytest.raises(Unreadable) as error:
        replayed(data)
    return error.value


@pytest.mark.parametrize("moves", [STUCK, SWAP, GROWTH])
def test_a_game_of_dipcc_is_read(moves):
    table = played(moves)
    assert replayed(as_dipcc(export_game(table))).table.state == table.state


def test_units_without_refuge_may_be_listed():
    data = as_dipcc(saved(STUCK))
    before = named(data, "W1901A")["state"]
    units = copy.deepcopy(before["units"])
    units["AUSTRIA"].append("*F TRI")
    old_centers = named(data, "F1901M")["state"]["centers"]
    for refuges in ([], ["ALB"]):  # an occupied place is offered by one program after convoys
        retreats = {"AUSTRIA": {"F TRI": refuges}, "ITALY": []}
        more = inserted(
            data, "W1901A", "F1901R", units=units, retreats=retreats, centers=old_centers
        )
        named(more, "F1901R")["orders"] = {"AUSTRIA": ["F TRI D"], "ITALY": None}
        assert replayed(more).table.state == played(STUCK).state


def test_phases_in_which_nobody_decides_may_be_there():
    data = inserted(as_dipcc(saved(["", "", ""])), "S1902M", "W1901A")
    assert replayed(data).table.state == played(["", "", ""]).state


def test_phases_may_be_left_out():
    data = as_dipcc(saved(GROWTH))
    data["phases"].remove(named(data, "W1901A"))
    assert replayed(data).table.state.units == played(GROWTH).state.units


def test_a_retreat_that_is_left_out_is_seen_in_the_next_position():
    moves = ["A vie - tyr", "A tyr - ven; F tri S A tyr - ven", "A ven R apu", ""]
    data = as_dipcc(saved(moves))
    data["phases"].remove(named(data, "F1901R"))
    assert replayed(data).table.state.units == played(moves).state.units


def test_a_removal_that_another_program_chose_is_followed():
    moves = ["A vie - tyr", "A tyr - ven; F tri S A tyr - ven", "A ven R apu", "A rom D"]
    data = as_dipcc(saved([*moves, ""]))
    named(data, "W1901A")["orders"] = {}
    assert replayed(data).table.state.units == played([*moves, ""]).state.units


def test_the_reading_of_the_other_program_is_found():
    options = Options(convoy_intent="via_only")
    data = as_dipcc(saved([*SWAP, ""], options))
    table = replayed(data).table
    assert table.options == options
    assert table.state == played([*SWAP, ""], options).state


def test_a_doubled_phase_counts_once():
    data = as_dipcc(saved(GROWTH))
    last = copy.deepcopy(data["phases"][-1])
    last["orders"] = {"AUSTRIA": ["A BUD H"]}
    data["phases"].insert(-1, last)
    assert replayed(data).table.state == played(GROWTH).state


def test_empty_parts_may_be_null_or_lists():
    data = as_dipcc(saved(GROWTH))
    for phase in data["phases"]:
        phase |= {"results": [], "messages": None}
        phase["orders"] = {p: texts or None for p, texts in phase["orders"].items()} or []
        phase["state"]["retreats"] = []
    assert replayed(data).table.state == played(GROWTH).state


def test_phases_may_be_written_in_full():
    data = as_dipcc(saved(GROWTH))
    names = {"S": "SPRING", "F": "FALL", "W": "WINTER", "M": "MOVEMENT", "A": "ADJUSTMENTS"}
    for phase in data["phases"]:
        short = phase["name"]
        phase["name"] = f"{names[short[0]]} {short[1:-1]} {names[short[-1]]}"
    assert replayed(data).table.state == played(GROWTH).state


def test_a_game_that_went_on_after_a_victory():
    moves = [*GROWTH, "A bud - rum; A vie - gal", ""]
    data = as_dipcc(saved(moves, Options(victory_centres=34)))
    for phase in data["phases"][3:]:  # Austria holds nearly all by the moderator's grace
        held = phase["state"]["centers"]
        for power in ("ENGLAND", "FRANCE", "GERMANY", "ITALY", "RUSSIA"):
            held["AUSTRIA"] += held.pop(power, [])
    error = refusal(data)  # but we see it
    assert error.code == "archive.centre_differs"


def test_the_first_unit_that_differs_is_named():
    data = as_dipcc(saved(GROWTH))
    named(data, "S1902M")["state"]["units"]["AUSTRIA"].remove("A SER")
    named(data, "S1902M")["state"]["units"]["TURKEY"].append("A SER")
    error = refusal(data)
    assert say(error.msg) == (
        "The file differs from our rules. Spring 1902, movement, Serbia: in the file "
        "A Ser (Turkey), under our rules A Ser (Austria)."
    )


def test_the_first_centre_that_differs_is_named():
    data = as_dipcc(saved(GROWTH))
    for phase in data["phases"][2:]:
        phase["state"]["centers"]["AUSTRIA"].remove("GRE")
    assert say(refusal(data).msg).endswith(
        "the centre Greece belongs to nobody in the file, to Austria under our rules."
    )


def test_the_first_difference_is_in_a_retreat_that_we_do_not_have():
    """Another program dislodged a unit that stands its ground under our rules."""
    data = as_dipcc(saved(GROWTH))
    units = copy.deepcopy(named(data, "W1901A")["state"]["units"])
    units["AUSTRIA"] = [unit for unit in units["AUSTRIA"] if unit != "A SER"] + ["*A SER"]
    units["TURKEY"] = [*units["TURKEY"], "A SER"]
    more = inserted(data, "W1901A", "F1901R", units=units)
    named(more, "F1901R")["state"]["retreats"] = {"AUSTRIA": {"A SER": ["ALB"]}}
    assert replayed(more).table.state == played(GROWTH).state  # the next position agrees
    named(more, "W1901A")["state"]["units"]["AUSTRIA"].remove("A VIE")
    assert say(refusal(more).msg) == (
        "The file differs from our rules. Fall 1901, retreats, Serbia: in the file "
        "A Ser (Turkey), under our rules A Ser (Austria)."
    )


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"map": "ancmed"}, "judge.other_map"),
        ({"rules": ["BUILD_ANY"]}, "archive.other_rules"),
        ({"phases": []}, "archive.empty"),
    ],
)
def test_what_we_do_not_play_is_refused_in_words(change, code):
    assert refusal(saved(GROWTH) | change).code == code


def test_a_game_must_begin_at_the_beginning():
    data = saved(GROWTH)
    data["phases"] = data["phases"][1:]
    assert refusal(data).code == "archive.starts_late"


# Press


LETTERS = [
    {
        "sender": "FRANCE",
        "recipient": "ENGLAND",
        "time_sent": 16640466260000,  # ten-thousandths of a second
        "phase": "S1901M",
        "message": "Shall we leave the Channel\nempty?",
    },
    {"sender": "SYSTEM", "recipient": "GLOBAL", "phase": "S1901M", "message": "Go."},
    {"sender": "FRANCE", "recipient": "OBSERVER", "phase": "S1901M", "message": "hidden"},
]


def test_messages_come_in_and_go_out():
    data = as_dipcc(saved(GROWTH))
    data["phases"][1]["messages"] = LETTERS
    table, letters = replayed(data)
    assert [(each.seat, each.to, each.at) for each in letters] == [
        ("FRANCE", ("ENGLAND",), 1664046626.0),
        ("", (), None),
    ]
    kept = record.make_record(table, None, letters)
    again = record.read_record(record.write_record(kept))
    assert again == kept
    assert again.header.powderkeg == 2
    out = export_game(record.replay_record(again, games.find_game("diplomacy")), "x", again.letters)
    assert [m["message"] for m in named(out, "F1901M")["messages"]] == [
        "Shall we leave the Channel\nempty?",
        "Go.",
    ]
    assert "NO_PRESS" not in out["rules"]


def test_a_file_without_letters_is_as_before():
    assert record.make_record(played(GROWTH)).header.powderkeg == 1


# The command


def run(*args):
    return CliRunner().invoke(app, [str(arg) for arg in args], catch_exceptions=False)


def test_several_games_of_a_file(tmp_path):
    bad = as_dipcc(saved(SWAP)) | {"id": "bad", "map": "modern"}
    file, folder = tmp_path / "many.jsonl", tmp_path / "out"
    texts = [json.dumps(g) for g in (saved(STUCK) | {"id": "a/1"}, bad, saved(GROWTH))]
    file.write_text(f"{texts[0]}\n{texts[1]}{texts[2]}", encoding="utf-8")
    shown = run(file, folder)
    assert shown.exit_code == 1
    assert len(shown.stderr.splitlines()) == 3
    assert "many bad: not converted. Only the standard map" in shown.stderr
    assert sorted(path.name for path in folder.iterdir()) == ["many-a-1.jsonl", "many-made.jsonl"]
    # and back: a folder of ours becomes one archive, a game per line
    back = tmp_path / "back.jsonl"
    assert run(folder, back).exit_code == 0
    lines = back.read_text(encoding="utf-8").splitlines()
    assert [json.loads(line)["id"] for line in lines] == ["many-a-1", "many-made"]


def test_several_games_in_one_file_of_ours(tmp_path):
    file, out, back = tmp_path / "many.json", tmp_path / "ours.jsonl", tmp_path / "back.json"
    file.write_text(json.dumps([saved(STUCK), saved(GROWTH)]), encoding="utf-8")
    assert run(file, out).exit_code == 0
    assert run(out, back).exit_code == 0
    assert len(back.read_text(encoding="utf-8").splitlines()) == 2


def test_a_broken_line_costs_one_game(tmp_path):
    file = tmp_path / "many.jsonl"
    file.write_text(f'{{"id": \n{json.dumps(saved(GROWTH))}\n', encoding="utf-8")
    shown = run(file, tmp_path / "out")
    assert shown.exit_code == 1
    assert shown.stderr.count("not converted") == 1
    assert shown.stderr.count(": converted") == 1


def test_a_folder_with_other_files(tmp_path):
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "notes.md").write_text("hello", encoding="utf-8")
    (tmp_path / "in" / "game.json").write_text(json.dumps(saved(GROWTH)), encoding="utf-8")
    shown = run(tmp_path / "in", tmp_path / "out")
    assert shown.exit_code == 1
    assert "notes.md: not converted" in shown.stderr
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["game.jsonl"]
