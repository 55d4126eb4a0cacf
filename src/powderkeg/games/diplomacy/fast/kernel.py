"""The compiled adjudicator: one position after the other, in one sheet of numbers.

It solves the same equations in the same two steps as `rules.battle`, which is the version to read.
All compiled code is in this one file on purpose: Numba throws away what it kept when the file of a
function changes, but does not look at the files of what that function calls.
"""

# ruff: noqa: FBT001  # compiled functions take their arguments by position

from collections.abc import Callable
from typing import Any, Final, TypeAlias, TypeVar

import numpy as np
from numba import njit
from numpy.typing import NDArray

from powderkeg.games.diplomacy.board import PROVINCE_COUNT as COUNT
from powderkeg.games.diplomacy.fast.map_arrays import (
    ARMY_NEAR,
    BIT_INDEX,
    FLEET_NEAR,
    FLEET_SAILS,
    PLACE_COUNT,
    PROVINCE_AT,
    SEA_AT,
    SEA_COUNT,
    SEA_OF,
    SEAS_BESIDE,
)
from powderkeg.games.diplomacy.rules.battle import NO, UNDECIDED, YES
from powderkeg.games.diplomacy.rules.legality import CONVOY, HOLD, MOVE, NO_ONE, SUPPORT

Ints: TypeAlias = NDArray[np.int16]
WorkSheet: TypeAlias = NDArray[np.int32]
F = TypeVar("F", bound=Callable[..., Any])

VIA: Final = 4  # a move that insists on a convoy, beside the kinds of orders in `rules.legality`
OK, BOUNCED, NO_CONVOY, CUT, DISRUPTED, UNMATCHED, VOID = range(1, 8)

# Rows of the work sheet, the one array that all functions share (passing more than one would
# cost more than the work of most). Columns are provinces, unless said otherwise.
(
    ORDER,  # kind of the order as given,
    ORDER_WHO,  # the unit that it supports or convoys,
    ORDER_TO,  # the location that it names
    OWNER,
    PLACE,
    IS_FLEET,
    KIND,  # of the order as judged
    WHO,
    AIM,
    LAND,
    FATE,
    FIRST,  # the first of the moves into a province, and
    NEXT,  # the next one after a move
    HELPER,  # the first of the supports for what a unit does, and
    MORE,  # the next one after a support
    ROUTE,  # of a convoyed move: the seas it may cross
    BY_SEA,
    FOE,  # the move that comes the other way
    BROKEN,  # the convoy fails because of a paradox
    WINNER,
    STATUS,  # 0, or VOID, or UNMATCHED
    ARRIVES,  # whether a move gets across, as far as known
    IS_CUT,  # whether a support is cut, as far as known
    LEAST,  # bounds of the strength of what a unit does,
    MOST,
    NET_LEAST,  # and without the supports of the power that it attacks (rule 12)
    NET_MOST,
    WALKS,  # armies that march although they could be carried
    CLOSED,  # provinces that may not be entered
    PLAYER,  # columns are powers: the number of their player
    UNITS,  # a list of the provinces with units,
    HELPS,  # of supports that match,
    OPEN,  # of moves not decided,
    SIZES,  # and how long these lists are
    OWED,  # three rows of scratch for `_needed_seas`
    TAKEN,
    FREE,
    FLAGS,  # columns are the choices of the rulebook
    ROWS,
) = range(39)
RULE_21, INTENT, SILENCE, FALLBACK = range(4)
_COMPILE_OPTIONS: Final[Any] = {  # without entry from Python, which is quicker to compile
    "cache": True,
    "nogil": True,
    "error_model": "numpy",
    "no_cpython_wrapper": True,
    "no_cfunc_wrapper": True,
}


def compile_inner(function: F) -> F:
    """Compile a function that only compiled functions call."""
    compiler: Any = njit(**_COMPILE_OPTIONS)
    return compiler(function)  # type: ignore[no-any-return]  # called alike


# Seas and routes


@compile_inner
def _reach_seas(start: int, seas: int) -> int:
    found = edge = start & seas
    while edge:
        low = edge & -edge
        edge ^= low
        grown = SEAS_BESIDE[SEA_AT[BIT_INDEX[low % 37]]] & seas & ~found
        edge |= grown
        found |= grown
    return int(found)


