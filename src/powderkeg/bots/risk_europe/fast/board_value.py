"""The evaluation of a position, compiled: the counterpart of `evaluate.py`."""

import math

from powderkeg.bots.risk_europe.evaluate import RICH_COINS
from powderkeg.bots.risk_europe.fast.compiling import Cells
from powderkeg.bots.risk_europe.fast.odds_table import (
    ATTACKER_LEFT,
    ATTACKER_WINS,
    DEFENDER_LEFT,
    DEFENDER_WINS,
    odds_row,
    taking_chance,
    unit_key,
)
from powderkeg.bots.risk_europe.fast.value_layout import (
    ALL_STAKES,
    BASE,
    BESIDE,
    CHANCES,
    CROWN_OF,
    DOWN,
    GIVES,
    KNOWN,
    NOW,
    SOIL_COUNTS,
    STAKES,
    SUM_COUNT,
    SUMS,
    TWO_AWAY,
    UP,
    VALUES,
    W_CASTLE,
    W_CHANCE,
    W_CLAIM,
    W_CLOSE,
    W_COIN,
    W_CROWN,
    W_FOOTMAN,
    W_GOLD,
    W_HEAT,
    W_HINDER,
    W_HIRED,
    W_KEEP_TAX,
    W_LAND,
    W_MARKER,
    W_MISSION,
    W_REACH,
    W_RICH,
    W_RISK,
    W_TAX,
)
from powderkeg.core.fast.compiling import kernel_joint, kernel_part
from powderkeg.games.risk_europe.fast.board_queries import (
    army_at,
    bit_place,
    count_bits,
    crowns_of,
    is_alive,
    mission_count,
    units_here,
)
from powderkeg.games.risk_europe.fast.layout import (
    ARMY_COUNT,
    ATTACKER,
    CASTLE,
    COINS,
    CROWN_COUNT,
    DEPTH,
    FORCE_AT,
    HAND,
    KIND_COUNT,
    MARKER,
    MISSIONS,
    OWNER,
    PACK,
    PACK_SIZE,
    PEOPLE,
    PLACES,
    RANK,
    UNITS_AT,
)
from powderkeg.games.risk_europe.fast.map_tables import CITY_LIST, IS_TOWN, TARGET_OF


@kernel_part
def key_at(b: Cells, start: int) -> int:
    """The four counts from `start` as a key."""
    return unit_key(int(b[start]), int(b[start + 1]), int(b[start + 2]), int(b[start + 3]))


@kernel_part
def units_value(b: Cells, e: Cells, start: int) -> float:
    """As `units_worth`."""
    found = 0.0
    for unit in range(4):
        found += e[W_FOOTMAN + unit] * b[start + unit]
    return found


@kernel_part
def crown_step(b: Cells, e: Cells, crowns: int) -> float:
    """As `_crown_steps`."""
    part = min(1.0, crowns / TARGET_OF[b[PEOPLE]])
    return float(e[W_CROWN] * (1 + e[W_CLOSE] * part**4))


# One place, for the player whose stakes are set


@kernel_part
def fill_gives(b: Cells, e: Cells) -> None:
    """As `Outlook`: the value of every place in the hands of every army."""
    for army in range(ARMY_COUNT):
        stake, start = float(e[STAKES + army]), GIVES + army * PLACES
        e[UP + army] = e[DOWN + army] = 0.0
        if army < b[PEOPLE] and is_alive(b, army):
            crowns = crowns_of(b, army)
            e[UP + army], e[DOWN + army] = crown_step(b, e, crowns + 1), crown_step(b, e, crowns)
        for at in range(PLACES):
            worth = e[W_LAND] + e[W_TAX] * SOIL_COUNTS[at, 0] + e[W_GOLD] * SOIL_COUNTS[at, 1]
            if b[CASTLE + at] == 1:
                worth += e[W_CASTLE]
            if CROWN_OF[at]:
                crown = e[DOWN + army] if b[OWNER + at] == army else e[UP + army]
                worth += CROWN_OF[at] * crown
            e[start + at] = stake * worth
    for at in range(PLACES):
        e[KNOWN + at] = 0.0


@kernel_joint
def look_as(b: Cells, e: Cells, who: int) -> None:
    """See the board as a player does."""
    for army in range(ARMY_COUNT):
        e[STAKES + army] = e[ALL_STAKES + who * ARMY_COUNT + army]
    fill_gives(b, e)


@kernel_part
def fight_value(b: Cells, e: Cells, h: Cells, q: Cells, at: int, owner: int) -> float:
    army = int(b[ATTACKER + at])
    castle = int(b[CASTLE + at] == 1)
    row = odds_row(e, h, q, key_at(b, FORCE_AT + 4 * at), key_at(b, UNITS_AT + 4 * at), castle)
    worth = e[STAKES + army] * q[row + ATTACKER_LEFT] + e[STAKES + owner] * q[row + DEFENDER_LEFT]
    worth += q[row + ATTACKER_WINS] * e[GIVES + army * PLACES + at]
    return float(worth + q[row + DEFENDER_WINS] * e[GIVES + owner * PLACES + at])


