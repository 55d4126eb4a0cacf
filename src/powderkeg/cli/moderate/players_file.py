"""The game file of a moderator: who plays which power, with addresses and languages.

name = "Friday game"
moderator = "gm@example.org"

[players]
France = "anna@example.org"
Italy = { mail = ["bruno@example.org", "bruno@work.example"], lang = "it" }
"""

import tomllib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from powderkeg.core.errors import Unreadable
from powderkeg.core.words import LANGS
from powderkeg.games.diplomacy.board import Power
from powderkeg.games.diplomacy.judge.letters import Player, Players
from powderkeg.games.diplomacy.notation.lexicon import find_power


@dataclass(frozen=True, slots=True)
class GameFile:
    """A game by mail."""

    name: str = ""
    moderator: str = ""
    players: Players = field(default_factory=Players)
    addresses: dict[Power, str] = field(default_factory=dict)  # where answers go


def read_game_file(path: Path) -> GameFile:
    """The game file at `path`."""
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise Unreadable("cli.no_file", path=str(path)) from None
    except (OSError, UnicodeDecodeError):
        raise Unreadable("judge.not_text", path=str(path)) from None
    except tomllib.TOMLDecodeError as error:
        raise Unreadable("judge.bad_game_file", path=str(path), why=str(error)) from None
    return parse_game_file(data)


def parse_game_file(data: dict[str, Any]) -> GameFile:
    """A game file from its data."""
    listed = data.get("players", {})
    if not isinstance(listed, dict):
        raise Unreadable("judge.bad_field", field="players")
    known = {_checked_power(name): _player_data(name, each) for name, each in listed.items()}
    moderator = str(data.get("moderator", ""))
    players = Players(
        {power: _checked_player(each) for power, each in known.items()},
        frozenset([moderator.lower()] if moderator else []),
    )
    addresses = {power: each["mail"][0] for power, each in known.items() if each["mail"]}
    return GameFile(str(data.get("name", "")), moderator, players, addresses)


def _checked_power(name: str) -> Power:
    power = find_power(name)
    if power is None:
        raise Unreadable("judge.no_such_power", text=name)
    return power


def _player_data(name: str, given: Any) -> dict[str, Any]:
    """An address, a list of them, or a table with `mail` and `lang`."""
    table = given if isinstance(given, dict) else {"mail": given}
    mail = table.get("mail", [])
    mail = [mail] if isinstance(mail, str) else mail
    if not isinstance(mail, list) or not all(isinstance(each, str) for each in mail):
        raise Unreadable("judge.bad_field", field=name)
    if table.get("lang") not in (None, *LANGS):
        raise Unreadable("judge.bad_field", field=f"{name}.lang")
    return {"mail": mail, "lang": table.get("lang")}


def _checked_player(data: dict[str, Any]) -> Player:
    return Player(frozenset(each.lower() for each in data["mail"]), data["lang"])
