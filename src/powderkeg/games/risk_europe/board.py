"""The box: map, cities, armies, prices and King's Orders cards. Nouns only, read once.

Territories have small numbers inside the rules (their place in `TERRITORIES`) and names on the
wire (`NAMES`). Units of an army in one place are four numbers in the order of `UNITS`.
"""

import csv
import tomllib
from importlib.resources import files
from typing import Final, NamedTuple, TypeAlias

Units: TypeAlias = tuple[int, int, int, int]  # footmen, archers, cavalry, siege weapons

NOBODY: Final = -1  # no army
COLOURS: Final = ("blue", "orange", "green", "purple")
UNITS: Final = ("footman", "archer", "cavalry", "siege")
FOOTMAN, ARCHER, CAVALRY, SIEGE = range(4)
EMPTY: Final[Units] = (0, 0, 0, 0)
FULL_ARMY: Final[Units] = (35, 12, 12, 4)  # R-SET-02
PRICES: Final[Units] = (1, 2, 3, 10)  # R-SPEND-02
CASTLE_PRICE: Final = 12  # R-SPEND-06
CROWN_PRICE: Final = 10  # R-SPEND-10
CASTLES: Final = 8
CROWN_CARDS: Final = 8
START_COINS: Final = 5  # R-SET-03
TARGETS: Final = {4: 7, 3: 8, 2: 10}  # crowns to win, by players: R-SET-01, R-3P-13, R-2P-09
MARKER_COINS: Final = 10  # what the marker counts for in a tie of coins: R-WIN-04


class Territory(NamedTuple):
    """One named area. `city` is empty where there is none; `gold` cities have a bonus shield."""

    name: str
    city: str
    gold: bool
    tax: int  # what it pays when taxed: its city's value, or 1 (R-TAX-02, R-TAX-04)


class Card(NamedTuple):
    """One kind of King's Orders card: two orders, perhaps a bonus action."""

    name: str
    copies: int
    orders: tuple[str, str]
    bonus: str


def _data_text(name: str) -> str:
    return (files("powderkeg.games.risk_europe") / "data" / name).read_text(encoding="utf-8")


def _read_territory(row: dict[str, str]) -> Territory:
    return Territory(row["id"], row["city"], row["crown"] == "gold", int(row["tax"] or 1))


TERRITORIES: Final = tuple(
    map(_read_territory, csv.DictReader(_data_text("territories.csv").splitlines()))
)
TERRITORY_NAMES: Final = tuple(t.name for t in TERRITORIES)
TERRITORY_NUMBER: Final = {name: number for number, name in enumerate(TERRITORY_NAMES)}
TAX_VALUES: Final = tuple(t.tax for t in TERRITORIES)
IS_CITY: Final = tuple(bool(t.city) for t in TERRITORIES)
CITIES: Final = tuple(n for n, t in enumerate(TERRITORIES) if t.city)
GOLD_CITIES: Final = tuple(n for n, t in enumerate(TERRITORIES) if t.gold)
CITY_AT: Final = {t.city: n for n, t in enumerate(TERRITORIES) if t.city}  # where a city stands
ROME: Final = CITY_AT["rome"]

_BORDERS: Final = tuple(
    (TERRITORY_NUMBER[row["a"]], TERRITORY_NUMBER[row["b"]], row["by"])
    for row in csv.DictReader(_data_text("borders.csv").splitlines())
)


def _neighbours_by(*kinds: str) -> tuple[tuple[int, ...], ...]:
    found: list[list[int]] = [[] for _ in TERRITORY_NAMES]
    for a, b, by in _BORDERS:
        if by in kinds:
            found[a].append(b)
            found[b].append(a)
    return tuple(tuple(sorted(beside)) for beside in found)


ADJACENT: Final = _neighbours_by("land", "sea")  # adjacency of every rule but one (R-MAP-04)
ADJACENT_BY_LAND: Final = _neighbours_by("land")  # Siege Assault does not cross water (R-SIEGE-05)
SEA_LINES: Final = tuple((a, b) for a, b, by in _BORDERS if by == "sea")

CARDS: Final = {
    card["id"]: Card(card["id"], card["copies"], tuple(card["orders"]), card["bonus"])
    for card in tomllib.loads(_data_text("orders.toml"))["card"]
}
DECK: Final = tuple(card.name for card in CARDS.values() for _ in range(card.copies))


def total_units(units: Units) -> int:
    return units[0] + units[1] + units[2] + units[3]


def add_units(a: Units, b: Units) -> Units:
    return (a[0] + b[0], a[1] + b[1], a[2] + b[2], a[3] + b[3])


def subtract_units(a: Units, b: Units) -> Units:
    return (a[0] - b[0], a[1] - b[1], a[2] - b[2], a[3] - b[3])


def fits_within(a: Units, b: Units) -> bool:
    """Whether `a` could be taken out of `b`."""
    return a[0] <= b[0] and a[1] <= b[1] and a[2] <= b[2] and a[3] <= b[3]


def units_of(unit: int, count: int) -> Units:
    """So many of one kind."""
    return (
        count if unit == 0 else 0,
        count if unit == 1 else 0,
        count if unit == 2 else 0,
        count if unit == 3 else 0,
    )
