"""The compiled adjudicator: one position after the other, in one sheet of small numbers.

It solves the same equations in the same two steps as `rules.battle`, which is the version to read.

Where the time goes: a processor that guesses a branch wrongly loses as much as twenty additions take.
So orders are first sorted by kind without asking what they are, legality is one look into a table,
conditions are joined by `&` rather than asked one by one, and only what a later round can change is
looked at again.
"""

from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from powderkeg.games.diplomacy.board import PROVINCE_COUNT as COUNT
from powderkeg.games.diplomacy.fast.compiling import (
    bare_entry,
    kernel_inside,
    kernel_joint,
    kernel_layer,
)
from powderkeg.games.diplomacy.fast.map_arrays import (
    ARMY_NEAR,
    BIT_INDEX,
    BY_CONVOY,
    GOES_TO,
    MAY_GO,
    NODES,
    NODES_NEAR,
    NOWHERE,
    PLACE_COUNT,
    PROVINCE_AT,
    SEA_AT,
    SEA_BIT,
    SEA_COUNT,
    SEA_OF,
    SEAS_BESIDE,
)
from powderkeg.games.diplomacy.rules.legality import CONVOY, MOVE, SUPPORT

Ints: TypeAlias = NDArray[np.int16]
WorkSheet: TypeAlias = NDArray[np.uint8]
SeaSheet: TypeAlias = NDArray[np.int64]
NodeSheet: TypeAlias = NDArray[np.int32]

VIA: Final = 4  # a move that insists on a convoy, beside the kinds of orders in `rules.legality`
STRANGE: Final = 5  # no kind of order
OK, BOUNCED, NO_CONVOY, CUT, DISRUPTED, UNMATCHED, VOID = range(1, 8)
NO, YES, UNDECIDED = range(3)
NO_SEAS: Final[Any] = np.int64(0)
NONE: Final = 255

# The work sheet, one row after the other. Entries are never negative: an index that cannot be
# negative needs no check. Columns are provinces, unless said otherwise.
WIDTH: Final = 80
_ROW_NAMES: Final = (
    "DEST",  # the province that a unit moves to; its own if it does not move
    "LAND",  # the location that it moves to; its own province if it does not move
    "OWNER",  # or NONE
    "FIRST",  # the first of the moves into a province, and
    "BY_SEA",
    "BROKEN",  # the convoy fails because of a paradox
    "ARRIVES",  # whether a move gets across, as far as known
    "FATE",  # whether a unit leaves, as far as known; where nobody stands: YES
    # Rows from here on are not cleared for every position.
    "FOE",  # of a move: the one that comes the other way
    "NEXT",  # the next one after a move
    "NODE",  # army or fleet and location of a unit in one number
    "WHO",  # the unit that an order supports or convoys
    "AIM",  # where to
    "HELPER",  # the first of the supports for what a unit does, and
    "MORE",  # the next one after a support
    "IS_CUT",  # whether a support is cut, as far as known
    "LEAST",  # bounds of the strength of what a unit does,
    "MOST",
    "NET_LEAST",  # and without the supports of the power that it attacks (rule 12)
    "NET_MOST",
    "WALKS",  # armies that march although they could be carried
    "CLOSED",  # provinces that may not be entered
    "PLAYER",  # columns are powers: the number of their player
    "UNITS",  # a list of the provinces with units,
    "ORDERED",  # six lists of provinces by the kind of order,
    "_MOVE",
    "_SUPPORT",
    "_CONVOY",
    "_VIA",
    "_STRANGE",
    "MOVERS",  # of moves,
    "SAILORS",  # of armies that could go by sea, then of those that do,
    "HELPS",  # of supports that match,
    "DOUBTS",  # of supports not known to be cut or not,
    "OPEN",  # of moves not decided,
    "SIZES",  # and how long these lists are
    "FLAGS",  # columns are the choices of the rulebook
)
(
    DEST, LAND, OWNER, FIRST, BY_SEA, BROKEN, ARRIVES, FATE, FOE, NEXT, NODE, WHO, AIM, HELPER,
    MORE, IS_CUT, LEAST, MOST, NET_LEAST, NET_MOST, WALKS, CLOSED, PLAYER, UNITS, ORDERED, _, _, _, _, _,
    MOVERS, SAILORS, HELPS, DOUBTS, OPEN, SIZES, FLAGS,
) = range(0, len(_ROW_NAMES) * WIDTH, WIDTH)  # fmt: skip
SHEET_SIZE: Final = len(_ROW_NAMES) * WIDTH
N_UNITS, N_MOVERS, N_SAILORS, N_HELPS, N_DOUBTS, N_OPEN = range(SIZES + 6, SIZES + 12)
RULE_21, INTENT, SILENCE, FALLBACK = range(FLAGS, FLAGS + 4)
EMPTY_ROWS: Final = np.concatenate(
    [np.arange(WIDTH)] * 2
    + [np.full(2 * WIDTH, NONE), np.zeros(2 * WIDTH), np.full(2 * WIDTH, YES)]
).astype(np.uint8)
CLEARED: Final = len(EMPTY_ROWS)

