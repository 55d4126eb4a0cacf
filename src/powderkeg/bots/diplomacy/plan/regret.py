"""Search against players who search as well: the candidates of all players in one game, solved by
regret minimisation.

Every player has some plans: drafts with different seeds, and a few that it would find by search. Play
is drawn towards these habits (piKL), so that nobody is thought to be cleverer than the gain is worth.
Most guesses of what the others do come from the solution; the rest are drafts, because some opponents
do not search.
"""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from powderkeg.bots.diplomacy.numbers.engine import draw_seeds
from powderkeg.bots.diplomacy.numbers.position import copy_cells
from powderkeg.bots.diplomacy.plan.orders import PlanRow
from powderkeg.bots.diplomacy.plan.promises import Promises
from powderkeg.bots.diplomacy.plan.search import PlanSearch, SearchEffort
from powderkeg.bots.engine.regret import Mix, draw_choice, softmax

HABIT_ANCHOR: Final = 0.02  # value that a player must gain to leave its habits
DRAFTS_PER_PLAYER: Final = 10
PLAYER_EFFORT: Final = SearchEffort(plans=20, glance=6, finalists=8, samples=8, depth=1, rounds=1)
FOUND_WEIGHTS: Final = (
    0.4,
    0.2,
    0.1,
)  # how likely a player plays the plans it finds by search, best first
DRAFT_EVERY: Final = 3  # every third guess is a draft
REGRET_ITERATIONS: Final = 12
REGRET_DEPTH: Final = 1  # movements of a rollout


@dataclass
class PlayerMix:
    """The plans of one player and the probabilities with which it plays them."""

    number: int
    cells: Sequence[int]
    plans: list[PlanRow]
    habit: Mix
    sums: list[float]
    played: list[float]
    mix: Mix


class RegretSearch(PlanSearch):
    """Search for the best response to players who search."""

    def guess_orders(self, count: int) -> list[list[int]]:
        rows = super().guess_orders(count)
        players = self.solve_players(rows)
        bound = {self.scene.hand_of(each.power) for each in self.promises.expected}
        self.write_draws(rows, [p for p in players if p.number not in {self.me, *bound}])
        return rows

    def solve_players(self, rows: Sequence[Sequence[int]]) -> list[PlayerMix]:
        """The plans of all players who have units, each as likely as the solution plays it."""
        numbers = range(len(self.scene.hands))
        players = [player for n in numbers if (player := self._player_mix(n)) is not None]
        self._solve_mixes(players, rows)
        return players

    def write_draws(self, rows: Sequence[list[int]], players: Sequence[PlayerMix]) -> None:
        """Draw plans of these players into the guesses, except into every third, which stays a draft."""
        mixes = [normalise_weights(player.played) for player in players]
        for number, row in enumerate(rows):
            for player, mix in zip(players, mixes, strict=True):
                if number % DRAFT_EVERY:
                    copy_cells(row, player.plans[draw_choice(mix, self.rng)], player.cells)

    def _player_mix(self, number: int) -> PlayerMix | None:
        mine = number == self.me
        fixed = self.fixed if mine else {}
        promises = self.promises if mine else Promises()
        clock = self.clock.part(0.5 / len(self.scene.hands))
        given = (self.engine, self.scene, number, self.rng, clock)
        search = PlanSearch(*given, PLAYER_EFFORT, self.weights, fixed, promises)
        if not search.own.all:
            return None
        counted = Counter(search.draft_orders(DRAFTS_PER_PLAYER))
        looked = [] if clock.late() else search.find_plans()[: len(FOUND_WEIGHTS)]
        weights = {
            plan: (1 - math.fsum(FOUND_WEIGHTS)) * n / DRAFTS_PER_PLAYER
            for plan, n in counted.items()
        }
        for each, likely in zip(looked, FOUND_WEIGHTS, strict=False):
            weights[each.plan] = weights.get(each.plan, 0.0) + likely
        plans, habit = list(weights), normalise_weights(list(weights.values()))
        nothing = [0.0] * len(plans)
        return PlayerMix(number, search.own.cells, plans, habit, nothing, list(habit), list(habit))

    def _solve_mixes(self, players: Sequence[PlayerMix], rows: Sequence[Sequence[int]]) -> None:
        clock = self.clock.part(0.3)
        for iteration in range(1, REGRET_ITERATIONS + 1):
            if not clock.tick():
                return
            self._update_mixes(players, list(rows[0]), iteration)

    def _update_mixes(self, players: Sequence[PlayerMix], row: list[int], iteration: int) -> None:
        """Update every player's mix by the value of its plans against a draw of the others' plans."""
        for player in players:
            plan = player.plans[draw_choice(player.mix, self.rng)]
            copy_cells(row, plan, player.cells)
        rows = []
        for player in players:
            for plan in player.plans:
                trial = list(row)
                copy_cells(trial, plan, player.cells)
                rows.append(trial)
        dice = draw_seeds(self.rng, 1) * len(rows)
        values = iter(
            self.engine.evaluate_futures(self.scene, rows, dice, REGRET_DEPTH, self.weights)
        )
        for player in players:
            player.sums = [s + next(values)[player.number] for s in player.sums]
            heat = HABIT_ANCHOR + 1 / (10 * math.sqrt(iteration))
            player.mix = softmax(
                [
                    (s / iteration + HABIT_ANCHOR * math.log(h)) / heat
                    for s, h in zip(player.sums, player.habit, strict=True)
                ]
            )
            player.played = [p + m for p, m in zip(player.played, player.mix, strict=True)]


def normalise_weights(weights: Sequence[float]) -> Mix:
    total = math.fsum(weights)
    return [weight / total for weight in weights]
