"""The quick policy, compiled: the counterpart of `policy.py` without deals and solitaire.

`c` and `s` are a board and a sheet to try answers on; prices and gains stand in `x` behind the points.
"""

from typing import Final

from powderkeg.bots.versailles.fast.compiling import Cells
from powderkeg.bots.versailles.fast.position_value import (
    X_END,
    cube_weight,
    holding_chance,
    lasting_part,
    most_besides,
    own_utility,
    part_left,
    worth_of_cubes,
    worth_of_units,
    worth_to,
)
from powderkeg.bots.versailles.fast.value_sheet import (
    W_BID,
    W_CUBE,
    W_DIVE,
    W_FOLLOW,
    W_HINDER,
    W_MOOD,
    W_PLACED,
    W_SOON,
    W_STEP,
    W_TABLE,
    W_WAITING,
)
from powderkeg.bots.versailles.policy import EXTRA, NOISE
from powderkeg.core.fast.compiling import kernel_joint, kernel_layer, kernel_part
from powderkeg.core.fast.luck import random_below
from powderkeg.games.versailles.board import NOBODY, USA
from powderkeg.games.versailles.fast.board_queries import (
    deployed_set,
    first_member,
    is_played,
    issue_slot,
    issue_stars,
    issue_start,
    lead_cost,
    may_place,
    own_post,
    post_owner,
    ranking_number,
    slot_leader,
    top_kind,
    top_value,
)
from powderkeg.games.versailles.fast.game_flow import answer_step, run_board
from powderkeg.games.versailles.fast.layout import (
    A_BID,
    A_DEMOBILISE,
    A_DEPLOY,
    A_DIVE,
    A_DRAW,
    A_END,
    A_KEEP,
    A_MODIFY,
    A_PASS,
    A_PLACE,
    A_RECLAIM,
    A_SETTLE,
    ACTIVE_NATION,
    ANSWER_BITS,
    ANSWER_SHIFT,
    AT_HOME,
    END_ISSUE,
    FIRST_REGION,
    FREE,
    I_NO_MILITARY,
    ISSUE_COUNT,
    MILITARY,
    NOT_LISTED,
    OPEN,
    OPEN_SLOTS,
    P_ANNOUNCE,
    P_BIDDING,
    P_CHOOSE_KEPT,
    P_CHOOSE_NATION,
    P_CHOOSE_SOURCE,
    P_CHOOSE_TO_ADVANCE,
    P_PLACE_SECOND,
    P_TURN,
    PLAYERS,
    POLITICAL,
    POST_COUNT,
    READY,
    REGION_COUNT,
    SEAT_NATION,
    SHEET_COUNT,
    SHEET_LIST,
    SLOT_SIZE,
    SPENT,
    T_RECLAIM,
    T_UPRISING,
    TABLE_SLOTS,
    TIRED,
    TREATY_SIZE,
    UNREST_AT,
    WORN_OUT,
)
from powderkeg.games.versailles.fast.legal_actions import (
    asked_seat,
    fewest_cubes,
    list_choices,
    may_act,
    may_bid_local,
    may_reclaim,
    may_settle,
)
from powderkeg.games.versailles.fast.uprisings import richest_set

TRIES: Final = EXTRA + 1  # numbers of cubes that are tried per issue
X_GAIN: Final = X_END  # by open issue and cubes
X_PRICE: Final = X_GAIN + OPEN_SLOTS * TRIES  # by cubes
MOST_CUBES: Final = 128
SCRATCH_SIZE: Final = X_PRICE + MOST_CUBES
FIRST_POST: Final = 5  # the column of the first post
NEVER: Final = -1e9


# Trying answers


@kernel_part
def copy_board(b: Cells, c: Cells) -> None:
    for n in range(TREATY_SIZE):
        c[n] = b[n]


@kernel_joint
def try_answer(
    b: Cells, t: Cells, v: Cells, x: Cells, c: Cells, s: Cells, code: int, nation: int
) -> float:
    """As `action_utility`."""
    copy_board(b, c)
    answer_step(c, t, code)
    run_board(c, t, s)
    return own_utility(c, t, v, x, nation)