# The sheet of seas: sets of seas as bits. Columns are provinces.
ROUTE: Final = 0  # of a convoyed move: the seas it may cross
OFFER: Final = WIDTH  # the seas with fleets that have orders to carry an army
OWN_OFFER: Final = 2 * WIDTH  # those of the army's own player
OWED, TAKEN, FREE = range(3 * WIDTH, 6 * WIDTH, WIDTH)  # scratch for `needed_seas`
MEMO: Final = 6 * WIDTH  # what `needed_seas` found: key and seas in one number
MEMO_SIZE: Final = 1 << 13
SEA_SHEET_SIZE: Final = MEMO + MEMO_SIZE
SEA_BITS: Final = 20


# Seas and routes


@kernel_joint
def reach_seas(start: int, seas: int) -> int:
    found = edge = start & seas
    while edge:
        low = edge & -edge
        edge ^= low
        grown = SEAS_BESIDE[SEA_AT[BIT_INDEX[low % 37]]] & seas & ~found
        edge |= grown
        found |= grown
    return int(found)


@kernel_joint
def has_crossing(seas: int, start: int, end: int) -> bool:
    first, last = SEAS_BESIDE[start] & seas, SEAS_BESIDE[end] & seas
    if first & last:
        return True
    if first == 0 or last == 0:
        return False
    return bool(reach_seas(first, seas) & last)


@kernel_joint
def needed_seas(m: SeaSheet, seas: int, start: int, end: int) -> int:
    """As `board.useful_seas`: seas on routes without a short cut."""
    first, last = SEAS_BESIDE[start] & seas, SEAS_BESIDE[end] & seas
    if first == 0 or last == 0:
        return 0
    found = first & last
    middle = reach_seas(first & ~last, seas & ~found) & ~found
    if middle & last == 0:
        return int(found)
    key = ((middle | found) << 14 | start << 7 | end) + 1
    cell = MEMO + (key * 0x9E3779B1 >> 16 & MEMO_SIZE - 1)
    if m[cell] >> SEA_BITS == key:
        return int(m[cell] & (1 << SEA_BITS) - 1)
    found |= _direct_routes(m, first & middle, middle & ~first, last)
    m[cell] = key << SEA_BITS | found
    return int(found)


@kernel_joint
def _direct_routes(m: SeaSheet, begin: int, between: int, last: int) -> int:
    """All seas on routes without a short cut: one of `begin`, any `between`, one of `last`."""
    found = 0
    while begin:
        low = begin & -begin
        begin ^= low
        depth = 0
        m[OWED], m[TAKEN], m[FREE] = low, 0, between
        # Each level: the seas still to try as the next step, the route so far, the seas free.
        while depth >= 0:
            owed = m[OWED + depth]
            if owed == 0:
                depth -= 1
                continue
            low = owed & -owed
            m[OWED + depth] = owed ^ low
            route, free = m[TAKEN + depth] | low, m[FREE + depth]
            steps = SEAS_BESIDE[SEA_AT[BIT_INDEX[low % 37]]] & free
            if steps & last:
                found |= route | (steps & last)
            depth += 1
            m[OWED + depth], m[TAKEN + depth] = steps & ~last, route
            m[FREE + depth] = free & ~steps
    return found


# Setting up one position: units, then orders by kind. Legality is as in `rules.legality`.


