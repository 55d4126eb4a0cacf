"""Uprisings, auctions and strategies, compiled: the counterparts of `rules/uprising.py` and `auction.py`."""

# ruff: noqa: SIM110  # loops are quicker than `any` when compiled

from powderkeg.core.fast.compiling import kernel_joint, kernel_part
from powderkeg.games.versailles.board import NOBODY
from powderkeg.games.versailles.fast.board_changes import (
    calm_region,
    change_mood,
    exhaust_cubes,
    shift_keg,
    wear_out,
)
from powderkeg.games.versailles.fast.board_queries import (
    append_number,
    count_held_in,
    count_members,
    drop_step,
    first_member,
    held_stars,
    is_played,
    issue_owner,
    issue_region,
    leftmost_unit,
    list_members,
    node_value,
    own_post,
    player_after,
    post_owner,
    push_long,
    push_step,
    top_kind,
    top_start,
    top_value,
)
from powderkeg.games.versailles.fast.compiling import Cells
from powderkeg.games.versailles.fast.layout import (
    A_PASS,
    ACTIVE_NATION,
    ANSWER_BITS,
    ANSWER_SHIFT,
    AT_HOME,
    ELSEWHERE,
    FIRST_REGION,
    ISSUE_AT,
    ISSUE_CHOICE,
    LIMBO,
    N_OTHER,
    N_THEN,
    NATION_CHOICE,
    NATION_COUNT,
    P_AFFECTED,
    P_AFTER_CHECK,
    P_ANNOUNCE,
    P_BIDDING,
    P_CHECKING,
    P_CHOOSE_AFFECTED,
    P_CHOOSE_OPTION,
    P_CHOOSE_STRATEGY,
    P_CHOOSE_UNSETTLED,
    P_DO,
    P_RESET,
    P_ROLL_OFF,
    P_SELECT_STRATEGIES,
    P_START_BID,
    P_UNSETTLE,
    P_UPRISING,
    PLAYERS,
    POST_COUNT,
    REGION_COUNT,
    RISEN,
    STRATEGY,
    T_AT_ONCE,
    T_EMPTY_RESETS,
    T_MODIFIES,
    T_UPRISING,
    UNREST_AT,
    UNSETTLED,
)
from powderkeg.games.versailles.fast.settlements import top_pile

# The check


@kernel_part
def go_on_checking(b: Cells, t: Cells) -> None:
    """As `check_regions`."""
    queue, start = top_value(b, 3), top_start(b)
    if queue == 0:
        close_check(b, t)
        return
    region = first_member(queue)
    b[start + 3] = queue & queue - 1
    b[start + 5] |= 1 << region
    if t[T_UPRISING + b[UNREST_AT + region]]:
        push_step(b, P_ANNOUNCE, region, top_value(b, 2), list_modifiers(b, t, region))


@kernel_part
def list_modifiers(b: Cells, t: Cells, region: int) -> int:
    """The owners of units that may change the die, the active player last."""
    listed = 0
    for place in range(1, int(b[PLAYERS]) + 1):
        nation = player_after(b, int(b[ACTIVE_NATION]), place)
        post = own_post(b, nation, region)
        if post >= 0 and t[T_MODIFIES + post]:
            listed = append_number(listed, nation)
    return listed


@kernel_part
def close_check(b: Cells, t: Cells) -> None:
    """As `_resolve_check`."""
    node, context = top_value(b, 1), top_value(b, 4)
    checked, risen = top_value(b, 5), top_value(b, 6)
    drop_step(b)
    push_step(b, P_AFTER_CHECK, node_value(t, node, N_OTHER), checked, context)
    if not risen and node_value(t, node, N_THEN) >= 0:
        push_step(b, P_DO, node_value(t, node, N_THEN), context, list_members(checked))
    for place in range(REGION_COUNT):
        region = REGION_COUNT - 1 - place
        if risen >> region & 1:
            push_step(b, P_UPRISING, region, 0, 0)


@kernel_part
def announce_change(b: Cells, change: int) -> None:
    """As `announce_modifier`."""
    start = top_start(b)
    b[start + 2] += change
    b[start + 3] >>= 3


