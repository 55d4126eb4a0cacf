"""The map of Europe: powers, provinces, coasts, borders and the units of 1901.

Nouns only, read once from `data/*.csv`. A *location* is where a unit can stand: a province
(``par``, ``eng``) or one coast of a province that has two (``stp/nc``). For the adjudicator every
location has a small number: provinces come first, in alphabetical order, then the six coasts; a
set of provinces is an int whose bit `n` stands for province number `n`.
"""

import csv
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Final, Literal, TypeAlias

Power: TypeAlias = str
UnitKind: TypeAlias = Literal["A", "F"]

POWERS: Final[tuple[Power, ...]] = (
    "AUSTRIA",
    "ENGLAND",
    "FRANCE",
    "GERMANY",
    "ITALY",
    "RUSSIA",
    "TURKEY",
)


@dataclass(frozen=True, slots=True)
class Province:
    """One region of the board. `name` is English and decides alphabetical ties (D-CD-05)."""

    code: str
    name: str
    kind: Literal["inland", "coastal", "sea"]
    centre: bool
    home: Power | None
    coasts: tuple[str, ...]  # locations, only where there are two


@dataclass(frozen=True, slots=True)
class Unit:
    """An army or a fleet and where it stands: ``A par``, ``F stp/sc``."""

    kind: UnitKind
    at: str

    @property
    def province(self) -> str:
        return self.at[:3]

    def __str__(self) -> str:
        return f"{self.kind} {self.at}"


def data_text(name: str) -> str:
    """The text of a file in `data/`."""
    return (files(__package__) / "data" / name).read_text(encoding="utf-8")


def _csv_rows(name: str) -> list[dict[str, str]]:
    return list(csv.DictReader(data_text(name).splitlines()))


def _load_province(row: dict[str, str]) -> Province:
    coasts = tuple(f"{row['code']}/{coast}" for coast in row["coasts"].split())
    kind: Literal["inland", "coastal", "sea"] = row["kind"]  # type: ignore[assignment]  # a test counts the kinds
    return Province(
        row["code"], row["name"], kind, bool(row["centre"]), row["home"] or None, coasts
    )


PROVINCES: Final[dict[str, Province]] = {
    row["code"]: _load_province(row)
    for row in sorted(_csv_rows("provinces.csv"), key=lambda r: r["code"])
}
# The names the rules sort by (D-CD-05); what readers see is in the catalogues.
PROVINCE_NAMES: Final[dict[str, dict[str, str]]] = {
    row["code"]: {"en": row["name"], "es": row["es"], "it": row["it"]}
    for row in _csv_rows("provinces.csv")
}
LOCATIONS: Final[tuple[str, ...]] = (
    *PROVINCES,
    *(coast for province in PROVINCES.values() for coast in province.coasts),
)
CENTRES: Final[tuple[str, ...]] = tuple(p.code for p in PROVINCES.values() if p.centre)
HOMES: Final[dict[Power, tuple[str, ...]]] = {
    power: tuple(p.code for p in PROVINCES.values() if p.home == power) for power in POWERS
}
START: Final[dict[Power, tuple[Unit, ...]]] = {
    power: tuple(
        Unit(row["kind"], row["at"])  # type: ignore[arg-type]  # a test reads every row
        for row in _csv_rows("start.csv")
        if row["power"] == power
    )
    for power in POWERS
}


def _load_borders(by: UnitKind) -> dict[str, tuple[str, ...]]:
    """Each border is written once and read both ways."""
    ways = {"A": ("army", "both"), "F": ("fleet", "both")}[by]
    borders = [(row["a"], row["b"]) for row in _csv_rows("borders.csv") if row["by"] in ways]
    near: dict[str, list[str]] = {location: [] for location in LOCATIONS}
    for a, b in borders:
        near[a].append(b)
        near[b].append(a)
    return {location: tuple(sorted(found)) for location, found in near.items()}


ARMY_MOVES: Final[dict[str, tuple[str, ...]]] = _load_borders("A")
FLEET_MOVES: Final[dict[str, tuple[str, ...]]] = _load_borders("F")


def unit_moves(unit: Unit) -> tuple[str, ...]:
    """Where `unit` could go by itself: fleets name the coast of a province that has two."""
    return (ARMY_MOVES if unit.kind == "A" else FLEET_MOVES)[unit.at]


def can_stand(unit: Unit) -> bool:
    """Whether such a unit can stand there at all (D-MAP-01, D-MAP-05)."""
    province = PROVINCES[unit.province]
    if unit.kind == "A":
        return province.kind != "sea" and unit.at == province.code
    return province.kind != "inland" and (unit.at in province.coasts or not province.coasts)


