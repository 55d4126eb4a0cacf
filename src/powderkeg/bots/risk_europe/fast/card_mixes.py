"""The choice of cards as a matrix game whose payoffs are lines: all players choose at once.

Everybody's pairs are drawn, the game is played on, and pairs that win more are drawn more often, which
is hedging against regret. A mix is held to where it began, the gains of the pairs, because a few dozen
lines of a pair say little.
"""

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

__all__ = ["CardMixes"]

TRUST: Final = 24  # lines that count as much as a player's mean of all pairs
SHARE_TEMPER: Final = 0.03  # the part of a game that makes a pair e times as likely
NEVER: Final = 1e-9

Numbers = NDArray[np.float64]


class CardMixes:
    """How often each player places each pair: `now`, and on average so far."""

    def __init__(self, anchors: Mapping[int, Sequence[float]]) -> None:
        self.now: dict[int, Numbers] = {who: np.array(mix) for who, mix in anchors.items()}
        self.logs = {who: np.log(np.maximum(mix, NEVER)) for who, mix in self.now.items()}
        self.sums = {who: np.zeros(len(mix)) for who, mix in self.now.items()}
        self.counts = {who: np.zeros(len(mix)) for who, mix in self.now.items()}
        self.played = dict(self.now)

    def learn_from(self, shares: Numbers, drawn: NDArray[np.int64]) -> None:
        """Change the mixes by lines: chances to win and pairs, by line and player."""
        for who, sums in self.sums.items():
            np.add.at(sums, drawn[:, who], shares[:, who])
            np.add.at(self.counts[who], drawn[:, who], 1)
            self.now[who] = self._hedged_mix(who)
            self.played[who] = self.played[who] + self.now[who]

    def _hedged_mix(self, who: int) -> Numbers:
        logs, sums, counts = self.logs[who], self.sums[who], self.counts[who]
        mean = sums.sum() / counts.sum()
        found = logs + (sums + TRUST * mean) / (counts + TRUST) / SHARE_TEMPER
        mix: Numbers = np.exp(found - found.max()) * (logs > np.log(NEVER))
        mix /= mix.sum()
        return mix

    def average(self) -> dict[int, list[float]]:
        return {who: (mix / mix.sum()).tolist() for who, mix in self.played.items()}
