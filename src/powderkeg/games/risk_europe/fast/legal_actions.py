"""Legal actions, compiled: as lists of codes, or as limits of the units to choose."""

# compiled functions take their arguments by position

from powderkeg.games.risk_europe.fast.board_queries import (
    SIEGES,
    Cells,
    army_at,
    bit_place,
    bonus_open,
    castle_bars,
    castle_sites,
    commander_of,
    fortify_bits,
    held_places,
    is_alive,
    losing_player,
    marker_player,
    may_besiege,
    may_buy_crown,
    may_leave,
    may_move,
    may_order,
    may_spend,
    most_units,
    ready_cards,
    recruiting_bits,
    second_places,
    spare_units,
    staying_units,
    sum_units,
    target_places,
    taxable_bits,
    units_here,
)
from powderkeg.games.risk_europe.fast.compiling import kernel_joint, kernel_part
from powderkeg.games.risk_europe.fast.dice import rank_hits
from powderkeg.games.risk_europe.fast.layout import (
    ATTACKER,
    B_AT,
    B_STAGE,
    BERLIN_LEFT,
    BID,
    CASTLE_ASKED,
    COINS,
    CROWN_COUNT,
    DEPTH,
    FORCE_AT,
    GROUP_TO,
    GROUP_UNITS,
    HAND,
    KEEP_CARDS,
    KIND_COUNT,
    LIMITS,
    LIST,
    LISTED,
    LOSSES,
    MANOEUVRE,
    MISSIONS,
    MOST_LISTED,
    MOVE_ORDER,
    MOVE_ORIGIN,
    MOVE_TARGET,
    MY_LOSSES,
    ORDER_LEFT,
    OWNER,
    PEOPLE,
    PLACES,
    REROLL_DUE,
    ROLL,
    S_ACT,
    S_ASSAULT,
    S_AUCTIONS,
    S_BATTLE,
    S_BATTLES,
    S_BID,
    S_CASUALTIES,
    S_GARRISON,
    S_KEEP,
    S_MISSIONS,
    S_MOVE,
    S_PICK,
    S_REVEALS,
    S_SETTLE,
    S_SHIELDS,
    S_SPEND,
    S_TAX,
    S_TIE,
    S_TURN,
    STACK,
    STEP_SIZE,
    STEPS,
    THEIR_LOSSES,
    UNITS_AT,
    UNSEEN,
    V_AUCTION,
    V_BERLIN,
    V_BESIEGE,
    V_BID,
    V_BUILD,
    V_BUY,
    V_CROWN,
    V_DONE,
    V_FIGHT,
    V_FORTIFY,
    V_FROM,
    V_GARRISON,
    V_KEEP,
    V_LOSE,
    V_MARCH,
    V_ORDER,
    V_PASS,
    V_PICK,
    V_REROLL,
    V_REVEAL,
    V_SETTLE,
    V_STAND,
    V_STORM,
    V_TAX,
    V_TO,
    VERB_SHIFT,
)
from powderkeg.games.risk_europe.fast.map_tables import (
    CARD_ORDERS,
    GOLD_LIST,
    HAS_FORTIFY,
    HAS_SIEGE,
    IS_TOWN,
    LAND_COUNT,
    LAND_NEAR,
    NEAR,
    NEAR_COUNT,
)

# What is pending


@kernel_part
def step_start(b: Cells) -> int:
    """Where the record of the step on top begins."""
    return STEPS + STEP_SIZE * (int(b[DEPTH]) - 1)


@kernel_part
def step_kind(b: Cells) -> int:
    return int(b[step_start(b)])


@kernel_part
def step_value(b: Cells, place: int) -> int:
    """A number of the step on top: 1 is its first."""
    return int(b[step_start(b) + place])


@kernel_part
def waits_for_chance(b: Cells) -> bool:
    kind = step_kind(b)
    if kind == S_BATTLE:
        return b[B_STAGE] == ROLL or b[B_STAGE] == REROLL_DUE  # type: ignore[no-any-return]  # a comparison
    if kind == S_TURN:
        return step_value(b, 1) >= b[PEOPLE]  # type: ignore[no-any-return]  # a comparison
    if kind == S_MISSIONS:
        return b[UNSEEN] != 0  # type: ignore[no-any-return]  # a comparison
    return kind in (S_SHIELDS, S_TIE, S_ASSAULT)