@kernel_part
def threat_value(b: Cells, e: Cells, h: Cells, q: Cells, at: int, owner: int) -> float:
    """As `_threat_value`."""
    there, castle = key_at(b, UNITS_AT + 4 * at), int(b[CASTLE + at] == 1)
    p0 = p1 = p2 = p3 = 0.0
    beside = int(BESIDE[at])
    while beside:
        near = bit_place(beside)
        beside &= beside - 1
        foe = int(b[OWNER + near])
        if foe < 0 or foe == owner or b[ATTACKER + near] >= 0:
            continue
        p = taking_chance(e, h, q, key_at(b, UNITS_AT + 4 * near), there, castle)
        if foe == 0:
            p0 = max(p0, p)
        elif foe == 1:
            p1 = max(p1, p)
        elif foe == 2:
            p2 = max(p2, p)
        else:
            p3 = max(p3, p)
    worth = worst = 0.0
    for foe in range(ARMY_COUNT):
        p = p0 if foe == 0 else p1 if foe == 1 else p2 if foe == 2 else p3
        if foe < b[PEOPLE]:
            worth += e[W_CHANCE] * p * e[GIVES + foe * PLACES + at]
            worst = max(worst, p)
        else:
            worst = max(worst, p * e[W_HIRED])
    return float(worth - e[W_RISK] * worst * e[GIVES + owner * PLACES + at])


@kernel_part
def ready_armies(b: Cells, places: int) -> int:
    """As `_ready_armies`, as bits."""
    found = 0
    while places:
        at = bit_place(places)
        places &= places - 1
        army = int(b[OWNER + at])
        if 0 <= army < b[PEOPLE] and b[ATTACKER + at] < 0 and units_here(b, at) > 1:
            found |= 1 << army
    return found


@kernel_part
def free_value(b: Cells, e: Cells, at: int) -> float:
    """As `_claim_value`."""
    near = ready_armies(b, int(BESIDE[at]))
    far = ready_armies(b, int(TWO_AWAY[at])) & ~near
    few, all_of_them = count_bits(near), count_bits(near | far)
    worth = 0.0
    for army in range(ARMY_COUNT):
        if near >> army & 1:
            worth += e[W_CLAIM] * e[GIVES + army * PLACES + at] / few
        elif far >> army & 1:
            worth += e[W_REACH] * e[GIVES + army * PLACES + at] / all_of_them
    return worth


@kernel_joint
def value_at(b: Cells, e: Cells, h: Cells, q: Cells, at: int) -> float:
    """As `place_value`."""
    owner = int(b[OWNER + at])
    if owner < 0:
        return free_value(b, e, at) if IS_TOWN[at] else 0.0
    if b[ATTACKER + at] >= 0:
        return fight_value(b, e, h, q, at, owner)
    worth = e[STAKES + owner] * units_value(b, e, UNITS_AT + 4 * at)
    worth += e[GIVES + owner * PLACES + at]
    if IS_TOWN[at]:
        worth += threat_value(b, e, h, q, at, owner)
    return float(worth)


@kernel_part
def base_value(b: Cells, e: Cells, h: Cells, q: Cells, at: int) -> float:
    """The value of a place before anything was tried."""
    if e[KNOWN + at] == 0:
        e[BASE + at], e[KNOWN + at] = value_at(b, e, h, q, at), 1.0
    return float(e[BASE + at])


@kernel_part
def values_before(b: Cells, e: Cells, h: Cells, q: Cells, near: int, far: int) -> float:
    """As `value_before`."""
    worth = 0.0
    while near:
        worth += base_value(b, e, h, q, bit_place(near))
        near &= near - 1
    while far:
        at = bit_place(far)
        far &= far - 1
        if b[OWNER + at] < 0:
            worth += base_value(b, e, h, q, at)
    return worth


@kernel_part
def values_after(b: Cells, e: Cells, h: Cells, q: Cells, near: int, far: int) -> float:
    """As `value_around`."""
    worth = 0.0
    while near:
        worth += value_at(b, e, h, q, bit_place(near))
        near &= near - 1
    while far:
        at = bit_place(far)
        far &= far - 1
        if b[OWNER + at] < 0:
            worth += value_at(b, e, h, q, at)
    return worth


@kernel_part
def purse_worth(e: Cells, coins: int) -> float:
    """As `purse_value`."""
    return float(e[W_COIN] * (min(coins, RICH_COINS) + e[W_RICH] * max(0, coins - RICH_COINS)))


@kernel_part
def coins_worth(b: Cells, e: Cells, army: int, more: int) -> float:
    """As `coin_value`."""
    have = int(b[army_at(army) + COINS])
    return float(e[STAKES + army] * (purse_worth(e, have + more) - purse_worth(e, have)))


# The whole


