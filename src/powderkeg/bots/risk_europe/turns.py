"""A turned card, carried out as well as the worth of the board tells; and the rest of a round."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from powderkeg.bots.risk_europe import plans
from powderkeg.bots.risk_europe.outlook import Outlook, shares, stakes
from powderkeg.bots.risk_europe.plans import Plan, carried_out
from powderkeg.bots.risk_europe.weights import Weights
from powderkeg.core.chance import Rng
from powderkeg.games.risk_europe.actions import Action
from powderkeg.games.risk_europe.board import CARDS
from powderkeg.games.risk_europe.state import NOBODY, Act, State, Turn, player


class Course(NamedTuple):
    """A whole turn: what is done, what it gains, and the table after it."""

    gain: float
    actions: tuple[Action, ...]
    state: State


NOTHING: tuple[Action, ...] = ()


class Mind:
    """Weights, and how much everybody matters to everybody: fixed for one decision."""

    def __init__(self, state: State, weights: Weights) -> None:
        self.weights = weights
        self.chances = shares(state, weights)
        self.stakes = [stakes(self.chances, weights, i) for i in range(state.people)]

    def outlook(self, state: State, army: int) -> Outlook:
        """`state` as seen by whoever plays `army`."""
        return Outlook(state, self.weights, self.stakes[player(state, army)])

    # One turn, the best step again and again

    def turn(self, state: State, act: Act) -> Course:
        """Bonus first, then the order, then Berlin's manoeuvre: each by its own gain."""
        gain, done = 0.0, NOTHING
        if act.bonus:
            best = _first(plans.of_bonus(self.outlook(state, act.army), act.army, act.card))
            gain, done, state = _then(gain, done, state, act.army, best)
        if act.order:
            best = _first(self.orders(state, act))
            gain, done, state = _then(gain, done, state, act.army, best)
        return Course(gain, done, state)

    def orders(self, state: State, act: Act) -> list[Plan]:
        """All plans for the orders of the card, best first."""
        outlook = self.outlook(state, act.army)
        found = [
            plan
            for order in CARDS[act.card].orders
            for plan in plans.of_order(outlook, act.army, order)
        ]
        return sorted(found, key=lambda plan: -plan.gain)

    def courses(self, state: State, act: Act, width: int) -> list[Course]:
        """Turns worth weighing, best first: bonus before order, and order before bonus."""
        found = {
            (
                course.state.owner,
                course.state.units,
                course.state.attacks,
                course.state.armies,
            ): course
            for course in sorted(self._courses(state, act, width), key=lambda c: c.gain)
        }
        return sorted(found.values(), key=lambda c: -c.gain)[:width]

    def _courses(self, state: State, act: Act, width: int) -> Iterator[Course]:
        army = act.army
        start = Course(0.0, (), state)
        bonuses = plans.of_bonus(self.outlook(state, army), army, act.card) if act.bonus else []
        first = [_step(start, army, plan) for plan in bonuses[:3] if plan.gain > 0]
        yield start
        for begun in (start, *first):
            yield begun
            for plan in self.orders(begun.state, act)[:width] if act.order else ():
                course = _step(begun, army, plan)
                yield course
                if begun is start and bonuses:
                    outlook = self.outlook(course.state, army)
                    for bonus in plans.of_bonus(outlook, army, act.card)[:1]:
                        yield _step(course, army, bonus)

    # The rest of a round

    def play_card(self, state: State, army: int, card: str) -> Course:
        course = self.turn(state, Act(army, card))
        king = player(state, army)
        if card != "king" or state.marker == king:
            return course
        gain = course.gain + self.weights.marker
        return Course(gain, course.actions, course.state._replace(marker=king))

    def rest_of_round(self, state: State, rng: Rng) -> State:
        """Everybody's turns that are still to come; battles are not fought."""
        for step in reversed(state.agenda):
            if not isinstance(step, Turn):
                continue
            own = state.armies[step.army]
            if step.army < state.people:
                card, stack = own.stack[0], own.stack[1:]
                state = _with(state, step.army, own._replace(stack=stack))
            elif own.controller == NOBODY or not own.hand:
                continue
            else:
                card = own.hand[rng.randrange(len(own.hand))]
                hand = list(own.hand)
                hand.remove(card)
                state = _with(state, step.army, own._replace(hand=tuple(hand)))
            if not state.armies[step.army].out:
                state = self.play_card(state, step.army, card).state
        return state


def _with(state: State, army: int, own: object) -> State:
    armies = list(state.armies)
    armies[army] = own  # type: ignore[call-overload]  # an Army
    return state._replace(armies=tuple(armies))


def _first(found: Sequence[Plan]) -> Plan | None:
    return found[0] if found and found[0].gain > 0 else None


def _then(
    gain: float, done: tuple[Action, ...], state: State, army: int, plan: Plan | None
) -> tuple[float, tuple[Action, ...], State]:
    if plan is None:
        return gain, done, state
    return gain + plan.gain, done + plan.actions, carried_out(state, army, plan.actions)


def _step(course: Course, army: int, plan: Plan) -> Course:
    return Course(*_then(course.gain, course.actions, course.state, army, plan))
