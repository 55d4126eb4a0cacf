"""Who is asked, and the legal answers as codes, compiled."""

# ruff: noqa: SIM110  # loops are quicker than `any` when compiled

from powderkeg.core.fast.compiling import kernel_joint, kernel_layer, kernel_part
from powderkeg.games.versailles.board import NOBODY, USA
from powderkeg.games.versailles.fast.board_queries import (
    cheapest_other,
    deployed_set,
    fielded_units,
    has_cubes,
    is_last,
    is_played,
    issue_owner,
    issue_region,
    issue_slot,
    issue_stars,
    issue_start,
    lead_cost,
    list_sides,
    listed_set,
    may_place,
    node_value,
    option_start,
    own_post,
    post_owner,
    seat_playing,
    slot_leader,
    top_kind,
    top_value,
)
from powderkeg.games.versailles.fast.compiling import Cells
from powderkeg.games.versailles.fast.layout import (
    A_ADVANCE,
    A_BID,
    A_CHOOSE,
    A_CUBE,
    A_DECLINE,
    A_DEMOBILISE,
    A_DEPLOY,
    A_DIVE,
    A_DRAW,
    A_END,
    A_FLAG,
    A_KEEP,
    A_MODIFY,
    A_MUTINY,
    A_NATION,
    A_OPTION,
    A_PASS,
    A_PERFORM,
    A_PLACE,
    A_RECLAIM,
    A_SETTLE,
    A_STRATEGY,
    ACTING,
    ACTIVE_NATION,
    ANSWER_SHIFT,
    BRANCH_CHOICE,
    DEALT,
    E_CONFERENCE,
    EVENT_SIZE,
    FIRST_REGION,
    FREE,
    HEIGHT,
    I_NO_MILITARY,
    I_OPTIONS,
    I_REGION,
    ISSUE_CHOICE,
    ISSUE_COUNT,
    KEG_AT,
    LOBBY,
    MILITARY,
    MOST_ANSWERS,
    MOST_LOBBY,
    N_OP,
    N_OTHER,
    N_THEN,
    N_X,
    NATION_CHOICE,
    NATION_COUNT,
    O_MOOD,
    OP_DEMOBILISE,
    OP_DEPLOY,
    OP_EXHAUST,
    OP_PAY,
    OP_UNSETTLE,
    OPEN,
    OPEN_SLOTS,
    P_ANNOUNCE,
    P_BIDDING,
    P_CHOOSE_AFFECTED,
    P_CHOOSE_BRANCH,
    P_CHOOSE_CLEARED,
    P_CHOOSE_CUBE,
    P_CHOOSE_DEPLOY,
    P_CHOOSE_FLAG,
    P_CHOOSE_KEG_REGION,
    P_CHOOSE_KEPT,
    P_CHOOSE_MUTINEER,
    P_CHOOSE_NATION,
    P_CHOOSE_OPTION,
    P_CHOOSE_PERFORM,
    P_CHOOSE_PLAYER,
    P_CHOOSE_REGIONS,
    P_CHOOSE_SIGN,
    P_CHOOSE_SOURCE,
    P_CHOOSE_STRATEGY,
    P_CHOOSE_TO_ADVANCE,
    P_CHOOSE_UNIT,
    P_CHOOSE_UNSETTLED,
    P_DEAL_EVENTS,
    P_DEAL_ISSUES,
    P_DEAL_STRATEGIES,
    P_DRAW_ISSUES,
    P_FIRST_PLAYER,
    P_PLACE_SECOND,
    P_REVEAL_EVENT,
    P_ROLL_OFF,
    P_ROLL_REGION,
    P_TURN,
    P_USA_TURN,
    PILE,
    PILE_COUNT,
    PLAYERS,
    POLITICAL,
    POST_AT,
    POST_COUNT,
    RALLY,
    READY,
    REGION_COUNT,
    SEAT_NATION,
    SHEET_LIST,
    SIGN_CHOICE,
    SLOT_SIZE,
    SPENT,
    STRATEGY,
    T_DIVE,
    T_DIVES,
    T_EVENT,
    T_KEG_STAYS,
    T_MOST_EXCHANGED,
    T_RECLAIM,
    TABLE_SLOTS,
    TIRED,
    WITHDRAW,
    WORN_OUT,
)

# Who is asked


