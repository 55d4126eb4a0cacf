"""Chance is a seat. The rules say what is pending (dice, a draw); a source answers; the log records
it.

All outcomes of one description are equally likely, so bots can average over them.
"""

import hashlib
import hmac
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import permutations, product
from math import perm
from typing import Final, Protocol, TypeAlias

from powderkeg.core.errors import Illegal, Unreadable

__all__ = [
    "CHANCE",
    "Audited",
    "Dice",
    "Draw",
    "Drawn",
    "Outcome",
    "Owed",
    "Rng",
    "Roll",
    "Scripted",
    "Seeded",
    "Source",
    "parse_outcome",
    "shuffle",
]

CHANCE: Final = "chance"


class Rng(Protocol):
    """What we need from a random generator; `random.Random` is one."""

    def randrange(self, n: int, /) -> int: ...


@dataclass(frozen=True, slots=True)
class Roll:
    """Dice as they fell: ``roll 3 5``."""

    dice: tuple[int, ...]

    def __str__(self) -> str:
        return " ".join(["roll", *map(str, self.dice)])


@dataclass(frozen=True, slots=True)
class Drawn:
    """Things in the order in which they were drawn: ``draw smyrna silesia``."""

    items: tuple[str, ...]

    def __str__(self) -> str:
        return " ".join(["draw", *self.items])


Outcome: TypeAlias = Roll | Drawn


@dataclass(frozen=True, slots=True)
class Dice:
    """Some dice are to be rolled."""

    count: int
    sides: int = 6

    def __contains__(self, outcome: object) -> bool:
        return (
            isinstance(outcome, Roll)
            and len(outcome.dice) == self.count
            and all(1 <= die <= self.sides for die in outcome.dice)
        )

    def __iter__(self) -> Iterator[Roll]:
        return map(Roll, product(range(1, self.sides + 1), repeat=self.count))

    def count_all(self) -> int:
        return int(self.sides**self.count)

    def sample(self, rng: Rng) -> Roll:
        return Roll(tuple(1 + rng.randrange(self.sides) for _ in range(self.count)))


@dataclass(frozen=True, slots=True)
class Draw:
    """`count` of `items` are to be drawn without replacement; a shuffle draws them all.

    Equal items (a bag of cubes) count as different things, so each outcome stays equally likely.
    """

    items: tuple[str, ...]
    count: int

    def __contains__(self, outcome: object) -> bool:
        return (
            isinstance(outcome, Drawn)
            and len(outcome.items) == self.count
            and self._has_all(outcome.items)
        )

    def _has_all(self, drawn: tuple[str, ...]) -> bool:
        if len(drawn) == 1:
            return drawn[0] in self.items
        if len(wanted := set(drawn)) == len(drawn):  # as most are: no two alike
            return wanted.issubset(self.items)
        return not Counter(drawn) - Counter(self.items)

    def __iter__(self) -> Iterator[Drawn]:
        return map(Drawn, permutations(self.items, self.count))

    def count_all(self) -> int:
        return perm(len(self.items), self.count)

    def sample(self, rng: Rng) -> Drawn:
        left = list(self.items)
        return Drawn(tuple(left.pop(rng.randrange(len(left))) for _ in range(self.count)))


def shuffle(items: Iterable[str]) -> Draw:
    """A draw of all `items`: a shuffle."""
    listed = tuple(items)
    return Draw(listed, len(listed))


Owed: TypeAlias = Dice | Draw


_DIE = re.compile(r"[0-9]{1,9}")  # longer numbers cannot be dice, and are slow to parse


def parse_outcome(text: str) -> Outcome:
    """The outcome written in a log: the inverse of `str`."""
    match text.split():
        case ["roll", *dice] if all(_DIE.fullmatch(die) for die in dice):
            return Roll(tuple(map(int, dice)))
        case ["draw", *items]:
            return Drawn(tuple(items))
    raise Unreadable("core.not_an_outcome", text=text)


class Source(Protocol):
    """Where outcomes come from. `position` is the place in the log that the outcome will take."""

    def draw(self, owed: Owed, position: int) -> Outcome: ...


class Seeded:
    """A plain generator, for self-play and tests."""

    def __init__(self, rng: Rng) -> None:
        self.rng = rng

    def draw(self, owed: Owed, position: int) -> Outcome:
        return owed.sample(self.rng)


class Scripted:
    """Outcomes written down beforehand: rulebook examples and tests."""

    def __init__(self, outcomes: Iterable[Outcome | str]) -> None:
        self.outcomes = [parse_outcome(o) if isinstance(o, str) else o for o in outcomes]

    def draw(self, owed: Owed, position: int) -> Outcome:
        if not self.outcomes:
            raise Illegal("core.script_ended", owed=str(owed))
        return self.outcomes.pop(0)


class Audited:
    """Outcomes that anyone can check once `key` is published.

    The commitment (SHA-256 of the key) is shown before the first draw. Each draw depends only on
    key and log position, so nobody can pick a favourable draw, and reloading never rolls again.
    """

    def __init__(self, key: bytes) -> None:
        self.key = key

    @property
    def commitment(self) -> str:
        return hashlib.sha256(self.key).hexdigest()

    def draw(self, owed: Owed, position: int) -> Outcome:
        return owed.sample(_KeyedStream(self.key, position))


class _KeyedStream:
    """A stream of numbers from HMAC-SHA256 of key, log position and counter."""

    def __init__(self, key: bytes, position: int) -> None:
        self.key, self.position, self.counter = key, position, 0

    def randrange(self, n: int, /) -> int:
        fair = (1 << 64) // n * n  # above this, a remainder would favour small numbers
        while True:
            note = f"{self.position}/{self.counter}".encode()
            self.counter += 1
            word = int.from_bytes(hmac.digest(self.key, note, "sha256")[:8])
            if word < fair:
                return word % n