@kernel_part
def asked_bits(b: Cells) -> int:
    """The players whose answers the step on top waits for; chance is asked before them."""
    kind = step_kind(b)
    if kind in (S_ACT, S_MOVE, S_TAX, S_SPEND):
        return 1 << commander_of(b, step_value(b, 1))
    if kind == S_BATTLE:
        return _battle_bits(b)
    if kind == S_CASUALTIES:
        at = step_value(b, 1)
        return 1 << losing_player(b, int(b[OWNER + at]), step_value(b, 2))
    if kind in (S_BATTLES, S_AUCTIONS):
        return 1 << marker_player(b)
    if kind in (S_SETTLE, S_GARRISON, S_KEEP):
        return 1 << step_value(b, 1)
    found = 0
    for who in range(b[PEOPLE]):
        own = army_at(who)
        if not is_alive(b, who):
            continue
        if kind == S_PICK:
            found |= int(b[own + STACK] < 0) << who
        elif kind == S_BID:
            found |= int(b[own + BID] < 0) << who
        elif kind == S_REVEALS:
            found |= int(b[own + MISSIONS] != 0 and not step_value(b, 1) >> who & 1) << who
    return found


@kernel_part
def _battle_bits(b: Cells) -> int:
    attacker, defender = int(b[ATTACKER + b[B_AT]]), int(b[OWNER + b[B_AT]])
    if b[B_STAGE] == CASTLE_ASKED:
        return 1 << losing_player(b, defender, attacker)
    found = 0
    if b[B_STAGE] == LOSSES:
        if b[MY_LOSSES] < 0:
            found |= 1 << losing_player(b, attacker, defender)
        if b[THEIR_LOSSES] < 0:
            found |= 1 << losing_player(b, defender, attacker)
    return found


@kernel_part
def may_answer_now(b: Cells, who: int) -> bool:
    """Whether a player is asked, or may still change an answer."""
    kind = step_kind(b)
    return kind in (S_PICK, S_BID) or asked_bits(b) >> who & 1 == 1


# Lists


@kernel_part
def add_code(w: Cells, n: int, verb: int, payload: int) -> int:
    """Write a code to a list of `n`, if there is room; the new length."""
    if n < MOST_LISTED:
        w[LIST + n] = verb << VERB_SHIFT | payload
    return n + 1


@kernel_part
def add_places(w: Cells, n: int, verb: int, bits: int) -> int:
    """A code for every territory in `bits`."""
    while bits:
        n = add_code(w, n, verb, bit_place(bits))
        bits &= bits - 1
    return n


@kernel_joint
def list_answers(b: Cells, who: int, w: Cells) -> int:
    """What a player may answer: a list and its length, or limits of units if these have a verb."""
    w[LIMITS] = 0
    kind = step_kind(b)
    if kind == S_ACT:
        return _list_act(b, w)
    if kind == S_MOVE:
        return _list_move(b, w)
    if kind == S_SPEND:
        return _list_purchases(b, w, step_value(b, 1))
    if kind in (S_BATTLE, S_CASUALTIES):
        return _list_battle(b, who, w)
    if kind == S_PICK:
        return _list_pairs(b, who, w)
    if kind == S_TAX:
        return add_places(w, 0, V_TAX, taxable_bits(b, step_value(b, 1)))
    return _list_rest(b, who, w, kind)


@kernel_part
def _list_rest(b: Cells, who: int, w: Cells, kind: int) -> int:
    n = 0
    if kind == S_BATTLES:
        for at in range(PLACES):
            if b[ATTACKER + at] >= 0:
                n = add_code(w, n, V_FIGHT, at)
    elif kind == S_BID:
        for coins in range(int(b[army_at(who) + COINS]) + 1):
            n = add_code(w, n, V_BID, coins)
    elif kind == S_SETTLE:
        for city in range(len(GOLD_LIST)):
            if b[OWNER + GOLD_LIST[city]] < 0:
                n = add_code(w, n, V_SETTLE, int(GOLD_LIST[city]))
    elif kind == S_GARRISON:
        n = _list_garrisons(b, w)
    elif kind == S_AUCTIONS:
        n = add_code(w, add_code(w, 0, V_AUCTION, 2), V_AUCTION, 3)
    elif kind == S_KEEP:
        for place in range(2):
            if b[KEEP_CARDS + place] >= 0:
                n = add_code(w, n, V_KEEP, int(b[KEEP_CARDS + place]))
    elif kind == S_REVEALS:
        n = add_code(w, 0, V_PASS, 0)
    return n


@kernel_part
def _list_garrisons(b: Cells, w: Cells) -> int:
    n, city = 0, step_value(b, 2)
    for near in range(NEAR_COUNT[city]):
        at = int(NEAR[city, near])
        if not IS_TOWN[at] and b[OWNER + at] < 0:
            for footmen in range(1, step_value(b, 3)):
                n = add_code(w, n, V_GARRISON, at << 8 | footmen)
    return n


