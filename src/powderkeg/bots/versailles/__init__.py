"""Bots for Versailles 1919: a value of positions, a quick policy, search by playing on, deals."""

from powderkeg.bots.versailles.levels import BOTS

__all__ = ["BOTS"]
