"""Reading the board, compiled: the counterparts of `state.py`, `rules/missions.py` and `rules/moves.py`.

Numbers taken from the board are made plain integers with `int`, so that every function is compiled
for one kind of number only.
"""

# ruff: noqa: SIM110  # loops are quicker than `any` when compiled

# compiled functions take their arguments by position

from typing import Any, TypeAlias

from powderkeg.games.risk_europe.fast.compiling import kernel_part
from powderkeg.games.risk_europe.fast.layout import (
    ACTIVE,
    ARMIES,
    ARMY_COUNT,
    ARMY_SIZE,
    ATTACKER,
    B_CASTLE,
    B_PRICE,
    B_RANGE,
    BONUS_LEFT,
    BOUGHT,
    BUYS,
    CASTLE,
    COINS,
    COMPLETED,
    CONTROLLER,
    CROWN_COUNT,
    CROWNS_LEFT,
    EXPAND,
    FORCE_AT,
    GROUP_TO,
    GROUP_UNITS,
    LOSS_CONTROLLER,
    LOSS_RULING,
    M_CASTLES,
    M_COINS,
    M_SEA_LINES,
    M_TERRITORIES,
    M_UNITS,
    MANOEUVRE,
    MARKER,
    MISSIONS,
    MOVE_ORDER,
    MOVE_ORIGIN,
    OUT,
    OWNER,
    PACK,
    PACK_SIZE,
    PEOPLE,
    PLACES,
    RESERVE,
    RING,
    SPLIT,
    UNITS_AT,
    WINS,
    WITH_MISSIONS,
)
from powderkeg.games.risk_europe.fast.map_tables import (
    ALL_UNITS,
    BASE_PRICES,
    BERLIN_SHIELD,
    BIT_PLACE,
    CITY_LIST,
    IS_TOWN,
    KIEV,
    KIEV_PLACE,
    LAND_COUNT,
    LAND_NEAR,
    LINE_ENDS,
    NEAR,
    NEAR_BITS,
    NEAR_COUNT,
    ROME_PLACE,
)

Cells: TypeAlias = Any  # the numbers of a board
FOOTMEN, ARCHERS, RIDERS, SIEGES = range(4)
CROWN_COST, CASTLE_COST, BERLIN_SAVES, ALL_CASTLES = 10, 12, 3, 8
USUAL_RANGE = 2


@kernel_part
def army_at(army: int) -> int:
    """Where the record of an army begins."""
    return ARMIES + army * ARMY_SIZE


@kernel_part
def sum_units(b: Cells, start: int) -> int:
    """How many units the four numbers from `start` are."""
    return int(b[start]) + int(b[start + 1]) + int(b[start + 2]) + int(b[start + 3])


@kernel_part
def units_here(b: Cells, at: int) -> int:
    return sum_units(b, UNITS_AT + 4 * at)


@kernel_part
def is_alive(b: Cells, army: int) -> bool:
    return b[ARMIES + army * ARMY_SIZE + OUT] == 0  # type: ignore[no-any-return]  # a comparison


@kernel_part
def commander_of(b: Cells, army: int) -> int:
    """As `deciding_player`."""
    return army if army < b[PEOPLE] else int(b[ARMIES + army * ARMY_SIZE + CONTROLLER])


@kernel_part
def first_in_ring(b: Cells, start: int, skipped: int) -> int:
    """The living player after `skipped` others around the table, from the seat of army `start`."""
    place = 0
    while b[RING + place] != start:
        place += 1
    for more in range(ARMY_COUNT):
        army = int(b[RING + (place + more) % ARMY_COUNT])
        if 0 <= army < b[PEOPLE] and is_alive(b, army):
            if skipped == 0:
                return army
            skipped -= 1
    return -1


@kernel_part
def marker_player(b: Cells) -> int:
    """As `marker_holder`."""
    who = commander_of(b, int(b[MARKER]))
    if 0 <= who < b[PEOPLE] and is_alive(b, who):
        return who
    return first_in_ring(b, int(b[MARKER]), 0)


@kernel_part
def losing_player(b: Cells, army: int, foe: int) -> int:
    """As `loss_chooser`."""
    who = commander_of(b, army)
    if army < b[PEOPLE] or who != foe or b[LOSS_RULING] == LOSS_CONTROLLER:
        return who
    return first_in_ring(b, who, 1)


