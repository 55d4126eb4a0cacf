"""Drawings of a game's board, and a board in words as HTML."""

from collections.abc import Iterable
from functools import cache
from html import escape
from importlib import import_module
from typing import Protocol

from powderkeg.core.game import Section, View
from powderkeg.core.words import Msg, say

__all__ = ["DRAWINGS", "MapDrawing", "find_drawing", "write_sections"]

# The games that have a drawing, as "module:function", imported when it is asked for.
# `powderkeg.games` enters ours; a game of your own adds its line.
DRAWINGS: dict[str, str] = {}


class MapDrawing(Protocol):
    """Draws the map of a view as SVG, under a title, with its names in one language."""

    def __call__(self, view: View, /, *, lang: str = "en", title: str = "") -> str: ...


def find_drawing(game: str) -> MapDrawing | None:
    """The drawing of the game called `game`, if it has one."""
    return _load_drawing(DRAWINGS[game]) if game in DRAWINGS else None


@cache
def _load_drawing(place: str) -> MapDrawing:
    module, _, name = place.partition(":")
    return getattr(import_module(module), name)  # type: ignore[no-any-return]  # as its entry says


def write_sections(sections: Iterable[Section], lang: str = "en") -> str:
    """A board in words (`Game.describe`) as HTML."""
    return "".join(
        f"<h4>{_write(part.title, lang)}</h4>{_list_lines(part, lang)}" for part in sections
    )


def _list_lines(part: Section, lang: str) -> str:
    items = "".join(f"<li>{_write(line, lang)}</li>" for line in part.lines)
    return f"<ul>{items}</ul>"


def _write(message: Msg, lang: str) -> str:
    return escape(say(message, lang))
