"""Search for the best of many plans against many guesses of what the others do.

Candidates are drafts of the greedy planner with different seeds, so each is coherent. All get a first
glance, which evaluates the position right after them. The best ones are rolled out for some movements.
The best of these is changed, one or two units at a time, as long as it improves.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from powderkeg.bots.diplomacy.numbers.engine import Engine, draw_seeds
from powderkeg.bots.diplomacy.numbers.position import OrderCells, Scene, free_orders, put_orders
from powderkeg.bots.diplomacy.plan.open_centres import take_open_centres
from powderkeg.bots.diplomacy.plan.orders import PlanRow, PlayerUnits
from powderkeg.bots.diplomacy.plan.promises import ExpectedPromises, Promises
from powderkeg.bots.diplomacy.weights import PositionWeights
from powderkeg.bots.engine.budget import Clock
from powderkeg.bots.engine.regret import draw_fraction
from powderkeg.core.chance import Rng


@dataclass(frozen=True, slots=True)
class SearchEffort:
    """How many plans a search tries, and how thoroughly."""

    plans: int = 32  # drafts of its own
    glance: int = 8  # guesses of what the others do, for the first glance at a plan
    finalists: int = 10  # the best plans are tried again,
    samples: int = 16  # guesses of the others' orders that each candidate meets,
    depth: int = 2  # and movements that each rollout plays
    rounds: int = 4  # times that the best plan is changed


class WeighedPlan(NamedTuple):
    """A plan and its value to each hand."""

    plan: PlanRow
    values: tuple[float, ...]
    visits: int


@dataclass
class PlanSearch:
    """Searches for the best orders of one hand."""

    engine: Engine
    scene: Scene
    me: int  # number of the hand
    rng: Rng
    clock: Clock
    effort: SearchEffort
    weights: PositionWeights
    fixed: dict[int, OrderCells] = field(default_factory=dict)  # orders already given
    promises: Promises = field(default_factory=Promises)  # given by me and to me

    def __post_init__(self) -> None:
        hand = self.scene.hands[self.me]
        self.fixed = self.promises.promised_cells(PlayerUnits(self.scene, hand)) | self.fixed
        self.mine = self.promises.bound_scene(
            self.scene
        )  # with the provinces closed that I promised not to enter
        self.own = PlayerUnits(self.mine, hand, tuple(self.fixed))
        self.seen: dict[tuple[int, ...], WeighedPlan] = {}
        self.tried = 0
        self.pace = 0.0  # the most seconds that one movement of one guess has taken

    def find_plans(self) -> list[WeighedPlan]:
        """Plans with their values, best first."""
        effort = self.effort
        self.others = self.guess_orders(max(effort.samples, effort.glance))
        self.dice = draw_seeds(self.rng, len(self.others))
        drafts = self.draft_orders(effort.plans)
        best = self.compare_plans([*drafts, *(take_open_centres(self.own, d) for d in drafts)])
        for _ in range(effort.rounds):
            top = best[0].plan
            if self.is_late:
                break
            best = self.compare_plans(self.own.changed_plans(top))
            if best[0].plan == top:
                break
        return best

    def compare_plans(self, plans: Iterable[PlanRow]) -> list[WeighedPlan]:
        """Glance at new plans and roll out the best; return all plans rolled out so far, best first."""
        fresh = {key: plan for plan in plans if (key := self.own.plan_key(plan)) not in self.seen}
        glanced = self.weigh_plans(fresh, self.effort.glance, 0)
        glanced.sort(key=lambda found: (-found[1].values[self.me], found[1].plan))
        final = {key: found.plan for key, found in glanced[: self.effort.finalists]}
        looked = self.weigh_plans(final, self.effort.samples, self.effort.depth)
        self.seen |= looked or (
            [] if self.seen else glanced[:1]
        )  # a glance must do when there is no time
        return sorted(self.seen.values(), key=lambda each: (-each.values[self.me], each.plan))

    def outlook(self, depth: int) -> tuple[int, PositionWeights]:
        """How many movements to look ahead, and what counts then."""
        return depth, self.weights

    @property
    def is_late(self) -> bool:
        """Whether time or iterations have run out."""
        return self.clock.late() or self.clock.left <= 0

    def draft_orders(self, count: int) -> list[PlanRow]:
        """Draft plans of my own with different seeds."""
        given = self.own.free_row()
        put_orders(given, self.fixed)
        hands = [self.scene.hands[self.me]]
        found = self.engine.draft_orders(self.mine, given, hands, draw_seeds(self.rng, count))
        return [tuple(row) for row in found]

    def guess_orders(self, count: int) -> list[list[int]]:
        """Guess the orders of all other hands."""
        others = [hand for n, hand in enumerate(self.scene.hands) if n != self.me]
        free = free_orders(self.scene, others)
        rows = self.engine.draft_orders(self.scene, free, others, draw_seeds(self.rng, count))
        for each in self.promises.expected:
            self._apply_promises(each, rows)
        return rows

    def _apply_promises(self, expected: ExpectedPromises, rows: list[list[int]]) -> None:
        """Let a power keep its promises in as many guesses as it is trusted."""
        number = self.scene.hand_of(expected.power)
        bound = Promises(expected.barred, expected.orders)
        kept = bound.draft_orders(self.engine, self.scene, number, draw_seeds(self.rng, len(rows)))
        for row, draft in zip(rows, kept, strict=True):
            if draw_fraction(self.rng) < expected.trust:
                bound.write_orders(self.scene, number, row, draft)

    def weigh_plans(
        self, plans: Mapping[tuple[int, ...], PlanRow], samples: int, depth: int
    ) -> list[tuple[tuple[int, ...], WeighedPlan]]:
        """Evaluate plans against the same guesses with the same seeds, as long as there is time."""
        found: list[tuple[tuple[int, ...], WeighedPlan]] = []
        todo = list(plans.items())
        while todo and not (self.tried and self.is_late):
            part, todo = todo[: self.engine.chunk], todo[self.engine.chunk :]
            movements = len(part) * samples * (depth + 1)
            if self.tried and self.clock.late(self.pace * movements):
                break
            self.clock.spent += len(part)
            self.tried += len(part)
            before = self.clock.seconds
            values = self._mean_values([plan for _, plan in part], samples, depth)
            if before is not None:
                self.pace = max(self.pace, (before - (self.clock.seconds or 0.0)) / movements)
            found += [
                (key, WeighedPlan(plan, mean, samples))
                for (key, plan), mean in zip(part, values, strict=True)
            ]
        return found

    def _mean_values(
        self, plans: Sequence[PlanRow], samples: int, depth: int
    ) -> list[tuple[float, ...]]:
        """The mean value of each plan to each hand."""
        rows = self.engine.cross_plans(plans, self.others[:samples], self.own.cells)
        dice = self.dice[:samples] * len(plans)
        values = self.engine.evaluate_futures(self.scene, rows, dice, *self.outlook(depth))
        parts = [values[n : n + samples] for n in range(0, len(values), samples)]
        return [tuple(sum(column) / samples for column in zip(*p, strict=True)) for p in parts]
