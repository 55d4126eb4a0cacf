"""Help and refusals of the command line, in three languages."""

import os
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest
from babel.messages.pofile import read_po
from typer.main import get_command

from powderkeg.cli.app import app
from powderkeg.cli.lazy import LazyCommand
from powderkeg.core.words import LOCALE_FOLDERS

pytestmark = pytest.mark.slow
HERE = {"PYTHONPATH": os.environ.get("PYTHONPATH", "")}  # nothing else of this environment


def run(*args: str) -> tuple[int, str]:
    done = subprocess.run(
        [sys.executable, "-m", "powderkeg", *args],
        capture_output=True,
        text=True,
        check=False,
        env={**HERE, "COLUMNS": "200", "LANG": "C.UTF-8", "PYTHONIOENCODING": "utf-8"},
    )
    return done.returncode, done.stdout + done.stderr


def texts(command: Any) -> Iterator[str]:
    command = command.load_command() if isinstance(command, LazyCommand) else command
    for explained in (command, *command.params):
        assert explained.help, f"{explained.name} is not explained"
        yield from explained.help.split("\n\n")
    for each in getattr(command, "commands", {}).values():
        yield from texts(each)


@pytest.mark.parametrize("lang", ["es", "it"])
def test_every_help_text_is_translated(lang):
    path = LOCALE_FOLDERS[0] / lang / "LC_MESSAGES" / "messages.po"
    with path.open("rb") as file:
        known = {m.id for m in read_po(file, locale=lang) if m.id and m.string}
    assert set(texts(get_command(app))) - known == set()


def test_help_speaks_the_language_asked_for():
    code, said = run("odds", "--help", "--lang", "es")
    assert code == 0
    assert "El defensor tiene un castillo." in said
    assert "Opciones" in said
    assert "Ejemplo:" in said
    assert "Muestra esta ayuda" in said
    assert said.startswith("Uso: powderkeg odds [")
    assert "The defender" not in said


def test_help_loads_nothing_that_draws():
    command = [sys.executable, "-X", "importtime", "-m", "powderkeg", "--help"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    loaded = {line.rpartition("|")[2].strip() for line in done.stderr.splitlines()}
    assert "powderkeg.cli.app" in loaded
    assert not {"rich.markdown", "rich.table", "pygments", "typer.rich_utils"} & loaded


@pytest.mark.parametrize("group", [(), ("cards",), ("admin",), ("daide",)])
def test_help_tells_every_command_to_the_end(group):
    code, said = run(*group, "--help")
    assert code == 0
    assert "..." not in said.partition("Commands:")[2]
    assert "Commands:" in said


@pytest.mark.slow
@pytest.mark.parametrize(
    ("args", "said"),
    [
        ("playout --lang es", "Falta game."),
        ("playout versailles --gams 3 --lang it", "opzione --gams non esiste; forse --games?"),
        ("playout versailles --qqqq --lang it", "opzione --qqqq non esiste."),
        ("playout versailles --games x", "--games: expected a number, 1 or more."),
        ("playout versailles --seed x --lang it", "--seed: ci si aspettava un numero intero."),
        ("version --lang fr", "--lang: expected one of en, es, it."),
        ("version a b --lang it", "Ci sono più argomenti"),
        ("foo --lang es", "No existe el comando 'foo'."),
        ("playout versailles --lang es --games", "La opción --games necesita un valor."),
    ],
)
def test_what_is_wrong_with_a_command(args, said):
    code, printed = run(*args.split())
    assert code == 2
    assert said in printed
    assert "--help" in printed


def test_no_command_gets_the_help():
    code, printed = run()
    assert code == 2
    assert "playout" in printed


@pytest.mark.slow
@pytest.mark.parametrize(
    "args", ["--lang es --help", "--help --lang es", "admin --help --lang es", "--lang es cards -h"]
)
def test_every_help_can_be_asked_for_in_a_language(args):
    code, printed = run(*args.split())
    assert code == 0
    assert "Comandos" in printed


def test_the_language_may_come_first():
    code, printed = run("--lang", "it", "replay", "/no/such.file")
    assert (code, printed) == (2, "Il file /no/such.file non esiste.\n")


def judged(page: str, **env: str) -> tuple[int, bytes, bytes]:
    done = subprocess.run(
        [sys.executable, "-m", "powderkeg", "judge", "--lang", "es"],
        input=page.encode(),
        capture_output=True,
        check=False,
        env=HERE | env,
    )
    return done.returncode, done.stdout, done.stderr


@pytest.mark.slow
def test_what_goes_to_a_file_is_utf_8_whatever_the_system_thinks():
    """As on Windows, where files and pipes have an old alphabet of their own."""
    old = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    code, said, error = judged("Primavera de 1901\nTurquía: A Con-Bul", **old)
    assert (code, error) == (0, b"")
    assert "Turquía" in said.decode()


def test_a_letter_that_the_terminal_does_not_have_is_no_error():
    code, said, error = judged("Spring 1901\nTurkey: A Con-Bul", PYTHONIOENCODING="ascii")
    assert (code, error) == (0, b"")
    assert b"Turqu?a" in said


@pytest.mark.slow
@pytest.mark.parametrize(
    "args",
    ["version", "--help", "play --help", "rules --json", "cards list versailles", "odds 3f 2f"],
)
def test_a_closed_pipe_is_no_error(args):
    """As in `powderkeg ... | head`: nothing more is to be said, on no channel."""
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run(
        [sys.executable, "-m", "powderkeg", *args.split()],
        stdout=writer,
        stderr=subprocess.PIPE,
        check=False,
    )
    os.close(writer)
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.parametrize(
    ("line", "offered"),
    [
        ("powderkeg pla", ["play", "playout"]),
        ("powderkeg play ri", ["risk_europe"]),
        ("powderkeg play diplomacy --bots e", ["easy", "expert"]),
        ("powderkeg admin b", ["ban", "backup"]),
        ("powderkeg version --lang e", ["en", "es"]),
    ],
)
def test_the_tab_key_completes_commands_games_levels_and_languages(line, offered):
    done = subprocess.run(
        [sys.executable, "-m", "powderkeg"],
        capture_output=True,
        text=True,
        check=False,
        env={
            **os.environ,
            "_POWDERKEG_COMPLETE": "complete_bash",
            "COMP_WORDS": line,
            "COMP_CWORD": str(len(line.split()) - 1),
        },
    )
    assert (done.stdout.split(), done.stderr) == (offered, "")
