"""Inks, papers and style sheets: one palette for both maps, by day and by lamplight."""

import re
import tomllib
from functools import cache
from importlib.resources import files
from typing import Final

THEMES: Final = ("paper", "lamplight")


@cache
def theme_inks(theme: str) -> dict[str, str]:
    """The colours of a theme by name."""
    found: dict[str, str] = _all_inks()[theme]
    return found


@cache
def _all_inks() -> dict[str, dict[str, str]]:
    return tomllib.loads(_read_text("ink.toml"))


def _read_text(name: str) -> str:
    return (files(__package__) / name).read_text(encoding="utf-8")


@cache
def theme_style(theme: str) -> str:
    """The style sheet with the colours of `theme` written in, for readers without variables."""
    return apply_inks(_read_text("atlas.css"), theme)


def apply_inks(css: str, theme: str) -> str:
    """`css` with every ``var(--name)`` replaced by the ink of that name."""
    plain = re.sub(r"/\*.*?\*/", "", css, flags=re.DOTALL)
    return re.sub(r"var\(--([a-z-]+)\)", lambda m: theme_inks(theme)[m[1]], plain).strip()
