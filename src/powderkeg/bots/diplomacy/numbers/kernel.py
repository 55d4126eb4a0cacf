"""The inner loops of the bots. They run as plain Python on lists and compiled by Numba on arrays,
with the same results (see `engine`).

That is why the code has only whole numbers and loops, no objects and no library; the functions share
one sheet of numbers, `w`. The state of the random generator is a number per row (`dice[row]`).

`draft_hand` is the classic DumbBot from its public description, with convoys and without bouncing
off its own units: a centre is worth the size of its owner, as far as it can be taken, or of the
strongest enemy who could take it from me; the worth spreads over the map (`map.PULL`); every unit
goes where the worth is highest, or helps a unit that does.
"""

# ruff: noqa: FBT001, FBT003  # compiled functions take their arguments by position

from powderkeg.bots.diplomacy.numbers.map import (
    CENTRE_AT,
    CENTRE_COUNT,
    CENTRE_OF,
    NEAR,
    NEAR_FROM,
    NODE_COUNT,
    NODE_PROVINCE,
    PULL,
    SEA,
    SHORES,
    SHORES_FROM,
    SITES,
    SITES_FROM,
    TOUCH,
    TOUCH_FROM,
)
from powderkeg.games.diplomacy.board import PROVINCE_COUNT

IntRow = list[int]

HOLD, MOVE, SUPPORT, CONVOY, VIA = range(5)  # kinds of orders, as in `games.diplomacy.batch`
FREE = -1  # no order yet
SPRING, FALL, WINTER = range(3)
POWER_COUNT = 7

ATTACK, DEFENCE = (700, 600), (300, 400)  # factors for centres of others and for my own, by season
RIVALRY = 1_000_000  # worth of each unit more (or less) than the strongest enemy has at a place
MOST_WAITS = 3  # times that a unit lets another choose first
SLACK = 5  # the next best choice may be taken if it is within a fifth of the value
UNKNOWN_WORTH = -(1 << 60)

# Offsets on the sheet.
REACH = 0  # by power and province: units that are there or can go there
STRENGTH = REACH + POWER_COUNT * PROVINCE_COUNT  # by province: the same for all my powers together,
COMPETITION = STRENGTH + PROVINCE_COUNT  # and for the enemy with the most
MARK = (
    COMPETITION + PROVINCE_COUNT
)  # by province: 1 for my units without an order, 2 for those with one
GOING = MARK + PROVINCE_COUNT  # by province: 1 + the province from which my unit goes there
BARRED = GOING + PROVINCE_COUNT  # by province: STAMP if the choosing unit must not go there
WAITS = BARRED + PROVINCE_COUNT  # by province: times that the unit let another choose first
WAIT_QUEUE = WAITS + PROVINCE_COUNT  # provinces of units without an order
WORTH = WAIT_QUEUE + 4 * PROVINCE_COUNT  # by node
STAKE = WORTH + NODE_COUNT  # by centre: the worth that spreads,
KEEP = STAKE + CENTRE_COUNT  # and the part of it that is to be defended
VALUES = KEEP + CENTRE_COUNT  # values of the choices, best first,
CHOICES = VALUES + 2 * PROVINCE_COUNT  # and the choices themselves
OWNED = CHOICES + 2 * PROVINCE_COUNT  # by power: its centres; the last entry counts neutral ones
SEASON = OWNED + POWER_COUNT + 1
STAMP = SEASON + 1
CHOICE_COUNT = STAMP + 1
SHEET = CHOICE_COUNT + 1


# Luck and choice


def draw_number(dice: IntRow, row: int, n: int) -> int:
    """A random number below `n`, by Lehmer's generator: its numbers fit into 64 bits everywhere."""
    dice[row] = dice[row] * 48271 % 2147483647
    return dice[row] % n


