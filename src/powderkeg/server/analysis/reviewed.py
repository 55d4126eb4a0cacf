"""What reviews have found so far, so that a study that was left goes on where it was."""

from collections import OrderedDict
from typing import Any, NamedTuple

KEPT_PARTS = 4096  # of all reviews; the least recently read are forgotten first


class Review(NamedTuple):
    """A finished game never changes, so neither does what is found in it."""

    table: str
    seat: str | None
    level: str


class ReviewedParts:
    """The parts of reviews, by where they begin."""

    def __init__(self, most: int = KEPT_PARTS) -> None:
        self.most = most
        self.parts: OrderedDict[tuple[Review, int], dict[str, Any]] = OrderedDict()

    def keep(self, review: Review, since: int, part: dict[str, Any]) -> None:
        self.parts[review, since] = part
        self.parts.move_to_end((review, since))
        while len(self.parts) > self.most:
            self.parts.popitem(last=False)

    def read(self, review: Review, since: int) -> dict[str, Any] | None:
        """All that is known from `since` on, as one part; None: nothing is."""
        known: dict[str, Any] | None = None
        at: int | None = since
        while at is not None and (part := self.parts.get((review, at))):
            self.parts.move_to_end((review, at))
            known = {**part, "found": [*(known["found"] if known else ()), *part["found"]]}
            at = part["next"]
        return known
