"""Bots for Diplomacy. They are asked for one order at a time and plan the whole turn."""

from powderkeg.bots.diplomacy.levels import BOTS

__all__ = ["BOTS"]
