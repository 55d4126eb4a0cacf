"""Reading the board, compiled: the counterparts of `state.py`, `rules/tracks.py` and `rules/score.py`.

`b` is a board, `t` the rule table. Numbers taken from either are made plain integers with `int`, so
that every function is compiled for one kind of number only.
"""

from powderkeg.core.fast.compiling import kernel_joint, kernel_part
from powderkeg.games.versailles.board import ITALY, JAPAN, LEAGUE, NOBODY, REPARATIONS, USA
from powderkeg.games.versailles.fast.compiling import Cells
from powderkeg.games.versailles.fast.layout import (
    ACTIVE_NATION,
    AGENDA_AT,
    C_BOLSHEVIK,
    C_DOUBLE,
    C_EMPIRE,
    C_LEAGUE,
    C_NAVAL,
    C_REGIONS,
    C_REPARATIONS_HELD,
    C_SIGNS,
    C_UNITS,
    C_UNREST_HIGH,
    C_UNREST_LOW,
    COUNTER_COUNT,
    FLAG_SHIFT,
    FREE,
    HAPPY,
    HEIGHT,
    I_OPTION,
    I_REGION,
    I_STARS,
    IN_DECK,
    ISSUE_AT,
    ISSUE_COUNT,
    ISSUE_SIZE,
    N_LAST,
    NATION_COUNT,
    NAVAL_ICON,
    NODE_SIZE,
    O_COUNTER,
    O_COUNTERS,
    OPEN,
    OPEN_SLOTS,
    OPTION_SHIFT,
    OPTION_SIZE,
    PLAYERS,
    POST_AT,
    POST_COUNT,
    READY,
    RECORD,
    REGION_COUNT,
    S_CONDITION,
    S_CONDITIONS,
    S_DOUBLE,
    SEAT_NATION,
    SLOT_SIZE,
    SPENT,
    STRATEGY,
    STRATEGY_SIZE,
    T_ISSUE,
    T_NODE,
    T_RANK,
    T_SIGNS_AT,
    T_STRATEGY,
    T_ZERO_DOUBLED,
    T_ZERO_POINTS,
    UK_NAVY,
    UNREST_AT,
)

# Sets and lists


@kernel_part
def count_members(bits: int) -> int:
    found = 0
    while bits:
        bits &= bits - 1
        found += 1
    return found


@kernel_part
def first_member(bits: int) -> int:
    place = 0
    while not bits >> place & 1:
        place += 1
    return place


@kernel_part
def append_number(listed: int, number: int) -> int:
    """A list with one more number."""
    shift = 0
    while listed >> shift:
        shift += 3
    return listed | (number + 1) << shift


@kernel_part
def list_members(bits: int) -> int:
    """A set as a list, lowest first."""
    listed = shift = 0
    for number in range(NATION_COUNT):
        if bits >> number & 1:
            listed |= (number + 1) << shift
            shift += 3
    return listed


@kernel_part
def listed_set(listed: int) -> int:
    """A list as a set."""
    bits = 0
    while listed:
        bits |= 1 << (listed & 7) - 1
        listed >>= 3
    return bits


# The agenda


@kernel_part
def top_start(b: Cells) -> int:
    return AGENDA_AT + RECORD * (int(b[HEIGHT]) - 1)


@kernel_part
def top_kind(b: Cells) -> int:
    return int(b[top_start(b)])


@kernel_part
def top_value(b: Cells, number: int) -> int:
    """A value of the step on top; the first is 1."""
    return int(b[top_start(b) + number])


@kernel_part
def drop_step(b: Cells) -> None:
    b[HEIGHT] -= 1


@kernel_part
def push_long(b: Cells, kind: int, x: int, y: int, z: int, u: int, v: int, w: int) -> None:
    """Put a step with six values on top."""
    b[HEIGHT] += 1
    start = top_start(b)
    b[start], b[start + 1], b[start + 2], b[start + 3] = kind, x, y, z
    b[start + 4], b[start + 5], b[start + 6] = u, v, w


@kernel_part
def push_step(b: Cells, kind: int, x: int, y: int, z: int) -> None:
    """Put a step with at most three values on top."""
    push_long(b, kind, x, y, z, 0, 0, 0)


