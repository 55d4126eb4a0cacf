"""The best of many plans against many guesses at what the others do.

Plans come from the greedy planner with its luck, so they are coherent; the best are changed, one or
two units at a time, as long as it helps; the best of all are played on for some movements.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from powderkeg.bots.budget import Clock
from powderkeg.bots.diplomacy.engine import Engine, Scene, Taste
from powderkeg.bots.diplomacy.kernel import FREE, HOLD
from powderkeg.bots.diplomacy.plans import Army, Plan
from powderkeg.bots.diplomacy.tables import COUNT, NODES
from powderkeg.core.chance import Rng

SEEDS = (1 << 31) - 2  # of the kernel's generator


@dataclass(frozen=True, slots=True)
class Effort:
    """How hard a bot looks."""

    plans: int = 32  # drafts of mine
    samples: int = 16  # guesses at what the others do
    rounds: int = 4  # of changes to the best plan
    deep: int = 0  # movements played on while changing
    finalists: int = 8  # plans that are played on,
    depth: int = 2  # for so many movements
    many: int = 16  # against so many guesses


class Weighed(NamedTuple):
    """A plan and what it promises each hand."""

    plan: Plan
    values: tuple[float, ...]
    visits: int


def seeds(rng: Rng, count: int) -> list[int]:
    return [1 + rng.randrange(SEEDS) for _ in range(count)]


@dataclass
class Search:
    """Looks for the best orders of one hand."""

    engine: Engine
    scene: Scene
    me: int  # which of the hands
    rng: Rng
    clock: Clock
    effort: Effort
    taste: Taste
    fixed: dict[int, tuple[int, int, int]] = field(default_factory=dict)  # orders already given

    def __post_init__(self) -> None:
        self.army = Army(self.scene, self.scene.hands[self.me], tuple(self.fixed))
        self.seen: dict[tuple[int, ...], Weighed] = {}
        self.tried = 0

    def run(self) -> list[Weighed]:
        """Plans and what they promise, best first."""
        effort = self.effort
        many = max(effort.samples, effort.many)
        self.others = self.guesses(many)
        self.dice = seeds(self.rng, many)
        best = self.weigh(self.drafts(effort.plans), effort.samples, effort.deep)
        for _ in range(effort.rounds):
            if self.late:
                break
            top = best[0].plan
            self.weigh(self.army.changes(top), effort.samples, effort.deep)
            best = self.ranked()
            if best[0].plan == top:
                break
        if effort.depth and not self.late:
            final = [each.plan for each in best[: effort.finalists]]
            self.seen.clear()
            best = self.weigh(final, effort.many, effort.depth) or best
        return best

    @property
    def late(self) -> bool:
        return self.clock.late() or not self.clock.left

    def drafts(self, count: int) -> list[Plan]:
        given = self.army.idle()
        for at, order in self.fixed.items():
            given[3 * at : 3 * at + 3] = order
        hands = [self.scene.hands[self.me]]
        found = self.engine.drafts(self.scene, given, hands, seeds(self.rng, count))
        return [tuple(row) for row in found]

    def guesses(self, count: int) -> list[list[int]]:
        """What everybody else might do."""
        others = [hand for n, hand in enumerate(self.scene.hands) if n != self.me]
        free = [HOLD, -1, -1] * COUNT
        for at, code in enumerate(self.scene.units):
            if code and any(hand >> ((code - 1) // NODES) & 1 for hand in others):
                free[3 * at] = FREE
        return self.engine.drafts(self.scene, free, others, seeds(self.rng, count))

    def weigh(self, plans: Iterable[Plan], samples: int, depth: int) -> list[Weighed]:
        """Try plans that were not tried yet against the same guesses, with the same luck after."""
        fresh = {key: plan for plan in plans if (key := self.army.key(plan)) not in self.seen}
        todo = list(fresh.items())
        while todo and (not self.seen or not self.late):
            part, todo = todo[:CHUNK], todo[CHUNK:]
            self.clock.spent += len(part)
            self.tried += len(part)
            self._try(part, samples, depth)
        return self.ranked()

    def _try(self, part: Sequence[tuple[tuple[int, ...], Plan]], samples: int, depth: int) -> None:
        others, dice = self.others[:samples], self.dice[:samples]
        plans = [plan for _, plan in part]
        rows = self.engine.crossed(plans, others, self.army.cells)
        values = self.engine.futures(self.scene, rows, dice * len(plans), depth, self.taste)
        for n, (key, plan) in enumerate(part):
            mine = values[n * samples : (n + 1) * samples]
            mean = tuple(sum(column) / samples for column in zip(*mine, strict=True))
            self.seen[key] = Weighed(plan, mean, samples)

    def ranked(self) -> list[Weighed]:
        return sorted(self.seen.values(), key=lambda each: (-each.values[self.me], each.plan))


CHUNK = 64  # plans tried in one go
