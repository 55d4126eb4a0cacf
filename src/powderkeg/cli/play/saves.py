"""Saved games of the terminal: they continue where their file ends, and nothing is overwritten."""

import hashlib
import json
import os
import random
import secrets
from pathlib import Path
from typing import NamedTuple

from powderkeg import games
from powderkeg.cli.files import load_record, rules_of
from powderkeg.cli.options import read_options
from powderkeg.core import plain, record
from powderkeg.core.chance import Audited, Seeded, Source
from powderkeg.core.errors import Unreadable
from powderkeg.core.game import game_message
from powderkeg.core.table import Table

DEFAULT_BOTS = "normal"


class GameWishes(NamedTuple):
    """What was asked for; None where it was left open."""

    game: str | None
    players: int | None
    options: list[str]
    seed: int | None


class TableNotes(NamedTuple):
    """What a game file may not hold while the game runs: the key of the dice, and who plays."""

    key: str
    people: tuple[str, ...]
    bots: str


class GameSave:
    """The file of a game, and its notes beside it until the game is over."""

    def __init__(self, path: Path, table: Table, notes: TableNotes) -> None:
        self.path, self.table, self.notes = path, table, notes

    def write(self) -> None:
        """Write the game as it stands."""
        _replace_file(self.path, record.write_record(record.make_record(self.table)))
        if self.table.to_act:
            _replace_file(notes_path(self.path), json.dumps(plain.dump(self.notes)) + "\n", 0o600)
        else:
            notes_path(self.path).unlink(missing_ok=True)


def notes_path(path: Path) -> Path:
    return path.with_name(f"{path.name}.private")


def read_notes(path: Path) -> TableNotes | None:
    """The notes beside a game file; None if they were lost or do not belong to it."""
    try:
        notes = plain.load(TableNotes, json.loads(notes_path(path).read_text(encoding="utf-8")))
        bytes.fromhex(notes.key)
    except (OSError, ValueError):  # a RulesError is a ValueError, too
        return None
    return notes


def new_key(seed: int | None) -> str:
    """The key of the dice: secret, or made from the seed."""
    made = secrets.token_bytes(32) if seed is None else hashlib.sha256(b"%d" % seed).digest()
    return made.hex()


def start_game(game: str, wishes: GameWishes, key: str) -> Table:
    """A new table with dice that can be verified."""
    rules = games.find_game(game)
    options = read_options(rules, wishes.options)
    return Table(rules, wishes.players, options, source=Audited(bytes.fromhex(key)))


def resume_game(path: Path, wishes: GameWishes, key: str, command: str) -> Table:
    """The game in a file, unless another one was asked for; `command` continues it in any case."""
    table = _replay_file(path, key)
    rules = table.game
    asked = games.find_game(wishes.game) if wishes.game else rules
    if asked.name != rules.name:
        held, wanted = game_message(rules), game_message(asked)
        raise Unreadable("cli.save_other_game", path=str(path), game=held, asked=wanted)
    same = (
        wishes.players in {None, len(table.seats)}
        and (not wishes.options or read_options(rules, wishes.options) == table.options)
        and (wishes.seed is None or new_key(wishes.seed) == key)
    )
    if not same:
        raise Unreadable("cli.save_differs", path=str(path), command=command)
    return table


def _replay_file(path: Path, key: str) -> Table:
    """The table in a game file, with dice from the key if the game began with it."""
    kept = load_record(path)
    table = record.replay_record(kept, rules_of(kept), _find_source(kept.header.commitment, key))
    if not table.to_act:
        raise Unreadable("cli.game_is_over", path=str(path))
    return table


def _find_source(commitment: str, key: str) -> Source:
    source = Audited(bytes.fromhex(key))
    if source.commitment == commitment:
        return source
    return Seeded(random.SystemRandom())  # the dice go on, but nobody can verify them


def _replace_file(path: Path, text: str, mode: int = 0o644) -> None:
    """Write a file whole or not at all, so that a crash leaves the old one."""
    part = path.with_name(f"{path.name}.part")
    with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, mode), "wb") as file:
        file.write(text.encode())
    part.replace(path)
