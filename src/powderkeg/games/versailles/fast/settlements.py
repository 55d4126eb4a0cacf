"""Settling an issue, compiled: the counterparts of `rules/settle.py`, `issue_options.py` and `setup.py`."""

from powderkeg.core.fast.compiling import kernel_part
from powderkeg.games.versailles.board import NOBODY
from powderkeg.games.versailles.fast.board_changes import (
    exhaust_cubes,
    push_mutinies,
    shift_mood,
    shift_unrest,
)
from powderkeg.games.versailles.fast.board_queries import (
    append_number,
    deck_left,
    drop_step,
    is_played,
    issue_slot,
    option_start,
    player_after,
    push_long,
    push_step,
    slot_leader,
    top_value,
)
from powderkeg.games.versailles.fast.compiling import Cells
from powderkeg.games.versailles.fast.layout import (
    ABOVE,
    ACTED,
    ACTING,
    ACTIVE_NATION,
    AT_CONFERENCE,
    AT_CRISIS,
    BY_DECK,
    BY_RUSH,
    DEALT,
    E_CONFERENCE,
    E_CRISIS,
    E_CUBE,
    E_OPTIONAL,
    ELSEWHERE,
    END_ISSUE,
    ENDED_BY,
    EVENT,
    EVENT_AT,
    EVENT_COUNT,
    EVENT_CUBE,
    EVENT_DECK,
    EVENT_PAST,
    EVENT_SIZE,
    FIRST,
    FLAG_SHIFT,
    FREE,
    GAINED,
    HEIGHT,
    ISSUE_AT,
    ISSUE_COUNT,
    LOBBY,
    MOST_LOBBY,
    NATION_COUNT,
    NO_DECK,
    O_MOOD,
    O_NAVAL,
    O_UNREST,
    OPEN,
    OPEN_SLOTS,
    OPTION_SHIFT,
    P_ADD_ISSUE,
    P_ADVANCE,
    P_CHOOSE_CUBE,
    P_CHOOSE_FLAG,
    P_CHOOSE_KEPT,
    P_CHOOSE_OPTION,
    P_CHOOSE_PERFORM,
    P_CHOOSE_SOURCE,
    P_CHOOSE_TO_ADVANCE,
    P_DISCARD_EVENT,
    P_DO,
    P_DRAW_EVENT,
    P_DRAW_ISSUES,
    P_RESOLVE_CONFERENCE,
    P_RESOLVE_ISSUE,
    P_REVEAL_EVENT,
    P_START_TURN,
    PILE,
    PILE_COUNT,
    PLAYERS,
    REGION_COUNT,
    SEAT_NATION,
    SETTLED,
    SLOT_SIZE,
    T_DIVE,
    T_ENDS_EMPTY,
    T_EVENT,
    T_LENGTH,
    T_MIXED,
    TABLE_SLOTS,
    TIRED,
    UNREST_AT,
    WINNER,
)
from powderkeg.games.versailles.fast.legal_actions import is_performable


@kernel_part
def pack_context(you: int, subject: int, half: int) -> int:
    return you | subject << 3 | half << 6


@kernel_part
def finish_game(b: Cells, why: int) -> None:
    """As `end_game`."""
    b[ENDED_BY] = why
    b[HEIGHT] = 0


# Open issues and the pile


@kernel_part
def move_slot(b: Cells, origin: int, target: int) -> None:
    """Move an issue with its cubes; its old slot is empty."""
    for n in range(SLOT_SIZE):
        b[target + n] = b[origin + n]
        b[origin + n] = 0
    b[origin] = NOBODY


@kernel_part
def close_gap(b: Cells, slot: int, last: int) -> None:
    """Move the issues after an empty slot up, as far as the slot `last`."""
    while slot < last:
        move_slot(b, slot + SLOT_SIZE, slot)
        slot += SLOT_SIZE


@kernel_part
def empty_slot(b: Cells, place: int) -> int:
    """The first empty slot from a place on."""
    slot = OPEN + SLOT_SIZE * place
    while b[slot] >= 0:
        slot += SLOT_SIZE
    return slot


@kernel_part
def seat_issue(b: Cells, issue: int) -> None:
    """As `to_waiting_room`."""
    b[empty_slot(b, TABLE_SLOTS)] = issue


@kernel_part
def top_pile(b: Cells, issue: int) -> None:
    """Put an issue on top of the pile."""
    b[PILE + b[PILE_COUNT]] = issue
    b[PILE_COUNT] += 1


