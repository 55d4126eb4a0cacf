"""What the others do when they think too: candidates of all players in one game, solved by regret.

Every player has some plans: drafts with their luck, and a few that were looked for. Play is drawn
towards how often a plan is drafted (piKL), so that nobody is thought to be cleverer than the gain is
worth. Half of the guesses are taken from there, half are plain drafts: some opponents do not think.
"""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from powderkeg.bots.diplomacy.plans import Plan
from powderkeg.bots.diplomacy.search import Effort, Search, seeds
from powderkeg.bots.regret import Mix, draw, softmax

ANCHOR: Final = 0.03  # in units of value: how much a player must gain to leave its habits
FOUND: Final = 0.5  # how much a plan that was looked for counts beside one draft
LOOK: Final = Effort(plans=10, glance=4, finalists=6, samples=4, depth=1, rounds=1)
KEPT: Final = 3  # plans that were looked for


@dataclass(frozen=True, slots=True)
class Table:
    """How much is looked at: drafts of each player, iterations, movements played on."""

    drafts: int = 16
    iterations: int = 24
    depth: int = 1


TABLE: Final = Table()


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
        mine = number == self.me
        search = Search(
            self.engine,
            self.scene,
            number,
            self.rng,
            self.clock,
            replace(LOOK, rounds=0 if self.clock.late() else LOOK.rounds),
            self.taste,
            self.fixed if mine else {},
        )
        if not search.army.all:
            return None
        weights: Counter[Plan] = Counter(search.drafts(TABLE.drafts))
        found = {plan: float(n) for plan, n in weights.items()}
        for each in search.run()[:KEPT]:
            found.setdefault(each.plan, FOUND)
        plans = list(found)
        habit = _normal([found[plan] for plan in plans])
        return Player(
            number, search.army.cells, plans, habit, [0.0] * len(plans), list(habit), list(habit)
        )

    def _solve(self, players: Sequence[Player], rows: Sequence[Sequence[int]]) -> None:
        for iteration in range(1, TABLE.iterations + 1):
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
        values = iter(self.engine.futures(self.scene, rows, dice, TABLE.depth, self.taste))
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
