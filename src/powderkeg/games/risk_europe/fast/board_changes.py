"""Changes of the board, compiled: the counterparts of `rules/realm.py`, `turns.py` and `economy.py`."""

# compiled functions take their arguments by position

from powderkeg.games.risk_europe.fast.board_queries import (
    ARCHERS,
    CROWN_COST,
    FOOTMEN,
    RIDERS,
    SIEGES,
    Cells,
    army_at,
    bit_place,
    bonus_sum,
    castle_cost,
    linked_places,
    price_of,
    second_places,
    sum_units,
)
from powderkeg.games.risk_europe.fast.compiling import kernel_part
from powderkeg.games.risk_europe.fast.layout import (
    ACTIVE,
    ATTACKER,
    B_FORTIFY,
    B_TAX,
    B_TAX_UNITS,
    BERLIN_LEFT,
    BONUS_LEFT,
    BOUGHT,
    BUYS,
    CASTLE,
    COINS,
    CROWNS_LEFT,
    DEPTH,
    FORCE_AT,
    GROUP_TO,
    GROUP_UNITS,
    MANOEUVRE,
    MOVE_ORDER,
    MOVE_ORIGIN,
    MOVE_TARGET,
    ORDER_LEFT,
    OWNER,
    PAYLOAD,
    RESERVE,
    S_ACT,
    S_ASSAULT,
    S_GARRISON,
    S_MOVE,
    S_SPEND,
    S_TAX,
    SPEND_ORDER,
    STEP_SIZE,
    STEPS,
    TAX_ORDER,
    UNITS_AT,
    V_BERLIN,
    V_BESIEGE,
    V_BUILD,
    V_BUY,
    V_CROWN,
    V_DONE,
    V_FORTIFY,
    V_FROM,
    V_ORDER,
    V_PASS,
    V_TO,
    VERB_SHIFT,
)
from powderkeg.games.risk_europe.fast.legal_actions import step_kind, step_start, step_value
from powderkeg.games.risk_europe.fast.map_tables import (
    BERLIN_SHIELD,
    CONSTANTINOPLE,
    GOLD_INDEX,
    GOLD_LIST,
    IS_TOWN,
    LONDON,
    MADRID,
    PARIS,
    TAX_OF,
)

ESCORT_SIZE, CITY_FOOTMEN, CASTLE_FOOTMEN = 4, 3, 4

# The agenda


@kernel_part
def pop_record(b: Cells) -> None:
    b[DEPTH] -= 1


@kernel_part
def push_record(b: Cells, kind: int, x: int, y: int, z: int) -> None:
    start = STEPS + STEP_SIZE * int(b[DEPTH])
    b[start], b[start + 1], b[start + 2], b[start + 3] = kind, x, y, z
    b[DEPTH] += 1


# Territories


@kernel_part
def set_owner(b: Cells, at: int, army: int) -> None:
    """A territory changes hands: the loss of a shield is immediate (R-CITY-02)."""
    b[OWNER + at] = army
    if GOLD_INDEX[at] >= 0:
        b[ACTIVE + GOLD_INDEX[at]] = -1


@kernel_part
def claim_place(b: Cells, army: int, at: int) -> None:
    """As `claim_territory`; the units are already there."""
    set_owner(b, at, army)
    if IS_TOWN[at]:
        b[army_at(army) + COINS] += TAX_OF[at]


@kernel_part
def add_unit_row(b: Cells, to: int, source: int) -> None:
    for unit in range(4):
        b[to + unit] += b[source + unit]


@kernel_part
def arrive_units(b: Cells, army: int, at: int, f: int, a: int, c: int, s: int) -> None:
    """As `enter_territory`."""
    owner = int(b[OWNER + at])
    start = UNITS_AT + 4 * at
    if owner >= 0 and owner != army:
        start = FORCE_AT + 4 * at
        b[ATTACKER + at] = army
    b[start] += f
    b[start + 1] += a
    b[start + 2] += c
    b[start + 3] += s
    if owner < 0:
        claim_place(b, army, at)


