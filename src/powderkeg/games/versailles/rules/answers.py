"""The legal answers to a question, with the reason why any other is refused."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Protocol, TypeVar

from powderkeg.core.chance import Rng
from powderkeg.core.errors import Illegal
from powderkeg.core.game import Legal, Listed

T = TypeVar("T")


class LegalAnswers(Legal, Protocol):
    """Legal answers that can give reasons."""

    def check(self, action: Any) -> None:
        """Raise the reason why `action` is not one of them."""


class ListedAnswers(Listed):
    """A few answers, all listed."""

    __slots__ = ("refusal",)

    def __init__(self, actions: Iterable[Any], refusal: Callable[[Any], Illegal]) -> None:
        super().__init__(actions)
        self.refusal = refusal

    def check(self, action: Any) -> None:
        if action not in self:
            raise self.refusal(action)


class DescribedAnswers:
    """Answers that are too many to list at every step: checked and drawn by functions."""

    __slots__ = ("check", "draw", "listing")

    def __init__(
        self,
        listing: Callable[[], Iterable[Any]],
        check: Callable[[Any], None],
        draw: Callable[[Rng], Any],
    ) -> None:
        self.listing, self.check, self.draw = listing, check, draw

    def __contains__(self, action: object) -> bool:
        try:
            self.check(action)
        except Illegal:
            return False
        return True

    def __iter__(self) -> Iterator[Any]:
        return iter(self.listing())

    def count_all(self) -> int:
        return sum(1 for _ in self)

    def sample(self, rng: Rng) -> Any:
        return self.draw(rng)


def pick_one(items: Sequence[T], rng: Rng) -> T:
    """One of `items` at random."""
    return items[rng.randrange(len(items))]
