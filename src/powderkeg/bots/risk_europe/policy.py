"""The greedy policy: carry out a card by the value of the board, and play the rest of a round."""

import math
import random
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from powderkeg.bots.engine.regret import draw_choice, softmax
from powderkeg.bots.risk_europe import candidates
from powderkeg.bots.risk_europe.candidates import OrderPlan, apply_plan
from powderkeg.bots.risk_europe.evaluate import Outlook, card_value, viewer_stakes, winning_chances
from powderkeg.bots.risk_europe.weights import OddsWeights
from powderkeg.core.chance import CHANCE, Rng
from powderkeg.games import risk_europe
from powderkeg.games.risk_europe import actions
from powderkeg.games.risk_europe.actions import Action
from powderkeg.games.risk_europe.board import CARDS, NOBODY
from powderkeg.games.risk_europe.rules import missions, rounds
from powderkeg.games.risk_europe.rules.rounds import in_deck_order
from powderkeg.games.risk_europe.state import (
    State,
    deciding_player,
    players_left,
    push_steps,
    with_army,
)
from powderkeg.games.risk_europe.steps import Act, Battles, EndRound, NewRound, Reveals, Turn


class TurnCourse(NamedTuple):
    """A whole turn: its actions, its gain, and the state after it."""

    gain: float
    actions: tuple[Action, ...]
    state: State


class RoundCards(NamedTuple):
    """By army: the cards that it will reveal this round, and those that it keeps."""

    stacks: tuple[tuple[str, ...], ...]
    hands: tuple[tuple[str, ...], ...]


TEMPER = 0.15  # the extra gain that makes a choice e times as likely
GAME_POINTS = 40  # points per game: regret matching works best with payoffs of about one
PICK_ANCHOR = 0.8  # points of payoff that outweigh one TEMPER of gain
REPEAT_PENALTY = 0.3
ENOUGH_GAIN = 0.3  # a manoeuvre hardly ever gains as much
MOST_PLANS = 16  # plans for an order that are remembered
NO_ACTIONS: tuple[Action, ...] = ()


class RoundPolicy:
    """Weights, and how much each player matters to each: fixed for one decision."""

    def __init__(self, state: State, weights: OddsWeights) -> None:
        self.weights = weights
        self.chances = winning_chances(state, weights)
        self.stakes = [viewer_stakes(self.chances, weights, i) for i in range(state.people)]
        self.known: dict[tuple[State, int, str], TurnCourse] = {}
        self.plans: dict[tuple[State, int, str], list[OrderPlan]] = {}

    def outlook_for(self, state: State, army: int) -> Outlook:
        """`state` as seen by the player of `army`."""
        return Outlook(state, self.weights, self.stakes[deciding_player(state, army)])

    # One turn, always by the best next step

    def best_turn(self, state: State, act: Act) -> TurnCourse:
        """Bonus first, then the order, then Berlin's manoeuvre: each by its own gain."""
        gain, done = 0.0, NO_ACTIONS
        if act.bonus:
            best = _gaining_plan(
                candidates.bonus_plans(self.outlook_for(state, act.army), act.army, act.card)
            )
            gain, done, state = _add_plan(gain, done, state, act.army, best)
        if act.order:
            best = _gaining_plan(self.ranked_orders(state, act, ENOUGH_GAIN))
            gain, done, state = _add_plan(gain, done, state, act.army, best)
        return TurnCourse(gain, done, state)

    def ranked_orders(self, state: State, act: Act, enough: float = math.inf) -> list[OrderPlan]:
        """The plans for the orders of the card, best first; when the first order gains `enough`,
        the second is not looked at."""
        found: list[OrderPlan] = []
        for order in CARDS[act.card].orders:
            if found and found[0].gain > enough and order == "manoeuvre":
                break
            key = (state, act.army, order)
            if key not in self.plans:
                outlook = self.outlook_for(state, act.army)
                self.plans[key] = candidates.order_plans(outlook, act.army, order)[:MOST_PLANS]
            found += self.plans[key]
        return sorted(found, key=lambda plan: -plan.gain)

    def turn_courses(self, state: State, act: Act, width: int) -> list[TurnCourse]:
        """Turns worth weighing, best first: bonus before order, and order before bonus."""
        found = {
            (
                course.state.owner,
                course.state.units,
                course.state.attacks,
                course.state.armies,
            ): course
            for course in sorted(self._possible_courses(state, act, width), key=lambda c: c.gain)
        }
        return sorted(found.values(), key=lambda c: -c.gain)[:width]

    def _possible_courses(self, state: State, act: Act, width: int) -> Iterator[TurnCourse]:
        army = act.army
        start = TurnCourse(0.0, (), state)
        bonuses = (
            candidates.bonus_plans(self.outlook_for(state, army), army, act.card)
            if act.bonus
            else []
        )
        first = [_extend_course(start, army, plan) for plan in bonuses[:3] if plan.gain > 0]
        yield start
        for begun in (start, *first):
            yield begun
            for plan in self.ranked_orders(begun.state, act)[:width] if act.order else ():
                course = _extend_course(begun, army, plan)
                yield course
                if begun is start and bonuses:
                    outlook = self.outlook_for(course.state, army)
                    for bonus in candidates.bonus_plans(outlook, army, act.card)[:1]:
                        yield _extend_course(course, army, bonus)

    # The rest of a round

    def play_card(self, state: State, army: int, card: str) -> TurnCourse:
        """The state after a card is played.

        Cached, because rounds that differ in a late card begin alike.
        """
        key = (state, army, card)
        if key not in self.known:
            self.known[key] = self._play_card(state, army, card)
        return self.known[key]

    def _play_card(self, state: State, army: int, card: str) -> TurnCourse:
        course = self.best_turn(state, Act(army, card))
        king = deciding_player(state, army)
        if card != "king" or state.marker == king:
            return course
        gain = course.gain + self.weights.marker
        return TurnCourse(gain, course.actions, course.state._replace(marker=king))

    def rest_of_round(self, state: State, cards: RoundCards, rng: Rng) -> State:
        """The state after all remaining turns of the round, before the battles."""
        table, stacks = table_without_cards(state), list(cards.stacks)
        for step in reversed(state.agenda):
            if not isinstance(step, Turn) or table.armies[step.army].out:
                continue
            army = step.army
            if army < table.people:
                card, stacks[army] = stacks[army][0], stacks[army][1:]
            else:
                own = table.armies[army]
                if own.controller == NOBODY or not own.hand:
                    continue
                card = own.hand[rng.randrange(len(own.hand))]
                table = with_army(table, army, hand=_hand_without(own.hand, card))
            table = self.play_card(table, army, card).state
        for army in range(table.people):
            table = with_army(table, army, hand=cards.hands[army])
        return table

    def play_turns(self, state: State, cards: RoundCards) -> State:
        """The state after the turns of this round with these cards; always with the same luck."""
        rng = random.Random(0)
        return self.rest_of_round(self.hire_mercenaries(state, rng), cards, rng)

    # The next round

    def guess_cards(self, state: State, me: int, rng: Rng | None = None) -> RoundCards:
        """A guess at the cards that the players other than `me` placed: the best-looking ones, or
        drawn with `rng` so that better ones are more likely. Which cards are still hidden is known
        to all.
        """
        stacks, hands = [own.stack for own in state.armies], [own.hand for own in state.armies]
        table = table_without_cards(state)
        for who in players_left(state):
            count = len(stacks[who])
            if who != me and count:
                hidden = in_deck_order(hands[who] + stacks[who])
                stacks[who] = self.likely_cards(table, who, hidden, count, rng)
                hands[who] = hidden
                for card in stacks[who]:
                    hands[who] = _hand_without(hands[who], card)
        return RoundCards(tuple(stacks), tuple(hands))

    def likely_cards(
        self, table: State, who: int, cards: tuple[str, ...], count: int, rng: Rng | None
    ) -> tuple[str, ...]:
        """`count` of `cards` by the gain of each alone, best first."""
        gains = {
            card: self.play_card(table, who, card).gain - card_value(self.weights, card)
            for card in dict.fromkeys(cards)
        }
        found: tuple[str, ...] = ()
        for _ in range(count):
            kinds = [c for c in gains if cards.count(c) > found.count(c)]
            if rng is None:
                # a second card of the same kind gains less than the first
                found += (
                    max(kinds, key=lambda card: gains[card] - REPEAT_PENALTY * (card in found)),
                )
            else:
                found += (kinds[draw_choice(softmax([gains[c] / TEMPER for c in kinds]), rng)],)
        return found

    def hire_mercenaries(self, state: State, rng: Rng) -> State:
        """Give each mercenary army to a random player."""
        alive = players_left(state)
        for army in range(state.people, len(state.armies)):
            state = with_army(state, army, controller=alive[rng.randrange(len(alive))])
        return state


