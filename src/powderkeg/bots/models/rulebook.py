"""The rules' pages, as they are installed, in the reader's language and shortened for a prompt."""

import re
from collections.abc import Collection
from functools import lru_cache
from typing import Final

from powderkeg.proof import RULES_FOLDER

RULING_WORDS: Final = {"en": "Ruling:", "es": "Criterio:", "it": "Interpretazione:"}
_RULE_LINE: Final = re.compile(r"^- \*\*([A-Z0-9]+-[A-Z0-9]+)-\d+[a-z]?\*\* (.+)$")


@lru_cache(maxsize=32)
def rules_page(game: str, lang: str) -> str:
    """The whole page of a game's rules; empty for a game without one."""
    folder = RULES_FOLDER if lang == "en" else RULES_FOLDER / lang
    path = folder / f"{game}.md"
    return path.read_text(encoding="utf-8") if path.exists() else ""


def short_rules(game: str, lang: str, skip: Collection[str] = ()) -> str:
    """The rules without the page's introduction, without numbers, and without the groups in
    `skip` (``D-ALT``)."""
    lines: list[str] = []
    for line in rules_page(game, lang).splitlines():
        if line.startswith("## "):
            lines = _without_empty_heading(lines)
            lines.append(line)
        elif (found := _RULE_LINE.match(line)) and found[1] not in skip:
            lines.append(f"- {_without_mark(found[2], lang)}")
    return "\n".join(_without_empty_heading(lines))


def _without_mark(rule: str, lang: str) -> str:
    """A rule and its ruling, without the word that parts them."""
    said, _, ruling = (part.strip() for part in rule.partition(RULING_WORDS[lang]))
    return f"{said} {ruling[:1].upper()}{ruling[1:]}".strip()


def _without_empty_heading(lines: list[str]) -> list[str]:
    return lines[:-1] if lines and lines[-1].startswith("## ") else lines
