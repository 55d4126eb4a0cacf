"""Battle odds, compiled: the counterpart of `quick_odds.py` with a table of what was found before."""

from typing import Final

import numpy as np

from powderkeg.bots.risk_europe.fast.compiling import Cells
from powderkeg.bots.risk_europe.fast.value_layout import W_FOOTMAN
from powderkeg.bots.risk_europe.quick_odds import MOST_UNITS
from powderkeg.core.fast.compiling import kernel_joint, kernel_part
from powderkeg.games.risk_europe.odds.battle_odds import EQUAL, merged_strikes, rank_strikes
from powderkeg.games.risk_europe.rules.battle_dice import GENERAL, HITS_ON

TABLE_BITS: Final = 16
TABLE_ROWS: Final = 1 << TABLE_BITS
ATTACKER_WINS, DEFENDER_WINS, ATTACKER_LEFT, DEFENDER_LEFT = range(4)  # of a row
ROW: Final = 4
SIDE: Final = 20  # more than the units of either side in a battle that is computed
GRID: Final = SIDE * SIDE
MASSES: Final = ROW * TABLE_ROWS  # chances by castle's defence, rank and units lost
ENDS: Final = MASSES + 2 * 5 * GRID
CHAINS: Final = ENDS + GRID  # the armies after each loss: attacker, then defender
ODDS_SIZE: Final = CHAINS + 2 * 4 * SIDE
OPEN_MOST: Final = MOST_UNITS[False]
CASTLE_MOST: Final = MOST_UNITS[True]
MOST_DICE: Final = 15


def _binomials() -> "np.ndarray[tuple[int, ...], np.dtype[np.float64]]":
    """By rank, dice and hits."""
    found = np.zeros((GENERAL, MOST_DICE + 1, MOST_DICE + 1))
    for rank in range(1, GENERAL):
        for dice in range(MOST_DICE + 1):
            for strike in merged_strikes(rank, dice, 0):
                found[rank, dice, strike.won] = strike.answers[0].chance
    return found


def _general_hits(*, castle: bool) -> "np.ndarray[tuple[int, ...], np.dtype[np.float64]]":
    """The chances of hits on the attacker, by dice of both, and whether one attacker is left or more."""
    found = np.zeros((4, 3, 3, 3))
    for mine in range(1, 4):
        for theirs in range(1, 3):
            for alive in range(1, 3):
                (strike,) = rank_strikes(GENERAL, mine, theirs)
                for answer in strike.answers:
                    for n, p in enumerate(answer.hits):
                        if castle and n < min(answer.average - EQUAL, alive):
                            for k, again in enumerate(answer.hits):
                                found[mine, theirs, alive, k] += answer.chance * p * again
                        else:
                            found[mine, theirs, alive, n] += answer.chance * p
    return found


HIT_CHANCE: Final = _binomials()
GENERAL_OPEN: Final = _general_hits(castle=False)
GENERAL_CASTLE: Final = _general_hits(castle=True)
HIT_SHARE: Final = np.array([0.0] + [(7 - HITS_ON[rank]) / 6 for rank in range(1, GENERAL)])


@kernel_part
def unit_key(f: int, a: int, c: int, s: int) -> int:
    return f << 11 | a << 7 | c << 3 | s


@kernel_part
def key_units(key: int) -> int:
    """How many units a key of one side has."""
    return (key >> 11) + (key >> 7 & 15) + (key >> 3 & 15) + (key & 7)


@kernel_part
def strongest_key(key: int, count: int) -> int:
    """As `strongest_units`."""
    s = min(key & 7, count)
    c = min(key >> 3 & 15, count - s)
    a = min(key >> 7 & 15, count - s - c)
    f = min(key >> 11, count - s - c - a)
    return unit_key(f, a, c, s)


@kernel_part
def cheapest_key(key: int, count: int) -> int:
    """As `cheapest_units`."""
    f = min(key >> 11, count)
    a = min(key >> 7 & 15, count - f)
    c = min(key >> 3 & 15, count - f - a)
    s = min(key & 7, count - f - a - c)
    return unit_key(f, a, c, s)


@kernel_part
def scaled_key(key: int, scale: float) -> int:
    """As `scale_army`."""
    if scale <= 1:
        return key
    f, a = round((key >> 11) / scale), round((key >> 7 & 15) / scale)
    c, s = round((key >> 3 & 15) / scale), round((key & 7) / scale)
    found = unit_key(int(f), int(a), int(c), int(s))
    return found or strongest_key(key, 1)


@kernel_part
def write_chain(q: Cells, start: int, key: int) -> int:
    """The army after 0, 1, ... losses; how many units it has."""
    f, a, c, s = key >> 11, key >> 7 & 15, key >> 3 & 15, key & 7
    whole = f + a + c + s
    for n in range(whole + 1):
        at = start + 4 * n
        q[at], q[at + 1], q[at + 2], q[at + 3] = f, a, c, s
        if f:
            f -= 1
        elif a:
            a -= 1
        elif c:
            c -= 1
        else:
            s -= 1
    return whole


@kernel_part
def chain_dice(q: Cells, start: int, lost: int, rank: int) -> int:
    at = start + 4 * lost
    if rank == 1:
        return 2 * int(q[at + 3])
    return int(q[at + 1]) if rank == 2 else int(q[at + 2])