@kernel_part
def leave_place(b: Cells, at: int, f: int, a: int, c: int, s: int) -> None:
    """As `leave_territory`."""
    start = UNITS_AT + 4 * at
    b[start] -= f
    b[start + 1] -= a
    b[start + 2] -= c
    b[start + 3] -= s
    if sum_units(b, start) == 0:
        set_owner(b, at, -1)


@kernel_part
def recruit_here(b: Cells, army: int, at: int, unit: int, count: int) -> None:
    """As `recruit_units`, for one kind."""
    own = army_at(army)
    came = min(count, int(b[own + RESERVE + unit]))
    b[own + RESERVE + unit] -= came
    b[UNITS_AT + 4 * at + unit] += came


# The card


@kernel_part
def answer_act(b: Cells, code: int) -> None:
    """As `play_card`."""
    verb, payload = code >> VERB_SHIFT, code & PAYLOAD
    army, start = step_value(b, 1), step_start(b)
    if verb == V_PASS:
        pop_record(b)
    elif verb == V_ORDER:
        b[start + 3] &= ~ORDER_LEFT
        if payload == TAX_ORDER:
            push_record(b, S_TAX, army, 0, 0)
        elif payload == SPEND_ORDER:
            push_record(b, S_SPEND, army, 0, 0)
        else:
            begin_move(b, army, payload)
    elif verb == V_FORTIFY:
        b[start + 3] &= ~BONUS_LEFT
        fortify_place(b, army, payload)
    elif verb == V_BESIEGE:
        b[start + 3] &= ~BONUS_LEFT
        push_record(b, S_ASSAULT, army, payload >> 8, payload & 255)
    elif verb == V_BERLIN:
        b[start + 3] = 0
        begin_move(b, army, MANOEUVRE)


@kernel_part
def begin_move(b: Cells, army: int, order: int) -> None:
    push_record(b, S_MOVE, army, 0, 0)
    b[MOVE_ORDER] = order
    b[MOVE_ORIGIN] = b[MOVE_TARGET] = b[GROUP_TO] = -1


@kernel_part
def fortify_place(b: Cells, army: int, at: int) -> None:
    """As `fortify_territory`."""
    footmen = CASTLE_FOOTMEN if b[CASTLE + at] else CITY_FOOTMEN
    recruit_here(b, army, at, FOOTMEN, footmen + bonus_sum(b, army, B_FORTIFY, -1))


# Movement


@kernel_part
def answer_move(b: Cells, code: int) -> None:
    """As `move_units`."""
    verb, payload = code >> VERB_SHIFT, code & PAYLOAD
    if verb == V_FROM:
        b[MOVE_ORIGIN] = payload
    elif verb == V_TO:
        b[MOVE_TARGET] = payload
    elif verb == V_DONE:
        finish_move(b, -1, 0)
    elif b[GROUP_TO] >= 0:
        finish_move(b, int(b[MOVE_TARGET]), payload)
    else:
        b[GROUP_TO] = b[MOVE_TARGET]
        b[GROUP_UNITS], b[GROUP_UNITS + 1] = payload >> 11, payload >> 7 & 15
        b[GROUP_UNITS + 2], b[GROUP_UNITS + 3] = payload >> 3 & 15, payload & 7
        b[MOVE_TARGET] = -1
        if second_places(b, step_value(b, 1)) == 0:
            finish_move(b, -1, 0)


@kernel_part
def finish_move(b: Cells, second: int, units: int) -> None:
    """As `_carry_out_move`: all groups leave, then all arrive (R-SPLIT-07)."""
    army, order, origin, to = (
        step_value(b, 1),
        int(b[MOVE_ORDER]),
        int(b[MOVE_ORIGIN]),
        int(b[GROUP_TO]),
    )
    pop_record(b)
    g = GROUP_UNITS
    f, a, c, s = int(b[g]), int(b[g + 1]), int(b[g + 2]), int(b[g + 3])
    leave_place(b, origin, f, a, c, s)
    if second >= 0:
        leave_place(b, origin, units >> 11, units >> 7 & 15, units >> 3 & 15, units & 7)
    arrive_units(b, army, to, f, a, c, s)
    if second >= 0:
        arrive_units(b, army, second, units >> 11, units >> 7 & 15, units >> 3 & 15, units & 7)
    if order != MANOEUVRE and b[ACTIVE + BERLIN_SHIELD] == army and step_kind(b) == S_ACT:
        b[step_start(b) + 3] |= BERLIN_LEFT


