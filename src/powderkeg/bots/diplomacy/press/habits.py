"""How an envoy deals with others, by its character."""

import math
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class DealHabits:
    """What an envoy asks of a deal, and what its word is worth to it."""

    margin: float = 0.002  # least gain of a deal, as a share of the game
    trust: float = 0.4  # powers that are trusted less get no deals
    goodwill: float = 1.0  # factor of a partner's goodwill: how much a breach must gain
    proposals: int = 3  # per movement
    attacks: bool = True  # whether it promises orders, such as support for an attack


HABITS: Final = {
    "": DealHabits(),
    "loyal": DealHabits(margin=0.0, goodwill=math.inf),
    "opportunist": DealHabits(margin=0.001, trust=0.3, goodwill=0.2),
    "cautious": DealHabits(margin=0.006, trust=0.6, goodwill=2.0, proposals=1, attacks=False),
}