@compile_inner
def _has_crossing(seas: int, start: int, end: int) -> bool:
    if SEAS_BESIDE[start] & SEAS_BESIDE[end] & seas:
        return True
    return bool(_reach_seas(SEAS_BESIDE[start], seas) & SEAS_BESIDE[end])


@compile_inner
def _needed_seas(w: WorkSheet, seas: int, start: int, end: int) -> int:
    """As `board.useful_seas`: seas on routes without a short cut."""
    first, last = SEAS_BESIDE[start] & seas, SEAS_BESIDE[end] & seas
    found = first & last
    middle = _reach_seas(first & ~last, seas & ~found) & ~found
    if middle & last == 0:
        return int(found)
    for i in range(SEA_COUNT):
        if not (first & middle) >> i & 1:
            continue
        depth = 0
        w[OWED, 0], w[TAKEN, 0], w[FREE, 0] = 1 << i, 0, middle & ~first
        # Each level: the seas still to try as the next step, the route so far, the seas free.
        while depth >= 0:
            owed = w[OWED, depth]
            if owed == 0:
                depth -= 1
                continue
            low = owed & -owed
            w[OWED, depth] = owed ^ low
            route, free = w[TAKEN, depth] | low, w[FREE, depth]
            steps = SEAS_BESIDE[SEA_AT[BIT_INDEX[low % 37]]] & free
            if steps & last:
                found |= route | (steps & last)
            depth += 1
            w[OWED, depth], w[TAKEN, depth], w[FREE, depth] = steps & ~last, route, free & ~steps
    return int(found)


# Legality, as in `rules.legality`


@compile_inner
def _sea_destination(place: int, to: int, province: int) -> int:
    """Where a fleet ordered `to` some location ends, or -1."""
    if FLEET_SAILS[place, to]:
        return to
    if not FLEET_NEAR[place, province] or to != province:
        return -1
    found, coasts = -1, 0
    for coast in range(COUNT, PLACE_COUNT):
        if PROVINCE_AT[coast] == province and FLEET_SAILS[place, coast]:
            found = coast
            coasts += 1
    return found if coasts == 1 else -1


@compile_inner
def _move_destination(w: WorkSheet, at: int, to: int, via: bool, seas: int) -> int:
    if to < 0 or to >= PLACE_COUNT:
        return -1
    province = PROVINCE_AT[to]
    if province == at or w[CLOSED, province]:
        return -1
    if w[IS_FLEET, at]:
        return -1 if via else _sea_destination(w[PLACE, at], to, province)
    if SEA_OF[province] >= 0:
        return -1
    if ARMY_NEAR[at, province] and not via:
        return int(province)
    return int(province) if _has_crossing(seas, at, province) else -1


@compile_inner
def _can_reach(w: WorkSheet, at: int, province: int) -> bool:
    return bool(FLEET_NEAR[w[PLACE, at], province] if w[IS_FLEET, at] else ARMY_NEAR[at, province])


@compile_inner
def _could_go(w: WorkSheet, at: int, to: int, helper: int, seas: int) -> bool:
    province = PROVINCE_AT[to]
    if w[IS_FLEET, at]:
        place = w[PLACE, at]
        return bool(FLEET_SAILS[place, to] or (to == province and FLEET_NEAR[place, province]))
    if province == at or SEA_OF[province] >= 0:
        return False
    if ARMY_NEAR[at, province]:
        return True
    if SEA_OF[helper] >= 0:
        seas &= ~(1 << SEA_OF[helper])
    return _has_crossing(seas, at, province)


@compile_inner
def _may_support(w: WorkSheet, at: int, who: int, to: int, seas: int) -> bool:
    if who < 0 or who >= COUNT or to >= PLACE_COUNT or who == at or w[OWNER, who] == NO_ONE:
        return False
    aim = who if to < 0 else PROVINCE_AT[to]
    if aim == at or not _can_reach(w, at, aim):
        return False
    return to < 0 or (not w[CLOSED, aim] and _could_go(w, who, to, at, seas))


