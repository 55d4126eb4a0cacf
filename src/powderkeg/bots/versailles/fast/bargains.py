"""Deals in rollouts, simplified: the active player settles an issue that another leads, who gives cubes.

Such deals are most of those that are made between bots that haggle, and they make games a third shorter:
rollouts without them take leads on the table for less than they are worth. As in `Bargainer`, both must
gain by how the turn ends; who offers asks for as much as suits it best, less half of what the other gains,
and who answers has the last word.
"""

import math
from typing import Final

from powderkeg.bots.versailles.fast.compiling import Cells
from powderkeg.bots.versailles.fast.position_value import (
    X_POINTS,
    estimate_points,
    part_left,
    worth_of_cubes,
)
from powderkeg.bots.versailles.fast.quick_policy import SCRATCH_SIZE, copy_board, policy_code
from powderkeg.bots.versailles.fast.value_sheet import SIDES, W_HAZE, W_HEAT, W_HINDER
from powderkeg.bots.versailles.negotiation import KING, LEAST_GAIN, RIVALRY, SWEETENERS
from powderkeg.core.fast.compiling import kernel_joint, kernel_part
from powderkeg.games.versailles.board import NOBODY
from powderkeg.games.versailles.fast.board_changes import exhaust_cubes, recover_cubes
from powderkeg.games.versailles.fast.board_queries import is_played, slot_leader, top_kind
from powderkeg.games.versailles.fast.game_flow import answer_step, run_board
from powderkeg.games.versailles.fast.layout import (
    A_SETTLE,
    ACTIVE_NATION,
    ANSWER_SHIFT,
    END_ISSUE,
    FREE,
    HEIGHT,
    NOT_LISTED,
    OPEN,
    P_TURN,
    PLAYERS,
    POLITICAL,
    ROUND_TURN,
    SEAT_NATION,
    SHEET_COUNT,
    SLOT_SIZE,
    T_MOST_EXCHANGED,
    TABLE_SLOTS,
    TIRED,
)
from powderkeg.games.versailles.fast.legal_actions import awaits_chance, may_settle

X_BEFORE: Final = SCRATCH_SIZE  # chances by seat without a deal
X_AFTER: Final = X_BEFORE + SIDES  # and with it
BARGAIN_SCRATCH: Final = X_AFTER + SIDES
LONGEST_TURN: Final = 60  # answers
NO_DEAL: Final = -1
GIFT_BITS: Final = 4  # a deal is the place of an issue, and how many cubes its leader gives
MOST_BACK: Final = max(SWEETENERS)  # cubes that the one who answers may ask back


@kernel_part
def may_bargain(b: Cells, nation: int, place: int) -> bool:
    """Whether a deal about this place of the table is thought of: another player leads there."""
    slot = OPEN + SLOT_SIZE * place
    if b[slot] < 0 or b[slot] == END_ISSUE or not may_settle(b, nation, slot):
        return False
    first = slot_leader(b, slot)
    if first == NOBODY or not is_played(b, first):
        return False
    return first != nation


@kernel_part
def finish_turn(
    b: Cells, t: Cells, v: Cells, x: Cells, w: Cells, c: Cells, s: Cells, r: Cells
) -> None:
    """As `play_policy` without chance: up to the next card, die or turn."""
    turn = int(b[ROUND_TURN])
    for _ in range(LONGEST_TURN):
        if b[HEIGHT] == 0 or b[ROUND_TURN] > turn or awaits_chance(b):
            break
        answer_step(b, t, policy_code(b, t, v, x, w, c, s, r))
        run_board(b, t, w)


@kernel_part
def note_chances(b: Cells, v: Cells, x: Cells, at: int) -> None:
    """As `winning_chances`, by seat, of the points in `x`."""
    heat, top, total = v[W_HEAT] + v[W_HAZE] * part_left(b), -1e9, 0.0
    for seat in range(b[PLAYERS]):
        top = max(top, float(x[X_POINTS + b[SEAT_NATION + seat]]))
    for seat in range(b[PLAYERS]):
        x[at + seat] = math.exp((x[X_POINTS + b[SEAT_NATION + seat]] - top) / heat)
        total += x[at + seat]
    for seat in range(b[PLAYERS]):
        x[at + seat] /= total


@kernel_part
def seat_worth(b: Cells, v: Cells, x: Cells, at: int, seat: int) -> float:
    """As `_seat_worth`."""
    best = 0.0
    for other in range(b[PLAYERS]):
        if other != seat:
            best = max(best, float(x[at + other]))
    return float(x[at + seat] - v[W_HINDER] * best)


@kernel_part
def seat_of(b: Cells, nation: int) -> int:
    for seat in range(b[PLAYERS]):
        if b[SEAT_NATION + seat] == nation:
            return seat
    return 0


