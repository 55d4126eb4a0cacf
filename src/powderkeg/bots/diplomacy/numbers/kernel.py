"""The arithmetic of the bots, written so that it runs in two ways with the same results: as it
stands, on lists, and compiled by Numba, on arrays (see `engine`).

Therefore it is plain: whole numbers and loops, no objects, no library; one sheet of numbers `w`
for everything that functions share. Luck is a number that each draw changes (`dice[row]`).

`draft` is the classic DumbBot from its public description, with convoys and without bouncing off its
own units: a centre is worth the size of its owner, as far as it can be taken, or of the strongest
enemy who could take it from me; the worth spreads over the map (`map.PULL`); every unit goes
where it is worth most, or helps one that does.
"""

# ruff: noqa: FBT001, FBT003  # compiled functions take their arguments by position

from powderkeg.bots.diplomacy.numbers.map import (
    CENTRE_AT,
    CENTRE_OF,
    COUNT,
    NEAR,
    NEAR_FROM,
    NODES,
    PROVINCE,
    PULL,
    SEA,
    SHORES,
    SHORES_FROM,
    SITES,
    SITES_FROM,
    SUPPLY,
    TOUCH,
    TOUCH_FROM,
)

Row = list[int]

HOLD, MOVE, SUPPORT, CONVOY, VIA = range(5)  # kinds of orders, as in `games.diplomacy.batch`
FREE = -1  # no order yet
SPRING, FALL, WINTER = range(3)
POWERS = 7

ATTACK, DEFENCE = (700, 600), (300, 400)  # what a centre of others and one of mine counts
RIVALRY = 1_000_000  # for each unit of mine, against each of the strongest enemy's, at a place
PATIENCE = 3  # how often a unit waits for another to go first
SLACK = 5  # an alternative within a fifth of the value may be taken instead
UNKNOWN = -(1 << 60)

# Where things are on the sheet.
REACH = 0  # by power and province: units that stand there or can go there
STRENGTH = REACH + POWERS * COUNT  # by province: the same for all of mine,
COMPETITION = STRENGTH + COUNT  # and for the enemy who has the most
MARK = COMPETITION + COUNT  # by province: 1 a unit of mine that waits, 2 one that has its order
GOING = MARK + COUNT  # by province: 1 + where the unit of mine stands that goes there
BARRED = GOING + COUNT  # by province: STAMP, if the unit that chooses must not go there
TRIES = BARRED + COUNT  # by province: how often the unit waited
QUEUE = TRIES + COUNT  # provinces of units that wait
WORTH = QUEUE + 4 * COUNT  # by node
STAKE = WORTH + NODES  # by centre: what spreads,
KEEP = STAKE + SUPPLY  # and how much is there to defend
VALUES = KEEP + SUPPLY  # what there is to choose from, best first:
CHOICES = VALUES + 2 * COUNT  # its worth, and what it is
OWNED = CHOICES + 2 * COUNT  # by power: centres, and at the end those of nobody
SEASON = OWNED + POWERS + 1
STAMP = SEASON + 1
OFFERED = STAMP + 1
SHEET = OFFERED + 1


# Luck and choice


def rand(dice: Row, row: int, n: int) -> int:
    """A number below `n` (the generator of Lehmer: small enough for every machine)."""
    dice[row] = dice[row] * 48271 % 2147483647
    return dice[row] % n


def offer(w: Row, value: int, what: int) -> None:
    """One more to choose from."""
    at = w[OFFERED]
    w[OFFERED] = at + 1
    while at > 0 and (
        w[VALUES + at - 1] < value or (w[VALUES + at - 1] == value and w[CHOICES + at - 1] > what)
    ):
        w[VALUES + at] = w[VALUES + at - 1]
        w[CHOICES + at] = w[CHOICES + at - 1]
        at -= 1
    w[VALUES + at] = value
    w[CHOICES + at] = what


