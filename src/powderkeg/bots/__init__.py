"""Bots. `find` gives the one of a level for a game."""

from powderkeg.bots.simple import Bot, random_bot
from powderkeg.core.errors import Unreadable

LEVELS = ("random",)

__all__ = ["LEVELS", "Bot", "find"]


def find(game: str, level: str) -> Bot:
    """The bot that plays `game` at `level`."""
    if level not in LEVELS:
        raise Unreadable("core.no_such_bot", name=level, bots=LEVELS)
    return random_bot