@kernel_part
def best_listed(
    b: Cells, t: Cells, v: Cells, x: Cells, w: Cells, c: Cells, s: Cells, nation: int
) -> int:
    """As `best_action`: the first best of all answers."""
    count = int(w[SHEET_COUNT])
    if count == NOT_LISTED:
        count = list_choices(b, t, w)
    best, most = int(w[SHEET_LIST]), NEVER
    for n in range(count if count > 1 else 0):
        code = int(w[SHEET_LIST + n])
        value = try_answer(b, t, v, x, c, s, code, nation)
        if value > most:
            best, most = code, value
    return best


# Placing and settling


@kernel_part
def prize_of(b: Cells, v: Cells, issue: int, nation: int, late: float) -> float:
    """As `prize_value`."""
    return lasting_part(v, late) * worth_to(b, v, issue, nation)


@kernel_part
def price_of_cubes(b: Cells, v: Cells, nation: int, n: int, late: float) -> float:
    """As `placement_cost`."""
    purse = int(b[FREE + nation])
    there = cube_weight(v, late) * v[W_PLACED] * n
    return float(worth_of_cubes(v, purse, late) - worth_of_cubes(v, purse - n, late) - there)


@kernel_part
def gain_of_placing(b: Cells, v: Cells, nation: int, place: int, n: int, late: float) -> float:
    """As `placement_gain`."""
    slot = OPEN + SLOT_SIZE * place
    issue, first, mine = int(b[slot]), slot_leader(b, slot), int(b[slot + 1 + nation])
    base = v[W_TABLE] if place < TABLE_SLOTS else v[W_WAITING]
    worth = prize_of(b, v, issue, nation, late)
    after = holding_chance(v, base, mine + n - most_besides(b, slot, nation)) * worth
    if first == NOBODY:
        return after
    top = int(b[slot + 1 + first])
    held = holding_chance(v, base, top - most_besides(b, slot, first))
    if first == nation:
        return after - held * worth
    rival = prize_of(b, v, issue, first, late) if is_played(b, first) else 0.0
    return float(after - (1 - held) * v[W_FOLLOW] * mine / top * worth + v[W_HINDER] * held * rival)


@kernel_part
def places_least(b: Cells, nation: int) -> bool:
    """As `places_minimum`."""
    return bool(nation == USA and b[PLAYERS] == 2)


@kernel_part
def note_gains(b: Cells, v: Cells, x: Cells, nation: int, late: float) -> None:
    """As `placement_gains` for every open issue, and the price of every number of cubes."""
    purse, extra = int(b[FREE + nation]), 0 if places_least(b, nation) else EXTRA
    dearest = 0
    for place in range(OPEN_SLOTS):
        slot = OPEN + SLOT_SIZE * place
        for n in range(TRIES):
            x[X_GAIN + TRIES * place + n] = NEVER
        if b[slot] < 0:
            continue
        low = lead_cost(b, nation, slot)
        for n in range(extra + 1):
            if low + n <= purse:
                gain = gain_of_placing(b, v, nation, place, low + n, late)
                x[X_GAIN + TRIES * place + n] = gain
                dearest = max(dearest, low + n)
    for n in range(min(2 * dearest, purse, MOST_CUBES - 1) + 1):
        x[X_PRICE + n] = price_of_cubes(b, v, nation, n, late)


@kernel_part
def placing_code(b: Cells, place: int, n: int) -> int:
    return A_PLACE << ANSWER_SHIFT | int(b[OPEN + SLOT_SIZE * place]) << 8 | n


@kernel_part
def best_pair(b: Cells, x: Cells, nation: int, one: int, two: int) -> tuple[float, int]:
    """The best numbers of cubes for a pair of issues: the gain, and the better half as an answer."""
    purse, most, code = int(b[FREE + nation]), NEVER, 0
    low, low_two = least_on(b, nation, one), least_on(b, nation, two)
    for n in range(TRIES):
        gain = x[X_GAIN + TRIES * one + n]
        for m in range(TRIES if gain > NEVER else 0):
            more, cubes = x[X_GAIN + TRIES * two + m], low + n + low_two + m
            if more > NEVER and cubes <= purse and gain + more - x[X_PRICE + cubes] > most:
                most = gain + more - x[X_PRICE + cubes]
                first = placing_code(b, one, low + n)
                code = first if gain >= more else placing_code(b, two, low_two + m)
    return most, code