@kernel_part
def roll_for_uprising(b: Cells, t: Cells, die: int) -> None:
    """As `roll_uprising`."""
    region, modifier = top_value(b, 1), top_value(b, 2)
    drop_step(b)
    wanted = int(t[T_UPRISING + b[UNREST_AT + region]])
    if die + modifier >= wanted and top_kind(b) == P_CHECKING:
        b[top_start(b) + 6] |= 1 << region


@kernel_part
def end_check(b: Cells) -> None:
    """As `after_check`."""
    kept, checked, context = top_value(b, 1), top_value(b, 2), top_value(b, 3)
    drop_step(b)
    if kept >= 0 and not b[UNSETTLED]:
        push_step(b, P_DO, kept, context, list_members(checked))
    if b[RISEN] and not has_strategies(b):
        push_step(b, P_SELECT_STRATEGIES, 0, 0, 0)


@kernel_part
def has_strategies(b: Cells) -> bool:
    for nation in range(NATION_COUNT):
        if b[STRATEGY + nation] >= 0:
            return True
    return False


# The uprising


@kernel_part
def rise_up(b: Cells, t: Cells) -> None:
    """As `start_uprising`."""
    region = top_value(b, 1)
    drop_step(b)
    if not b[RISEN]:
        b[RISEN] = 1
        if t[T_AT_ONCE]:
            push_step(b, P_SELECT_STRATEGIES, 0, 0, 0)
    tied = richest_set(b, t, region)
    chooser = leftmost_unit(b, region)
    if tied == 0:
        if t[T_EMPTY_RESETS]:
            calm_region(b, t, region)
        else:
            shift_keg(b, t, region, 1)
    elif tied & tied - 1 == 0:
        push_step(b, P_AFFECTED, region, first_member(tied), 0)
    elif chooser < POST_COUNT:
        push_step(b, P_CHOOSE_AFFECTED, region, tied, post_owner(b, region, chooser))
    else:
        push_step(b, P_ROLL_OFF, region, tied, 0)


@kernel_part
def richest_set(b: Cells, t: Cells, region: int) -> int:
    """As `most_issues`."""
    found, most = 0, 0
    for nation in range(NATION_COUNT):
        count = count_held_in(b, t, nation, region)
        if count > most:
            found, most = 0, count
        if count == most and most:
            found |= 1 << nation
    return found


@kernel_part
def roll_between(b: Cells, o: Cells) -> None:
    """As `roll_off`."""
    region, tied, left, best = top_value(b, 1), top_value(b, 2), 0, 0
    drop_step(b)
    for n in range(count_members(tied)):
        best = max(best, int(o[n]))
    place = 0
    for nation in range(NATION_COUNT):
        if tied >> nation & 1:
            left |= int(o[place] == best) << nation
            place += 1
    if left & left - 1 == 0:
        push_step(b, P_AFFECTED, region, first_member(left), 0)
    else:
        push_step(b, P_ROLL_OFF, region, left, 0)


# Bidding


@kernel_part
def open_bidding(b: Cells) -> None:
    """As `start_bid`."""
    issue, region = top_value(b, 1), top_value(b, 2)
    drop_step(b)
    owner = issue_owner(b, issue)
    b[ISSUE_AT + issue] = ELSEWHERE
    b[LIMBO], b[UNSETTLED] = issue, 1
    first = owner if is_played(b, owner) else int(b[ACTIVE_NATION])
    waiting = 0
    for place in range(b[PLAYERS]):
        waiting |= (player_after(b, first, place) + 1) << 3 * place
    push_long(b, P_BIDDING, issue, region, waiting, NOBODY, 0, 0)


