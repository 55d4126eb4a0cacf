"""Turns, chance and the flow of the game, compiled: the counterparts of `rules/turn.py` and `flow.py`."""

# ruff: noqa: SIM110  # loops are quicker than `any` when compiled

from powderkeg.core.fast.compiling import kernel_joint, kernel_layer, kernel_part
from powderkeg.core.fast.luck import random_below
from powderkeg.games.versailles.board import NOBODY, USA
from powderkeg.games.versailles.fast.board_changes import (
    calm_region,
    lift_unit,
    recover_cubes,
    retire_mutineer,
    send_home,
    send_unit,
)
from powderkeg.games.versailles.fast.board_queries import (
    count_members,
    deck_left,
    drop_step,
    fielded_units,
    issue_slot,
    may_place,
    player_after,
    push_step,
    top_kind,
    top_value,
)
from powderkeg.games.versailles.fast.compiling import Cells
from powderkeg.games.versailles.fast.event_effects import (
    answer_event,
    perform_next,
    roll_for_region,
)
from powderkeg.games.versailles.fast.layout import (
    A_DEMOBILISE,
    A_DEPLOY,
    A_DRAW,
    A_END,
    A_PASS,
    A_PERFORM,
    A_PLACE,
    A_RECLAIM,
    ACTED,
    ACTING,
    ACTIVE_NATION,
    ANSWER_BITS,
    ANSWER_SHIFT,
    BY_DEADLOCK,
    END_ISSUE,
    EVENT_AT,
    EVENT_COUNT,
    EVENT_DECK,
    FIRST,
    FIRST_REGION,
    FREE,
    GAINED,
    HAPPY,
    HEIGHT,
    IDLE,
    IN_DECK,
    ISSUE_AT,
    ISSUE_COUNT,
    MILITARY,
    NOT_LISTED,
    OPEN_SLOTS,
    P_ADD_ISSUE,
    P_ADVANCE,
    P_AFFECTED,
    P_AFTER_CHECK,
    P_ANNOUNCE,
    P_BIDDING,
    P_CHECKING,
    P_CHOOSE_CLEARED,
    P_CHOOSE_CUBE,
    P_CHOOSE_DEPLOY,
    P_CHOOSE_FLAG,
    P_CHOOSE_KEPT,
    P_CHOOSE_MUTINEER,
    P_CHOOSE_NATION,
    P_CHOOSE_OPTION,
    P_CHOOSE_PERFORM,
    P_CHOOSE_PLAYER,
    P_CHOOSE_SOURCE,
    P_CHOOSE_STRATEGY,
    P_CHOOSE_TO_ADVANCE,
    P_DEAL_EVENTS,
    P_DEAL_ISSUES,
    P_DEAL_STRATEGIES,
    P_DISCARD_EVENT,
    P_DO,
    P_DRAW_EVENT,
    P_DRAW_ISSUES,
    P_END_TURN,
    P_FIRST_PLAYER,
    P_MUTINIES,
    P_PLACE_SECOND,
    P_RESET,
    P_RESOLVE_CONFERENCE,
    P_RESOLVE_ISSUE,
    P_REVEAL_EVENT,
    P_ROLL_OFF,
    P_ROLL_REGION,
    P_SELECT_STRATEGIES,
    P_START_BID,
    P_START_TURN,
    P_TURN,
    P_UNSETTLE,
    P_UPRISING,
    P_USA_TURN,
    PLAYERS,
    POLITICAL,
    READY,
    REGION_COUNT,
    ROUND_TURN,
    SEAT_NATION,
    SETTLED,
    SHEET_COUNT,
    SHEET_LIST,
    SPENT,
    STRATEGY_COUNT,
    T_ALLOWED,
    T_RECLAIM,
    TIRED,
    WINNER,
)
from powderkeg.games.versailles.fast.legal_actions import (
    awaits_chance,
    list_choices,
    may_act,
    must_pass,
    settle_count,
)
from powderkeg.games.versailles.fast.settlements import (
    advance_card,
    begin_drawing,
    begin_performing,
    begin_settling,
    deal_first_events,
    deal_first_issues,
    deal_first_strategies,
    dive_for,
    draw_cards,
    end_conference,
    find_issue,
    finish_game,
    hold_conference,
    keep_card,
    meet_event,
    prepare_event,
    put_cube,
    resolve_settled,
    take_flag,
    take_option,
    wanted_issues,
)
from powderkeg.games.versailles.fast.uprisings import (
    answer_uprising,
    end_check,
    go_on_checking,
    open_bidding,
    order_strategies,
    pass_on_hit,
    rise_up,
    roll_between,
    roll_for_uprising,
)

# Turns


