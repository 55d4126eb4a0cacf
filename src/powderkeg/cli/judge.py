"""Diplomacy's judge, for moderators of games by post or at a table, and for programs."""

import sys
from collections.abc import Iterable
from dataclasses import fields
from pathlib import Path
from typing import Annotated, Any

import typer

from powderkeg import games
from powderkeg.cli.files import keep_picture
from powderkeg.cli.playout import read_options
from powderkeg.cli.say import Lang, use_language
from powderkeg.core.errors import Unreadable


def judge_orders(
    file: Annotated[
        Path, typer.Argument(help="A page of positions and orders; - is standard input.")
    ] = Path("-"),
    *,
    svg: Annotated[
        Path | None, typer.Option(help="Draw the map with the last orders judged, as SVG.")
    ] = None,
    png: Annotated[Path | None, typer.Option(help="The same as PNG.")] = None,
    jsonl: Annotated[
        bool, typer.Option("--jsonl", help="One position per line, in and out, for programs.")
    ] = False,
    option: Annotated[
        list[str] | None,
        typer.Option("--option", "-o", help="A reading of the rulebook, name=value."),
    ] = None,
    lang: Lang = None,
) -> None:
    """Adjudicate Diplomacy orders, explain the results and write the page for the next phase."""
    from powderkeg.games.diplomacy.judge import page, report

    chosen = use_language(lang)
    rulebook = read_rulebook(option or [])
    if jsonl:
        answer_lines(read_lines(file), chosen, rulebook)
        return
    turns = page.judge_page("".join(read_lines(file)), rulebook)
    sys.stdout.write(report.judge_report(turns, chosen))
    if svg or png:
        drawn = report.phase_drawing(([turn for turn in turns if turn.judged] or turns)[-1], chosen)
        keep_picture(drawn, svg, png)


def read_rulebook(given: list[str]) -> Any:
    """The options of the game are a rulebook and more; only the rulebook matters here."""
    from powderkeg.games.diplomacy.rules.position import Rulebook

    names = [field.name for field in fields(Rulebook)]
    for text in given:
        if (name := text.partition("=")[0]) not in names:
            raise Unreadable("cli.no_such_option", name=name, options=names)
    return read_options(games.find_game("diplomacy"), given)


def answer_lines(source: Iterable[str], lang: str, rulebook: Any) -> None:
    """Answer each line as soon as it is read, so that a program may wait for the answer."""
    from powderkeg.games.diplomacy.judge import jsonl as json_lines

    for line in source:
        if line.strip():
            sys.stdout.write(json_lines.judge_line(line, lang, rulebook) + "\n")
            sys.stdout.flush()


def read_lines(file: Path) -> Iterable[str]:
    if str(file) == "-":
        return checked_lines(sys.stdin)
    try:
        return file.read_text(encoding="utf-8").splitlines(keepends=True)
    except FileNotFoundError:
        raise Unreadable("cli.no_file", path=str(file)) from None
    except (OSError, UnicodeDecodeError):
        raise Unreadable("judge.not_text", path=str(file)) from None


def checked_lines(source: Iterable[str]) -> Iterable[str]:
    """Lines of text; other bytes arrive as lone surrogates or as an error, depending on the shell."""
    try:
        for line in source:
            line.encode()
            yield line
    except UnicodeError:
        raise Unreadable("judge.not_text", path="-") from None