@kernel_part
def held_cards(b: Cells, who: int, kind: int) -> int:
    """How many of a card a player has in hand or placed."""
    own = army_at(who)
    placed = int(b[own + STACK] == kind) + int(b[own + STACK + 1] == kind)
    return int(b[own + HAND + kind]) + placed


@kernel_part
def _list_pairs(b: Cells, who: int, w: Cells) -> int:
    n = 0
    for first in range(KIND_COUNT):
        if held_cards(b, who, first) == 0:
            continue
        for second in range(KIND_COUNT):
            if held_cards(b, who, second) > int(first == second):
                n = add_code(w, n, V_PICK, first << 8 | second)
    return n


@kernel_part
def _list_act(b: Cells, w: Cells) -> int:
    army, card, left = step_value(b, 1), step_value(b, 2), step_value(b, 3)
    n = 0
    if left & ORDER_LEFT:
        for place in range(2):
            order = int(CARD_ORDERS[card, place])
            if may_order(b, army, order):
                n = add_code(w, n, V_ORDER, order)
    if bonus_open(left):
        if HAS_FORTIFY[card]:
            n = add_places(w, n, V_FORTIFY, fortify_bits(b, army))
        elif HAS_SIEGE[card]:
            n = list_assaults(b, w, n, army)
    if left & BERLIN_LEFT and may_move(b, army, MANOEUVRE):
        n = add_code(w, n, V_BERLIN, 0)
    return add_code(w, n, V_PASS, 0)


@kernel_part
def list_assaults(b: Cells, w: Cells, n: int, army: int) -> int:
    """As `siege_assaults`."""
    for origin in range(PLACES):
        if b[OWNER + origin] != army or b[ATTACKER + origin] >= 0:
            continue
        if b[UNITS_AT + 4 * origin + SIEGES] == 0:
            continue
        for near in range(LAND_COUNT[origin]):
            target = int(LAND_NEAR[origin, near])
            if may_besiege(b, army, origin, target):
                n = add_code(w, n, V_BESIEGE, origin << 8 | target)
    return n


@kernel_part
def _list_move(b: Cells, w: Cells) -> int:
    army = step_value(b, 1)
    if b[MOVE_ORIGIN] < 0:
        n, order, held = 0, int(b[MOVE_ORDER]), held_places(b, army)
        while held:
            origin = bit_place(held)
            held &= held - 1
            if may_leave(b, army, order, origin):
                n = add_code(w, n, V_FROM, origin)
        return n
    if b[MOVE_TARGET] >= 0:
        _limit_move(b, w, army)
        return 0
    if b[GROUP_TO] < 0:
        return add_places(w, 0, V_TO, target_places(b, army))
    return add_code(w, add_places(w, 0, V_TO, second_places(b, army)), V_DONE, 0)


@kernel_part
def list_buys(b: Cells, w: Cells, army: int) -> int:
    """The units that could be bought, one place after the other."""
    n, places = 0, recruiting_bits(b, army)
    for unit in range(4):
        most = most_units(b, army, unit)
        bits = places
        while bits:
            at = bit_place(bits)
            bits &= bits - 1
            for count in range(1, most + 1):
                n = add_code(w, n, V_BUY, unit << 14 | at << 8 | count)
    return n


@kernel_part
def list_other_buys(b: Cells, w: Cells, n: int, army: int) -> int:
    """Castles, a crown, and the end of the purchases."""
    n = add_places(w, n, V_BUILD, castle_sites(b, army))
    if may_buy_crown(b, army):
        n = add_code(w, n, V_CROWN, 0)
    return add_code(w, n, V_DONE, 0)


@kernel_part
def _list_purchases(b: Cells, w: Cells, army: int) -> int:
    return list_other_buys(b, w, list_buys(b, w, army), army)


@kernel_part
def _list_battle(b: Cells, who: int, w: Cells) -> int:
    if step_kind(b) == S_CASUALTIES:
        _limit_losses(b, w, UNITS_AT + 4 * step_value(b, 1), step_value(b, 3))
        return 0
    if b[B_STAGE] == CASTLE_ASKED:
        return add_code(w, add_code(w, 0, V_STAND, 0), V_REROLL, 0)
    at = int(b[B_AT])
    attacker, defender = int(b[ATTACKER + at]), int(b[OWNER + at])
    if b[MY_LOSSES] < 0 and losing_player(b, attacker, defender) == who:
        _limit_losses(b, w, FORCE_AT + 4 * at, rank_hits(b) & 255)
    else:
        _limit_losses(b, w, UNITS_AT + 4 * at, rank_hits(b) >> 8)
    return 0


