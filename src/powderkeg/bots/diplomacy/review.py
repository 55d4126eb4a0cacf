"""Where a turn was lost: all orders of a seat against the plan of a bot.

A single order says nothing: it does nothing until all are ready, and is good or bad only beside the
others. Both sheets are tried against the same guesses with the same luck. These are not the guesses
that the plan was chosen by, which flatter it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from powderkeg.bots.diplomacy.numbers import kernel
from powderkeg.bots.diplomacy.numbers.engine import Engine, engine
from powderkeg.bots.diplomacy.numbers.kernel import HOLD, SHEET, SPRING
from powderkeg.bots.diplomacy.numbers.map import COUNT
from powderkeg.bots.diplomacy.numbers.position import fixed, given, hand_number, scene_of
from powderkeg.bots.diplomacy.plan import retreats_and_builds
from powderkeg.bots.diplomacy.plan.orders import Army
from powderkeg.bots.diplomacy.plan.search import everybody_free, seeds
from powderkeg.bots.diplomacy.turn import Planner
from powderkeg.bots.diplomacy.weights import TASTE
from powderkeg.bots.engine.budget import Budget, Clock
from powderkeg.bots.engine.shares import mean_with_error, significant_loss
from powderkeg.bots.engine.thought import TurnJudge, Verdict
from powderkeg.core.chance import Rng
from powderkeg.core.game import Action, View
from powderkeg.games import diplomacy
from powderkeg.games.diplomacy.actions import Absent, Disband, Hold, Order, Ready, parse_unit
from powderkeg.games.diplomacy.rules.legality import NumberedPosition, spell_movement

SAMPLES: Final = 64  # futures in which two sheets are compared
PART: Final = 8  # of them are tried between two looks at the clock
Sheet = Mapping[str, Order]  # by province


def judge(planner: Planner) -> TurnJudge:
    """Who is ready: are its orders worse than the plan of `planner`?"""

    def judged(view: View, did: Action, rng: Rng, budget: Budget) -> Verdict | None:
        if not isinstance(did, Ready | Absent):
            return None
        blank = {**view, "drafts": {}}
        plan = _written(blank, planner(blank, rng, budget.start()).orders, rng)
        done, stands = given(view), _stands(view)
        one, other = stands | done, stands | plan
        differ = sorted(p for p in one.keys() | other.keys() if one.get(p) != other.get(p))
        if not differ:
            return None
        trial = _Trial(blank, rng, engine(wait=budget.seconds is None))
        return Verdict(
            tuple(one[p] for p in differ if p in one) or (did,),
            tuple(other[p] for p in differ if p in other) or (Ready(),),
            significant_loss(
                *mean_with_error(
                    trial.gaps(plan, done, replace(budget, iterations=SAMPLES).start())
                )
            ),
        )

    return judged


def _written(view: View, plan: Sheet, rng: Rng) -> dict[str, Order]:
    """A plan as it would stand on a sheet of orders."""
    state = diplomacy.deal(view, rng)
    legal, field = diplomacy.legal(state, view["seat"]), NumberedPosition(state.position)
    moving = state.stage == "movement"
    return {
        province: spell_movement(field, order) if moving else order
        for province, order in plan.items()
        if order in legal
    }


def _stands(view: View) -> dict[str, Order]:
    """What becomes of my units without orders."""
    powers = view["seats"][view["seat"]]["powers"]
    if view["stage"] == "adjustment":
        return {}
    if view["stage"] == "retreat":
        lost = [parse_unit(x["unit"]) for x in view["dislodged"] if x["power"] in powers]
        return {unit.province: Disband(unit) for unit in lost}
    mine = [parse_unit(text) for power in powers for text in view["units"][power]]
    return {unit.province: Hold(unit) for unit in mine}


@dataclass
class _Trial:
    """Tries sheets of one seat in the same futures."""

    view: View  # without orders
    rng: Rng
    engine: Engine

    def __post_init__(self) -> None:
        self.scene, self.me = scene_of(self.view), hand_number(self.view)
        self.hand = self.scene.hands[self.me]

    def gaps(self, one: Sheet, other: Sheet, clock: Clock) -> list[float]:
        """By how much `one` is better than `other` in each future, as long as there is time."""
        values = self._moved if self.view["stage"] == "movement" else self._adjusted
        gaps: list[float] = []
        while clock.left > 0 and not (gaps and clock.late()):
            clock.spent += PART
            mine = [each[self.me] for each in values((one, other), seeds(self.rng, PART))]
            gaps += [a - b for a, b in zip(mine[:PART], mine[PART:], strict=True)]
        return gaps

    def _moved(self, sheets: Sequence[Sheet], dice: list[int]) -> list[list[float]]:
        """What a movement promises each hand: sheet by sheet, future by future."""
        army = Army(self.scene, self.hand)
        plans = []
        for sheet in sheets:
            row = [HOLD, -1, -1] * COUNT
            for at, order in fixed(sheet).items():
                row[3 * at : 3 * at + 3] = order
            plans.append(row)
        others = [hand for hand in self.scene.hands if hand != self.hand]
        free = everybody_free(self.scene, others)
        guesses = self.engine.drafts(self.scene, free, others, seeds(self.rng, len(dice)))
        rows = self.engine.crossed(plans, guesses, army.cells)
        return self.engine.futures(self.scene, rows, dice * len(plans), 1, TASTE)

    def _adjusted(self, sheets: Sequence[Sheet], dice: list[int]) -> list[list[float]]:
        """The same of retreats and adjustments."""
        values = []
        for sheet in sheets:
            units = retreats_and_builds.carried_out(self.view, self.scene, self.hand, sheet)
            if self.view["stage"] == "retreat":
                values += self.engine.outlook(self.scene, [units] * len(dice), dice, 1, TASTE)
            else:
                values += [self._spring(units, seed) for seed in dice]
        return values

    def _spring(self, units: Sequence[int], seed: int) -> list[float]:
        """After a winter in which only the others adjust: what I did not build is not built."""
        standing, others = list(units), [hand for hand in self.scene.hands if hand != self.hand]
        kernel.adjust([0] * SHEET, standing, list(self.scene.owner), others, [seed], 0)
        spring = replace(self.scene, units=tuple(standing), season=SPRING)
        rows = self.engine.drafts(spring, everybody_free(spring), spring.hands, [seed])
        return self.engine.futures(spring, rows, [seed], 0, TASTE)[0]
