"""Features of orders, compiled, and the policy that weighs them: shared by training and play.

The policy is linear: every legal order of a piece gets the sum of its features times the weights of
the season, and orders are drawn by softmax. Pieces of a power are ordered one after the other, and
each sees the orders that were chosen before it, so that supports find their moves.
"""

from pathlib import Path
from typing import Any, Final

import numpy as np

from powderkeg.games.diplomacy.board import PROVINCE_COUNT as COUNT
from powderkeg.games.diplomacy.fast.compiling import (
    ORDER_SOURCES,
    forget_outdated,
    kernel_entry,
    kernel_joint,
)
from powderkeg.games.diplomacy.fast.game_kernel import (
    IS_CENTRE,
    MOVEMENT,
    RETREATS,
    SEASON,
    STAGE,
    STEPS,
    TOUCHED,
)
from powderkeg.games.diplomacy.fast.map_arrays import NODES, PROVINCE_AT
from powderkeg.games.diplomacy.fast.order_codes import (
    BUILD_ARMY,
    BUILD_FLEET,
    DISBAND,
    RETREAT,
    TO_BASE,
    VIA,
    WAIVE,
    WHO_BASE,
)
from powderkeg.games.diplomacy.rules.legality import CONVOY, HOLD, MOVE, SUPPORT

forget_outdated(*ORDER_SOURCES, Path(__file__))

FEATURES: Final = (
    "hold",
    "move",
    "move by convoy only",
    "support a stay",
    "support a move",
    "convoy",
    "end on a neutral centre",
    "end on an enemy's centre",
    "end on an own centre",
    "leave an own centre beside an enemy",
    "leave a centre not owned yet",
    "move into an enemy",
    "move into an own unit that stays so far",
    "move where an own unit moves already",
    "enemies beside the end, of 4",
    "friends beside the end, of 4",
    "steps to the next centre to take, of 5",
    "support an own unit",
    "support an own unit's chosen move",
    "that move goes to a centre to take",
    "that move goes into an enemy",
    "support an own unit that stays, beside an enemy",
    "support a foreign unit",
    "convoy an own army's chosen move",
    "retreat",
    "disband",
    "build an army",
    "build a fleet",
    "waive",
)
(
    HOLDS, MOVES, BY_CONVOY, HELPS_STAY, HELPS_MOVE, CONVOYS, ON_NEUTRAL, ON_ENEMY, ON_OWN, LEAVES_OWN,
    LEAVES_PRIZE, INTO_ENEMY, INTO_FRIEND, SAME_GOAL, ENEMIES, FRIENDS, FAR, HELPS_OWN, HELPS_CHOSEN,
    CHOSEN_PRIZE, CHOSEN_ENEMY, HELPS_THREATENED, HELPS_FOREIGN, CONVOYS_CHOSEN, RETREATS_TO, DISBANDS,
    BUILDS_ARMY, BUILDS_FLEET, WAIVES,
) = range(len(FEATURES))  # fmt: skip
SIZE: Final = len(FEATURES)
SEASONS: Final = 4  # rows of weights: spring, fall, retreats, winter


@kernel_joint
def _survey_board(units: Any, owner: Any, power: int, beside: Any, far: Any) -> None:
    """For every province: friends and enemies that could be there, and steps to a centre to take."""
    beside[:, :] = 0
    for at in range(COUNT):
        if units[at]:
            mine = (units[at] - 1) // NODES == power
            for to in TOUCHED[(units[at] - 1) % NODES]:
                if to < 0:
                    break
                beside[0 if mine else 1, to] += 1
    far[:] = 5
    for goal in range(COUNT):
        if IS_CENTRE[goal] and owner[goal] != power:
            for at in range(COUNT):
                far[at] = min(far[at], STEPS[0, at, goal])


@kernel_joint
def _end_features(
    f: Any, units: Any, owner: Any, power: int, at: int, end: int, beside: Any, far: Any
) -> None:
    """Reasons to end at `end`, for a unit that is at `at` now (-1: nowhere)."""
    if IS_CENTRE[end]:
        f[ON_NEUTRAL] = owner[end] < 0
        f[ON_ENEMY] = owner[end] >= 0 and owner[end] != power
        f[ON_OWN] = owner[end] == power
    f[ENEMIES] = min(4, beside[1, end]) / 4
    f[FRIENDS] = max(0, min(4, beside[0, end] - (at >= 0 and at != end))) / 4  # not the unit itself
    f[FAR] = far[end] / 5
    if at >= 0 and at != end and IS_CENTRE[at]:
        f[LEAVES_OWN] = owner[at] == power and beside[1, at] > 0
        f[LEAVES_PRIZE] = owner[at] != power


@kernel_joint
def _plan_goal(code: int) -> int:
    """The province to which a chosen order moves, or -1."""
    if code < 0 or code // TO_BASE // WHO_BASE not in (MOVE, VIA):
        return -1
    return int(PROVINCE_AT[code % TO_BASE - 1])