@kernel_part
def take_from_pile(b: Cells, depth: int) -> None:
    count = int(b[PILE_COUNT])
    for place in range(count - 1 - depth, count - 1):
        b[PILE + place] = b[PILE + place + 1]
    b[PILE + count - 1] = NOBODY
    b[PILE_COUNT] = count - 1


# Step 1: Resolve Issue


@kernel_part
def begin_settling(b: Cells, nation: int, issue: int) -> None:
    """As `settle_issue`."""
    b[ACTED], b[ACTING], b[SETTLED], b[WINNER], b[GAINED] = 1, nation, issue, NOBODY, 0
    push_step(b, P_DRAW_EVENT, 0, 0, 0)
    push_step(b, P_ADD_ISSUE, 0, 0, 0)
    push_step(b, P_ADVANCE, 0, 0, 0)
    push_step(b, P_RESOLVE_CONFERENCE, 0, 0, 0)
    push_step(b, P_RESOLVE_ISSUE, issue, 0, 0)


@kernel_part
def resolve_settled(b: Cells) -> None:
    """As `resolve_issue`."""
    issue = top_value(b, 1)
    drop_step(b)
    slot = issue_slot(b, issue)
    winner = slot_leader(b, slot)
    b[WINNER] = winner
    b[ISSUE_AT + issue] = winner
    last = OPEN + SLOT_SIZE * (TABLE_SLOTS - 1)
    if issue == END_ISSUE:
        move_slot(b, slot, OPEN + SLOT_SIZE * OPEN_SLOTS)
        close_gap(b, slot, last)
        finish_game(b, BY_RUSH)
        return
    for nation in range(4):
        free_cubes(b, nation, int(b[slot + 1 + nation]), winner)
        b[slot + 1 + nation] = 0
    b[slot] = NOBODY
    close_gap(b, slot, last)
    push_step(b, P_CHOOSE_OPTION, issue, winner, 0)


@kernel_part
def free_cubes(b: Cells, nation: int, n: int, winner: int) -> None:
    """As `release_cubes`, for one nation."""
    lost = n if nation == winner else 0 if nation == b[ACTING] else n // 2
    b[TIRED + nation] += lost
    b[FREE + nation] += n - lost


@kernel_part
def take_option(b: Cells, t: Cells, option: int) -> None:
    """As `choose_option`."""
    issue, nation = top_value(b, 1), top_value(b, 2)
    drop_step(b)
    if t[option_start(issue, option) + O_NAVAL]:
        push_long(b, P_CHOOSE_FLAG, issue, nation, option, 0, 0, 0)
    else:
        apply_option(b, t, issue, nation, option, 0)


@kernel_part
def take_flag(b: Cells, t: Cells, flag: int) -> None:
    """As `choose_flag`."""
    issue, nation, option = top_value(b, 1), top_value(b, 2), top_value(b, 3)
    count, flags = top_value(b, 4), top_value(b, 5) | flag << top_value(b, 4)
    drop_step(b)
    if count + 1 < t[option_start(issue, option) + O_NAVAL]:
        push_long(b, P_CHOOSE_FLAG, issue, nation, option, count + 1, flags, 0)
    else:
        apply_option(b, t, issue, nation, option, flags)


@kernel_part
def apply_option(b: Cells, t: Cells, issue: int, nation: int, option: int, flags: int) -> None:
    """As `carry_out`."""
    start, gained, mutinies = option_start(issue, option), 0, 0
    for region in range(REGION_COUNT):
        old, change = int(b[UNREST_AT + region]), int(t[start + O_UNREST + region])
        if change:
            shift_unrest(b, region, change)
        gained |= int(b[UNREST_AT + region] > old) << region
    if issue == b[SETTLED]:
        b[GAINED] = gained
    for place in range(b[PLAYERS]):
        who = player_after(b, int(b[ACTIVE_NATION]), place)
        if shift_mood(b, t, who, int(t[start + O_MOOD + who])):
            mutinies = append_number(mutinies, who)
    for who in range(NATION_COUNT):
        if not is_played(b, who):
            shift_mood(b, t, who, int(t[start + O_MOOD + who]))
    push_mutinies(b, mutinies)
    b[ISSUE_AT + issue] = nation | option + 1 << OPTION_SHIFT | flags << FLAG_SHIFT


# Step 2: Resolve Conference Event


