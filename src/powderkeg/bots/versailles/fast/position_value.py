"""The evaluation, compiled: the counterpart of `evaluate.py` without solitaire.

`v` is a value sheet and `x` a scratch of floats: the points of each nation, and what is counted for them.
"""

import math
from typing import Final

from powderkeg.bots.versailles.evaluate import LAST_SETTLEMENTS, SHORTEST_GAME
from powderkeg.bots.versailles.fast.compiling import Cells
from powderkeg.bots.versailles.fast.value_sheet import (
    KIND_COUNT,
    NO_STRATEGY,
    SIDES,
    SUIT_AT,
    W_CUBE,
    W_ELSEWHERE,
    W_FADE,
    W_FOLLOW,
    W_FRAIL,
    W_GAP,
    W_HAZE,
    W_HEAT,
    W_HINDER,
    W_HOPES,
    W_MARGIN,
    W_MOOD,
    W_PLACED,
    W_POST,
    W_PURSE,
    W_RISK,
    W_STEP,
    W_TABLE,
    W_TIRED,
    W_UNIT,
    W_WAITING,
    WORTH_AT,
)
from powderkeg.core.fast.compiling import kernel_joint, kernel_part
from powderkeg.games.versailles.board import ITALY, LEAGUE, NOBODY, REPARATIONS, UK, USA
from powderkeg.games.versailles.fast.board_queries import (
    count_members,
    counters_on,
    deployed_set,
    fielded_units,
    has_cubes,
    is_played,
    issue_region,
    issue_stars,
    issue_start,
    option_start,
    treaty_signs,
)
from powderkeg.games.versailles.fast.layout import (
    ABOVE,
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
    DEALT,
    END_ISSUE,
    FREE,
    HAPPY,
    I_OPTIONS,
    ISSUE_AT,
    ISSUE_COUNT,
    NATION_COUNT,
    NAVAL_ICON,
    O_COUNTER,
    O_COUNTERS,
    O_MOOD,
    OPEN,
    OPEN_SLOTS,
    PLAYERS,
    READY,
    REGION_COUNT,
    S_CONDITION,
    S_CONDITIONS,
    S_DOUBLE,
    SEAT_NATION,
    SLOT_SIZE,
    SPENT,
    STRATEGY,
    STRATEGY_SIZE,
    T_RANK,
    T_STRATEGY,
    T_UPRISING,
    T_ZERO_POINTS,
    TABLE_SLOTS,
    UK_NAVY,
    UNREST_AT,
)

X_POINTS: Final = 0  # by nation
X_KIND: Final = X_POINTS + NATION_COUNT  # counters of each kind
X_HELD: Final = X_KIND + KIND_COUNT  # issues by category and nation
X_BEST: Final = X_HELD + 8 * NATION_COUNT  # the most stars of one of them
X_END: Final = X_BEST + 8 * NATION_COUNT


@kernel_part
def part_left(b: Cells) -> float:
    """As `remaining_game`."""
    if b[ABOVE] != NOBODY:
        return float(
            min(1.0, (b[ABOVE] / 2 + LAST_SETTLEMENTS) / (SHORTEST_GAME + LAST_SETTLEMENTS))
        )
    for place in range(TABLE_SLOTS):
        slot = OPEN + SLOT_SIZE * place
        if b[slot] == END_ISSUE:
            return 0.05 if has_cubes(b, slot) else 0.1
    return 0.2


@kernel_part
def strategy_row(b: Cells, nation: int) -> int:
    """The row of the value sheet that counts for a nation."""
    card = int(b[STRATEGY + nation])
    return card if card >= 0 else NO_STRATEGY


@kernel_part
def worth_to(b: Cells, v: Cells, issue: int, nation: int) -> float:
    """As `issue_worth`."""
    return float(v[WORTH_AT + (strategy_row(b, nation) * ISSUE_COUNT + issue) * SIDES + nation])