# Nations and units


@kernel_part
def seat_playing(b: Cells, nation: int) -> int:
    """The seat of a nation; -1: nobody plays it."""
    for seat in range(b[PLAYERS]):
        if b[SEAT_NATION + seat] == nation:
            return seat
    return NOBODY


@kernel_part
def is_played(b: Cells, nation: int) -> bool:
    return seat_playing(b, nation) >= 0


@kernel_part
def player_after(b: Cells, nation: int, places: int) -> int:
    """The nation so many places clockwise."""
    return int(b[SEAT_NATION + (seat_playing(b, nation) + places) % int(b[PLAYERS])])


@kernel_part
def side_count(b: Cells) -> int:
    """Nations with cubes: with two players, the USA too."""
    return 3 if b[PLAYERS] == 2 else int(b[PLAYERS])


@kernel_part
def side_number(b: Cells, place: int) -> int:
    """The nation at a place of `sides_in_play`."""
    if b[PLAYERS] != 2:
        return int(b[SEAT_NATION + place])
    seat = seat_playing(b, int(b[ACTIVE_NATION]))
    if place == seat + 1:
        return USA
    return int(b[SEAT_NATION + (place if place <= seat else place - 1)])


@kernel_part
def list_sides(b: Cells, start: int, skipped: int) -> int:
    """All sides clockwise as a list: from `start`, or from the one after it (`skipped` is 1)."""
    count, place, listed = side_count(b), 0, 0
    while side_number(b, place) != start:
        place += 1
    for n in range(count):
        listed |= (side_number(b, (place + skipped + n) % count) + 1) << 3 * n
    return listed


@kernel_part
def post_owner(b: Cells, region: int, post: int) -> int:
    return int(b[POST_AT + POST_COUNT * region + post])


@kernel_part
def own_post(b: Cells, nation: int, region: int) -> int:
    """Where in a region a nation has its unit, from 0; -1: it has none."""
    for post in range(POST_COUNT):
        if post_owner(b, region, post) == nation:
            return post
    return NOBODY


@kernel_part
def leftmost_unit(b: Cells, region: int) -> int:
    """The post of the leftmost unit; `POST_COUNT` if there is none."""
    for post in range(POST_COUNT):
        if post_owner(b, region, post) >= 0:
            return post
    return POST_COUNT


@kernel_part
def deployed_set(b: Cells, nation: int) -> int:
    """The regions where a nation has a unit."""
    bits = 0
    for place in range(REGION_COUNT * POST_COUNT):
        if b[POST_AT + place] == nation:
            bits |= 1 << place // POST_COUNT
    return bits


@kernel_part
def fielded_units(b: Cells, nation: int) -> int:
    """As `unit_count`."""
    out = count_members(deployed_set(b, nation))
    return int(b[READY + nation]) + int(b[SPENT + nation]) + out


# Issues


@kernel_part
def issue_start(issue: int) -> int:
    return T_ISSUE + ISSUE_SIZE * issue


@kernel_part
def option_start(issue: int, option: int) -> int:
    return T_ISSUE + ISSUE_SIZE * issue + I_OPTION + OPTION_SIZE * option


@kernel_part
def issue_region(t: Cells, issue: int) -> int:
    return int(t[issue_start(issue) + I_REGION])


@kernel_part
def issue_stars(t: Cells, issue: int) -> int:
    return int(t[issue_start(issue) + I_STARS])


@kernel_part
def issue_owner(b: Cells, issue: int) -> int:
    """Who holds an issue; -1 if nobody does."""
    held = int(b[ISSUE_AT + issue])
    return held & 7 if held >= 0 else NOBODY


@kernel_part
def issue_slot(b: Cells, issue: int) -> int:
    """Where an open issue stands with its cubes."""
    place = OPEN
    while b[place] != issue:
        place += SLOT_SIZE
    return place


@kernel_part
def has_cubes(b: Cells, slot: int) -> bool:
    return int(b[slot + 1]) + int(b[slot + 2]) + int(b[slot + 3]) + int(b[slot + 4]) > 0


