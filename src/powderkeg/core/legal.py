"""What a seat may do, and a generator to draw from it."""

from collections.abc import Iterable, Iterator
from random import Random
from typing import Any, Protocol

from powderkeg.core.chance import Rng

__all__ = ["Legal", "Listed", "QuickRandom"]


class Legal(Protocol):
    """What a seat may do: can be iterated, counted, sampled, and asked ``action in legal``."""

    def __contains__(self, action: object, /) -> bool: ...
    def __iter__(self) -> Iterator[Any]: ...
    def count_all(self) -> int: ...
    def sample(self, rng: Rng) -> Any: ...


class Listed:
    """Legal actions that are simply listed."""

    __slots__ = ("actions",)

    def __init__(self, actions: Iterable[Any] = ()) -> None:
        self.actions = tuple(actions)

    def __contains__(self, action: object) -> bool:
        for known in self.actions:
            if known is action:  # as a drawn one is: compared in no time
                return True
        return action in self.actions

    def __iter__(self) -> Iterator[Any]:
        return iter(self.actions)

    def __len__(self) -> int:
        return len(self.actions)

    def count_all(self) -> int:
        return len(self.actions)

    def sample(self, rng: Rng) -> Any:
        return self.actions[rng.randrange(len(self.actions))]

    def __repr__(self) -> str:
        return f"<{len(self.actions)} legal: {', '.join(map(str, self.actions[:8]))}>"


class QuickRandom:
    """The numbers of `random.Random`, several times faster for small ranges: for random play."""

    __slots__ = ("_bits",)

    def __init__(self, seed: int) -> None:
        self._bits = Random(seed).getrandbits

    def randrange(self, n: int, /) -> int:
        """Like `random.Random.randrange` of one positive number, with the same draws."""
        if n <= 0:
            raise ValueError(n)
        size = n.bit_length()
        drawn = self._bits(size)
        while drawn >= n:
            drawn = self._bits(size)
        return drawn
