"""Carrying out events, compiled: the counterpart of `events/effects.py`."""

from powderkeg.core.fast.compiling import kernel_joint, kernel_layer, kernel_part
from powderkeg.games.versailles.board import NOBODY
from powderkeg.games.versailles.fast.board_changes import (
    exhaust_cubes,
    lift_unit,
    push_mutinies,
    recover_cubes,
    send_home,
    shift_keg,
    shift_mood,
    shift_unrest,
    wear_out,
)
from powderkeg.games.versailles.fast.board_queries import (
    append_number,
    count_counter,
    count_members,
    counters_on,
    deployed_set,
    drop_step,
    fielded_units,
    has_cubes,
    held_count,
    is_last,
    is_played,
    issue_owner,
    issue_region,
    issue_slot,
    list_sides,
    listed_set,
    node_value,
    push_long,
    push_step,
    top_value,
)
from powderkeg.games.versailles.fast.compiling import Cells
from powderkeg.games.versailles.fast.layout import (
    A_CHOOSE,
    A_DEMOBILISE,
    ACTIVE_NATION,
    ANSWER_BITS,
    ANSWER_SHIFT,
    AT_ANY,
    AT_GAINED,
    AT_HIGHEST,
    AT_RANDOM,
    AT_SETTLED,
    BRANCH_CHOICE,
    FIRST_REGION,
    FREE,
    GAINED,
    HAPPY,
    ISSUE_AT,
    ISSUE_CHOICE,
    ISSUE_COUNT,
    N_OP,
    N_OTHER,
    N_THEN,
    N_X,
    N_Y,
    N_Z,
    NATION_CHOICE,
    OP_CHECK,
    OP_CHOOSE_PLAYER,
    OP_CLEAR,
    OP_DEMOBILISE,
    OP_DEPLOY,
    OP_EACH,
    OP_EITHER,
    OP_EXHAUST,
    OP_HAPPINESS,
    OP_KEG,
    OP_PAY,
    OP_RALLY,
    OP_RECOVER,
    OP_UNREST,
    OP_UNSETTLE,
    OP_WITHDRAW,
    OPEN,
    OPEN_SLOTS,
    P_CHECKING,
    P_CHOOSE_BRANCH,
    P_CHOOSE_CLEARED,
    P_CHOOSE_DEPLOY,
    P_CHOOSE_KEG_REGION,
    P_CHOOSE_PLAYER,
    P_CHOOSE_REGIONS,
    P_CHOOSE_SIGN,
    P_CHOOSE_UNIT,
    P_DO,
    P_ROLL_REGION,
    P_UNSETTLE,
    PLAYERS,
    RALLY,
    READY,
    REGION_COUNT,
    SEAT_NATION,
    SETTLED,
    SIGN_CHOICE,
    SLOT_SIZE,
    T_LEAGUE_EUROPE,
    T_REBID,
    T_REGION_DIE,
    TABLE_SLOTS,
    TO_CONTROLLER,
    TO_EACH,
    TO_RICHEST,
    TO_SUBJECT,
    TO_UNHAPPIEST,
    UNREST_AT,
    UNSETTLED,
    WINNER,
    WITHDRAW,
)
from powderkeg.games.versailles.fast.layout import DEMOBILISE as DEMOBILISE_WORK
from powderkeg.games.versailles.fast.legal_actions import (
    has_eligible,
    keg_set,
    may_deploy,
    movable_units,
)

# Affected nations and regions


@kernel_part
def affected_list(b: Cells, t: Cells, who: int, subject: int) -> int:
    """As `affected_nations`, as a list."""
    if who == TO_SUBJECT:
        return subject + 1
    if who == TO_CONTROLLER:
        if not t[T_REBID]:
            return int(b[WINNER]) + 1
        return issue_owner(b, int(b[SETTLED])) + 1
    circle = list_sides(b, int(b[ACTIVE_NATION]), 0)
    return circle if who == TO_EACH else _extreme_list(b, who, circle)


