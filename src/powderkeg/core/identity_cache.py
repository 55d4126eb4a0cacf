"""Results kept by the identity of what they were made of, which takes less time than to compare it."""

from collections.abc import Callable
from functools import wraps
from typing import Final, TypeVar

S = TypeVar("S")
T = TypeVar("T")
KEPT_STATES: Final = 64


def cache_by_identity(most: int) -> Callable[[Callable[[S], T]], Callable[[S], T]]:
    """A decorator for functions of one object that nobody changes afterwards, nor the result, which is
    shared. Up to `most` results are kept; then all are dropped, which is cheaper than to find the oldest."""

    def keep_results(work: Callable[[S], T]) -> Callable[[S], T]:
        known: dict[int, tuple[S, T]] = {}

        @wraps(work, updated=())
        def kept(source: S) -> T:
            found = known.get(id(source))  # an object that is kept keeps its id
            if found is not None:
                return found[1]
            made = work(source)
            if len(known) >= most:
                known.clear()
            known[id(source)] = source, made
            return made

        return kept

    return keep_results


def once_per_state(work: Callable[[S], T]) -> Callable[[S], T]:
    """Keep the results for the latest states: on a server several readers look at each state, and at others
    in between."""
    return cache_by_identity(KEPT_STATES)(work)
