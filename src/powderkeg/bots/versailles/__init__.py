"""Bots for Versailles 1919: a value of positions, a quick policy, search by playing on, deals."""

from powderkeg.bots.versailles.levels import ADVISER, KNOWLEDGE, LEVELS, OFFERED, TUNABLE

__all__ = ["ADVISER", "KNOWLEDGE", "LEVELS", "OFFERED", "TUNABLE"]