@kernel_part
def slot_leader(b: Cells, slot: int) -> int:
    """The nation with most cubes; -1 if there are none."""
    best, leader = 0, NOBODY
    for nation in range(4):
        if b[slot + 1 + nation] > best:
            best, leader = int(b[slot + 1 + nation]), nation
    return leader


@kernel_part
def lead_cost(b: Cells, nation: int, slot: int) -> int:
    """As `least_to_lead`."""
    rival = 0
    for other in range(4):
        if other != nation:
            rival = max(rival, int(b[slot + 1 + other]))
    return max(1, rival - int(b[slot + 1 + nation]) + 1)


@kernel_part
def cheapest_other(b: Cells, nation: int, skipped: int) -> int:
    """The fewest cubes that lead on an open issue other than that of the slot `skipped`."""
    least = 1 << 20
    for place in range(OPEN_SLOTS):
        slot = OPEN + SLOT_SIZE * place
        if slot != skipped and b[slot] >= 0:
            least = min(least, lead_cost(b, nation, slot))
    return least


@kernel_part
def may_place(b: Cells, nation: int) -> bool:
    """As `can_place`."""
    first = second = 1 << 20
    for place in range(OPEN_SLOTS):
        slot = OPEN + SLOT_SIZE * place
        if b[slot] >= 0:
            cost = lead_cost(b, nation, slot)
            if cost < first:
                first, second = cost, first
            elif cost < second:
                second = cost
    return first + second <= int(b[FREE + nation])


@kernel_part
def counter_at(t: Cells, held: int, issue: int, place: int, navy: int) -> int:
    """A counter on a held issue; `navy` is how many icons without a flag came before it."""
    start = option_start(issue, (held >> OPTION_SHIFT & 15) - 1)
    icon = int(t[start + O_COUNTER + place])
    return icon if icon != NAVAL_ICON else UK_NAVY + (held >> FLAG_SHIFT >> navy & 1)


@kernel_part
def counters_on(b: Cells, t: Cells, issue: int) -> int:
    """The counters on a held issue: four bits for the number of each kind."""
    held, found, navy = int(b[ISSUE_AT + issue]), 0, 0
    if held < 0 or held >> OPTION_SHIFT & 15 == 0:
        return 0
    start = option_start(issue, (held >> OPTION_SHIFT & 15) - 1)
    for place in range(t[start + O_COUNTERS]):
        counter = counter_at(t, held, issue, place, navy)
        navy += int(t[start + O_COUNTER + place] == NAVAL_ICON)
        found += 1 << 4 * counter
    return found


@kernel_part
def count_counter(b: Cells, t: Cells, counter: int) -> int:
    """How many counters of a kind lie on settled issues."""
    found = 0
    for issue in range(ISSUE_COUNT):
        if b[ISSUE_AT + issue] >= 0:
            found += counters_on(b, t, issue) >> 4 * counter & 15
    return found


@kernel_part
def deck_left(b: Cells) -> int:
    """Issues in the deck, without the game end."""
    found = 0
    for issue in range(ISSUE_COUNT):
        found += int(b[ISSUE_AT + issue] == IN_DECK)
    return found


@kernel_part
def node_start(node: int) -> int:
    return T_NODE + NODE_SIZE * node


@kernel_part
def node_value(t: Cells, node: int, field: int) -> int:
    return int(t[T_NODE + NODE_SIZE * node + field])


@kernel_part
def is_last(t: Cells, node: int) -> bool:
    return bool(t[T_NODE + NODE_SIZE * node + N_LAST])


# The score


@kernel_part
def held_stars(b: Cells, t: Cells, nation: int) -> int:
    """As `star_total`."""
    found = 0
    for issue in range(ISSUE_COUNT):
        if issue_owner(b, issue) == nation:
            found += issue_stars(t, issue)
    return found


@kernel_part
def held_count(b: Cells, nation: int) -> int:
    found = 0
    for issue in range(ISSUE_COUNT):
        found += int(issue_owner(b, issue) == nation)
    return found


@kernel_part
def count_held_in(b: Cells, t: Cells, nation: int, region: int) -> int:
    """How many issues of a category a nation holds."""
    found = 0
    for issue in range(ISSUE_COUNT):
        if issue_owner(b, issue) == nation:
            found += int(issue_region(t, issue) == region)
    return found


