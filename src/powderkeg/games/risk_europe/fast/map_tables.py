"""The map and the prices in arrays, for the compiled rules."""

from typing import Any, Final

import numpy as np

from powderkeg.games.risk_europe.board import (
    ADJACENT,
    ADJACENT_BY_LAND,
    CARDS,
    CITIES,
    CITY_AT,
    DECK,
    FULL_ARMY,
    GOLD_CITIES,
    IS_CITY,
    PRICES,
    SEA_LINES,
    TARGETS,
    TAX_VALUES,
)
from powderkeg.games.risk_europe.fast.layout import CARD_KINDS, PLACES


def _neighbour_rows(beside: tuple[tuple[int, ...], ...]) -> Any:
    """The neighbours of every territory, filled up with -1."""
    rows = np.full((PLACES, 10), -1, np.int64)
    for at, near in enumerate(beside):
        rows[at, : len(near)] = near
    return rows


def _neighbour_bits(beside: tuple[tuple[int, ...], ...]) -> Any:
    return np.array([sum(1 << to for to in near) for near in beside], np.int64)


NEAR: Final = _neighbour_rows(ADJACENT)
NEAR_COUNT: Final = np.array([len(near) for near in ADJACENT], np.int64)
NEAR_BITS: Final = _neighbour_bits(ADJACENT)
LAND_NEAR: Final = _neighbour_rows(ADJACENT_BY_LAND)
LAND_COUNT: Final = np.array([len(near) for near in ADJACENT_BY_LAND], np.int64)
CITY_LIST: Final = np.array(CITIES, np.int64)
CITY_BITS: Final = sum(1 << at for at in CITIES)
IS_TOWN: Final = np.array(IS_CITY, np.bool_)
GOLD_LIST: Final = np.array(GOLD_CITIES, np.int64)
GOLD_INDEX: Final = np.array(
    [GOLD_CITIES.index(at) if at in GOLD_CITIES else -1 for at in range(PLACES)], np.int64
)
TAX_OF: Final = np.array(TAX_VALUES, np.int64)
LINE_ENDS: Final = np.array(SEA_LINES, np.int64)
BASE_PRICES: Final = np.array(PRICES, np.int64)
ALL_UNITS: Final = np.array(FULL_ARMY, np.int64)
TARGET_OF: Final = np.array([TARGETS.get(n, 0) for n in range(5)], np.int64)
COPIES: Final = np.array([DECK.count(kind) for kind in CARD_KINDS], np.int64)
HAS_FORTIFY: Final = np.array([CARDS[kind].bonus == "fortify" for kind in CARD_KINDS], np.bool_)
HAS_SIEGE: Final = np.array([CARDS[kind].bonus == "siege" for kind in CARD_KINDS], np.bool_)
ORDER_NUMBER: Final = {"expand": 0, "split": 1, "manoeuvre": 2, "tax": 3, "spend": 4}
CARD_ORDERS: Final = np.array(
    [[ORDER_NUMBER[order] for order in CARDS[kind].orders] for kind in CARD_KINDS], np.int64
)
# The powers of two have different remainders by 67, which tells the index of a single bit.
BIT_PLACE: Final = np.zeros(67, np.int64)
BIT_PLACE[[(1 << i) % 67 for i in range(PLACES)]] = range(PLACES)


def _gold_number(city: str) -> int:
    return GOLD_CITIES.index(CITY_AT[city])


LONDON, PARIS, MADRID = map(_gold_number, ("london", "paris", "madrid"))
BERLIN_SHIELD, KIEV, STOCKHOLM = map(_gold_number, ("berlin", "kiev", "stockholm"))
CONSTANTINOPLE: Final = _gold_number("constantinople")
KIEV_PLACE: Final = CITY_AT["kiev"]
ROME_PLACE: Final = CITY_AT["rome"]
