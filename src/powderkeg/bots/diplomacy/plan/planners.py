"""Planners of a whole turn: greedy by the worth of places, or by search."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from powderkeg.bots.diplomacy.numbers.engine import PlainEngine, draw_seeds, find_engine
from powderkeg.bots.diplomacy.numbers.position import (
    cells_by_province,
    orders_of_hand,
    own_hand,
    put_orders,
    read_scene,
    written_orders,
)
from powderkeg.bots.diplomacy.plan import retreats_and_builds
from powderkeg.bots.diplomacy.plan.open_centres import take_open_centres
from powderkeg.bots.diplomacy.plan.orders import PlanRow, PlayerUnits
from powderkeg.bots.diplomacy.plan.promises import read_promises
from powderkeg.bots.diplomacy.plan.search import PlanSearch, SearchEffort, WeighedPlan
from powderkeg.bots.diplomacy.turn import TurnPlan, TurnPlanner
from powderkeg.bots.diplomacy.weights import FITTED_WEIGHTS, PositionWeights
from powderkeg.bots.engine.budget import Clock
from powderkeg.core.chance import Rng
from powderkeg.core.game import View
from powderkeg.core.words import Msg
from powderkeg.games.diplomacy.actions import Order

SHOWN_PLANS: Final = 5  # plans that are shown as lines


def greedy_turn(view: View, rng: Rng, clock: Clock) -> TurnPlan:
    """Send every unit where the worth is highest, and take the centres that nobody can defend."""
    return _drafted_turn(view, rng, mend=take_open_centres)


def careless_turn(view: View, rng: Rng, clock: Clock) -> TurnPlan:
    """Send every unit where the worth is highest, even past an open centre."""
    return _drafted_turn(view, rng, mend=lambda _, plan: plan)


def _drafted_turn(
    view: View, rng: Rng, mend: Callable[[PlayerUnits, PlanRow], PlanRow]
) -> TurnPlan:
    scene, me = read_scene(view), own_hand(view)
    hand = scene.hands[me]
    why = Msg("bots.reason.values")
    if view["stage"] != "movement":
        return TurnPlan(retreats_and_builds.greedy_orders(view, hand, rng), why)
    promises = read_promises(view)
    bound = promises.bound_scene(scene)
    fixed = promises.promised_cells(PlayerUnits(scene, hand))
    fixed |= cells_by_province(written_orders(view))
    own = PlayerUnits(bound, hand, tuple(fixed))
    row = own.free_row()
    put_orders(row, fixed)
    (drafted,) = PlainEngine().draft_orders(bound, row, [hand], draw_seeds(rng, 1))
    return TurnPlan(orders_of_hand(scene, hand, mend(own, tuple(drafted))), why)


def search_planner(
    effort: SearchEffort,
    weights: PositionWeights = FITTED_WEIGHTS,
    search: type[PlanSearch] = PlanSearch,
) -> TurnPlanner:
    """A planner that searches with this effort."""

    def plan(view: View, rng: Rng, clock: Clock) -> TurnPlan:
        scene, me = read_scene(view), own_hand(view)
        tools = find_engine(wait=clock.until is None)
        if view["stage"] != "movement":
            way, ranked = retreats_and_builds.search_orders(
                view, me, rng, clock, tools, weights, effort.samples, effort.depth
            )
            return _ranked_turn(view, [way], ranked[:1], me, len(ranked))
        fixed, promises = cells_by_province(written_orders(view)), read_promises(view)
        found = search(tools, scene, me, rng, clock, effort, weights, fixed, promises)
        best = found.find_plans()[:SHOWN_PLANS]
        hand = scene.hands[me]
        ways = [orders_of_hand(scene, hand, each.plan) for each in best]
        return _ranked_turn(view, ways, best, me, found.tried)

    return plan


def _ranked_turn(
    view: View,
    ways: Sequence[Mapping[str, Order]],
    ranked: Sequence[WeighedPlan],
    me: int,
    tried: int,
) -> TurnPlan:
    """The best plan with its value, and the others beside it."""
    if not ranked:
        return TurnPlan(ways[0], Msg("bots.reason.only"))
    seats = list(view["seats"])
    why = Msg(
        "bots.reason.foresight",
        plans=tried,
        n=ranked[0].visits,
        percent=round(100 * ranked[0].values[me]),
    )
    turns = [
        TurnPlan(way, why, dict(zip(seats, each.values, strict=True)), each.visits)
        for way, each in zip(ways, ranked, strict=True)
    ]
    first = turns[0]
    return TurnPlan(first.orders, why, first.shares, first.visits, tuple(turns[1:]))