@kernel_part
def note_gift(b: Cells, v: Cells, x: Cells, giver: int, taker: int, n: int) -> None:
    """The chances after the deal if `giver` gives so many cubes."""
    late, rich, poor = part_left(b), int(b[FREE + giver]), int(b[FREE + taker])
    less = worth_of_cubes(v, rich, late) - worth_of_cubes(v, rich - n, late)
    more = worth_of_cubes(v, poor + n, late) - worth_of_cubes(v, poor, late)
    x[X_POINTS + giver] -= less
    x[X_POINTS + taker] += more
    note_chances(b, v, x, X_AFTER)
    x[X_POINTS + giver] += less
    x[X_POINTS + taker] -= more


@kernel_part
def seat_gain(b: Cells, v: Cells, x: Cells, seat: int) -> float:
    """As `seat_gains`, for one seat."""
    return seat_worth(b, v, x, X_AFTER, seat) - seat_worth(b, v, x, X_BEFORE, seat)


@kernel_part
def is_agreed(b: Cells, x: Cells, one: int, two: int, mine: float, theirs: float) -> bool:
    """As `is_fair` for both: nobody feeds the leader of the game."""
    first = 0
    for seat in range(1, b[PLAYERS]):
        if x[X_BEFORE + seat] > x[X_BEFORE + first]:
            first = seat
    if mine <= LEAST_GAIN or theirs <= LEAST_GAIN:
        return False
    return (first != two or mine >= KING * theirs) and (first != one or theirs >= KING * mine)


@kernel_part
def agree_on_gift(
    b: Cells, t: Cells, v: Cells, x: Cells, giver: int, taker: int
) -> tuple[int, float]:
    """How many cubes are given in a deal that ends the turn with board `b`, and how much the one who
    offers it likes what it asked for; `NO_DEAL` if they do not agree."""
    me, other, asked, best = seat_of(b, taker), seat_of(b, giver), NO_DEAL, -1.0
    most = min(int(t[T_MOST_EXCHANGED]), int(b[FREE + giver]), int(b[TIRED + taker]))
    for n in range(most + 1):
        note_gift(b, v, x, giver, taker, n)
        mine, theirs = seat_gain(b, v, x, me), seat_gain(b, v, x, other)
        if is_agreed(b, x, me, other, mine, theirs) and mine - RIVALRY * theirs > best:
            asked, best = n, mine - RIVALRY * theirs
    agreed = asked
    for n in range(asked - 1, max(0, asked - MOST_BACK) - 1, -1):
        note_gift(b, v, x, giver, taker, n)
        if is_agreed(b, x, me, other, seat_gain(b, v, x, me), seat_gain(b, v, x, other)):
            agreed = n
    return agreed, best


@kernel_joint
def find_bargain(
    b: Cells, t: Cells, v: Cells, x: Cells, c: Cells, s: Cells, d: Cells, e: Cells, r: Cells
) -> int:
    """The deal that the active player makes, or `NO_DEAL`; `d` and `e` are a board and a sheet to try."""
    nation, luck = int(b[ACTIVE_NATION]), r[0]
    if b[PLAYERS] < 3 or top_kind(b) != P_TURN or b[POLITICAL]:
        return NO_DEAL
    if not (may_bargain(b, nation, 0) or may_bargain(b, nation, 1)):
        return NO_DEAL
    copy_board(b, d)
    e[SHEET_COUNT] = NOT_LISTED
    finish_turn(d, t, v, x, e, c, s, r)
    estimate_points(d, t, v, x)
    note_chances(d, v, x, X_BEFORE)
    found, most = NO_DEAL, -1.0
    for place in range(TABLE_SLOTS):
        if not may_bargain(b, nation, place):
            continue
        slot = OPEN + SLOT_SIZE * place
        copy_board(b, d)
        e[SHEET_COUNT] = NOT_LISTED
        answer_step(d, t, A_SETTLE << ANSWER_SHIFT | int(b[slot]))
        run_board(d, t, e)
        finish_turn(d, t, v, x, e, c, s, r)
        if d[HEIGHT] == 0:
            continue
        estimate_points(d, t, v, x)
        gift, appeal = agree_on_gift(d, t, v, x, slot_leader(b, slot), nation)
        if gift != NO_DEAL and appeal > most:
            found, most = place << GIFT_BITS | gift, appeal
    r[0] = luck
    return found


@kernel_part
def make_bargain(b: Cells, t: Cells, w: Cells, deal: int) -> None:
    """Settle the issue, and exchange the cubes."""
    slot = OPEN + SLOT_SIZE * (deal >> GIFT_BITS)
    taker, giver = int(b[ACTIVE_NATION]), slot_leader(b, slot)
    answer_step(b, t, A_SETTLE << ANSWER_SHIFT | int(b[slot]))
    run_board(b, t, w)
    n = min(deal & ((1 << GIFT_BITS) - 1), int(b[FREE + giver]), int(b[TIRED + taker]))
    exhaust_cubes(b, giver, n)
    recover_cubes(b, taker, n)