def place_cards(state: State, pairs: Mapping[int, tuple[str, ...]]) -> RoundCards:
    """The cards of all players after these are placed."""
    stacks: list[tuple[str, ...]] = [()] * len(state.armies)
    hands = [own.hand + own.stack for own in state.armies]
    for who, pair in pairs.items():
        stacks[who] = pair
        for card in pair:
            hands[who] = _hand_without(hands[who], card)
    return RoundCards(tuple(stacks), tuple(hands))


def _hand_without(hand: tuple[str, ...], card: str) -> tuple[str, ...]:
    at = hand.index(card)
    return hand[:at] + hand[at + 1 :]


def table_without_cards(state: State) -> State:
    """The state without the players' cards, so that states with equal boards are equal."""
    people = state.people
    return state._replace(
        agenda=(),
        armies=tuple(
            own._replace(hand=(), stack=()) if i < people else own
            for i, own in enumerate(state.armies)
        ),
    )


def play_battles(state: State, rng: random.Random) -> State:
    """The state at the start of the next round: battles by the rules, with the usual losses."""
    who = players_left(state)[0]
    reveals = (Reveals(),) if state.options.missions else ()
    state = state._replace(agenda=(*reveals, Battles(), Act(who, "tax")))
    state = risk_europe.apply(state, state.colours[who], actions.PassTurn()).state
    while acting := risk_europe.to_act(state):
        seat = min(acting)
        action = _usual_action(state, seat, rng)
        state = risk_europe.apply(state, seat, action).state
    state = rounds.end_round(push_steps(state, EndRound()), EndRound()).state
    return state if state.over else rounds.new_round(state, NewRound()).state


def _usual_action(state: State, seat: str, rng: Rng) -> Any:
    if seat == CHANCE:
        return risk_europe.legal(state, CHANCE).sample(rng)
    if ready := missions.ready_missions(state, state.colours.index(seat)):
        return actions.Reveal(ready[0])
    return risk_europe.default(state, seat)


def _gaining_plan(found: Sequence[OrderPlan]) -> OrderPlan | None:
    return found[0] if found and found[0].gain > 0 else None


def _add_plan(
    gain: float, done: tuple[Action, ...], state: State, army: int, plan: OrderPlan | None
) -> tuple[float, tuple[Action, ...], State]:
    if plan is None:
        return gain, done, state
    return gain + plan.gain, done + plan.actions, apply_plan(state, army, plan.actions)


def _extend_course(course: TurnCourse, army: int, plan: OrderPlan) -> TurnCourse:
    return TurnCourse(*_add_plan(course.gain, course.actions, course.state, army, plan))
