"""The numbers behind the evaluation in one row: the weights, then what counters and issues are worth.

A nation's strategy decides what counters are worth to it, so there is a row of values for every strategy
card, and one for nations that have none yet: they hope for a part of every card that was dealt.
"""

from dataclasses import fields
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from powderkeg.bots.versailles.evaluate import points_by_kind
from powderkeg.bots.versailles.weights import PointWeights
from powderkeg.games.versailles.cards.pack import CardPack
from powderkeg.games.versailles.fast.layout import (
    C_REGIONS,
    CONDITIONS,
    ISSUE_COUNT,
    STRATEGY_COUNT,
    STRATEGY_IDS,
)

ValueSheet: TypeAlias = NDArray[np.float64]
SIDES: Final = 4  # nations that can be played
WEIGHT_NAMES: Final = tuple(field.name for field in fields(PointWeights))
(
    W_TABLE, W_WAITING, W_MARGIN, W_FOLLOW, W_FRAIL, W_RISK, W_ELSEWHERE, W_CUBE, W_PURSE, W_PLACED,
    W_FADE, W_UNIT, W_POST, W_TIRED, W_MOOD, W_STEP, W_GAP, W_HOPES, W_SOON, W_BID, W_DIVE, W_HINDER,
    W_HEAT, W_HAZE,
) = range(len(WEIGHT_NAMES))  # fmt: skip
KIND_COUNT: Final = C_REGIONS  # kinds of counters come first among the conditions
NO_STRATEGY: Final = STRATEGY_COUNT  # the row of nations without a strategy card
SUIT_AT: Final = len(WEIGHT_NAMES)
WORTH_AT: Final = SUIT_AT + (STRATEGY_COUNT + 1) * KIND_COUNT
VALUE_COUNT: Final = WORTH_AT + (STRATEGY_COUNT + 1) * ISSUE_COUNT * SIDES


def make_sheet(weights: PointWeights, pack: CardPack) -> ValueSheet:
    """The weights and the value of every kind of counter; `fill_hopes` and `fill_worths` add the rest."""
    sheet = np.zeros(VALUE_COUNT)
    sheet[:SUIT_AT] = [getattr(weights, name) for name in WEIGHT_NAMES]
    for number, name in enumerate(STRATEGY_IDS):
        suits = points_by_kind(pack.strategies[name])
        start = SUIT_AT + number * KIND_COUNT
        sheet[start : start + KIND_COUNT] = [suits.get(k, 0.0) for k in CONDITIONS[:KIND_COUNT]]
    return sheet
