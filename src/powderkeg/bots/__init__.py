"""Bots. `find` gives the one of a level for a game."""

from powderkeg.bots.engine.budget import Budget
from powderkeg.bots.engine.thought import Bot
from powderkeg.bots.levels import NAMES as LEVELS
from powderkeg.bots.levels import find

__all__ = ["LEVELS", "Bot", "Budget", "find"]