@kernel_joint
def _support_features(
    f: Any, units: Any, owner: Any, power: int, who: int, goal: int, chosen: Any, beside: Any
) -> None:
    """Reasons to support the unit at `who`, on its way to `goal` (-1: where it stands)."""
    mine = (units[who] - 1) // NODES == power
    f[HELPS_OWN], f[HELPS_FOREIGN] = mine, not mine
    plan = chosen[who] if mine else -1
    if goal < 0:
        f[HELPS_STAY] = 1
        stays = plan >= 0 and _plan_goal(plan) < 0
        f[HELPS_THREATENED] = mine and stays and beside[1, who] > 0
        return
    f[HELPS_MOVE] = 1
    if _plan_goal(plan) == goal:
        f[HELPS_CHOSEN] = 1
        f[CHOSEN_PRIZE] = IS_CENTRE[goal] and owner[goal] != power
        f[CHOSEN_ENEMY] = units[goal] != 0 and (units[goal] - 1) // NODES != power


@kernel_joint
def _order_features(
    f: Any,
    units: Any,
    owner: Any,
    power: int,
    at: int,
    code: int,
    chosen: Any,
    beside: Any,
    far: Any,
) -> None:
    """The features of one order; `chosen` are the orders of the power so far (-1: none yet)."""
    f[:] = 0
    rest, to = code // TO_BASE, code % TO_BASE - 1
    kind, who = rest // WHO_BASE, rest % WHO_BASE - 1
    goal = PROVINCE_AT[to] if to >= 0 else -1
    if kind in (MOVE, VIA):
        f[MOVES] = 1
        f[BY_CONVOY] = kind == VIA
        _end_features(f, units, owner, power, at, goal, beside, far)
        if units[goal]:
            mine = (units[goal] - 1) // NODES == power
            f[INTO_ENEMY] = not mine
            f[INTO_FRIEND] = mine and _plan_goal(chosen[goal]) < 0
        for other in range(COUNT):
            if other != at and _plan_goal(chosen[other]) == goal:
                f[SAME_GOAL] = 1
        return
    if kind in (RETREAT, BUILD_ARMY, BUILD_FLEET):
        f[RETREATS_TO], f[BUILDS_ARMY], f[BUILDS_FLEET] = (
            kind == RETREAT,
            kind == BUILD_ARMY,
            kind == BUILD_FLEET,
        )
        _end_features(f, units, owner, power, -1, goal, beside, far)
        return
    _end_features(f, units, owner, power, at, at, beside, far)
    if kind == HOLD:
        f[HOLDS] = 1
    elif kind == DISBAND:
        for i in range(SIZE):  # the opposite of staying
            f[i] = -f[i]
        f[DISBANDS] = 1
    elif kind == WAIVE:
        f[:] = 0
        f[WAIVES] = 1
    elif kind == SUPPORT:
        _support_features(f, units, owner, power, who, goal, chosen, beside)
    elif kind == CONVOY:
        f[CONVOYS] = 1
        plan = chosen[who] if (units[who] - 1) // NODES == power else -1
        f[CONVOYS_CHOSEN] = _plan_goal(plan) == goal


@kernel_entry
def choose_order(
    weights: Any, units: Any, owner: Any, power: int, at: int, codes: Any, count: int, chosen: Any,
    heat: float, luck: float, beside: Any, far: Any, table: Any, gradient: Any,
) -> int:  # fmt: skip
    """The place of an order drawn by softmax; `gradient` gets the gradient of its log-likelihood."""
    best = -1e30
    for c in range(count):
        _order_features(table[c], units, owner, power, at, int(codes[c]), chosen, beside, far)
        value = 0.0
        for i in range(SIZE):
            value += weights[i] * table[c, i]
        table[c, SIZE] = value / heat
        best = max(best, table[c, SIZE])
    total = 0.0
    for c in range(count):
        table[c, SIZE] = np.exp(table[c, SIZE] - best)
        total += table[c, SIZE]
    left, pick = luck * total, count - 1
    for c in range(count):
        left -= table[c, SIZE]
        if left < 0:
            pick = c
            break
    for i in range(SIZE):
        mean = 0.0
        for c in range(count):
            mean += table[c, SIZE] * table[c, i]
        gradient[i] += table[pick, i] - mean / total
    return pick


@kernel_entry
def survey_board(units: Any, owner: Any, power: int, beside: Any, far: Any) -> None:
    """See `_survey_board`."""
    _survey_board(units, owner, power, beside, far)


@kernel_entry
def season_row(stage: int, season: int) -> int:
    """The row of weights for a phase."""
    if stage == MOVEMENT:
        return season
    return 2 if stage == RETREATS else 3


@kernel_entry
def choose_rows(
    weights: Any, clocks: Any, units: Any, owner: Any, beaten: Any, codes: Any, counts: Any, pieces: Any,
    dice: Any, heat: float, learning: Any, orders: Any, gradients: Any,
) -> None:  # fmt: skip
    """Orders for all pieces of the powers in `learning`, and the gradients by game, power and row."""
    beside, far = np.zeros((2, COUNT), np.int64), np.zeros(COUNT, np.int64)
    chosen, table = np.zeros(COUNT, np.int64), np.zeros((codes.shape[2], SIZE + 1))
    for n in range(len(units)):
        row = season_row(clocks[n, STAGE], clocks[n, SEASON])
        for power in range(gradients.shape[1]):
            if not learning[n, power]:
                continue
            _survey_board(units[n], owner[n], power, beside, far)
            chosen[:] = -1
            for at in range(COUNT):
                if pieces[n, at] == power:
                    pick = choose_order(
                        weights[row], units[n], owner[n], power, at, codes[n, at], counts[n, at], chosen,
                        heat, dice[n, at], beside, far, table, gradients[n, power, row],
                    )  # fmt: skip
                    orders[n, at] = codes[n, at, pick]
                    chosen[at] = codes[n, at, pick]