@kernel_part
def _extreme_list(b: Cells, who: int, circle: int) -> int:
    """The least happy players, or the sides with most issues."""
    found, best = 0, -(1 << 20)
    while circle:
        nation = (circle & 7) - 1
        circle >>= 3
        if who == TO_UNHAPPIEST:
            if not is_played(b, nation):
                continue
            key = -int(b[HAPPY + nation])
        else:
            key = held_count(b, nation)
        if key > best:
            found, best = 0, key
        if key == best:
            found = append_number(found, nation)
    return found if who != TO_RICHEST or best > 0 else 0


@kernel_part
def unruly_set(b: Cells) -> int:
    """As `most_unrest`."""
    highest, found = 0, 0
    for region in range(REGION_COUNT):
        highest = max(highest, int(b[UNREST_AT + region]))
    for region in range(REGION_COUNT):
        found |= int(b[UNREST_AT + region] == highest) << region
    return found


@kernel_part
def affected_set(b: Cells, t: Cells, place: int, chosen: int) -> int:
    """As `affected_regions`; `chosen` is a list."""
    if place < REGION_COUNT:
        return 1 << place
    if place == AT_HIGHEST:
        return unruly_set(b)
    if place == AT_GAINED:
        return int(b[GAINED])
    if place != AT_SETTLED:
        return listed_set(chosen)
    region = issue_region(t, int(b[SETTLED]))
    if region < REGION_COUNT:
        return 1 << region
    return int(t[T_LEAGUE_EUROPE])  # Europe is the first region


# Operations


@kernel_joint
def perform_next(b: Cells, t: Cells) -> None:
    """As `perform_effect`."""
    node, context, regions = top_value(b, 1), top_value(b, 2), top_value(b, 3)
    drop_step(b)
    if not is_last(t, node):
        push_step(b, P_DO, node + 1, context, regions)
    op = node_value(t, node, N_OP)
    if op == OP_CHECK:
        do_check(b, t, node, context)
    elif op == OP_UNREST:
        do_unrest(b, t, node, regions)
    elif op == OP_KEG:
        do_keg(b, t, node, context, regions)
    elif op == OP_EITHER:
        push_step(b, P_CHOOSE_BRANCH, node, context, regions)
    elif op == OP_CHOOSE_PLAYER:
        push_step(b, P_CHOOSE_PLAYER, node, context, 0)
    elif op == OP_EACH:
        do_each(b, t, node, context)
    else:
        _do_to_nation(b, t, node, context, op)


@kernel_layer
def _do_to_nation(b: Cells, t: Cells, node: int, context: int, op: int) -> None:
    you, subject, x = context & 7, context >> 3 & 7, node_value(t, node, N_X)
    if op == OP_PAY:
        exhaust_cubes(b, subject, x)
    elif op in (OP_EXHAUST, OP_RECOVER):
        do_cubes(b, t, node, subject, op)
    elif op == OP_HAPPINESS:
        do_moods(b, t, node, subject)
    elif op == OP_WITHDRAW:
        do_withdraw(b, x, subject)
    elif op == OP_RALLY:
        if movable_units(b, subject, RALLY):
            push_step(b, P_CHOOSE_UNIT, subject, RALLY, 0)
    elif op == OP_DEMOBILISE:
        if is_played(b, subject) and fielded_units(b, subject):
            push_step(b, P_CHOOSE_UNIT, subject, DEMOBILISE_WORK, 0)
    elif op == OP_DEPLOY:
        if is_played(b, subject) and may_deploy(b, subject):
            push_step(b, P_CHOOSE_DEPLOY, subject, 0, 0)
    elif op == OP_UNSETTLE:
        if has_eligible(b, t, x):
            push_step(b, P_UNSETTLE, you, NOBODY, x)
    elif op == OP_CLEAR:
        do_clear(b, you)
    elif not _is_barred(b, t, x, node_value(t, node, N_Y)):
        push_step(b, P_DO, node_value(t, node, N_THEN), context, 0)


@kernel_part
def _is_barred(b: Cells, t: Cells, counter: int, region: int) -> bool:
    """Whether such a counter lies on an issue of the region (`Unless`)."""
    for issue in range(ISSUE_COUNT):
        there = b[ISSUE_AT + issue] >= 0 and issue_region(t, issue) == region
        if there and counters_on(b, t, issue) >> 4 * counter & 15:
            return True
    return False