@kernel_part
def awaits_chance(b: Cells) -> bool:
    """Whether the step on top waits for dice or cards."""
    kind = top_kind(b)
    if kind == P_ANNOUNCE:
        return top_value(b, 3) == 0
    return kind in (
        P_FIRST_PLAYER,
        P_DEAL_ISSUES,
        P_DEAL_EVENTS,
        P_DEAL_STRATEGIES,
        P_DRAW_ISSUES,
        P_REVEAL_EVENT,
        P_ROLL_REGION,
        P_ROLL_OFF,
    )


@kernel_part
def asked_nation(b: Cells) -> int:
    """The nation that answers the step on top, which is a question but not that for a nation."""
    kind = top_kind(b)
    if kind == P_TURN:
        return int(b[ACTIVE_NATION])
    if kind == P_USA_TURN:
        return USA
    if kind in (P_PLACE_SECOND, P_CHOOSE_UNSETTLED, P_CHOOSE_MUTINEER):
        return top_value(b, 1)
    if kind in (P_CHOOSE_UNIT, P_CHOOSE_DEPLOY, P_CHOOSE_CLEARED):
        return top_value(b, 1)
    if kind in (P_CHOOSE_OPTION, P_CHOOSE_FLAG, P_CHOOSE_PERFORM, P_CHOOSE_KEG_REGION):
        return top_value(b, 2)
    if kind in (P_ANNOUNCE, P_BIDDING):
        return (top_value(b, 3) & 7) - 1
    if kind == P_CHOOSE_STRATEGY:
        return (top_value(b, 1) & 7) - 1
    if kind == P_CHOOSE_AFFECTED:
        return top_value(b, 3)
    return _event_nation(b, kind)


@kernel_part
def _event_nation(b: Cells, kind: int) -> int:
    if kind in (P_CHOOSE_PLAYER, P_CHOOSE_REGIONS):
        return top_value(b, 2) & 7
    if kind == P_CHOOSE_BRANCH:
        return top_value(b, 2) >> 3 & 7
    if kind == P_CHOOSE_SIGN:
        return top_value(b, 3) & 7
    return int(b[ACTING])


@kernel_part
def asked_seat(b: Cells) -> int:
    """The seat that answers the step on top, as `deciding_seat`."""
    if top_kind(b) == P_CHOOSE_NATION:
        return top_value(b, 1)
    seat = seat_playing(b, asked_nation(b))
    return seat if seat >= 0 else seat_playing(b, int(b[ACTIVE_NATION]))


# What is possible


@kernel_part
def may_reclaim(b: Cells, nation: int) -> bool:
    """As `can_reclaim`."""
    return b[TIRED + nation] > 0 or b[SPENT + nation] > 0 or deployed_set(b, nation) > 0


@kernel_part
def may_settle(b: Cells, nation: int, slot: int) -> bool:
    """As `settleable_issues`, for one slot of the table."""
    if b[slot] < 0 or not has_cubes(b, slot):
        return False
    if b[PLAYERS] == 2 and nation == USA:  # V-2P-06
        return slot_leader(b, slot) != int(b[ACTIVE_NATION])
    return True


@kernel_part
def settle_count(b: Cells, nation: int) -> int:
    found = 0
    for place in range(TABLE_SLOTS):
        found += int(may_settle(b, nation, OPEN + SLOT_SIZE * place))
    return found


@kernel_part
def may_act(b: Cells, nation: int) -> bool:
    """As `can_act`."""
    return settle_count(b, nation) > 0 or may_reclaim(b, nation) or may_place(b, nation)


@kernel_part
def may_deploy(b: Cells, nation: int) -> bool:
    """Whether `possible_deployments` has any."""
    if b[READY + nation] == 0 and deployed_set(b, nation) == 0:
        return False
    for place in range(REGION_COUNT * POST_COUNT):
        if b[POST_AT + place] < 0:  # its own unit there may move to it, or any if it has none there
            return True
    return False


@kernel_part
def has_eligible(b: Cells, t: Cells, categories: int) -> bool:
    """Whether an event can unsettle an issue of these categories."""
    for issue in range(ISSUE_COUNT):
        if issue_owner(b, issue) >= 0 and categories >> issue_region(t, issue) & 1:
            return True
    return False


@kernel_part
def is_performable(b: Cells, t: Cells, node: int, you: int) -> bool:
    """As `can_perform`."""
    cost, deploys, eligible = 0, False, True
    while True:
        op = node_value(t, node, N_OP)
        if op == OP_PAY:
            cost += node_value(t, node, N_X)
        elif op == OP_DEPLOY:
            deploys = True
        elif op == OP_UNSETTLE and not has_eligible(b, t, node_value(t, node, N_X)):
            eligible = False
        if is_last(t, node):
            break
        node += 1
    if cost > b[FREE + you]:
        return False
    return is_played(b, you) and may_deploy(b, you) if deploys else eligible