@kernel_part
def least_on(b: Cells, nation: int, place: int) -> int:
    return lead_cost(b, nation, OPEN + SLOT_SIZE * place)


@kernel_part
def gain_of_settling(b: Cells, t: Cells, v: Cells, nation: int, slot: int, late: float) -> float:
    """As `settling_gain`."""
    issue = int(b[slot])
    if issue == END_ISSUE:
        return gain_of_ending(b, t, nation)
    first = slot_leader(b, slot)
    margin = int(b[slot + 1 + first]) - most_besides(b, slot, first)
    doubt, gain = 1 - holding_chance(v, v[W_TABLE], margin), 0.0
    if is_played(b, first):
        gain = doubt * prize_of(b, v, issue, first, late)
    mine = int(b[slot + 1 + nation])
    if first == nation:
        return float(gain + v[W_SOON] - cube_weight(v, late) * v[W_PLACED] * mine)
    return float((v[W_CUBE] - v[W_PLACED]) * mine - gain / 2 - v[W_SOON])


@kernel_part
def gain_of_ending(b: Cells, t: Cells, nation: int) -> float:
    """As `ending_gain`."""
    winner = slot_leader(b, issue_slot(b, END_ISSUE))
    bonus, mine, best = issue_stars(t, END_ISSUE) * 1024 * 1024, 0, -(1 << 40)
    for seat in range(b[PLAYERS]):
        each = int(b[SEAT_NATION + seat])
        place = ranking_number(b, t, each) + (bonus if each == winner else 0)
        if each == nation:
            mine = place
        else:
            best = max(best, place)
    return 100.0 if mine > best else -100.0


@kernel_part
def gain_of_reclaiming(b: Cells, t: Cells, v: Cells, nation: int, late: float) -> float:
    """As the gain of `reclaim_action`."""
    purse, spent = int(b[FREE + nation]), int(b[SPENT + nation])
    n = min(int(t[T_RECLAIM]), int(b[TIRED + nation]))
    gain = worth_of_cubes(v, purse + n, late) - worth_of_cubes(v, purse, late)
    return gain + worth_of_units(v, spent, 0, -spent, late)


@kernel_part
def reclaim_code(b: Cells, t: Cells, nation: int) -> int:
    n, regions = min(int(t[T_RECLAIM]), int(b[TIRED + nation])), 0
    if n == 0 and b[SPENT + nation] == 0:
        regions = 1 << first_member(deployed_set(b, nation))
    return A_RECLAIM << ANSWER_SHIFT | n << 5 | regions


@kernel_part
def noisy_gain(gain: float, r: Cells) -> float:
    return gain + NOISE * random_below(r, 100) / 100


@kernel_layer
def political_code(b: Cells, t: Cells, v: Cells, x: Cells, r: Cells, nation: int) -> int:
    """As the best of `political_actions`."""
    late, best, most = part_left(b), 0, NEVER
    for place in range(TABLE_SLOTS):
        slot = OPEN + SLOT_SIZE * place
        if may_settle(b, nation, slot):
            gain = noisy_gain(gain_of_settling(b, t, v, nation, slot, late), r)
            if gain > most:
                best, most = A_SETTLE << ANSWER_SHIFT | int(b[slot]), gain
    if may_place(b, nation):
        note_gains(b, v, x, nation, late)
        for one in range(OPEN_SLOTS):
            for two in range(one + 1, OPEN_SLOTS):
                if b[OPEN + SLOT_SIZE * one] >= 0 and b[OPEN + SLOT_SIZE * two] >= 0:
                    pair, code = best_pair(b, x, nation, one, two)
                    gain = noisy_gain(pair, r)
                    if pair > NEVER and gain > most:
                        best, most = code, gain
    if may_reclaim(b, nation):
        gain = noisy_gain(gain_of_reclaiming(b, t, v, nation, late), r)
        if gain > most:
            best = reclaim_code(b, t, nation)
    return best


