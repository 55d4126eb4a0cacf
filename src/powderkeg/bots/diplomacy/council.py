"""What the others do when they think too: candidates of all players in one game, solved by regret.

Every player has some plans, drafted with luck. Play is drawn towards how often a plan is drafted
(piKL), so that nobody is thought to be cleverer than the gain is worth. Half of the guesses are taken
from there, half are plain drafts: some opponents do not think.
"""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from powderkeg.bots.diplomacy.plans import Army, Plan
from powderkeg.bots.diplomacy.search import Search, seeds
from powderkeg.bots.regret import Mix, draw, softmax

ANCHOR: Final = 0.02  # in units of value: how much a player must gain to leave its habits
DRAFTS: Final = 12  # of each player
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
        simple = super().guesses(count)
        players = [p for n in range(len(self.scene.hands)) if (p := self._player(n)) is not None]
        self._solve(players, simple)
        for row in simple[count // 2 :]:
            for player in players:
                if player.number != self.me:
                    plan = player.plans[draw(_normal(player.played), self.rng)]
                    for cell in player.cells:
                        row[cell] = plan[cell]
        return _shuffled(simple)

    def _player(self, number: int) -> Player | None:
        army = Army(self.scene, self.scene.hands[number])
        if not army.all:
            return None
        if number == self.me:
            drafted = self.drafts(DRAFTS)
        else:
            dice, hands = seeds(self.rng, DRAFTS), [self.scene.hands[number]]
            drafted = [
                tuple(row) for row in self.engine.drafts(self.scene, army.idle(), hands, dice)
            ]
        counted = Counter(drafted)
        plans = list(counted)
        habit = [counted[plan] / DRAFTS for plan in plans]
        nothing = [0.0] * len(plans)
        return Player(number, army.cells, plans, habit, nothing, list(habit), list(habit))

    def _solve(self, players: Sequence[Player], rows: Sequence[Sequence[int]]) -> None:
        for iteration in range(1, ITERATIONS + 1):
            if self.clock.late():
                return
            self.clock.spent += 1
            self._iterate(players, list(rows[0]), iteration)

    def _iterate(self, players: Sequence[Player], row: list[int], iteration: int) -> None:
        """Everybody learns what each of its plans would have brought against what the others play."""
        for player in players:
            plan = player.plans[draw(player.mix, self.rng)]
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


def _shuffled(rows: list[list[int]]) -> list[list[int]]:
    """The two kinds of guesses in turn, so that every beginning has both."""
    half = len(rows) // 2
    mixed = [row for pair in zip(rows[:half], rows[half:], strict=False) for row in pair]
    return mixed + rows[2 * half :]
