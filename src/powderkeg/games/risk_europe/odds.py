"""Exact odds of a battle: every result with its probability, not a simulation.

Each side removes units in a fixed order of kinds, so an army is known by the number of units it
has lost, and a battle is a walk over pairs of such numbers. Each pass through the ranks costs at
least one unit, so the walk never comes back and is summed up in one sweep.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import product
from math import comb
from typing import Final, Literal, NamedTuple, TypeAlias

from powderkeg.games.risk_europe import battle
from powderkeg.games.risk_europe.battle import GENERAL, HITS_ON
from powderkeg.games.risk_europe.board import Units, total

Castle: TypeAlias = Literal["none", "best", "eager"]
# none:  no castle, or its defence is never used
# best:  rolls again whenever that raises the chance to hold the territory
# eager: rolls again in the first rank that hit less than the average

_Grid: TypeAlias = list[list[float]]
_Mass: TypeAlias = dict[tuple[int, int, bool], float]
_Result: TypeAlias = tuple[float, int, int, bool]

CHEAPEST: Final = "facs"  # footmen first, then archers, cavalry, siege weapons
_LETTERS: Final = "facs"


class Outcome(NamedTuple):
    """One way a battle can end: the units left on both sides."""

    attacker: Units
    defender: Units
    chance: float


@dataclass(frozen=True, slots=True)
class Odds:
    """The chances of a battle; `outcomes` are sorted, the attacker's best first."""

    attacker: float
    defender: float
    both_destroyed: float
    outcomes: tuple[Outcome, ...]

    @property
    def attackers_left(self) -> float:
        """How many attackers are left on average."""
        return sum(total(o.attacker) * o.chance for o in self.outcomes)

    @property
    def defenders_left(self) -> float:
        return sum(total(o.defender) * o.chance for o in self.outcomes)


def odds(
    attacker: Units,
    defender: Units,
    *,
    castle: Castle = "none",
    attacker_losses: str = CHEAPEST,
    defender_losses: str = CHEAPEST,
) -> Odds:
    """The exact distribution of the battle's result.

    >>> round(odds((3, 0, 0, 0), (2, 0, 0, 0)).attacker, 3)
    0.656
    """
    sweep = _Sweep(armies(attacker, attacker_losses), armies(defender, defender_losses), castle)
    ends = sweep.ends()
    outcomes = tuple(
        Outcome(sweep.attackers[i], sweep.defenders[j], chance)
        for (i, j), chance in sorted(ends.items(), key=lambda end: (end[0][0], -end[0][1]))
    )
    return Odds(
        sum((o.chance for o in outcomes if any(o.attacker)), 0.0),
        sum((o.chance for o in outcomes if any(o.defender)), 0.0),
        sum((o.chance for o in outcomes if not any(o.attacker + o.defender)), 0.0),
        outcomes,
    )


def armies(units: Units, losses: str = CHEAPEST) -> list[Units]:
    """The army after 0, 1, 2, ... losses, taken in the order of the letters in `losses`."""
    if sorted(losses) != sorted(_LETTERS):
        raise ValueError(f"losses {losses!r}: an order of the letters {_LETTERS}")
    left = list(units)
    chain = [units]
    for letter in losses:
        kind = _LETTERS.index(letter)
        while left[kind]:
            left[kind] -= 1
            chain.append((left[0], left[1], left[2], left[3]))
    return chain


class Group(NamedTuple):
    """Rolls that are alike for a reroll: the attacker's dice lie, the defender's are open.

    `results` are (chance, hits on the defender, hits on the attacker), for the first roll and
    for a second one alike; `average` is that of the hits on the attacker.
    """

    chance: float
    results: tuple[tuple[float, int, int], ...]
    average: float


@cache
def groups(rank: int, attacker_dice: int, defender_dice: int) -> tuple[Group, ...]:
    """Every way the dice can fall in `rank`."""
    if rank == GENERAL:
        return tuple(_general(attacker_dice, defender_dice))
    hit = (7 - HITS_ON[rank]) / 6
    mine, theirs = _binomial(attacker_dice, hit), _binomial(defender_dice, hit)
    return tuple(
        Group(p, tuple((q, won, lost) for lost, q in enumerate(theirs)), defender_dice * hit)
        for won, p in enumerate(mine)
    )


@cache
def results(
    rank: int, attacker_dice: int, defender_dice: int
) -> tuple[tuple[float, int, int], ...]:
    """The same without a reroll: chance, hits on the defender, hits on the attacker."""
    merged: dict[tuple[int, int], float] = {}
    for group in groups(rank, attacker_dice, defender_dice):
        for q, won, lost in group.results:
            merged[won, lost] = merged.get((won, lost), 0) + group.chance * q
    return tuple((p, won, lost) for (won, lost), p in merged.items())


def _binomial(dice: int, hit: float) -> tuple[float, ...]:
    return tuple(comb(dice, n) * hit**n * (1 - hit) ** (dice - n) for n in range(dice + 1))