@kernel_layer
def _place_units(w: WorkSheet, m: SeaSheet, units: Ints, orders: Ints, verdicts: Any) -> int:
    """Write down where the units stand, and sort them by the kind of their order; return the seas
    that have a fleet."""
    for i in range(CLEARED):
        w[i] = EMPTY_ROWS[i]
    for i in range(OWED):
        m[i] = 0
    for i in range(SIZES, SIZES + 12):
        w[i] = 0
    count = 0
    for at in range(COUNT):
        w[UNITS + count] = at
        count += int(units[at] > 0)
    w[N_UNITS] = count
    seas: Any = np.int64(0)
    sizes: Any = np.int64(0)  # of the lists in one number, a byte for each
    for i in range(count):
        at = w[UNITS + i]
        code = units[at] - 1 & 0x7FF  # never negative, which is quicker to divide
        owner = code // NODES
        node = code - owner * NODES
        w[OWNER + at], w[NODE + at], w[HELPER + at], w[FATE + at] = owner, node, NONE, NO
        seas |= SEA_BIT[node]
        verdicts[at] = OK
        given = orders[at, 0]
        kind = given if 0 <= given <= VIA else STRANGE
        w[ORDERED + WIDTH * kind + (sizes >> 8 * kind & 0xFF)] = at
        sizes += 1 << 8 * kind
    for kind in range(STRANGE + 1):
        w[SIZES + kind] = sizes >> 8 * kind & 0xFF
    return int(seas)


@kernel_inside
def _add_move(w: WorkSheet, at: int, land: int) -> None:
    w[DEST + at], w[LAND + at], w[FATE + at] = PROVINCE_AT[land], land, UNDECIDED
    w[MOVERS + w[N_MOVERS]] = at
    w[N_MOVERS] += 1


@kernel_inside
def _add_sailor(w: WorkSheet, at: int) -> None:
    w[SAILORS + w[N_SAILORS]] = at
    w[N_SAILORS] += 1


@kernel_layer
def _enter_moves(w: WorkSheet, orders: Ints, seas: int, verdicts: Any) -> None:
    for i in range(w[SIZES + MOVE]):
        at, land = w[ORDERED + WIDTH * MOVE + i], NOWHERE
        to = orders[at, 2]
        if 0 <= to < PLACE_COUNT and not w[CLOSED + PROVINCE_AT[to]]:
            land = GOES_TO[w[NODE + at], to]
            if land == BY_CONVOY:
                to = PROVINCE_AT[to]
                land = NOWHERE
                if has_crossing(seas, at, to):
                    land = to
                    _add_sailor(w, at)
        if land == NOWHERE:
            verdicts[at] = VOID
        else:
            _add_move(w, at, land)


@kernel_layer
def _enter_vias(w: WorkSheet, orders: Ints, seas: int, verdicts: Any) -> None:
    for i in range(w[SIZES + VIA]):
        at = w[ORDERED + WIDTH * VIA + i]
        to = orders[at, 2]
        to = PROVINCE_AT[to] if 0 <= to < PLACE_COUNT else at
        barred = w[NODE + at] & 1 or to == at or w[CLOSED + to] or SEA_OF[to] >= 0
        if not barred and has_crossing(seas, at, to):
            _add_move(w, at, to)
            _add_sailor(w, at)
        else:
            verdicts[at] = VOID


@kernel_layer
def _enter_supports(w: WorkSheet, orders: Ints, seas: int, verdicts: Any) -> None:
    """Supports match the order of their unit, or not (rules 8 and 9)."""
    helps = 0
    for i in range(w[SIZES + SUPPORT]):
        at = w[ORDERED + WIDTH * SUPPORT + i]
        who, to = int(orders[at, 1]), int(orders[at, 2])
        verdicts[at] = VOID
        if who < 0 or who >= COUNT or to >= PLACE_COUNT:
            continue
        holds = to < 0
        to = who if holds else to
        node, helped, aim = w[NODE + at], w[NODE + who], PROVINCE_AT[to]
        able = (w[OWNER + who] != NONE) & (who != at) & (aim != at) & (NODES_NEAR[node, aim] != 0)
        way = int(MAY_GO[helped, to])
        if not able & (holds | (w[CLOSED + aim] == 0) & (way != NO)):
            continue
        if way == BY_CONVOY and not has_crossing(seas & ~SEA_BIT[node], who, aim):
            continue
        land = to if helped & 1 else aim
        w[WHO + at], w[AIM + at] = who, aim
        fits = (land == w[DEST + who]) | (land == w[LAND + who])
        verdicts[at] = OK if fits else UNMATCHED
        w[HELPS + helps] = at
        helps += int(fits)
    w[N_HELPS] = helps
    for i in range(helps):
        at = w[HELPS + i]
        who = w[WHO + at]
        w[MORE + at] = w[HELPER + who]
        w[HELPER + who] = at