@kernel_part
def crowns_of(b: Cells, army: int) -> int:
    """As `count_crowns`."""
    own = army_at(army)
    if b[own + OUT]:
        return 0
    crowns = int(b[own + BOUGHT]) + count_bits(int(b[own + COMPLETED]))
    for n in range(len(CITY_LIST)):
        crowns += b[OWNER + CITY_LIST[n]] == army
    return crowns + int(b[OWNER + ROME_PLACE] == army)


@kernel_part
def count_bits(bits: int) -> int:
    found = 0
    while bits:
        bits &= bits - 1
        found += 1
    return found


@kernel_part
def bit_place(bits: int) -> int:
    """The place of the lowest bit."""
    return int(BIT_PLACE[(bits & -bits) % 67])


@kernel_part
def held_places(b: Cells, army: int) -> int:
    """The territories of an army, as bits."""
    bits = 0
    for at in range(PLACES):
        bits |= int(b[OWNER + at] == army) << at
    return bits


@kernel_part
def disputed_places(b: Cells) -> int:
    bits = 0
    for at in range(PLACES):
        bits |= int(b[ATTACKER + at] >= 0) << at
    return bits


@kernel_part
def linked_places(b: Cells, army: int, start: int) -> int:
    """As `supply_line`, as bits."""
    free = held_places(b, army) & ~disputed_places(b)
    edge = (1 << start) & free
    seen = edge
    while edge:
        at = bit_place(edge)
        edge &= edge - 1
        grown = int(NEAR_BITS[at]) & free & ~seen
        seen |= grown
        edge |= grown
    return seen


# Crown cards


@kernel_part
def bonus_sum(b: Cells, army: int, kind: int, unit: int) -> int:
    """As `bonus_amount`."""
    done = int(b[army_at(army) + COMPLETED])
    found = 0
    if done == 0:
        return found
    for card in range(CROWN_COUNT):
        row = PACK + PACK_SIZE * card
        if done >> card & 1 and b[row + 3] == kind and b[row + 5] == unit:
            amount = int(b[row + 4])
            if kind == B_PRICE:
                found = amount if found == 0 else min(found, amount)
            elif kind == B_RANGE:
                found = max(found, amount)
            else:
                found += amount
    return found


@kernel_part
def mission_count(b: Cells, army: int, kind: int, unit: int) -> int:
    """What a mission counts."""
    own = army_at(army)
    if kind == M_UNITS:
        return int(ALL_UNITS[unit]) - int(b[own + RESERVE + unit])
    if kind == M_COINS:
        return int(b[own + COINS])
    if kind == M_TERRITORIES:
        return count_bits(held_places(b, army))
    found = 0
    if kind == M_CASTLES:
        for at in range(PLACES):
            found += int(b[CASTLE + at] == 1 and b[OWNER + at] == army)
        return found
    if kind == M_SEA_LINES:
        for n in range(len(LINE_ENDS)):
            one, other = b[OWNER + LINE_ENDS[n, 0]], b[OWNER + LINE_ENDS[n, 1]]
            found += int(one == army and other == army)
        return found
    return int(b[own + WINS])


@kernel_part
def ready_cards(b: Cells, army: int) -> int:
    """The missions that could be revealed now, as bits."""
    if not b[WITH_MISSIONS]:
        return 0
    held = int(b[army_at(army) + MISSIONS])
    found = 0
    for card in range(CROWN_COUNT):
        if held >> card & 1:
            row = PACK + PACK_SIZE * card
            have = mission_count(b, army, int(b[row]), int(b[row + 2]))
            found |= int(have >= b[row + 1]) << card
    return found


# Movement


@kernel_part
def spare_units(b: Cells, origin: int) -> int:
    """As `movable_units`."""
    stay = 1
    if b[ATTACKER + origin] >= 0:
        stay = max(1, sum_units(b, FORCE_AT + 4 * origin))
    return units_here(b, origin) - stay


@kernel_part
def may_enter(b: Cells, army: int, to: int, siege: int) -> bool:
    """Whether an expansion with or without siege weapons may go to `to`."""
    owner = b[OWNER + to]
    if owner < 0:
        return True
    if owner == army or b[ATTACKER + to] >= 0:
        return False
    return b[CASTLE + to] == 0 or siege > 0