@kernel_part
def begin_turn(b: Cells) -> None:
    """As `start_turn`."""
    nation = top_value(b, 1)
    drop_step(b)
    b[ROUND_TURN] += 1
    b[ACTIVE_NATION], b[ACTING] = nation, nation
    b[POLITICAL], b[MILITARY], b[ACTED] = 0, 0, 0
    b[SETTLED], b[WINNER], b[GAINED] = NOBODY, NOBODY, 0
    push_step(b, P_END_TURN, 0, 0, 0)
    if b[PLAYERS] == 2:
        push_step(b, P_USA_TURN, 0, 0, 0)
    push_step(b, P_TURN, 0, 0, 0)


@kernel_part
def close_turn(b: Cells) -> None:
    """As `end_turn`."""
    drop_step(b)
    b[IDLE] = 0 if b[ACTED] else int(b[IDLE]) + 1
    if b[IDLE] >= b[PLAYERS]:
        finish_game(b, BY_DEADLOCK)
        return
    push_step(b, P_START_TURN, player_after(b, int(b[ACTIVE_NATION]), 1), 0, 0)


@kernel_part
def pass_over_turn(b: Cells) -> bool:
    """As `skip_turn`."""
    nation = int(b[ACTIVE_NATION])
    if not b[MILITARY] and fielded_units(b, nation) > 0:
        return False
    if b[POLITICAL]:
        drop_step(b)
        return True
    if may_act(b, nation):
        return False
    b[POLITICAL] = 1
    return True


@kernel_part
def pass_over_usa(b: Cells) -> bool:
    """As `skip_usa_turn`."""
    if may_place(b, USA) or settle_count(b, USA) > 0 or b[TIRED + USA] > 0:
        return False
    drop_step(b)
    return True


@kernel_part
def play_turn(b: Cells, t: Cells, code: int) -> None:
    """As `take_turn`; the step stays below what follows."""
    nation, verb, bits = int(b[ACTIVE_NATION]), code >> ANSWER_SHIFT, code & ANSWER_BITS
    if verb == A_END:
        drop_step(b)
    elif verb == A_DEPLOY:
        b[MILITARY] = 1
        send_unit(b, t, nation, bits)
    elif verb == A_DEMOBILISE:
        b[MILITARY] = 1
        send_home(b, t, nation, bits)
    else:
        b[POLITICAL] = 1
        if verb == A_RECLAIM:
            reclaim_all(b, nation, bits)
        else:
            act_politically(b, nation, verb, bits)


@kernel_part
def act_politically(b: Cells, nation: int, verb: int, bits: int) -> None:
    """Place or settle."""
    if verb == A_PLACE:
        push_step(b, P_PLACE_SECOND, nation, bits >> 8, 0)
        put_influence(b, nation, bits)
    else:
        begin_settling(b, nation, bits)


@kernel_part
def put_influence(b: Cells, nation: int, bits: int) -> None:
    """As `place_influence`."""
    b[ACTED] = 1
    b[FREE + nation] -= bits & 255
    b[issue_slot(b, bits >> 8) + 1 + nation] += bits & 255


@kernel_part
def reclaim_all(b: Cells, nation: int, bits: int) -> None:
    """As `reclaim_tokens`."""
    b[ACTED] = 1
    recover_cubes(b, nation, bits >> 5)
    b[READY + nation] += b[SPENT + nation]
    b[SPENT + nation] = 0
    for region in range(REGION_COUNT):
        if bits >> region & 1:
            lift_unit(b, nation, FIRST_REGION + region)
            b[READY + nation] += 1


@kernel_part
def play_usa(b: Cells, t: Cells, code: int) -> None:
    """As `take_usa_turn`."""
    drop_step(b)
    b[ACTING] = USA
    if code >> ANSWER_SHIFT == A_RECLAIM:
        b[ACTED] = 1
        recover_cubes(b, USA, int(t[T_RECLAIM]))
        recover_cubes(b, int(b[ACTIVE_NATION]), (code & ANSWER_BITS) >> 5)
    else:
        act_politically(b, USA, code >> ANSWER_SHIFT, code & ANSWER_BITS)


@kernel_part
def face_mutinies(b: Cells, t: Cells) -> None:
    """As `check_mutinies`."""
    nation = top_value(b, 1)
    drop_step(b)
    if fielded_units(b, nation) > t[T_ALLOWED + b[HAPPY + nation]]:
        push_step(b, P_CHOOSE_MUTINEER, nation, 0, 0)


@kernel_part
def pick_nation(b: Cells, nation: int) -> None:
    """As `choose_nation`."""
    seat = top_value(b, 1)
    drop_step(b)
    b[SEAT_NATION + seat] = nation
    following = (seat + 1) % int(b[PLAYERS])
    if b[SEAT_NATION + following] < 0:
        push_step(b, P_CHOOSE_NATION, following, 0, 0)


