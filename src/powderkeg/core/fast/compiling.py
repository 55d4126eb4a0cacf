"""How compiled functions are made, and how their stored results stay up to date."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, TypeVar

from numba import njit

F = TypeVar("F", bound=Callable[..., Any])

_OPTIONS: Final[Any] = {"nogil": True, "error_model": "numpy"}
_INNER: Final[Any] = {  # allocates nothing, and need not count references: that compiles sooner
    **_OPTIONS,
    "no_cpython_wrapper": True,
    "no_cfunc_wrapper": True,
    "no_rewrites": True,
    "_nrt": False,
}


def kernel_part(function: F) -> F:
    """Compile a small function: it becomes part of those that call it, and is not stored."""
    compiler: Any = njit(**_INNER)
    return compiler(function)  # type: ignore[no-any-return]  # called alike


def kernel_layer(function: F) -> F:
    """Write a function into the text of its only caller: every layer of calls is compiled once more."""
    compiler: Any = njit(inline="always", **_INNER)
    return compiler(function)  # type: ignore[no-any-return]  # called alike


def kernel_joint(function: F) -> F:
    """Compile a function with all its parts, and store it for the compiled functions that call it."""
    compiler: Any = njit(cache=True, **_INNER)
    return compiler(function)  # type: ignore[no-any-return]  # called alike


def kernel_inside(function: F) -> F:
    """Compile a function into those that call it: a call would cost as much as what it does."""
    compiler: Any = njit(cache=True, forceinline=True, **_INNER)
    return compiler(function)  # type: ignore[no-any-return]  # called alike


def kernel_entry(function: F) -> F:
    """Compile and store a function that Python calls."""
    compiler: Any = njit(cache=True, **_OPTIONS)
    return compiler(function)  # type: ignore[no-any-return]  # called alike


def bare_entry(function: F) -> F:
    """Compile and store a function that Python calls, and that allocates nothing."""
    compiler: Any = njit(cache=True, **{**_INNER, "no_cpython_wrapper": False})
    return compiler(function)  # type: ignore[no-any-return]  # called alike


def forget_outdated(*sources: Path) -> None:
    """Remove the stored results of each file that are older than it or a file before it.

    Numba compares a stored function with its own file, but not with the files of what it calls.
    """
    newest = 0.0
    for path in sources:
        newest = max(newest, path.stat().st_mtime)
        for stored in (path.parent / "__pycache__").glob(f"{path.stem}.*.nbi"):
            if stored.stat().st_mtime < newest:
                stored.unlink(missing_ok=True)


_SHARED: Final = Path(__file__).parent
SHARED_SOURCES: Final = (_SHARED / "compiling.py", _SHARED / "luck.py")
