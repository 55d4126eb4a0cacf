"""The levels that look ahead: `hard` and `expert`."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from powderkeg.bots.diplomacy.numbers.engine import Plain, Taste, engine
from powderkeg.bots.diplomacy.numbers.kernel import SPRING
from powderkeg.bots.diplomacy.numbers.position import fixed, given, hand_number, orders, scene_of
from powderkeg.bots.diplomacy.plan import promises, retreats_and_builds
from powderkeg.bots.diplomacy.plan.regret import Council
from powderkeg.bots.diplomacy.plan.search import Effort, Search, Weighed
from powderkeg.bots.diplomacy.turn import Planner, Turn, thinker
from powderkeg.bots.diplomacy.weights import TASTE
from powderkeg.bots.engine.budget import Clock
from powderkeg.bots.engine.search import Knowledge
from powderkeg.bots.engine.thought import Shares, Think
from powderkeg.core.chance import Rng
from powderkeg.core.game import View
from powderkeg.core.words import Msg
from powderkeg.games import diplomacy
from powderkeg.games.diplomacy.actions import Order
from powderkeg.games.diplomacy.state import State

HARD: Final = Effort(plans=32, glance=8, finalists=10, samples=16, depth=1, rounds=1)
EXPERT: Final = Effort(plans=32, glance=8, finalists=12, samples=20, depth=1, rounds=4)
SHOWN: Final = 5  # plans that are told as lines


def value(state: State) -> Shares:
    """What a position promises each seat, before anybody has moved."""
    view = diplomacy.view(state, None)
    scene = scene_of(view)
    values = Plain().outlook(replace(scene, season=SPRING), [scene.units], [1], 0, TASTE)[0]
    total = math.fsum(values) or 1.0
    return {seat: n / total for seat, n in zip(view["seats"], values, strict=True)}


def hard_think(know: Knowledge) -> Think:
    """The best of many plans against guesses at what greedy players do."""
    return thinker(planner(HARD))


def expert_think(know: Knowledge) -> Think:
    """More of it, against players who think."""
    return thinker(planner(EXPERT, search=Council))


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