@kernel_part
def hold_conference(b: Cells, t: Cells) -> None:
    """As `resolve_conference`."""
    drop_step(b)
    you = int(b[ACTING]) if b[EVENT_CUBE] < 0 else int(b[EVENT_CUBE])
    event = int(b[EVENT])
    start = T_EVENT + EVENT_SIZE * event
    push_step(b, P_DISCARD_EVENT, event, 0, 0)
    node = int(t[start + E_CONFERENCE])
    if not t[start + E_OPTIONAL]:
        push_step(b, P_DO, node, pack_context(you, you, AT_CONFERENCE), 0)
    elif is_performable(b, t, node, you):
        push_step(b, P_CHOOSE_PERFORM, event, you, 0)


@kernel_part
def begin_performing(b: Cells, t: Cells) -> None:
    """The event on the table is performed."""
    event, you = top_value(b, 1), top_value(b, 2)
    drop_step(b)
    node = int(t[T_EVENT + EVENT_SIZE * event + E_CONFERENCE])
    push_step(b, P_DO, node, pack_context(you, you, AT_CONFERENCE), 0)


@kernel_part
def end_conference(b: Cells) -> None:
    """As `discard_event`."""
    drop_step(b)
    b[EVENT_AT + b[EVENT]] = EVENT_PAST
    b[EVENT] = NOBODY
    if b[EVENT_CUBE] >= 0:
        b[TIRED + b[EVENT_CUBE]] += 1
        b[EVENT_CUBE] = NOBODY


# Step 3: Advance Issue and Event Cards


@kernel_part
def advance_card(b: Cells, t: Cells, card: int) -> None:
    """As `choose_to_advance`."""
    issue_due, event_due = top_value(b, 1), top_value(b, 2)
    drop_step(b)
    if card < ISSUE_COUNT:
        if event_due:
            push_step(b, P_CHOOSE_TO_ADVANCE, 0, 1, 0)
        slot = issue_slot(b, card)
        move_slot(b, slot, empty_slot(b, 0))
        close_gap(b, slot, OPEN + SLOT_SIZE * (OPEN_SLOTS - 1))
        return
    if issue_due:
        push_step(b, P_CHOOSE_TO_ADVANCE, 1, 0, 0)
    _advance_event(b, t, card - ISSUE_COUNT)


@kernel_part
def _advance_event(b: Cells, t: Cells, event: int) -> None:
    place = 0
    while b[LOBBY + place] != event:
        place += 1
    for n in range(place, MOST_LOBBY - 1):
        b[LOBBY + n] = b[LOBBY + n + 1]
    b[LOBBY + MOST_LOBBY - 1] = NOBODY
    b[EVENT] = event
    if t[T_EVENT + EVENT_SIZE * event + E_CUBE] and b[FREE + b[ACTING]] > 0:
        push_step(b, P_CHOOSE_CUBE, 0, 0, 0)


@kernel_part
def put_cube(b: Cells, put: int) -> None:
    """As `choose_cube`."""
    drop_step(b)
    if put:
        b[FREE + b[ACTING]] -= 1
        b[EVENT_CUBE] = b[ACTING]


# Step 4: Add an Issue to the Waiting Room


@kernel_part
def cards_left(b: Cells) -> int:
    """As `deck_size`."""
    return deck_left(b) + int(b[ABOVE] != NOBODY)


@kernel_part
def find_issue(b: Cells, t: Cells) -> None:
    """As `add_issue`."""
    drop_step(b)
    if b[PILE_COUNT]:
        push_step(b, P_CHOOSE_SOURCE, 0, 0, 0)
    else:
        begin_drawing(b, t)


@kernel_part
def begin_drawing(b: Cells, t: Cells) -> None:
    """As `draw_issues`."""
    if cards_left(b):
        draw_further(b, t, NOBODY, NOBODY)
    else:
        finish_game(b, BY_DECK)


@kernel_part
def draw_further(b: Cells, t: Cells, first: int, second: int) -> None:
    """As `_draw_on`."""
    while second < 0 and cards_left(b):
        if b[ABOVE] or t[T_MIXED]:
            push_step(b, P_DRAW_ISSUES, first, 0, 0)
            return
        b[ABOVE] = NOBODY
        if first < 0:
            first = END_ISSUE
        else:
            second = END_ISSUE
    _show_cards(b, t, first, second)


@kernel_part
def wanted_issues(b: Cells) -> int:
    """How many cards are drawn now, as `next_issues`; -1: one, and the game end is among them."""
    wanted = min(2 - int(top_value(b, 1) >= 0), cards_left(b))
    if b[ABOVE] == NOBODY or b[ABOVE] >= wanted:
        return wanted
    return int(b[ABOVE]) if b[ABOVE] else -1


