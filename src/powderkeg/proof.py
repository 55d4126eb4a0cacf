"""Which numbered rules are proven: the rules' pages against the tests that ran and passed."""

import json
import re
from pathlib import Path
from typing import NamedTuple

_INSTALLED = Path(__file__).parent / "rules"
RULES_FOLDER = _INSTALLED if _INSTALLED.is_dir() else Path(__file__).parents[2] / "docs" / "rules"
PROVEN_FILE = "proven.json"
_RULE = re.compile(r"^- \*\*([A-Z0-9]+-[A-Z0-9]+-\d+[a-z]?)\*\* (.+)$", re.MULTILINE)


class RuleCount(NamedTuple):
    """One rulebook: how many rules it has and which are not proven."""

    proven: int
    total: int
    missing: tuple[str, ...]


def read_rules(folder: Path = RULES_FOLDER) -> dict[str, dict[str, str]]:
    """Game to rule id to its line, read from the rules' pages."""
    pages = {page.stem: page.read_text(encoding="utf-8") for page in sorted(folder.glob("*.md"))}
    found = {name: dict(_RULE.findall(text)) for name, text in pages.items()}
    return {name: lines for name, lines in found.items() if lines}


def count_proven(folder: Path = RULES_FOLDER) -> dict[str, RuleCount]:
    """Game to its count, by the last full run of the tests."""
    stored = folder / PROVEN_FILE
    proven = set(json.loads(stored.read_text(encoding="utf-8"))) if stored.exists() else set()
    return {name: _count_rules(lines, proven) for name, lines in read_rules(folder).items()}


def _count_rules(lines: dict[str, str], proven: set[str]) -> RuleCount:
    missing = tuple(rule for rule in lines if rule not in proven)
    return RuleCount(len(lines) - len(missing), len(lines), missing)