def offer_choice(w: IntRow, value: int, what: int) -> None:
    """Insert a choice by its value; equal values are ordered by the choice."""
    at = w[CHOICE_COUNT]
    w[CHOICE_COUNT] = at + 1
    while at > 0 and (
        w[VALUES + at - 1] < value or (w[VALUES + at - 1] == value and w[CHOICES + at - 1] > what)
    ):
        w[VALUES + at] = w[VALUES + at - 1]
        w[CHOICES + at] = w[CHOICES + at - 1]
        at -= 1
    w[VALUES + at] = value
    w[CHOICES + at] = what


def pick_choice(w: IntRow, dice: IntRow, row: int) -> int:
    """The best choice, or by chance the next one as long as it is nearly as good."""
    at = 0
    while at + 1 < w[CHOICE_COUNT]:
        here, below = w[VALUES + at], w[VALUES + at + 1]
        gap = 1000 * SLACK * (here - below)
        if draw_number(dice, row, 2) == 0 or draw_number(dice, row, 1000) * abs(here) < gap:
            break
        at += 1
    return w[CHOICES + at]


# The worth of places


def survey_reach(w: IntRow, units: IntRow) -> None:
    """Count which power could be where with how many units."""
    for i in range(POWER_COUNT * PROVINCE_COUNT):
        w[REACH + i] = 0
    for at in range(PROVINCE_COUNT):
        if units[at]:
            base = REACH + (units[at] - 1) // NODE_COUNT * PROVINCE_COUNT
            node = (units[at] - 1) % NODE_COUNT
            w[base + at] += 1
            for i in range(TOUCH_FROM[node], TOUCH_FROM[node + 1]):
                w[base + TOUCH[i]] += 1


def power_size(centres: int) -> int:
    """How much a power with so many centres counts."""
    return centres * centres + 4 * centres + 16


def weigh_stakes(w: IntRow, owner: IntRow, mine: int, season: int) -> None:
    """Prepare `node_worth` for the player of the powers `mine`. Needs `survey_reach` first."""
    w[SEASON] = season
    for at in range(PROVINCE_COUNT):
        own = most = 0
        for power in range(POWER_COUNT):
            here = w[REACH + power * PROVINCE_COUNT + at]
            if mine >> power & 1:
                own += here
            elif here > most:
                most = here
        w[STRENGTH + at] = own
        w[COMPETITION + at] = most
    for node in range(NODE_COUNT):
        w[WORTH + node] = UNKNOWN_WORTH
    for power in range(POWER_COUNT + 1):
        w[OWNED + power] = 0
    for c in range(CENTRE_COUNT):
        power = owner[CENTRE_AT[c]]
        w[OWNED + (power if power >= 0 else POWER_COUNT)] += 1
    for c in range(CENTRE_COUNT):
        _stake_centre(w, owner, mine, c)


def _stake_centre(w: IntRow, owner: IntRow, mine: int, c: int) -> None:
    at = CENTRE_AT[c]
    power = owner[at]
    fall = 0 if w[SEASON] == SPRING else 1
    w[KEEP + c] = 0
    if power < 0:  # the neutrals count as one power
        w[STAKE + c] = power_size(w[OWNED + POWER_COUNT]) * ATTACK[fall]
        return
    if not mine >> power & 1:
        w[STAKE + c] = power_size(w[OWNED + power]) * ATTACK[fall]
        return
    for other in range(POWER_COUNT):
        if not mine >> other & 1 and w[REACH + other * PROVINCE_COUNT + at]:
            w[KEEP + c] = max(w[KEEP + c], power_size(w[OWNED + other]))
    w[STAKE + c] = w[KEEP + c] * DEFENCE[fall]


def node_worth(w: IntRow, node: int) -> int:
    """The worth of a node, computed on first use."""
    if w[WORTH + node] != UNKNOWN_WORTH:
        return w[WORTH + node]
    fall = 0 if w[SEASON] == SPRING else 1
    first, at = (fall * NODE_COUNT + node) * CENTRE_COUNT, NODE_PROVINCE[node]
    total = 0
    for c in range(CENTRE_COUNT):
        total += PULL[first + c] * w[STAKE + c]
    if w[SEASON] != WINTER:
        total += RIVALRY * (w[STRENGTH + at] - w[COMPETITION + at])
    elif CENTRE_OF[at] >= 0:
        total += RIVALRY * w[KEEP + CENTRE_OF[at]]
    w[WORTH + node] = total
    return total


