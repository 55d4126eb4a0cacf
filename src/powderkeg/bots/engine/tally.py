"""Tallies of the actions that a search tries, and the reason for the best of them."""

import random
from collections.abc import Sequence
from itertools import islice

from powderkeg.bots.engine.shares import Shares
from powderkeg.bots.engine.thought import Line, Thought
from powderkeg.core.chance import Rng
from powderkeg.core.game import Action, Legal, Seat
from powderkeg.core.words import Msg


class Tally:
    """Visits and shares of one action."""

    __slots__ = ("action", "shares", "total", "visits")

    def __init__(self, action: Action) -> None:
        self.action = action
        self.visits = 0
        self.total = 0.0
        self.shares: Shares = {}

    def add(self, shares: Shares, worth: float) -> None:
        self.visits += 1
        self.total += worth
        for seat, n in shares.items():
            self.shares[seat] = self.shares.get(seat, 0.0) + n

    @property
    def mean(self) -> float:
        return self.total / self.visits if self.visits else float("-inf")

    def line(self, then: tuple[tuple[Seat, Action], ...] = ()) -> Line:
        visits = max(1, self.visits)
        return Line(self.action, {s: n / visits for s, n in self.shares.items()}, self.visits, then)


def tally_reason(ranked: Sequence[Tally]) -> Msg:
    """The reason for the first of `ranked`: its share, and how far the next one is behind."""
    best = ranked[0]
    percent = round(100 * max(0.0, best.mean))
    rest = [t for t in ranked[1:] if t.visits]
    if not rest:
        return Msg("bots.reason.best", percent=percent, action=str(best.action))
    gap = round(100 * (best.mean - rest[0].mean))
    code = "bots.reason.better" if gap >= 1 else "bots.reason.even"
    return Msg(code, percent=percent, action=str(best.action), other=str(rest[0].action), gap=gap)


def forced_choice(legal: Legal) -> Thought | None:
    """The only legal action, as a thought; None if there is a choice."""
    first = tuple(islice(legal, 2))
    return Thought(first[0], Msg("bots.reason.only")) if len(first) == 1 else None


def derived_rng(rng: Rng) -> random.Random:
    """A fast generator seeded from the bot's own."""
    return random.Random(rng.randrange(1 << 62))
