"""The commands as a person meets them: what they print, how they end, what they say when wrong."""

import json
import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any

import pytest
import sparks
from typer.main import get_command
from typer.testing import CliRunner

from powderkeg import __version__ as powderkeg_version
from powderkeg import games
from powderkeg.bots.engine import budget
from powderkeg.cli.app import Commands, app
from powderkeg.cli.lazy import LazyCommand
from powderkeg.cli.say import console
from powderkeg.core import record
from powderkeg.core.errors import RulesError
from powderkeg.core.extras import MissingExtra
from powderkeg.core.options import option_fields

run = CliRunner()


@pytest.fixture(autouse=True)
def tiny_game_on_the_shelf(monkeypatch):
    find = games.find_game
    monkeypatch.setattr(games, "find_game", lambda n: sparks if n == "sparks" else find(n))


def powderkeg(
    *args: str, stdin: str = "", env: dict[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """The real command in a process of its own."""
    code = "from powderkeg.cli import main; main()"
    return subprocess.run(
        [sys.executable, "-c", code, *args],
        input=stdin,
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
        env=env,
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    ("args", "lang", "said"),
    [
        (["play", "chess"], "en", "There is no game called “chess”"),
        (["play", "chess"], "es", "No hay ningún juego llamado «chess»"),
        (["replay", "/no/such.file"], "it", "Il file /no/such.file non esiste"),
        (["verify", __file__], "es", "no es un archivo de partida"),
    ],
)
def test_bad_input_gets_a_sentence_and_a_clean_exit_code(args, lang, said):
    done = powderkeg(*args, "--lang", lang)
    assert done.returncode == 2
    assert said in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.slow
@pytest.mark.parametrize(
    ("command", "address", "lang", "said"),
    [
        ("worker", "foo://", "en", "Powderkeg cannot use the database address foo://"),
        ("serve", "ann:secret@host/db", "en", "Powderkeg cannot use the database address ?://"),
        ("worker", "mysql://ann:secret@host/db", "es", "dirección de base de datos mysql://"),
        ("serve", "postgresql://ann:secret@host:port/db", "it", "di database postgresql://"),
    ],
)
def test_a_database_that_cannot_be_used_gets_a_sentence(command, address, lang, said):
    """The sentence goes to logs: it never holds the password."""
    done = powderkeg(command, "--database", address, "--lang", lang)
    assert done.returncode == 2
    assert said in " ".join(done.stderr.split())
    assert "secret" not in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.slow
def test_a_driver_of_sqlite_that_is_not_there_gets_a_sentence():
    done = powderkeg("serve", "--database", "sqlite+foo:///here", "--lang", "it")
    assert done.returncode == 2
    assert "indirizzo di database sqlite+foo://" in " ".join(done.stderr.split())
    assert "Traceback" not in done.stderr


@pytest.mark.slow
def test_unknown_commands_and_flags():
    assert powderkeg("dance").returncode == 2
    assert powderkeg("rules", "--loud").returncode == 2
    assert "Traceback" not in powderkeg("playout", "x", "--games", "many").stderr


@pytest.mark.slow
@pytest.mark.parametrize(
    ("command", "env", "lang", "said"),
    [
        ("serve", {"BOTS": "many"}, "en", "POWDERKEG_BOTS cannot be “many”"),
        ("admin list", {"JOBS": "maybe"}, "es", "POWDERKEG_JOBS no puede ser «maybe»"),
        ("worker", {"BOT_SECONDS": "soon"}, "it", "POWDERKEG_BOT_SECONDS non può essere «soon»"),
        ("admin list", {"DATABASE_URL": "sqlite:///HERE/text"}, "en", "file is not a database"),
        ("serve", {"DATABASE_URL": "sqlite:///HERE/text"}, "it", "file is not a database"),
        (
            "admin list --status lost",
            {},
            "es",
            "--status: se esperaba una de estas opciones: open, live",
        ),
        ("admin backup /no/such/folder/x", {}, "en", "/no/such/folder/x"),
        ("admin backup HERE/powderkeg.sqlite", {}, "it", "il database stesso"),
        ("serve --port 99999", {}, "en", "--port: expected a number from 0 to 65535."),
    ],
)
def test_a_server_that_cannot_be_has_a_sentence(tmp_path, command, env, lang, said):
    (tmp_path / "text").write_text("no database, though long enough to be taken for one\n" * 40)
    given = {"DATA": str(tmp_path), **env}
    settings = {f"POWDERKEG_{k}": v.replace("HERE", str(tmp_path)) for k, v in given.items()}
    args = [part.replace("HERE", str(tmp_path)) for part in command.split()]
    done = powderkeg(*args, "--lang", lang, env={**os.environ, **settings})
    assert done.returncode == 2, done.stderr
    assert said in " ".join(done.stderr.split())
    assert "Traceback" not in done.stderr


@pytest.mark.slow
def test_a_taken_port_is_reported_before_anything_is_promised(tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        env = {**os.environ, "POWDERKEG_DATA": str(tmp_path)}
        done = powderkeg("serve", "--port", str(port), "--lang", "it", env=env)
    assert (done.returncode, done.stdout) == (2, "")
    assert f"Non si può ascoltare sulla porta {port} di 127.0.0.1" in " ".join(done.stderr.split())


@pytest.mark.slow
def test_a_backup_that_fails_leaves_the_last_one_as_it_was(tmp_path):
    env = {**os.environ, "POWDERKEG_DATA": str(tmp_path)}
    kept = tmp_path / "kept.sqlite"
    assert powderkeg("admin", "backup", str(kept), env=env).returncode == 0
    assert kept.read_bytes().startswith(b"SQLite format 3")
    before = kept.read_bytes()
    (tmp_path / "kept.sqlite.part").mkdir()  # nothing can be written there
    assert powderkeg("admin", "backup", str(kept), env=env).returncode == 2
    assert kept.read_bytes() == before


@pytest.mark.parametrize(
    ("command", "extra"),
    [
        ("serve", "server"),
        ("worker", "server"),
        ("admin list", "server"),
        ("arena risk_europe --a easy --b random", "arena"),
        ("arena risk_europe --a easy --b random --ray local", "cluster"),
        ("tune versailles values weights.json", "arena"),
        ("mcp diplomacy", "mcp"),
        ("seat http://127.0.0.1:9/t/AbC", "client"),
    ],
)
def test_a_missing_extra_is_named_before_any_work(monkeypatch, tmp_path, command, extra):
    """The install test does the same without a trick, in environments without the extra."""
    monkeypatch.chdir(tmp_path)
    packages = {"server": "uvicorn", "cluster": "ray", "arena": "openskill"}
    packages |= {"mcp": "mcp", "client": "httpx2"}
    monkeypatch.setitem(sys.modules, packages[extra], None)
    error = run.invoke(app, command.split()).exception
    assert isinstance(error, MissingExtra)
    assert error.msg.args == {"extra": extra}
    assert list(tmp_path.iterdir()) == []


def commands(command: Any, path: str) -> Iterator[tuple[str, Any]]:
    command = command.load_command() if isinstance(command, LazyCommand) else command
    if not getattr(command, "commands", {}):
        yield path, command
    for name, each in getattr(command, "commands", {}).items():
        yield from commands(each, f"{path} {name}")


@pytest.mark.parametrize("line", Commands.lines, ids=lambda line: line.name)
def test_a_line_of_the_help_is_the_first_sentence_of_its_command(line):
    assert LazyCommand(line).load_command().help.partition("\n\n")[0] == line.help


def imported_by(*args: str) -> set[str]:
    """What the command imports, as Python itself reports it."""
    code = "import sys; from powderkeg.cli import main\ntry: main()\nfinally: print(*sys.modules, file=sys.stderr)"
    done = subprocess.run(
        [sys.executable, "-c", code, *args], capture_output=True, text=True, check=True
    )
    return set(done.stderr.split())


@pytest.mark.slow
@pytest.mark.parametrize("args", ["--help", "--version", "--lang es admin --help"])
def test_help_imports_no_game_and_nothing_heavy(args):
    modules = imported_by(*args.split())
    assert "powderkeg.cli.app" in modules
    heavy = {"numpy", "sqlalchemy", "fastapi", "uvicorn", "starlette"}
    heavy |= {f"powderkeg.{part}" for part in ("bots", "server", "rl", "client", "picture")}
    heavy |= {f"powderkeg.games.{name}" for name in games.GAME_NAMES}
    assert modules & heavy == set()


@pytest.mark.slow
@pytest.mark.parametrize(("path", "command"), list(commands(get_command(app), "powderkeg")))
def test_every_command_helps_with_an_example_and_speaks_three_languages(path, command):
    shown = run.invoke(app, [*path.split()[1:], "--help"])
    assert shown.exit_code == 0
    assert f"Example: {path}" in " ".join(shown.output.split())
    assert "--lang" in {option for each in command.params for option in each.opts}


def test_version_and_rules():
    assert run.invoke(app, ["version"]).output.strip() == powderkeg_version
    assert run.invoke(app, ["--version"]).output == f"powderkeg {powderkeg_version}\n"
    counts = json.loads(run.invoke(app, ["rules", "--json"]).output)
    assert all({"proven", "total", "missing"} == set(count) for count in counts.values())
    assert run.invoke(app, ["rules", "--lang", "it"]).exit_code == 0


def playout(*args: str) -> dict[str, Any]:
    shown = run.invoke(app, ["playout", "sparks", "--json", *args])
    assert shown.exit_code == 0, shown.output
    return dict(json.loads(shown.output))


def test_playout_for_programs():
    found = playout("--games", "5", "--seed", "3")
    assert found["games"] == 5
    assert found["games_per_second"] > 0
    assert found["decisions_per_second"] > 0
    assert found["digest"] == playout("--games", "5", "--seed", "3")["digest"]
    assert found["digest"] != playout("--games", "5", "--seed", "4")["digest"]


def test_a_slow_machine_plays_the_same_games(monkeypatch):
    """Levels think by iterations here; an hour between two looks at the clock changes nothing."""
    asked = ("--games", "2", "--seed", "3", "--bot", "easy")
    found = playout(*asked)["digest"]
    hours = count(step=3600)
    monkeypatch.setattr(budget, "read_time", lambda: float(next(hours)))
    assert playout(*asked)["digest"] == found


def test_playout_for_people():
    shown = run.invoke(app, ["playout", "sparks", "--games", "2", "--lang", "es"])
    assert "Victorias" in shown.output
    assert "partidas por segundo" in shown.output


def test_playout_with_options():
    short = playout("-o", "rounds=1", "-o", "sparks=no")["results"]["mean_decisions"]
    assert short < playout("-o", "rounds=3")["results"]["mean_decisions"]
    for wrong in ("rounds=9", "sparks=maybe", "colour=red"):
        with pytest.raises(RulesError):
            run.invoke(app, ["playout", "sparks", "-o", wrong], catch_exceptions=False)


@pytest.mark.parametrize(
    ("lang", "said"),
    [
        (
            "en",
            ["Last year of the game", "0 or a number from 1901 to 2000; default: 0", "(default)"],
        ),
        ("es", ["Último año de la partida", "0 o un número de 1901 a 2000", "(por defecto)"]),
        ("it", ["Ultimo anno della partita", "0 o un numero da 1901 a 2000", "(predefinito)"]),
    ],
)
@pytest.mark.parametrize("ask", [["options", "diplomacy"], ["play", "diplomacy", "-o", "help"]])
def test_options_are_listed_with_meaning_values_and_default(ask, lang, said, monkeypatch):
    monkeypatch.setattr(console, "width", 200)
    shown = run.invoke(app, [*ask, "--lang", lang])
    assert shown.exit_code == 0
    assert all(words in shown.output for words in said), shown.output


def test_every_option_of_every_game_is_listed():
    found = json.loads(run.invoke(app, ["options", "--json"]).output)
    assert list(found) == list(games.GAME_NAMES)
    for name, listed in found.items():
        fields = option_fields(games.find_game(name).Options)
        assert [each["name"] for each in listed] == [field.name for field in fields]
        assert all(each["label"] != each["name"].replace("_", " ") for each in listed)


def test_only_a_card_pack_is_listed_as_a_card_pack():
    found = json.loads(run.invoke(app, ["options", "--json"]).output)
    packs = {
        (game, option["name"])
        for game, options in found.items()
        for option in options
        if "card pack" in option["values"]
    }
    assert packs == {("versailles", "pack"), ("risk_europe", "cards")}


def test_an_option_without_sense_is_refused():
    with pytest.raises(RulesError, match="0 or a number from 1901 to 2000"):
        run.invoke(app, ["playout", "diplomacy", "-o", "last_year=1800"], catch_exceptions=False)


def play(answers: str, *args: str) -> str:
    shown = run.invoke(app, ["play", "sparks", "--seed", "1", *args], input=answers)
    assert shown.exit_code == 0, shown.output
    return shown.output


def test_a_whole_game_in_the_terminal(tmp_path: Path):
    file = tmp_path / "evening.jsonl"
    out = play("b\n0\n1\n" + "1\n" * 12, "--save", str(file))
    assert "Your hand" in out
    assert "Type a number" in out
    assert "Three rounds were played." in out
    printed = run.invoke(app, ["replay", str(file), "--seat", "red", "--lang", "it"])
    assert "Hai scelto" in printed.output
    assert "Si sono giocati tre turni" in printed.output
    with pytest.raises(RulesError):
        run.invoke(app, ["replay", str(file), "--seat", "green"], catch_exceptions=False)


def test_verified_dice(tmp_path: Path):
    file = tmp_path / "evening.jsonl"
    shown = run.invoke(app, ["play", "sparks", "--people", "0", "--save", str(file)])
    assert shown.exit_code == 0
    assert "follow from the published key" in run.invoke(app, ["verify", str(file)]).output


def test_typing_the_notation_undoing_and_leaving():
    out = play("castle\nduck\nu\nq\n")
    assert "not an action" in out
    assert "cannot do that now" in out
    assert "You cannot undo this" in out
    assert "See you next time" in out


def test_orders_are_typed_as_people_write_them():
    args = ["play", "diplomacy", "--lang", "es", "--seed", "1"]
    typed = "E Vie-Gal, E Bud-Ser\nF Tri-Xyz\nq\n"
    out = run.invoke(app, args, input=typed, catch_exceptions=False).output
    assert "E Viena: A vie - gal" in out
    assert "E Budapest: A bud - ser" in out
    assert "Sin órdenes este turno" in out  # answers begin with a capital
    assert "Ninguna región del mapa se llama «Xyz»" in out


def test_hot_seat_hides_hands_between_people():
    out = play("card c1\n" * 4 + "q\nq\nq\n", "--people", "2")
    assert "Pass the keyboard to" in out
    with pytest.raises(RulesError):
        run.invoke(app, ["play", "sparks", "--people", "3"], catch_exceptions=False)


@pytest.mark.slow
@pytest.mark.parametrize(
    "args",
    [
        ["play", "risk_europe", "--people", "0", "--save", "/no/such/folder/evening.jsonl"],
        ["judge", "-", "--svg", "/no/such/folder/map.svg"],
        ["play", "os.path"],
        ["play", "risk_europe", "--players", "0"],
    ],
)
def test_what_cannot_be_done_is_said_at_once(args):
    done = powderkeg(*args)
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    assert "wins" not in done.stdout


@pytest.mark.slow
def test_the_end_of_a_game_is_printed_once(tmp_path: Path):
    file = str(tmp_path / "short.jsonl")
    game = ["diplomacy", "--people", "0", "--bots", "random", "-o", "last_year=1901"]
    run.invoke(app, ["play", *game, "--save", file], catch_exceptions=False)
    printed = run.invoke(app, ["replay", file]).output
    assert printed.count("The last agreed year is over") == 1


@pytest.mark.slow
def test_a_file_names_a_game_and_never_a_module_to_run(tmp_path: Path):
    file = tmp_path / "evening.jsonl"
    header = record.Header("os.path", 1, 2, {})
    file.write_text(record.write_record(record.Record(header, ())), encoding="utf-8")
    for command in ("replay", "verify", "convert"):
        done = powderkeg(command, str(file))
        assert done.returncode == 2
        assert "no game called “os.path”" in done.stderr


def test_the_end_of_the_input_is_a_way_to_leave(tmp_path: Path):
    file = tmp_path / "evening.jsonl"
    assert "See you next time" in play("", "--save", str(file))
    assert run.invoke(app, ["replay", str(file)]).exit_code == 0


@pytest.mark.slow
def test_solitaire_asks_no_question_with_one_answer():
    args = ["play", "versailles", "--players", "1", "--seed", "3"]
    printed = run.invoke(app, args, input="1\n" * 400).output
    assert "(1-1)" not in printed
    assert "Place influence" in printed