@kernel_part
def is_payable(b: Cells, t: Cells, node: int, nation: int) -> bool:
    """As `_can_pay` of a branch."""
    while True:
        op = node_value(t, node, N_OP)
        if op in (OP_PAY, OP_EXHAUST) and node_value(t, node, N_X) > b[FREE + nation]:
            return False
        if op == OP_DEMOBILISE and is_played(b, nation) and fielded_units(b, nation) == 0:
            return False
        if is_last(t, node):
            return True
        node += 1


@kernel_part
def unit_set(b: Cells, nation: int) -> int:
    """Where a nation has units: one bit for each of `UNIT_WORDS`."""
    home, worn = int(b[READY + nation] > 0), int(b[SPENT + nation] > 0)
    return home | worn << WORN_OUT | deployed_set(b, nation) << FIRST_REGION


@kernel_part
def movable_units(b: Cells, nation: int, work: int) -> int:
    """As `_units_for`."""
    if not is_played(b, nation):
        return 0
    units = unit_set(b, nation)
    if work == WITHDRAW:
        return units >> FIRST_REGION << FIRST_REGION
    return units & ~1 if work == RALLY else units


# Lists of codes


@kernel_part
def note_code(w: Cells, n: int, verb: int, bits: int) -> int:
    """Write a code to the sheet if there is room; one more."""
    if n < MOST_ANSWERS:
        w[SHEET_LIST + n] = verb << ANSWER_SHIFT | bits
    return n + 1


@kernel_part
def note_set(w: Cells, n: int, verb: int, bits: int, first: int) -> int:
    """Write a code for each member of a set."""
    number = 0
    while bits >> number:
        if bits >> number & 1:
            n = note_code(w, n, verb, first + number)
        number += 1
    return n


@kernel_part
def list_settles(b: Cells, w: Cells, n: int, nation: int) -> int:
    for place in range(TABLE_SLOTS):
        slot = OPEN + SLOT_SIZE * place
        if may_settle(b, nation, slot):
            n = note_code(w, n, A_SETTLE, int(b[slot]))
    return n


@kernel_part
def list_reclaims(b: Cells, t: Cells, w: Cells, n: int, nation: int) -> int:
    """As `possible_reclaims`."""
    out = deployed_set(b, nation)
    for cubes in range(min(int(t[T_RECLAIM]), int(b[TIRED + nation])) + 1):
        chosen = out
        while True:  # all subsets of the regions
            if cubes or chosen or b[SPENT + nation]:
                n = note_code(w, n, A_RECLAIM, cubes << 5 | chosen)
            if chosen == 0:
                break
            chosen = chosen - 1 & out
    return n


@kernel_part
def most_placed(b: Cells, nation: int, slot: int, first: int) -> int:
    """The most cubes that may go on an issue, as `placing_range`; `first` is the first slot or -1."""
    top = int(b[FREE + nation])
    if first < 0:
        top -= cheapest_other(b, nation, slot)
    if b[PLAYERS] == 2 and nation == USA:
        return min(top, lead_cost(b, nation, slot))
    return top


@kernel_part
def list_places(b: Cells, w: Cells, n: int, nation: int, first: int) -> int:
    for place in range(OPEN_SLOTS):
        slot = OPEN + SLOT_SIZE * place
        if b[slot] >= 0 and slot != first:
            low = lead_cost(b, nation, slot)
            for cubes in range(low, most_placed(b, nation, slot, first) + 1):
                n = note_code(w, n, A_PLACE, int(b[slot]) << 8 | cubes)
    return n


@kernel_part
def list_deployments(b: Cells, w: Cells, n: int, nation: int) -> int:
    """As `possible_deployments`."""
    units = unit_set(b, nation) & ~(1 << WORN_OUT)
    for unit in range(FIRST_REGION + REGION_COUNT):
        if units >> unit & 1:
            for region in range(REGION_COUNT):
                if unit != FIRST_REGION + region and own_post(b, nation, region) >= 0:
                    continue
                for post in range(POST_COUNT):
                    if post_owner(b, region, post) < 0:
                        n = note_code(w, n, A_DEPLOY, unit << 5 | region << 2 | post)
    return n


