"""From a view to an answer, for every kind of question."""

import random
from dataclasses import dataclass, field
from functools import cache, cached_property, lru_cache
from typing import Any, Final

from powderkeg.bots.engine.budget import Clock
from powderkeg.bots.engine.knowledge import Knowledge
from powderkeg.bots.engine.regret import draw_choice
from powderkeg.bots.engine.shares import Shares
from powderkeg.bots.engine.tally import forced_choice
from powderkeg.bots.engine.thought import Line, Think, Thought
from powderkeg.bots.risk_europe import battle_choices, candidates, card_choices, setup_choices
from powderkeg.bots.risk_europe.candidates import OrderPlan
from powderkeg.bots.risk_europe.evaluate import winning_chances
from powderkeg.bots.risk_europe.policy import (
    GAME_POINTS,
    PICK_ANCHOR,
    TEMPER,
    RoundPolicy,
    TurnCourse,
)
from powderkeg.bots.risk_europe.quick_odds import battle_odds
from powderkeg.bots.risk_europe.rollouts import (
    ROLLOUT_ROUNDS,
    WHOLE_GAME,
    HalvingTrial,
    found_kingdoms,
    random_cards,
    roll_out,
)
from powderkeg.bots.risk_europe.weights import OddsWeights
from powderkeg.core.ask import Question
from powderkeg.core.chance import Rng
from powderkeg.core.game import Legal, View
from powderkeg.core.words import Msg
from powderkeg.games import risk_europe
from powderkeg.games.risk_europe import actions, words
from powderkeg.games.risk_europe.actions import Action
from powderkeg.games.risk_europe.board import CARDS, NOBODY, units_of
from powderkeg.games.risk_europe.rules import battles
from powderkeg.games.risk_europe.state import State, attack_at
from powderkeg.games.risk_europe.steps import (
    Act,
    Auctions,
    Battle,
    Battles,
    Bid,
    Casualties,
    Garrison,
    Keep,
    Move,
    Pick,
    Settle,
    Spend,
    Tax,
)

WORLD_SEED: Final = 0  # the seed of the world that plans are made in: steps of one turn must agree
PRIOR_TRIES: Final = 12  # tries that count as much as the estimate at the end of the round
MATRIX_SHARE: Final = 0.2  # part of the budget for the matrix when there are playouts too


@dataclass(frozen=True, slots=True)
class PlayStyle:
    """How a level plays: blunders per hundred decisions, whether it solves the choice of cards and
    considers the others' turns, how many courses it compares, and whether it uses rollouts."""

    blunders: int = 0
    ahead: bool = False
    width: int = 6
    first: int = 2  # coins it bids for the first choice of a kingdom
    playouts: bool = False


def style_thinking(style: PlayStyle, weights: OddsWeights) -> Any:
    """A function that makes a bot of this style from its knowledge of the game."""

    def make_think(know: Knowledge) -> Think:
        def think(view: View, question: Question, legal: Legal, rng: Rng, clock: Clock) -> Thought:
            if (only := forced_choice(legal)) is not None:
                return only
            if style.blunders and rng.randrange(100) < style.blunders:
                return Thought(legal.sample(rng), Msg("bots.reason.random"))
            return SeatDecision(view, legal, style, weights, rng, clock).legal_thought()

        return think

    return make_think


def reason_msg(code: str, /, **args: Any) -> Msg:
    return Msg(f"risk_europe_bots.{code}", **args)


def state_evaluator(weights: OddsWeights) -> Any:
    """The expected share of each seat in a state, for analysis."""

    def evaluate_shares(state: State) -> Shares:
        found = winning_chances(state, weights)
        return {state.colours[i]: found[i] for i in range(state.people)}

    return evaluate_shares


