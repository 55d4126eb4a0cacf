"""Games from and to the saved games of other Diplomacy programs."""

import json
import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from powderkeg.cli.files import rules_of
from powderkeg.cli.say import Lang, errors, t, use_language
from powderkeg.core import record
from powderkeg.core.errors import RulesError, Unreadable
from powderkeg.core.table import Table


def convert_game(
    file: Annotated[
        Path,
        typer.Argument(
            help="A game file of ours, or a saved game (JSON) of the Python package diplomacy."
        ),
    ],
    out: Annotated[Path, typer.Argument(help="Where to write; - is standard output.")] = Path("-"),
    *,
    lang: Lang = None,
) -> None:
    """Convert a saved game of another Diplomacy program into a Powderkeg game file, or back."""
    use_language(lang)
    text = read_game_text(file)
    try:
        kept = record.read_record(text)
    except RulesError:
        converted = record.write_record(record.make_record(import_saved_game(text)))
    else:
        table = record.replay_record(kept, rules_of(kept))
        converted = json.dumps(export_saved_game(table, file.stem), ensure_ascii=False) + "\n"
    if str(out) == "-":
        sys.stdout.write(converted)
    else:
        out.write_text(converted, encoding="utf-8")


def import_saved_game(text: str) -> Table:
    from powderkeg.games.diplomacy.judge import exchange
    from powderkeg.games.diplomacy.judge.sheet import sheet_phase_name

    archive = exchange.first_archive(text)
    table = exchange.replay_archive(archive)
    if archive.over and table.to_act:
        left = t("judge.end_left_open", phase=sheet_phase_name(table.state.phase))
        errors.print(left, markup=False)
    return table


def export_saved_game(table: Table, name: str) -> dict[str, Any]:
    from powderkeg.games.diplomacy.judge import exchange

    if table.game.name != "diplomacy":
        raise Unreadable("judge.not_diplomacy", game=table.game.name)
    return exchange.export_game(table, name)


def read_game_text(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise Unreadable("cli.no_file", path=str(file)) from None
    except (OSError, UnicodeDecodeError):
        raise Unreadable("core.file_foreign") from None
