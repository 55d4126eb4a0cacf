"""Maps as SVG: a view of the board, its armies and battles."""

from powderkeg.games.risk_europe.draw.board_map import position, svg

__all__ = ["position", "svg"]
