"""Whether processes have ended."""

import time
from collections.abc import Iterable

import psutil  # type: ignore[import-untyped]  # it ships no types


def ended(processes: Iterable[psutil.Process], seconds: float = 600) -> bool:
    """Whether all end in time. In a container there may be nobody who buries the dead."""
    end = time.monotonic() + seconds
    left = list(processes)
    while left and time.monotonic() < end:
        left = [process for process in left if _runs(process)]
        time.sleep(0.05)
    return not left


def _runs(process: psutil.Process) -> bool:
    try:
        return bool(process.is_running() and process.status() != psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return False