# The flow


@kernel_layer
def act_by_itself(b: Cells, t: Cells) -> bool:
    """What the step on top does by itself; False when it must wait."""
    kind = top_kind(b)
    if kind == P_TURN:
        return pass_over_turn(b)
    if kind == P_USA_TURN:
        return pass_over_usa(b)
    if kind == P_DO:
        perform_next(b, t)
    elif kind == P_START_TURN:
        begin_turn(b)
    elif kind == P_END_TURN:
        close_turn(b)
    elif kind == P_MUTINIES:
        face_mutinies(b, t)
    elif kind == P_RESET:
        region = top_value(b, 1)
        drop_step(b)
        calm_region(b, t, region)
    else:
        return _settle_or_rise(b, t, kind)
    return True


@kernel_layer
def _settle_or_rise(b: Cells, t: Cells, kind: int) -> bool:
    if kind == P_RESOLVE_ISSUE:
        resolve_settled(b)
    elif kind == P_RESOLVE_CONFERENCE:
        hold_conference(b, t)
    elif kind == P_DISCARD_EVENT:
        end_conference(b)
    elif kind == P_ADVANCE:
        drop_step(b)
        push_step(b, P_CHOOSE_TO_ADVANCE, 1, 1, 0)
    elif kind == P_ADD_ISSUE:
        find_issue(b, t)
    elif kind == P_DRAW_EVENT:
        prepare_event(b)
    elif kind == P_CHECKING:
        go_on_checking(b, t)
    elif kind == P_AFTER_CHECK:
        end_check(b)
    elif kind == P_UPRISING:
        rise_up(b, t)
    elif kind in (P_AFFECTED, P_UNSETTLE):
        pass_on_hit(b, kind)
    elif kind == P_START_BID:
        open_bidding(b)
    elif kind == P_SELECT_STRATEGIES:
        order_strategies(b, t)
    else:
        return False
    return True


@kernel_layer
def sole_code(b: Cells, t: Cells, w: Cells) -> int:
    """The answer that is given without asking; -1 if there is a choice."""
    kind = top_kind(b)
    w[SHEET_COUNT] = NOT_LISTED
    if kind in (P_TURN, P_USA_TURN, P_PLACE_SECOND):
        return -1
    if kind == P_BIDDING:
        return A_PASS << ANSWER_SHIFT if must_pass(b, t, w) else -1
    count = list_choices(b, t, w)
    w[SHEET_COUNT] = count
    return int(w[SHEET_LIST]) if count == 1 else -1


@kernel_joint
def run_board(b: Cells, t: Cells, w: Cells) -> None:
    """Let steps act and give answers without a choice, until chance or a seat is asked. The sheet then
    has the answers if they were listed."""
    while b[HEIGHT]:
        if act_by_itself(b, t):
            continue
        if awaits_chance(b):
            return
        code = sole_code(b, t, w)
        if code < 0:
            return
        answer_step(b, t, code)


@kernel_joint
def answer_step(b: Cells, t: Cells, code: int) -> None:
    """Carry out a legal answer; what follows from it is left to `run_board`."""
    kind = top_kind(b)
    if kind == P_TURN:
        play_turn(b, t, code)
    elif kind == P_PLACE_SECOND:
        nation = top_value(b, 1)
        drop_step(b)
        put_influence(b, nation, code & ANSWER_BITS)
    elif kind == P_USA_TURN:
        play_usa(b, t, code)
    elif kind == P_CHOOSE_NATION:
        pick_nation(b, code & ANSWER_BITS)
    elif kind in (P_CHOOSE_DEPLOY, P_CHOOSE_MUTINEER):
        answer_units(b, t, kind, code & ANSWER_BITS)
    elif P_CHOOSE_PLAYER <= kind <= P_CHOOSE_CLEARED:
        answer_event(b, t, kind, code)
    elif P_ANNOUNCE <= kind <= P_CHOOSE_STRATEGY:
        answer_uprising(b, t, kind, code)
    else:
        _answer_settling(b, t, kind, code)


@kernel_layer
def answer_units(b: Cells, t: Cells, kind: int, bits: int) -> None:
    """A deployment of an event, or a mutineer."""
    nation = top_value(b, 1)
    drop_step(b)
    if kind == P_CHOOSE_DEPLOY:
        send_unit(b, t, nation, bits)
    else:
        push_step(b, P_MUTINIES, nation, 0, 0)
        retire_mutineer(b, t, nation, bits)


