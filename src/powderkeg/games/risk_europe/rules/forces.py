"""Sets of legal actions that are too large to list: described by their limits instead."""

from collections.abc import Callable, Iterator
from typing import Any

from powderkeg.core.agenda import Moment, sole_answer
from powderkeg.core.chance import Rng
from powderkeg.core.game import Legal
from powderkeg.games.risk_europe.actions import Action, Lose, March, Reveal, Storm
from powderkeg.games.risk_europe.board import Units, fits_within, total_units


class Forces:
    """`least` to `most` units out of `there`, at least `siege` of them siege weapons."""

    __slots__ = ("least", "make", "most", "siege", "there")

    def __init__(
        self,
        make: type[March] | type[Storm] | type[Lose],
        there: Units,
        least: int,
        most: int,
        siege: int = 0,
    ) -> None:
        self.make: Callable[[Units], March | Storm | Lose] = make
        self.there, self.siege = there, siege
        self.least, self.most = max(least, siege), min(most, total_units(there))

    def fits(self, units: Units) -> bool:
        return (
            min(units) >= 0
            and fits_within(units, self.there)
            and units[3] >= self.siege
            and self.least <= total_units(units) <= self.most
        )

    def __contains__(self, action: object) -> bool:
        return type(action) is self.make and self.fits(action.units)  # type: ignore[attr-defined]  # each of the three has units

    def __iter__(self) -> Iterator[March | Storm | Lose]:
        return map(self.make, self._all_units())

    def _all_units(self) -> Iterator[Units]:
        f_most, a_most, c_most, s_most = self.there
        for s in range(self.siege, s_most + 1):
            for c in range(min(c_most, self.most - s) + 1):
                for a in range(min(a_most, self.most - s - c) + 1):
                    rest = s + c + a
                    for f in range(max(0, self.least - rest), min(f_most, self.most - rest) + 1):
                        yield (f, a, c, s)

    def count_all(self) -> int:
        f_most, a_most, c_most, s_most = self.there
        count = 0
        for s in range(self.siege, s_most + 1):
            for c in range(c_most + 1):
                for rest in range(s + c, s + c + a_most + 1):
                    low, high = max(0, self.least - rest), min(f_most, self.most - rest)
                    count += max(0, high - low + 1)
        return count

    def is_single(self) -> bool:
        """Whether there is no choice: none, all, only what must go, or all are of one kind."""
        if self.least != self.most:
            return False
        sure = self.most in (self.siege, total_units(self.there))
        return sure or sum(map(bool, self.there)) == 1

    def sample(self, rng: Rng) -> March | Storm | Lose:
        count = self.least + rng.randrange(self.most - self.least + 1)
        taken = [0, 0, 0, 0]
        room = total_units(self.there)
        for unit in (3, 2, 1, 0):
            room -= self.there[unit]
            low = max(self.siege if unit == 3 else 0, count - room)
            taken[unit] = low + rng.randrange(min(self.there[unit], count) - low + 1)
            count -= taken[unit]
        return self.make((taken[0], taken[1], taken[2], taken[3]))


def sole_choice(now: Moment[Any, Any], who: int) -> Action | None:
    """The only legal answer, found without listing them; None where there is a choice."""
    choices = now.legal(who)
    if isinstance(choices, Forces):
        return next(iter(choices)) if choices.is_single() else None
    return sole_answer(now, who)


def has_choice(units: Units, hits: int) -> bool:
    """Whether there is a choice of losses: only some units fall, and they are not all of one kind."""
    return 0 < hits < total_units(units) and sum(map(bool, units)) > 1


def cheapest_units(units: Units, count: int) -> Units:
    """`count` units, cheapest kind first: the usual losses."""
    taken = []
    for there in units:
        taken.append(min(there, count))
        count -= taken[-1]
    return (taken[0], taken[1], taken[2], taken[3])


def strongest_units(units: Units, count: int) -> Units:
    """`count` units, dearest kind first."""
    f, a, c, s = cheapest_units((units[3], units[2], units[1], units[0]), count)
    return (s, c, a, f)


class WithReveals:
    """The legal answers of this step, plus missions that may be revealed at any time."""

    __slots__ = ("legal", "more")

    def __init__(self, legal: Legal, more: tuple[Reveal, ...]) -> None:
        self.legal, self.more = legal, more

    def __contains__(self, action: object) -> bool:
        return action in self.more or action in self.legal

    def __iter__(self) -> Iterator[Action]:
        yield from self.legal
        yield from self.more

    def count_all(self) -> int:
        return self.legal.count_all() + len(self.more)

    def sample(self, rng: Rng) -> Action:
        here = self.legal.count_all() > 0
        choice = rng.randrange(len(self.more) + here)
        return self.more[choice] if choice < len(self.more) else self.legal.sample(rng)
