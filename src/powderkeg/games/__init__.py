"""The games. Each is a package that satisfies the contract `powderkeg.core.game.Game`."""

from importlib import import_module
from typing import cast

from powderkeg.core.errors import Unreadable
from powderkeg.core.game import Game

GAME_NAMES = ("diplomacy", "versailles", "risk_europe")


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
