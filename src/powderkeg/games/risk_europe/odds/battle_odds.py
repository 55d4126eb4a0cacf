"""Exact odds of a battle: every result with its probability, not a simulation.

Each side removes units in a fixed order of kinds, so an army is known by the number of units it
has lost, and a battle is a walk over pairs of such numbers. Each pass through the ranks costs at
least one unit, so the walk never comes back and is summed up in one sweep: over tables that reach
beyond the last unit, so that hits too many need no care.
"""

from dataclasses import dataclass
from functools import cache
from itertools import product, repeat
from math import comb
from operator import add, mul
from typing import Final, Literal, NamedTuple, TypeAlias

from powderkeg.games.risk_europe.board import Units, total_units
from powderkeg.games.risk_europe.rules import battle_dice
from powderkeg.games.risk_europe.rules.battle_dice import GENERAL, HITS_ON

Castle: TypeAlias = Literal["none", "best", "eager"]
# none:  no castle, or its defence is never used
# best:  rolls again whenever that raises the chance to hold the territory
# eager: rolls again in the first rank that hit less than the average and left attackers

_Grid: TypeAlias = list[list[float]]  # by units that the defender lost, then the attacker
_Ranks: TypeAlias = dict[int, _Grid]

CHEAPEST: Final = "facs"  # footmen first, then archers, cavalry, siege weapons
_LETTERS: Final = "facs"


class BattleOutcome(NamedTuple):
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
    outcomes: tuple[BattleOutcome, ...]

    @property
    def attackers_left(self) -> float:
        """How many attackers are left on average."""
        return sum(total_units(o.attacker) * o.chance for o in self.outcomes)

    @property
    def defenders_left(self) -> float:
        return sum(total_units(o.defender) * o.chance for o in self.outcomes)