@kernel_joint
def fill_worths(t: Cells, v: Cells, row: int) -> None:
    """What every issue is worth to every nation with the strategy of a row."""
    for issue in range(ISSUE_COUNT):
        start = WORTH_AT + (row * ISSUE_COUNT + issue) * SIDES
        for nation in range(SIDES):
            best = 0.0
            for option in range(t[issue_start(issue) + I_OPTIONS]):
                bonus = option_worth(t, v, row, option_start(issue, option), nation)
                best = bonus if option == 0 else max(best, bonus)
            v[start + nation] = issue_stars(t, issue) + best


@kernel_part
def option_worth(t: Cells, v: Cells, row: int, start: int, nation: int) -> float:
    """As `option_bonus`; `start` is that of the option."""
    total = (v[W_STEP] + v[W_MOOD]) * t[start + O_MOOD + nation]
    for place in range(t[start + O_COUNTERS]):
        icon = int(t[start + O_COUNTER + place])
        navy = icon == NAVAL_ICON
        kind = C_NAVAL if navy else icon if icon < UK_NAVY else C_NAVAL + (icon - UK_NAVY) // 2
        total += v[SUIT_AT + row * KIND_COUNT + min(kind, C_EMPIRE)]
        if navy:
            total += int(nation in (UK, USA))
        elif icon >= UK_NAVY:
            total += int(flag_nation(icon - UK_NAVY) == nation)
    return float(total)


@kernel_joint
def fill_hopes(b: Cells, t: Cells, v: Cells) -> None:
    """As `hoped_values`: nations without a strategy hope for a part of the mean of those dealt."""
    dealt = int(b[PLAYERS]) + 1
    for kind in range(KIND_COUNT):
        total = 0.0
        for n in range(dealt):
            total += v[SUIT_AT + int(b[DEALT + n]) * KIND_COUNT + kind]
        v[SUIT_AT + NO_STRATEGY * KIND_COUNT + kind] = v[W_HOPES] / dealt * total
    fill_worths(t, v, NO_STRATEGY)


@kernel_part
def lasting_part(v: Cells, late: float) -> float:
    """As `kept_part`."""
    return float(1 - min(0.97, v[W_FRAIL]) * late)


@kernel_part
def cube_weight(v: Cells, late: float) -> float:
    """As `cube_part`."""
    return float(1 - min(0.9, v[W_FADE]) * late)


@kernel_part
def worth_of_cubes(v: Cells, cubes: int, late: float) -> float:
    """As `purse_value`."""
    purse = float(v[W_PURSE])
    return float(cube_weight(v, late) * v[W_CUBE] * purse * (1 - math.exp(-cubes / purse)))


@kernel_part
def worth_of_units(v: Cells, ready: int, posted: int, spent: int, late: float) -> float:
    """As `unit_value`."""
    points = v[W_UNIT] * ready + v[W_POST] * posted + v[W_TIRED] * spent
    return float(min(1.0, 0.15 + 3 * late) * points)


@kernel_part
def holding_chance(v: Cells, base: float, margin: int) -> float:
    """As `chance_to_hold`."""
    return 1 - (1 - base) * math.exp((1 - margin) / v[W_MARGIN])


@kernel_part
def count_cards(b: Cells, t: Cells, x: Cells) -> None:
    """Stars and flags as points, and counters, issues and the best of them by category."""
    for n in range(X_END):
        x[n] = 0.0
    for issue in range(ISSUE_COUNT):
        held = int(b[ISSUE_AT + issue])
        if held < 0:
            continue
        owner, place, stars = held & 7, issue_region(t, issue), issue_stars(t, issue)
        x[X_POINTS + owner] += stars
        at = NATION_COUNT * place + owner
        x[X_HELD + at] += 1
        x[X_BEST + at] = max(x[X_BEST + at], float(stars))
        count_kinds(x, owner, counters_on(b, t, issue))


@kernel_part
def count_kinds(x: Cells, owner: int, counters: int) -> None:
    """The counters of one issue by kind; a flag of its owner is a point."""
    for kind in range(UK_NAVY):
        x[X_KIND + kind] += counters >> 4 * kind & 15
    for flag in range(5):
        count = counters >> 4 * (UK_NAVY + flag) & 15
        x[X_KIND + UK_NAVY + int(flag >= 2)] += count
        if flag_nation(flag) == owner:
            x[X_POINTS + owner] += count


