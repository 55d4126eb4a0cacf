"""Dice of a battle: how many are rolled and how many hit. Independent of turns and territories.

Ranks are 1 siege weapons, 2 archers, 3 cavalry and 4 the general attack (R-BAT-02).
"""

from typing import Final

from powderkeg.games.risk_europe.board import ARCHER, CAVALRY, SIEGE, Units, total_units

GENERAL: Final = 4
UNIT_OF: Final = {1: SIEGE, 2: ARCHER, 3: CAVALRY}
DICE_EACH: Final = {1: 2, 2: 1, 3: 1}
HITS_ON: Final = {1: 3, 2: 5, 3: 3}  # R-BAT-04 to R-BAT-06
ATTACKER_DICE, DEFENDER_DICE = 3, 2  # at most, in the general attack: R-BAT-09


def count_dice(rank: int, units: Units, *, attacking: bool) -> int:
    """How many dice an army must roll in `rank`."""
    if rank == GENERAL:
        return min(total_units(units), ATTACKER_DICE if attacking else DEFENDER_DICE)
    return units[UNIT_OF[rank]] * DICE_EACH[rank]


def count_hits(rank: int, attacker: tuple[int, ...], defender: tuple[int, ...]) -> tuple[int, int]:
    """The hits of attacker and defender for the dice that they rolled in `rank`."""
    if rank == GENERAL:
        return _general_attack_hits(attacker, defender)
    on = HITS_ON[rank]
    return sum(die >= on for die in attacker), sum(die >= on for die in defender)


def _general_attack_hits(attacker: tuple[int, ...], defender: tuple[int, ...]) -> tuple[int, int]:
    """Highest against highest, then the next pair; ties hit the attacker (R-BAT-10)."""
    pairs = list(zip(sorted(attacker)[::-1], sorted(defender)[::-1], strict=False))
    won = sum(a > d for a, d in pairs)
    return won, len(pairs) - won


def reroll_may_help(
    rank: int, attacker: tuple[int, ...], defender: tuple[int, ...], attackers: int
) -> bool:
    """Whether the castle's defence could gain anything: some of the dice did not hit."""
    best = min(len(attacker), len(defender)) if rank == GENERAL else len(defender)
    return count_hits(rank, attacker, defender)[1] < min(best, attackers)


def next_rank(rank: int) -> int:
    return rank % GENERAL + 1
