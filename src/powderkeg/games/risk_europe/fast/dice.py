"""Dice of a battle, compiled: the counterpart of `rules/battle_dice.py`."""

from powderkeg.games.risk_europe.fast.board_queries import ARCHERS, RIDERS, SIEGES, Cells, sum_units
from powderkeg.games.risk_europe.fast.compiling import kernel_part
from powderkeg.games.risk_europe.fast.layout import B_MINE, B_RANK, B_THEIRS, MY_DICE, THEIR_DICE

SIEGE_RANK, ARCHER_RANK, RIDER_RANK, GENERAL_RANK = range(1, 5)


@kernel_part
def dice_of(b: Cells, rank: int, start: int, most: int) -> int:
    """How many dice the units from `start` roll; `most` is the limit of the general attack."""
    if rank == GENERAL_RANK:
        return min(sum_units(b, start), most)
    if rank == SIEGE_RANK:
        return 2 * int(b[start + SIEGES])
    return int(b[start + (ARCHERS if rank == ARCHER_RANK else RIDERS)])


@kernel_part
def _count_at_least(b: Cells, start: int, count: int, least: int) -> int:
    found = 0
    for n in range(count):
        found += int(b[start + n] >= least)
    return found


@kernel_part
def _top_two(b: Cells, start: int, count: int) -> int:
    """The highest die and eight times the second."""
    first = second = 0
    for n in range(count):
        die = int(b[start + n])
        if die > first:
            first, second = die, first
        elif die > second:
            second = die
    return first | second << 3


@kernel_part
def rank_hits(b: Cells) -> int:
    """The hits of the dice on the table: on the attacker, and 256 times those on the defender."""
    rank, mine, theirs = int(b[B_RANK]), int(b[B_MINE]), int(b[B_THEIRS])
    if rank == GENERAL_RANK:
        top, answer = _top_two(b, MY_DICE, mine), _top_two(b, THEIR_DICE, theirs)
        pairs = min(mine, theirs)
        won = int(pairs > 0 and top & 7 > answer & 7) + int(pairs > 1 and top >> 3 > answer >> 3)
        return pairs - won | won << 8
    least = 5 if rank == ARCHER_RANK else 3
    won = _count_at_least(b, MY_DICE, mine, least)
    return _count_at_least(b, THEIR_DICE, theirs, least) | won << 8
