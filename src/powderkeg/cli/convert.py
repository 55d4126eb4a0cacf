"""Games from and to the files of other Diplomacy programs."""

import json
import re
import sys
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import Annotated, Final, Literal, NamedTuple

import typer

from powderkeg import games
from powderkeg.cli.files import rules_of
from powderkeg.cli.say import Lang, errors, speak_text, t, use_language
from powderkeg.core import record
from powderkeg.core.errors import RulesError, Unreadable
from powderkeg.core.game_files import FoundGame, decode_game_file
from powderkeg.core.words import Msg

WrittenForm = Literal["saved", "webdiplomacy", "judge"]
_SEASON_FILE: Final = re.compile(
    r"(?P<game>.+)_(?P<year>\d{4})_(?P<season>spring|fall|winter)\.json", re.IGNORECASE
)


class Converted(NamedTuple):
    """A converted game, or why it cannot be converted; `name` is for its file and the report."""

    name: str
    ending: str = ""  # of the name of its file
    text: str = ""
    remark: Msg | None = None
    problem: RulesError | None = None


def convert_games(
    file: Annotated[
        Path,
        typer.Argument(help="A game file, ours or of another program, or a folder of them."),
    ],
    out: Annotated[
        Path, typer.Argument(help="A file, a folder (a file per game), or - for standard output.")
    ] = Path("-"),
    *,
    to: Annotated[
        WrittenForm, typer.Option(help="The form in which games of ours are written.")
    ] = "saved",
    lang: Lang = None,
) -> None:
    """Convert games of other Diplomacy programs into Powderkeg game files, or ours into theirs."""
    use_language(lang)
    if not file.is_dir():
        text = read_game_text(file)
        found = list(games.open_game_files(text))
        if len(found) == 1:
            _convert_single(convert_found(found[0], file.stem, to), out)
            return
    games_left = _convert_files(file, to) if file.is_dir() else _convert_all(found, file.stem, to)
    first = next(games_left, None)
    if first is None:
        raise Unreadable("cli.nothing_to_convert", path=str(file))
    converted = chain([first], games_left)
    failed = _write_folder(converted, out) if _is_folder(out) else _write_stream(converted, out)
    if failed:
        raise typer.Exit(1)


def _is_folder(out: Path) -> bool:
    return out.is_dir() or (str(out) != "-" and not out.suffix)


def _convert_single(game: Converted, out: Path) -> None:
    if game.problem:
        raise game.problem
    if game.remark:
        errors.print(speak_text(game.remark), markup=False)
    if out.is_dir():
        (out / f"{game.name}{game.ending}").write_text(game.text, encoding="utf-8")
    else:
        _open_output(out, game.text)


def _open_output(out: Path, text: str) -> None:
    if str(out) == "-":
        sys.stdout.write(text)
    else:
        out.write_text(text, encoding="utf-8")


# Several games


def _convert_files(folder: Path, to: WrittenForm) -> Iterator[Converted]:
    """Every game in a folder, one after the other: an archive can be large."""
    paths = sorted(p for p in folder.rglob("*") if p.is_file())
    for path, files in _group_seasons(paths).items():
        try:
            found = list(games.open_game_files(_joined_text(path.name, files)))
        except RulesError as error:
            yield Converted(path.name, problem=error)
            continue
        yield from _convert_all(found, path.stem, to)


def _convert_all(found: list[FoundGame], stem: str, to: WrittenForm) -> Iterator[Converted]:
    for each in found:
        yield convert_found(each, stem if len(found) == 1 else f"{stem} {each.name}", to)


def _group_seasons(paths: list[Path]) -> dict[Path, list[Path]]:
    """Files by game: archives of Backstabbr have a file per season, such as ``game7_1901_fall.json``."""
    groups: dict[Path, list[Path]] = {}
    for path in paths:
        found = _SEASON_FILE.fullmatch(path.name)
        groups.setdefault(path.with_name(found["game"]) if found else path, []).append(path)
    return groups


def _joined_text(name: str, files: list[Path]) -> str:
    named = {path: _SEASON_FILE.fullmatch(path.name) for path in files}
    if not all(named.values()):
        return read_game_text(files[0])
    try:
        seasons = {
            f"{found['year']} {found['season']}": json.loads(read_game_text(path))
            for path, found in named.items()
            if found
        }
    except (ValueError, RecursionError):
        raise Unreadable("archive.not_a_saved_game") from None
    return json.dumps({"id": name, "seasons": seasons})


def _write_folder(converted: Iterator[Converted], folder: Path) -> int:
    """Write a file per game; return how many could not be converted."""
    used: set[str] = set()
    failed = 0
    for game in converted:
        failed += _report_game(game)
        if not game.problem:
            folder.mkdir(parents=True, exist_ok=True)
            path = folder / f"{_file_name(game.name, used)}{game.ending}"
            path.write_text(game.text, encoding="utf-8")
    return failed


def _file_name(name: str, used: set[str]) -> str:
    base = re.sub(r"[^\w.-]+", "-", name).strip("-.") or "game"
    names = [base, *(f"{base}-{n}" for n in range(2, len(used) + 3))]
    free = next(each for each in names if each.lower() not in used)
    used.add(free.lower())
    return free


def _write_stream(converted: Iterator[Converted], out: Path) -> int:
    """Write all games into one file; return how many could not be converted."""
    found = list(converted)
    if not all(game.problem for game in found):
        _open_output(out, "".join(game.text for game in found))
    return sum(map(_report_game, found))


def _report_game(game: Converted) -> bool:
    """One line about a game; true if it could not be converted."""
    said = game.problem.msg if game.problem else game.remark
    code = "cli.not_converted" if game.problem else "cli.converted"
    errors.print(t(code, name=game.name, what=said or ""), markup=False, soft_wrap=True)
    return game.problem is not None


# One game


def convert_found(found: FoundGame, name: str, to: WrittenForm = "saved") -> Converted:
    """A game of ours for another program, or a game of another program for us."""
    if found.problem or not found.record:
        return Converted(name, problem=found.problem)
    if found.foreign:
        return Converted(name, ".jsonl", record.write_record(found.record), found.note)
    try:
        text = export_record(found.record, name, to)
    except RulesError as error:
        return Converted(name, problem=error)
    return Converted(name, ".txt" if to == "judge" else ".json", text)


def export_record(kept: record.Record, name: str, to: WrittenForm) -> str:
    """A game of ours in the form of another program; JSON stands on one line."""
    from powderkeg.games.diplomacy.archive.results_text import export_judge_text
    from powderkeg.games.diplomacy.archive.saved_game import export_game
    from powderkeg.games.diplomacy.archive.webdiplomacy import export_api_game

    table = record.replay_record(kept, rules_of(kept))
    if table.game.name != "diplomacy":
        raise Unreadable("judge.not_diplomacy", game=table.game.name)
    if to == "judge":
        return export_judge_text(table, name)
    export = export_game if to == "saved" else export_api_game
    return json.dumps(export(table, name, kept.letters), ensure_ascii=False) + "\n"


def read_game_text(file: Path) -> str:
    try:
        return decode_game_file(file.read_bytes())
    except FileNotFoundError:
        raise Unreadable("cli.no_file", path=str(file)) from None
    except OSError:
        raise Unreadable("core.file_foreign") from None