@compile_inner
def _may_convoy(w: WorkSheet, at: int, who: int, to: int, seas: int) -> bool:
    if SEA_OF[at] < 0 or who < 0 or who >= COUNT or to < 0 or to >= PLACE_COUNT:
        return False
    end = PROVINCE_AT[to]
    if w[OWNER, who] == NO_ONE or w[IS_FLEET, who] or who == end or w[CLOSED, end]:
        return False
    if SEA_OF[end] >= 0 or SEAS_BESIDE[who] == 0 or SEAS_BESIDE[end] == 0:
        return False
    return bool(_needed_seas(w, seas, who, end) >> SEA_OF[at] & 1)


# Setting up one position


@compile_inner
def _place_units(w: WorkSheet, units: Ints, orders: Ints) -> int:
    """Fill in where the units stand; return the seas that have a fleet."""
    seas = count = 0
    w[OWNER, :] = NO_ONE
    w[FIRST, :] = NO_ONE
    w[KIND, :] = HOLD
    w[BY_SEA, :] = 0
    for at in range(COUNT):
        code = units[at] - 1
        if code >= 0:
            w[UNITS, count] = at
            count += 1
            w[OWNER, at] = code // (2 * PLACE_COUNT)
            w[PLACE, at] = code % (2 * PLACE_COUNT) // 2
            w[IS_FLEET, at] = code & 1
            w[FATE, at] = UNDECIDED
            w[ARRIVES, at] = YES
            w[HELPER, at] = w[FOE, at] = w[WINNER, at] = NO_ONE
            w[STATUS, at] = w[BROKEN, at] = w[ROUTE, at] = 0
            w[WHO, at] = w[AIM, at] = at
            w[ORDER, at] = orders[at, 0]
            w[ORDER_WHO, at] = orders[at, 1]
            w[ORDER_TO, at] = orders[at, 2]
            if code & 1 and SEA_OF[at] >= 0:
                seas |= 1 << SEA_OF[at]
    w[SIZES, UNITS] = count
    return seas


@compile_inner
def _enter_order(w: WorkSheet, at: int, seas: int) -> None:
    """Take up the order of the unit at `at`; an illegal one makes it hold."""
    kind, who, to = w[ORDER, at], w[ORDER_WHO, at], w[ORDER_TO, at]
    if kind in (MOVE, VIA):
        place = _move_destination(w, at, to, kind == VIA, seas)
        if place >= 0:
            w[KIND, at], w[WHO, at], w[LAND, at], w[AIM, at] = MOVE, at, place, PROVINCE_AT[place]
            w[NEXT, at] = w[FIRST, w[AIM, at]]
            w[FIRST, w[AIM, at]] = at
            return
    elif kind == SUPPORT:
        if _may_support(w, at, who, to, seas):
            if to >= 0 and not w[IS_FLEET, who]:
                to = PROVINCE_AT[to]
            w[KIND, at], w[WHO, at] = SUPPORT, who
            w[LAND, at] = who if to < 0 else to
            w[AIM, at] = PROVINCE_AT[w[LAND, at]]
            return
    elif kind == CONVOY and _may_convoy(w, at, who, to, seas):
        w[KIND, at], w[WHO, at], w[AIM, at] = CONVOY, who, PROVINCE_AT[to]
        return
    if kind != HOLD:
        w[STATUS, at] = VOID


@compile_inner
def _match_order(w: WorkSheet, at: int) -> None:
    """Check whether a support or convoy matches the order of its unit (rules 8 and 9)."""
    who = w[WHO, at]
    moves = w[KIND, who] == MOVE
    if w[KIND, at] == CONVOY:
        if not moves or w[AIM, who] != w[AIM, at]:
            w[STATUS, at] = UNMATCHED
        return
    land = w[LAND, at]
    fits = not moves if land == who else moves and land in (w[AIM, who], w[LAND, who])
    if fits:
        w[MORE, at] = w[HELPER, who]
        w[HELPER, who] = at
    else:
        w[STATUS, at] = UNMATCHED


