"""Bots. `find_bot` returns the bot of a level for a game."""

from powderkeg.bots.engine.budget import Budget
from powderkeg.bots.engine.thought import Bot
from powderkeg.bots.levels import LEVEL_NAMES, find_bot

__all__ = ["LEVEL_NAMES", "Bot", "Budget", "find_bot"]
