"""Maps as SVG: a position, and its orders as arrows."""

from powderkeg.core.game import View
from powderkeg.games.diplomacy.draw.board_map import position, svg

__all__ = ["draw_diplomacy_view"]


def draw_diplomacy_view(view: View, /, *, lang: str = "en", title: str = "") -> str:
    """The map of a view (see `powderkeg.core.drawing.MapDrawing`)."""
    return svg(position(view), lang=lang, title=title)
