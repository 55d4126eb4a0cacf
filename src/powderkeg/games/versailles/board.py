"""The nouns: nations, regions and counters. `Final`, so that compiled rules know them."""

from typing import Final

NATIONS: Final[tuple[str, ...]] = ("uk", "france", "usa", "italy", "japan")
UK: Final = 0
FRANCE: Final = 1
USA: Final = 2
ITALY: Final = 3
JAPAN: Final = 4
NOBODY: Final = -1

REGIONS: Final[tuple[str, ...]] = (
    "europe",
    "balkans",
    "middle_east",
    "pacific",
    "africa",
)  # top to bottom
CATEGORIES: Final[tuple[str, ...]] = (*REGIONS, "league", "reparations", "none")
LEAGUE: Final = 5
REPARATIONS: Final = 6
NO_REGION: Final = 7

GAME_END: Final = "rush_to_the_finish"

FLAGS: Final[tuple[str, ...]] = (
    "naval.uk",
    "naval.usa",
    "empire.uk",
    "empire.france",
    "empire.italy",
)
COUNTERS: Final[tuple[str, ...]] = (
    "self_determination",
    "german_containment",
    "german_reparations",
    "industrial_growth",
    "bolshevik_containment",
    *FLAGS,
)
NAVAL: Final = "naval"  # an icon whose flag the controller chooses (V-OPT-10)
NAVAL_FLAGS: Final[tuple[str, ...]] = ("uk", "usa")

NO_CUBES: Final[tuple[int, ...]] = (0, 0, 0, 0)  # on an issue, by nation; Japan never plays
COLUMNS: Final = range(1, 9)
POSTS: Final = range(5, 9)  # where units stand
LAST_KEG: Final = 3
