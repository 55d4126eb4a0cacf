"""Where the numbers of the compiled evaluation stand.

`e` is the sheet of one line: the weights, how much every army matters to every player, and the values
of the board for the player who decides. `h` and `q` are the table of battle odds: keys, and what was
found for them. `p` is the plan that is being carried out.
"""

from dataclasses import fields
from typing import Any, Final

import numpy as np

from powderkeg.bots.risk_europe.evaluate import CITY_CROWNS, FAR_CITIES, NEAR_PLACES, TWO_STEPS
from powderkeg.bots.risk_europe.weights import OddsWeights
from powderkeg.games.risk_europe.board import ADJACENT, TERRITORIES
from powderkeg.games.risk_europe.fast.layout import ARMY_COUNT, CARD_KINDS, PLACES

CARD_TEMPER: Final = 0.14  # tuned with `line_odds`
WEIGHT_NAMES: Final = tuple(field.name for field in fields(OddsWeights))
(
    W_CROWN, W_CLOSE, W_TAX, W_LAND, W_GOLD, W_CASTLE, W_COIN, W_RICH, W_FOOTMAN, W_ARCHER, W_CAVALRY,
    W_SIEGE, W_RISK, W_CHANCE, W_CLAIM, W_REACH, W_HIRED, W_MARKER, W_MISSION, W_HINDER, W_HEAT,
    W_KEEP_TAX, W_KEEP_KING, W_KEEP_SPLIT, W_KEEP_FORTIFY, W_KEEP_SIEGE,
) = range(len(WEIGHT_NAMES))  # fmt: skip

# The sheet
ALL_STAKES: Final = len(WEIGHT_NAMES)  # by player, then by army
STAKES: Final = ALL_STAKES + ARMY_COUNT * ARMY_COUNT  # of the player who looks at the board
UP: Final = STAKES + ARMY_COUNT  # the value of the next crown of an army
DOWN: Final = UP + ARMY_COUNT  # and of its last one
GIVES: Final = DOWN + ARMY_COUNT  # the value of each place in the hands of each army
BASE: Final = GIVES + ARMY_COUNT * PLACES  # the value of each place as it is
KNOWN: Final = BASE + PLACES  # whether that was found
VALUES: Final = KNOWN + PLACES  # of the position, by player
CHANCES: Final = VALUES + ARMY_COUNT  # to win, by player
NOW: Final = CHANCES + ARMY_COUNT  # to win at the end of this round
SUMS: Final = NOW + ARMY_COUNT  # chances of a number of crowns
SUM_COUNT: Final = 64
FOUND: Final = SUMS + SUM_COUNT  # the gain of a purchase or of a bonus
SINGLE: Final = FOUND + 1  # the gain of the best move that does not split
CARD_GAINS: Final = SINGLE + 1  # by kind of card
TEMPER_AT: Final = CARD_GAINS + len(
    CARD_KINDS
)  # the extra gain that makes a card e times as likely
VALUE_COUNT: Final = TEMPER_AT + 1

# The plan
(
    P_ARMY,  # -1: there is none
    P_ORDER,
    P_ORIGIN,
    P_TO,
    P_LOAD,
    P_SECOND,
    P_SECOND_LOAD,
    P_CITY,
    P_BOUGHT,  # how many purchases are on the list
    P_DONE,  # and how many of them are made
    P_LIST,
) = range(11)
MOST_BOUGHT: Final = 24
PLAN_SIZE: Final = P_LIST + MOST_BOUGHT

# The map
SOIL_COUNTS: Final = np.array([(t.tax, int(t.gold)) for t in TERRITORIES], np.int64)
CROWN_OF: Final = np.array(CITY_CROWNS, np.int64)


def _place_bits(rows: Any) -> Any:
    return np.array([sum(1 << at for at in row) for row in rows], np.int64)


TOUCHED_NEAR: Final = _place_bits(NEAR_PLACES)
TOUCHED_FAR: Final = _place_bits(FAR_CITIES)
BESIDE: Final = _place_bits(ADJACENT)
TWO_AWAY: Final = _place_bits(TWO_STEPS)


def value_sheet(weights: OddsWeights, temper: float = CARD_TEMPER) -> Any:
    """A sheet with these weights; the rest is filled in on the way."""
    sheet = np.zeros(VALUE_COUNT)
    sheet[TEMPER_AT] = temper
    sheet[:ALL_STAKES] = [getattr(weights, name) for name in WEIGHT_NAMES]
    return sheet


KEEP_KINDS: Final = tuple(f"keep_{kind}" for kind in CARD_KINDS)
assert WEIGHT_NAMES[W_KEEP_TAX:] == KEEP_KINDS  # noqa: S101  # the kernel counts on this order
