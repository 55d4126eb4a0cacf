"""The compiled files of Diplomacy, and what compiles them."""

from pathlib import Path
from typing import Final

from powderkeg.core.fast.compiling import (
    SHARED_SOURCES,
    bare_entry,
    forget_outdated,
    kernel_entry,
    kernel_inside,
    kernel_joint,
    kernel_layer,
)

__all__ = [
    "ORDER_SOURCES",
    "bare_entry",
    "forget_outdated",
    "kernel_entry",
    "kernel_inside",
    "kernel_joint",
    "kernel_layer",
]

_FOLDER: Final = Path(__file__).parent
_NAMES: Final = (  # each after those that it calls
    "compiling", "map_arrays", "order_codes", "kernel", "game_kernel",
)  # fmt: skip
ORDER_SOURCES: Final = (*SHARED_SOURCES, *(_FOLDER / f"{name}.py" for name in _NAMES))
forget_outdated(*ORDER_SOURCES)
