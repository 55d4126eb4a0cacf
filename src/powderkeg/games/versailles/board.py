"""The nouns: nations, regions and counters, and the numbers printed on the board."""

from dataclasses import dataclass

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


@dataclass(frozen=True, slots=True)
class PrintedBoard:
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
