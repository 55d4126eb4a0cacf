"""The forms in which other programs keep games, recognised by what is in them."""

import json
import re
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, Final, NamedTuple

from powderkeg.core.errors import RulesError, Unreadable
from powderkeg.core.game_files import FoundGame
from powderkeg.core.record import make_record
from powderkeg.core.table import Table
from powderkeg.core.words import Msg
from powderkeg.games.diplomacy.archive.backstabbr import is_season_game, load_season_game
from powderkeg.games.diplomacy.archive.java_objects import is_object_file
from powderkeg.games.diplomacy.archive.jdip import load_jdip_game
from powderkeg.games.diplomacy.archive.model import Archive, broken_text, clean_text
from powderkeg.games.diplomacy.archive.replay import replay_archive
from powderkeg.games.diplomacy.archive.results_text import (
    find_judge_games,
    is_judge_text,
    is_orders_page,
    load_orders_page,
)
from powderkeg.games.diplomacy.archive.saved_game import load_saved_game
from powderkeg.games.diplomacy.archive.webdiplomacy import is_api_game, load_api_game
from powderkeg.games.diplomacy.judge.sheet import sheet_phase_name

__all__ = ["list_foreign_games", "load_archives", "open_foreign_game", "read_foreign_games"]

FORMS: Final = (  # names that need no translation
    "Powderkeg",
    "diplomacy (Python)",
    "dipcc",
    "webDiplomacy",
    "nJudge",
    "DPjudge",
    "Backstabbr",
    "jDip",
)
_JSON_START: Final = ("{", "[")
_NEXT_START: Final = re.compile(r"^[{\[]", re.MULTILINE)
_SKIPPED: Final = " \t\r\n,\ufeff"
_MOST_BROKEN: Final = 10  # broken documents in one text; the rest of it is left alone


class Source(NamedTuple):
    """A game in a file: its name, if it can be seen, and how to read it (or raise `Unreadable`)."""

    name: str
    load: Callable[[], Archive]


def read_foreign_games(text: str) -> Iterator[FoundGame]:
    """Every game of a file of another program, played again under our rules."""
    for number, source in enumerate(_find_sources(text), start=1):
        yield _open_game(source, source.name or f"#{number}")


def list_foreign_games(text: str) -> list[str]:
    """The names of the games in a file."""
    return [source.name or f"#{n}" for n, source in enumerate(_find_sources(text), start=1)]


def open_foreign_game(text: str, number: int) -> list[FoundGame]:
    """The game with that number; an empty list if there is none."""
    chosen = _find_sources(text)[number - 1 : number]
    return [_open_game(source, source.name or f"#{number}") for source in chosen]


def load_archives(text: str) -> list[Archive]:
    """Every game of a file as it was kept there."""
    return [source.load() for source in _find_sources(text)]


def _open_game(source: Source, name: str) -> FoundGame:
    try:
        archive = source.load()
        table, letters = replay_archive(archive)
    except RulesError as error:
        return FoundGame(name, problem=error, foreign=True)
    names = {power: name for power, name in archive.names.items() if name}
    kept = make_record(table, names or None, letters)
    note = _game_note(archive, table, len(letters))
    return FoundGame(name, kept, foreign=True, note=note)


def _game_note(archive: Archive, table: Table, letters: int) -> Msg:
    """A line about a game: how long it is, and where it ends."""
    counts = {"phases": len(archive.phases), "letters": letters}
    if not table.to_act:
        return Msg("archive.opened_over", **counts)
    phase = sheet_phase_name(table.state.phase)
    if archive.over:
        return Msg("archive.end_left_open", phase=phase)
    return Msg("archive.opened", **counts, phase=phase)


def _find_sources(text: str) -> list[Source]:
    text = text.removeprefix("\ufeff")
    if text.lstrip(_SKIPPED).startswith(_JSON_START):
        return [source for data in _json_documents(text) for source in _json_sources(data)]
    if is_object_file(text):
        return [Source("", lambda: load_jdip_game(text))]
    if is_judge_text(text):
        return [Source(name, load) for name, load in find_judge_games(text).items()]
    if is_orders_page(text):
        return [Source("", lambda: load_orders_page(text))]
    raise Unreadable("archive.unknown_form", forms=FORMS)


# JSON


def _json_documents(text: str) -> Iterator[Any]:
    """The documents of a text: one, one per line, or one after the other; for a broken one the error.

    After a broken one the next begins at the start of a line: indented lines are still its parts.
    Each broken one may take as long as the whole text, so after a few of them the reading stops.
    """
    decoder, at, broken = json.JSONDecoder(), 0, 0
    while at < len(text) and broken < _MOST_BROKEN:
        if text[at] in _SKIPPED:
            at += 1
            continue
        try:
            data, at = decoder.raw_decode(text, at)
        except (ValueError, RecursionError) as error:
            found = _NEXT_START.search(text, at + 1)
            data = broken_text(text, error.pos if isinstance(error, json.JSONDecodeError) else at)
            at = found.start() if found else len(text)
            broken += 1
        yield data


def _json_sources(data: Any) -> list[Source]:
    if isinstance(data, Unreadable):
        return [Source("", partial(_raise_error, data))]
    return [_json_source(game, name) for name, game in _listed_games(data)]


def _raise_error(error: Unreadable) -> Archive:
    raise error


def _listed_games(data: Any) -> list[tuple[str, Any]]:
    """The games of a document with their names, if it has any: a game, a list of games, games by
    name, a game inside an object, or only the phases of one."""
    if isinstance(data, list):
        if data and all(isinstance(each, dict) and "state" in each for each in data):
            return [("", {"phases": data})]
        return [("", game) for each in data for game in _inner_games(each)]
    if isinstance(data, dict) and not _is_game(data):
        held = {key: value for key, value in data.items() if isinstance(value, list)}
        found = [(key, value) for key, value in data.items() if _is_game(value)]
        found += [("", each) for value in held.values() for each in value if _is_game(each)]
        return found or [("", data)]
    return [("", data)]


def _inner_games(data: Any) -> list[Any]:
    """The games of a pair such as ``["game 7", {...}]``; anything else is meant as a game."""
    inside = [each for each in data if _is_game(each)] if isinstance(data, list) else []
    return inside or [data]


def _is_game(data: Any) -> bool:
    return isinstance(data, dict) and ("phases" in data or "seasons" in data)


def _json_source(data: Any, known: str) -> Source:
    name = str(data.get("id") or data.get("gameID") or "") if isinstance(data, dict) else ""
    name = name or known
    load = next((load for knows, load in _JSON_FORMS if knows(data)), load_saved_game)
    return Source(clean_text(name), lambda: load(data))


_JSON_FORMS: Final[tuple[tuple[Callable[[Any], bool], Callable[[Any], Archive]], ...]] = (
    (is_api_game, load_api_game),
    (is_season_game, load_season_game),
)
