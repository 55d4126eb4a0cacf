"""Search against what the others would find: every other player's own search is made for it, and the
plans found there are the guesses.

The solution of the common game says what each player has to fear, but its few candidates are rarely what a
player who searches really orders. So each other player searches as we would, several times, against draws
from that solution; we look for the best answer to what came out of it. A few guesses stay draws and drafts,
because not everybody searches.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from powderkeg.bots.diplomacy.numbers.position import copy_cells
from powderkeg.bots.diplomacy.plan.orders import PlanRow
from powderkeg.bots.diplomacy.plan.promises import Promises
from powderkeg.bots.diplomacy.plan.regret import PlayerMix, RegretSearch, normalise_weights
from powderkeg.bots.diplomacy.plan.search import PlanSearch, SearchEffort
from powderkeg.bots.diplomacy.weights import FINAL_WEIGHTS, PositionWeights
from powderkeg.bots.engine.regret import draw_choice, draw_fraction

RIVAL_EFFORT: Final = SearchEffort(plans=32, glance=8, finalists=12, samples=20, depth=1, rounds=4)
RIVAL_SEARCHES: Final = 6  # times that each other player searches
RANK_WEIGHTS: Final = (0.7, 0.2, 0.1)  # how likely a player plays what it finds, best first
HABIT_EVERY: Final = 8  # every eighth guess is what the solution plays, or a draft
RIVAL_SHARE: Final = 0.5  # part of the time left that the others' searches may take

WeightedPlan = tuple[PlanRow, float]


@dataclass
class RivalSearch(PlanSearch):
    """A search as another player makes it, against these guesses of what its own rivals do."""

    guesses: list[list[int]] = field(default_factory=list)

    def guess_orders(self, count: int) -> list[list[int]]:
        return self.guesses[:count]


class ForesightSearch(RegretSearch):
    """Search for the best answer to what the others would find by search."""

    def guess_orders(self, count: int) -> list[list[int]]:
        rows = PlanSearch.guess_orders(self, count)
        players = self.solve_players(rows)
        rivals = [player for player in players if player.number != self.me]
        found = self._search_rivals(players, rivals)
        bound = {self.scene.hand_of(each.power) for each in self.promises.expected}
        self.write_draws(rows, [p for p in rivals if p.number not in bound])
        for number, row in enumerate(rows):
            for rival in rivals:
                if number % HABIT_EVERY and found[rival.number]:
                    copy_cells(row, self._draw_plan(found[rival.number]), rival.cells)
        return rows

    def outlook(self, depth: int) -> tuple[int, PositionWeights]:
        """Not beyond the last year; at its end only centres count."""
        left = self.scene.left
        if left is None or depth + 1 < left:
            return depth, self.weights
        return max(0, left - 1), FINAL_WEIGHTS

    def _draw_plan(self, found: Sequence[WeightedPlan]) -> PlanRow:
        weights = normalise_weights([weight for _, weight in found])
        return found[draw_choice(weights, self.rng)][0]

    def _search_rivals(
        self, players: Sequence[PlayerMix], rivals: Sequence[PlayerMix]
    ) -> dict[int, list[WeightedPlan]]:
        """What every rival finds. All search once before one searches again, as long as there is time."""
        found: dict[int, list[WeightedPlan]] = {rival.number: [] for rival in rivals}
        clock = self.clock.part(RIVAL_SHARE)
        for _ in range(RIVAL_SEARCHES):
            for rival in rivals:
                if clock.late() or clock.left <= 0:
                    return found
                given = (self.engine, self.scene, rival.number, self.rng, clock, RIVAL_EFFORT)
                promises = self._kept_promises(rival.number)
                search = RivalSearch(*given, self.weights, promises=promises)
                search.guesses = PlanSearch.guess_orders(search, RIVAL_EFFORT.samples)
                self.write_draws(search.guesses, [p for p in players if p is not rival])
                best = search.find_plans()[: len(RANK_WEIGHTS)]
                found[rival.number] += [
                    (each.plan, weight) for each, weight in zip(best, RANK_WEIGHTS, strict=False)
                ]
        return found

    def _kept_promises(self, number: int) -> Promises:
        """The promises that a rival keeps this time: as often as it is trusted."""
        for each in self.promises.expected:
            if self.scene.hand_of(each.power) == number and draw_fraction(self.rng) < each.trust:
                return Promises(each.barred, each.orders)
        return Promises()