def exact_odds(
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
    sweep = _Sweep(
        army_chain(attacker, attacker_losses), army_chain(defender, defender_losses), castle
    )
    ends = sweep.end_chances()
    outcomes = tuple(
        BattleOutcome(sweep.attackers[i], sweep.defenders[j], chance)
        for (i, j), chance in sorted(ends.items(), key=lambda end: (end[0][0], -end[0][1]))
    )
    return Odds(
        sum((o.chance for o in outcomes if any(o.attacker)), 0.0),
        sum((o.chance for o in outcomes if any(o.defender)), 0.0),
        sum((o.chance for o in outcomes if not any(o.attacker + o.defender)), 0.0),
        outcomes,
    )


def army_chain(units: Units, losses: str = CHEAPEST) -> list[Units]:
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


class Answer(NamedTuple):
    """The defender's dice, still open: `hits[n]` is the chance that they hit n times."""

    chance: float  # that the attacker's dice fell so that this is the answer to them
    hits: tuple[float, ...]
    average: float


class Strike(NamedTuple):
    """The attacker's dice as they lie: `won` hits, and how the defender's dice may answer.

    In the general attack each hit of the defender takes one from those of the attacker, and it
    matters how high the attacker's dice are, so one strike has several answers.
    """

    won: int
    answers: tuple[Answer, ...]


@cache
def rank_strikes(rank: int, attacker_dice: int, defender_dice: int) -> tuple[Strike, ...]:
    """Every way the dice can fall in `rank`."""
    if rank == GENERAL:
        return (_general_strike(attacker_dice, defender_dice),)
    hit = (7 - HITS_ON[rank]) / 6
    hits = _binomial_chances(defender_dice, hit)
    return tuple(
        Strike(won, (Answer(chance, hits, defender_dice * hit),))
        for won, chance in enumerate(_binomial_chances(attacker_dice, hit))
    )


@cache
def merged_strikes(rank: int, attacker_dice: int, defender_dice: int) -> tuple[Strike, ...]:
    """The same where nobody may roll again: one answer to each strike."""
    return tuple(
        Strike(won, (_merge_answers(answers),))
        for won, answers in rank_strikes(rank, attacker_dice, defender_dice)
    )


def _merge_answers(answers: tuple[Answer, ...]) -> Answer:
    whole = sum(answer.chance for answer in answers)
    each = zip(*(answer.hits for answer in answers), strict=True)
    chances = [answer.chance / whole for answer in answers]
    hits = tuple(sum(map(mul, chances, ways)) for ways in each)
    return Answer(whole, hits, sum(n * p for n, p in enumerate(hits)))


def _binomial_chances(dice: int, hit: float) -> tuple[float, ...]:
    return tuple(comb(dice, n) * hit**n * (1 - hit) ** (dice - n) for n in range(dice + 1))


def _general_strike(attacker_dice: int, defender_dice: int) -> Strike:
    """Only the attacker's dice that will be compared matter."""
    faces = range(1, 7)
    pairs = min(attacker_dice, defender_dice)
    tops: dict[tuple[int, ...], float] = {}
    for roll in product(faces, repeat=attacker_dice):
        top = tuple(sorted(roll)[::-1][:pairs])
        tops[top] = tops.get(top, 0) + 6.0**-attacker_dice
    return Strike(pairs, tuple(_answer_to(top, p, defender_dice) for top, p in tops.items()))


def _answer_to(top: tuple[int, ...], chance: float, defender_dice: int) -> Answer:
    hits = [0.0] * (len(top) + 1)
    for roll in product(range(1, 7), repeat=defender_dice):
        hits[battle_dice.count_hits(GENERAL, top, roll)[1]] += 6.0**-defender_dice
    return Answer(chance, tuple(hits), sum(n * p for n, p in enumerate(hits)))


EQUAL: Final = 1e-12  # chances that differ by less are alike


class _Sweep:
    """One battle. A place is (units lost by the attacker, units lost by the defender)."""

    def __init__(self, attackers: list[Units], defenders: list[Units], castle: Castle) -> None:
        self.attackers, self.defenders, self.castle = attackers, defenders, castle
        self.a, self.d = len(attackers) - 1, len(defenders) - 1
        self.dice = {
            rank: (
                [battle_dice.count_dice(rank, units, attacking=True) for units in attackers],
                [battle_dice.count_dice(rank, units, attacking=False) for units in defenders],
            )
            for rank in range(1, GENERAL + 1)
        }
        # By whether the castle's defence is left, then by rank: the chance to hold from there.
        self.holds: tuple[_Ranks, _Ranks] = ({}, {})
        if castle == "best":
            self._look_back()

    def _rank_grids(self, *, held: float) -> _Ranks:
        """A table for each rank; `held` where only the attacker is gone, elsewhere 0."""
        wide = self.a + 1 + max(dice[0] for _, dice in self.dice.values())
        deep = self.d + 1 + max(dice[0] for dice, _ in self.dice.values())
        row = [0.0] * self.a + [held] * (wide - self.a)
        return {
            rank: [row[:] if j < self.d else [0.0] * wide for j in range(deep)]
            for rank in range(1, GENERAL + 1)
        }

    # Backwards: the chance to hold, which decides the rerolls of `best`

    def _look_back(self) -> None:
        self.holds = spent, kept = self._rank_grids(held=1.0), self._rank_grids(held=1.0)
        for j in range(self.d - 1, -1, -1):
            for i in range(self.a - 1, -1, -1):
                for rank in range(GENERAL, 0, -1):
                    spent[rank][j][i], kept[rank][j][i] = self._hold_chances(rank, i, j)

    def _hold_chances(self, rank: int, i: int, j: int) -> tuple[float, float]:
        """The chance to hold without and with the castle's defence."""
        spent = kept = 0.0
        mine, theirs = self.dice[rank]
        for won, answers in rank_strikes(rank, mine[i], theirs[j]):
            after, left = self._chances_after(rank, i, j, won, len(answers[0].hits))
            for chance, hits, _ in answers:
                again = sum(map(mul, hits, after))
                spent += chance * again
                kept += chance * sum(map(mul, hits, map(max, left, repeat(again))))
        return spent, kept

    def _chances_after(
        self, rank: int, i: int, j: int, won: int, count: int
    ) -> tuple[list[float], list[float]]:
        """The chance to hold after each number of hits, once it is rolled again or it is not."""
        following = battle_dice.next_rank(rank)
        spent, kept = (grids[following] for grids in self.holds)
        if rank == GENERAL:  # a new pass
            values = [kept[j + won - lost][i + lost] for lost in range(count)]
            return values, values
        return spent[j + won][i : i + count], kept[j + won][i : i + count]

    # Forwards: the chance of every end

    def end_chances(self) -> dict[tuple[int, int], float]:
        castle = self.castle != "none"
        masses = self._rank_grids(held=0.0), self._rank_grids(held=0.0)
        masses[castle][1][0][0] = 1.0
        for j in range(self.d):
            for i in range(self.a):
                for rank in range(1, GENERAL + 1):
                    fresh = castle and rank == GENERAL  # a new pass
                    following = battle_dice.next_rank(rank)
                    spent, kept = masses[fresh][following], masses[castle][following]
                    if chance := masses[False][rank][j][i]:
                        self._roll_open(rank, i, j, chance, spent)
                    if castle and (chance := masses[True][rank][j][i]):
                        self._roll_in_castle(rank, i, j, chance, spent, kept)
        return self._collect_ends(masses)

    def _roll_open(self, rank: int, i: int, j: int, chance: float, after: _Grid) -> None:
        mine, theirs = self.dice[rank]
        for won, (answer,) in merged_strikes(rank, mine[i], theirs[j]):
            share = chance * answer.chance
            _spread_shares(after, rank, i, j, won, [share * p for p in answer.hits])

    def _roll_in_castle(
        self, rank: int, i: int, j: int, chance: float, spent: _Grid, kept: _Grid
    ) -> None:
        mine, theirs = self.dice[rank]
        if not theirs[j]:
            self._roll_open(rank, i, j, chance, kept)
            return
        for won, answers in rank_strikes(rank, mine[i], theirs[j]):
            stands, rolled = _part_answers(answers, self._choose_rerolls(rank, i, j, won, answers))
            _spread_shares(kept, rank, i, j, won, [chance * p for p in stands])
            _spread_shares(spent, rank, i, j, won, [chance * p for p in rolled])

    def _choose_rerolls(
        self, rank: int, i: int, j: int, won: int, answers: tuple[Answer, ...]
    ) -> list[list[bool]]:
        """For each answer, after how many hits the defender rolls again."""
        if self.castle == "eager":
            alive = self.a - i  # more hits than that are not worth another roll
            return [
                [n < min(a.average - EQUAL, alive) for n in range(len(a.hits))] for a in answers
            ]
        after, left = self._chances_after(rank, i, j, won, len(answers[0].hits))
        chances = [sum(map(mul, answer.hits, after)) - EQUAL for answer in answers]
        return [[again > value for value in left] for again in chances]

    def _collect_ends(self, masses: tuple[_Ranks, _Ranks]) -> dict[tuple[int, int], float]:
        """What lies where an army is gone."""
        ends: dict[tuple[int, int], float] = {}
        for grid in (*masses[False].values(), *masses[True].values()):
            for j, row in enumerate(grid):
                start = self.a if j < self.d else 0
                for i, chance in enumerate(row[start:], start):
                    if chance:
                        end = min(i, self.a), min(j, self.d)
                        ends[end] = ends.get(end, 0) + chance
        return ends


def _part_answers(
    answers: tuple[Answer, ...], rerolls: list[list[bool]]
) -> tuple[list[float], list[float]]:
    """The chance of each number of hits, of dice that stand and of dice rolled again."""
    stands = [0.0] * len(answers[0].hits)
    rolled = stands[:]
    for answer, rolls in zip(answers, rerolls, strict=True):
        again = 0.0
        for n, p in enumerate(answer.hits):
            if rolls[n]:
                again += answer.chance * p
            else:
                stands[n] += answer.chance * p
        if again:
            rolled = list(map(add, rolled, (again * p for p in answer.hits)))
    return stands, rolled


def _spread_shares(grid: _Grid, rank: int, i: int, j: int, won: int, shares: list[float]) -> None:
    """Add each share where its hits lead."""
    if rank == GENERAL:
        for lost, share in enumerate(shares):
            grid[j + won - lost][i + lost] += share
    else:
        row, end = grid[j + won], i + len(shares)
        row[i:end] = map(add, row[i:end], shares)
