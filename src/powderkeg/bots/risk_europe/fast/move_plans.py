"""Plans for moves, compiled: the counterpart of the moves in `candidates.py`."""

from typing import Final

from powderkeg.bots.risk_europe.candidates import PAIRED_TARGETS
from powderkeg.bots.risk_europe.fast.board_value import (
    coins_worth,
    key_at,
    values_after,
    values_before,
)
from powderkeg.bots.risk_europe.fast.compiling import Cells
from powderkeg.bots.risk_europe.fast.odds_table import cheapest_key, key_units, strongest_key
from powderkeg.bots.risk_europe.fast.value_layout import (
    P_LOAD,
    P_ORDER,
    P_ORIGIN,
    P_SECOND,
    P_SECOND_LOAD,
    P_TO,
    SINGLE,
    TOUCHED_FAR,
    TOUCHED_NEAR,
)
from powderkeg.core.fast.compiling import kernel_joint, kernel_part
from powderkeg.games.risk_europe.fast.board_queries import (
    SIEGES,
    bit_place,
    castle_bars,
    held_places,
    marching_places,
    may_enter,
    may_manoeuvre_from,
    spare_units,
    staying_units,
    units_here,
)
from powderkeg.games.risk_europe.fast.layout import (
    ATTACKER,
    FORCE_AT,
    MANOEUVRE,
    OWNER,
    SPLIT,
    UNITS_AT,
)
from powderkeg.games.risk_europe.fast.map_tables import IS_TOWN, NEAR, NEAR_BITS, NEAR_COUNT, TAX_OF

NO_PLACE: Final = -1


@kernel_part
def add_load(b: Cells, start: int, load: int, sign: int) -> None:
    b[start] += sign * (load >> 11)
    b[start + 1] += sign * (load >> 7 & 15)
    b[start + 2] += sign * (load >> 3 & 15)
    b[start + 3] += sign * (load & 7)


@kernel_part
def arrive_on_trial(b: Cells, army: int, to: int, load: int) -> int:
    """Move a load in without the rest of the rules; the coins that it would bring."""
    owner = int(b[OWNER + to])
    if owner >= 0 and owner != army:
        b[ATTACKER + to] = army
        add_load(b, FORCE_AT + 4 * to, load, 1)
        return 0
    add_load(b, UNITS_AT + 4 * to, load, 1)
    b[OWNER + to] = army
    return int(TAX_OF[to]) if owner < 0 and IS_TOWN[to] else 0


@kernel_part
def take_back(b: Cells, army: int, to: int, load: int, owner: int, attacker: int) -> None:
    """The opposite, with the owner and attacker from before."""
    if owner >= 0 and owner != army:
        add_load(b, FORCE_AT + 4 * to, load, -1)
    else:
        add_load(b, UNITS_AT + 4 * to, load, -1)
    b[OWNER + to], b[ATTACKER + to] = owner, attacker


@kernel_joint
def move_gain(
    b: Cells, e: Cells, h: Cells, q: Cells, army: int, origin: int, to: int, load: int, second: int,
    more: int,
) -> float:  # fmt: skip
    """As `weigh_move`, for one group or two: the board is changed, evaluated and restored."""
    near, far = int(TOUCHED_NEAR[origin] | TOUCHED_NEAR[to]), int(TOUCHED_FAR[origin])
    far |= int(TOUCHED_FAR[to])
    if second >= 0:
        near, far = near | int(TOUCHED_NEAR[second]), far | int(TOUCHED_FAR[second])
    far &= ~near
    before = values_before(b, e, h, q, near, far)
    owner, attacker = int(b[OWNER + to]), int(b[ATTACKER + to])
    add_load(b, UNITS_AT + 4 * origin, load, -1)
    coins = arrive_on_trial(b, army, to, load)
    other_owner = other_attacker = NO_PLACE
    if second >= 0:
        other_owner, other_attacker = int(b[OWNER + second]), int(b[ATTACKER + second])
        add_load(b, UNITS_AT + 4 * origin, more, -1)
        coins += arrive_on_trial(b, army, second, more)
    if units_here(b, origin) == 0:
        b[OWNER + origin] = -1
    after = values_after(b, e, h, q, near, far)
    b[OWNER + origin] = army
    if second >= 0:
        take_back(b, army, second, more, other_owner, other_attacker)
        add_load(b, UNITS_AT + 4 * origin, more, 1)
    take_back(b, army, to, load, owner, attacker)
    add_load(b, UNITS_AT + 4 * origin, load, 1)
    return after - before + (coins_worth(b, e, army, coins) if coins else 0.0)


@kernel_part
def note_move(
    p: Cells, order: int, origin: int, to: int, load: int, second: int, more: int
) -> None:
    p[P_ORDER], p[P_ORIGIN], p[P_TO], p[P_LOAD] = order, origin, to, load
    p[P_SECOND], p[P_SECOND_LOAD] = second, more


@kernel_part
def route_load(there: int, count: int, peaceful: int) -> int:
    """As `_route_load`."""
    return cheapest_key(there, count) if peaceful else strongest_key(there, count)