@kernel_layer
def list_turn(b: Cells, t: Cells, w: Cells) -> int:
    """As `turn_menu`."""
    nation, n = int(b[ACTIVE_NATION]), 0
    if not b[POLITICAL]:
        n = list_settles(b, w, n, nation)
        n = list_reclaims(b, t, w, n, nation)
        if may_place(b, nation):
            n = list_places(b, w, n, nation, NOBODY)
    if not b[MILITARY]:
        n = list_deployments(b, w, n, nation)
        n = note_set(w, n, A_DEMOBILISE, unit_set(b, nation), 0)
    if b[POLITICAL] or not may_act(b, nation):
        n = note_code(w, n, A_END, 0)
    return n


@kernel_part
def most_usa_reclaim(b: Cells, t: Cells) -> int:
    """As `_usa_reclaim`."""
    least = min(int(b[TIRED + USA]), int(b[TIRED + b[ACTIVE_NATION]]))
    return min(int(t[T_RECLAIM]), least)


@kernel_layer
def list_usa(b: Cells, t: Cells, w: Cells) -> int:
    """As `usa_menu`."""
    n = list_settles(b, w, 0, USA)
    if may_place(b, USA):
        n = list_places(b, w, n, USA, NOBODY)
    if b[TIRED + USA]:
        for cubes in range(most_usa_reclaim(b, t) + 1):
            n = note_code(w, n, A_RECLAIM, cubes << 5)
    return n


@kernel_part
def may_bid_local(b: Cells, t: Cells, nation: int, issue: int) -> int:
    """Whether a unit in the issue's own region may be bid (0 or 1)."""
    region = int(t[issue_start(issue) + I_REGION])
    return int(region < REGION_COUNT and own_post(b, nation, region) >= 0)


@kernel_part
def fewest_cubes(strength: int, best_force: int, best_cubes: int) -> int:
    """The fewest cubes with which units of this strength beat the best bid; many if they cannot."""
    best_strength = (best_force >> 1) + 2 * (best_force & 1)
    if strength < best_strength:
        return 1 << 20
    return best_cubes + 1 if strength == best_strength else 0


@kernel_part
def list_bids(b: Cells, t: Cells, w: Cells, nation: int, purse: int, forces: int) -> int:
    """As `possible_raises` without the pass; with `forces`, only the least bid of each set of units."""
    issue, best_force, best_cubes = top_value(b, 1), top_value(b, 5), top_value(b, 6)
    ready, local, n = int(b[READY + nation]), may_bid_local(b, t, nation, issue), 0
    if t[issue_start(issue) + I_NO_MILITARY]:
        ready, local = 0, 0
    for there in range(local + 1):
        for units in range(ready + 1):
            few = fewest_cubes(units + 2 * there, best_force, best_cubes)
            if few <= purse:
                for cubes in range(few, (few if forces else purse) + 1):
                    n = note_code(w, n, A_BID, units << 8 | there << 7 | cubes)
    return n


@kernel_part
def must_pass(b: Cells, t: Cells, w: Cells) -> bool:
    """As `forced_pass`: not even an exchange of influence would let the nation raise."""
    nation, found = (top_value(b, 3) & 7) - 1, 0
    for seat in range(b[PLAYERS]):
        other = int(b[SEAT_NATION + seat])
        if other != nation:
            found += min(int(t[T_MOST_EXCHANGED]), int(b[FREE + other]))
    purse = int(b[FREE + nation]) + min(found, int(b[TIRED + nation]))
    return list_bids(b, t, w, nation, purse, 1) == 0


@kernel_part
def list_options(b: Cells, t: Cells, w: Cells) -> int:
    """As `open_options`."""
    issue, nation, n, fewest = top_value(b, 1), top_value(b, 2), 0, 1 << 20
    count = int(t[issue_start(issue) + I_OPTIONS])
    usa = b[PLAYERS] == 2 and nation == USA
    for option in range(count if usa else 0):
        fewest = min(fewest, max(0, -int(t[option_start(issue, option) + O_MOOD + USA])))
    for option in range(count):
        if not usa or max(0, -int(t[option_start(issue, option) + O_MOOD + USA])) == fewest:
            n = note_code(w, n, A_OPTION, issue << 3 | option)
    return n


