"""Games of the terminal go on where their file ends, and no file is ever overwritten."""

import json
from pathlib import Path

import pytest
import sparks
from typer.testing import CliRunner

from powderkeg import games
from powderkeg.cli.app import app
from powderkeg.cli.play.saves import notes_path
from powderkeg.core import record
from powderkeg.core.errors import RulesError

run = CliRunner()


@pytest.fixture(autouse=True)
def tiny_game_on_the_shelf(monkeypatch):
    find = games.find_game
    monkeypatch.setattr(games, "find_game", lambda n: sparks if n == "sparks" else find(n))


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "evening.jsonl"


def play(*args: object, answers: str = "q\n") -> str:
    shown = run.invoke(
        app, ["play", *map(str, args), "--bots", "random"], input=answers, catch_exceptions=False
    )
    assert shown.exit_code == 0, shown.output
    return shown.output


def refusal(*args: object) -> RulesError:
    with pytest.raises(RulesError) as error:
        play(*args)
    return error.value


def entries(file: Path) -> list[str]:
    return [entry.do for entry in record.read_record(file.read_text()).entries]


@pytest.mark.parametrize("again", [["sparks", "--save", "FILE"], ["FILE"]])
def test_a_saved_game_goes_on_where_it_ended(file, again):
    play("sparks", "--save", file, answers="1\nq\n")
    before = entries(file)
    assert before
    out = play(*[file if word == "FILE" else word for word in again], answers="1\nq\n")
    assert "goes on where you left it" in out
    assert entries(file)[: len(before)] == before
    assert len(entries(file)) > len(before)


def test_leaving_at_once_changes_nothing(file):
    play("sparks", "--seed", 3, "--save", file, answers="1\nq\n")
    before = file.read_bytes()
    play("sparks", "--seed", 3, "--save", file)
    play(file)
    assert file.read_bytes() == before


def test_a_game_in_two_evenings_is_the_game_in_one(tmp_path):
    one, two = tmp_path / "one.jsonl", tmp_path / "two.jsonl"
    play("sparks", "--seed", 5, "--save", one, answers="1\n" * 20)
    play("sparks", "--seed", 5, "--save", two, answers="1\nq\n")
    play(two, answers="1\n" * 20)
    assert one.read_bytes() == two.read_bytes()


def test_dice_of_a_continued_game_can_be_verified(file):
    play("sparks", "--save", file, answers="1\nq\n")
    assert notes_path(file).stat().st_mode & 0o077 == 0, "the key is for the player's eyes only"
    play(file, answers="1\n" * 20)
    assert not notes_path(file).exists()
    assert "published key" in run.invoke(app, ["verify", str(file)]).output


@pytest.mark.parametrize("notes", [None, "", "{}", '{"key": "zz", "people": [], "bots": "easy"}'])
def test_without_its_key_a_game_goes_on_but_cannot_be_verified(file, notes):
    play("sparks", "--save", file, answers="1\nq\n")
    if notes is None:
        notes_path(file).unlink()
    else:
        notes_path(file).write_text(notes)
    assert "nobody can verify" in play(file, answers="1\n" * 20)
    with pytest.raises(RulesError) as error:
        run.invoke(app, ["verify", str(file)], catch_exceptions=False)
    assert error.value.code == "core.no_key"


def test_who_plays_is_remembered(file):
    play("sparks", "--seat", "Blue", "--save", file)
    assert json.loads(notes_path(file).read_text())["people"] == ["blue"]
    assert "sparks.seat.blue:" in play(file)
    assert refusal("sparks", "--seat", "green").code == "core.no_such_seat"


def test_another_copy_leaves_the_first_as_it_was(tmp_path, file):
    play("sparks", "--save", file, answers="1\nq\n")
    before, other = file.read_bytes(), tmp_path / "other.jsonl"
    play(file, "--save", other, answers="1\nq\n")
    assert file.read_bytes() == before
    assert len(entries(other)) > len(entries(file))
    assert refusal(file, "--save", other).code == "cli.save_exists"


def test_a_finished_game_is_not_played_on(file):
    play("sparks", "--save", file, answers="1\n" * 20)
    before = file.read_bytes()
    for args in ([file], ["sparks", "--save", file]):
        assert refusal(*args).code == "cli.game_is_over"
    assert file.read_bytes() == before


@pytest.mark.parametrize(
    ("args", "code"),
    [
        (["risk_europe"], "cli.save_other_game"),
        (["sparks", "-o", "rounds=1"], "cli.save_differs"),
        (["sparks", "--seed", "4"], "cli.save_differs"),
    ],
)
def test_a_file_of_another_game_is_left_alone(file, args, code):
    play("sparks", "--seed", 3, "--save", file, answers="1\nq\n")
    before = file.read_bytes()
    assert refusal(*args, "--save", file).code == code
    assert file.read_bytes() == before


@pytest.mark.parametrize("text", ["", "shopping list\n", '{"powderkeg": 1}\n'])
def test_a_file_that_is_no_game_is_left_alone(file, text):
    file.write_text(text)
    assert refusal("sparks", "--save", file).code.startswith("core.file_")
    assert file.read_text() == text


def test_a_saved_game_that_is_not_there(tmp_path):
    assert refusal(tmp_path / "none.jsonl").code == "cli.no_file"
    assert refusal("none.jsonl").code == "cli.no_file"