@kernel_part
def tried_load(there: int, most: int, peaceful: int, number: int) -> int:
    """The loads that are tried, as `peaceful_loads` and `hostile_loads`; 0: no other."""
    full = strongest_key(there, most)
    if number == 0:
        return full
    if peaceful:
        count = 1 if number == 1 else (most + 1) // 2
        load = cheapest_key(there, count)
        double = load == full or (number == 2 and load == cheapest_key(there, 1))
        return 0 if double else load
    load = strongest_key(there, (2 * most + 2) // 3)
    return 0 if number == 2 or load == full else load


@kernel_joint
def best_expansion(
    b: Cells, e: Cells, h: Cells, q: Cells, p: Cells, army: int, order: int, best: float
) -> float:
    """The best expansion, or split, that gains more than `best`; it is noted as the plan. The sheet gets
    the gain of the best that does not split."""
    e[SINGLE] = 0.0
    held = held_places(b, army)
    while held:
        origin = bit_place(held)
        held &= held - 1
        most = spare_units(b, origin)
        if most > 0:
            best = best_from(b, e, h, q, p, army, order, origin, most, best)
    return best


@kernel_part
def best_from(
    b: Cells, e: Cells, h: Cells, q: Cells, p: Cells, army: int, order: int, origin: int, most: int,
    best: float,
) -> float:  # fmt: skip
    there = key_at(b, UNITS_AT + 4 * origin)
    to0 = to1 = to2 = NO_PLACE  # the best targets
    g0 = g1 = g2 = -1e9
    for n in range(NEAR_COUNT[origin]):
        to = int(NEAR[origin, n])
        if not may_enter(b, army, to, int(b[UNITS_AT + 4 * origin + SIEGES])):
            continue
        peaceful, good = int(b[OWNER + to] < 0), -1e9
        for number in range(3):
            load = tried_load(there, most, peaceful, number)
            if load == 0 or (castle_bars(b, army, to) and load & 7 == 0):
                continue
            gain = move_gain(b, e, h, q, army, origin, to, load, NO_PLACE, 0)
            good = max(good, gain)
            if gain > best:
                best = gain
                note_move(p, order, origin, to, load, NO_PLACE, 0)
        e[SINGLE] = max(float(e[SINGLE]), good)
        if good > g0:
            g0, g1, g2, to0, to1, to2 = good, g0, g1, to, to0, to1
        elif good > g1:
            g1, g2, to1, to2 = good, g1, to, to1
        elif good > g2:
            g2, to2 = good, to
    if order == SPLIT and most > 1 and to1 >= 0:
        best = best_pair(b, e, h, q, p, army, origin, most, to0, to1, best)
        if to2 >= 0:
            best = best_pair(b, e, h, q, p, army, origin, most, to0, to2, best)
            best = best_pair(b, e, h, q, p, army, origin, most, to1, to2, best)
    return best


@kernel_joint
def best_pair(
    b: Cells, e: Cells, h: Cells, q: Cells, p: Cells, army: int, origin: int, most: int, one: int,
    other: int, best: float,
) -> float:  # fmt: skip
    """As `_paired_plans`, for two targets."""
    there = key_at(b, UNITS_AT + 4 * origin)
    calm, quiet = int(b[OWNER + one] < 0), int(b[OWNER + other] < 0)
    for first in range(3):
        count = 1 if first == 0 else most // 2 if first == 1 else most - 1
        if (first == 1 and count == 1) or (first == 2 and count in (1, most // 2)):
            continue
        load = route_load(there, count, calm)
        if castle_bars(b, army, one) and load & 7 == 0:
            continue
        for last in range(2):
            if last == 1 and most - count == 1:
                continue
            more = route_load(there - load, most - count if last == 0 else 1, quiet)
            if castle_bars(b, army, other) and more & 7 == 0:
                continue
            gain = move_gain(b, e, h, q, army, origin, one, load, other, more)
            if gain > best:
                best = gain
                note_move(p, SPLIT, origin, one, load, other, more)
    return best


@kernel_part
def is_frontier(b: Cells, army: int, at: int, mine: int) -> bool:
    """As `_is_border`."""
    return b[ATTACKER + at] >= 0 or int(NEAR_BITS[at]) & ~mine != 0


@kernel_joint
def best_manoeuvre(
    b: Cells, e: Cells, h: Cells, q: Cells, p: Cells, army: int, best: float
) -> float:
    """As `manoeuvre_plans`: the best that gains more than `best`."""
    mine = held_places(b, army)
    held = mine
    while held:
        origin = bit_place(held)
        held &= held - 1
        if not may_manoeuvre_from(b, army, origin):
            continue
        there = key_at(b, UNITS_AT + 4 * origin)
        most = key_units(there) - staying_units(b, origin)
        count = max(1, min(most, key_units(there) - 1))
        targets = marching_places(b, army, origin)
        while targets:
            to = bit_place(targets)
            targets &= targets - 1
            if not is_frontier(b, army, to, mine):
                continue
            for half in range(2):
                size = (most + 1) // 2 if half else count
                if half and size == count:
                    continue
                load = strongest_key(there, size)
                gain = move_gain(b, e, h, q, army, origin, to, load, NO_PLACE, 0)
                if gain > best:
                    best = gain
                    note_move(p, MANOEUVRE, origin, to, load, NO_PLACE, 0)
    return best


assert PAIRED_TARGETS == 3  # noqa: S101  # `best_from` compares three targets
