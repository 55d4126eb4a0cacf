"""The compiled files of Risk Europe, and what compiles them."""

from pathlib import Path
from typing import Final

from powderkeg.core.fast.compiling import (
    SHARED_SOURCES,
    forget_outdated,
    kernel_entry,
    kernel_joint,
    kernel_part,
)

__all__ = ["RULE_SOURCES", "forget_outdated", "kernel_entry", "kernel_joint", "kernel_part"]

_FOLDER: Final = Path(__file__).parent
_NAMES: Final = (  # each after those that it calls
    "compiling", "layout", "map_tables", "board_queries", "dice", "legal_actions", "board_changes",
    "battles", "game_flow", "kernel",
)  # fmt: skip
RULE_SOURCES: Final = (*SHARED_SOURCES, *(_FOLDER / f"{name}.py" for name in _NAMES))
forget_outdated(*RULE_SOURCES)