@compile_inner
def _choose_convoy(w: WorkSheet, at: int, fleets: int) -> None:
    """Decide whether the army at `at` goes by sea (D-CONV-11, D-CONV-12). Of the `fleets` at sea
    some may have orders to carry it."""
    to, via = w[AIM, at], w[ORDER, at] == VIA
    if w[WALKS, at] or (not fleets and ARMY_NEAR[at, to] and not via):
        return
    seas, own = 0, False
    while fleets:
        low = fleets & -fleets
        fleets ^= low
        sea = SEA_AT[BIT_INDEX[low % 37]]
        if w[KIND, sea] == CONVOY and w[WHO, sea] == at and w[AIM, sea] == to:
            seas |= low
            own = own or w[PLAYER, w[OWNER, sea]] == w[PLAYER, w[OWNER, at]]
    by_choice = w[FLAGS, INTENT] and own and _has_crossing(seas, at, to)
    if via or not ARMY_NEAR[at, to] or by_choice:
        w[BY_SEA, at] = 1
        w[ROUTE, at] = _needed_seas(w, seas, at, to)


# The equations of `rules.battle` in sweeps: arrivals, cut supports, strengths


@compile_inner
def _path_state(w: WorkSheet, at: int, without: int) -> int:
    """Whether the convoyed move at `at` gets across, if the seas `without` are not used."""
    if w[BROKEN, at]:
        return NO
    seas = w[ROUTE, at] & ~without
    safe, doubtful = seas, 0
    while seas:
        low = seas & -seas
        seas ^= low
        m = w[FIRST, SEA_AT[BIT_INDEX[low % 37]]]
        while m != NO_ONE:
            if w[FATE, m] != NO:
                safe &= ~low
                doubtful |= low
            if w[FATE, m] == YES:
                doubtful &= ~low
                break
            m = w[NEXT, m]
    if _has_crossing(safe, at, w[AIM, at]):
        return YES
    return UNDECIDED if doubtful and _has_crossing(safe | doubtful, at, w[AIM, at]) else NO


@compile_inner
def _spared_seas(w: WorkSheet, at: int, attacker: int) -> int:
    aim = w[AIM, at]
    if w[FLAGS, RULE_21] and aim != w[WHO, at] and SEA_OF[aim] >= 0:
        return int(w[ROUTE, attacker] & 1 << SEA_OF[aim])
    return 0


@compile_inner
def _cut_state(w: WorkSheet, at: int) -> int:
    answer = NO
    m = w[FIRST, at]
    while m != NO_ONE:
        fate = w[FATE, m]
        if fate == YES:
            return YES  # rule 14
        if w[OWNER, m] != w[OWNER, at]:  # rule 16
            if fate == UNDECIDED:
                answer = UNDECIDED
            if m != w[AIM, at]:  # rule 13
                spared = _spared_seas(w, at, m)
                arrives = _path_state(w, m, spared) if spared else w[ARRIVES, m]
                if arrives == YES:
                    return YES
                if arrives == UNDECIDED:
                    answer = UNDECIDED
        m = w[NEXT, m]
    return answer


@compile_inner
def _sweep_sheet(w: WorkSheet) -> None:
    """Write down all that follows from the fates known so far."""
    for i in range(w[SIZES, UNITS]):
        at = w[UNITS, i]
        w[LEAST, at] = w[MOST, at] = w[NET_LEAST, at] = w[NET_MOST, at] = 1
        if w[BY_SEA, at]:
            w[ARRIVES, at] = _path_state(w, at, 0)
    for i in range(w[SIZES, HELPS]):
        at = w[HELPS, i]
        cut = w[IS_CUT, at] = _cut_state(w, at)
        if cut != YES:
            who = w[WHO, at]
            sure = 1 + cut  # NO is 0 and UNKNOWN -1
            w[LEAST, who] += sure
            w[MOST, who] += 1
            if w[OWNER, at] != w[OWNER, w[AIM, who]]:
                w[NET_LEAST, who] += sure
                w[NET_MOST, who] += 1


@compile_inner
def _silenced_state(w: WorkSheet, at: int) -> int:
    if w[FOE, at] != NO_ONE:
        return int(w[FATE, w[FOE, at]])
    to = w[AIM, at]
    if w[FLAGS, SILENCE] and w[KIND, to] == MOVE and w[AIM, to] == at:
        if w[FATE, to] == YES and w[FATE, at] == NO:
            return YES
        return NO if w[FATE, to] == NO or w[FATE, at] == YES else UNDECIDED
    return NO


