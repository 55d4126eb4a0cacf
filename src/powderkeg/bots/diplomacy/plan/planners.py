"""Planners of a whole turn: greedy by the worth of places, or by search."""

from collections.abc import Mapping, Sequence
from typing import Final

from powderkeg.bots.diplomacy.numbers.engine import Plain, engine
from powderkeg.bots.diplomacy.numbers.position import fixed, given, hand_number, orders, scene_of
from powderkeg.bots.diplomacy.plan import promises, retreats_and_builds
from powderkeg.bots.diplomacy.plan.orders import Army
from powderkeg.bots.diplomacy.plan.search import Effort, Search, Weighed, seeds
from powderkeg.bots.diplomacy.turn import Planner, Turn
from powderkeg.bots.diplomacy.weights import TASTE, Taste
from powderkeg.bots.engine.budget import Clock
from powderkeg.core.chance import Rng
from powderkeg.core.game import View
from powderkeg.core.words import Msg
from powderkeg.games.diplomacy.actions import Order


def dumb_turn(view: View, rng: Rng, clock: Clock) -> Turn:
    """Every piece where it is worth most."""
    scene, me = scene_of(view), hand_number(view)
    hand = scene.hands[me]
    why = Msg("bots.reason.values")
    if view["stage"] != "movement":
        return Turn(retreats_and_builds.greedy(view, hand, rng), why)
    army, bound = Army(scene, hand), promises.read(view)
    row = army.idle()
    for at, order in (bound.fixed(army) | fixed(given(view))).items():
        row[3 * at : 3 * at + 3] = order
    drafted = Plain().drafts(bound.scene(scene), row, [hand], seeds(rng, 1))[0]
    return Turn(orders(scene, hand, drafted), why)


def planner(effort: Effort, taste: Taste = TASTE, search: type[Search] = Search) -> Planner:
    """Plans by search."""

    def plan(view: View, rng: Rng, clock: Clock) -> Turn:
        scene, me = scene_of(view), hand_number(view)
        tools = engine(wait=clock.until is None)
        if view["stage"] != "movement":
            way, ranked = retreats_and_builds.thoughtful(
                view, me, rng, clock, tools, taste, effort.samples, effort.depth
            )
            return _told(view, [way], ranked[:1], me, len(ranked))
        bound = promises.read(view)
        found = search(tools, scene, me, rng, clock, effort, taste, fixed(given(view)), bound)
        best = found.run()[:SHOWN]
        hand = scene.hands[me]
        ways = [orders(scene, hand, each.plan) for each in best]
        return _told(view, ways, best, me, found.tried)

    return plan


def _told(
    view: View,
    ways: Sequence[Mapping[str, Order]],
    ranked: Sequence[Weighed],
    me: int,
    tried: int,
) -> Turn:
    """The first of some plans, with what it promises and what else there was."""
    if not ranked:
        return Turn(ways[0], Msg("bots.reason.only"))
    seats = list(view["seats"])
    why = Msg(
        "bots.reason.foresight",
        plans=tried,
        n=ranked[0].visits,
        percent=round(100 * ranked[0].values[me]),
    )
    turns = [
        Turn(way, why, dict(zip(seats, each.values, strict=True)), each.visits)
        for way, each in zip(ways, ranked, strict=True)
    ]
    first = turns[0]
    return Turn(first.orders, why, first.shares, first.visits, tuple(turns[1:]))


SHOWN: Final = 5  # plans that are told as lines