@kernel_layer
def _may_convoy(w: WorkSheet, m: SeaSheet, at: int, who: int, to: int, seas: int) -> bool:
    if SEA_OF[at] < 0 or who < 0 or who >= COUNT or to < 0 or to >= PLACE_COUNT:
        return False
    end = PROVINCE_AT[to]
    if w[OWNER + who] == NONE or w[NODE + who] & 1 or who == end or w[CLOSED + end]:
        return False
    if SEA_OF[end] >= 0 or SEAS_BESIDE[who] == 0 or SEAS_BESIDE[end] == 0:
        return False
    if SEAS_BESIDE[who] & SEAS_BESIDE[end] & 1 << SEA_OF[at]:
        return True
    return bool(needed_seas(m, seas, who, end) >> SEA_OF[at] & 1)


@kernel_layer
def _enter_convoys(w: WorkSheet, m: SeaSheet, orders: Ints, seas: int, verdicts: Any) -> None:
    for i in range(w[SIZES + CONVOY]):
        at = w[ORDERED + WIDTH * CONVOY + i]
        who, to = orders[at, 1], orders[at, 2]
        if not _may_convoy(w, m, at, who, to, seas):
            verdicts[at] = VOID
            continue
        end = PROVINCE_AT[to]
        w[WHO + at], w[AIM + at] = who, end
        if w[DEST + who] != end:
            verdicts[at] = UNMATCHED
            continue
        if m[OFFER + who] == 0 and ARMY_NEAR[who, end] and orders[who, 0] != VIA:
            _add_sailor(w, who)
        m[OFFER + who] |= 1 << SEA_OF[at]
        if w[PLAYER + w[OWNER + at]] == w[PLAYER + w[OWNER + who]]:
            m[OWN_OFFER + who] = 1


@kernel_layer
def _embark_armies(w: WorkSheet, m: SeaSheet, orders: Ints) -> None:
    """Decide which armies go by sea (D-CONV-11, D-CONV-12)."""
    size = 0
    for i in range(w[N_SAILORS]):
        at = w[SAILORS + i]
        to, seas = w[DEST + at], m[OFFER + at]
        if w[WALKS + at]:
            continue
        must = orders[at, 0] == VIA or not ARMY_NEAR[at, to]
        by_choice = w[INTENT] and m[OWN_OFFER + at] and has_crossing(seas, at, to)
        if must or by_choice:
            route = needed_seas(m, seas, at, to) if seas else 0
            w[BY_SEA + at], m[ROUTE + at] = 1, route
            w[ARRIVES + at] = w[FATE + at] = UNDECIDED if route else NO
            w[SAILORS + size] = at
            size += 1
    w[N_SAILORS] = size


@kernel_layer
def _line_up_moves(w: WorkSheet) -> None:
    """List the moves into each province, without those for which there is no way."""
    for i in range(w[N_MOVERS]):
        at = w[MOVERS + i]
        to = w[DEST + at]
        first = w[FIRST + to]
        w[NEXT + at] = first
        w[FIRST + to] = first if w[ARRIVES + at] == NO else at


@kernel_layer
def _decide_free_moves(w: WorkSheet) -> None:
    """Find the moves that come the other way. Moves over land that nobody can stop succeed; the
    others are put on the list OPEN, unless there is no way for them."""
    size = 0
    for i in range(w[N_MOVERS]):
        at = w[MOVERS + i]
        to = w[DEST + at]
        back = (w[DEST + to] == at) & (w[BY_SEA + at] | w[BY_SEA + to] == 0)
        w[FOE + at] = to if back else NONE
        alone = (w[FIRST + to] == at) & (w[NEXT + at] == NONE)
        free = alone & (w[OWNER + to] == NONE) & (w[ARRIVES + at] == YES)
        fate = YES if free else w[FATE + at]
        w[FATE + at] = fate
        w[OPEN + size] = at
        size += int(fate == UNDECIDED)
    w[N_OPEN] = size


# The equations of `rules.battle` in sweeps: arrivals, cut supports, strengths


@kernel_joint
def _path_state(w: WorkSheet, m: SeaSheet, at: int, without: int) -> int:
    """Whether the convoyed move at `at` gets across, if the seas `without` are not used."""
    if w[BROKEN + at]:
        return NO
    seas = m[ROUTE + at] & ~without
    safe, doubtful = seas, 0
    while seas:
        low = seas & -seas
        seas ^= low
        x = w[FIRST + SEA_AT[BIT_INDEX[low % 37]]]
        while x != NONE:
            if w[FATE + x] != NO:
                safe &= ~low
                doubtful |= low
            if w[FATE + x] == YES:
                doubtful &= ~low
                break
            x = w[NEXT + x]
    if has_crossing(safe, at, w[DEST + at]):
        return YES
    return UNDECIDED if doubtful and has_crossing(safe | doubtful, at, w[DEST + at]) else NO


