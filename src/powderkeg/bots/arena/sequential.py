"""Wald's sequential test of a bot's results: did it keep its lead, or lose it?

Games are played until the results speak clearly for one of two means. The bounds of error hold for
any results between 0 and 1, not only for wins and losses: the likelihood of a coin is an upper bound
for them. Games count as independent, and seats should have had equal turns.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

LeadVerdict = Literal["kept", "lost", "open"]


@dataclass(frozen=True, slots=True)
class LeadTest:
    """Tells a bot whose mean is at least `kept` from one whose mean is at most `lost`.

    `alarm`: how often the first is called lost, at most; `miss`: how often the second is called kept.
    """

    kept: float
    lost: float
    alarm: float = 0.01
    miss: float = 0.05

    def weigh_results(self, results: Sequence[float]) -> float:
        """The logarithm of how much more likely the results are if the lead was kept."""
        won, not_won = (
            math.log(self.kept / self.lost),
            math.log((1 - self.kept) / (1 - self.lost)),
        )
        return math.fsum(x * won + (1 - x) * not_won for x in results)

    def judge_results(self, results: Sequence[float]) -> LeadVerdict:
        """What the results show so far."""
        weight = self.weigh_results(results)
        if weight >= -math.log(self.miss):
            return "kept"
        return "lost" if weight <= math.log(self.alarm) else "open"
