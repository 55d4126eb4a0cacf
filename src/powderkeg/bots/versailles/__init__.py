"""Bots for Versailles 1919: a value of positions, a quick policy, and search by playing on."""

from powderkeg.bots.versailles.levels import KNOWLEDGE, LEVELS, TUNABLE

__all__ = ["KNOWLEDGE", "LEVELS", "TUNABLE"]