# Coins


@kernel_part
def collect_taxes(b: Cells, army: int, city: int) -> None:
    """As `collect_tax`."""
    line = linked_places(b, army, city)
    coins, bits = bonus_sum(b, army, B_TAX, -1), line
    while bits:
        coins += int(TAX_OF[bit_place(bits)])
        bits &= bits - 1
    b[army_at(army) + COINS] += coins
    if _gives_units(b, army, line, LONDON):
        recruit_here(b, army, int(GOLD_LIST[LONDON]), ARCHERS, 2)
    if _gives_units(b, army, line, PARIS):
        recruit_here(b, army, int(GOLD_LIST[PARIS]), FOOTMEN, 1)
        recruit_here(b, army, int(GOLD_LIST[PARIS]), RIDERS, 1)
    if _gives_units(b, army, line, MADRID):
        recruit_here(b, army, int(GOLD_LIST[MADRID]), FOOTMEN, 4)
    for unit in range(4):
        more = bonus_sum(b, army, B_TAX_UNITS, unit)
        if more:
            recruit_here(b, army, city, unit, more)


@kernel_part
def _gives_units(b: Cells, army: int, line: int, gold: int) -> bool:
    return b[ACTIVE + gold] == army and line >> GOLD_LIST[gold] & 1 == 1  # type: ignore[no-any-return]  # a comparison


@kernel_part
def answer_spend(b: Cells, code: int) -> None:
    """As `spend_coins`."""
    verb, payload, army = code >> VERB_SHIFT, code & PAYLOAD, step_value(b, 1)
    if verb == V_BUY:
        buy_here(b, army, payload >> 14, payload >> 8 & 63, payload & 255)
    elif verb == V_BUILD:
        build_here(b, army, payload)
    elif verb == V_CROWN:
        take_crown(b, army)
    else:
        pop_record(b)


@kernel_part
def buy_here(b: Cells, army: int, unit: int, at: int, count: int) -> None:
    """As `buy_units`."""
    b[army_at(army) + COINS] -= count * price_of(b, army, unit)
    recruit_here(b, army, at, unit, count)
    if unit == SIEGES and b[ACTIVE + CONSTANTINOPLE] == army:
        recruit_here(b, army, at, FOOTMEN, ESCORT_SIZE * count)


@kernel_part
def build_here(b: Cells, army: int, at: int) -> None:
    b[army_at(army) + COINS] -= castle_cost(b, army)
    b[CASTLE + at] = 1


@kernel_part
def take_crown(b: Cells, army: int) -> None:
    own = army_at(army)
    b[own + COINS] -= CROWN_COST
    b[own + BOUGHT] += 1
    b[own + BUYS] = 0
    b[CROWNS_LEFT] -= 1


# Kingdoms


@kernel_part
def found_kingdom(b: Cells, army: int, at: int, footmen: int, castle: int) -> None:
    """As `_found_city`."""
    recruit_here(b, army, at, FOOTMEN, footmen)
    claim_place(b, army, at)
    if castle:
        b[CASTLE + at] = 1


@kernel_part
def answer_settle(b: Cells, at: int) -> None:
    army, footmen, castle = step_value(b, 1), step_value(b, 2), step_value(b, 3)
    pop_record(b)
    push_record(b, S_GARRISON, army, at, footmen)
    found_kingdom(b, army, at, footmen, castle)


@kernel_part
def answer_garrison(b: Cells, payload: int) -> None:
    army, city = step_value(b, 1), step_value(b, 2)
    pop_record(b)
    leave_place(b, city, payload & 255, 0, 0, 0)
    arrive_units(b, army, payload >> 8, payload & 255, 0, 0, 0)