@compile_inner
def _decide_move(w: WorkSheet, at: int) -> int:
    """Whether the move at `at` succeeds, from the values of the last sweep."""
    path = w[ARRIVES, at]
    if path == NO:
        return NO
    to = w[AIM, at]
    occupied = w[OWNER, to] != NO_ONE
    meets = w[FOE, at] != NO_ONE or w[KIND, to] != MOVE
    leaves = NO if meets else w[FATE, to]
    hold_least = hold_most = 0
    least, most = w[LEAST, at], w[MOST, at]
    if occupied and leaves != YES:
        own = w[OWNER, to] == w[OWNER, at]
        least = 0 if own else w[NET_LEAST, at]
        if leaves == NO:
            most = 0 if own else w[NET_MOST, at]
            hold_least, hold_most = (w[LEAST, to], w[MOST, to]) if meets else (1, 1)
        else:
            hold_most = 1
    if path == UNDECIDED:
        least = 0
    if most <= hold_least:
        return NO
    answer = YES if least > hold_most else UNDECIDED
    rival = w[FIRST, to]
    while rival != NO_ONE:
        if rival != at and w[ARRIVES, rival] != NO:
            beaten = _silenced_state(w, rival)
            if beaten != YES:
                if w[ARRIVES, rival] == YES and beaten == NO and most <= w[LEAST, rival]:
                    return NO
                if least <= w[MOST, rival]:
                    answer = UNDECIDED
        rival = w[NEXT, rival]
    return answer


# Solving


@compile_inner
def _decide_moves(w: WorkSheet) -> int:
    """Decide all that bounds decide; return how many moves are left, kept in the list OPEN."""
    while True:
        _sweep_sheet(w)
        count, left = w[SIZES, OPEN], 0
        for i in range(count):
            at = w[OPEN, i]
            if w[FATE, at] == UNDECIDED:
                w[FATE, at] = _decide_move(w, at)
            if w[FATE, at] == UNDECIDED:
                w[OPEN, left] = at
                left += 1
        w[SIZES, OPEN] = left
        if left == count:
            return int(left)


# Circles. A node is a move (its fate) or a convoyed move and the seas it must spare (its path).

NODE_LIMIT: Final = 160
FATE_NODE: Final = -1


@compile_inner
def _node_index(nodes: WorkSheet, count: int, at: int, seas: int) -> int:
    for n in range(count):
        if nodes[n, 0] == at and nodes[n, 1] == seas:
            return n
    nodes[count, 0], nodes[count, 1] = at, seas
    return count


@compile_inner
def _add_need(nodes: WorkSheet, reach: Any, count: int, node: int, at: int, seas: int) -> int:
    """Note that `node` waits for another; return how many nodes there are."""
    other = _node_index(nodes, count, at, seas)
    reach[node, other] = 1
    return max(count, other + 1)


@compile_inner
def _need_fates(
    w: WorkSheet, nodes: WorkSheet, reach: Any, count: int, node: int, province: int
) -> int:
    m = w[FIRST, province]
    while m != NO_ONE:
        if w[FATE, m] == UNDECIDED:
            count = _add_need(nodes, reach, count, node, m, FATE_NODE)
        m = w[NEXT, m]
    return count


@compile_inner
def _need_path(
    w: WorkSheet, nodes: WorkSheet, reach: Any, count: int, node: int, at: int, spare: int
) -> int:
    if w[BY_SEA, at] and _path_state(w, at, spare) == UNDECIDED:
        count = _add_need(nodes, reach, count, node, at, spare)
    return count


@compile_inner
def _need_cuts(w: WorkSheet, nodes: WorkSheet, reach: Any, count: int, node: int, at: int) -> int:
    s = w[HELPER, at]
    while s != NO_ONE:
        if w[IS_CUT, s] == UNDECIDED:
            m = w[FIRST, s]
            while m != NO_ONE:
                if w[OWNER, m] != w[OWNER, s]:
                    if w[FATE, m] == UNDECIDED:
                        count = _add_need(nodes, reach, count, node, m, FATE_NODE)
                    if m != w[AIM, s]:
                        spare = _spared_seas(w, s, m)
                        count = _need_path(w, nodes, reach, count, node, m, spare)
                m = w[NEXT, m]
        s = w[MORE, s]
    return count