ARMY_UNITS: Final[tuple[Unit, ...]] = tuple(Unit("A", location) for location in LOCATIONS)
FLEET_UNITS: Final[tuple[Unit, ...]] = tuple(Unit("F", location) for location in LOCATIONS)

# The same in small numbers, for the adjudicator.

NUMBER_OF: Final[dict[str, int]] = {location: n for n, location in enumerate(LOCATIONS)}
PROVINCE_COUNT: Final = len(PROVINCES)
PROVINCE_OF: Final[tuple[int, ...]] = tuple(NUMBER_OF[location[:3]] for location in LOCATIONS)
CODES: Final[tuple[str, ...]] = tuple(PROVINCES)


def province_set(locations: tuple[str, ...] | list[str]) -> int:
    """The set of provinces in which `locations` lie."""
    mask = 0
    for location in locations:
        mask |= 1 << PROVINCE_OF[NUMBER_OF[location]]
    return mask


def province_codes(mask: int) -> tuple[str, ...]:
    """The provinces of a set, in alphabetical order."""
    return tuple(code for n, code in enumerate(CODES) if mask >> n & 1)


ARMY_REACH: Final[tuple[int, ...]] = tuple(
    province_set(ARMY_MOVES[location]) for location in LOCATIONS
)
FLEET_REACH: Final[tuple[int, ...]] = tuple(
    province_set(FLEET_MOVES[location]) for location in LOCATIONS
)
SEAS: Final = province_set([p.code for p in PROVINCES.values() if p.kind == "sea"])
COASTAL: Final = province_set([p.code for p in PROVINCES.values() if p.kind == "coastal"])
TWO_COASTS: Final = province_set([p.code for p in PROVINCES.values() if p.coasts])
# For a sea: the seas and the shores beside it. For a shore: the seas beside it.
SEAS_NEAR: Final[tuple[int, ...]] = tuple(
    SEAS
    & province_set(
        [*FLEET_MOVES[code], *(to for c in PROVINCES[code].coasts for to in FLEET_MOVES[c])]
    )
    for code in CODES
)
SHORES_NEAR: Final[tuple[int, ...]] = tuple(
    COASTAL & FLEET_REACH[n] if SEAS >> n & 1 else 0 for n in range(PROVINCE_COUNT)
)
# Where a fleet can go as a set of locations, which unlike `FLEET_REACH` tells coasts apart.
FLEET_LOCATIONS: Final[tuple[int, ...]] = tuple(
    sum(1 << NUMBER_OF[to] for to in FLEET_MOVES[location]) for location in LOCATIONS
)


def flood_seas(start: int, seas: int) -> int:
    """All of `seas` that can be reached from the set `start` through `seas`."""
    found = edge = start & seas
    while edge:
        grown = 0
        while edge:
            low = edge & -edge
            grown |= SEAS_NEAR[low.bit_length() - 1]
            edge ^= low
        edge = grown & seas & ~found
        found |= edge
    return found


def shores_beside(seas: int) -> int:
    """The coastal provinces beside any of `seas`."""
    found = 0
    while seas:
        low = seas & -seas
        found |= SHORES_NEAR[low.bit_length() - 1]
        seas ^= low
    return found


@lru_cache(maxsize=1 << 16)
def carried_shores(seas: int, start: int) -> int:
    """The shores to which fleets in `seas` could convoy an army, its own among them."""
    return shores_beside(flood_seas(SEAS_NEAR[start], seas))


def has_route(seas: int, start: int, end: int) -> bool:
    """Whether an army could be convoyed from shore to shore if fleets in all `seas` helped."""
    return bool(flood_seas(SEAS_NEAR[start], seas) & SEAS_NEAR[end])


@lru_cache(maxsize=1 << 16)
def useful_seas(seas: int, start: int, end: int) -> int:
    """Those of `seas` whose fleets a convoy from `start` to `end` could need.

    A fleet is useful if it is part of a route that needs all of its fleets, without a short cut
    past any of them (DATC 6.G.19).
    """
    first, last = SEAS_NEAR[start] & seas, SEAS_NEAR[end] & seas
    found = first & last
    middle = flood_seas(first & ~last, seas & ~found) & ~found
    if not middle & last:
        return found
    for sea in set_members(first & middle):
        found |= _without_short_cut(sea, 1 << sea, middle & ~first, last)
    return found


def _without_short_cut(here: int, route: int, free: int, last: int) -> int:
    """All seas on routes that begin with `route`, whose newest sea is `here`, go on through seas
    that are `free` and reach one of the `last`."""
    found = 0
    steps = SEAS_NEAR[here] & free
    if ends := steps & last:
        found = route | ends
    for sea in set_members(steps & ~last):
        found |= _without_short_cut(sea, route | 1 << sea, free & ~steps, last)
    return found


def set_members(mask: int) -> Iterator[int]:
    """The provinces of a set, by number."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low
