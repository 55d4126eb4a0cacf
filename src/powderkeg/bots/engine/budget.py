"""How long a bot may think."""

import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import TypeVar

T = TypeVar("T")

read_time: Callable[[], float] = time.monotonic  # what clocks go by


@dataclass(frozen=True, slots=True)
class Budget:
    """A number of iterations, and at most a number of seconds (None: only iterations count).

    Without seconds an answer depends on seed and iterations alone, never on the machine.
    """

    iterations: int
    seconds: float | None = None

    def exact(self) -> "Budget":
        """The same iterations without a time limit."""
        return replace(self, seconds=None)

    def start(self) -> "Clock":
        return Clock(self)


class Clock:
    """A budget being spent. The first iteration is always granted, so that there is an answer."""

    __slots__ = ("spent", "until", "whole")

    def __init__(self, budget: Budget) -> None:
        self.whole = max(1, budget.iterations)
        self.until = None if budget.seconds is None else read_time() + budget.seconds
        self.spent = 0

    @property
    def left(self) -> int:
        return self.whole - self.spent

    def tick(self) -> bool:
        """Count one more iteration, if it is allowed; False if it is not."""
        if self.spent >= self.whole or (self.spent and self.late()):
            return False
        self.spent += 1
        return True

    def late(self, ahead: float = 0.0) -> bool:
        """Whether the seconds are over, or would be after a step of `ahead` more seconds."""
        return self.until is not None and read_time() + ahead >= self.until

    def while_time(self, items: Iterable[T]) -> Iterator[T]:
        """The items one by one: at least the first, then as long as there is time for another step like
        the longest so far."""
        longest = 0.0
        for number, item in enumerate(items):
            if number and self.late(longest):
                return
            began = read_time()
            yield item
            longest = max(longest, read_time() - began)

    @property
    def seconds(self) -> float | None:
        """The seconds that are left; None: no limit."""
        return None if self.until is None else max(0.0, self.until - read_time())

    def part(self, share: float) -> "Clock":
        """A clock for a share of what is left, so that time remains for other searches."""
        left = self.seconds
        return Budget(int(share * self.left), None if left is None else share * left).start()
