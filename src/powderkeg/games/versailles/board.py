"""The nouns: nations, regions, counters, and the cards and tracks of a pack."""

from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

if TYPE_CHECKING:  # effects speak of the nouns below
    from powderkeg.games.versailles.ops import Effect

NATIONS = ("uk", "france", "usa", "italy", "japan")
UK, FRANCE, USA, ITALY, JAPAN = range(5)
NOBODY = -1

REGIONS = ("europe", "balkans", "middle_east", "pacific", "africa")  # top to bottom
CATEGORIES = (*REGIONS, "league", "reparations", "none")
LEAGUE, REPARATIONS, NO_REGION = 5, 6, 7

GAME_END = "rush_to_the_finish"

FLAGS = ("naval.uk", "naval.usa", "empire.uk", "empire.france", "empire.italy")
COUNTERS = (
    "self_determination",
    "german_containment",
    "german_reparations",
    "industrial_growth",
    "bolshevik_containment",
    *FLAGS,
)
NAVAL = "naval"  # an icon whose flag the controller chooses (V-OPT-10)
NAVAL_FLAGS = ("uk", "usa")

NO_CUBES = (0, 0, 0, 0)  # on an issue, by nation; Japan never plays
COLUMNS = range(1, 9)
POSTS = range(5, 9)  # where units stand
LAST_KEG = 3

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
    crisis: "tuple[Effect, ...]"
    optional: bool
    conference: "tuple[Effect, ...]"
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


@dataclass(frozen=True, slots=True)
class Board:
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
class Pack:
    """All cards and the board. Packs are compared by identity; each text is loaded once."""

    name: str
    digest: str
    issues: dict[str, Issue]
    events: dict[str, Event]
    strategies: dict[str, Strategy]
    board: Board
    raw: dict[str, Any]  # as written, for editors and for `changes`