@kernel_part
def second_code(b: Cells, v: Cells, x: Cells) -> int:
    """As `second_placement`."""
    nation, first, late = top_value(b, 1), top_value(b, 2), part_left(b)
    best, most = 0, NEVER
    note_gains(b, v, x, nation, late)
    for place in range(OPEN_SLOTS):
        issue = int(b[OPEN + SLOT_SIZE * place])
        if issue < 0 or issue == first:
            continue
        low = least_on(b, nation, place)
        for n in range(TRIES):
            gain = x[X_GAIN + TRIES * place + n]
            if gain > NEVER and gain - x[X_PRICE + low + n] > most:
                best, most = placing_code(b, place, low + n), gain - x[X_PRICE + low + n]
    return best


# Units


@kernel_part
def home_unit(b: Cells, nation: int) -> int:
    """The unit that is sent home first."""
    if b[SPENT + nation]:
        return WORN_OUT
    if b[READY + nation]:
        return AT_HOME
    return FIRST_REGION + first_member(deployed_set(b, nation))


@kernel_layer
def military_code(b: Cells, t: Cells, v: Cells, x: Cells, c: Cells, s: Cells, nation: int) -> int:
    """As `military_action`."""
    end = A_END << ANSWER_SHIFT
    out = deployed_set(b, nation)
    if b[MILITARY] or (b[READY + nation] == 0 and b[SPENT + nation] == 0 and out == 0):
        return end
    now = own_utility(b, t, v, x, nation)
    code = A_DEMOBILISE << ANSWER_SHIFT | home_unit(b, nation)
    gain = try_answer(b, t, v, x, c, s, code, nation) - now
    best, most = (code, gain) if gain > NOISE else (end, NOISE)
    poor = b[FREE + nation] < 4 and b[TIRED + nation] >= 4
    for region in range(REGION_COUNT if b[READY + nation] else 0):
        column = int(b[UNREST_AT + region])
        if t[T_UPRISING + column] == 0 or own_post(b, nation, region) >= 0:
            continue
        hit = richest_set(b, t, region) >> nation & 1
        if not hit and not (poor and column >= 4):
            continue
        near = max(0, min(column - FIRST_POST, POST_COUNT - 1)) if hit else 1
        for post in (near, 2):
            if post_owner(b, region, post) < 0 and (hit or post == near):
                code = A_DEPLOY << ANSWER_SHIFT | AT_HOME << 5 | region << 2 | post
                gain = try_answer(b, t, v, x, c, s, code, nation) - now
                if gain > most:
                    best, most = code, gain
    return best


@kernel_part
def modify_code(b: Cells, t: Cells, nation: int) -> int:
    """As `modify_action`."""
    hit = richest_set(b, t, top_value(b, 1))
    change = 0 if hit == 0 else -1 if hit >> nation & 1 else 1
    return A_MODIFY << ANSWER_SHIFT | change + 1


# Cards


@kernel_part
def preference_for(b: Cells, v: Cells, issue: int, nation: int) -> float:
    """As `issue_preference`."""
    mine, others = worth_to(b, v, issue, nation), 0.0
    for seat in range(b[PLAYERS]):
        other = int(b[SEAT_NATION + seat])
        if other != nation:
            others += worth_to(b, v, issue, other)
    return mine - others / max(1, int(b[PLAYERS]) - 1) + 0.2 * mine


@kernel_part
def value_on_table(b: Cells, t: Cells, v: Cells, issue: int, nation: int) -> float:
    """As `_table_value`."""
    if issue == END_ISSUE:
        return gain_of_ending(b, t, nation)
    first = slot_leader(b, issue_slot(b, issue))
    if first == NOBODY or not is_played(b, first):
        return preference_for(b, v, issue, nation) / 4
    worth = worth_to(b, v, issue, first)
    return worth if first == nation else -worth