@kernel_layer
def _answer_settling(b: Cells, t: Cells, kind: int, code: int) -> None:
    verb, bits = code >> ANSWER_SHIFT, code & ANSWER_BITS
    if kind == P_CHOOSE_OPTION:
        take_option(b, t, bits & 7)
    elif kind == P_CHOOSE_FLAG:
        take_flag(b, t, bits)
    elif kind == P_CHOOSE_PERFORM:
        if verb == A_PERFORM:
            begin_performing(b, t)
        else:
            drop_step(b)
    elif kind == P_CHOOSE_TO_ADVANCE:
        advance_card(b, t, bits)
    elif kind == P_CHOOSE_CUBE:
        put_cube(b, bits)
    elif kind == P_CHOOSE_SOURCE:
        if verb == A_DRAW:
            drop_step(b)
            begin_drawing(b, t)
        else:
            dive_for(b, t, bits)
    elif kind == P_CHOOSE_KEPT:
        other = top_value(b, 1) + top_value(b, 2) - bits
        drop_step(b)
        keep_card(b, bits, other)


# Chance


@kernel_joint
def meet_outcome(b: Cells, t: Cells, o: Cells) -> None:
    """Dice or cards have fallen; what follows from it is left to `run_board`."""
    kind = top_kind(b)
    if kind == P_ANNOUNCE:
        roll_for_uprising(b, t, int(o[0]))
    elif kind == P_ROLL_REGION:
        roll_for_region(b, t, int(o[0]))
    elif kind == P_ROLL_OFF:
        roll_between(b, o)
    elif kind == P_DRAW_ISSUES:
        draw_cards(b, t, o)
    elif kind == P_REVEAL_EVENT:
        meet_event(b, t, int(o[0]))
    elif kind == P_DEAL_ISSUES:
        deal_first_issues(b, t, o)
    elif kind == P_DEAL_EVENTS:
        deal_first_events(b, o)
    elif kind == P_DEAL_STRATEGIES:
        deal_first_strategies(b, o)
    elif kind == P_FIRST_PLAYER:
        drop_step(b)
        b[FIRST] = o[0]
        push_step(b, P_CHOOSE_NATION, int(o[0]), 0, 0)


@kernel_part
def sample_cards(b: Cells, r: Cells, o: Cells, start: int, size: int, mark: int, n: int) -> None:
    """Draw `n` of the cards from `start` that have this mark."""
    left = 0
    for card in range(size):
        left += int(b[start + card] == mark)
    for place in range(n):
        skip, card = random_below(r, left - place), -1
        while skip >= 0:
            card += 1
            if b[start + card] == mark and not _is_drawn(o, place, card):
                skip -= 1
        o[place] = card


@kernel_part
def _is_drawn(o: Cells, count: int, card: int) -> bool:
    for n in range(count):
        if o[n] == card:
            return True
    return False


@kernel_part
def sample_strategies(b: Cells, r: Cells, o: Cells) -> None:
    for place in range(int(b[PLAYERS]) + 1):
        skip, card = random_below(r, STRATEGY_COUNT - place), -1
        while skip >= 0:
            card += 1
            if not _is_drawn(o, place, card):
                skip -= 1
        o[place] = card


@kernel_part
def sample_issues(b: Cells, r: Cells, o: Cells) -> None:
    """The issues that are owed; the game end may be one of the last."""
    wanted = wanted_issues(b)
    if wanted < 0 and random_below(r, deck_left(b) + 1) == 0:
        o[0] = END_ISSUE
    else:
        sample_cards(b, r, o, ISSUE_AT, ISSUE_COUNT, IN_DECK, abs(wanted))


@kernel_joint
def sample_fall(b: Cells, r: Cells, o: Cells) -> None:
    """Roll or draw what chance owes."""
    kind = top_kind(b)
    if kind == P_DRAW_ISSUES:
        sample_issues(b, r, o)
    elif kind == P_REVEAL_EVENT:
        sample_cards(b, r, o, EVENT_AT, EVENT_COUNT, EVENT_DECK, 1)
    elif kind == P_DEAL_ISSUES:
        sample_cards(b, r, o, ISSUE_AT, ISSUE_COUNT, IN_DECK, OPEN_SLOTS + 1)
    elif kind == P_DEAL_EVENTS:
        sample_cards(b, r, o, EVENT_AT, EVENT_COUNT, EVENT_DECK, 3)
    elif kind == P_DEAL_STRATEGIES:
        sample_strategies(b, r, o)
    elif kind == P_FIRST_PLAYER:
        o[0] = random_below(r, int(b[PLAYERS]))
    else:
        dice = count_members(top_value(b, 2)) if kind == P_ROLL_OFF else 1
        for n in range(dice):
            o[n] = 1 + random_below(r, 6)
