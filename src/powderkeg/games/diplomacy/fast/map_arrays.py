"""The map in arrays, for the compiled adjudicator."""

from collections.abc import Mapping, Sequence
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
# The powers of two have different remainders by 37, which tells the index of a single bit.
BIT_INDEX: Final = np.zeros(37, np.int32)
BIT_INDEX[[(1 << i) % 37 for i in range(SEA_COUNT)]] = range(SEA_COUNT)
