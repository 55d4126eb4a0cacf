"""Bots to measure the levels against: DumbBot, a greedy player, and the former expert."""

from typing import Final

from powderkeg.bots.diplomacy.numbers.position import free_orders
from powderkeg.bots.diplomacy.plan.openings import with_book
from powderkeg.bots.diplomacy.plan.planners import careless_turn, search_planner
from powderkeg.bots.diplomacy.plan.regret import RegretSearch
from powderkeg.bots.diplomacy.plan.search import PlanSearch, SearchEffort
from powderkeg.bots.diplomacy.turn import follow_planner
from powderkeg.bots.engine.budget import Budget
from powderkeg.bots.engine.knowledge import Knowledge
from powderkeg.bots.engine.thought import Think
from powderkeg.bots.game_bots import Level

QUICK_EFFORT: Final = SearchEffort(plans=32, glance=8, finalists=12, samples=20, depth=1, rounds=4)
QUICK_PLANNER: Final = search_planner(QUICK_EFFORT, search=RegretSearch)
GREEDY_EFFORT: Final = SearchEffort(plans=8, glance=1, finalists=8, samples=1, depth=0, rounds=8)


class LoneSearch(PlanSearch):
    """Search as if nobody else moved: the orders after which the position is worth most at once."""

    def guess_orders(self, count: int) -> list[list[int]]:
        return [free_orders(self.scene, [])]


def _dumbbot(know: Knowledge) -> Think:
    """David Norman's DumbBot from its public description (`numbers.kernel`), with convoys."""
    return follow_planner(careless_turn)


def _greedy(know: Knowledge) -> Think:
    return follow_planner(search_planner(GREEDY_EFFORT, search=LoneSearch))


def _former_expert(know: Knowledge) -> Think:
    """A quicker search, against a few candidates of the others."""
    return follow_planner(with_book(QUICK_PLANNER))


REFERENCES: Final = {
    "dumbbot": Level(_dumbbot, Budget(1)),
    "greedy": Level(_greedy, Budget(2000, 1.0)),
    "former-expert": Level(_former_expert, Budget(20_000, 10.0)),
}
