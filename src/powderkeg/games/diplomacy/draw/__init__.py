"""Maps as SVG: a position, and its orders as arrows."""

from powderkeg.games.diplomacy.draw.board_map import position, svg

__all__ = ["position", "svg"]