@kernel_part
def worth_off_board(b: Cells, e: Cells, army: int) -> float:
    """As `value_off_board`."""
    own = army_at(army)
    worth = purse_worth(e, int(b[own + COINS])) + e[W_MARKER] * (b[MARKER] == army)
    for kind in range(KIND_COUNT):
        worth += e[W_KEEP_TAX + kind] * b[own + HAND + kind]
    held = int(b[own + MISSIONS])
    for card in range(CROWN_COUNT if held else 0):
        if held >> card & 1:
            row = PACK + PACK_SIZE * card
            have = mission_count(b, army, int(b[row]), int(b[row + 2]))
            worth += e[W_MISSION] * min(1.0, have / max(1, int(b[row + 1]))) ** 2
    return float(worth)


@kernel_part
def fill_values(b: Cells, e: Cells, h: Cells, q: Cells) -> None:
    """As `position_values`."""
    for who in range(ARMY_COUNT):
        e[VALUES + who] = 0.0
        if who >= b[PEOPLE] or not is_alive(b, who):
            continue
        for army in range(ARMY_COUNT):
            e[STAKES + army] = 1.0 if army == who else 0.0
        fill_gives(b, e)
        crowns, worth = crowns_of(b, who), worth_off_board(b, e, who)
        for k in range(1, crowns + 1):
            worth += crown_step(b, e, k)
        for n in range(len(CITY_LIST)):
            if b[OWNER + CITY_LIST[n]] == who:
                worth -= CROWN_OF[CITY_LIST[n]] * e[DOWN + who]
        for at in range(PLACES):
            worth += value_at(b, e, h, q, at)
        e[VALUES + who] = worth


@kernel_part
def crowns_chance(b: Cells, e: Cells, h: Cells, q: Cells, who: int) -> float:
    """As `chance_of_crowns`."""
    if who >= b[PEOPLE] or not is_alive(b, who):
        return 0.0
    for n in range(SUM_COUNT):
        e[SUMS + n] = 0.0
    low, target = SUM_COUNT // 2, int(TARGET_OF[b[PEOPLE]])
    e[SUMS + low + crowns_of(b, who) - target] = 1.0
    for n in range(len(CITY_LIST)):
        at = int(CITY_LIST[n])
        army, owner = int(b[ATTACKER + at]), int(b[OWNER + at])
        if army >= 0 and who in (army, owner):
            castle = int(b[CASTLE + at] == 1)
            mine, theirs = key_at(b, FORCE_AT + 4 * at), key_at(b, UNITS_AT + 4 * at)
            row = odds_row(e, h, q, mine, theirs, castle)
            if army == who:
                move_crowns(e, int(CROWN_OF[at]), float(q[row + ATTACKER_WINS]))
            else:
                move_crowns(e, -int(CROWN_OF[at]), float(1 - q[row + DEFENDER_WINS]))
    found = 0.0
    for n in range(low, SUM_COUNT):
        found += e[SUMS + n]
    return found


@kernel_part
def move_crowns(e: Cells, gain: int, p: float) -> None:
    """A battle changes the number of crowns with chance `p`."""
    for step in range(2, SUM_COUNT - 2):
        n = SUM_COUNT - 1 - step if gain > 0 else step
        part = e[SUMS + n] * p
        e[SUMS + n] -= part
        e[SUMS + n + gain] += part


@kernel_joint
def fill_chances(b: Cells, e: Cells, h: Cells, q: Cells) -> None:
    """As `winning_chances`."""
    if b[DEPTH] == 0:
        winners = 0
        for who in range(b[PEOPLE]):
            winners += int(b[RANK + who] == 0)
        for who in range(ARMY_COUNT):
            e[CHANCES + who] = int(who < b[PEOPLE] and b[RANK + who] == 0) / winners
        return
    later, whole = 1.0, 0.0
    for who in range(ARMY_COUNT):
        e[NOW + who] = crowns_chance(b, e, h, q, who)
        later *= 1 - e[NOW + who]
        whole += e[NOW + who]
    sure = (1 - later) / whole if whole > 0 else 0.0
    later_chances(b, e, h, q)
    for who in range(ARMY_COUNT):
        e[CHANCES + who] = sure * e[NOW + who] + later * e[CHANCES + who]


@kernel_part
def later_chances(b: Cells, e: Cells, h: Cells, q: Cells) -> None:
    """A softmax of the values."""
    fill_values(b, e, h, q)
    top, whole = -1e9, 0.0
    for who in range(b[PEOPLE]):
        if is_alive(b, who):
            top = max(top, float(e[VALUES + who]))
    for who in range(ARMY_COUNT):
        e[CHANCES + who] = 0.0
        if who < b[PEOPLE] and is_alive(b, who):
            e[CHANCES + who] = math.exp((e[VALUES + who] - top) / e[W_HEAT])
        whole += e[CHANCES + who]
    for who in range(ARMY_COUNT):
        e[CHANCES + who] /= whole


@kernel_joint
def fill_stakes(b: Cells, e: Cells, h: Cells, q: Cells) -> None:
    """As `viewer_stakes`, for every player."""
    fill_chances(b, e, h, q)
    for who in range(ARMY_COUNT):
        rest = max(1e-9, 1 - float(e[CHANCES + who]))
        for army in range(ARMY_COUNT):
            stake = 1.0 if army == who else -e[W_HINDER] * e[CHANCES + army] / rest
            e[ALL_STAKES + who * ARMY_COUNT + army] = stake