@kernel_part
def do_check(b: Cells, t: Cells, node: int, context: int) -> None:
    per = node_value(t, node, N_Z)
    n = count_counter(b, t, per) if per >= 0 else 0
    if n:
        push_step(b, P_CHOOSE_SIGN, node, n, context)
    else:
        begin_check(b, t, node, context, 0)


@kernel_part
def begin_check(b: Cells, t: Cells, node: int, context: int, modifier: int) -> None:
    """As `start_check`."""
    queue = affected_set(b, t, node_value(t, node, N_X), 0)
    if queue:
        b[UNSETTLED] = 0
        modifier += node_value(t, node, N_Y)
        push_long(b, P_CHECKING, node, modifier, queue, context, 0, 0)


@kernel_part
def do_unrest(b: Cells, t: Cells, node: int, regions: int) -> None:
    place, n, per = node_value(t, node, N_X), node_value(t, node, N_Y), node_value(t, node, N_Z)
    if place == AT_RANDOM:
        push_step(b, P_ROLL_REGION, node, 0, 0)
        return
    if per >= 0:
        n *= count_counter(b, t, per)
    affected = affected_set(b, t, place, regions) if n else 0
    for region in range(REGION_COUNT):
        if affected >> region & 1:
            shift_unrest(b, region, n)


@kernel_part
def do_keg(b: Cells, t: Cells, node: int, context: int, regions: int) -> None:
    place, n = node_value(t, node, N_X), node_value(t, node, N_Y)
    if place == AT_RANDOM:
        push_step(b, P_ROLL_REGION, node, 0, 0)
    elif place == AT_ANY:
        if keg_set(b, t, n):
            push_step(b, P_CHOOSE_KEG_REGION, n, context & 7, 0)
    else:
        affected = affected_set(b, t, place, regions)
        for region in range(REGION_COUNT):
            if affected >> region & 1:
                shift_keg(b, t, region, n)


@kernel_part
def do_cubes(b: Cells, t: Cells, node: int, subject: int, op: int) -> None:
    """Exhaust or recover cubes of some nations."""
    n = node_value(t, node, N_X)
    listed = affected_list(b, t, node_value(t, node, N_Y), subject)
    if op == OP_RECOVER and node_value(t, node, N_Z) >= 0:
        n *= count_counter(b, t, node_value(t, node, N_Z))
    while listed:
        if op == OP_EXHAUST:
            exhaust_cubes(b, (listed & 7) - 1, n)
        else:
            recover_cubes(b, (listed & 7) - 1, n)
        listed >>= 3


@kernel_part
def do_moods(b: Cells, t: Cells, node: int, subject: int) -> None:
    n, per_unit, mutinies = node_value(t, node, N_X), node_value(t, node, N_Z), 0
    listed = affected_list(b, t, node_value(t, node, N_Y), subject)
    while listed:
        nation = (listed & 7) - 1
        change = n * count_members(deployed_set(b, nation)) if per_unit else n
        if shift_mood(b, t, nation, change):
            mutinies = append_number(mutinies, nation)
        listed >>= 3
    push_mutinies(b, mutinies)


@kernel_part
def do_each(b: Cells, t: Cells, node: int, context: int) -> None:
    listed = list_sides(b, context & 7, 0 if node_value(t, node, N_X) else 1)
    shift = 12
    while shift >= 0:
        if listed >> shift & 7:
            subject = (listed >> shift & 7) - 1
            own = context & ~56 | subject << 3
            push_step(b, P_DO, node_value(t, node, N_THEN), own, 0)
        shift -= 3


@kernel_part
def do_withdraw(b: Cells, everyone: int, subject: int) -> None:
    if not everyone:
        if count_members(deployed_set(b, subject)) > 1:
            push_step(b, P_CHOOSE_UNIT, subject, WITHDRAW, 0)
        else:
            withdraw_all(b, subject)
        return
    for seat in range(b[PLAYERS]):
        withdraw_all(b, int(b[SEAT_NATION + seat]))


@kernel_part
def withdraw_all(b: Cells, nation: int) -> None:
    """Every deployed unit of a nation becomes exhausted."""
    out = deployed_set(b, nation)
    for region in range(REGION_COUNT):
        if out >> region & 1:
            wear_out(b, nation, FIRST_REGION + region)