@kernel_part
def own_flags(b: Cells, t: Cells, nation: int) -> int:
    """As `flag_points`: the counters are naval.uk, naval.usa, and the empires of three nations."""
    navy = 0 if nation == 0 else 1 if nation == USA else NOBODY
    empire = nation if nation < USA else 2 if nation == ITALY else NOBODY
    found = 0
    for issue in range(ISSUE_COUNT):
        if issue_owner(b, issue) == nation:
            counters = counters_on(b, t, issue)
            if navy >= 0:
                found += counters >> 4 * (UK_NAVY + navy) & 15
            if empire >= 0:
                found += counters >> 4 * (UK_NAVY + 2 + empire) & 15
    return found


@kernel_part
def treaty_signs(b: Cells, t: Cells) -> int:
    """How many of Japan and Italy sign."""
    least = int(t[T_SIGNS_AT])
    return int(b[HAPPY + JAPAN] >= least) + int(b[HAPPY + ITALY] >= least)


@kernel_part
def count_kind(b: Cells, t: Cells, kind: int) -> int:
    """Counters of a kind of condition, whatever their flag."""
    if kind <= C_BOLSHEVIK:
        return count_counter(b, t, kind)
    found = 0
    first = UK_NAVY if kind == C_NAVAL else UK_NAVY + 2
    last = UK_NAVY + 2 if kind == C_NAVAL else COUNTER_COUNT
    for counter in range(first, last):
        found += count_counter(b, t, counter)
    return found


@kernel_part
def count_met(b: Cells, t: Cells, nation: int, kind: int) -> int:
    """As `count_condition`."""
    if kind <= C_EMPIRE:
        return count_kind(b, t, kind)
    if kind == C_LEAGUE:
        return count_held_in(b, t, nation, LEAGUE)
    if kind == C_REPARATIONS_HELD:
        return count_held_in(b, t, nation, REPARATIONS)
    if kind == C_UNITS:
        return fielded_units(b, nation)
    if kind in (C_REGIONS, C_UNREST_HIGH, C_UNREST_LOW):
        return count_regions(b, t, nation, kind)
    signed = treaty_signs(b, t)
    return signed if kind == C_SIGNS else 2 - signed


@kernel_part
def count_regions(b: Cells, t: Cells, nation: int, kind: int) -> int:
    found = 0
    for region in range(REGION_COUNT):
        if kind == C_REGIONS:
            found += int(count_held_in(b, t, nation, region) > 0)
        else:
            found += int((b[UNREST_AT + region] >= 4) == (kind == C_UNREST_HIGH))
    return found


@kernel_part
def mood_points(b: Cells, t: Cells, nation: int, doubled: int) -> int:
    """As `happiness_line`."""
    happier = 0
    for seat in range(b[PLAYERS]):
        happier += int(b[HAPPY + b[SEAT_NATION + seat]] > b[HAPPY + nation])
    points = int(t[T_RANK + happier])
    zero = int(t[T_ZERO_POINTS]) if b[HAPPY + nation] == 0 else 0
    if doubled:
        return 2 * points + zero * (2 if t[T_ZERO_DOUBLED] else 1)
    return points + zero


@kernel_joint
def nation_score(b: Cells, t: Cells, nation: int) -> int:
    """The points of a nation, as `score_sheet` adds them up."""
    found = held_stars(b, t, nation) + own_flags(b, t, nation)
    doubled = 0
    if b[STRATEGY + nation] >= 0:
        start = T_STRATEGY + STRATEGY_SIZE * int(b[STRATEGY + nation])
        doubled = int(t[start + S_DOUBLE])
        for n in range(t[start + S_CONDITIONS]):
            kind = int(t[start + S_CONDITION + 2 * n])
            if kind != C_DOUBLE:
                points = int(t[start + S_CONDITION + 2 * n + 1])
                found += points * count_met(b, t, nation, kind)
    return found + mood_points(b, t, nation, doubled)


@kernel_part
def ranking_number(b: Cells, t: Cells, nation: int) -> int:
    """As `ranking_key`, in one number."""
    issues = held_count(b, nation)
    return (nation_score(b, t, nation) * 1024 + int(b[HAPPY + nation])) * 1024 + issues
