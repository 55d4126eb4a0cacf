"""Inks, papers and style sheets: one palette for both maps, by day and by lamplight."""

import re
import tomllib
from functools import cache
from importlib.resources import files
from typing import Final

THEMES: Final = ("paper", "lamplight")


@cache
def inks(theme: str) -> dict[str, str]:
    """The colours of a theme by name."""
    found: dict[str, str] = _all()[theme]
    return found


@cache
def _all() -> dict[str, dict[str, str]]:
    return tomllib.loads(_text("ink.toml"))


def _text(name: str) -> str:
    return (files(__package__) / name).read_text(encoding="utf-8")


@cache
def style(theme: str) -> str:
    """The style sheet with the colours of `theme` written in, for readers without variables."""
    return inked(_text("atlas.css"), theme)


def inked(css: str, theme: str) -> str:
    """`css` with every ``var(--name)`` replaced by the ink of that name."""
    plain = re.sub(r"/\*.*?\*/", "", css, flags=re.DOTALL)
    return re.sub(r"var\(--([a-z-]+)\)", lambda m: inks(theme)[m[1]], plain).strip()
