"""Messages at the terminal, in the reader's language."""

import os
import sys
from io import TextIOWrapper
from typing import Annotated, NoReturn

import typer
from rich.console import Console

from powderkeg.core.errors import RulesError
from powderkeg.core.words import LANGS, Arg, LangCode, Msg, say

console = Console(highlight=False)
errors = Console(stderr=True, highlight=False)

Lang = Annotated[
    LangCode | None,
    typer.Option(help="Language; default: that of the environment."),
]
_chosen = ["en"]


def write_plainly() -> None:
    """Write files and pipes as UTF-8 on every system, and replace letters that a terminal lacks."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            if not stream.isatty() and "PYTHONIOENCODING" not in os.environ:
                stream.reconfigure(encoding="utf-8")
            if stream is not sys.stdin:
                stream.reconfigure(errors="replace")


def use_language(lang: str | None) -> str:
    """Use `lang` from now on, or the language of the environment."""
    asked = (os.environ.get(name) for name in ("LANGUAGE", "LC_ALL", "LANG"))
    there = next(filter(None, asked), "en")[:2]
    _chosen[0] = lang or (there if there in LANGS else "en")
    return _chosen[0]


def chosen_language() -> str:
    """The language in use."""
    return _chosen[0]


def speak_text(what: Arg) -> str:
    return say(what, _chosen[0])


def t(code: str, /, **args: Arg) -> str:
    return speak_text(Msg(code, **args))


def fail_with(error: RulesError) -> NoReturn:
    """Print what was wrong with the input and exit."""
    rule = f" ({error.rule})" if error.rule else ""
    errors.print(f"{speak_text(error.msg)}{rule}", style="red", markup=False)
    sys.exit(2)
