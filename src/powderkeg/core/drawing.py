"""Drawings of a game's board."""

from typing import Protocol

from powderkeg.core.game import View


class MapDrawing(Protocol):
    """Draws the map of a view as SVG, under a title, with its names in one language."""

    def __call__(self, view: View, /, *, lang: str = "en", title: str = "") -> str: ...