@kernel_part
def list_advances(b: Cells, w: Cells) -> int:
    """As `advance_choices`."""
    n = 0
    for place in range(TABLE_SLOTS, OPEN_SLOTS):
        slot = OPEN + SLOT_SIZE * place
        if top_value(b, 1) and b[slot] >= 0:
            n = note_code(w, n, A_ADVANCE, int(b[slot]))
    for place in range(MOST_LOBBY):
        if top_value(b, 2) and b[LOBBY + place] >= 0:
            n = note_code(w, n, A_ADVANCE, ISSUE_COUNT + int(b[LOBBY + place]))
    return n


@kernel_part
def list_sources(b: Cells, t: Cells, w: Cells) -> int:
    """As `source_choices`."""
    n, purse, count = note_code(w, 0, A_DRAW, 0), int(b[FREE + b[ACTING]]), int(b[PILE_COUNT])
    for depth in range(min(int(t[T_DIVES]), count)):
        if t[T_DIVE + depth] <= purse:
            n = note_code(w, n, A_DIVE, int(b[PILE + count - 1 - depth]))
    return n


@kernel_part
def keg_set(b: Cells, t: Cells, n: int) -> int:
    """As `keg_regions`."""
    least, found = 1 if t[T_KEG_STAYS] else 0, 0
    for region in range(REGION_COUNT):
        found |= int(n > 0 or b[KEG_AT + region] > least) << region
    return found


@kernel_part
def list_branches(b: Cells, t: Cells, w: Cells) -> int:
    """As `branch_choices`."""
    node, subject = top_value(b, 1), top_value(b, 2) >> 3 & 7
    first = int(is_payable(b, t, node_value(t, node, N_THEN), subject))
    second = int(is_payable(b, t, node_value(t, node, N_OTHER), subject))
    return note_set(w, 0, A_CHOOSE, first | second << 1 or 3, BRANCH_CHOICE)


@kernel_part
def list_units(b: Cells, w: Cells) -> int:
    """As `unit_choices`."""
    nation, work = top_value(b, 1), top_value(b, 2)
    units = movable_units(b, nation, work)
    if work == WITHDRAW:
        return note_set(w, 0, A_CHOOSE, units, 0)
    if work == RALLY:
        return note_code(w, note_set(w, 0, A_CHOOSE, units, 0), A_DECLINE, 0)
    return note_set(w, 0, A_DEMOBILISE, units, 0)


@kernel_part
def list_cleared(b: Cells, w: Cells) -> int:
    n = 0
    for place in range(TABLE_SLOTS, OPEN_SLOTS):
        slot = OPEN + SLOT_SIZE * place
        if b[slot] >= 0 and has_cubes(b, slot):
            n = note_code(w, n, A_CHOOSE, ISSUE_CHOICE + int(b[slot]))
    return n


@kernel_part
def list_unsettled(b: Cells, t: Cells, w: Cells) -> int:
    """The issues that may be hit: those of an event's categories, or a nation's with most stars."""
    nation, region, categories = top_value(b, 1), top_value(b, 2), top_value(b, 3)
    n, most = 0, -(1 << 20)
    for issue in range(ISSUE_COUNT if region >= 0 else 0):
        if issue_owner(b, issue) == nation and issue_region(t, issue) == region:
            most = max(most, issue_stars(t, issue))
    for issue in range(ISSUE_COUNT):
        owner, place = issue_owner(b, issue), issue_region(t, issue)
        if region < 0:
            fits = owner >= 0 and bool(categories >> place & 1)
        else:
            fits = owner == nation and place == region and issue_stars(t, issue) == most
        if fits:
            n = note_code(w, n, A_CHOOSE, ISSUE_CHOICE + issue)
    return n


@kernel_part
def list_strategies(b: Cells, w: Cells) -> int:
    """As `free_strategies`."""
    n, taken = 0, 0
    for nation in range(NATION_COUNT):
        if b[STRATEGY + nation] >= 0:
            taken |= 1 << b[STRATEGY + nation]
    for place in range(int(b[PLAYERS]) + 1):
        if not taken >> b[DEALT + place] & 1:
            n = note_code(w, n, A_STRATEGY, int(b[DEALT + place]))
    return n


@kernel_part
def list_nations(b: Cells, w: Cells) -> int:
    """As `free_nations`: the first nations are played, as many as there are players."""
    n = 0
    for nation in range(b[PLAYERS]):
        if not is_played(b, nation):
            n = note_code(w, n, A_NATION, nation)
    return n


@kernel_layer
def list_second(b: Cells, w: Cells) -> int:
    first = issue_slot(b, top_value(b, 2))
    return list_places(b, w, 0, top_value(b, 1), first)