def pick(w: Row, dice: Row, row: int) -> int:
    """The best, or with some luck the next as long as it is nearly as good."""
    at = 0
    while at + 1 < w[OFFERED]:
        here, below = w[VALUES + at], w[VALUES + at + 1]
        gap = 1000 * SLACK * (here - below)
        if rand(dice, row, 2) == 0 or rand(dice, row, 1000) * abs(here) < gap:
            break
        at += 1
    return w[CHOICES + at]


# What a place is worth


def survey(w: Row, units: Row) -> None:
    """Who could be where."""
    for i in range(POWERS * COUNT):
        w[REACH + i] = 0
    for at in range(COUNT):
        if units[at]:
            base = REACH + (units[at] - 1) // NODES * COUNT
            node = (units[at] - 1) % NODES
            w[base + at] += 1
            for i in range(TOUCH_FROM[node], TOUCH_FROM[node + 1]):
                w[base + TOUCH[i]] += 1


def size(centres: int) -> int:
    return centres * centres + 4 * centres + 16


def weigh(w: Row, owner: Row, mine: int, season: int) -> None:
    """Prepare `worth` for whoever holds the powers in the set `mine`. After a `survey`."""
    w[SEASON] = season
    for at in range(COUNT):
        own = most = 0
        for power in range(POWERS):
            here = w[REACH + power * COUNT + at]
            if mine >> power & 1:
                own += here
            elif here > most:
                most = here
        w[STRENGTH + at] = own
        w[COMPETITION + at] = most
    for node in range(NODES):
        w[WORTH + node] = UNKNOWN
    for power in range(POWERS + 1):
        w[OWNED + power] = 0
    for c in range(SUPPLY):
        power = owner[CENTRE_AT[c]]
        w[OWNED + (power if power >= 0 else POWERS)] += 1
    for c in range(SUPPLY):
        _stake(w, owner, mine, c)


def _stake(w: Row, owner: Row, mine: int, c: int) -> None:
    at = CENTRE_AT[c]
    power = owner[at]
    fall = 0 if w[SEASON] == SPRING else 1
    w[KEEP + c] = 0
    if power < 0:  # the neutrals count as one power
        w[STAKE + c] = size(w[OWNED + POWERS]) * ATTACK[fall]
        return
    if not mine >> power & 1:
        w[STAKE + c] = size(w[OWNED + power]) * ATTACK[fall]
        return
    for other in range(POWERS):
        if not mine >> other & 1 and w[REACH + other * COUNT + at]:
            w[KEEP + c] = max(w[KEEP + c], size(w[OWNED + other]))
    w[STAKE + c] = w[KEEP + c] * DEFENCE[fall]


def worth(w: Row, node: int) -> int:
    """What a node is worth; computed when it is asked for."""
    if w[WORTH + node] != UNKNOWN:
        return w[WORTH + node]
    fall = 0 if w[SEASON] == SPRING else 1
    first, at = (fall * NODES + node) * SUPPLY, PROVINCE[node]
    total = 0
    for c in range(SUPPLY):
        total += PULL[first + c] * w[STAKE + c]
    if w[SEASON] != WINTER:
        total += RIVALRY * (w[STRENGTH + at] - w[COMPETITION + at])
    elif CENTRE_OF[at] >= 0:
        total += RIVALRY * w[KEEP + CENTRE_OF[at]]
    w[WORTH + node] = total
    return total


# Orders of a movement


def draft(
    w: Row,
    units: Row,
    owner: Row,
    mine: int,
    season: int,
    closed: Row,
    dice: Row,
    row: int,
    orders: Row,
) -> None:
    """Orders for all units of `mine` that are FREE; those that have one keep it."""
    weigh(w, owner, mine, season)
    count = _muster(w, units, mine, dice, row, orders)
    _ferry(w, units, closed, dice, row, orders, True)
    head, tail = 0, count
    while head < tail:
        at = w[QUEUE + head]
        head += 1
        if w[MARK + at] == 1 and not _command(w, units, closed, dice, row, orders, at):
            w[TRIES + at] += 1
            w[QUEUE + tail] = at
            tail += 1
    _ferry(w, units, closed, dice, row, orders, False)
    for i in range(count):
        at = w[QUEUE + i]
        if orders[3 * at] == HOLD:
            _help(w, units, orders, at)