class SeatDecision:
    """One question put to one player."""

    def __init__(
        self,
        view: View,
        legal: Legal,
        style: PlayStyle,
        weights: OddsWeights,
        rng: Rng,
        clock: Clock,
    ) -> None:
        self.view, self.legal, self.style, self.weights = view, legal, style, weights
        self.rng, self.clock = rng, clock
        self.state: State = risk_europe.deal(view, random.Random(WORLD_SEED))
        self.who = self.state.colours.index(view["seat"])

    @cached_property
    def mind(self) -> RoundPolicy:
        return RoundPolicy(self.state, self.weights)

    def legal_thought(self) -> Thought:
        """The answer, or the default should it not be legal."""
        found = self.decide()
        if found.action in self.legal:
            return found
        return Thought(risk_europe.default(self.state, self.view["seat"]), reason_msg("careful"))

    def decide(self) -> Thought:
        for action in self.legal if self.state.armies[self.who].missions else ():
            if isinstance(action, actions.Reveal):  # a permanent crown: reveal it at once
                return Thought(action, reason_msg("reveal", crown=words.crown_name(action.card)))
        match self.state.agenda[-1]:
            case Pick():
                return self.pick_cards()
            case Act() as step:
                return self.carry_out_card(step)
            case Move() as step:
                return self.continue_move(step)
            case Tax(army):
                return self.choose_tax(army)
            case Spend(army):
                return self.choose_purchase(army)
            case Battle() as step:
                return self.choose_in_battle(step)
            case Casualties() as step:
                outlook = self.mind.outlook_for(self.state, self.who)
                lost = battle_choices.choose_casualties(outlook, step, self.state.units[step.at])
                return Thought(lost, reason_msg("lose", units=words.unit_list(lost.units)))
            case Battles():
                return self.choose_battle()
            case Bid() | Auctions() as step:
                return self.choose_hire(step)
            case Settle(army):
                return self.choose_capital(army)
            case Garrison() as step:
                return self.choose_garrison(step)
            case Keep(army, offered):
                card = setup_choices.nearest_mission(self.state, army, offered)
                return Thought(
                    actions.KeepMission(card), reason_msg("keep", crown=words.crown_name(card))
                )
        return Thought(next(iter(self.legal)), reason_msg("careful"))

    # Cards

    def pick_cards(self) -> Thought:
        if not self.style.ahead:
            best = card_choices.rank_pairs(self.mind, self.state, self.who)[0]
            return Thought(best.pick, card_reason("pick_alone", best.pick))
        clock = self.clock.part(MATRIX_SHARE) if self.style.playouts else self.clock
        matrix = card_choices.CardMatrix(self.mind, self.state, self.who, clock)
        mixes = matrix.solve_mixes(self.rng)
        if self.style.playouts:
            return self.try_pairs(matrix, mixes)
        often = max(mixes[0])
        pure = [p if p >= often / 2 else 0.0 for p in mixes[0]]  # rare choices are noise
        picked = draw_choice([p / sum(pure) for p in pure], self.rng)
        ranked = sorted(range(len(pure)), key=lambda choice: -mixes[0][choice])
        means = [matrix.mean_share(choice) for choice in range(len(pure))]
        seen = [len(matrix.seen.get(choice, ())) for choice in range(len(pure))]
        return self._pick_thought(matrix, picked, ranked, means, seen)

    def try_pairs(self, matrix: card_choices.CardMatrix, mixes: list[list[float]]) -> Thought:
        """Try my pairs against the others' likely cards, to the end of the game."""
        trial = HalvingTrial(
            [matrix.mean_share(choice) for choice in range(len(mixes[0]))], PRIOR_TRIES
        )

        def attempt(choice: int, rng: random.Random) -> float:
            joint = (choice, *(draw_choice(mix, rng) for mix in mixes[1:]))
            start = self.mind.hire_mercenaries(self.state, rng)
            return roll_out(self.mind, start, matrix.placed_cards(joint), rng, ROLLOUT_ROUNDS)[
                self.who
            ]

        picked = trial.best_choice(attempt, self.clock, self.clock.whole // 2)
        return self._pick_thought(
            matrix, picked, trial.ranked_choices(), trial.mean_values(), trial.tries
        )

    def _pick_thought(
        self,
        matrix: card_choices.CardMatrix,
        picked: int,
        ranked: list[int],
        means: list[float],
        seen: list[int],
    ) -> Thought:
        picks = [pair.pick for pair in matrix.pairs[0]]
        lines = (Line(picks[i], {self.view["seat"]: means[i]}, seen[i]) for i in ranked)
        reason = card_reason("pick", picks[picked], percent=round(100 * means[picked]))
        return Thought(picks[picked], reason, tuple(lines))

    # A turn

    def find_course(self, act: Act) -> TurnCourse:
        """The course of this turn."""
        state = self.state._replace(agenda=(*self._agenda_below(act), act))
        clock = self.clock
        timed = clock.until is not None
        turn = _TurnQuestion(
            state, act, self.who, self.weights, self.style, clock.whole, timed, clock
        )
        return _best_course(turn)

    def _agenda_below(self, act: Act) -> tuple[Any, ...]:
        """The agenda under the card that is being carried out."""
        agenda = self.state.agenda
        at = max(i for i, step in enumerate(agenda) if isinstance(step, Act))
        return agenda[:at]

    def carry_out_card(self, step: Act) -> Thought:
        found = self.find_course(step)
        if found.actions:
            return Thought(found.actions[0], self._plan_reason(found.actions, step.army))
        if step.berlin and actions.Berlin() in self.legal:
            best = self._best_manoeuvre(step.army)
            if best is not None and best.gain > 0:
                return Thought(actions.Berlin(), reason_msg("berlin"))
        return Thought(actions.PassTurn(), reason_msg("nothing"))

    def _best_manoeuvre(self, army: int) -> OrderPlan | None:
        outlook = self.mind.outlook_for(self.state, army)
        return max(
            candidates.manoeuvre_plans(outlook, army), key=lambda plan: plan.gain, default=None
        )

    def continue_move(self, step: Move) -> Thought:
        """Continue the chosen course; if the move does not fit it, the best plan that does."""
        begun = _begun_actions(step)
        act = next(s for s in reversed(self.state.agenda) if isinstance(s, Act))
        if step.order in CARDS[act.card].orders:
            found = self.find_course(act._replace(order=True))
            rest = _actions_after(found.actions, begun)
            if rest and rest[0] in self.legal:
                return Thought(rest[0], self._plan_reason(found.actions, step.army))
        outlook = self.mind.outlook_for(self.state, step.army)
        for plan in candidates.order_plans(outlook, step.army, step.order):
            rest = _actions_after(plan.actions, begun)
            if rest and rest[0] in self.legal:
                return Thought(rest[0], self._plan_reason(plan.actions, step.army))
        if actions.Finish() in self.legal:
            return Thought(actions.Finish(), reason_msg("nothing"))
        return Thought(next(iter(self.legal)), reason_msg("careful"))

    def _plan_reason(self, done: tuple[Action, ...], army: int) -> Msg:
        return plan_reason(self.mind, self.state, army, done)

    # Coins

    def choose_tax(self, army: int) -> Thought:
        best = candidates.order_plans(self.mind.outlook_for(self.state, army), army, "tax")[0]
        return Thought(best.actions[1], self._plan_reason(best.actions, army))

    def choose_purchase(self, army: int) -> Thought:
        best = candidates.best_purchase(self.mind.outlook_for(self.state, army), army)
        if best is None:
            return Thought(actions.Finish(), reason_msg("save"))
        return Thought(best.actions[0], self._plan_reason(best.actions, army))

    # Battles

    def choose_in_battle(self, step: Battle) -> Thought:
        attack = attack_at(self.state, step.at)
        assert attack is not None  # noqa: S101  # there is no battle without an attack
        there = self.state.units[step.at]
        if step.stage == "castle":
            again, p, q = battle_choices.should_reroll(attack, there, step)
            code, action = ("reroll", actions.Reroll()) if again else ("stand", actions.Stand())
            return Thought(action, reason_msg(code, percent=round(100 * (p if again else q))))
        units, hits = next(
            (u, h) for i, u, h in battles.sides_to_choose(self.state, step) if i == self.who
        )
        outlook = self.mind.outlook_for(self.state, self.who)
        lost = battle_choices.choose_losses(outlook, step, attack, units, hits)
        return Thought(lost, reason_msg("lose", units=words.unit_list(lost.units)))

    def choose_battle(self) -> Thought:
        first = next(iter(self.legal))
        return Thought(first, reason_msg("fight"))

    # Kingdoms and mercenaries

    def choose_capital(self, army: int) -> Thought:
        worth = setup_choices.capital_value if self.style.ahead else setup_choices.site_value
        options = [a for a in self.legal if isinstance(a, actions.SettleCity)]
        options.sort(key=lambda action: -worth(self.state, army, action.at))
        if self.style.playouts:
            best, share = self.best_beginning(options, self.clock.whole)
            names = {"city": words.CITY_NAME[best.at], "percent": round(100 * share)}
            return Thought(best, reason_msg("settle_tried", **names))
        near = setup_choices.near_best(options, lambda action: worth(self.state, army, action.at))
        best = near[self.rng.randrange(len(near))]  # so that openings vary
        return Thought(best, reason_msg("settle", city=words.CITY_NAME[best.at]))

    def choose_garrison(self, step: Garrison) -> Thought:
        ranked = setup_choices.rank_garrisons(self.mind, self.state, step)
        best = ranked[0]
        if self.style.playouts:
            best, _ = self.best_beginning(ranked[: self.style.width], self.clock.whole // 4)
        return Thought(best, reason_msg("garrison", at=words.TERRITORY_NAME[best.at]))

    def best_beginning(self, options: list[Any], tries: int) -> tuple[Any, float]:
        """The opening that wins most of its rollouts, and the share that it wins. The options are in the
        order in which they are tried, should time run out."""
        seat = self.view["seat"]

        @cache  # a tenth of a second each: only for options whose turn comes
        def begin(choice: int) -> tuple[State, RoundPolicy]:
            begun = risk_europe.apply(self.state, seat, options[choice]).state
            table = found_kingdoms(begun, self.weights)
            return table, RoundPolicy(table, self.weights)

        def attempt(choice: int, rng: random.Random) -> float:
            table, mind = begin(choice)
            start = mind.hire_mercenaries(table, rng)
            return roll_out(mind, start, random_cards(start, rng), rng, WHOLE_GAME)[self.who]

        trial = HalvingTrial([0.0] * len(options), 0)
        best = trial.best_choice(attempt, self.clock, tries)
        return options[best], trial.mean_values()[best]

    def choose_hire(self, step: Bid | Auctions) -> Thought:
        if isinstance(step, Auctions):
            worth = {
                i: setup_choices.control_value(self.mind, self.state, i, self.who) for i in (2, 3)
            }
            best = max(worth, key=worth.__getitem__)
            army = words.army_name(self.state, best)
            return Thought(
                actions.Auction(self.state.colours[best]), reason_msg("auction", army=army)
            )
        if step.army == NOBODY:
            coins = min(self.style.first, self.state.armies[self.who].coins)
            reason = (
                reason_msg("first", coins=words.coin_count(coins))
                if coins
                else reason_msg("not_first")
            )
            return Thought(actions.PlaceBid(coins), reason)
        bid = setup_choices.control_bid(self.mind, self.state, step.army, self.who)
        army = words.army_name(self.state, step.army)
        return Thought(bid, reason_msg("hire", army=army, coins=words.coin_count(bid.coins)))


def _begun_actions(step: Move) -> tuple[Action, ...]:
    """The actions of a move so far."""
    said: list[Action] = [actions.GiveOrder(step.order)]
    if step.origin != NOBODY:
        said.append(actions.From(step.origin))
    for group in step.groups:
        said += [actions.To(group.to), actions.March(group.units)]
    if step.target != NOBODY:
        said.append(actions.To(step.target))
    return tuple(said)


def _actions_after(done: tuple[Action, ...], begun: tuple[Action, ...]) -> tuple[Action, ...]:
    """The actions of `done` that follow `begun`, counted from the order on."""
    start = next((i for i, a in enumerate(done) if isinstance(a, actions.GiveOrder)), len(done))
    done = done[start:]
    if tuple(map(_without_storm, done[: len(begun)])) != begun:
        return ()
    return done[len(begun) :]


def _without_storm(action: Action) -> Action:
    return actions.March(action.units) if isinstance(action, actions.Storm) else action


def card_reason(code: str, pick: actions.PickCards, **args: Any) -> Msg:
    return reason_msg(
        code,
        first=words.king_card_name(pick.first),
        second=words.king_card_name(pick.second),
        **args,
    )


def plan_reason(mind: RoundPolicy, state: State, army: int, done: tuple[Action, ...]) -> Msg:
    """The reason for a plan, in words."""
    for action in done:
        match action:
            case actions.To(at):
                return _move_reason(mind, state, army, at, done)
            case actions.TaxCity(at):
                return reason_msg("tax", city=words.CITY_NAME[at])
            case actions.BuyCrown():
                return reason_msg("crown")
            case actions.Buy(unit, at, count):
                units = words.unit_list(units_of(unit, count))
                return reason_msg("buy", units=units, at=words.TERRITORY_NAME[at])
            case actions.BuildCastle(at):
                return reason_msg("build", at=words.TERRITORY_NAME[at])
            case actions.Fortify(at):
                return reason_msg("fortify", at=words.TERRITORY_NAME[at])
            case actions.Besiege(_, at):
                return reason_msg("besiege", at=words.TERRITORY_NAME[at])
            case _:
                continue
    return reason_msg("careful")


def _move_reason(
    mind: RoundPolicy, state: State, army: int, at: int, done: tuple[Action, ...]
) -> Msg:
    place = words.TERRITORY_NAME[at]
    owner = state.owner[at]
    if owner == NOBODY:
        return reason_msg("claim", at=place)
    attack = attack_at(state, at)
    if owner == army or attack is not None:
        return reason_msg("reinforce", at=place)
    force = next(a.units for a in done if isinstance(a, actions.March | actions.Storm))
    odds = battle_odds(force, state.units[at], at in state.castles)
    return reason_msg("attack", at=place, percent=round(100 * odds.attacker))


# Looking at the rest of the round


@dataclass(frozen=True, slots=True)
class _TurnQuestion:
    """A turn to be planned, as the key of a cache.

    The clock is not compared, so that all steps of a turn follow the same plan.
    """

    state: State
    act: Act
    who: int
    weights: OddsWeights
    style: PlayStyle
    iterations: int
    timed: bool
    clock: Clock = field(compare=False)


@lru_cache(maxsize=16)  # all steps of one turn share it
def _best_course(turn: _TurnQuestion) -> TurnCourse:
    """The course with the best estimate; without looking ahead, the best step each time."""
    mind = RoundPolicy(turn.state, turn.weights)
    if not turn.style.ahead:
        return mind.best_turn(turn.state, turn.act)
    courses = mind.turn_courses(turn.state, turn.act, turn.style.width)
    count = 1 if turn.style.playouts else max(1, turn.iterations // (4 * turn.style.width))
    promises = _course_values(mind, turn, courses, count)
    trial = HalvingTrial(promises, PRIOR_TRIES)
    if not turn.style.playouts or len(courses) < 2:
        return courses[trial.ranked_choices()[0]]

    def attempt(choice: int, rng: random.Random) -> float:
        dealt = mind.guess_cards(turn.state, turn.who, rng)
        return roll_out(mind, courses[choice].state, dealt, rng, ROLLOUT_ROUNDS)[turn.who]

    return courses[trial.best_choice(attempt, turn.clock, turn.iterations // 4)]


def _course_values(
    mind: RoundPolicy, turn: _TurnQuestion, courses: list[TurnCourse], guesses: int
) -> list[float]:
    """The estimates of the courses at the end of the round, for a few guesses, while there is time."""
    rng = random.Random(WORLD_SEED)
    deals = [mind.guess_cards(turn.state, turn.who)]
    deals += [mind.guess_cards(turn.state, turn.who, rng) for _ in range(guesses - 1)]
    found = []
    for course in turn.clock.while_time(courses):
        promise = course.gain / TEMPER * PICK_ANCHOR / GAME_POINTS * len(deals)
        for number, dealt in enumerate(deals):
            end = mind.rest_of_round(course.state, dealt, random.Random(number))
            promise += winning_chances(end, turn.weights)[turn.who]
        found.append(promise / len(deals))
    return found
