"""The games. Each is a package that satisfies the contract `powderkeg.core.game.Game`."""

from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import Any, cast

from powderkeg.core.cards import CardTool
from powderkeg.core.errors import Unreadable
from powderkeg.core.game import Game, SandboxTool
from powderkeg.core.game_files import FoundGame, split_records
from powderkeg.core.reports.drawing import DRAWINGS
from powderkeg.core.words import Msg

__all__ = [
    "CARD_TOOLS",
    "GAME_NAMES",
    "find_card_tool",
    "find_game",
    "find_sandbox_tool",
    "list_game_files",
    "mark_cards",
    "open_game_file",
    "open_game_files",
]

GAME_NAMES = ("diplomacy", "versailles", "risk_europe")
DRAWINGS["diplomacy"] = "powderkeg.games.diplomacy.draw:draw_diplomacy_view"
DRAWINGS["risk_europe"] = "powderkeg.games.risk_europe.draw:draw_risk_view"
_FOREIGN_READER = "powderkeg.games.diplomacy.archive.forms"  # only Diplomacy is kept elsewhere

# The games whose cards can be corrected, and where their card tool is.
CARD_TOOLS = {
    "versailles": ("powderkeg.games.versailles.cards.table", "CARD_TOOL"),
    "risk_europe": ("powderkeg.games.risk_europe.cards.table", "CROWN_TOOL"),
}

# The games whose sides can all be played from one seat, and where their sandbox is.
_SANDBOX_TOOLS = {"diplomacy": "powderkeg.games.diplomacy.rules.sandbox"}


def find_game(name: str) -> Game:
    """The game called `name`; a dotted name is a game of your own that can be imported."""
    plain = name.lower().replace("-", "_").replace(" ", "_")
    matches = [known for known in GAME_NAMES if known.startswith(plain)]
    if plain and len(matches) == 1:
        return cast(Game, import_module(f"powderkeg.games.{matches[0]}"))
    if "." in name:
        try:
            found = import_module(name)
        except ImportError:
            found = None
        if hasattr(found, "Options"):  # no other module has any
            return cast(Game, found)
    raise Unreadable("core.no_such_game", name=name, games=GAME_NAMES)


def open_game_files(text: str) -> Iterator[FoundGame]:
    """Every game in a file: of ours, or of another program in a form that a game can read."""
    if records := split_records(text):
        return iter(records)
    found: Iterator[FoundGame] = import_module(_FOREIGN_READER).read_foreign_games(text)
    return found


def list_game_files(text: str) -> list[str]:
    """The names of the games in a file, without opening them."""
    if records := split_records(text):
        return [found.name for found in records]
    names: list[str] = import_module(_FOREIGN_READER).list_foreign_games(text)
    return names


def open_game_file(text: str, number: int = 1) -> FoundGame:
    """The game with that number in a file, counted from 1."""
    records = split_records(text)
    found = records[number - 1 : number]
    if not records:
        found = import_module(_FOREIGN_READER).open_foreign_game(text, number)
    if not found:
        raise Unreadable("core.no_such_game_in_file", number=number)
    return found[0]


def find_card_tool(game: str) -> CardTool | None:
    """The card tool of the game called `game`; None if its cards cannot be corrected."""
    if game not in CARD_TOOLS:
        return None
    module, name = CARD_TOOLS[game]
    return cast(CardTool, getattr(import_module(module), name))


def mark_cards(game: Game, options: Mapping[str, Any], msg: Msg) -> Msg:
    """A message of a game's log with the marks of the cards that it names."""
    tool = find_card_tool(game.name)
    return tool.mark_names(options.get(tool.option, ""), msg) if tool else msg


def find_sandbox_tool(game: str) -> SandboxTool | None:
    """The sandbox of the game called `game`; None if each seat is played for itself."""
    if game not in _SANDBOX_TOOLS:
        return None
    return cast(SandboxTool, import_module(_SANDBOX_TOOLS[game]).SANDBOX_TOOL)
