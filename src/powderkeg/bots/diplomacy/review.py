"""Review of a turn: all orders of a seat compared with the plan of a bot.

A single order cannot be judged: it is carried out with all others, and is good or bad only beside
them. Both sheets of orders are tried against the same guesses with the same seeds. The plan was
chosen with other guesses, because the ones it was chosen with would flatter it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from powderkeg.bots.diplomacy.numbers import kernel
from powderkeg.bots.diplomacy.numbers.engine import Engine, draw_seeds, find_engine
from powderkeg.bots.diplomacy.numbers.kernel import HOLD, SHEET, SPRING
from powderkeg.bots.diplomacy.numbers.position import (
    cells_by_province,
    free_orders,
    orders_of_hand,
    own_hand,
    put_orders,
    read_scene,
    written_orders,
)
from powderkeg.bots.diplomacy.plan import retreats_and_builds
from powderkeg.bots.diplomacy.plan.openings import is_known_opening
from powderkeg.bots.diplomacy.plan.orders import PlayerUnits
from powderkeg.bots.diplomacy.press.commitments import attack_goal, land_of
from powderkeg.bots.diplomacy.turn import TurnPlanner
from powderkeg.bots.diplomacy.weights import FITTED_WEIGHTS
from powderkeg.bots.engine.budget import Budget, Clock
from powderkeg.bots.engine.shares import mean_with_error, significant_loss
from powderkeg.bots.engine.thought import TurnJudge, Verdict
from powderkeg.core.ask import Question
from powderkeg.core.chance import Rng
from powderkeg.core.game import Action, Seat, View
from powderkeg.games import diplomacy
from powderkeg.games.diplomacy.actions import Absent, Disband, Hold, Order, Ready, parse_unit
from powderkeg.games.diplomacy.board import PROVINCE_COUNT
from powderkeg.games.diplomacy.rules.legality import NumberedPosition, spell_movement

REVIEW_SAMPLES: Final = 64  # futures in which two sheets of orders are compared
MOST_PUNISHING: Final = 4  # orders of others that explain a loss
REVIEW_CHUNK: Final = 8  # futures between two looks at the clock
OrderSheet = Mapping[str, Order]  # by province


def turn_judge(planner: TurnPlanner) -> TurnJudge:
    """A judge that compares a seat's orders, when it is ready, with the plan of `planner`."""

    def judge_turn(view: View, did: Action, rng: Rng, budget: Budget) -> Verdict | None:
        if not isinstance(did, Ready | Absent) or is_known_opening(view):
            return None
        blank = {**view, "drafts": {}}
        plan = _written_plan(blank, planner(blank, rng, budget.start()).orders, rng)
        done, stands = written_orders(view), _default_orders(view)
        one, other = stands | done, stands | plan
        differ = sorted(p for p in one.keys() | other.keys() if one.get(p) != other.get(p))
        if not differ:
            return None
        trial = _SheetComparison(blank, rng, find_engine(wait=budget.seconds is None))
        clock = replace(budget, iterations=REVIEW_SAMPLES).start()
        gaps = trial.value_gaps(plan, done, clock)
        then = trial.punishing_orders(done)
        return Verdict(
            tuple(one[p] for p in differ if p in one) or (did,),
            tuple(other[p] for p in differ if p in other) or (Ready(),),
            significant_loss(*mean_with_error(gaps)),
            then,
            _order_questions(blank, [seat for seat, _ in then], rng),
        )

    return judge_turn


def _order_questions(view: View, seats: Sequence[Seat], rng: Rng) -> tuple[Question | None, ...]:
    """The questions that seats answer with their orders, as if nobody were ready."""
    state = replace(diplomacy.deal(view, rng), ready=frozenset())
    return tuple(diplomacy.ask(state, seat) for seat in seats)


def _written_plan(view: View, plan: OrderSheet, rng: Rng) -> dict[str, Order]:
    """The legal orders of a plan, spelled as they are written on a sheet."""
    state = diplomacy.deal(view, rng)
    legal, field = diplomacy.legal(state, view["seat"]), NumberedPosition(state.position)
    moving = state.stage == "movement"
    return {
        province: spell_movement(field, order) if moving else order
        for province, order in plan.items()
        if order in legal
    }


def _own_land(view: View) -> set[str]:
    powers = view["seats"][view["seat"]]["powers"]
    return {at for power in powers for at in land_of(view, power)}