def _muster(w: Row, units: Row, mine: int, dice: Row, row: int, orders: Row) -> int:
    """Put those who wait into the queue, shuffled; return how many they are."""
    count = 0
    for at in range(COUNT):
        w[MARK + at] = w[GOING + at] = w[TRIES + at] = 0
    for at in range(COUNT):
        if units[at] and mine >> ((units[at] - 1) // NODES) & 1:
            if orders[3 * at] == FREE:
                w[MARK + at] = 1
                w[QUEUE + count] = at
                count += 1
            else:
                w[MARK + at] = 2
                if orders[3 * at] in (MOVE, VIA):
                    w[GOING + PROVINCE[2 * orders[3 * at + 2]]] = 1 + at
    for i in range(count - 1, 0, -1):
        k = rand(dice, row, i + 1)
        w[QUEUE + i], w[QUEUE + k] = w[QUEUE + k], w[QUEUE + i]
    return count


def _write(w: Row, orders: Row, at: int, kind: int, who: int, to: int) -> None:
    orders[3 * at] = kind
    orders[3 * at + 1] = who
    orders[3 * at + 2] = to
    w[MARK + at] = 2
    if kind in (MOVE, VIA):
        w[GOING + PROVINCE[2 * to]] = 1 + at


def _command(w: Row, units: Row, closed: Row, dice: Row, row: int, orders: Row, at: int) -> bool:
    """Give the unit at `at` an order; False: it waits for the one who stands where it wants to go."""
    node = (units[at] - 1) % NODES
    w[STAMP] += 1
    while True:
        w[OFFERED] = 0
        offer(w, worth(w, node) + 1, node)
        for i in range(NEAR_FROM[node], NEAR_FROM[node + 1]):
            to = NEAR[i]
            if w[BARRED + PROVINCE[to]] != w[STAMP] and not closed[PROVINCE[to]]:
                offer(w, worth(w, to), to)
        goal = pick(w, dice, row)
        if goal == node:
            _write(w, orders, at, HOLD, -1, -1)
            return True
        there = PROVINCE[goal]
        if w[MARK + there] == 1:
            if w[TRIES + at] < PATIENCE:
                return False
        elif _toward(w, orders, at, goal):
            return True
        w[BARRED + there] = w[STAMP]


def _toward(w: Row, orders: Row, at: int, goal: int) -> bool:
    """Go there, or help the one who does or stays there; False: it is not worth it."""
    there = PROVINCE[goal]
    rivals = w[COMPETITION + there]
    if w[GOING + there]:
        friend = w[GOING + there] - 1
        if rivals == 0:
            return False
        _write(w, orders, at, SUPPORT, friend, orders[3 * friend + 2])
        return True
    if w[MARK + there] == 2 and orders[3 * there] not in (MOVE, VIA):
        if rivals <= 1:
            return False
        _write(w, orders, at, SUPPORT, there, -1)
        return True
    _write(w, orders, at, MOVE, -1, goal // 2)
    return True


def _help(w: Row, units: Row, orders: Row, at: int) -> None:
    """Whoever stays looks for a neighbour to support."""
    node = (units[at] - 1) % NODES
    best, who, to = UNKNOWN, -1, -1
    for i in range(TOUCH_FROM[node], TOUCH_FROM[node + 1]):
        there = TOUCH[i]
        rivals = w[COMPETITION + there]
        if w[GOING + there]:
            friend = w[GOING + there] - 1
            goal = 2 * orders[3 * friend + 2] + (units[friend] - 1) % NODES % 2
            if rivals > 0 and orders[3 * friend] == MOVE and worth(w, goal) > best:
                best, who, to = worth(w, goal), friend, orders[3 * friend + 2]
        elif rivals > 1 and w[MARK + there] == 2 and orders[3 * there] not in (MOVE, VIA):
            here = worth(w, (units[there] - 1) % NODES)
            if here > best:
                best, who, to = here, there, -1
    if who >= 0:
        _write(w, orders, at, SUPPORT, who, to)


def _ferry(w: Row, units: Row, closed: Row, dice: Row, row: int, orders: Row, early: bool) -> None:
    """Carry armies over fleets at sea: early, if that is worth more than where the fleet would go;
    at last, those who would only stay."""
    wanted = FREE if early else HOLD
    for at in range(COUNT):
        if not (w[MARK + at] and SEA[at] and orders[3 * at] == wanted):
            continue
        if early and rand(dice, row, 2):
            continue
        least = _hope(w, (units[at] - 1) % NODES) if early else 0
        best, army, to = least, -1, -1
        for i in range(SHORES_FROM[at], SHORES_FROM[at + 1]):
            start = SHORES[i]
            if not w[MARK + start] or (units[start] - 1) % 2 or orders[3 * start] != wanted:
                continue
            node = (units[start] - 1) % NODES
            stays = worth(w, node) + (_hope(w, node) if early else 0)
            for k in range(SHORES_FROM[at], SHORES_FROM[at + 1]):
                end = SHORES[k]
                gain = worth(w, 2 * end) - stays
                open_there = not (w[MARK + end] or w[GOING + end] or closed[end])
                if open_there and gain > best and not _walks(node, end):
                    best, army, to = gain, start, end
        if army >= 0:
            _write(w, orders, army, VIA, -1, to)
            _write(w, orders, at, CONVOY, army, to)


def _hope(w: Row, node: int) -> int:
    """How much better off a unit could be by itself."""
    best = worth(w, node)
    for i in range(NEAR_FROM[node], NEAR_FROM[node + 1]):
        best = max(best, worth(w, NEAR[i]))
    return best - worth(w, node)


def _walks(node: int, end: int) -> bool:
    for i in range(TOUCH_FROM[node], TOUCH_FROM[node + 1]):  # noqa: SIM110  # generators are not compiled
        if TOUCH[i] == end:
            return True
    return False


# After a movement: retreats, the count of centres, builds and removals


def retreat(
    w: Row,
    before: Row,
    winners: Row,
    contested: Row,
    units: Row,
    owner: Row,
    hands: Row,
    season: int,
    closed: Row,
    dice: Row,
    row: int,
) -> None:
    """Every dislodged unit goes where it is worth most."""
    for at in range(COUNT):
        if winners[at] < 0:
            continue
        code = before[at] - 1
        hand = hand_of(hands, code // NODES)
        if hand == 0:
            continue
        survey(w, units)
        weigh(w, owner, hand, season)
        w[OFFERED] = 0
        for i in range(NEAR_FROM[code % NODES], NEAR_FROM[code % NODES + 1]):
            there = PROVINCE[NEAR[i]]
            barred = contested[there] or closed[there] or there == winners[at]
            if not barred and units[there] == 0:
                offer(w, worth(w, NEAR[i]), NEAR[i])
        if w[OFFERED]:
            to = pick(w, dice, row)
            units[PROVINCE[to]] = 1 + code // NODES * NODES + to


def hand_of(hands: Row, power: int) -> int:
    """The powers of whoever plays `power`; none if nobody does."""
    for i in range(len(hands)):
        if hands[i] >> power & 1:
            return hands[i]
    return 0


def count(units: Row, owner: Row) -> None:
    """Who stands on a centre after the fall controls it."""
    for c in range(SUPPLY):
        at = CENTRE_AT[c]
        if units[at]:
            owner[at] = (units[at] - 1) // NODES


def adjust(w: Row, units: Row, owner: Row, hands: Row, dice: Row, row: int) -> None:
    """Builds where they are worth most, removals where least."""
    survey(w, units)
    for power in range(POWERS):
        due = 0
        for at in range(COUNT):
            if CENTRE_OF[at] >= 0 and owner[at] == power:
                due += 1
            if units[at] and (units[at] - 1) // NODES == power:
                due -= 1
        hand = hand_of(hands, power)
        if due == 0 or (due > 0 and hand == 0):
            continue
        weigh(w, owner, hand or 1 << power, WINTER)
        for _ in range(due):
            _build(w, units, owner, power, dice, row)
        for _ in range(-due):
            _remove(w, units, power, dice, row)


def _build(w: Row, units: Row, owner: Row, power: int, dice: Row, row: int) -> None:
    w[OFFERED] = 0
    for i in range(SITES_FROM[power], SITES_FROM[power + 1]):
        at = PROVINCE[SITES[i]]
        if units[at] == 0 and owner[at] == power:
            offer(w, worth(w, SITES[i]), SITES[i])
    if w[OFFERED]:
        node = pick(w, dice, row)
        units[PROVINCE[node]] = 1 + power * NODES + node


def _remove(w: Row, units: Row, power: int, dice: Row, row: int) -> None:
    w[OFFERED] = 0
    for at in range(COUNT):
        if units[at] and (units[at] - 1) // NODES == power:
            offer(w, -worth(w, (units[at] - 1) % NODES), at)
    if w[OFFERED]:
        units[pick(w, dice, row)] = 0


# Many rows at once


def draft_all(
    w: Row,
    units: list[Row],
    owner: list[Row],
    hands: Row,
    season: int,
    closed: Row,
    dice: Row,
    orders: list[Row],
) -> None:
    """Orders of everybody in `hands`, row by row."""
    for row in range(len(units)):
        survey(w, units[row])
        for i in range(len(hands)):
            draft(w, units[row], owner[row], hands[i], season, closed, dice, row, orders[row])


def free_all(units: list[Row], hands: Row, orders: list[Row]) -> None:
    """Nobody in `hands` has an order; all others hold."""
    for row in range(len(units)):
        for at in range(COUNT):
            if units[row][at]:
                played = hand_of(hands, (units[row][at] - 1) // NODES)
                orders[row][3 * at] = FREE if played else HOLD
                orders[row][3 * at + 1] = -1
                orders[row][3 * at + 2] = -1


def settle_all(
    w: Row,
    before: list[Row],
    winners: list[Row],
    contested: list[Row],
    units: list[Row],
    owner: list[Row],
    hands: Row,
    season: int,
    closed: Row,
    dice: Row,
) -> None:
    """What follows a movement, row by row, up to the next one."""
    for row in range(len(units)):
        retreat(
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
            count(units[row], owner[row])
            adjust(w, units[row], owner[row], hands, dice, row)


def winter_all(
    w: Row, units: list[Row], owner: list[Row], hands: Row, season: int, dice: Row
) -> None:
    """What follows retreats (in fall) or adjustments of mine (in winter), row by row."""
    for row in range(len(units)):
        if season == FALL:
            count(units[row], owner[row])
        if season != SPRING:
            adjust(w, units[row], owner[row], hands, dice, row)


FEATURES = 8


def features(w: Row, units: Row, owner: Row, mine: int, found: list[float]) -> None:
    """What is known of the hand `mine` in a position. After a `survey`."""
    for i in range(FEATURES):
        found[i] = 0.0
    for at in range(COUNT):
        own = most = 0
        for power in range(POWERS):
            here = w[REACH + power * COUNT + at]
            if mine >> power & 1:
                own += here
            elif here > most:
                most = here
        there = (units[at] - 1) // NODES if units[at] else -1
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


def score_all(
    w: Row,
    units: list[Row],
    owner: list[Row],
    hands: Row,
    weights: list[float],
    target: int,
    mix: float,
    found: list[float],
    out: list[list[float]],
) -> None:
    """What each row promises each hand: centres as they may soon be, and their squares."""
    for row in range(len(units)):
        survey(w, units[row])
        total = 0.0
        winner = -1
        for i in range(len(hands)):
            features(w, units[row], owner[row], hands[i], found)
            if found[0] >= target:
                winner = i
            hope = 0.0
            for f in range(FEATURES):
                hope += weights[f] * found[f]
            hope = max(hope, 0.0)
            out[row][i] = hope
            total += hope * hope
        for i in range(len(hands)):
            hope = out[row][i]
            if winner >= 0:
                out[row][i] = 1.0 if i == winner else 0.0
            elif total > 0.0:
                out[row][i] = mix * hope / SUPPLY + (1.0 - mix) * hope * hope / total