@kernel_part
def may_expand_from(b: Cells, army: int, origin: int) -> bool:
    if b[OWNER + origin] != army or spare_units(b, origin) < 1:
        return False
    siege = int(b[UNITS_AT + 4 * origin + SIEGES])
    for n in range(NEAR_COUNT[origin]):
        if may_enter(b, army, int(NEAR[origin, n]), siege):
            return True
    return False


@kernel_part
def staying_units(b: Cells, origin: int) -> int:
    """How many units a manoeuvre leaves behind."""
    return 1 if IS_TOWN[origin] or b[CASTLE + origin] else 0


@kernel_part
def may_manoeuvre_from(b: Cells, army: int, origin: int) -> bool:
    if b[OWNER + origin] != army or b[ATTACKER + origin] >= 0:
        return False
    if units_here(b, origin) <= staying_units(b, origin):
        return False
    for n in range(NEAR_COUNT[origin]):
        to = int(NEAR[origin, n])
        if b[OWNER + to] == army or b[ATTACKER + to] == army:
            return True
    return False


@kernel_part
def may_leave(b: Cells, army: int, order: int, origin: int) -> bool:
    if order == MANOEUVRE:
        return may_manoeuvre_from(b, army, origin)
    return may_expand_from(b, army, origin)


@kernel_part
def may_move(b: Cells, army: int, order: int) -> bool:
    for origin in range(PLACES):
        if b[OWNER + origin] == army and may_leave(b, army, order, origin):
            return True
    return False


@kernel_part
def marching_places(b: Cells, army: int, origin: int) -> int:
    """As `manoeuvre_targets`, as bits."""
    reach = bonus_sum(b, army, B_RANGE, -1) or USUAL_RANGE
    mine = 0
    for at in range(PLACES):
        if b[ATTACKER + at] >= 0 and (b[ATTACKER + at] == army or b[OWNER + at] == army):
            mine |= 1 << at
    open_places = held_places(b, army) | mine
    seen = edge = 1 << origin
    for _ in range(reach):
        grown = 0
        while edge:
            grown |= int(NEAR_BITS[bit_place(edge)])
            edge &= edge - 1
        grown &= open_places & ~seen
        seen |= grown
        edge = grown & ~mine
    return seen & ~(1 << origin)


@kernel_part
def target_places(b: Cells, army: int) -> int:
    """Where the move in the making may go now, as bits."""
    origin = int(b[MOVE_ORIGIN])
    if b[MOVE_ORDER] == MANOEUVRE:
        return marching_places(b, army, origin)
    siege = int(b[UNITS_AT + 4 * origin + SIEGES])
    if b[GROUP_TO] >= 0:
        siege -= int(b[GROUP_UNITS + SIEGES])
    found = 0
    for n in range(NEAR_COUNT[origin]):
        to = int(NEAR[origin, n])
        if to != b[GROUP_TO] and may_enter(b, army, to, siege):
            found |= 1 << to
    return found


@kernel_part
def second_places(b: Cells, army: int) -> int:
    """As `second_targets`, as bits."""
    if b[MOVE_ORDER] != SPLIT or b[GROUP_TO] < 0:
        return 0
    gone = sum_units(b, GROUP_UNITS)
    if spare_units(b, int(b[MOVE_ORIGIN])) <= gone:
        return 0
    return target_places(b, army)


@kernel_part
def castle_bars(b: Cells, army: int, target: int) -> bool:
    """As `needs_siege`."""
    return b[CASTLE + target] == 1 and b[OWNER + target] >= 0 and b[OWNER + target] != army  # type: ignore[no-any-return]  # a comparison


@kernel_part
def may_besiege(b: Cells, army: int, origin: int, target: int) -> bool:
    """Whether siege weapons in an undisputed `origin` may fire at a neighbour."""
    owner = b[OWNER + target]
    return b[ATTACKER + target] < 0 and owner >= 0 and owner != army  # type: ignore[no-any-return]  # a comparison


