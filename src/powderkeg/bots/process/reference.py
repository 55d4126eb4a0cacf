"""Names of games that another process can import."""

from functools import cache
from importlib import import_module
from typing import cast

from powderkeg.core.game import Game


def game_reference(game: Game) -> str:
    """The name by which another process imports a game."""
    return str(getattr(game, "__name__", game.name))


@cache
def import_game(reference: str) -> Game:
    """The game of that name."""
    return cast(Game, import_module(reference))
