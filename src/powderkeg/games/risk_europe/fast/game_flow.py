"""Rounds and the flow of the game, compiled: the counterparts of `rules/rounds.py`, `bids.py` and
`flow.py`."""

# ruff: noqa: FBT001, FBT003, SIM110  # compiled functions take arguments by position, and loops are quicker

from powderkeg.core.fast.luck import random_below
from powderkeg.games.risk_europe.fast.battles import (
    answer_battle,
    answer_casualties,
    begin_battle,
    my_dice,
    roll_assault,
    roll_battle,
    skip_empty_ranks,
    their_dice,
)
from powderkeg.games.risk_europe.fast.board_changes import (
    answer_act,
    answer_garrison,
    answer_move,
    answer_settle,
    answer_spend,
    collect_taxes,
    found_kingdom,
    pop_record,
    push_record,
)
from powderkeg.games.risk_europe.fast.board_queries import (
    SIEGES,
    Cells,
    army_at,
    commander_of,
    count_bits,
    crowns_of,
    first_in_ring,
    held_places,
    is_alive,
)
from powderkeg.games.risk_europe.fast.compiling import kernel_joint, kernel_part
from powderkeg.games.risk_europe.fast.layout import (
    ACTIVE,
    ARMY_COUNT,
    ATTACKER,
    B_STAGE,
    B_THEIRS,
    BID,
    BONUS_LEFT,
    BOTTOM,
    BOTTOM_BY,
    BOTTOM_COUNT,
    BOUGHT,
    BUYS,
    BY_CROWNS,
    BY_LAST,
    BY_ROUNDS,
    COINS,
    COMPLETED,
    CONTROLLER,
    CROWN_COUNT,
    DEPTH,
    DISCARD,
    GRACE,
    HAND,
    KEEP_CARDS,
    KIND_COUNT,
    KING_ARMY,
    KING_CARD,
    KING_NOBODY,
    KING_RULING,
    MARKER,
    MISSIONS,
    ORDER,
    ORDER_COUNT,
    ORDER_LEFT,
    OUT,
    OVER,
    OWNER,
    PAYLOAD,
    PEOPLE,
    PLACES,
    RANK,
    REROLL_DUE,
    RESERVE,
    RING,
    ROUND,
    ROUND_LIMIT,
    S_ACT,
    S_ASSAULT,
    S_AUCTIONS,
    S_BATTLE,
    S_BATTLES,
    S_BID,
    S_CASUALTIES,
    S_END_ROUND,
    S_GARRISON,
    S_KEEP,
    S_MISSIONS,
    S_MOVE,
    S_NEW_ROUND,
    S_PICK,
    S_REVEALS,
    S_SETTLE,
    S_SHIELDS,
    S_SPEND,
    S_TAX,
    S_TIE,
    S_TURN,
    SEAT_LAST,
    SEAT_RULING,
    SHOWN,
    STACK,
    TIE_AMONG,
    TIE_AMOUNT,
    TIE_CROWNS,
    TIE_RULING,
    TURN,
    UNITS_AT,
    UNSEEN,
    V_REVEAL,
    VERB_SHIFT,
    WINS,
    WITH_MISSIONS,
)
from powderkeg.games.risk_europe.fast.legal_actions import (
    asked_bits,
    only_answer,
    step_kind,
    step_start,
    step_value,
    waits_for_chance,
)
from powderkeg.games.risk_europe.fast.map_tables import (
    CITY_BITS,
    COPIES,
    GOLD_LIST,
    TARGET_OF,
)

MARKER_WORTH = 10
MERCENARY_SIZE = 10

# The start of a round


@kernel_part
def start_round(b: Cells) -> None:
    """As `new_round`."""
    pop_record(b)
    b[ROUND] += 1
    b[TURN] = 0
    for gold in range(len(GOLD_LIST)):
        b[ACTIVE + gold] = b[OWNER + GOLD_LIST[gold]]
    for army in range(ARMY_COUNT):
        own = army_at(army)
        if count_hand(b, own) == 0:
            for kind in range(KIND_COUNT):
                b[own + HAND + kind] = 0 if b[own + OUT] else COPIES[kind]
                b[own + DISCARD + kind] = 0
        b[own + BID], b[own + BUYS], b[own + WINS] = -1, 1, 0
    set_order(b)
    push_round(b)


@kernel_part
def count_hand(b: Cells, own: int) -> int:
    found = 0
    for kind in range(KIND_COUNT):
        found += int(b[own + HAND + kind])
    return found


