"""Maps as SVG: a view of the board, its armies and battles."""

from powderkeg.core.game import View
from powderkeg.games.risk_europe.draw.board_map import draw_map, view_position

__all__ = ["draw_risk_view"]


def draw_risk_view(view: View, /, *, lang: str = "en", title: str = "") -> str:
    """The map of a view (see `powderkeg.core.reports.drawing.MapDrawing`)."""
    return draw_map(view_position(view), lang=lang, title=title)