@kernel_part
def advance_code(b: Cells, t: Cells, v: Cells, w: Cells, r: Cells, nation: int) -> int:
    """As `advance_action`."""
    count, best, most = list_choices(b, t, w), -1, NEVER
    for n in range(count):
        code = int(w[SHEET_LIST + n])
        if code & ANSWER_BITS < ISSUE_COUNT:
            value = value_on_table(b, t, v, code & ANSWER_BITS, nation)
            if value > most:
                best, most = code, value
    return best if best >= 0 else int(w[SHEET_LIST + random_below(r, count)])


@kernel_part
def source_code(b: Cells, t: Cells, v: Cells, w: Cells, nation: int) -> int:
    """As `source_action`."""
    for n in range(list_choices(b, t, w)):
        code = int(w[SHEET_LIST + n])
        if code >> ANSWER_SHIFT == A_DIVE:
            wanted = preference_for(b, v, code & ANSWER_BITS, nation) > v[W_DIVE]
            return code if wanted else A_DRAW << ANSWER_SHIFT
    return A_DRAW << ANSWER_SHIFT


@kernel_part
def keep_code(b: Cells, v: Cells, nation: int) -> int:
    one, two = top_value(b, 1), top_value(b, 2)
    first = preference_for(b, v, one, nation) >= preference_for(b, v, two, nation)
    return A_KEEP << ANSWER_SHIFT | (one if first else two)


# Bids


@kernel_part
def bid_code(b: Cells, t: Cells, v: Cells) -> int:
    """As `bid_action`: the cheapest raise while the issue is worth it, else pass."""
    issue, nation, late = top_value(b, 1), (top_value(b, 3) & 7) - 1, part_left(b)
    purse, ready = int(b[FREE + nation]), int(b[READY + nation])
    local, code, least = may_bid_local(b, t, nation, issue), -1, 1e9
    if t[issue_start(issue) + I_NO_MILITARY]:
        ready, local = 0, 0
    for there in range(local + 1):
        for units in range(ready + 1):
            few = fewest_cubes(units + 2 * there, top_value(b, 5), top_value(b, 6))
            if few > purse:
                continue
            price = worth_of_units(v, units, there, -units - there, late)
            price += (units + there) * (v[W_MOOD] + v[W_STEP])
            price += worth_of_cubes(v, purse, late) - worth_of_cubes(v, purse - few, late)
            if price < least:
                code, least = A_BID << ANSWER_SHIFT | units << 8 | there << 7 | few, price
    worth = v[W_BID] * prize_of(b, v, issue, nation, late)
    return A_PASS << ANSWER_SHIFT if code < 0 or least > worth else code


# One decision


@kernel_joint
def policy_code(
    b: Cells, t: Cells, v: Cells, x: Cells, w: Cells, c: Cells, s: Cells, r: Cells
) -> int:
    """As `choose_action`; `run_board` has just looked at this board."""
    kind = top_kind(b)
    if kind == P_TURN:
        nation = int(b[ACTIVE_NATION])
        if not b[POLITICAL] and may_act(b, nation):
            return political_code(b, t, v, x, r, nation)
        return military_code(b, t, v, x, c, s, nation)
    if kind == P_CHOOSE_NATION:
        return int(w[SHEET_LIST + random_below(r, list_choices(b, t, w))])
    if kind == P_PLACE_SECOND:
        return second_code(b, v, x)
    if kind == P_BIDDING:
        return bid_code(b, t, v)
    nation = int(b[SEAT_NATION + asked_seat(b)])
    if kind == P_CHOOSE_TO_ADVANCE:
        return advance_code(b, t, v, w, r, nation)
    if kind == P_CHOOSE_SOURCE:
        return source_code(b, t, v, w, nation)
    if kind == P_CHOOSE_KEPT:
        return keep_code(b, v, nation)
    if kind == P_ANNOUNCE:
        return modify_code(b, t, nation)
    return best_listed(b, t, v, x, w, c, s, nation)