@kernel_part
def flag_nation(flag: int) -> int:
    """The nation of a flag: naval.uk, naval.usa, and the empires of three nations."""
    if flag == 0:
        return UK
    if flag == 1:
        return USA
    return ITALY if flag == 4 else flag - 2


@kernel_part
def strategy_points(b: Cells, t: Cells, v: Cells, x: Cells, nation: int) -> float:
    """What counters and conditions are worth to a nation."""
    card, total = int(b[STRATEGY + nation]), 0.0
    if card < 0:
        for kind in range(KIND_COUNT):
            total += x[X_KIND + kind] * v[SUIT_AT + NO_STRATEGY * KIND_COUNT + kind]
        return total
    start = T_STRATEGY + STRATEGY_SIZE * card
    for n in range(t[start + S_CONDITIONS]):
        kind = int(t[start + S_CONDITION + 2 * n])
        if kind != C_DOUBLE:
            total += t[start + S_CONDITION + 2 * n + 1] * condition_count(b, t, x, nation, kind)
    return total


@kernel_part
def condition_count(b: Cells, t: Cells, x: Cells, nation: int, kind: int) -> float:
    """How often a condition is met, by what `count_cards` has counted."""
    if kind < KIND_COUNT:
        return float(x[X_KIND + kind])
    if kind == C_LEAGUE:
        return float(x[X_HELD + NATION_COUNT * LEAGUE + nation])
    if kind == C_REPARATIONS_HELD:
        return float(x[X_HELD + NATION_COUNT * REPARATIONS + nation])
    if kind == C_UNITS:
        return float(fielded_units(b, nation))
    if kind in (C_REGIONS, C_UNREST_HIGH, C_UNREST_LOW):
        found = 0.0
        for region in range(REGION_COUNT):
            if kind == C_REGIONS:
                found += int(x[X_HELD + NATION_COUNT * region + nation] > 0)
            else:
                found += int((b[UNREST_AT + region] >= 4) == (kind == C_UNREST_HIGH))
        return found
    signed = treaty_signs(b, t)
    return float(signed if kind == C_SIGNS else 2 - signed)


@kernel_part
def rank_value(b: Cells, t: Cells, v: Cells, nation: int, late: float) -> float:
    """As `_happiness_points`."""
    gap, happier, mine = v[W_GAP] * (0.6 + 0.8 * late), 0.0, int(b[HAPPY + nation])
    for seat in range(b[PLAYERS]):
        other = int(b[SEAT_NATION + seat])
        if other != nation:
            happier += 1 / (1 + math.exp((mine - int(b[HAPPY + other])) / gap))
    low = int(happier)
    high = min(low + 1, int(b[PLAYERS]) - 1)
    rank = t[T_RANK + low] + (happier - low) * (t[T_RANK + high] - t[T_RANK + low])
    if mine == 0:
        rank += t[T_ZERO_POINTS]
    card = int(b[STRATEGY + nation])
    if card >= 0 and t[T_STRATEGY + STRATEGY_SIZE * card + S_DOUBLE]:
        rank *= 2
    return float(rank + v[W_MOOD] * mine)


@kernel_part
def add_open(b: Cells, v: Cells, x: Cells, late: float) -> None:
    """As `_add_open_issues`."""
    keeps, placed = lasting_part(v, late), cube_weight(v, late) * v[W_PLACED]
    for place in range(OPEN_SLOTS):
        slot = OPEN + SLOT_SIZE * place
        issue = int(b[slot])
        if issue < 0 or not has_cubes(b, slot):
            continue
        first = leading_side(b, slot)
        top = int(b[slot + 1 + first])
        margin = top - most_besides(b, slot, first)
        holds = holding_chance(v, v[W_TABLE] if place < TABLE_SLOTS else v[W_WAITING], margin)
        for nation in range(SIDES):
            cubes = int(b[slot + 1 + nation])
            if cubes and is_played(b, nation):
                part = holds if nation == first else (1 - holds) * v[W_FOLLOW] * cubes / top
                x[X_POINTS + nation] += part * keeps * worth_to(b, v, issue, nation)
                x[X_POINTS + nation] += placed * cubes


