"""The compiled files of Versailles' bots, after those of the rules that they call."""

from pathlib import Path
from typing import Final

from powderkeg.core.fast.compiling import forget_outdated
from powderkeg.games.versailles.fast.compiling import TREATY_SOURCES, Cells

__all__ = ["Cells"]

_BOTS: Final = Path(__file__).parent.parent
# compiled functions hold some of their numbers
_READ: Final = ("weights", "evaluate", "policy", "negotiation")
_NAMES: Final = (
    "compiling", "value_sheet", "position_value", "quick_policy", "bargains", "rollout_kernel",
)  # fmt: skip
forget_outdated(
    *TREATY_SOURCES,
    _BOTS.parent / "engine" / "shares.py",
    *(_BOTS / f"{name}.py" for name in _READ),
    *(_BOTS / "fast" / f"{name}.py" for name in _NAMES),
)
