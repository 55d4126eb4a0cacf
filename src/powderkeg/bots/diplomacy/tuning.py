"""Quick games for tuning, without a table: one hand searches a little, the others draft."""

import random
from functools import cache
from typing import Final

from powderkeg.bots.diplomacy.numbers.engine import Engine, draw_seeds, find_engine
from powderkeg.bots.diplomacy.numbers.map import CENTRE_AT
from powderkeg.bots.diplomacy.numbers.position import Scene, copy_cells, free_orders, read_scene
from powderkeg.bots.diplomacy.plan.search import PlanSearch, SearchEffort
from powderkeg.bots.diplomacy.weights import PositionWeights
from powderkeg.bots.engine.budget import Budget
from powderkeg.bots.engine.shares import square_shares
from powderkeg.core.table import Table
from powderkeg.games import diplomacy

TRIAL_MOVEMENTS: Final = 10  # five years
TRIAL_EFFORT: Final = SearchEffort(plans=10, glance=4, finalists=4, samples=6, depth=1, rounds=0)
UNLIMITED_BUDGET: Final = Budget(1 << 30)


def play_quick_game(weights: PositionWeights, players: int, seed: int, seat: int) -> float:
    """The share of the sum of squares that a search with `weights` gets against drafting players."""
    tools, luck = find_engine(wait=True), random.Random(f"trial/{seed}/{seat}")
    scene = opening_scene(players)
    for _ in range(TRIAL_MOVEMENTS):
        scene = tools.play_movement(
            scene, _movement_orders(tools, scene, seat, weights, luck), draw_seeds(luck, 1)[0]
        )
    return square_share(scene, seat)


@cache
def opening_scene(players: int) -> Scene:
    """The first movement of a game."""
    options = diplomacy.Options()
    table = Table(diplomacy, players, options)
    return read_scene(table.view(table.seats[0]))


def _movement_orders(
    tools: Engine, scene: Scene, seat: int, weights: PositionWeights, luck: random.Random
) -> list[int]:
    """The orders of all hands. What the others draft does not depend on how long `seat` searches."""
    others = [hand for n, hand in enumerate(scene.hands) if n != seat]
    own = random.Random(luck.random())
    row = tools.draft_orders(scene, free_orders(scene, others), others, draw_seeds(luck, 1))[0]
    search = PlanSearch(tools, scene, seat, own, UNLIMITED_BUDGET.start(), TRIAL_EFFORT, weights)
    if search.own.all:
        copy_cells(row, search.find_plans()[0].plan, search.own.cells)
    return row


def square_share(scene: Scene, seat: int) -> float:
    """The share of one seat in the sum of squared centres."""
    held = {
        str(n): float(sum(scene.owner[at] >= 0 and hand >> scene.owner[at] & 1 for at in CENTRE_AT))
        for n, hand in enumerate(scene.hands)
    }
    return square_shares(held)[str(seat)]
