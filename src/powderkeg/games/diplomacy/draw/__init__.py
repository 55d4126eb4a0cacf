"""Maps as SVG: a position, and its orders as arrows."""

from powderkeg.core.game import View
from powderkeg.games.diplomacy.draw.board_map import draw_map, view_position

__all__ = ["draw_diplomacy_view"]


def draw_diplomacy_view(view: View, /, *, lang: str = "en", title: str = "") -> str:
    """The map of a view (see `powderkeg.core.reports.drawing.MapDrawing`), with the reader's own orders."""
    return draw_map(view_position(view), view["drafts"].values(), lang=lang, title=title)