@kernel_part
def draw_cards(b: Cells, t: Cells, o: Cells) -> None:
    """As `take_drawn`."""
    wanted = wanted_issues(b)
    first, second = top_value(b, 1), NOBODY
    drop_step(b)
    for n in range(abs(wanted)):
        card = int(o[n])
        if card == END_ISSUE:
            b[ABOVE] = NOBODY
        else:
            b[ISSUE_AT + card] = ELSEWHERE
            if b[ABOVE] > 0:
                b[ABOVE] -= 1
        if first < 0:
            first = card
        else:
            second = card
    draw_further(b, t, first, second)


@kernel_part
def _show_cards(b: Cells, t: Cells, first: int, second: int) -> None:
    """As `_show_drawn`."""
    ending = END_ISSUE in (first, second)
    if ending or second < 0 or (t[T_ENDS_EMPTY] and not cards_left(b)):
        keep_second = second == END_ISSUE
        keep_card(b, second if keep_second else first, first if keep_second else second)
        if t[T_ENDS_EMPTY] and not cards_left(b):
            finish_game(b, BY_DECK)
    else:
        push_step(b, P_CHOOSE_KEPT, first, second, 0)


@kernel_part
def keep_card(b: Cells, kept: int, other: int) -> None:
    """As `_keep_issue`; `other` may be -1."""
    seat_issue(b, kept)
    if other >= 0:
        top_pile(b, other)


@kernel_part
def dive_for(b: Cells, t: Cells, issue: int) -> None:
    """As `choose_source`, for the discard pile."""
    drop_step(b)
    depth, count = 0, int(b[PILE_COUNT])
    while b[PILE + count - 1 - depth] != issue:
        depth += 1
    exhaust_cubes(b, int(b[ACTING]), int(t[T_DIVE + depth]))
    take_from_pile(b, depth)
    seat_issue(b, issue)


# Step 5: the next event


@kernel_part
def prepare_event(b: Cells) -> None:
    """As `draw_event`."""
    drop_step(b)
    if not events_left(b):
        for event in range(EVENT_COUNT):
            if b[EVENT_AT + event] == EVENT_PAST:
                b[EVENT_AT + event] = EVENT_DECK
    if events_left(b):
        push_step(b, P_REVEAL_EVENT, 0, 0, 0)


@kernel_part
def events_left(b: Cells) -> int:
    found = 0
    for event in range(EVENT_COUNT):
        found += int(b[EVENT_AT + event] == EVENT_DECK)
    return found


@kernel_part
def meet_event(b: Cells, t: Cells, event: int) -> None:
    """As `reveal_event`."""
    drop_step(b)
    b[EVENT_AT + event] = NO_DECK
    lobby_event(b, event)
    you = int(b[ACTING])
    node = int(t[T_EVENT + EVENT_SIZE * event + E_CRISIS])
    push_step(b, P_DO, node, pack_context(you, you, AT_CRISIS), 0)


@kernel_part
def lobby_event(b: Cells, event: int) -> None:
    place = 0
    while b[LOBBY + place] >= 0:
        place += 1
    b[LOBBY + place] = event


# Set-up


@kernel_part
def deal_first_issues(b: Cells, t: Cells, o: Cells) -> None:
    """As `deal_issues`."""
    drop_step(b)
    for n in range(OPEN_SLOTS + 1):
        b[ISSUE_AT + o[n]] = ELSEWHERE
        if n < OPEN_SLOTS:
            b[OPEN + SLOT_SIZE * n] = o[n]
    top_pile(b, int(o[OPEN_SLOTS]))
    b[ABOVE] = deck_left(b) - int(t[T_LENGTH])


@kernel_part
def deal_first_events(b: Cells, o: Cells) -> None:
    """As `deal_events`."""
    drop_step(b)
    for n in range(3):
        b[EVENT_AT + o[n]] = NO_DECK
    b[EVENT] = o[0]
    lobby_event(b, int(o[1]))
    lobby_event(b, int(o[2]))


@kernel_part
def deal_first_strategies(b: Cells, o: Cells) -> None:
    """As `deal_strategies`."""
    drop_step(b)
    for n in range(int(b[PLAYERS]) + 1):
        b[DEALT + n] = o[n]
    push_step(b, P_START_TURN, int(b[SEAT_NATION + b[FIRST]]), 0, 0)
