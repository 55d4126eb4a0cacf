"""Bots for Risk Europe: the worth of a board, whole plans for a card, a matrix game for the picks."""

from powderkeg.bots.risk_europe.levels import BOTS

__all__ = ["BOTS"]
