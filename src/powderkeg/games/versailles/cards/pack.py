"""What a pack holds: issues, events, strategies and the board."""

from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Literal, TypeAlias

from powderkeg.games.versailles.board import Board
from powderkeg.games.versailles.events.operations import Effect

Certainty: TypeAlias = Literal["certain", "probable", "reconstructed"]
Sure: TypeAlias = MappingProxyType[str, str]  # value's name -> Certainty


@dataclass(frozen=True, slots=True)
class Choice:
    """One option of an issue."""

    id: str
    happiness: tuple[tuple[int, int], ...]  # nation, change
    unrest: tuple[tuple[int, int], ...]  # region, change
    counters: tuple[str, ...]
    sure: Sure

    def mood(self, nation: int) -> int:
        return sum(n for who, n in self.happiness if who == nation)


@dataclass(frozen=True, slots=True)
class Issue:
    id: str
    number: int
    region: int  # index into CATEGORIES; those after REGIONS have no track
    stars: int
    no_military: bool
    options: tuple[Choice, ...]
    sure: Sure

    def option(self, id_: str) -> int:
        return next(i for i, option in enumerate(self.options) if option.id == id_)


@dataclass(frozen=True, slots=True)
class Event:
    id: str
    number: int
    title: str
    cube: bool  # a cube may be put on it on its way to the table (V-EVENT-06)
    crisis: tuple[Effect, ...]
    optional: bool
    conference: tuple[Effect, ...]
    sure: Sure


@dataclass(frozen=True, slots=True)
class Condition:
    counts: str
    points: int
    sure: Sure


@dataclass(frozen=True, slots=True)
class Strategy:
    id: str
    number: int
    conditions: tuple[Condition, ...]
    sure: Sure


@dataclass(frozen=True, slots=True, eq=False)
class Pack:
    """All cards and the board. Packs are compared by identity; each text is loaded once."""

    name: str
    digest: str
    issues: dict[str, Issue]
    events: dict[str, Event]
    strategies: dict[str, Strategy]
    board: Board
    raw: dict[str, Any]  # as written, for editors and for `changes`