def _default_orders(view: View) -> dict[str, Order]:
    """The orders that units get when nothing is written: hold or disband."""
    powers = view["seats"][view["seat"]]["powers"]
    if view["stage"] == "adjustment":
        return {}
    if view["stage"] == "retreat":
        lost = [parse_unit(x["unit"]) for x in view["dislodged"] if x["power"] in powers]
        return {unit.province: Disband(unit) for unit in lost}
    mine = [parse_unit(text) for power in powers for text in view["units"][power]]
    return {unit.province: Hold(unit) for unit in mine}


@dataclass
class _SheetComparison:
    """Compares sheets of orders of one seat in the same futures."""

    view: View  # without orders
    rng: Rng
    engine: Engine

    def __post_init__(self) -> None:
        self.scene, self.me = read_scene(self.view), own_hand(self.view)
        self.hand = self.scene.hands[self.me]
        self.worst: tuple[float, Sequence[int] | None] = (0.0, None)  # the guess that punishes most
        self.guesses: Sequence[Sequence[int]] = ()

    def value_gaps(self, one: OrderSheet, other: OrderSheet, clock: Clock) -> list[float]:
        """The value of `one` less that of `other` in each future, as long as there is time."""
        values = (
            self._movement_values if self.view["stage"] == "movement" else self._adjustment_values
        )
        gaps: list[float] = []
        while clock.left > 0 and not (gaps and clock.late()):
            clock.spent += REVIEW_CHUNK
            mine = [
                each[self.me] for each in values((one, other), draw_seeds(self.rng, REVIEW_CHUNK))
            ]
            new = [a - b for a, b in zip(mine[:REVIEW_CHUNK], mine[REVIEW_CHUNK:], strict=True)]
            tried = [self.worst, *zip(new, self.guesses, strict=False)]  # a winter has no guesses
            self.worst = max(tried, key=lambda each: each[0])
            gaps += new
        return gaps

    def punishing_orders(self, done: OrderSheet) -> tuple[tuple[Seat, Action], ...]:
        """The attacks of others, in the future in which the sheet does worst, on what the seat holds
        or goes to."""
        guess = self.worst[1]
        if guess is None:
            return ()
        mine = ({attack_goal(order) for order in done.values()} | _own_land(self.view)) - {""}
        attacks = (
            (seat, order)
            for seat, hand in zip(self.view["seats"], self.scene.hands, strict=True)
            if hand != self.hand
            for order in orders_of_hand(self.scene, hand, guess).values()
        )
        return tuple(each for each in attacks if attack_goal(each[1]) in mine)[:MOST_PUNISHING]

    def _movement_values(self, sheets: Sequence[OrderSheet], dice: list[int]) -> list[list[float]]:
        """The value of each sheet to each hand: sheet by sheet, future by future."""
        own = PlayerUnits(self.scene, self.hand)
        plans = []
        for sheet in sheets:
            row = [HOLD, -1, -1] * PROVINCE_COUNT
            put_orders(row, cells_by_province(sheet))
            plans.append(row)
        others = [hand for hand in self.scene.hands if hand != self.hand]
        free = free_orders(self.scene, others)
        guesses = self.engine.draft_orders(
            self.scene, free, others, draw_seeds(self.rng, len(dice))
        )
        self.guesses = guesses
        rows = self.engine.cross_plans(plans, guesses, own.cells)
        return self.engine.evaluate_futures(self.scene, rows, dice * len(plans), 1, FITTED_WEIGHTS)

    def _adjustment_values(
        self, sheets: Sequence[OrderSheet], dice: list[int]
    ) -> list[list[float]]:
        """The same for retreats and adjustments."""
        values = []
        for sheet in sheets:
            units = retreats_and_builds.units_after(self.view, self.scene, self.hand, sheet)
            if self.view["stage"] == "retreat":
                values += self.engine.evaluate_units(
                    self.scene, [units] * len(dice), dice, 1, FITTED_WEIGHTS
                )
            else:
                values += [self._spring_values(units, seed) for seed in dice]
        return values

    def _spring_values(self, units: Sequence[int], seed: int) -> list[float]:
        """The values in spring when only the others adjust: builds that the seat left out stay out."""
        standing, others = list(units), [hand for hand in self.scene.hands if hand != self.hand]
        kernel.adjust_units([0] * SHEET, standing, list(self.scene.owner), others, [seed], 0)
        spring = replace(self.scene, units=tuple(standing), season=SPRING)
        rows = self.engine.draft_orders(spring, free_orders(spring), spring.hands, [seed])
        return self.engine.evaluate_futures(spring, rows, [seed], 0, FITTED_WEIGHTS)[0]
