"""The map for bots, in small numbers and flat lists.

A *node* is a place to stand for one kind of unit: 2 * location + (1 for a fleet), with locations as
in `board.NUMBER`. A unit on a map is 1 + NODES * power + node, as in `games.diplomacy.batch`; a row
of 75 such numbers, 0 where nobody stands, is a position.
"""

from collections.abc import Iterable, Sequence
from typing import Final

from powderkeg.games.diplomacy.board import (
    ARMY_MOVES,
    CENTRES,
    CODES,
    FLEET_MOVES,
    HOMES,
    LOCATIONS,
    NUMBER_OF,
    POWERS,
    PROVINCE_OF,
    PROVINCES,
    Unit,
    can_stand,
)
from powderkeg.games.diplomacy.rules.adjustments import builds_at

COUNT: Final = len(CODES)
NODES: Final = 2 * len(LOCATIONS)
SUPPLY: Final = len(CENTRES)
KINDS: Final = ("A", "F")


def node_of(unit: Unit) -> int:
    return 2 * NUMBER_OF[unit.at] + (unit.kind == "F")


def unit_of(node: int) -> Unit:
    return Unit(KINDS[node % 2], LOCATIONS[node // 2])


def _joined(rows: Iterable[Sequence[int]]) -> tuple[list[int], list[int]]:
    """Rows of different lengths in one list, and where each begins (and the last one ends)."""
    flat: list[int] = []
    begins = [0]
    for row in rows:
        flat += row
        begins.append(len(flat))
    return flat, begins


def _near(node: int) -> list[int]:
    unit = unit_of(node)
    if not can_stand(unit):
        return []
    ways = ARMY_MOVES if unit.kind == "A" else FLEET_MOVES
    return [node_of(Unit(unit.kind, to)) for to in ways[unit.at]]


_NEAR: Final = [_near(node) for node in range(NODES)]
NEAR, NEAR_FROM = _joined(_NEAR)  # the nodes beside a node
TOUCH, TOUCH_FROM = _joined(  # the provinces beside a node, each once
    [sorted({PROVINCE_OF[to // 2] for to in near}) for near in _NEAR]
)
PROVINCE: Final = [PROVINCE_OF[node // 2] for node in range(NODES)]
CENTRE_AT: Final = [NUMBER_OF[code] for code in CENTRES]
CENTRE_OF: Final = [CENTRE_AT.index(at) if at in CENTRE_AT else -1 for at in range(COUNT)]
_WAYS: Final = [  # the nodes beside a node by province: of some the two coasts
    [[to for to in near if PROVINCE[to] == at] for at in sorted({PROVINCE[to] for to in near})]
    for near in _NEAR
]
SEA: Final = [int(PROVINCES[code].kind == "sea") for code in CODES]
SHORES, SHORES_FROM = _joined(  # the coastal provinces beside a sea
    [
        sorted(
            {NUMBER_OF[to[:3]] for to in FLEET_MOVES[code] if PROVINCES[to[:3]].kind == "coastal"}
        )
        if PROVINCES[code].kind == "sea"
        else []
        for code in CODES
    ]
)
SITES, SITES_FROM = _joined(  # where a power can build: nodes
    [[node_of(unit) for home in HOMES[power] for unit in builds_at(home)] for power in POWERS]
)

# How the worth of centres spreads over the map: in each of nine steps a place gets a fifth of its
# own worth and its neighbours' (of a province with two coasts, their mean). SPREAD says what a
# place counts after so many steps: in spring it is best to stand beside a centre, in fall on it.

SPREAD: Final = (
    (100, 1000, 30, 10, 6, 5, 4, 3, 2, 1),
    (1000, 100, 30, 10, 6, 5, 4, 3, 2, 1),
)
FINE: Final = 1000  # worths are whole numbers, so that every machine agrees
_POINT: Final = 10**9


def _pull(centre: int) -> list[list[int]]:
    """What one point of worth at a centre gives to every node, by season."""
    here = [_POINT * int(bool(_NEAR[n]) and PROVINCE[n] == centre) for n in range(NODES)]
    totals = [[weights[0] * x for x in here] for weights in SPREAD]
    for step in range(1, len(SPREAD[0])):
        here = [
            (x + sum(sum(here[to] for to in way) // len(way) for way in _WAYS[n])) // 5
            for n, x in enumerate(here)
        ]
        for weights, total in zip(SPREAD, totals, strict=True):
            for n, x in enumerate(here):
                total[n] += weights[step] * x
    return [[FINE * t // _POINT for t in total] for total in totals]


def _pulls() -> list[int]:
    """By season, node and centre."""
    columns = [_pull(centre) for centre in CENTRE_AT]
    return [
        column[season][node]
        for season in range(len(SPREAD))
        for node in range(NODES)
        for column in columns
    ]


PULL: Final = _pulls()
