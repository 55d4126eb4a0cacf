"""Whole games in numbers, compiled: legal orders, retreats, counts, adjustments, observations.

Movements are resolved by `fast.kernel`. The readable version of everything here is in `rules`; tests
play both side by side.
"""

# ruff: noqa: FBT001, FBT003  # compiled functions take their arguments by position

from typing import Any, Final

import numpy as np

from powderkeg.games.diplomacy import board
from powderkeg.games.diplomacy.board import (
    CENTRES,
    CODES,
    HOMES,
    LOCATIONS,
    NUMBER_OF,
    POWERS,
    PROVINCES,
)
from powderkeg.games.diplomacy.board import PROVINCE_COUNT as COUNT
from powderkeg.games.diplomacy.fast.compiling import kernel_entry, kernel_joint
from powderkeg.games.diplomacy.fast.kernel import (
    NODE,
    OK,
    UNITS,
    Ints,
    SeaSheet,
    WorkSheet,
    has_crossing,
    needed_seas,
    reach_seas,
)
from powderkeg.games.diplomacy.fast.map_arrays import (
    ARMY_NEAR,
    BIT_INDEX,
    NODES,
    PROVINCE_AT,
    SEA_AT,
    SEA_BIT,
    SEAS_BESIDE,
)
from powderkeg.games.diplomacy.fast.order_codes import (
    BUILD_ARMY,
    BUILD_FLEET,
    DISBAND,
    RETREAT,
    TO_BASE,
    VIA,
    WAIVE,
    WHO_BASE,
)
from powderkeg.games.diplomacy.rules.adjustments import builds_at, province_steps
from powderkeg.games.diplomacy.rules.legality import CONVOY, HOLD, MOVE, SUPPORT

POWER_COUNT: Final = len(POWERS)
MOVEMENT, RETREATS, WINTER, OVER = range(4)  # stages
SPRING, FALL = range(2)
NOBODY: Final = -1

# What is known of a game beside its units, in one row of numbers per game.
STAGE, SEASON, YEAR, WINNER_POWER, CLOCK_SIZE = range(5)
# The rules of all games.
TARGET, LAST_YEAR, BY_OWNED, ORIGIN_OPEN, RULES_SIZE = range(5)
# What is known of the last order at a location.
LAST_POWER, LAST_KIND, LAST_OK, LAST_NAMED, LAST_HELPED, LAST_SIZE = range(6)


def _padded_rows(rows: list[list[int]]) -> Any:
    """Lists of numbers as one array, filled up with -1."""
    table = np.full((len(rows), max(map(len, rows)) + 1), -1, np.int32)
    for n, row in enumerate(rows):
        table[n, : len(row)] = row
    return table


