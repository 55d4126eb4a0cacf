"""Quick games for tuning: one hand that searches a little, the others draft, no table between."""

import random
from functools import cache
from typing import Final

from powderkeg.bots.diplomacy.numbers.engine import Engine, engine
from powderkeg.bots.diplomacy.numbers.map import CENTRE_AT
from powderkeg.bots.diplomacy.numbers.position import Scene, scene_of
from powderkeg.bots.diplomacy.plan.search import Effort, Search, everybody_free, seeds
from powderkeg.bots.diplomacy.weights import Taste
from powderkeg.bots.engine.budget import Budget
from powderkeg.bots.engine.shares import square_shares
from powderkeg.core.table import Table
from powderkeg.games import diplomacy

MOVEMENTS: Final = 10  # five years
LOOK: Final = Effort(plans=10, glance=4, finalists=4, samples=6, depth=1, rounds=0)
UNLIMITED: Final = Budget(1 << 30)


def quick_game(taste: Taste, players: int, seed: int, seat: int) -> float:
    """The share of the sum of squares that a search by `taste` gets against players who draft."""
    tools, luck = engine(wait=True), random.Random(f"trial/{seed}/{seat}")
    scene = opening(players)
    for _ in range(MOVEMENTS):
        scene = tools.after(scene, _orders(tools, scene, seat, taste, luck), seeds(luck, 1)[0])
    return share(scene, seat)


@cache
def opening(players: int) -> Scene:
    options = diplomacy.Options()
    table = Table(diplomacy, players, options)
    return scene_of(table.view(table.seats[0]))


def _orders(tools: Engine, scene: Scene, seat: int, taste: Taste, luck: random.Random) -> list[int]:
    """What everybody does. The luck of the others does not depend on how much I think."""
    others = [hand for n, hand in enumerate(scene.hands) if n != seat]
    own = random.Random(luck.random())
    row = tools.drafts(scene, everybody_free(scene, others), others, seeds(luck, 1))[0]
    search = Search(tools, scene, seat, own, UNLIMITED.start(), LOOK, taste)
    if search.army.all:
        plan = search.run()[0].plan
        for cell in search.army.cells:
            row[cell] = plan[cell]
    return row


def share(scene: Scene, seat: int) -> float:
    held = {
        str(n): float(sum(scene.owner[at] >= 0 and hand >> scene.owner[at] & 1 for at in CENTRE_AT))
        for n, hand in enumerate(scene.hands)
    }
    return square_shares(held)[str(seat)]
