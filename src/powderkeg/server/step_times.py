"""How long the parts of something took, logged if the whole was slow."""

import time
from typing import Any

import structlog

SLOW_SECONDS = 0.25
logger = structlog.get_logger()


class StepTimes:
    """The parts of one piece of work, one after the other."""

    __slots__ = ("begun", "last", "steps")

    def __init__(self) -> None:
        self.begun = self.last = time.perf_counter()
        self.steps: dict[str, float] = {}

    def end(self, step: str) -> None:
        """A part has ended; the next one begins."""
        now = time.perf_counter()
        self.steps[step] = now - self.last
        self.last = now

    def log_slow(self, what: str, **about: Any) -> None:
        """Log the parts in milliseconds if all of them together took too long."""
        if (total := self.last - self.begun) >= SLOW_SECONDS:
            parts = {f"{step}_ms": round(part * 1000, 1) for step, part in self.steps.items()}
            logger.warning(what, total_ms=round(total * 1000, 1), **parts, **about)
