"""The compiled files of Versailles 1919."""

from pathlib import Path
from typing import Any, Final, TypeAlias

from powderkeg.core.fast.compiling import SHARED_SOURCES, forget_outdated

Cells: TypeAlias = Any  # the numbers of a board, of a rule table or of a sheet

_FOLDER: Final = Path(__file__).parent
_NAMES: Final = (  # each after those that it calls
    "compiling", "layout", "board_queries", "board_changes", "legal_actions", "settlements",
    "event_effects", "uprisings", "game_flow", "kernel",
)  # fmt: skip
_READ: Final = (  # compiled functions hold numbers of the board and of the cards
    "board.py", "cards/pack.py", "cards/reader.py", "events/operations.py",
    "data/board.toml", "data/events.toml", "data/issues.toml", "data/strategies.toml",
)  # fmt: skip
TREATY_SOURCES: Final = (
    *SHARED_SOURCES,
    *(_FOLDER.parent / name for name in _READ),
    *(_FOLDER / f"{name}.py" for name in _NAMES),
)
forget_outdated(*TREATY_SOURCES)
