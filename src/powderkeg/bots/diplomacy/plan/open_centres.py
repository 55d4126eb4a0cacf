"""Centres that nobody can defend: a plan that leaves one beside a unit untaken is mended.

Drafts choose by the worth of places, with some luck, so a unit may walk past a centre that it could
simply enter, or leave one before the fall.
"""

from collections.abc import Iterator, Sequence

from powderkeg.bots.diplomacy.numbers.kernel import CONVOY, FALL, HOLD, MOVE, VIA
from powderkeg.bots.diplomacy.numbers.map import (
    CENTRE_AT,
    NODE_COUNT,
    NODE_PROVINCE,
    TOUCH,
    TOUCH_FROM,
)
from powderkeg.bots.diplomacy.numbers.position import OrderCells, Scene
from powderkeg.bots.diplomacy.plan.orders import PlanRow, PlayerUnits
from powderkeg.games.diplomacy.board import PROVINCE_COUNT


def take_open_centres(own: PlayerUnits, plan: PlanRow) -> PlanRow:
    """The plan, with units that would gain less sent to centres that nobody can defend."""
    for centre, at in _choose_takers(own, plan).items():
        if _goal_at(plan, at) != centre:
            plan = own.apply_changes(plan, {at: _order_to(own, at, centre)})
    return plan


def _choose_takers(own: PlayerUnits, plan: Sequence[int]) -> dict[int, int]:
    """A unit for each centre, if possible: first for those that few units can reach."""
    certain = open_centres(own.scene, own.hand)
    ways = {centre: list(_possible_takers(own, plan, centre, certain)) for centre in certain}
    takers: dict[int, int] = {}
    for centre in sorted(certain, key=lambda centre: len(ways[centre])):
        free = [at for at in ways[centre] if at not in takers.values()]
        if free:
            takers[centre] = min(free, key=lambda at: _taker_rank(plan, at, centre))
    return takers


def _possible_takers(
    own: PlayerUnits, plan: Sequence[int], centre: int, certain: Sequence[int]
) -> Iterator[int]:
    """The units that go there already, and those that could."""
    for at in own.all:
        able = centre in [NODE_PROVINCE[2 * to] for to in own.ways[at]]
        stays = at == centre and own.scene.season == FALL
        could = at in own.free and (able or stays) and not _is_busy(own, plan, at, certain)
        if could or _goal_at(plan, at) == centre:
            yield at


def _taker_rank(plan: Sequence[int], at: int, centre: int) -> tuple[bool, bool, int]:
    """First a unit that goes there already, then one that attacks no other centre."""
    goal = _goal_at(plan, at)
    return goal != centre, goal in CENTRE_AT, at


def _order_to(own: PlayerUnits, at: int, centre: int) -> OrderCells:
    if at == centre:
        return HOLD, -1, -1
    return MOVE, -1, next(to for to in own.ways[at] if NODE_PROVINCE[2 * to] == centre)


def open_centres(scene: Scene, hand: int) -> list[int]:
    """Centres of others or of nobody that no unit of others stands on or can reach."""
    reached, closed = _reached_by_others(scene, hand), scene.closed_row
    return [
        at
        for at in CENTRE_AT
        if not _is_mine(scene.owner[at], hand) and at not in reached and not closed[at]
    ]


def _is_mine(power: int, hand: int) -> bool:
    return power >= 0 and bool(hand >> power & 1)


def _reached_by_others(scene: Scene, hand: int) -> set[int]:
    found: set[int] = set()
    for at in range(PROVINCE_COUNT):
        code = scene.units[at] - 1
        if code >= 0 and not _is_mine(code // NODE_COUNT, hand):
            node = code % NODE_COUNT
            found |= {at, *TOUCH[TOUCH_FROM[node] : TOUCH_FROM[node + 1]]}
    return found


def _goal_at(plan: Sequence[int], at: int) -> int:
    """The province where a unit wants to be after the movement."""
    return NODE_PROVINCE[2 * plan[3 * at + 2]] if plan[3 * at] in (MOVE, VIA) else at


def _is_busy(own: PlayerUnits, plan: Sequence[int], at: int, certain: Sequence[int]) -> bool:
    """Whether a unit has something better to do: it is part of a convoy; in spring, when nothing is
    counted yet, also if it attacks a centre that is defended."""
    goal = _goal_at(plan, at)
    if plan[3 * at] in (VIA, CONVOY):
        return True
    attacks = goal != at and goal in CENTRE_AT and not _is_mine(own.scene.owner[goal], own.hand)
    return attacks and goal not in certain and own.scene.season != FALL
