"""The map in arrays, for the compiled adjudicator."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import numpy as np

from powderkeg.games.diplomacy import board
from powderkeg.games.diplomacy.board import LOCATIONS, NUMBER_OF, PROVINCE_OF
from powderkeg.games.diplomacy.board import PROVINCE_COUNT as COUNT


def _near_matrix(rows: Sequence[str], moves: Mapping[str, Sequence[str]], columns: int) -> Any:
    near = np.zeros((len(rows), columns), np.uint8)
    for n, place in enumerate(rows):
        for to in moves[place]:
            near[n, NUMBER_OF[to] if columns == len(LOCATIONS) else PROVINCE_OF[NUMBER_OF[to]]] = 1
    return near


# Seas have a number of their own, so that a set of seas is a small integer.
_SEAS: Final = [n for n, code in enumerate(board.CODES) if board.PROVINCES[code].kind == "sea"]


def _sea_bits(mask: int) -> int:
    return sum(1 << i for i, sea in enumerate(_SEAS) if mask >> sea & 1)


ARMY_NEAR: Final = _near_matrix(board.CODES, board.ARMY_MOVES, COUNT)
FLEET_NEAR: Final = _near_matrix(LOCATIONS, board.FLEET_MOVES, COUNT)
FLEET_SAILS: Final = _near_matrix(LOCATIONS, board.FLEET_MOVES, len(LOCATIONS))
PROVINCE_AT: Final = np.array(PROVINCE_OF, np.int32)
SEA_AT: Final = np.array([*_SEAS], np.int32)
SEA_OF: Final = np.array([_SEAS.index(n) if n in _SEAS else -1 for n in range(COUNT)], np.int32)
SEAS_BESIDE: Final = np.array([_sea_bits(board.SEAS_NEAR[n]) for n in range(COUNT)], np.int32)
SEA_COUNT: Final = len(_SEAS)
PLACE_COUNT: Final = len(LOCATIONS)

# A node is an army or a fleet and its location: 2 * location + (1 for a fleet).
NODES: Final = 2 * PLACE_COUNT
NOWHERE: Final = 255
BY_CONVOY: Final = 254


def _army_landing(at: int, to: int) -> int:
    """Where an army ordered to a location ends: coasts are dropped (D-ORD-14)."""
    if to == at or SEA_OF[to] >= 0:
        return NOWHERE
    if ARMY_NEAR[at, to]:
        return to
    return BY_CONVOY if SEAS_BESIDE[at] and SEAS_BESIDE[to] else NOWHERE


def _fleet_landing(place: int, to: int) -> int:
    """Where a fleet ordered to a location ends: a coast is filled in if one is possible (D-ORD-12)."""
    if FLEET_SAILS[place, to]:
        return to
    coasts = [
        n for n in range(COUNT, PLACE_COUNT) if PROVINCE_AT[n] == to and FLEET_SAILS[place, n]
    ]
    return coasts[0] if len(coasts) == 1 else NOWHERE


def _landing(node: int, to: int) -> int:
    if node & 1:
        return _fleet_landing(node >> 1, to)
    return _army_landing(PROVINCE_OF[node >> 1], PROVINCE_OF[to])


def _may_go(node: int, to: int) -> int:
    """Whether a unit could be supported to a location: 0 or 1, or if it can be convoyed."""
    if node & 1:
        place = node >> 1
        return int(FLEET_SAILS[place, to] or (to < COUNT and FLEET_NEAR[place, to]))
    landing = _landing(node, to)
    return landing if landing == BY_CONVOY else int(landing != NOWHERE)


def _node_table(entry: Callable[[int, int], int]) -> Any:
    table = [[entry(node, to) for to in range(PLACE_COUNT)] for node in range(NODES)]
    return np.array(table, np.uint8)


GOES_TO: Final = _node_table(_landing)
MAY_GO: Final = _node_table(_may_go)
NODES_NEAR: Final = np.array(  # the provinces beside a node
    [FLEET_NEAR[n >> 1] if n & 1 else ARMY_NEAR[PROVINCE_OF[n >> 1]] for n in range(NODES)],
    np.uint8,
)
SEA_BIT: Final = np.array(  # of a fleet at sea: that sea as a set
    [
        1 << SEA_OF[n >> 1] if n & 1 and n >> 1 < COUNT and SEA_OF[n >> 1] >= 0 else 0
        for n in range(NODES)
    ],
    np.int32,
)
# The powers of two have different remainders by 37, which tells the index of a single bit.
BIT_INDEX: Final = np.zeros(37, np.int32)
BIT_INDEX[[(1 << i) % 37 for i in range(SEA_COUNT)]] = range(SEA_COUNT)