@kernel_part
def set_order(b: Cells) -> None:
    """As `turn_order`."""
    place, n = 0, 0
    while b[RING + place] != b[MARKER]:
        place += 1
    last = b[PEOPLE] == 3 and b[SEAT_RULING] == SEAT_LAST
    for pass_number in range(2 if last else 1):
        for more in range(ARMY_COUNT):
            army = int(b[RING + (place + more) % ARMY_COUNT])
            if is_alive(b, army) and not (last and int(army >= b[PEOPLE]) != pass_number):
                b[ORDER + n] = army
                n += 1
    b[ORDER_COUNT] = n
    for more in range(n, ARMY_COUNT):
        b[ORDER + more] = -1


@kernel_part
def push_round(b: Cells) -> None:
    """As `_round_steps`, last one first."""
    push_record(b, S_END_ROUND, 0, 0, 0)
    if b[WITH_MISSIONS]:
        push_record(b, S_REVEALS, 0, 0, 0)
    push_record(b, S_BATTLES, 0, 0, 0)
    count = int(b[ORDER_COUNT])
    for n in range(2 * count):
        push_record(b, S_TURN, int(b[ORDER + count - 1 - n % count]), 2 - n // count, 0)
    hired, found = 0, -1
    for army in range(int(b[PEOPLE]), ARMY_COUNT):
        if is_alive(b, army):
            hired, found = hired + 1, army
    if hired > 1:
        push_record(b, S_AUCTIONS, 0, 0, 0)
    elif hired == 1:
        push_record(b, S_BID, found, 0, 0)
    push_record(b, S_PICK, 0, 0, 0)


# Bids


@kernel_part
def reveal_all_bids(b: Cells) -> None:
    """As `reveal_bids`."""
    best, among = -1, 0
    for who in range(b[PEOPLE]):
        own = army_at(who)
        if is_alive(b, who):
            bid = int(b[own + BID])
            if bid > best:
                best, among = bid, 0
            if bid == best:
                among |= 1 << who
            b[own + BID] = -1
    army = step_value(b, 1)
    pop_record(b)
    if count_bits(among) > 1:
        push_record(b, S_TIE, army, 0, 0)
        b[TIE_AMOUNT], b[TIE_AMONG] = best, among
    else:
        award_bid(b, army, first_player(among), best)


@kernel_part
def first_player(bits: int) -> int:
    who = 0
    while not bits >> who & 1:
        who += 1
    return who


@kernel_part
def award_bid(b: Cells, army: int, who: int, amount: int) -> None:
    b[army_at(who) + COINS] -= amount
    if army < 0:
        push_first_cities(b, who)
    else:
        b[army_at(army) + COINS] += amount
        b[army_at(army) + CONTROLLER] = who


@kernel_part
def roll_tie(b: Cells, o: Cells) -> None:
    """As `tie_rolled`."""
    best, among, n = 0, 0, 0
    for who in range(ARMY_COUNT):
        if b[TIE_AMONG] >> who & 1:
            die = int(o[n])
            n += 1
            if die > best:
                best, among = die, 0
            if die == best:
                among |= 1 << who
    b[TIE_AMONG] = among
    if count_bits(among) == 1:
        army = step_value(b, 1)
        pop_record(b)
        award_bid(b, army, first_player(among), int(b[TIE_AMOUNT]))


@kernel_part
def push_first_cities(b: Cells, first: int) -> None:
    """As `queue_first_cities`: the cities of R-SET-11, R-3P-06, R-3P-07, R-2P-05 and R-2P-06."""
    people = int(b[PEOPLE])
    b[MARKER] = first
    for n in range(ARMY_COUNT):
        b[RING + n] = (first + n) % people if n < people else n
    if people == 2:
        b[RING], b[RING + 1], b[RING + 2], b[RING + 3] = first, 2, 1 - first, 3
    cities = 5 - people  # of which the last has no castle, unless it is the only one
    for city in range(cities - 1, -1, -1):
        castle = int(people == 4 or city < cities - 1)
        for n in range(people - 1, -1, -1):
            push_record(b, S_SETTLE, (first + n) % people, 10 if people == 4 else 5, castle)


# Cards


@kernel_part
def place_pair(b: Cells, who: int, payload: int) -> None:
    """As `pick_cards`."""
    own = army_at(who)
    for place in range(2):
        if b[own + STACK + place] >= 0:
            b[own + HAND + b[own + STACK + place]] += 1
    b[own + STACK], b[own + STACK + 1] = payload >> 8, payload & 255
    b[own + HAND + (payload >> 8)] -= 1
    b[own + HAND + (payload & 255)] -= 1


@kernel_part
def turn_over(b: Cells, card: int) -> None:
    """As `_reveal_card`: the army's card is shown."""
    army, number = step_value(b, 1), step_value(b, 2)
    own = army_at(army)
    b[own + SHOWN + int(b[own + SHOWN] >= 0)] = card
    b[TURN] = number
    pop_record(b)
    push_record(b, S_ACT, army, card, ORDER_LEFT | BONUS_LEFT)
    if card == KING_CARD:
        crown_king(b, army)


@kernel_part
def crown_king(b: Cells, army: int) -> None:
    """As `_king_me`."""
    king = army
    if army >= b[PEOPLE] and b[KING_RULING] != KING_ARMY:
        king = int(b[MARKER]) if b[KING_RULING] == KING_NOBODY else commander_of(b, army)
    b[MARKER] = king
    if b[WITH_MISSIONS] and army < b[PEOPLE] and (b[UNSEEN] or b[BOTTOM_COUNT]):
        push_record(b, S_MISSIONS, army, 0, 0)


@kernel_part
def next_card(b: Cells, army: int) -> int:
    """Take the next card from the stack of a player."""
    own = army_at(army)
    card = int(b[own + STACK])
    b[own + STACK], b[own + STACK + 1] = b[own + STACK + 1], -1
    return card


# Missions


@kernel_part
def look_at_cards(b: Cells, drawn: int) -> None:
    """As `_look_at_missions`: `drawn` unseen cards are already written, others come from below."""
    army = step_value(b, 1)
    pop_record(b)
    taken = min(2 - drawn, int(b[BOTTOM_COUNT]))
    for n in range(taken):
        b[KEEP_CARDS + drawn + n] = b[BOTTOM + n]
    if drawn + taken < 2:
        b[KEEP_CARDS + 1] = -1
    for n in range(CROWN_COUNT):
        b[BOTTOM + n] = b[BOTTOM + n + taken] if n + taken < CROWN_COUNT else -1
        b[BOTTOM_BY + n] = b[BOTTOM_BY + n + taken] if n + taken < CROWN_COUNT else -1
    b[BOTTOM_COUNT] -= taken
    push_record(b, S_KEEP, army, 0, 0)


@kernel_part
def draw_missions(b: Cells, o: Cells) -> None:
    drawn = min(2, count_bits(int(b[UNSEEN])))
    for n in range(drawn):
        b[KEEP_CARDS + n] = o[n]
        b[UNSEEN] &= ~(1 << int(o[n]))
    look_at_cards(b, drawn)


@kernel_part
def keep_card(b: Cells, who: int, card: int) -> None:
    """As `keep_mission`."""
    pop_record(b)
    b[army_at(who) + MISSIONS] |= 1 << card
    for place in range(2):
        other = int(b[KEEP_CARDS + place])
        if other >= 0 and other != card:
            b[BOTTOM + b[BOTTOM_COUNT]] = other
            b[BOTTOM_BY + b[BOTTOM_COUNT]] = who
            b[BOTTOM_COUNT] += 1


@kernel_part
def reveal_card(b: Cells, who: int, card: int) -> None:
    own = army_at(who)
    b[own + MISSIONS] &= ~(1 << card)
    b[own + COMPLETED] |= 1 << card


# The end of a round


@kernel_part
def finish_round(b: Cells) -> None:
    """As `end_round`."""
    pop_record(b)
    discard_cards(b)
    reached = 0
    for who in range(b[PEOPLE]):
        if is_alive(b, who) and crowns_of(b, who) >= TARGET_OF[b[PEOPLE]]:
            reached |= 1 << who
    if reached:
        close_game(b, BY_CROWNS, best_players(b, reached, b[TIE_RULING] == TIE_CROWNS))
        return
    fallen = find_fallen(b)
    left = 0
    for who in range(b[PEOPLE]):
        left |= int(is_alive(b, who)) << who
    if count_bits(left) < 2:
        people = (1 << int(b[PEOPLE])) - 1
        close_game(b, BY_LAST, left or fallen & people)
    elif 0 < b[ROUND_LIMIT] <= b[ROUND]:
        close_game(b, BY_ROUNDS, best_players(b, left, True))
    else:
        if not is_alive(b, int(b[MARKER])):
            b[MARKER] = first_in_ring(b, int(b[MARKER]), 0)
        push_record(b, S_NEW_ROUND, 0, 0, 0)


@kernel_part
def discard_cards(b: Cells) -> None:
    for army in range(ARMY_COUNT):
        own = army_at(army)
        for place in range(2):
            if b[own + SHOWN + place] >= 0:
                b[own + DISCARD + b[own + SHOWN + place]] += 1
                b[own + SHOWN + place] = -1


@kernel_part
def standing_of(b: Cells, army: int, with_crowns: bool) -> int:
    """As `army_standing`, as one number."""
    coins = int(b[army_at(army) + COINS]) + (MARKER_WORTH if b[MARKER] == army else 0)
    crowns = crowns_of(b, army) if with_crowns else 0
    return (crowns * 64 + count_bits(held_places(b, army))) * 65536 + coins


@kernel_part
def best_players(b: Cells, among: int, with_crowns: bool) -> int:
    """As `_best_standing`, as bits."""
    best, found = -1, 0
    for who in range(b[PEOPLE]):
        if among >> who & 1:
            key = standing_of(b, who, with_crowns)
            if key > best:
                best, found = key, 0
            if key == best:
                found |= 1 << who
    return found


@kernel_part
def find_fallen(b: Cells) -> int:
    """Armies without a city leave the game, or get a round of grace (R-SAVED-01)."""
    fallen = 0
    for army in range(ARMY_COUNT):
        if not is_alive(b, army):
            continue
        own = army_at(army)
        homeless = held_places(b, army) & CITY_BITS == 0
        saved = (b[own + BOUGHT] > 0 or b[own + COMPLETED] != 0) and b[own + GRACE] == 0
        if homeless and not saved:
            fallen |= 1 << army
            eliminate_army(b, army)
        else:
            b[own + GRACE] = int(homeless)
    return fallen


@kernel_part
def eliminate_army(b: Cells, army: int) -> None:
    """As `_eliminate_army`."""
    own = army_at(army)
    for at in range(PLACES):
        if b[OWNER + at] == army:
            b[OWNER + at] = -1
            for unit in range(4):
                b[own + RESERVE + unit] += b[UNITS_AT + 4 * at + unit]
                b[UNITS_AT + 4 * at + unit] = 0
    for kind in range(KIND_COUNT):
        b[own + HAND + kind] = b[own + DISCARD + kind] = 0
    b[own + STACK] = b[own + STACK + 1] = -1
    b[own + COINS] = b[own + BOUGHT] = b[own + GRACE] = 0
    b[own + OUT] = b[ROUND]


@kernel_part
def close_game(b: Cells, why: int, winners: int) -> None:
    """As `_rank_and_end`."""
    b[DEPTH] = 0
    b[OVER] = why
    for who in range(ARMY_COUNT):
        b[RANK + who] = 0 if winners >> who & 1 else -1
    place, above = 1, 1 << 50
    while True:
        best = -1
        for who in range(b[PEOPLE]):
            key = final_key(b, who)
            if not winners >> who & 1 and best < key < above:
                best = key
        if best < 0:
            return
        for who in range(b[PEOPLE]):
            if not winners >> who & 1 and final_key(b, who) == best:
                b[RANK + who] = place
        place, above = place + 1, best


@kernel_part
def final_key(b: Cells, who: int) -> int:
    out = int(b[army_at(who) + OUT])
    return (out or int(b[ROUND]) + 1) * (1 << 32) + standing_of(b, who, True)


# The flow


@kernel_part
def act_alone(b: Cells) -> bool:
    """What the step on top does by itself; False when it must wait."""
    kind = step_kind(b)
    if kind == S_TURN:
        army = step_value(b, 1)
        if army >= b[PEOPLE]:
            return False
        turn_over(b, next_card(b, army))
        return True
    if kind == S_BATTLE:
        skip_empty_ranks(b)
        return False
    if kind == S_BATTLES:
        if has_attack(b):
            return False
        pop_record(b)
        return True
    return _begin_or_end(b, kind)


@kernel_part
def has_attack(b: Cells) -> bool:
    for at in range(PLACES):
        if b[ATTACKER + at] >= 0:
            return True
    return False


@kernel_part
def _begin_or_end(b: Cells, kind: int) -> bool:
    if kind == S_NEW_ROUND:
        start_round(b)
    elif kind == S_END_ROUND:
        finish_round(b)
    elif kind == S_MISSIONS:
        if b[UNSEEN]:
            return False
        look_at_cards(b, 0)
    elif kind in (S_PICK, S_BID, S_REVEALS):
        if asked_bits(b):
            return False
        if kind == S_BID:
            reveal_all_bids(b)
        else:
            pop_record(b)
    else:
        return False
    return True


@kernel_joint
def run_on(b: Cells, w: Cells) -> None:
    """Let steps act and give answers without a choice, until chance or a player is asked. The
    sheet then has the answers of the last player asked."""
    while b[DEPTH]:
        if act_alone(b):
            continue
        if waits_for_chance(b):
            return
        asked, done = asked_bits(b), False
        for who in range(ARMY_COUNT):
            if asked >> who & 1:
                code = only_answer(b, who, w)
                if code >= 0:
                    give_answer(b, who, code)
                    done = True
                    break
        if not done:
            return


@kernel_joint
def give_answer(b: Cells, who: int, code: int) -> None:
    """An action of a player, which must be legal; what follows from it is left to `run_on`."""
    if code >> VERB_SHIFT == V_REVEAL:
        reveal_card(b, who, code & PAYLOAD)
        return
    kind = step_kind(b)
    if kind == S_ACT:
        answer_act(b, code)
    elif kind == S_MOVE:
        answer_move(b, code)
    elif kind == S_SPEND:
        answer_spend(b, code)
    elif kind == S_BATTLE:
        answer_battle(b, who, code)
    else:
        _give_rest(b, who, kind, code)


@kernel_part
def _give_rest(b: Cells, who: int, kind: int, code: int) -> None:
    payload = code & PAYLOAD
    if kind == S_TAX:
        army = step_value(b, 1)
        pop_record(b)
        collect_taxes(b, army, payload)
    elif kind == S_PICK:
        place_pair(b, who, payload)
    elif kind == S_BID:
        b[army_at(who) + BID] = payload
    elif kind == S_BATTLES:
        begin_battle(b, payload)
    elif kind == S_CASUALTIES:
        answer_casualties(b, code)
    elif kind == S_SETTLE:
        answer_settle(b, payload)
    elif kind == S_GARRISON:
        answer_garrison(b, payload)
    elif kind == S_KEEP:
        keep_card(b, who, payload)
    elif kind == S_AUCTIONS:
        pop_record(b)
        push_record(b, S_BID, 5 - payload, 0, 0)
        push_record(b, S_BID, payload, 0, 0)
    elif kind == S_REVEALS:
        b[step_start(b) + 1] |= 1 << who


# Chance


@kernel_joint
def give_outcome(b: Cells, o: Cells) -> None:
    """Dice or cards have fallen; what follows from it is left to `run_on`."""
    kind = step_kind(b)
    if kind == S_BATTLE:
        roll_battle(b, o)
    elif kind == S_ASSAULT:
        roll_assault(b, o)
    elif kind == S_TIE:
        roll_tie(b, o)
    elif kind == S_TURN:
        b[army_at(step_value(b, 1)) + HAND + o[0]] -= 1
        turn_over(b, int(o[0]))
    elif kind == S_MISSIONS:
        draw_missions(b, o)
    elif kind == S_SHIELDS:
        pop_record(b)
        both = b[PEOPLE] == 3
        for place in range(2):
            army = 3 if both else 2 + place
            found_kingdom(b, army, int(o[place]), MERCENARY_SIZE, int(not (both and place == 1)))


@kernel_part
def dice_owed(b: Cells) -> int:
    """How many dice are to be rolled; 0 if cards are drawn."""
    kind = step_kind(b)
    if kind == S_BATTLE:
        return int(b[B_THEIRS]) if b[B_STAGE] == REROLL_DUE else my_dice(b) + their_dice(b)
    if kind == S_ASSAULT:
        return 2 * int(b[UNITS_AT + 4 * step_value(b, 2) + SIEGES])
    return count_bits(int(b[TIE_AMONG])) if kind == S_TIE else 0


@kernel_joint
def sample_outcome(b: Cells, r: Cells, o: Cells) -> None:
    """Roll or draw what chance owes."""
    dice = dice_owed(b)
    for n in range(dice):
        o[n] = 1 + random_below(r, 6)
    if dice:
        return
    kind = step_kind(b)
    if kind == S_TURN:
        own = army_at(step_value(b, 1))
        pick = random_below(r, count_hand(b, own))
        card = 0
        while pick >= b[own + HAND + card]:
            pick -= int(b[own + HAND + card])
            card += 1
        o[0] = card
    elif kind == S_SHIELDS:
        first = random_below(r, len(GOLD_LIST))
        second = random_below(r, len(GOLD_LIST) - 1)
        o[0], o[1] = GOLD_LIST[first], GOLD_LIST[second + int(second >= first)]
    else:
        _sample_missions(b, r, o)


@kernel_part
def _sample_missions(b: Cells, r: Cells, o: Cells) -> None:
    left = int(b[UNSEEN])
    for n in range(min(2, count_bits(left))):
        pick = random_below(r, count_bits(left))
        card = 0
        while True:
            if left >> card & 1:
                if pick == 0:
                    break
                pick -= 1
            card += 1
        o[n] = card
        left &= ~(1 << card)
