"""The card tool of a game, card packs as people write them, and several owners' packs in one."""

from powderkeg.core.cards.tool import (
    CERTAINTIES,
    CERTAINTY_KEY,
    CardTool,
    FindingLevel,
    PackTables,
    certainty_of,
    mark_value,
)

__all__ = [
    "CERTAINTIES",
    "CERTAINTY_KEY",
    "CardTool",
    "FindingLevel",
    "PackTables",
    "certainty_of",
    "mark_value",
]