@kernel_part
def list_raises(b: Cells, t: Cells, w: Cells) -> int:
    """As `possible_raises`."""
    nation = (top_value(b, 3) & 7) - 1
    n = list_bids(b, t, w, nation, int(b[FREE + nation]), 0)
    return note_code(w, n, A_PASS, 0)


@kernel_layer
def _list_settling(b: Cells, t: Cells, w: Cells, kind: int) -> int:
    if kind == P_CHOOSE_OPTION:
        return list_options(b, t, w)
    if kind == P_CHOOSE_FLAG:
        return note_set(w, 0, A_FLAG, 3, 0)
    if kind == P_CHOOSE_PERFORM:
        node = int(t[T_EVENT + EVENT_SIZE * top_value(b, 1) + E_CONFERENCE])
        able = is_performable(b, t, node, top_value(b, 2))
        n = note_code(w, 0, A_PERFORM, 0) if able else 0
        return note_code(w, n, A_DECLINE, 0)
    if kind == P_CHOOSE_TO_ADVANCE:
        return list_advances(b, w)
    if kind == P_CHOOSE_CUBE:
        return note_set(w, 0, A_CUBE, 3 if b[FREE + b[ACTING]] > 0 else 1, 0)
    if kind == P_CHOOSE_SOURCE:
        return list_sources(b, t, w)
    if kind == P_CHOOSE_KEPT:
        return note_code(w, note_code(w, 0, A_KEEP, top_value(b, 1)), A_KEEP, top_value(b, 2))
    return _list_event(b, t, w, kind)


@kernel_layer
def _list_event(b: Cells, t: Cells, w: Cells, kind: int) -> int:
    if kind == P_CHOOSE_PLAYER:
        sides = listed_set(list_sides(b, int(b[ACTIVE_NATION]), 0))
        return note_set(w, 0, A_CHOOSE, sides, NATION_CHOICE)
    if kind == P_CHOOSE_REGIONS:
        chosen = listed_set(top_value(b, 3))
        return note_set(w, 0, A_CHOOSE, 31 & ~chosen, FIRST_REGION)
    if kind == P_CHOOSE_KEG_REGION:
        return note_set(w, 0, A_CHOOSE, keg_set(b, t, top_value(b, 1)), FIRST_REGION)
    if kind == P_CHOOSE_BRANCH:
        return list_branches(b, t, w)
    if kind == P_CHOOSE_SIGN:
        return note_set(w, 0, A_CHOOSE, 3, SIGN_CHOICE)
    if kind == P_CHOOSE_UNIT:
        return list_units(b, w)
    if kind == P_CHOOSE_DEPLOY:
        return list_deployments(b, w, 0, top_value(b, 1))
    if kind == P_CHOOSE_CLEARED:
        return list_cleared(b, w)
    return _list_uprising(b, t, w, kind)


@kernel_layer
def _list_uprising(b: Cells, t: Cells, w: Cells, kind: int) -> int:
    if kind == P_ANNOUNCE:
        return note_set(w, 0, A_MODIFY, 7, 0)
    if kind == P_CHOOSE_AFFECTED:
        return note_set(w, 0, A_CHOOSE, top_value(b, 2), NATION_CHOICE)
    if kind == P_CHOOSE_UNSETTLED:
        return list_unsettled(b, t, w)
    if kind == P_CHOOSE_STRATEGY:
        return list_strategies(b, w)
    return note_set(w, 0, A_MUTINY, unit_set(b, top_value(b, 1)), 0)  # ChooseMutineer


@kernel_joint
def list_choices(b: Cells, t: Cells, w: Cells) -> int:
    """Write the legal answers to the step on top to the sheet; how many there are."""
    kind = top_kind(b)
    if kind == P_TURN:
        return list_turn(b, t, w)
    if kind == P_USA_TURN:
        return list_usa(b, t, w)
    if kind == P_PLACE_SECOND:
        return list_second(b, w)
    if kind == P_BIDDING:
        return list_raises(b, t, w)
    if kind == P_CHOOSE_NATION:
        return list_nations(b, w)
    return _list_settling(b, t, w, kind)


@kernel_part
def legal_count(b: Cells, t: Cells, w: Cells) -> int:
    """How many answers the pending question has; 0 while chance is awaited and after the end."""
    return 0 if b[HEIGHT] == 0 or awaits_chance(b) else list_choices(b, t, w)