@kernel_part
def leading_side(b: Cells, slot: int) -> int:
    """The first nation with the most cubes."""
    first = 0
    for nation in range(1, SIDES):
        if b[slot + 1 + nation] > b[slot + 1 + first]:
            first = nation
    return first


@kernel_part
def most_besides(b: Cells, slot: int, nation: int) -> int:
    """The most cubes of another nation."""
    most = 0
    for other in range(SIDES):
        if other != nation:
            most = max(most, int(b[slot + 1 + other]))
    return most


@kernel_part
def subtract_danger(b: Cells, t: Cells, v: Cells, x: Cells, late: float) -> None:
    """As `_subtract_unrest`."""
    highest = 0
    for region in range(REGION_COUNT):
        highest = max(highest, int(b[UNREST_AT + region]))
    for region in range(REGION_COUNT):
        column, most, hit = int(b[UNREST_AT + region]), 0.0, 0
        wanted = int(t[T_UPRISING + column])
        for nation in range(NATION_COUNT):
            held = x[X_HELD + NATION_COUNT * region + nation]
            if held > most:
                most, hit = held, 0
            hit += int(held == most)
        if wanted == 0 or most == 0:
            continue
        chance = (7 - wanted) / 6 * (1.0 if column == highest else v[W_ELSEWHERE])
        for nation in range(SIDES):
            if x[X_HELD + NATION_COUNT * region + nation] == most and is_played(b, nation):
                loss = x[X_BEST + NATION_COUNT * region + nation] / hit
                x[X_POINTS + nation] -= v[W_RISK] * chance * loss * (0.5 + 0.5 * late)


@kernel_joint
def estimate_points(b: Cells, t: Cells, v: Cells, x: Cells) -> None:
    """As `expected_points`: into `x`, by nation."""
    late = part_left(b)
    keeps = lasting_part(v, late)
    count_cards(b, t, x)
    for seat in range(b[PLAYERS]):
        nation = int(b[SEAT_NATION + seat])
        held = x[X_POINTS + nation] + strategy_points(b, t, v, x, nation)
        posted = count_members(deployed_set(b, nation))
        units = worth_of_units(v, int(b[READY + nation]), posted, int(b[SPENT + nation]), late)
        x[X_POINTS + nation] = keeps * held + rank_value(b, t, v, nation, late) + units
        x[X_POINTS + nation] += worth_of_cubes(v, int(b[FREE + nation]), late)
    add_open(b, v, x, late)
    subtract_danger(b, t, v, x, late)


@kernel_part
def own_utility(b: Cells, t: Cells, v: Cells, x: Cells, nation: int) -> float:
    """As `seat_utility`: the points of a nation, less a part of those of the best rival."""
    estimate_points(b, t, v, x)
    best = -1e9
    for seat in range(b[PLAYERS]):
        other = int(b[SEAT_NATION + seat])
        if other != nation:
            best = max(best, float(x[X_POINTS + other]))
    return float(float(x[X_POINTS + nation]) - v[W_HINDER] * best)


@kernel_part
def spread_chances(b: Cells, v: Cells, x: Cells, out: Cells) -> None:
    """As `winning_chances`, by seat."""
    heat, top, total = v[W_HEAT] + v[W_HAZE] * part_left(b), -1e9, 0.0
    for seat in range(b[PLAYERS]):
        top = max(top, float(x[X_POINTS + b[SEAT_NATION + seat]]))
    for seat in range(b[PLAYERS]):
        out[seat] = math.exp((x[X_POINTS + b[SEAT_NATION + seat]] - top) / heat)
        total += out[seat]
    for seat in range(b[PLAYERS]):
        out[seat] /= total