@kernel_inside
def _spared_seas(w: WorkSheet, m: SeaSheet, at: int, attacker: int) -> int:
    aim = w[AIM + at]
    if w[RULE_21] and aim != w[WHO + at] and SEA_OF[aim] >= 0:
        return int(m[ROUTE + attacker] & 1 << SEA_OF[aim])
    return 0


@kernel_inside
def _cut_state(w: WorkSheet, m: SeaSheet, at: int) -> int:
    answer = NO
    x = w[FIRST + at]
    while x != NONE:
        fate = w[FATE + x]
        if fate == YES:
            return YES  # rule 14
        if w[OWNER + x] != w[OWNER + at]:  # rule 16
            if fate == UNDECIDED:
                answer = UNDECIDED
            if x != w[AIM + at]:  # rule 13
                spared = _spared_seas(w, m, at, x)
                arrives = _path_state(w, m, x, spared) if spared else int(w[ARRIVES + x])
                if arrives == YES:
                    return YES
                if arrives == UNDECIDED:
                    answer = UNDECIDED
        x = w[NEXT + x]
    return answer


@kernel_inside
def _sweep_sheet(w: WorkSheet, m: SeaSheet) -> None:
    """Write down all that follows from the fates known so far."""
    for i in range(LEAST, LEAST + 4 * WIDTH):
        w[i] = 1
    for i in range(w[N_SAILORS]):
        at = w[SAILORS + i]
        w[ARRIVES + at] = _path_state(w, m, at, NO_SEAS) if m[ROUTE + at] else NO
    doubts = 0
    for i in range(w[N_HELPS]):
        at = w[HELPS + i]
        cut = _cut_state(w, m, at)
        w[IS_CUT + at] = cut
        w[DOUBTS + doubts] = at
        doubts += int(cut == UNDECIDED)
        if cut != YES:
            _count_help(w, at, int(cut == NO), 1)
    w[N_DOUBTS] = doubts


@kernel_inside
def _count_help(w: WorkSheet, at: int, sure: int, possible: int) -> None:
    """Change the bounds of the strength that the support at `at` adds to."""
    who = w[WHO + at]
    w[LEAST + who] += sure
    w[MOST + who] += possible
    if w[OWNER + at] != w[OWNER + w[DEST + who]]:
        w[NET_LEAST + who] += sure
        w[NET_MOST + who] += possible


@kernel_layer
def _sweep_doubts(w: WorkSheet, m: SeaSheet) -> None:
    """As `_sweep_sheet`, after more fates became known: what was certain stays so."""
    for i in range(w[N_SAILORS]):
        at = w[SAILORS + i]
        if w[ARRIVES + at] == UNDECIDED:
            w[ARRIVES + at] = _path_state(w, m, at, NO_SEAS)
    doubts = 0
    for i in range(w[N_DOUBTS]):
        at = w[DOUBTS + i]
        cut = _cut_state(w, m, at)
        w[DOUBTS + doubts] = at
        doubts += int(cut == UNDECIDED)
        if cut != UNDECIDED:
            w[IS_CUT + at] = cut
            _count_help(w, at, int(cut == NO), -int(cut == YES))
    w[N_DOUBTS] = doubts


@kernel_inside
def _silenced_state(w: WorkSheet, at: int) -> int:
    if w[FOE + at] != NONE:
        return int(w[FATE + w[FOE + at]])
    to = w[DEST + at]
    if w[SILENCE] and w[DEST + to] == at:
        if w[FATE + to] == YES and w[FATE + at] == NO:
            return YES
        return NO if w[FATE + to] == NO or w[FATE + at] == YES else UNDECIDED
    return NO


