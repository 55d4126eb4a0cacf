"""Taxes, purchases and the bonus of a card, compiled: the counterpart of the rest of `candidates.py`."""

from powderkeg.bots.risk_europe.candidates import SIEGE_HITS
from powderkeg.bots.risk_europe.fast.board_value import (
    coins_worth,
    fill_gives,
    key_at,
    values_after,
    values_before,
)
from powderkeg.bots.risk_europe.fast.compiling import Cells
from powderkeg.bots.risk_europe.fast.move_plans import add_load
from powderkeg.bots.risk_europe.fast.odds_table import cheapest_key
from powderkeg.bots.risk_europe.fast.value_layout import (
    FOUND,
    MOST_BOUGHT,
    P_BOUGHT,
    P_CITY,
    P_DONE,
    P_LIST,
    P_ORDER,
    STAKES,
    TOUCHED_FAR,
    TOUCHED_NEAR,
    UP,
    W_CASTLE,
    W_FOOTMAN,
)
from powderkeg.core.fast.compiling import kernel_joint, kernel_part
from powderkeg.games.risk_europe.fast.board_changes import (
    CASTLE_FOOTMEN,
    CITY_FOOTMEN,
    answer_spend,
)
from powderkeg.games.risk_europe.fast.board_queries import (
    ARCHERS,
    CROWN_COST,
    FOOTMEN,
    RIDERS,
    SIEGES,
    army_at,
    bit_place,
    bonus_sum,
    castle_cost,
    castle_sites,
    fortify_bits,
    linked_places,
    may_besiege,
    may_buy_crown,
    most_units,
    price_of,
    recruiting_bits,
    taxable_bits,
    units_here,
)
from powderkeg.games.risk_europe.fast.layout import (
    ACTIVE,
    ATTACKER,
    B_TAX,
    CASTLE,
    DEPTH,
    OWNER,
    PLACES,
    RESERVE,
    S_SPEND,
    SPEND_ORDER,
    STEP_SIZE,
    STEPS,
    TAX_ORDER,
    UNITS_AT,
    V_BESIEGE,
    V_BUILD,
    V_BUY,
    V_CROWN,
    V_FORTIFY,
    VERB_SHIFT,
)
from powderkeg.games.risk_europe.fast.map_tables import (
    CITY_BITS,
    GOLD_LIST,
    LAND_COUNT,
    LAND_NEAR,
    LONDON,
    MADRID,
    PARIS,
    TAX_OF,
)


@kernel_joint
def more_units_gain(
    b: Cells, e: Cells, h: Cells, q: Cells, at: int, unit: int, count: int
) -> float:
    """As `reinforcement_gain`."""
    near, far = int(TOUCHED_NEAR[at]), int(TOUCHED_FAR[at])
    before = values_before(b, e, h, q, near, far)
    b[UNITS_AT + 4 * at + unit] += count
    after = values_after(b, e, h, q, near, far)
    b[UNITS_AT + 4 * at + unit] -= count
    return after - before


# Taxes


@kernel_part
def best_tax(b: Cells, e: Cells, p: Cells, army: int, best: float) -> float:
    """As `_tax_plans`: the best city to tax."""
    cities = taxable_bits(b, army)
    while cities:
        city = bit_place(cities)
        cities &= cities - 1
        line = linked_places(b, army, city)
        gain = tax_gain(b, e, army, line)
        if gain > best:
            best = gain
            p[P_ORDER], p[P_CITY] = TAX_ORDER, city
    return best


@kernel_part
def tax_gain(b: Cells, e: Cells, army: int, line: int) -> float:
    coins, bits = bonus_sum(b, army, B_TAX, -1), line
    while bits:
        coins += int(TAX_OF[bit_place(bits)])
        bits &= bits - 1
    units = 0.0
    for gold in (LONDON, PARIS, MADRID):
        if b[ACTIVE + gold] == army and line >> GOLD_LIST[gold] & 1:
            if gold == LONDON:
                units += 2 * e[W_FOOTMAN + ARCHERS]
            elif gold == PARIS:
                units += e[W_FOOTMAN] + e[W_FOOTMAN + RIDERS]
            else:
                units += 4 * e[W_FOOTMAN]
    return float(coins_worth(b, e, army, coins) + e[STAKES + army] * units)


# Purchases


