"""The best of many plans against many guesses at what the others do.

Plans come from the greedy planner with its luck, so they are coherent. All are glanced at: what is
the position worth right after? The best are looked at: everybody plays on for some movements. The
best of these is changed, one or two units at a time, as long as it helps.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from powderkeg.bots.diplomacy.numbers.engine import Engine
from powderkeg.bots.diplomacy.numbers.kernel import FREE, HOLD
from powderkeg.bots.diplomacy.numbers.map import COUNT, NODES
from powderkeg.bots.diplomacy.numbers.position import Scene
from powderkeg.bots.diplomacy.plan.orders import Army, Plan
from powderkeg.bots.diplomacy.plan.promises import Expected, Pledges
from powderkeg.bots.diplomacy.weights import Taste
from powderkeg.bots.engine.budget import Clock
from powderkeg.bots.engine.regret import draw_fraction
from powderkeg.core.chance import Rng
from powderkeg.games.diplomacy.board import POWERS

SEEDS = (1 << 31) - 2  # of the kernel's generator


@dataclass(frozen=True, slots=True)
class Effort:
    """How hard a bot looks."""

    plans: int = 32  # drafts of mine
    glance: int = 8  # guesses at what the others do, for a first look at a plan
    finalists: int = 10  # the plans that look best are looked at again,
    samples: int = 16  # against so many guesses,
    depth: int = 2  # and played on for so many movements
    rounds: int = 4  # how often the best plan is changed


class Weighed(NamedTuple):
    """A plan and what it promises each hand."""

    plan: Plan
    values: tuple[float, ...]
    visits: int


def seeds(rng: Rng, count: int) -> list[int]:
    return [1 + rng.randrange(SEEDS) for _ in range(count)]


def everybody_free(scene: Scene, hands: Sequence[int] | None = None) -> list[int]:
    """A row in which units of `hands` (of all who are played) have no orders and others hold."""
    row = [HOLD, -1, -1] * COUNT
    for at, code in enumerate(scene.units):
        played = scene.hands if hands is None else hands
        if code and any(hand >> ((code - 1) // NODES) & 1 for hand in played):
            row[3 * at] = FREE
    return row


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
    pledges: Pledges = field(default_factory=Pledges)  # what was promised, by me and to me

    def __post_init__(self) -> None:
        hand = self.scene.hands[self.me]
        self.fixed = self.pledges.fixed(Army(self.scene, hand)) | self.fixed
        self.mine = self.pledges.scene(self.scene)  # the map as I promised to see it
        self.army = Army(self.mine, hand, tuple(self.fixed))
        self.seen: dict[tuple[int, ...], Weighed] = {}
        self.tried = 0

    def run(self) -> list[Weighed]:
        """Plans and what they promise, best first."""
        effort = self.effort
        self.others = self.guesses(max(effort.samples, effort.glance))
        self.dice = seeds(self.rng, len(self.others))
        best = self.look(self.drafts(effort.plans))
        for _ in range(effort.rounds):
            top = best[0].plan
            if self.late or (best := self.look(self.army.changes(top)))[0].plan == top:
                break
        return best

    def look(self, plans: Iterable[Plan]) -> list[Weighed]:
        """Glance at plans, look again at those that seem best; all that were looked at, best first."""
        fresh = {key: plan for plan in plans if (key := self.army.key(plan)) not in self.seen}
        glanced = self.weigh(fresh, self.effort.glance, 0)
        glanced.sort(key=lambda found: (-found[1].values[self.me], found[1].plan))
        final = {key: found.plan for key, found in glanced[: self.effort.finalists]}
        looked = self.weigh(final, self.effort.samples, self.effort.depth)
        self.seen |= looked or ([] if self.seen else glanced[:1])  # a glance only for want of time
        return sorted(self.seen.values(), key=lambda each: (-each.values[self.me], each.plan))

    @property
    def late(self) -> bool:
        return self.clock.late() or not self.clock.left

    def drafts(self, count: int) -> list[Plan]:
        given = self.army.idle()
        for at, order in self.fixed.items():
            given[3 * at : 3 * at + 3] = order
        hands = [self.scene.hands[self.me]]
        found = self.engine.drafts(self.mine, given, hands, seeds(self.rng, count))
        return [tuple(row) for row in found]

    def guesses(self, count: int) -> list[list[int]]:
        """What everybody else might do."""
        others = [hand for n, hand in enumerate(self.scene.hands) if n != self.me]
        free = everybody_free(self.scene, others)
        rows = self.engine.drafts(self.scene, free, others, seeds(self.rng, count))
        for each in self.pledges.expected:
            self._believe(each, rows)
        return rows

    def _believe(self, expected: Expected, rows: list[list[int]]) -> None:
        """In as many guesses as it is trusted, a power keeps its promises."""
        number = self.hand_of(expected.power)
        bound = Pledges(expected.barred, expected.orders)
        kept = bound.drafts(self.engine, self.scene, number, seeds(self.rng, len(rows)))
        for row, draft in zip(rows, kept, strict=True):
            if draw_fraction(self.rng) < expected.trust:
                bound.write(self.scene, number, row, draft)

    def hand_of(self, power: str) -> int:
        """Whose power it is."""
        bit = 1 << POWERS.index(power)
        return next(n for n, hand in enumerate(self.scene.hands) if hand & bit)

    def weigh(
        self, plans: Mapping[tuple[int, ...], Plan], samples: int, depth: int
    ) -> list[tuple[tuple[int, ...], Weighed]]:
        """Try plans against the same guesses, with the same luck after, as long as there is time."""
        found: list[tuple[tuple[int, ...], Weighed]] = []
        todo = list(plans.items())
        while todo and not (self.tried and self.late):
            part, todo = todo[: self.engine.chunk], todo[self.engine.chunk :]
            self.clock.spent += len(part)
            self.tried += len(part)
            values = self._try([plan for _, plan in part], samples, depth)
            found += [
                (key, Weighed(plan, mean, samples))
                for (key, plan), mean in zip(part, values, strict=True)
            ]
        return found

    def _try(self, plans: Sequence[Plan], samples: int, depth: int) -> list[tuple[float, ...]]:
        """What each plan promises each hand, on average."""
        rows = self.engine.crossed(plans, self.others[:samples], self.army.cells)
        dice = self.dice[:samples] * len(plans)
        values = self.engine.futures(self.scene, rows, dice, depth, self.taste)
        parts = [values[n : n + samples] for n in range(0, len(values), samples)]
        return [tuple(sum(column) / samples for column in zip(*p, strict=True)) for p in parts]