@kernel_inside
def _decide_move(w: WorkSheet, at: int) -> int:
    """Whether the move at `at` succeeds, from the values of the last sweep.

    The values of all cases are read and one is chosen: that is quicker than to guess which case it is.
    """
    path, to, foe = int(w[ARRIVES + at]), w[DEST + at], w[FOE + at]
    meets = (foe != NONE) | (w[DEST + to] == to)
    leaves = int(NO if foe != NONE else w[FATE + to])
    foreign = int(w[OWNER + to] != w[OWNER + at])
    least, most = int(w[LEAST + at]), int(w[MOST + at])
    net_least, net_most = foreign * w[NET_LEAST + at], foreign * w[NET_MOST + at]
    held_least, held_most = int(w[LEAST + to]), int(w[MOST + to])
    least = least if leaves == YES else net_least
    most = net_most if leaves == NO else most
    hold_least = int(leaves == NO) * (held_least if meets else 1)
    hold_most = int(leaves != YES) * (held_most if meets else 1)
    least = least if path == YES else 0
    if (path == NO) | (most <= hold_least):
        return NO
    answer = YES if least > hold_most else UNDECIDED
    rival = w[FIRST + to]
    while rival != NONE:
        arrives, beaten = w[ARRIVES + rival], _silenced_state(w, rival)
        comes = (rival != at) & (arrives != NO) & (beaten != YES)
        if comes & (arrives == YES) & (beaten == NO) & (most <= w[LEAST + rival]):
            return NO
        answer = UNDECIDED if comes & (least <= w[MOST + rival]) else answer
        rival = w[NEXT + rival]
    return answer


# Solving


@kernel_layer
def _decide_moves(w: WorkSheet, m: SeaSheet) -> int:
    """Decide all that bounds decide; return how many moves are left, kept in the list OPEN."""
    _sweep_sheet(w, m)
    while True:
        count, left = int(w[N_OPEN]), 0
        for i in range(count):
            at = w[OPEN + i]
            fate = int(w[FATE + at])
            if fate == UNDECIDED:
                fate = _decide_move(w, at)
                w[FATE + at] = fate
            w[OPEN + left] = at
            left += int(fate == UNDECIDED)
        w[N_OPEN] = left
        if left == count:
            return left
        _sweep_doubts(w, m)


# Circles. A node is a move (its fate) or a convoyed move and the seas it must spare (its path).

NODE_LIMIT: Final = 160
# Of a known type: with a bare number every function that takes it would be compiled once more.
FATE_NODE: Final[Any] = np.int64(-1)


class Circle(NamedTuple):
    """Scratch for `_break_circle`."""

    nodes: NodeSheet  # a province, and seas or FATE_NODE
    reach: NDArray[np.uint8]  # whether a node waits for another
    moves: NDArray[np.uint8]  # the provinces of the moves
    found: NDArray[np.uint8]  # their fates
    tried: NDArray[np.uint8]  # how many fates were tried


def blank_circle() -> Circle:
    return Circle(
        np.empty((NODE_LIMIT, 2), np.int32),
        np.empty((NODE_LIMIT, NODE_LIMIT), np.uint8),
        np.empty(COUNT, np.uint8),
        np.empty(COUNT, np.uint8),
        np.empty(COUNT + 1, np.uint8),
    )


@kernel_joint
def _node_index(nodes: NodeSheet, count: int, at: int, seas: int) -> int:
    for n in range(count):
        if nodes[n, 0] == at and nodes[n, 1] == seas:
            return n
    nodes[count, 0], nodes[count, 1] = at, seas
    return count


@kernel_joint
def _add_need(nodes: NodeSheet, reach: Any, count: int, node: int, at: int, seas: int) -> int:
    """Note that `node` waits for another; return how many nodes there are."""
    other = _node_index(nodes, count, at, seas)
    reach[node, other] = 1
    return max(count, other + 1)


@kernel_joint
def _need_fates(
    w: WorkSheet, m: SeaSheet, nodes: NodeSheet, reach: Any, count: int, node: int, province: int
) -> int:
    x = w[FIRST + province]
    while x != NONE:
        if w[FATE + x] == UNDECIDED:
            count = _add_need(nodes, reach, count, node, x, FATE_NODE)
        x = w[NEXT + x]
    return count


@kernel_joint
def _need_path(
    w: WorkSheet,
    m: SeaSheet,
    nodes: NodeSheet,
    reach: Any,
    count: int,
    node: int,
    at: int,
    spare: int,
) -> int:
    if w[BY_SEA + at] and _path_state(w, m, at, spare) == UNDECIDED:
        count = _add_need(nodes, reach, count, node, at, spare)
    return count


