"""The map in small numbers and flat lists.

A *node* is a place for one kind of unit: 2 * location + (1 for a fleet), with locations as in
`board.NUMBER_OF`. A unit is 1 + NODE_COUNT * power + node, as in `games.diplomacy.fast.batch`; a row of
75 such numbers, one per province and 0 where there is no unit, is a row of units.
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
    PROVINCE_COUNT,
    PROVINCE_OF,
    PROVINCES,
    Unit,
    can_stand,
)
from powderkeg.games.diplomacy.rules.adjustments import builds_at

NODE_COUNT: Final = 2 * len(LOCATIONS)
CENTRE_COUNT: Final = len(CENTRES)
UNIT_KINDS: Final = ("A", "F")


def node_of(unit: Unit) -> int:
    """The node on which a unit stands."""
    return 2 * NUMBER_OF[unit.at] + (unit.kind == "F")


def unit_of(node: int) -> Unit:
    """The unit that stands on a node."""
    return Unit(UNIT_KINDS[node % 2], LOCATIONS[node // 2])


def _join_rows(rows: Iterable[Sequence[int]]) -> tuple[list[int], list[int]]:
    """All rows in one list, and where each row begins (with the end of the last one)."""
    flat: list[int] = []
    begins = [0]
    for row in rows:
        flat += row
        begins.append(len(flat))
    return flat, begins


def _nodes_near(node: int) -> list[int]:
    """The nodes that a unit on `node` can move to."""
    unit = unit_of(node)
    if not can_stand(unit):
        return []
    ways = ARMY_MOVES if unit.kind == "A" else FLEET_MOVES
    return [node_of(Unit(unit.kind, to)) for to in ways[unit.at]]


_NEAR: Final = [_nodes_near(node) for node in range(NODE_COUNT)]
NEAR, NEAR_FROM = _join_rows(_NEAR)  # the nodes beside a node
TOUCH, TOUCH_FROM = _join_rows(  # the provinces beside a node, each once
    [sorted({PROVINCE_OF[to // 2] for to in near}) for near in _NEAR]
)
NODE_PROVINCE: Final = [PROVINCE_OF[node // 2] for node in range(NODE_COUNT)]
CENTRE_AT: Final = [NUMBER_OF[code] for code in CENTRES]
CENTRE_OF: Final = [CENTRE_AT.index(at) if at in CENTRE_AT else -1 for at in range(PROVINCE_COUNT)]
_WAYS: Final = [  # the nodes beside a node by province: of some the two coasts
    [
        [to for to in near if NODE_PROVINCE[to] == at]
        for at in sorted({NODE_PROVINCE[to] for to in near})
    ]
    for near in _NEAR
]
SEA: Final = [int(PROVINCES[code].kind == "sea") for code in CODES]
SHORES, SHORES_FROM = _join_rows(  # the coastal provinces beside a sea
    [
        sorted(
            {NUMBER_OF[to[:3]] for to in FLEET_MOVES[code] if PROVINCES[to[:3]].kind == "coastal"}
        )
        if PROVINCES[code].kind == "sea"
        else []
        for code in CODES
    ]
)
SITES, SITES_FROM = _join_rows(  # where a power can build: nodes
    [[node_of(unit) for home in HOMES[power] for unit in builds_at(home)] for power in POWERS]
)

# The worth of centres spreads over the map: in each of nine steps a node gets a fifth of its own
# worth and its neighbours' (the mean of both where a province has two coasts). SPREAD has the factor
# of every step, by season: in spring it is best to stand beside a centre, in fall on it.

SPREAD: Final = (
    (100, 1000, 30, 10, 6, 5, 4, 3, 2, 1),
    (1000, 100, 30, 10, 6, 5, 4, 3, 2, 1),
)
WORTH_SCALE: Final = 1000  # worths are whole numbers, so that all machines agree
_POINT: Final = 10**9


def _centre_pull(centre: int) -> list[list[int]]:
    """How much one point of worth at a centre gives to every node, by season."""
    here = [_POINT * int(bool(_NEAR[n]) and NODE_PROVINCE[n] == centre) for n in range(NODE_COUNT)]
    totals = [[weights[0] * x for x in here] for weights in SPREAD]
    for step in range(1, len(SPREAD[0])):
        here = [
            (x + sum(sum(here[to] for to in way) // len(way) for way in _WAYS[n])) // 5
            for n, x in enumerate(here)
        ]
        for weights, total in zip(SPREAD, totals, strict=True):
            for n, x in enumerate(here):
                total[n] += weights[step] * x
    return [[WORTH_SCALE * t // _POINT for t in total] for total in totals]


def _all_pulls() -> list[int]:
    """The pull of every centre, by season, node and centre."""
    columns = [_centre_pull(centre) for centre in CENTRE_AT]
    return [
        column[season][node]
        for season in range(len(SPREAD))
        for node in range(NODE_COUNT)
        for column in columns
    ]


PULL: Final = _all_pulls()