@kernel_part
def has_assault(b: Cells, army: int) -> bool:
    if b[army_at(army) + RESERVE + SIEGES] >= ALL_UNITS[SIEGES]:
        return False
    for origin in range(PLACES):
        if b[OWNER + origin] == army and b[UNITS_AT + 4 * origin + SIEGES]:
            if b[ATTACKER + origin] >= 0:
                continue
            for n in range(LAND_COUNT[origin]):
                if may_besiege(b, army, origin, int(LAND_NEAR[origin, n])):
                    return True
    return False


# Coins


@kernel_part
def price_of(b: Cells, army: int, unit: int) -> int:
    """As `unit_price`."""
    return bonus_sum(b, army, B_PRICE, unit) or int(BASE_PRICES[unit])


@kernel_part
def castle_cost(b: Cells, army: int) -> int:
    """As `castle_price`."""
    berlin = BERLIN_SAVES if b[ACTIVE + BERLIN_SHIELD] == army else 0
    return max(0, CASTLE_COST - berlin - bonus_sum(b, army, B_CASTLE, -1))


@kernel_part
def recruiting_bits(b: Cells, army: int) -> int:
    """As `recruiting_places`, as bits."""
    kiev = linked_places(b, army, KIEV_PLACE) if b[ACTIVE + KIEV] == army else 0
    found = 0
    for at in range(PLACES):
        if b[OWNER + at] == army and b[ATTACKER + at] < 0:
            found |= int(IS_TOWN[at] or b[CASTLE + at] == 1 or kiev >> at & 1) << at
    return found


@kernel_part
def castles_built(b: Cells) -> int:
    found = 0
    for at in range(PLACES):
        found += int(b[CASTLE + at])
    return found


@kernel_part
def castle_sites(b: Cells, army: int) -> int:
    """The territories where a castle can be built now, as bits."""
    if b[army_at(army) + COINS] < castle_cost(b, army) or castles_built(b) >= ALL_CASTLES:
        return 0
    found = 0
    for at in range(PLACES):
        if b[OWNER + at] == army and b[ATTACKER + at] < 0 and b[CASTLE + at] == 0:
            found |= 1 << at
    return found


@kernel_part
def may_buy_crown(b: Cells, army: int) -> bool:
    """As `why_not_crown`."""
    own = army_at(army)
    if b[WITH_MISSIONS] or army >= b[PEOPLE] or b[CROWNS_LEFT] == 0:
        return False
    return b[own + BUYS] == 1 and b[own + COINS] >= CROWN_COST  # type: ignore[no-any-return]  # a comparison


@kernel_part
def most_units(b: Cells, army: int, unit: int) -> int:
    """How many of a unit the army's coins and reserve allow."""
    own = army_at(army)
    return min(int(b[own + RESERVE + unit]), int(b[own + COINS]) // price_of(b, army, unit))


@kernel_part
def may_spend(b: Cells, army: int) -> bool:
    """As `can_spend`."""
    if may_buy_crown(b, army):
        return True
    wanted = False
    for unit in range(4):
        wanted = wanted or most_units(b, army, unit) > 0
    if wanted and recruiting_bits(b, army):
        return True
    return castle_sites(b, army) != 0


@kernel_part
def taxable_bits(b: Cells, army: int) -> int:
    """As `taxable_cities`, as bits."""
    found = 0
    for n in range(len(CITY_LIST)):
        at = int(CITY_LIST[n])
        if b[OWNER + at] == army and b[ATTACKER + at] < 0:
            found |= 1 << at
    return found


@kernel_part
def fortify_bits(b: Cells, army: int) -> int:
    """As `fortify_options`, as bits."""
    if b[army_at(army) + RESERVE + FOOTMEN] == 0:
        return 0
    found = 0
    for at in range(PLACES):
        if b[OWNER + at] == army and (IS_TOWN[at] or b[CASTLE + at] == 1):
            found |= 1 << at
    return found


@kernel_part
def may_order(b: Cells, army: int, order: int) -> bool:
    """As `can_order`."""
    if order <= MANOEUVRE:
        return may_move(b, army, EXPAND if order == SPLIT else order)
    if order == MANOEUVRE + 1:
        return taxable_bits(b, army) != 0
    return may_spend(b, army)


@kernel_part
def bonus_open(left: int) -> bool:
    return left & BONUS_LEFT != 0
