"""Every command line in the README and the docs has commands and options that exist."""

import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer

from powderkeg.cli.app import app
from powderkeg.cli.lazy import LazyCommand

ROOT = Path(__file__).parent.parent.parent
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
BLOCK = re.compile(r"```(?:text|sh|bash|console|)\n(.*?)```", re.DOTALL)
CALL = re.compile(r"(?:\$ )?(?:[A-Z_]+=\S+ )*powderkeg(?= |$)(.*)")
REMARK = re.compile(r"\s{2,}|\s[|#>]\s| && ")  # columns of a table, a comment, the rest of a pipe


def documented_calls(text: str) -> Iterator[str]:
    """What follows `powderkeg` in blocks and in code among the words."""
    lines = [
        line for block in BLOCK.findall(text) for line in block.replace("\\\n", "").split("\n")
    ]
    lines += re.findall(r"`(powderkeg [^`\n]+)`", text)
    for line in lines:
        if found := CALL.fullmatch(line.strip()):
            yield REMARK.split(found[1].strip())[0]


def unknown_words(call: str) -> list[str]:
    """The commands and options of a call that do not exist."""
    here: Any = typer.main.get_command(app)
    words = shlex.split(call)
    known = {"--help"}
    while True:
        here = here.load_command() if isinstance(here, LazyCommand) else here
        known |= {name for each in here.params for name in (*each.opts, *each.secondary_opts)}
        if not hasattr(here, "commands") or not words or words[0].startswith("-"):
            break
        if words[0] not in here.commands:
            return [words[0]]
        here = here.commands[words.pop(0)]
    options = [word.partition("=")[0] for word in words if re.match(r"--?[a-z]", word)]
    return [option for option in options if option not in known]


CALLS = sorted({call for page in PAGES for call in documented_calls(page.read_text("utf-8"))})


@pytest.mark.parametrize("call", CALLS)
def test_a_documented_command_exists_with_its_options(call):
    assert unknown_words(call) == []


def test_what_does_not_exist_is_found():
    assert len(CALLS) > 60
    assert unknown_words("plya diplomacy") == ["plya"]
    assert unknown_words("cards lsit versailles") == ["lsit"]
    assert unknown_words("play diplomacy --palyers 3 -o length=5") == ["--palyers"]