@compile_inner
def _add_needs(w: WorkSheet, nodes: WorkSheet, reach: Any, count: int, node: int) -> int:
    """Note all that `node` waits for; return how many nodes there are."""
    at, seas = nodes[node, 0], nodes[node, 1]
    if seas != FATE_NODE:
        for i in range(SEA_COUNT):
            if (w[ROUTE, at] & ~seas) >> i & 1:
                count = _need_fates(w, nodes, reach, count, node, SEA_AT[i])
        return count
    to = w[AIM, at]
    count = _need_path(w, nodes, reach, count, node, at, 0)
    count = _need_cuts(w, nodes, reach, count, node, at)
    if w[OWNER, to] != NO_ONE:
        if w[KIND, to] == MOVE and w[FATE, to] == UNDECIDED:
            count = _add_need(nodes, reach, count, node, to, FATE_NODE)
        if w[KIND, to] != MOVE or w[FOE, at] != NO_ONE:
            count = _need_cuts(w, nodes, reach, count, node, to)
    rival = w[FIRST, to]
    while rival != NO_ONE:
        if rival != at:
            count = _need_path(w, nodes, reach, count, node, rival, 0)
            count = _need_cuts(w, nodes, reach, count, node, rival)
        rival = w[NEXT, rival]
    return count


@compile_inner
def _find_circle(w: WorkSheet, nodes: WorkSheet, reach: Any) -> tuple[int, int]:
    """Find a circle that waits for nothing else; return a node whose `reach` is the circle, and
    how many nodes there are."""
    count = w[SIZES, OPEN]
    for i in range(count):
        nodes[i, 0], nodes[i, 1] = w[OPEN, i], FATE_NODE
    node = 0
    while node < count:
        count = _add_needs(w, nodes, reach, count, node)
        node += 1
    for middle in range(count):
        for a in range(count):
            if reach[a, middle]:
                for b in range(count):
                    reach[a, b] |= reach[middle, b]
    best, fewest = 0, NODE_LIMIT + 1
    for a in range(count):
        size = 0
        for b in range(count):
            size += reach[a, b]
        if size < fewest:
            best, fewest = a, size
    return best, count


@compile_inner
def _is_contradiction(w: WorkSheet, moves: WorkSheet) -> bool:
    """Whether some fate contradicts the consequences of all assumed ones."""
    _sweep_sheet(w)
    for at in moves:  # noqa: SIM110  # generators are not compiled
        if w[FATE, at] != UNDECIDED and _decide_move(w, at) == 1 - w[FATE, at]:
            return True
    return False


@compile_inner
def _count_solutions(w: WorkSheet, moves: WorkSheet, found: WorkSheet) -> int:
    """Count the consistent outcomes of `moves`, up to two, success tried first; the first one
    goes to `found`."""
    count = len(moves)
    tried = np.zeros(count + 1, np.int32)
    solutions = depth = 0
    while depth >= 0 and solutions < 2:
        if depth == count:
            if solutions == 0:
                for i in range(count):
                    found[i] = w[FATE, moves[i]]
            solutions += 1
            depth -= 1
        elif tried[depth] == 2:
            w[FATE, moves[depth]] = UNDECIDED
            tried[depth] = 0
            depth -= 1
        else:
            w[FATE, moves[depth]] = YES if tried[depth] == 0 else NO
            tried[depth] += 1
            if not _is_contradiction(w, moves):
                depth += 1
    for at in moves:
        w[FATE, at] = UNDECIDED
    return solutions


@compile_inner
def _break_circle(w: WorkSheet) -> None:
    nodes = np.zeros((NODE_LIMIT, 2), np.int32)
    reach = np.zeros((NODE_LIMIT, NODE_LIMIT), np.uint8)
    moves = np.zeros(COUNT, np.int32)
    found = np.zeros(COUNT, np.int32)
    best, size = _find_circle(w, nodes, reach)
    count = convoys = 0
    for n in range(size):
        if reach[best, n]:
            if nodes[n, 1] == FATE_NODE:
                moves[count] = nodes[n, 0]
                count += 1
            else:
                convoys += 1
    solutions = _count_solutions(w, moves[:count], found)
    if solutions == 1 or convoys == 0:
        for i in range(count):
            w[FATE, moves[i]] = found[i]
        return
    for n in range(size):
        if reach[best, n] and nodes[n, 1] != FATE_NODE:
            w[BROKEN, nodes[n, 0]] = 1


