"""Bots. `find` gives the one of a level for a game."""

from powderkeg.bots.budget import Budget
from powderkeg.bots.levels import NAMES as LEVELS
from powderkeg.bots.levels import find
from powderkeg.bots.thought import Bot

__all__ = ["LEVELS", "Bot", "Budget", "find"]