def _general(attacker_dice: int, defender_dice: int) -> Iterator[Group]:
    """Only the attacker's dice that will be compared matter."""
    faces = range(1, 7)
    pairs = min(attacker_dice, defender_dice)
    tops: dict[tuple[int, ...], float] = {}
    for roll in product(faces, repeat=attacker_dice):
        top = tuple(sorted(roll)[::-1][:pairs])
        tops[top] = tops.get(top, 0) + 6.0**-attacker_dice
    for top, p in tops.items():
        wins = [0.0] * (pairs + 1)
        for roll in product(faces, repeat=defender_dice):
            wins[battle.hits(GENERAL, top, roll)[0]] += 6.0**-defender_dice
        ways = tuple((q, won, pairs - won) for won, q in enumerate(wins) if q)
        yield Group(p, ways, sum(q * lost for q, _, lost in ways))


class _Sweep:
    """One battle. A place is (units lost by the attacker, units lost by the defender)."""

    def __init__(self, attackers: list[Units], defenders: list[Units], castle: Castle) -> None:
        self.attackers, self.defenders, self.castle = attackers, defenders, castle
        self.a, self.d = len(attackers) - 1, len(defenders) - 1
        self.dice = {
            rank: (
                [battle.dice(rank, units, attacking=True) for units in attackers],
                [battle.dice(rank, units, attacking=False) for units in defenders],
            )
            for rank in range(1, GENERAL + 1)
        }
        # By rank, then by whether the castle's defence is left: the chance to hold from there.
        self.holds: dict[int, tuple[_Grid, _Grid]] = {}
        if castle == "best":
            self._look_back()

    # Backwards: the chance to hold, which decides the rerolls of `best`

    def _look_back(self) -> None:
        a, d = self.a, self.d
        for rank in range(1, GENERAL + 1):  # 1 where only the attacker is gone
            grids = [
                [[float(i == a and j < d) for j in range(d + 1)] for i in range(a + 1)]
                for _ in range(2)
            ]
            self.holds[rank] = (grids[0], grids[1])
        for losses in range(a + d - 2, -1, -1):
            for rank in range(GENERAL, 0, -1):
                for i in range(max(0, losses - d + 1), min(a - 1, losses) + 1):
                    self._hold(rank, i, losses - i)

    def _hold(self, rank: int, i: int, j: int) -> None:
        spent = kept = 0.0
        for group in self._groups(rank, i, j):
            ways = self._values(rank, i, j, group, left=False)
            again = sum(q * value for (q, _, _), value in zip(group.results, ways, strict=True))
            spent += group.chance * again
            ways = self._values(rank, i, j, group, left=True)
            pairs = zip(group.results, ways, strict=True)
            kept += group.chance * sum(q * max(value, again) for (q, _, _), value in pairs)
        self.holds[rank][False][i][j] = spent
        self.holds[rank][True][i][j] = kept

    def _groups(self, rank: int, i: int, j: int) -> tuple[Group, ...]:
        mine, theirs = self.dice[rank]
        return groups(rank, mine[i], theirs[j])

    def _values(self, rank: int, i: int, j: int, group: Group, *, left: bool) -> list[float]:
        """The chance to hold after each result of the group."""
        grid = self.holds[battle.next_rank(rank)][left or rank == GENERAL]
        a, d = self.a, self.d
        return [grid[min(i + lost, a)][min(j + won, d)] for _, won, lost in group.results]

    # Forwards: the chance of every end

    def ends(self) -> dict[tuple[int, int], float]:
        ends: dict[tuple[int, int], float] = {}
        has_castle = self.castle != "none"
        layers: list[list[_Mass]] = [
            [{} for _ in range(self.a + self.d)] for _ in range(GENERAL + 1)
        ]
        layers[1][0][0, 0, has_castle] = 1.0
        for losses in range(self.a + self.d):
            for rank in range(1, GENERAL + 1):
                after = layers[battle.next_rank(rank)]
                for (i, j, left), chance in layers[rank][losses].items():
                    for p, won, lost, still in self._results(rank, i, j, left=left):
                        to_i, to_j = min(i + lost, self.a), min(j + won, self.d)
                        if to_i == self.a or to_j == self.d:
                            ends[to_i, to_j] = ends.get((to_i, to_j), 0) + chance * p
                        else:
                            place = (to_i, to_j, has_castle if rank == GENERAL else still)
                            mass = after[to_i + to_j]
                            mass[place] = mass.get(place, 0) + chance * p
        return ends

    def _results(self, rank: int, i: int, j: int, *, left: bool) -> list[_Result]:
        """Chance, hits on the defender, hits on the attacker, castle's defence still left."""
        mine, theirs = self.dice[rank]
        if not (left and theirs[j]):
            return [(p, won, lost, left) for p, won, lost in results(rank, mine[i], theirs[j])]
        found: list[_Result] = []
        for group in self._groups(rank, i, j):
            again = 0.0
            for (q, won, lost), rolls in zip(
                group.results, self._rerolls(rank, i, j, group), strict=True
            ):
                if rolls:
                    again += q
                else:
                    found.append((group.chance * q, won, lost, True))
            if again:
                p = group.chance * again
                found += [(p * q, won, lost, False) for q, won, lost in group.results]
        return found

    def _rerolls(self, rank: int, i: int, j: int, group: Group) -> list[bool]:
        """After which results the defender rolls again."""
        if self.castle == "eager":
            return [lost < group.average for _, _, lost in group.results]
        spent = self._values(rank, i, j, group, left=False)
        again = sum(q * value for (q, _, _), value in zip(group.results, spent, strict=True))
        return [again > value for value in self._values(rank, i, j, group, left=True)]