@kernel_joint
def best_buy(b: Cells, e: Cells, h: Cells, q: Cells, army: int) -> int:
    """As `best_purchase`: the code of what gains most per coin, or -1; the sheet gets its gain."""
    best, code = 0.0, -1
    if may_buy_crown(b, army):
        gain = e[STAKES + army] * e[UP + army] + coins_worth(b, e, army, -CROWN_COST)
        if gain / CROWN_COST > best:
            best, code, e[FOUND] = gain / CROWN_COST, V_CROWN << VERB_SHIFT, gain
    places = recruiting_bits(b, army)
    for unit in range(4):
        count = (most_units(b, army, unit) + 1) // 2
        if count == 0:
            continue
        cost = count * price_of(b, army, unit)
        spent, bits = coins_worth(b, e, army, -cost), places
        while bits:
            at = bit_place(bits)
            bits &= bits - 1
            gain = spent + more_units_gain(b, e, h, q, at, unit, count)
            if gain / max(1, cost) > best:
                best, e[FOUND] = gain / max(1, cost), gain
                code = V_BUY << VERB_SHIFT | unit << 14 | at << 8 | count
    sites = castle_sites(b, army) & CITY_BITS
    cost = castle_cost(b, army)
    spent = coins_worth(b, e, army, -cost) + e[STAKES + army] * e[W_CASTLE]
    while sites:
        at = bit_place(sites)
        sites &= sites - 1
        near, far = int(TOUCHED_NEAR[at]), int(TOUCHED_FAR[at])
        gain = spent - values_before(b, e, h, q, near, far)
        b[CASTLE + at] = 1
        gain += values_after(b, e, h, q, near, far)
        b[CASTLE + at] = 0
        if gain / max(1, cost) > best:
            best, code, e[FOUND] = gain / max(1, cost), V_BUILD << VERB_SHIFT | at, gain
    return code


@kernel_joint
def shopping_gain(b: Cells, e: Cells, h: Cells, q: Cells, p: Cells, c: Cells, army: int) -> float:
    """As `_shopping_plans`: the gain of the whole list, which is noted. `c` is a scratch board."""
    for n in range(len(b)):
        c[n] = b[n]
    start = STEPS + STEP_SIZE * int(c[DEPTH])
    c[start], c[start + 1] = S_SPEND, army
    c[DEPTH] += 1
    gain, count = 0.0, 0
    while count < MOST_BOUGHT:
        code = best_buy(c, e, h, q, army)
        if code < 0:
            break
        gain += e[FOUND]
        p[P_LIST + count] = code
        count += 1
        answer_spend(c, code)
        fill_gives(c, e)
    if count:
        fill_gives(b, e)
    p[P_BOUGHT], p[P_DONE] = count, 0
    return gain


@kernel_part
def best_coins(b: Cells, e: Cells, h: Cells, q: Cells, p: Cells, c: Cells, army: int) -> float:
    """The better of taxing and spending."""
    best = best_tax(b, e, p, army, 0.0)
    gain = shopping_gain(b, e, h, q, p, c, army)
    if gain > best:
        best = gain
        p[P_ORDER] = SPEND_ORDER
    return best


# The bonus of a card


@kernel_joint
def best_fortress(b: Cells, e: Cells, h: Cells, q: Cells, army: int) -> int:
    """As `_fortify_plans`: the code of the best, or -1; the sheet gets its gain."""
    best, code, places = 0.0, -1, fortify_bits(b, army)
    while places:
        at = bit_place(places)
        places &= places - 1
        count = CASTLE_FOOTMEN if b[CASTLE + at] == 1 else CITY_FOOTMEN
        count = min(count, int(b[army_at(army) + RESERVE + FOOTMEN]))
        gain = more_units_gain(b, e, h, q, at, FOOTMEN, count)
        if gain > best:
            best, code = gain, V_FORTIFY << VERB_SHIFT | at
    e[FOUND] = best
    return code


@kernel_joint
def best_siege(b: Cells, e: Cells, h: Cells, q: Cells, army: int) -> int:
    """As `_siege_plans`."""
    best, code = 0.0, -1
    for origin in range(PLACES):
        weapons = int(b[UNITS_AT + 4 * origin + SIEGES])
        if b[OWNER + origin] != army or weapons == 0 or b[ATTACKER + origin] >= 0:
            continue
        for n in range(LAND_COUNT[origin]):
            target = int(LAND_NEAR[origin, n])
            if may_besiege(b, army, origin, target):
                gain = siege_gain(b, e, h, q, target, round(SIEGE_HITS * weapons))
                if gain > best:
                    best, code = gain, V_BESIEGE << VERB_SHIFT | origin << 8 | target
    e[FOUND] = best
    return code


@kernel_part
def siege_gain(b: Cells, e: Cells, h: Cells, q: Cells, target: int, hits: int) -> float:
    near, far = int(TOUCHED_NEAR[target]), int(TOUCHED_FAR[target])
    before, victim = values_before(b, e, h, q, near, far), int(b[OWNER + target])
    lost = cheapest_key(key_at(b, UNITS_AT + 4 * target), hits)
    add_load(b, UNITS_AT + 4 * target, lost, -1)
    if units_here(b, target) == 0:
        b[OWNER + target] = -1
    after = values_after(b, e, h, q, near, far)
    b[OWNER + target] = victim
    add_load(b, UNITS_AT + 4 * target, lost, 1)
    return after - before
