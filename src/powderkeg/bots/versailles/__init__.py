"""Bots for Versailles 1919: a value of positions, a quick policy, search by playing on, deals."""

from powderkeg.bots.versailles.levels import KNOWLEDGE, LEVELS, OFFERED, TUNABLE

__all__ = ["KNOWLEDGE", "LEVELS", "OFFERED", "TUNABLE"]
