"""What reviews have found so far, so that a study that was left goes on where it was."""

import json
from collections import OrderedDict
from typing import Any, NamedTuple

KEPT_CHARACTERS = 50_000_000  # of all reviews; the least recently read are forgotten first


class Review(NamedTuple):
    """A finished game never changes, so neither does what is found in it."""

    table: str
    seat: str | None
    level: str


class ReviewedParts:
    """The parts of reviews, by where they begin."""

    def __init__(self, most: int = KEPT_CHARACTERS) -> None:
        self.most, self.size = most, 0
        self.parts: OrderedDict[tuple[Review, int], str] = OrderedDict()  # as JSON

    def keep(self, review: Review, since: int, part: dict[str, Any]) -> None:
        self._forget((review, since))
        self.parts[review, since] = text = json.dumps(part, ensure_ascii=False)
        self.size += len(text)
        while self.size > self.most and len(self.parts) > 1:
            self._forget(next(iter(self.parts)))

    def _forget(self, key: tuple[Review, int]) -> None:
        self.size -= len(self.parts.pop(key, ""))

    def read(self, review: Review, since: int) -> dict[str, Any] | None:
        """All that is known from `since` on, as one part; None: nothing is."""
        known: dict[str, Any] | None = None
        at: int | None = since
        while at is not None and (text := self.parts.get((review, at))):
            self.parts.move_to_end((review, at))
            part = json.loads(text)
            known = {**part, "found": [*(known["found"] if known else ()), *part["found"]]}
            at = part["next"]
        return known