@kernel_part
def bid_or_pass(b: Cells, t: Cells, code: int) -> None:
    """As `place_bid`."""
    issue, region, waiting = top_value(b, 1), top_value(b, 2), top_value(b, 3)
    leader, force, cubes = top_value(b, 4), top_value(b, 5), top_value(b, 6)
    drop_step(b)
    nation, waiting, bits = (waiting & 7) - 1, waiting >> 3, code & ANSWER_BITS
    if code >> ANSWER_SHIFT != A_PASS:
        leader, force, cubes = nation, bits >> 7, bits & 127
        waiting = append_number(waiting, nation)
    if waiting and waiting != leader + 1:
        push_long(b, P_BIDDING, issue, region, waiting, leader, force, cubes)
    elif leader < 0:
        lose_issue(b, issue, region)
    else:
        win_issue(b, t, issue, region, leader, force, cubes)


@kernel_part
def lose_issue(b: Cells, issue: int, region: int) -> None:
    """As `nobody_bids`."""
    top_pile(b, issue)
    b[LIMBO] = NOBODY
    if region >= 0:
        push_step(b, P_RESET, region, 0, 0)


@kernel_part
def win_issue(
    b: Cells, t: Cells, issue: int, region: int, nation: int, force: int, cubes: int
) -> None:
    """As `award_issue`."""
    b[LIMBO] = NOBODY
    b[ISSUE_AT + issue] = nation
    push_step(b, P_CHOOSE_OPTION, issue, nation, 0)
    if region >= 0:
        push_step(b, P_RESET, region, 0, 0)
    for _ in range(force >> 1):
        wear_out(b, nation, AT_HOME)
    if force & 1:
        wear_out(b, nation, FIRST_REGION + issue_region(t, issue))
    exhaust_cubes(b, nation, cubes)
    change_mood(b, t, nation, -((force >> 1) + (force & 1)))


# Strategies


@kernel_part
def order_strategies(b: Cells, t: Cells) -> None:
    """As `select_strategies`: fewest stars first, equals clockwise from the active player."""
    drop_step(b)
    listed, done = 0, 0
    for _ in range(b[PLAYERS]):
        best, fewest = NOBODY, 1 << 20
        for place in range(b[PLAYERS]):
            nation = player_after(b, int(b[ACTIVE_NATION]), place)
            stars = held_stars(b, t, nation)
            if not done >> nation & 1 and stars < fewest:
                best, fewest = nation, stars
        done |= 1 << best
        listed = append_number(listed, best)
    push_step(b, P_CHOOSE_STRATEGY, listed, 0, 0)


@kernel_part
def take_strategy(b: Cells, strategy: int) -> None:
    """As `choose_strategy`."""
    waiting = top_value(b, 1)
    drop_step(b)
    b[STRATEGY + (waiting & 7) - 1] = strategy
    if waiting >> 3:
        push_step(b, P_CHOOSE_STRATEGY, waiting >> 3, 0, 0)


@kernel_joint
def answer_uprising(b: Cells, t: Cells, kind: int, code: int) -> None:
    """The answer to a question of an uprising."""
    bits = code & ANSWER_BITS
    if kind == P_BIDDING:
        bid_or_pass(b, t, code)
    elif kind == P_ANNOUNCE:
        announce_change(b, bits - 1)
    elif kind == P_CHOOSE_AFFECTED:
        region = top_value(b, 1)
        drop_step(b)
        push_step(b, P_AFFECTED, region, bits - NATION_CHOICE, 0)
    elif kind == P_CHOOSE_UNSETTLED:
        region = top_value(b, 2)
        drop_step(b)
        push_step(b, P_START_BID, bits - ISSUE_CHOICE, region, 0)
    elif kind == P_CHOOSE_STRATEGY:
        take_strategy(b, bits)


@kernel_part
def pass_on_hit(b: Cells, kind: int) -> None:
    """As `hit_nation` and `unsettle_issue`: which issues can be hit is read where it is asked."""
    if kind == P_AFFECTED:
        region, nation = top_value(b, 1), top_value(b, 2)
        drop_step(b)
        push_step(b, P_UNSETTLE, nation, region, 0)
    else:
        nation, region, categories = top_value(b, 1), top_value(b, 2), top_value(b, 3)
        drop_step(b)
        push_step(b, P_CHOOSE_UNSETTLED, nation, region, categories)
