"""Diplomacy's judge, for moderators of games by post or at a table, and for programs."""

import sys
from collections.abc import Iterable
from dataclasses import fields
from pathlib import Path
from typing import Annotated, Any

import typer

from powderkeg import games
from powderkeg.cli.files import keep_picture
from powderkeg.cli.options import read_options
from powderkeg.cli.say import Lang, use_language
from powderkeg.core.errors import Unreadable


def judge_orders(
    file: Annotated[
        Path,
        typer.Argument(
            help="A page of positions and orders, or mail: a mailbox, a folder, a message; - is standard input."
        ),
    ] = Path("-"),
    *,
    mail: Annotated[
        list[Path] | None,
        typer.Option(help="Orders by mail: an mbox, a Maildir, a folder of .eml files, a message."),
    ] = None,
    game: Annotated[
        Path | None, typer.Option(help="Who plays which power: addresses and languages, as TOML.")
    ] = None,
    answers: Annotated[
        Path | None, typer.Option(help="A folder for the answers, one mail file per player.")
    ] = None,
    check: Annotated[
        bool, typer.Option("--check", help="Only say what has arrived by mail and who is missing.")
    ] = False,
    strict: Annotated[
        bool, typer.Option("--strict", help="Fail if anything was not read; write no answers.")
    ] = False,
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
    from powderkeg.cli.moderate import by_mail
    from powderkeg.games.diplomacy.judge import report

    chosen = use_language(lang)
    rulebook = read_rulebook(option or [])
    if jsonl:
        answer_lines(read_lines(file), chosen, rulebook)
        return
    text, mails = read_source(file, mail or [])
    if mails is None and not (answers or check or game):
        turn = judge_text(text, chosen, rulebook, strict=strict)
    else:
        job = by_mail.MailJob(text, mails or [], by_mail.game_of(game), rulebook, chosen)
        turn = by_mail.judge_mail(job, answers, strict=strict, check=check)
    if svg or png:
        keep_picture(report.phase_drawing(turn, chosen), svg, png)


def read_source(file: Path, mail: list[Path]) -> tuple[str, list[Any] | None]:
    """The text of a page, and the mails; without mail, none. `file` itself may be mail: then the
    game begins with it."""
    from powderkeg.cli.moderate.mail_files import is_mail, parse_mails, read_mails

    if mail:
        return "".join(read_lines(file)), [each for path in mail for each in read_mails(path)]
    if file.is_dir():
        if mails := read_mails(file):
            return "", mails
        raise Unreadable("judge.no_mailbox", path=str(file))
    if str(file) != "-" and file.is_file() and is_mail(file.read_bytes()):
        return "", read_mails(file)
    text = "".join(read_lines(file))
    return ("", parse_mails([text.encode()])) if is_mail(text.encode()) else (text, None)


def judge_text(text: str, lang: str, rulebook: Any, *, strict: bool) -> Any:
    """Judge a page and print the answer; the last phase judged."""
    from powderkeg.cli.moderate.by_mail import fail_strictly
    from powderkeg.games.diplomacy.judge import page, report

    turns = page.judge_page(text, rulebook, lang)
    sys.stdout.write(report.judge_report(turns, lang))
    if strict and any(turn.refused for turn in turns):
        fail_strictly()
    return ([turn for turn in turns if turn.judged] or turns)[-1]


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