@kernel_part
def add_reveals(b: Cells, who: int, w: Cells, n: int) -> int:
    """The missions that may be shown at any time."""
    ready = ready_cards(b, who)
    for card in range(CROWN_COUNT):
        if ready >> card & 1:
            n = add_code(w, n, V_REVEAL, card)
    return n


# Limits of units


@kernel_part
def _set_limits(
    b: Cells, w: Cells, verb: int, start: int, least: int, most: int, siege: int
) -> None:
    w[LIMITS] = verb
    for unit in range(4):
        w[LIMITS + 1 + unit] = b[start + unit]
    w[LIMITS + 5] = max(least, siege)
    w[LIMITS + 6] = min(most, sum_units(b, start))
    w[LIMITS + 7] = siege


@kernel_part
def _limit_losses(b: Cells, w: Cells, start: int, hits: int) -> None:
    _set_limits(b, w, V_LOSE, start, hits, hits, 0)


@kernel_part
def _limit_move(b: Cells, w: Cells, army: int) -> None:
    """As `move_forces`."""
    origin, target = int(b[MOVE_ORIGIN]), int(b[MOVE_TARGET])
    start = UNITS_AT + 4 * origin
    if b[MOVE_ORDER] == MANOEUVRE:
        _set_limits(b, w, V_MARCH, start, 1, units_here(b, origin) - staying_units(b, origin), 0)
        return
    bars = castle_bars(b, army, target)
    most = spare_units(b, origin)
    _set_limits(b, w, V_STORM if bars else V_MARCH, start, 1, most, int(bars))
    if b[GROUP_TO] >= 0:
        for unit in range(4):
            w[LIMITS + 1 + unit] -= b[GROUP_UNITS + unit]
        gone = sum_units(b, GROUP_UNITS)
        w[LIMITS + 6] = min(most, units_here(b, origin)) - gone


@kernel_part
def force_count(w: Cells) -> int:
    """As `Forces.count_all`."""
    least, most, count = int(w[LIMITS + 5]), int(w[LIMITS + 6]), 0
    for s in range(int(w[LIMITS + 7]), int(w[LIMITS + 4]) + 1):
        for c in range(int(w[LIMITS + 3]) + 1):
            for rest in range(s + c, s + c + int(w[LIMITS + 2]) + 1):
                high = min(int(w[LIMITS + 1]), most - rest)
                count += max(0, high - max(0, least - rest) + 1)
    return count


@kernel_part
def is_sole_force(w: Cells) -> bool:
    """As `Forces.is_single`."""
    most, whole, kinds = int(w[LIMITS + 6]), 0, 0
    if w[LIMITS + 5] != most:
        return False
    for unit in range(4):
        whole += int(w[LIMITS + 1 + unit])
        kinds += int(w[LIMITS + 1 + unit] > 0)
    return most == w[LIMITS + 7] or most == whole or kinds == 1


@kernel_part
def list_forces(w: Cells, most_wanted: int) -> int:
    """Write the choices of units as a list, up to some; how many there are."""
    least, most, verb = int(w[LIMITS + 5]), int(w[LIMITS + 6]), int(w[LIMITS])
    n = 0
    for s in range(int(w[LIMITS + 7]), int(w[LIMITS + 4]) + 1):
        for c in range(min(int(w[LIMITS + 3]), most - s) + 1):
            for a in range(min(int(w[LIMITS + 2]), most - s - c) + 1):
                rest = s + c + a
                for f in range(max(0, least - rest), min(int(w[LIMITS + 1]), most - rest) + 1):
                    n = add_code(w, n, verb, f << 11 | a << 7 | c << 3 | s)
                    if n == most_wanted:
                        return n
    return n


@kernel_part
def only_answer(b: Cells, who: int, w: Cells) -> int:
    """The only legal answer, or -1; where there is a choice the sheet may have it."""
    w[LISTED] = -1
    kind = step_kind(b)
    if kind in (S_REVEALS, S_SPEND, S_BID, S_PICK):
        return _only_long_answer(b, who, w, kind)
    n = list_answers(b, who, w)
    if w[LIMITS]:
        if not is_sole_force(w):
            w[LISTED] = 0
            return -1
        list_forces(w, 1)
        return int(w[LIST])
    w[LISTED] = n
    return int(w[LIST]) if n == 1 else -1


@kernel_part
def _only_long_answer(b: Cells, who: int, w: Cells, kind: int) -> int:
    """The same for steps with long lists, without writing them."""
    if kind == S_SPEND and not may_spend(b, step_value(b, 1)):
        return V_DONE << VERB_SHIFT
    if kind == S_BID and b[army_at(who) + COINS] == 0:
        return V_BID << VERB_SHIFT
    if kind == S_PICK and _list_pairs(b, who, w) == 1:
        return int(w[LIST])
    return -1
