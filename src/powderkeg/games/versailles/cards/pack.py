"""A pack of cards: issues, events, strategies and the numbers of the board."""

from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, TypeAlias

from powderkeg.games.versailles.events.operations import Effect

Certainties: TypeAlias = MappingProxyType[str, str]  # value's name -> one of CERTAINTIES


@dataclass(frozen=True, slots=True)
class IssueOption:
    """One option of an issue."""

    id: str
    happiness: tuple[tuple[int, int], ...]  # nation, change
    unrest: tuple[tuple[int, int], ...]  # region, change
    counters: tuple[str, ...]
    sure: Certainties
    name: str = ""  # the pack's own; empty where the catalogue has one

    def mood(self, nation: int) -> int:
        return sum([n for who, n in self.happiness if who == nation])


@dataclass(frozen=True, slots=True)
class IssueCard:
    id: str
    number: int
    region: int  # index into CATEGORIES; those after REGIONS have no track
    stars: int
    no_military: bool
    options: tuple[IssueOption, ...]
    sure: Certainties
    name: str = ""

    def option(self, id_: str) -> int:
        return [option.id for option in self.options].index(id_)


@dataclass(frozen=True, slots=True)
class EventCard:
    id: str
    number: int
    title: str
    cube: bool  # a cube may be put on it on its way to the table (V-EVENT-06)
    crisis: tuple[Effect, ...]
    optional: bool
    conference: tuple[Effect, ...]
    sure: Certainties
    name: str = ""


@dataclass(frozen=True, slots=True)
class Condition:
    counts: str
    points: int
    sure: Certainties


@dataclass(frozen=True, slots=True)
class StrategyCard:
    id: str
    number: int
    conditions: tuple[Condition, ...]
    sure: Certainties
    name: str = ""


@dataclass(frozen=True, slots=True)
class PrintedBoard:
    """The numbers printed on the board."""

    happiness: int
    happiness_by_length: dict[int, int]  # where players start in the longer games
    most_happiness: int
    signs_at: int
    mutiny_gain: int
    cubes: int
    units: int
    reclaim: int
    dive_costs: tuple[int, ...]
    most_exchanged: int
    rank_points: dict[int, tuple[int, ...]]
    zero_points: int
    random_region: tuple[int, ...]  # by die; NOBODY: nothing happens
    uprising: tuple[int, ...]  # by column, from index 1; 0 is an X
    cubes_back: dict[int, int]
    unhappy: dict[int, int]
    modifies: tuple[int, ...]
    units_allowed: tuple[int, ...]  # by happiness
    spaces: tuple[int, ...]
    grey: tuple[int, ...]
    last_space: int


@dataclass(frozen=True, slots=True, eq=False)
class CardPack:
    """All cards and the board. Packs are compared by identity; each text is loaded once."""

    name: str
    digest: str
    issues: dict[str, IssueCard]
    events: dict[str, EventCard]
    strategies: dict[str, StrategyCard]
    board: PrintedBoard
    board_sure: Certainties  # by path below the board: ``demobilise.grey``
    raw: dict[str, Any]  # as written, for editors and for `changes`
