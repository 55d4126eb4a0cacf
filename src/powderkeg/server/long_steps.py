"""For development: which steps of the event loop take long. While one runs, everybody waits.

CPU time is counted, not the clock: other work on the machine makes no step longer.
"""

import time
from asyncio import Handle, Task
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

Note = Callable[[str, float], None]


@contextmanager
def note_long_steps(
    most: float, note: Note, spent_so_far: Callable[[], float] = time.thread_time
) -> Iterator[None]:
    """Call `note` with the name and the CPU seconds of every step that takes more than `most`, of all
    event loops of asyncio in this process. `spent_so_far` measures something else."""
    run = Handle._run  # noqa: SLF001  # asyncio has no other place to look at a step

    def timed_run(handle: Any) -> None:
        begun = spent_so_far()
        run(handle)
        if (spent := spent_so_far() - begun) > most:
            note(step_name(handle), spent)

    Handle._run = timed_run  # type: ignore[assignment, method-assign]  # noqa: SLF001  # and put back below
    try:
        yield
    finally:
        Handle._run = run  # type: ignore[method-assign]  # noqa: SLF001  # as it was


def step_name(handle: Any) -> str:
    """The coroutine or function that a step belongs to."""
    callback = getattr(handle, "_callback", None)
    owner = getattr(callback, "__self__", None)
    work = owner.get_coro() if isinstance(owner, Task) else callback
    return str(getattr(work, "__qualname__", work))