@kernel_joint
def _need_cuts(
    w: WorkSheet, m: SeaSheet, nodes: NodeSheet, reach: Any, count: int, node: int, at: int
) -> int:
    s = w[HELPER + at]
    while s != NONE:
        if w[IS_CUT + s] == UNDECIDED:
            x = w[FIRST + s]
            while x != NONE:
                if w[OWNER + x] != w[OWNER + s]:
                    if w[FATE + x] == UNDECIDED:
                        count = _add_need(nodes, reach, count, node, x, FATE_NODE)
                    if x != w[AIM + s]:
                        spare = _spared_seas(w, m, s, x)
                        count = _need_path(w, m, nodes, reach, count, node, x, spare)
                x = w[NEXT + x]
        s = w[MORE + s]
    return count


@kernel_joint
def _add_needs(
    w: WorkSheet, m: SeaSheet, nodes: NodeSheet, reach: Any, count: int, node: int
) -> int:
    """Note all that `node` waits for; return how many nodes there are."""
    at, seas = nodes[node, 0], nodes[node, 1]
    if seas != FATE_NODE:
        for i in range(SEA_COUNT):
            if (m[ROUTE + at] & ~seas) >> i & 1:
                count = _need_fates(w, m, nodes, reach, count, node, SEA_AT[i])
        return count
    to = w[DEST + at]
    count = _need_path(w, m, nodes, reach, count, node, at, NO_SEAS)
    count = _need_cuts(w, m, nodes, reach, count, node, at)
    if w[OWNER + to] != NONE:
        if w[FATE + to] == UNDECIDED:
            count = _add_need(nodes, reach, count, node, to, FATE_NODE)
        if w[DEST + to] == to or w[FOE + at] != NONE:
            count = _need_cuts(w, m, nodes, reach, count, node, to)
    rival = w[FIRST + to]
    while rival != NONE:
        if rival != at:
            count = _need_path(w, m, nodes, reach, count, node, rival, NO_SEAS)
            count = _need_cuts(w, m, nodes, reach, count, node, rival)
        rival = w[NEXT + rival]
    return count


@kernel_joint
def _find_circle(w: WorkSheet, m: SeaSheet, nodes: NodeSheet, reach: Any) -> tuple[int, int]:
    """Find a circle that waits for nothing else; return a node whose `reach` is the circle, and
    how many nodes there are."""
    node: Any = np.int64(0)
    count: Any = np.int64(w[N_OPEN])
    for i in range(count):
        nodes[i, 0], nodes[i, 1] = w[OPEN + i], FATE_NODE
    while node < count:
        count = _add_needs(w, m, nodes, reach, count, node)
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


@kernel_joint
def _is_contradiction(w: WorkSheet, m: SeaSheet, moves: WorkSheet) -> bool:
    """Whether some fate contradicts the consequences of all assumed ones."""
    _sweep_sheet(w, m)
    for at in moves:  # generators are not compiled
        if w[FATE + at] != UNDECIDED and _decide_move(w, at) == 1 - w[FATE + at]:
            return True
    return False


@kernel_joint
def _count_solutions(
    w: WorkSheet, m: SeaSheet, moves: WorkSheet, found: WorkSheet, tried: WorkSheet
) -> int:
    """Count the consistent outcomes of `moves`, up to two, success tried first; the first one
    goes to `found`."""
    count = len(moves)
    tried[0] = 0
    solutions = depth = 0
    while depth >= 0 and solutions < 2:
        if depth == count:
            if solutions == 0:
                for i in range(count):
                    found[i] = w[FATE + moves[i]]
            solutions += 1
            depth -= 1
        elif tried[depth] == 2:
            w[FATE + moves[depth]] = UNDECIDED
            depth -= 1
        else:
            w[FATE + moves[depth]] = YES if tried[depth] == 0 else NO
            tried[depth] += 1
            if not _is_contradiction(w, m, moves):
                depth += 1
                tried[depth] = 0
    for at in moves:
        w[FATE + at] = UNDECIDED
    return solutions


@kernel_joint
def _break_circle(w: WorkSheet, m: SeaSheet, circle: Circle) -> None:
    nodes, reach, moves, found, tried = circle
    reach[:, :] = 0
    best, size = _find_circle(w, m, nodes, reach)
    count = convoys = 0
    for n in range(size):
        if reach[best, n]:
            if nodes[n, 1] == FATE_NODE:
                moves[count] = nodes[n, 0]
                count += 1
            else:
                convoys += 1
    solutions = _count_solutions(w, m, moves[:count], found, tried)
    if solutions == 1 or convoys == 0:
        for i in range(count):
            w[FATE + moves[i]] = found[i]
        return
    for n in range(size):
        if reach[best, n] and nodes[n, 1] != FATE_NODE:
            w[BROKEN + nodes[n, 0]] = 1