@kernel_part
def do_clear(b: Cells, you: int) -> None:
    for place in range(TABLE_SLOTS, OPEN_SLOTS):
        slot = OPEN + SLOT_SIZE * place
        if b[slot] >= 0 and has_cubes(b, slot):
            push_step(b, P_CHOOSE_CLEARED, you, 0, 0)
            return


# Answers


@kernel_part
def roll_for_region(b: Cells, t: Cells, die: int) -> None:
    """As `roll_region`."""
    node = top_value(b, 1)
    drop_step(b)
    region = int(t[T_REGION_DIE + die - 1])
    if region < 0:
        return
    if node_value(t, node, N_OP) == OP_KEG:
        shift_keg(b, t, region, node_value(t, node, N_Y))
    else:
        shift_unrest(b, region, node_value(t, node, N_Y))


@kernel_part
def pick_player(b: Cells, t: Cells, nation: int) -> None:
    """As `choose_player`."""
    node, context = top_value(b, 1), top_value(b, 2)
    drop_step(b)
    context = context & ~56 | nation << 3
    if node_value(t, node, N_X):
        push_step(b, P_CHOOSE_REGIONS, node, context, 0)
    else:
        push_step(b, P_DO, node_value(t, node, N_THEN), context, 0)


@kernel_part
def pick_region(b: Cells, t: Cells, region: int) -> None:
    """As `choose_regions`."""
    node, context = top_value(b, 1), top_value(b, 2)
    regions = append_number(top_value(b, 3), region)
    drop_step(b)
    if count_members(listed_set(regions)) < node_value(t, node, N_X):
        push_step(b, P_CHOOSE_REGIONS, node, context, regions)
    else:
        push_step(b, P_DO, node_value(t, node, N_THEN), context, regions)


@kernel_part
def pick_branch(b: Cells, t: Cells, number: int) -> None:
    """As `choose_branch`."""
    node, context, regions = top_value(b, 1), top_value(b, 2), top_value(b, 3)
    drop_step(b)
    push_step(b, P_DO, node_value(t, node, N_OTHER if number else N_THEN), context, regions)


@kernel_part
def pick_sign(b: Cells, t: Cells, minus: int) -> None:
    """As `choose_sign`."""
    node, n, context = top_value(b, 1), top_value(b, 2), top_value(b, 3)
    drop_step(b)
    begin_check(b, t, node, context, -n if minus else n)


@kernel_part
def move_unit(b: Cells, t: Cells, code: int) -> None:
    """As `choose_unit`."""
    nation, work, unit = top_value(b, 1), top_value(b, 2), code & ANSWER_BITS
    drop_step(b)
    if code >> ANSWER_SHIFT == A_DEMOBILISE:
        send_home(b, t, nation, unit)
    elif code >> ANSWER_SHIFT == A_CHOOSE:
        if work == RALLY:
            lift_unit(b, nation, unit)
            b[READY + nation] += 1
        else:
            wear_out(b, nation, unit)


@kernel_part
def clear_issue(b: Cells, issue: int) -> None:
    """As `choose_cleared`."""
    drop_step(b)
    slot = issue_slot(b, issue)
    for nation in range(4):
        b[FREE + nation] += b[slot + 1 + nation]
        b[slot + 1 + nation] = 0


@kernel_joint
def answer_event(b: Cells, t: Cells, kind: int, code: int) -> None:
    """The answer to a question of an event."""
    bits = code & ANSWER_BITS
    if kind == P_CHOOSE_PLAYER:
        pick_player(b, t, bits - NATION_CHOICE)
    elif kind == P_CHOOSE_REGIONS:
        pick_region(b, t, bits - FIRST_REGION)
    elif kind == P_CHOOSE_KEG_REGION:
        n = top_value(b, 1)
        drop_step(b)
        shift_keg(b, t, bits - FIRST_REGION, n)
    elif kind == P_CHOOSE_BRANCH:
        pick_branch(b, t, bits - BRANCH_CHOICE)
    elif kind == P_CHOOSE_SIGN:
        pick_sign(b, t, bits - SIGN_CHOICE)
    elif kind == P_CHOOSE_UNIT:
        move_unit(b, t, code)
    elif kind == P_CHOOSE_CLEARED:
        clear_issue(b, bits - ISSUE_CHOICE)