# Orders of a movement


def draft_hand(
    w: IntRow,
    units: IntRow,
    owner: IntRow,
    mine: int,
    season: int,
    closed: IntRow,
    dice: IntRow,
    row: int,
    orders: IntRow,
) -> None:
    """Write orders for all FREE units of `mine`; the others keep theirs."""
    weigh_stakes(w, owner, mine, season)
    count = _queue_units(w, units, mine, dice, row, orders)
    _order_convoys(w, units, closed, dice, row, orders, True)
    head, tail = 0, count
    while head < tail:
        at = w[WAIT_QUEUE + head]
        head += 1
        if w[MARK + at] == 1 and not _order_unit(w, units, closed, dice, row, orders, at):
            w[WAITS + at] += 1
            w[WAIT_QUEUE + tail] = at
            tail += 1
    _order_convoys(w, units, closed, dice, row, orders, False)
    for i in range(count):
        at = w[WAIT_QUEUE + i]
        if orders[3 * at] == HOLD:
            _order_support(w, units, orders, at)


def _queue_units(
    w: IntRow, units: IntRow, mine: int, dice: IntRow, row: int, orders: IntRow
) -> int:
    """Shuffle the units without an order into the queue; return their number."""
    count = 0
    for at in range(PROVINCE_COUNT):
        w[MARK + at] = w[GOING + at] = w[WAITS + at] = 0
    for at in range(PROVINCE_COUNT):
        if units[at] and mine >> ((units[at] - 1) // NODE_COUNT) & 1:
            if orders[3 * at] == FREE:
                w[MARK + at] = 1
                w[WAIT_QUEUE + count] = at
                count += 1
            else:
                w[MARK + at] = 2
                if orders[3 * at] in (MOVE, VIA):
                    w[GOING + NODE_PROVINCE[2 * orders[3 * at + 2]]] = 1 + at
    for i in range(count - 1, 0, -1):
        k = draw_number(dice, row, i + 1)
        w[WAIT_QUEUE + i], w[WAIT_QUEUE + k] = w[WAIT_QUEUE + k], w[WAIT_QUEUE + i]
    return count


def _write_order(w: IntRow, orders: IntRow, at: int, kind: int, who: int, to: int) -> None:
    orders[3 * at] = kind
    orders[3 * at + 1] = who
    orders[3 * at + 2] = to
    w[MARK + at] = 2
    if kind in (MOVE, VIA):
        w[GOING + NODE_PROVINCE[2 * to]] = 1 + at


def _order_unit(
    w: IntRow, units: IntRow, closed: IntRow, dice: IntRow, row: int, orders: IntRow, at: int
) -> bool:
    """Give the unit at `at` an order; False if it waits for the unit in the place where it wants to
    go."""
    node = (units[at] - 1) % NODE_COUNT
    w[STAMP] += 1
    while True:
        w[CHOICE_COUNT] = 0
        offer_choice(w, node_worth(w, node) + 1, node)
        for i in range(NEAR_FROM[node], NEAR_FROM[node + 1]):
            to = NEAR[i]
            if w[BARRED + NODE_PROVINCE[to]] != w[STAMP] and not closed[NODE_PROVINCE[to]]:
                offer_choice(w, node_worth(w, to), to)
        goal = pick_choice(w, dice, row)
        if goal == node:
            _write_order(w, orders, at, HOLD, -1, -1)
            return True
        there = NODE_PROVINCE[goal]
        if w[MARK + there] == 1:
            if w[WAITS + at] < MOST_WAITS:
                return False
        elif _order_toward(w, orders, at, goal):
            return True
        w[BARRED + there] = w[STAMP]


def _order_toward(w: IntRow, orders: IntRow, at: int, goal: int) -> bool:
    """Move to `goal`, or support the unit that goes or stays there; False if that is not needed."""
    there = NODE_PROVINCE[goal]
    rivals = w[COMPETITION + there]
    if w[GOING + there]:
        friend = w[GOING + there] - 1
        if rivals == 0:
            return False
        _write_order(w, orders, at, SUPPORT, friend, orders[3 * friend + 2])
        return True
    if w[MARK + there] == 2 and orders[3 * there] not in (MOVE, VIA):
        if rivals <= 1:
            return False
        _write_order(w, orders, at, SUPPORT, there, -1)
        return True
    _write_order(w, orders, at, MOVE, -1, goal // 2)
    return True


def _order_support(w: IntRow, units: IntRow, orders: IntRow, at: int) -> None:
    """Let a unit that holds support a neighbour."""
    node = (units[at] - 1) % NODE_COUNT
    best, who, to = UNKNOWN_WORTH, -1, -1
    for i in range(TOUCH_FROM[node], TOUCH_FROM[node + 1]):
        there = TOUCH[i]
        rivals = w[COMPETITION + there]
        if w[GOING + there]:
            friend = w[GOING + there] - 1
            goal = 2 * orders[3 * friend + 2] + (units[friend] - 1) % NODE_COUNT % 2
            if rivals > 0 and orders[3 * friend] == MOVE and node_worth(w, goal) > best:
                best, who, to = node_worth(w, goal), friend, orders[3 * friend + 2]
        elif rivals > 1 and w[MARK + there] == 2 and orders[3 * there] not in (MOVE, VIA):
            here = node_worth(w, (units[there] - 1) % NODE_COUNT)
            if here > best:
                best, who, to = here, there, -1
    if who >= 0:
        _write_order(w, orders, at, SUPPORT, who, to)


def _order_convoys(
    w: IntRow, units: IntRow, closed: IntRow, dice: IntRow, row: int, orders: IntRow, early: bool
) -> None:
    """Convoy armies over fleets at sea: early, if that is worth more than the fleet's own move;
    at the end, armies that would only hold."""
    wanted = FREE if early else HOLD
    for at in range(PROVINCE_COUNT):
        if not (w[MARK + at] and SEA[at] and orders[3 * at] == wanted):
            continue
        if early and draw_number(dice, row, 2):
            continue
        least = _gain_alone(w, (units[at] - 1) % NODE_COUNT) if early else 0
        best, army, to = least, -1, -1
        for i in range(SHORES_FROM[at], SHORES_FROM[at + 1]):
            start = SHORES[i]
            if not w[MARK + start] or (units[start] - 1) % 2 or orders[3 * start] != wanted:
                continue
            node = (units[start] - 1) % NODE_COUNT
            stays = node_worth(w, node) + (_gain_alone(w, node) if early else 0)
            for k in range(SHORES_FROM[at], SHORES_FROM[at + 1]):
                end = SHORES[k]
                gain = node_worth(w, 2 * end) - stays
                open_there = not (w[MARK + end] or w[GOING + end] or closed[end])
                if open_there and gain > best and not _is_beside(node, end):
                    best, army, to = gain, start, end
        if army >= 0:
            _write_order(w, orders, army, VIA, -1, to)
            _write_order(w, orders, at, CONVOY, army, to)


def _gain_alone(w: IntRow, node: int) -> int:
    """How much a unit could gain by a move of its own."""
    best = node_worth(w, node)
    for i in range(NEAR_FROM[node], NEAR_FROM[node + 1]):
        best = max(best, node_worth(w, NEAR[i]))
    return best - node_worth(w, node)


def _is_beside(node: int, end: int) -> bool:
    for i in range(TOUCH_FROM[node], TOUCH_FROM[node + 1]):  # noqa: SIM110  # generators are not compiled
        if TOUCH[i] == end:
            return True
    return False


# After a movement: retreats, the count of centres, builds and removals


def retreat_units(
    w: IntRow,
    before: IntRow,
    winners: IntRow,
    contested: IntRow,
    units: IntRow,
    owner: IntRow,
    hands: IntRow,
    season: int,
    closed: IntRow,
    dice: IntRow,
    row: int,
) -> None:
    """Retreat every dislodged unit to where the worth is highest."""
    for at in range(PROVINCE_COUNT):
        if winners[at] < 0:
            continue
        code = before[at] - 1
        hand = hand_bits(hands, code // NODE_COUNT)
        if hand == 0:
            continue
        survey_reach(w, units)
        weigh_stakes(w, owner, hand, season)
        w[CHOICE_COUNT] = 0
        for i in range(NEAR_FROM[code % NODE_COUNT], NEAR_FROM[code % NODE_COUNT + 1]):
            there = NODE_PROVINCE[NEAR[i]]
            barred = contested[there] or closed[there] or there == winners[at]
            if not barred and units[there] == 0:
                offer_choice(w, node_worth(w, NEAR[i]), NEAR[i])
        if w[CHOICE_COUNT]:
            to = pick_choice(w, dice, row)
            units[NODE_PROVINCE[to]] = 1 + code // NODE_COUNT * NODE_COUNT + to


def hand_bits(hands: IntRow, power: int) -> int:
    """The hand that plays `power`; 0 if nobody does."""
    for i in range(len(hands)):
        if hands[i] >> power & 1:
            return hands[i]
    return 0


def count_centres(units: IntRow, owner: IntRow) -> None:
    """After the fall, a unit on a centre takes control of it."""
    for c in range(CENTRE_COUNT):
        at = CENTRE_AT[c]
        if units[at]:
            owner[at] = (units[at] - 1) // NODE_COUNT


def adjust_units(
    w: IntRow, units: IntRow, owner: IntRow, hands: IntRow, dice: IntRow, row: int
) -> None:
    """Build where the worth is highest, remove where it is lowest."""
    survey_reach(w, units)
    for power in range(POWER_COUNT):
        due = 0
        for at in range(PROVINCE_COUNT):
            if CENTRE_OF[at] >= 0 and owner[at] == power:
                due += 1
            if units[at] and (units[at] - 1) // NODE_COUNT == power:
                due -= 1
        hand = hand_bits(hands, power)
        if due == 0 or (due > 0 and hand == 0):
            continue
        weigh_stakes(w, owner, hand or 1 << power, WINTER)
        for _ in range(due):
            _build_unit(w, units, owner, power, dice, row)
        for _ in range(-due):
            _remove_unit(w, units, power, dice, row)


def _build_unit(
    w: IntRow, units: IntRow, owner: IntRow, power: int, dice: IntRow, row: int
) -> None:
    w[CHOICE_COUNT] = 0
    for i in range(SITES_FROM[power], SITES_FROM[power + 1]):
        at = NODE_PROVINCE[SITES[i]]
        if units[at] == 0 and owner[at] == power:
            offer_choice(w, node_worth(w, SITES[i]), SITES[i])
    if w[CHOICE_COUNT]:
        node = pick_choice(w, dice, row)
        units[NODE_PROVINCE[node]] = 1 + power * NODE_COUNT + node


def _remove_unit(w: IntRow, units: IntRow, power: int, dice: IntRow, row: int) -> None:
    w[CHOICE_COUNT] = 0
    for at in range(PROVINCE_COUNT):
        if units[at] and (units[at] - 1) // NODE_COUNT == power:
            offer_choice(w, -node_worth(w, (units[at] - 1) % NODE_COUNT), at)
    if w[CHOICE_COUNT]:
        units[pick_choice(w, dice, row)] = 0


# Many rows at once


def draft_rows(
    w: IntRow,
    units: list[IntRow],
    owner: list[IntRow],
    hands: IntRow,
    season: int,
    closed: IntRow,
    dice: IntRow,
    orders: list[IntRow],
) -> None:
    """Draft the orders of all `hands`, row by row."""
    for row in range(len(units)):
        survey_reach(w, units[row])
        for i in range(len(hands)):
            draft_hand(w, units[row], owner[row], hands[i], season, closed, dice, row, orders[row])


def free_rows(units: list[IntRow], hands: IntRow, orders: list[IntRow]) -> None:
    """Clear the orders of all `hands`; all other units hold."""
    for row in range(len(units)):
        for at in range(PROVINCE_COUNT):
            if units[row][at]:
                played = hand_bits(hands, (units[row][at] - 1) // NODE_COUNT)
                orders[row][3 * at] = FREE if played else HOLD
                orders[row][3 * at + 1] = -1
                orders[row][3 * at + 2] = -1


def finish_movements(
    w: IntRow,
    before: list[IntRow],
    winners: list[IntRow],
    contested: list[IntRow],
    units: list[IntRow],
    owner: list[IntRow],
    hands: IntRow,
    season: int,
    closed: IntRow,
    dice: IntRow,
) -> None:
    """Play retreats and adjustments after a movement, row by row."""
    for row in range(len(units)):
        retreat_units(
            w,
            before[row],
            winners[row],
            contested[row],
            units[row],
            owner[row],
            hands,
            season,
            closed,
            dice,
            row,
        )
        if season == FALL:
            count_centres(units[row], owner[row])
            adjust_units(w, units[row], owner[row], hands, dice, row)


def adjust_rows(
    w: IntRow, units: list[IntRow], owner: list[IntRow], hands: IntRow, season: int, dice: IntRow
) -> None:
    """Play the count and the adjustments that follow my retreats (fall) or adjustments (winter)."""
    for row in range(len(units)):
        if season == FALL:
            count_centres(units[row], owner[row])
        if season != SPRING:
            adjust_units(w, units[row], owner[row], hands, dice, row)


FEATURE_COUNT = 8


def count_features(w: IntRow, units: IntRow, owner: IntRow, mine: int, found: list[float]) -> None:
    """Count the features of the hand `mine` (`weights.FEATURE_NAMES`). Needs `survey_reach` first."""
    for i in range(FEATURE_COUNT):
        found[i] = 0.0
    for at in range(PROVINCE_COUNT):
        own = most = 0
        for power in range(POWER_COUNT):
            here = w[REACH + power * PROVINCE_COUNT + at]
            if mine >> power & 1:
                own += here
            elif here > most:
                most = here
        there = (units[at] - 1) // NODE_COUNT if units[at] else -1
        if there >= 0 and mine >> there & 1:
            found[7] += 1.0
        if CENTRE_OF[at] < 0:
            continue
        held = owner[at] >= 0 and mine >> owner[at] & 1
        stood = there >= 0 and mine >> there & 1
        if held:
            found[0] += 1.0
            if there >= 0 and not stood:
                found[2] += 1.0
            elif most >= own:
                found[3] += 1.0
            elif most:
                found[4] += 1.0
        elif stood:
            found[1] += 1.0
        elif own > most:
            found[5] += 1.0
        elif own:
            found[6] += 1.0


def score_rows(
    w: IntRow,
    units: list[IntRow],
    owner: list[IntRow],
    hands: IntRow,
    weights: list[float],
    target: int,
    mix: float,
    found: list[float],
    out: list[list[float]],
) -> None:
    """The value of each row to each hand: the centres it may expect, and their squares."""
    for row in range(len(units)):
        survey_reach(w, units[row])
        total = 0.0
        winner = -1
        for i in range(len(hands)):
            count_features(w, units[row], owner[row], hands[i], found)
            if found[0] >= target:
                winner = i
            hope = 0.0
            for f in range(FEATURE_COUNT):
                hope += weights[f] * found[f]
            hope = max(hope, 0.0)
            out[row][i] = hope
            total += hope * hope
        for i in range(len(hands)):
            hope = out[row][i]
            if winner >= 0:
                out[row][i] = 1.0 if i == winner else 0.0
            elif total > 0.0:
                out[row][i] = mix * hope / CENTRE_COUNT + (1.0 - mix) * hope * hope / total