# One position


@compile_inner
def _solve_position(w: WorkSheet, units: Ints, orders: Ints) -> None:
    seas = _place_units(w, units, orders)
    for i in range(w[SIZES, UNITS]):
        _enter_order(w, w[UNITS, i], seas)
    helps = movers = 0
    for i in range(w[SIZES, UNITS]):
        at = w[UNITS, i]
        kind = w[KIND, at]
        if kind in (SUPPORT, CONVOY):
            _match_order(w, at)
            if kind == SUPPORT and w[STATUS, at] == 0:
                w[HELPS, helps] = at
                helps += 1
        elif kind == MOVE:
            w[OPEN, movers] = at
            movers += 1
            if not w[IS_FLEET, at]:
                _choose_convoy(w, at, seas)
    w[SIZES, HELPS], w[SIZES, OPEN] = helps, movers
    for i in range(movers):
        at = w[OPEN, i]
        to = w[AIM, at]
        over_land = not (w[BY_SEA, at] or w[BY_SEA, to])
        if over_land and w[KIND, to] == MOVE and w[AIM, to] == at:
            w[FOE, at] = to
    while _decide_moves(w):
        _break_circle(w)


@compile_inner
def _order_verdict(w: WorkSheet, at: int) -> int:
    kind = w[KIND, at]
    if w[STATUS, at]:
        return int(w[STATUS, at])
    if kind == MOVE:
        if w[FATE, at] == YES:
            return OK
        return BOUNCED if w[ARRIVES, at] == YES else NO_CONVOY
    if kind == SUPPORT:
        return CUT if w[IS_CUT, at] == YES else OK
    if kind == CONVOY:
        broken = w[WINNER, at] != NO_ONE or w[BROKEN, w[WHO, at]]
        return DISRUPTED if broken else OK
    return OK


@compile_inner
def _write_results(
    w: WorkSheet,
    units: Ints,
    verdicts: Any,
    winners: Any,
    contested: Any,
    after: Ints,
) -> None:
    verdicts[:] = 0
    winners[:] = NO_ONE
    contested[:] = False
    after[:] = 0
    count = w[SIZES, UNITS]
    for i in range(count):
        at = w[UNITS, i]
        if w[KIND, at] == MOVE and w[FATE, at] == YES:
            to = w[AIM, at]
            code = w[OWNER, at] * 2 * PLACE_COUNT + 2 * w[LAND, at] + w[IS_FLEET, at]
            after[to] = 1 + code
            if w[OWNER, to] != NO_ONE and (w[KIND, to] != MOVE or w[FATE, to] == NO):
                w[WINNER, to] = at
                winners[to] = at
    for i in range(count):
        at = w[UNITS, i]
        verdicts[at] = _order_verdict(w, at)
        left = w[KIND, at] == MOVE and w[FATE, at] == YES
        if not left and w[WINNER, at] == NO_ONE:
            after[at] = units[at]
    for i in range(count):
        at = w[UNITS, i]
        stopped = w[KIND, at] == MOVE and w[ARRIVES, at] == YES and after[w[AIM, at]] == 0
        if stopped and _silenced_state(w, at) == NO:
            contested[w[AIM, at]] = True


@compile_inner
def _mark_stranded(w: WorkSheet) -> bool:
    """Mark the convoyed moves that failed to get across and could have walked."""
    some = False
    for at in range(COUNT):
        if (
            w[KIND, at] == MOVE
            and w[BY_SEA, at]
            and ARMY_NEAR[at, w[AIM, at]]
            and w[ARRIVES, at] == NO
        ):
            w[WALKS, at] = 1
            some = True
    return some


@njit(cache=True, nogil=True, error_model="numpy")
def adjudicate_rows(
    w: WorkSheet,
    units: Ints,
    orders: Ints,
    verdicts: Any,
    winners: Any,
    contested: Any,
    after: Ints,
) -> None:
    for n in range(len(units)):
        w[WALKS, :] = 0
        _solve_position(w, units[n], orders[n])
        while w[FLAGS, FALLBACK] and _mark_stranded(w):
            _solve_position(w, units[n], orders[n])
        _write_results(w, units[n], verdicts[n], winners[n], contested[n], after[n])
