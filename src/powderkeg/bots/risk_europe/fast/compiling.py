"""The compiled files of Risk Europe's bots, after those of the rules that they call."""

from pathlib import Path
from typing import Any, Final, TypeAlias

from powderkeg.core.fast.compiling import forget_outdated
from powderkeg.games.risk_europe.fast.compiling import RULE_SOURCES

Cells: TypeAlias = Any  # the numbers of a board or of a scratch

_BOTS: Final = Path(__file__).parent.parent
_READ: Final = ("evaluate", "quick_odds", "candidates", "policy")  # whose numbers are compiled in
_NAMES: Final = (
    "compiling", "value_layout", "odds_table", "board_value", "move_plans", "coin_plans",
    "greedy_policy", "rollout_kernel",
)  # fmt: skip
forget_outdated(
    *RULE_SOURCES,
    *(_BOTS / f"{name}.py" for name in _READ),
    *(_BOTS / "fast" / f"{name}.py" for name in _NAMES),
)
