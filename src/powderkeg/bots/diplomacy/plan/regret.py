"""What the others do when they think too: candidates of all players in one game, solved by regret.

Every player has some plans: drafts with their luck, and a few that it would find by search. Play is
drawn towards these habits (piKL), so that nobody is thought to be cleverer than the gain is worth.
Most of the guesses are taken from there, the rest are plain drafts: some opponents do not think.
"""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from powderkeg.bots.diplomacy.plan.orders import Plan
from powderkeg.bots.diplomacy.plan.promises import Pledges
from powderkeg.bots.diplomacy.plan.search import Effort, Search, seeds
from powderkeg.bots.engine.regret import Mix, draw_choice, softmax

ANCHOR: Final = 0.02  # in units of value: how much a player must gain to leave its habits
DRAFTS: Final = 10  # of each player
LOOK: Final = Effort(plans=20, glance=6, finalists=8, samples=8, depth=1, rounds=1)
FOUND: Final = (0.4, 0.2, 0.1)  # how likely the plans are that a player finds by search
SIMPLE: Final = 3  # one guess of so many is a plain draft
ITERATIONS: Final = 12
DEPTH: Final = 1  # movements played on


@dataclass
class Player:
    """One player's plans, and how it plays them."""

    number: int
    cells: Sequence[int]
    plans: list[Plan]
    habit: Mix
    sums: list[float]
    played: list[float]
    mix: Mix


class Council(Search):
    """Best response to players who think."""

    def guesses(self, count: int) -> list[list[int]]:
        rows = super().guesses(count)
        players = [p for n in range(len(self.scene.hands)) if (p := self._player(n)) is not None]
        self._solve(players, rows)
        bound = {self.hand_of(each.power) for each in self.pledges.expected}
        guessed = [p for p in players if p.number != self.me and p.number not in bound]
        for number, row in enumerate(rows):
            for player in guessed:
                if number % SIMPLE:
                    plan = player.plans[draw_choice(_normal(player.played), self.rng)]
                    for cell in player.cells:
                        row[cell] = plan[cell]
        return rows

    def _player(self, number: int) -> Player | None:
        mine = number == self.me
        fixed = self.fixed if mine else {}
        pledges = self.pledges if mine else Pledges()
        clock = self.clock.part(0.5 / len(self.scene.hands))
        given = (self.engine, self.scene, number, self.rng, clock)
        search = Search(*given, LOOK, self.taste, fixed, pledges)
        if not search.army.all:
            return None
        counted = Counter(search.drafts(DRAFTS))
        looked = [] if clock.late() else search.run()[: len(FOUND)]
        weights = {plan: (1 - math.fsum(FOUND)) * n / DRAFTS for plan, n in counted.items()}
        for each, likely in zip(looked, FOUND, strict=False):
            weights[each.plan] = weights.get(each.plan, 0.0) + likely
        plans, habit = list(weights), _normal(list(weights.values()))
        nothing = [0.0] * len(plans)
        return Player(number, search.army.cells, plans, habit, nothing, list(habit), list(habit))

    def _solve(self, players: Sequence[Player], rows: Sequence[Sequence[int]]) -> None:
        clock = self.clock.part(0.3)
        for iteration in range(1, ITERATIONS + 1):
            if not clock.tick():
                return
            self._iterate(players, list(rows[0]), iteration)

    def _iterate(self, players: Sequence[Player], row: list[int], iteration: int) -> None:
        """Everybody learns what each of its plans would have brought against what the others play."""
        for player in players:
            plan = player.plans[draw_choice(player.mix, self.rng)]
            for cell in player.cells:
                row[cell] = plan[cell]
        rows = []
        for player in players:
            for plan in player.plans:
                trial = list(row)
                for cell in player.cells:
                    trial[cell] = plan[cell]
                rows.append(trial)
        dice = seeds(self.rng, 1) * len(rows)
        values = iter(self.engine.futures(self.scene, rows, dice, DEPTH, self.taste))
        for player in players:
            player.sums = [s + next(values)[player.number] for s in player.sums]
            heat = ANCHOR + 1 / (10 * math.sqrt(iteration))
            player.mix = softmax(
                [
                    (s / iteration + ANCHOR * math.log(h)) / heat
                    for s, h in zip(player.sums, player.habit, strict=True)
                ]
            )
            player.played = [p + m for p, m in zip(player.played, player.mix, strict=True)]


def _normal(weights: Sequence[float]) -> Mix:
    total = math.fsum(weights)
    return [weight / total for weight in weights]