@kernel_part
def mass_at(castle: int, rank: int, j: int, i: int) -> int:
    """Where the chance of these losses before this rank stands: `j` of the defender."""
    return MASSES + ((castle * 5 + rank) * SIDE + j) * SIDE + i


@kernel_part
def add_mass(q: Cells, castle: int, rank: int, j: int, i: int, d: int, a: int, p: float) -> None:
    """Add a chance where these losses lead: to an end, or to the next rank."""
    if j >= d or i >= a:
        q[ENDS + min(j, d) * SIDE + min(i, a)] += p
    else:
        q[mass_at(castle, rank, j, i)] += p


@kernel_part
def roll_general(q: Cells, kept: int, castle: int, j: int, i: int, d: int, a: int) -> None:
    """The general attack, after which a castle may defend again."""
    chance = q[mass_at(kept, 4, j, i)]
    if chance == 0:
        return
    mine, theirs = min(3, a - i), min(2, d - j)
    pairs = min(mine, theirs)
    for lost in range(pairs + 1):
        if kept:
            p = GENERAL_CASTLE[mine, theirs, min(2, a - i), lost]
        else:
            p = GENERAL_OPEN[mine, theirs, min(2, a - i), lost]
        add_mass(q, castle, 1, j + pairs - lost, i + lost, d, a, chance * p)


@kernel_part
def roll_rank(q: Cells, kept: int, rank: int, j: int, i: int, d: int, a: int) -> None:
    """One rank of units; a castle that may still defend rolls again below the average."""
    chance = q[mass_at(kept, rank, j, i)]
    if chance == 0:
        return
    mine = chain_dice(q, CHAINS, i, rank)
    theirs = chain_dice(q, CHAINS + 4 * SIDE, j, rank)
    if mine + theirs == 0:
        q[mass_at(kept, rank + 1, j, i)] += chance
        return
    poor = min(theirs * HIT_SHARE[rank] - EQUAL, float(a - i)) if kept else 0.0
    again = 0.0
    for lost in range(theirs + 1):
        if lost < poor:
            again += HIT_CHANCE[rank, theirs, lost]
    for won in range(mine + 1):
        share = chance * HIT_CHANCE[rank, mine, won]
        for lost in range(theirs + 1):
            p = share * HIT_CHANCE[rank, theirs, lost]
            if lost >= poor:
                add_mass(q, kept, rank + 1, j + won, i + lost, d, a, p)
            if again > 0:
                add_mass(q, 0, rank + 1, j + won, i + lost, d, a, p * again)


@kernel_joint
def compute_odds(e: Cells, q: Cells, row: int, mine: int, theirs: int, castle: int) -> None:
    """Write the odds of a battle into a row of the table."""
    both = key_units(mine) + key_units(theirs)
    scale = max(1.0, both / (CASTLE_MOST if castle else OPEN_MOST))
    a = write_chain(q, CHAINS, scaled_key(mine, scale))
    d = write_chain(q, CHAINS + 4 * SIDE, scaled_key(theirs, scale))
    for n in range(MASSES, CHAINS):
        q[n] = 0.0
    q[mass_at(castle, 1, 0, 0)] = 1.0
    for j in range(d):
        for i in range(a):
            for rank in range(1, 4):
                roll_rank(q, 0, rank, j, i, d, a)
                if castle:
                    roll_rank(q, 1, rank, j, i, d, a)
            roll_general(q, 0, castle, j, i, d, a)
            if castle:
                roll_general(q, 1, castle, j, i, d, a)
    sum_ends(e, q, row, a, d, scale)


@kernel_part
def sum_ends(e: Cells, q: Cells, row: int, a: int, d: int, scale: float) -> None:
    won = held = left = kept = 0.0
    for j in range(d + 1):
        for i in range(a + 1):
            p = q[ENDS + j * SIDE + i]
            if p > 0:
                won += p * (i < a)
                held += p * (j < d)
                left += p * chain_worth(e, q, CHAINS + 4 * i)
                kept += p * chain_worth(e, q, CHAINS + 4 * (SIDE + j))
    q[row + ATTACKER_WINS], q[row + DEFENDER_WINS] = won, held
    q[row + ATTACKER_LEFT], q[row + DEFENDER_LEFT] = scale * left, scale * kept


@kernel_part
def chain_worth(e: Cells, q: Cells, at: int) -> float:
    found = 0.0
    for unit in range(4):
        found += e[W_FOOTMAN + unit] * q[at + unit]
    return found


@kernel_part
def odds_row(e: Cells, h: Cells, q: Cells, mine: int, theirs: int, castle: int) -> int:
    """The row of the table with the odds of a battle."""
    key = mine << 18 | theirs << 1 | castle
    place = (key * 0x9E3779B97F4A7C1 >> 20) & (TABLE_ROWS - 1)
    if h[place] != key:
        compute_odds(e, q, ROW * place, mine, theirs, castle)
        h[place] = key
    return ROW * place


@kernel_part
def taking_chance(e: Cells, h: Cells, q: Cells, near: int, there: int, castle: int) -> float:
    """As `threat_chance`."""
    count = key_units(near) - 1
    if count < 1:
        return 0.0
    force = strongest_key(near, count)
    if castle and force & 7 == 0:
        return 0.0
    return float(q[odds_row(e, h, q, force, there, castle) + ATTACKER_WINS])