# One position


@kernel_layer
def _solve_position(
    w: WorkSheet, m: SeaSheet, circle: Circle, units: Ints, orders: Ints, verdicts: Any
) -> None:
    seas = _place_units(w, m, units, orders, verdicts)
    for i in range(w[SIZES + STRANGE]):
        verdicts[w[ORDERED + WIDTH * STRANGE + i]] = VOID
    _enter_moves(w, orders, seas, verdicts)
    _enter_vias(w, orders, seas, verdicts)
    _enter_convoys(w, m, orders, seas, verdicts)
    _enter_supports(w, orders, seas, verdicts)
    _embark_armies(w, m, orders)
    _line_up_moves(w)
    _decide_free_moves(w)
    while _decide_moves(w, m):
        _break_circle(w, m, circle)


@kernel_layer
def _write_moves(
    w: WorkSheet, units: Ints, verdicts: Any, winners: Any, after: Ints, convoyed: Any
) -> None:
    """Take the units that move from the board, then put them where they go."""
    gone = 0
    for i in range(w[N_MOVERS]):
        at = w[MOVERS + i]
        success = w[FATE + at] == YES
        lost = BOUNCED if w[ARRIVES + at] == YES else NO_CONVOY
        verdicts[at] = OK if success else lost
        after[at] = 0 if success else units[at]
        w[OPEN + gone] = at
        gone += int(success)
    for i in range(gone):
        at = w[OPEN + i]
        to, node = w[DEST + at], w[NODE + at]
        convoyed[at] = w[BY_SEA + at] != 0
        if after[to]:
            winners[to] = at
        after[to] = units[at] - node + 2 * w[LAND + at] + (node & 1)


@kernel_layer
def _write_results(
    w: WorkSheet,
    units: Ints,
    verdicts: Any,
    winners: Any,
    contested: Any,
    after: Ints,
    convoyed: Any,
) -> None:
    winners[:], contested[:], convoyed[:] = -1, False, False
    for at in range(COUNT):
        after[at] = units[at]
    _write_moves(w, units, verdicts, winners, after, convoyed)
    for i in range(w[N_HELPS]):
        at = w[HELPS + i]
        if w[IS_CUT + at] == YES:
            verdicts[at] = CUT
    for i in range(w[SIZES + CONVOY]):
        at = w[ORDERED + WIDTH * CONVOY + i]
        if verdicts[at] == OK and (winners[at] >= 0 or w[BROKEN + w[WHO + at]]):
            verdicts[at] = DISRUPTED
    for i in range(w[N_MOVERS]):
        at = w[MOVERS + i]
        to = w[DEST + at]
        stopped = verdicts[at] == BOUNCED and after[to] == 0
        if stopped and _silenced_state(w, at) == NO:
            contested[to] = True


@kernel_layer
def _mark_stranded(w: WorkSheet) -> bool:
    """Mark the convoyed moves that failed to get across and could have walked."""
    some = False
    for i in range(w[N_SAILORS]):
        at = w[SAILORS + i]
        if ARMY_NEAR[at, w[DEST + at]] and w[ARRIVES + at] == NO:
            w[WALKS + at] = 1
            some = True
    return some


@kernel_layer
def _adjudicate_row(
    w: WorkSheet,
    m: SeaSheet,
    circle: Circle,
    units: Ints,
    orders: Ints,
    verdicts: Any,
    winners: Any,
    contested: Any,
    after: Ints,
    convoyed: Any,
) -> None:
    if w[FALLBACK]:
        for at in range(COUNT):
            w[WALKS + at] = 0
    verdicts[:] = 0
    undone = True
    while undone:
        _solve_position(w, m, circle, units, orders, verdicts)
        undone = w[FALLBACK] and _mark_stranded(w)
    _write_results(w, units, verdicts, winners, contested, after, convoyed)


@bare_entry
def adjudicate_rows(
    w: WorkSheet,
    m: SeaSheet,
    circle: Circle,
    units: Ints,
    orders: Ints,
    verdicts: Any,
    winners: Any,
    contested: Any,
    after: Ints,
    convoyed: Any,
) -> None:
    for n in range(len(units)):
        _adjudicate_row(
            w, m, circle, units[n], orders[n],
            verdicts[n], winners[n], contested[n], after[n], convoyed[n],
        )  # fmt: skip