def _node_ways(node: int) -> list[int]:
    moves = board.FLEET_MOVES if node % 2 else board.ARMY_MOVES
    return [NUMBER_OF[to] for to in moves[LOCATIONS[node // 2]]]


WAYS: Final = _padded_rows([_node_ways(node) for node in range(NODES)])  # locations beside a node
TOUCHED: Final = _padded_rows(  # provinces beside a node
    [sorted({board.PROVINCE_OF[to] for to in _node_ways(node)}) for node in range(NODES)]
)
_SHORES: Final = [n for n in range(COUNT) if board.COASTAL >> n & 1]
SHORE_AT: Final = np.array(_SHORES, np.int32)
SHORE_OF: Final = np.array([_SHORES.index(n) if n in _SHORES else -1 for n in range(COUNT)])
# The powers of two have different remainders by 67 (see `BIT_INDEX`).
SHORE_INDEX: Final = np.zeros(67, np.int32)
SHORE_INDEX[[(1 << i) % 67 for i in range(len(_SHORES))]] = range(len(_SHORES))
SHORES_OF_SEA: Final = np.array(
    [
        sum(1 << i for i, at in enumerate(_SHORES) if board.SHORES_NEAR[sea] >> at & 1)
        for sea in SEA_AT.tolist()
    ]
)
IS_CENTRE: Final = np.array([code in CENTRES for code in CODES])
HOME_OF: Final = np.array(
    [next((n for n, p in enumerate(POWERS) if code in HOMES[p]), NOBODY) for code in CODES]
)
FLEET_SITES: Final = _padded_rows(  # where fleets are built in a home centre
    [
        [NUMBER_OF[unit.at] for unit in builds_at(code) if unit.kind == "F"]
        if PROVINCES[code].home
        else []
        for code in CODES
    ]
)
STEPS: Final = np.array(  # between provinces: by any way, by sea only
    [
        [
            [province_steps(code, by_sea_only=by_sea).get(to, COUNT) for to in CODES]
            for code in CODES
        ]
        for by_sea in (False, True)
    ]
)


# Legal orders


@kernel_joint
def _put_code(codes: Any, counts: Any, at: int, kind: int, who: int, to: int) -> None:
    if counts[at] < codes.shape[1]:
        codes[at, counts[at]] = (kind * WHO_BASE + who + 1) * TO_BASE + to + 1
        counts[at] += 1


@kernel_joint
def _carried_shores(at: int, seas: int) -> int:
    """The shores to which fleets in `seas` could convoy an army, as bits."""
    reach = reach_seas(SEAS_BESIDE[at], seas)
    found = 0
    while reach:
        low = reach & -reach
        reach ^= low
        found |= SHORES_OF_SEA[BIT_INDEX[low % 37]]
    return int(found & ~(1 << SHORE_OF[at])) if found else 0


@kernel_joint
def _survey_units(w: WorkSheet, units: Ints, carried: Any) -> tuple[int, int]:
    """List the units with their nodes; return their number and the seas with fleets."""
    size = seas = 0
    for at in range(COUNT):
        w[UNITS + size] = at
        size += int(units[at] > 0)
    for i in range(size):
        at = w[UNITS + i]
        w[NODE + at] = (units[at] - 1) % NODES
        seas |= SEA_BIT[w[NODE + at]]
    for i in range(size):
        at = w[UNITS + i]
        army = not w[NODE + at] & 1
        carried[at] = _carried_shores(at, seas) if seas and army and SHORE_OF[at] >= 0 else 0
    return size, seas


# Of a unit: what it may be supported to. The same support is legal for all who reach the province.
MOST_ENTRIES: Final = 80


@kernel_joint
def _list_entries(w: WorkSheet, entries: Any, marks: Any, sizes: Any, at: int, shores: int) -> None:
    """Add the unit at `at` to the lists of those that could enter a province: supports for it, and
    which unit it is (marked by 128 if it needs a convoy)."""
    code = (SUPPORT * WHO_BASE + at + 1) * TO_BASE + 1
    for to in TOUCHED[w[NODE + at]]:
        if to < 0:
            break
        entries[to, sizes[to]] = code + to
        marks[to, sizes[to]] = at
        sizes[to] += 1
        if SHORE_OF[to] >= 0:
            shores &= ~(1 << SHORE_OF[to])
    while shores:
        low = shores & -shores
        shores ^= low
        to = SHORE_AT[SHORE_INDEX[low % 67]]
        entries[to, sizes[to]] = code + to
        marks[to, sizes[to]] = at | 128
        sizes[to] += 1


@kernel_joint
def _list_moves(w: WorkSheet, codes: Any, counts: Any, at: int, carried: int) -> None:
    _put_code(codes, counts, at, HOLD, -1, -1)
    for to in WAYS[w[NODE + at]]:
        if to < 0:
            break
        _put_code(codes, counts, at, MOVE, -1, to)
    while carried:
        low = carried & -carried
        carried ^= low
        to = SHORE_AT[SHORE_INDEX[low % 67]]
        _put_code(codes, counts, at, VIA if ARMY_NEAR[at, to] else MOVE, -1, to)


@kernel_joint
def _list_supports(
    w: WorkSheet, units: Ints, codes: Any, counts: Any, at: int, seas: int, lists: Any
) -> None:
    entries, marks, sizes = lists
    others = seas & ~SEA_BIT[w[NODE + at]]  # a fleet that supports cannot convoy
    size, most = int(counts[at]), codes.shape[1]
    for to in TOUCHED[w[NODE + at]]:
        if to < 0:
            break
        if units[to] and size < most:
            codes[at, size] = (SUPPORT * WHO_BASE + to + 1) * TO_BASE
            size += 1
        for i in range(sizes[to]):
            mark = marks[to, i]
            able = mark != at
            if mark & 128 and others != seas:
                able = has_crossing(others, mark & 127, to)
            if size < most:
                codes[at, size] = entries[to, i]
                size += int(able)
    counts[at] = size


@kernel_joint
def _list_convoys(m: SeaSheet, codes: Any, counts: Any, army: int, seas: int, carried: int) -> None:
    """The convoy orders of all fleets for one army."""
    while carried:
        low = carried & -carried
        carried ^= low
        end = SHORE_AT[SHORE_INDEX[low % 67]]
        useful = needed_seas(m, seas, army, end)
        while useful:
            low = useful & -useful
            useful ^= low
            _put_code(codes, counts, SEA_AT[BIT_INDEX[low % 37]], CONVOY, army, end)


@kernel_joint
def _list_movement(
    w: WorkSheet,
    m: SeaSheet,
    units: Ints,
    codes: Any,
    counts: Any,
    pieces: Any,
    carried: Any,
    lists: Any,
) -> None:
    size, seas = _survey_units(w, units, carried)
    entries, marks, sizes = lists
    for to in range(COUNT):
        sizes[to] = 0
    for i in range(size):
        at = w[UNITS + i]
        pieces[at] = (units[at] - 1) // NODES
        _list_moves(w, codes, counts, at, carried[at])
        _list_entries(w, entries, marks, sizes, at, carried[at])
    for i in range(size):
        _list_supports(w, units, codes, counts, w[UNITS + i], seas, lists)
    for i in range(size if seas else 0):
        if carried[w[UNITS + i]]:
            _list_convoys(m, codes, counts, w[UNITS + i], seas, carried[w[UNITS + i]])


@kernel_joint
def _may_flee(units: Ints, contested: Any, barred: int, to: int) -> bool:
    province = PROVINCE_AT[to]
    return not (units[province] or contested[province] or province == barred)


@kernel_joint
def _list_retreats(
    units: Ints, beaten: Ints, contested: Any, barred: Any, codes: Any, counts: Any, pieces: Any
) -> None:
    for at in range(COUNT):
        if beaten[at]:
            for to in WAYS[(beaten[at] - 1) % NODES]:
                if to < 0:
                    break
                if _may_flee(units, contested, barred[at], to):
                    _put_code(codes, counts, at, RETREAT, -1, to)
            if counts[at]:
                _put_code(codes, counts, at, DISBAND, -1, -1)
                pieces[at] = (beaten[at] - 1) // NODES


@kernel_joint
def _count_powers(units: Ints, owner: Any, tally: Any) -> None:
    """Of each power: its units, its centres, and the sites where it may build."""
    tally[:, :] = 0
    for at in range(COUNT):
        if units[at]:
            tally[0, (units[at] - 1) // NODES] += 1
        if owner[at] >= 0:
            tally[1, owner[at]] += 1
            if owner[at] == HOME_OF[at] and not units[at]:
                tally[2, owner[at]] += 1


@kernel_joint
def _builds_due(tally: Any, power: int) -> int:
    due = tally[1, power] - tally[0, power]
    return min(due, tally[2, power]) if due > 0 else 0


@kernel_joint
def _removes_some(tally: Any, power: int) -> bool:
    """Whether it must remove units and has a choice."""
    due = tally[0, power] - tally[1, power]
    return bool(0 < due < tally[0, power])


@kernel_joint
def _list_winter(units: Ints, owner: Any, codes: Any, counts: Any, pieces: Any, tally: Any) -> None:
    _count_powers(units, owner, tally)
    for at in range(COUNT):
        if units[at]:
            power = (units[at] - 1) // NODES
            if _removes_some(tally, power):
                pieces[at] = power
                _put_code(codes, counts, at, HOLD, -1, -1)
                _put_code(codes, counts, at, DISBAND, -1, -1)
        elif owner[at] >= 0 and owner[at] == HOME_OF[at] and _builds_due(tally, owner[at]):
            pieces[at] = owner[at]
            _put_code(codes, counts, at, WAIVE, -1, -1)
            _put_code(codes, counts, at, BUILD_ARMY, -1, at)
            for to in FLEET_SITES[at]:
                if to >= 0:
                    _put_code(codes, counts, at, BUILD_FLEET, -1, to)


@kernel_joint
def _list_each(
    w: WorkSheet,
    m: SeaSheet,
    clocks: Any,
    units: Ints,
    owner: Any,
    beaten: Ints,
    contested: Any,
    barred: Any,
    codes: Any,
    counts: Any,
    pieces: Any,
    scratch: Any,
) -> None:
    carried, tally, lists = scratch
    for n in range(len(units)):
        counts[n, :] = 0
        pieces[n, :] = NOBODY
        stage = clocks[n, STAGE]
        if stage == MOVEMENT:
            _list_movement(w, m, units[n], codes[n], counts[n], pieces[n], carried, lists)
        elif stage == RETREATS:
            _list_retreats(
                units[n], beaten[n], contested[n], barred[n], codes[n], counts[n], pieces[n]
            )
        elif stage == WINTER:
            _list_winter(units[n], owner[n], codes[n], counts[n], pieces[n], tally)


@kernel_entry
def list_rows(
    w: WorkSheet,
    m: SeaSheet,
    clocks: Any,
    units: Ints,
    owner: Any,
    beaten: Ints,
    contested: Any,
    barred: Any,
    codes: Any,
    counts: Any,
    pieces: Any,
) -> None:
    """List the legal orders of every piece in every game."""
    carried, tally = np.zeros(COUNT, np.int64), np.zeros((3, POWER_COUNT), np.int64)
    entries = np.zeros((COUNT, MOST_ENTRIES), np.uint16)
    marks = np.zeros((COUNT, MOST_ENTRIES), np.uint8)
    scratch = carried, tally, (entries, marks, np.zeros(COUNT, np.uint8))
    _list_each(
        w, m, clocks, units, owner, beaten, contested, barred, codes, counts, pieces, scratch
    )


# What an order means


@kernel_entry
def spell_rows(rows: Any, units: Ints, orders: Any, sheets: Ints) -> None:
    """Codes as the three numbers per unit that `fast.batch` takes."""
    for i in range(len(rows)):
        for at in range(COUNT):
            if units[rows[i], at]:
                code = int(orders[rows[i], at])
                rest = code // TO_BASE
                kind = rest // WHO_BASE
                sheets[i, at, 0] = kind if kind <= VIA else HOLD
                sheets[i, at, 1] = rest % WHO_BASE - 1
                sheets[i, at, 2] = code % TO_BASE - 1


@kernel_joint
def _keep_last(last: Any, unit: int, units: Ints, code: int, succeeded: bool) -> None:
    """Note an order at the location of its unit."""
    node = (unit - 1) % NODES
    rest, to = code // TO_BASE, code % TO_BASE - 1
    who = rest % WHO_BASE - 1
    helped = (units[who] - 1) % NODES // 2 if who >= 0 and units[who] else -1
    note = last[node // 2]
    note[LAST_POWER] = 1 + (unit - 1) // NODES
    note[LAST_KIND] = rest // WHO_BASE
    note[LAST_OK] = succeeded
    note[LAST_NAMED] = 1 + (helped if to < 0 else to)
    note[LAST_HELPED] = 1 + helped


# The phases


@kernel_joint
def _enter_movement(
    clock: Any,
    units: Ints,
    beaten: Ints,
    contested: Any,
    barred: Any,
    last: Any,
    orders: Any,
    results: Any,
    origin_open: int,
) -> None:
    """Take over the results of a movement: verdicts, winners, standoffs, convoys, units."""
    verdicts, winners, standoffs, convoyed, after = results
    last[:, :] = 0
    some = False
    for at in range(COUNT):
        if units[at]:
            code = int(orders[at]) if orders[at] < RETREAT * WHO_BASE * TO_BASE else HOLD
            _keep_last(last, units[at], units, code, verdicts[at] == OK)
    for at in range(COUNT):
        contested[at] = standoffs[at]
        beaten[at] = 0
        if winners[at] >= 0:
            some = True
            beaten[at] = units[at]
            barred[at] = NOBODY if convoyed[winners[at]] and origin_open else winners[at]
        units[at] = after[at]
    if some:
        clock[STAGE] = RETREATS


@kernel_joint
def _enter_retreats(
    units: Ints,
    beaten: Ints,
    contested: Any,
    barred: Any,
    last: Any,
    orders: Any,
    flights: Any,
    crowd: Any,
) -> None:
    """Units retreat where no other does; all others are disbanded."""
    crowd[:] = 0
    for at in range(COUNT):
        if beaten[at]:
            flights[at] = _flight(units, beaten, contested, barred, orders, at)
            if flights[at] >= 0:
                crowd[PROVINCE_AT[flights[at]]] += 1
    for at in range(COUNT):
        if beaten[at]:
            to = flights[at]
            alone = to < 0 or crowd[PROVINCE_AT[to]] == 1
            code = (RETREAT if to >= 0 else DISBAND) * WHO_BASE * TO_BASE + to + 1
            _keep_last(last, beaten[at], units, code, alone)
    for at in range(COUNT):
        if beaten[at] and flights[at] >= 0 and crowd[PROVINCE_AT[flights[at]]] == 1:
            code, to = beaten[at] - 1, flights[at]
            units[PROVINCE_AT[to]] = 1 + code // NODES * NODES + 2 * to + (code & 1)
    beaten[:] = 0
    contested[:] = False


@kernel_joint
def _flight(units: Ints, beaten: Ints, contested: Any, barred: Any, orders: Any, at: int) -> int:
    """Where the dislodged unit at `at` retreats to, or -1."""
    code = int(orders[at])
    to = code % TO_BASE - 1
    if code // TO_BASE // WHO_BASE != RETREAT or to < 0:
        return -1
    for way in WAYS[(beaten[at] - 1) % NODES]:
        if way == to and way >= 0:
            return to if _may_flee(units, contested, barred[at], to) else -1
    return -1


@kernel_joint
def _count_centres(clock: Any, units: Ints, owner: Any, tally: Any, rules: Any) -> None:
    """After the fall: who owns what, and whether the game is over."""
    for at in range(COUNT):
        if units[at] and IS_CENTRE[at]:
            owner[at] = (units[at] - 1) // NODES
    _count_powers(units, owner, tally)
    best, leader, leaders = -1, NOBODY, 0
    for power in range(POWER_COUNT):
        if tally[1, power] > best:
            best, leader, leaders = tally[1, power], power, 1
        elif tally[1, power] == best:
            leaders += 1
    clock[STAGE] = WINTER
    if best >= rules[TARGET] and leaders == 1:
        clock[STAGE], clock[WINNER_POWER] = OVER, leader
    elif rules[LAST_YEAR] and clock[YEAR] >= rules[LAST_YEAR]:
        clock[STAGE] = OVER


@kernel_joint
def _end_season(clock: Any, units: Ints, owner: Any, tally: Any, rules: Any) -> None:
    if clock[SEASON] == SPRING:
        clock[SEASON], clock[STAGE] = FALL, MOVEMENT
    else:
        _count_centres(clock, units, owner, tally, rules)


@kernel_joint
def _home_distance(units: Ints, owner: Any, at: int, by_owned: int) -> int:
    """Steps to the nearest centre that counts (see `rules.adjustments`)."""
    power, fleet = (units[at] - 1) // NODES, (units[at] - 1) & 1
    best = COUNT
    for to in range(COUNT):
        counts = owner[to] == power if by_owned else HOME_OF[to] == power
        if counts:
            best = min(best, STEPS[0 if by_owned else fleet, at, to])
    return int(best)


@kernel_joint
def _remove_by_rule(
    units: Ints, owner: Any, last: Any, ranks: Any, power: int, by_owned: int
) -> None:
    """Remove the unit that civil disorder removes first: far, fleets before armies, by name."""
    worst, key = -1, -1
    for at in range(COUNT):
        if units[at] and (units[at] - 1) // NODES == power:
            far = _home_distance(units, owner, at, by_owned)
            fleet = (units[at] - 1) & 1
            rank = (far * 2 + fleet) * COUNT + COUNT - 1 - ranks[at]
            if rank > key:
                worst, key = at, rank
    _keep_last(last, units[worst], units, DISBAND * WHO_BASE * TO_BASE, True)
    units[worst] = 0


@kernel_joint
def _enter_winter(
    clock: Any,
    units: Ints,
    owner: Any,
    last: Any,
    orders: Any,
    tally: Any,
    ranks: Any,
    by_owned: int,
) -> None:
    """Builds and removals as ordered, then removals that were not ordered."""
    _count_powers(units, owner, tally)
    for power in range(POWER_COUNT):
        due = _builds_due(tally, power)
        gone = tally[0, power] - tally[1, power]
        for at in range(COUNT):
            code = int(orders[at])
            kind, to = code // TO_BASE // WHO_BASE, code % TO_BASE - 1
            if gone > 0 and kind == DISBAND:
                if units[at] and (units[at] - 1) // NODES == power:
                    _keep_last(last, units[at], units, code, True)
                    units[at] = 0
                    gone -= 1
            elif (
                due > 0 and owner[at] == power and not units[at] and _can_build(power, at, kind, to)
            ):
                units[at] = 1 + power * NODES + 2 * to + (kind == BUILD_FLEET)
                _keep_last(last, units[at], units, kind * WHO_BASE * TO_BASE, True)
                due -= 1
        while gone > 0:
            _remove_by_rule(units, owner, last, ranks, power, by_owned)
            gone -= 1
    clock[STAGE], clock[SEASON] = MOVEMENT, SPRING
    clock[YEAR] += 1


@kernel_joint
def _can_build(power: int, at: int, kind: int, to: int) -> bool:
    if HOME_OF[at] != power:
        return False
    if kind == BUILD_ARMY:
        return to == at
    if kind == BUILD_FLEET:
        for site in FLEET_SITES[at]:
            if site == to and site >= 0:
                return True
    return False


@kernel_joint
def _has_choice(
    clock: Any, units: Ints, owner: Any, beaten: Ints, contested: Any, barred: Any, tally: Any
) -> bool:
    if clock[STAGE] == RETREATS:
        for at in range(COUNT):
            if beaten[at]:
                for to in WAYS[(beaten[at] - 1) % NODES]:
                    if to >= 0 and _may_flee(units, contested, barred[at], to):
                        return True
        return False
    if clock[STAGE] == WINTER:
        _count_powers(units, owner, tally)
        for power in range(POWER_COUNT):
            if _builds_due(tally, power) or _removes_some(tally, power):
                return True
        return False
    return True


@kernel_joint
def _enter_orders(
    rules: Any,
    ranks: Any,
    clock: Any,
    units: Ints,
    owner: Any,
    beaten: Ints,
    contested: Any,
    barred: Any,
    last: Any,
    orders: Any,
    scratch: Any,
) -> None:
    """Resolve retreats or adjustments."""
    flights, crowd, tally = scratch
    if clock[STAGE] == RETREATS:
        _enter_retreats(units, beaten, contested, barred, last, orders, flights, crowd)
        _end_season(clock, units, owner, tally, rules)
    else:
        _enter_winter(clock, units, owner, last, orders, tally, ranks, rules[BY_OWNED])


@kernel_entry
def advance_rows(
    rules: Any,
    ranks: Any,
    clocks: Any,
    units: Ints,
    owner: Any,
    beaten: Ints,
    contested: Any,
    barred: Any,
    last: Any,
    orders: Any,
    moved: Any,
    verdicts: Any,
    winners: Any,
    standoffs: Any,
    convoyed: Any,
    after: Ints,
) -> None:
    """Resolve the phase of every game, and those that follow until somebody has a choice.

    Row `moved[n]` of the results of movements belongs to game `n`; `ranks` are the places of the
    provinces in the alphabet that decides removals.
    """
    flights, crowd = np.zeros(COUNT, np.int64), np.zeros(COUNT, np.int64)
    tally, written = np.zeros((3, POWER_COUNT), np.int64), np.zeros(COUNT, np.int64)
    scratch = flights, crowd, tally
    for n in range(len(units)):
        clock = clocks[n]
        if clock[STAGE] == OVER:
            continue
        written[:] = orders[n]
        if clock[STAGE] == MOVEMENT:
            m = moved[n]
            results = verdicts[m], winners[m], standoffs[m], convoyed[m], after[m]
            _enter_movement(
                clock, units[n], beaten[n], contested[n], barred[n], last[n], written, results,
                rules[ORIGIN_OPEN],
            )  # fmt: skip
            if clock[STAGE] != RETREATS:
                _end_season(clock, units[n], owner[n], tally, rules)
        else:
            _enter_orders(
                rules, ranks, clock, units[n], owner[n], beaten[n], contested[n], barred[n], last[n],
                written, scratch,
            )  # fmt: skip
        written[:] = 0
        while not _has_choice(clock, units[n], owner[n], beaten[n], contested[n], barred[n], tally):
            _enter_orders(
                rules, ranks, clock, units[n], owner[n], beaten[n], contested[n], barred[n], last[n],
                written, scratch,
            )  # fmt: skip
