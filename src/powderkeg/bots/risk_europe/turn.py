"""From what a player sees to an answer, for every kind of question."""

import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Any, Final

from powderkeg.bots.engine.budget import Clock
from powderkeg.bots.engine.knowledge import Knowledge
from powderkeg.bots.engine.regret import draw_choice
from powderkeg.bots.engine.shares import Shares
from powderkeg.bots.engine.tally import forced_choice
from powderkeg.bots.engine.thought import Line, Think, Thought
from powderkeg.bots.risk_europe import battle_choices, candidates, card_choices, setup_choices
from powderkeg.bots.risk_europe.battle_odds import clash
from powderkeg.bots.risk_europe.candidates import Plan
from powderkeg.bots.risk_europe.evaluate import shares
from powderkeg.bots.risk_europe.policy import ANCHOR, POINTS, TEMPER, Course, Mind
from powderkeg.bots.risk_europe.rollouts import SOON, WHOLE, Trial, any_cards, founded, played_out
from powderkeg.bots.risk_europe.weights import Weights
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

WORLD: Final = 0  # the seed of the world that plans are made in: steps of one turn must agree
TRUST: Final = 12  # tries that count as much as the look to the end of the round
CELLS: Final = 0.2  # of a budget, for the matrix when there are playouts too


@dataclass(frozen=True, slots=True)
class Style:
    """How a level plays: `blunders` in a hundred decisions, whether it solves the choice of cards
    and looks at what the others will do, how many courses of a turn it weighs, and whether it
    plays games out to see who wins them."""

    blunders: int = 0
    ahead: bool = False
    width: int = 6
    first: int = 2  # coins it bids for the first choice of a kingdom
    playouts: bool = False


def player(style: Style, weights: Weights) -> Any:
    """A level of this style, to be told what is known of the game."""

    def level(know: Knowledge) -> Think:
        def think(view: View, question: Question, legal: Legal, rng: Rng, clock: Clock) -> Thought:
            if (only := forced_choice(legal)) is not None:
                return only
            if style.blunders and rng.randrange(100) < style.blunders:
                return Thought(legal.sample(rng), Msg("bots.reason.random"))
            found = _Decision(view, legal, style, weights, rng, clock).thought()
            if found.action in legal:
                return found
            world = risk_europe.deal(view, random.Random(WORLD))
            return Thought(risk_europe.default(world, view["seat"]), _why("careful"))

        return think

    return level


def _why(code: str, /, **args: Any) -> Msg:
    return Msg(f"risk_europe_bots.{code}", **args)


def value(weights: Weights) -> Any:
    """What a state promises each seat, for analysis."""

    def appraised(state: State) -> Shares:
        return _by_seat(state, shares(state, weights))

    return appraised


def _by_seat(state: State, found: Sequence[float]) -> Shares:
    return {state.colours[i]: found[i] for i in range(state.people)}


class _Decision:
    """One question put to one player."""

    def __init__(
        self, view: View, legal: Legal, style: Style, weights: Weights, rng: Rng, clock: Clock
    ) -> None:
        self.view, self.legal, self.style, self.weights = view, legal, style, weights
        self.rng, self.clock = rng, clock
        self.state: State = risk_europe.deal(view, random.Random(WORLD))
        self.who = self.state.colours.index(view["seat"])

    @cached_property
    def mind(self) -> Mind:
        return Mind(self.state, self.weights)

    def thought(self) -> Thought:
        for action in self.legal if self.state.armies[self.who].missions else ():
            if isinstance(action, actions.Reveal):  # a crown for good: show it at once
                return Thought(action, _why("reveal", crown=words.crown_name(action.card)))
        match self.state.agenda[-1]:
            case Pick():
                return self.pick()
            case Act() as step:
                return self.act(step)
            case Move() as step:
                return self.move(step)
            case Tax(army):
                return self.tax(army)
            case Spend(army):
                return self.spend(army)
            case Battle() as step:
                return self.battle(step)
            case Casualties() as step:
                outlook = self.mind.outlook(self.state, self.who)
                lost = battle_choices.casualties(outlook, step, self.state.units[step.at])
                return Thought(lost, _why("lose", units=words.unit_list(lost.units)))
            case Battles():
                return self.fight()
            case Bid() | Auctions() as step:
                return self.hire(step)
            case Settle(army):
                return self.settle(army)
            case Garrison() as step:
                return self.garrison(step)
            case Keep(army, offered):
                card = setup_choices.mission(self.state, army, offered)
                return Thought(
                    actions.KeepMission(card), _why("keep", crown=words.crown_name(card))
                )
        return Thought(next(iter(self.legal)), _why("careful"))

    # Cards

    def pick(self) -> Thought:
        if not self.style.ahead:
            best = card_choices.alone(self.mind, self.state, self.who)[0]
            return Thought(best.pick, _cards("pick_alone", best.pick))
        clock = self.clock.part(CELLS) if self.style.playouts else self.clock
        matrix = card_choices.Matrix(self.mind, self.state, self.who, clock)
        mixes = matrix.solve(self.rng)
        if self.style.playouts:
            return self.tried(matrix, mixes)
        often = max(mixes[0])
        pure = [p if p >= often / 2 else 0.0 for p in mixes[0]]  # rare choices are noise
        picked = draw_choice([p / sum(pure) for p in pure], self.rng)
        ranked = sorted(range(len(pure)), key=lambda choice: -mixes[0][choice])
        means = [matrix.mean(choice) for choice in range(len(pure))]
        seen = [len(matrix.seen.get(choice, ())) for choice in range(len(pure))]
        return self._picked(matrix, picked, ranked, means, seen)

    def tried(self, matrix: card_choices.Matrix, mixes: list[list[float]]) -> Thought:
        """My pairs against what the others are likely to place, to the end of the game."""
        trial = Trial([matrix.mean(choice) for choice in range(len(mixes[0]))], TRUST)

        def attempt(choice: int, rng: random.Random) -> float:
            joint = (choice, *(draw_choice(mix, rng) for mix in mixes[1:]))
            start = self.mind.hired(self.state, rng)
            return played_out(self.mind, start, matrix.cards(joint), rng, SOON)[self.who]

        picked = trial.run(attempt, self.clock, self.clock.whole // 2)
        return self._picked(matrix, picked, trial.ranked(), trial.means(), trial.tries)

    def _picked(
        self,
        matrix: card_choices.Matrix,
        picked: int,
        ranked: list[int],
        means: list[float],
        seen: list[int],
    ) -> Thought:
        picks = [pair.pick for pair in matrix.pairs[0]]
        lines = (Line(picks[i], {self.view["seat"]: means[i]}, seen[i]) for i in ranked)
        reason = _cards("pick", picks[picked], percent=round(100 * means[picked]))
        return Thought(picks[picked], reason, tuple(lines))

    # A turn

    def course(self, act: Act) -> Course:
        """What to do in this turn."""
        state = self.state._replace(agenda=(*self._below(act), act))
        clock = self.clock
        timed = clock.until is not None
        turn = _Turn(state, act, self.who, self.weights, self.style, clock.whole, timed, clock)
        return _course(turn)

    def _below(self, act: Act) -> tuple[Any, ...]:
        """The agenda under the card that is being carried out."""
        agenda = self.state.agenda
        at = max(i for i, step in enumerate(agenda) if isinstance(step, Act))
        return agenda[:at]

    def act(self, step: Act) -> Thought:
        found = self.course(step)
        if found.actions:
            return Thought(found.actions[0], self._because(found.actions, step.army))
        if step.berlin and actions.Berlin() in self.legal:
            best = self._manoeuvre(step.army)
            if best is not None and best.gain > 0:
                return Thought(actions.Berlin(), _why("berlin"))
        return Thought(actions.PassTurn(), _why("nothing"))

    def _manoeuvre(self, army: int) -> Plan | None:
        outlook = self.mind.outlook(self.state, army)
        return max(candidates.manoeuvres(outlook, army), key=lambda plan: plan.gain, default=None)

    def move(self, step: Move) -> Thought:
        """Go on with the course that was chosen; if it is another's, with the best that fits."""
        begun = _prefix(step)
        act = next(s for s in reversed(self.state.agenda) if isinstance(s, Act))
        if step.order in CARDS[act.card].orders:
            found = self.course(act._replace(order=True))
            rest = _after(found.actions, begun)
            if rest and rest[0] in self.legal:
                return Thought(rest[0], self._because(found.actions, step.army))
        outlook = self.mind.outlook(self.state, step.army)
        for plan in candidates.of_order(outlook, step.army, step.order):
            rest = _after(plan.actions, begun)
            if rest and rest[0] in self.legal:
                return Thought(rest[0], self._because(plan.actions, step.army))
        if actions.Finish() in self.legal:
            return Thought(actions.Finish(), _why("nothing"))
        return Thought(next(iter(self.legal)), _why("careful"))

    def _because(self, done: tuple[Action, ...], army: int) -> Msg:
        return because(self.mind, self.state, army, done)

    # Coins

    def tax(self, army: int) -> Thought:
        best = candidates.of_order(self.mind.outlook(self.state, army), army, "tax")[0]
        return Thought(best.actions[1], self._because(best.actions, army))

    def spend(self, army: int) -> Thought:
        best = candidates.purchase(self.mind.outlook(self.state, army), army)
        if best is None:
            return Thought(actions.Finish(), _why("save"))
        return Thought(best.actions[0], self._because(best.actions, army))

    # Battles

    def battle(self, step: Battle) -> Thought:
        attack = attack_at(self.state, step.at)
        assert attack is not None  # noqa: S101  # there is no battle without an attack
        there = self.state.units[step.at]
        if step.stage == "castle":
            again, p, q = battle_choices.should_reroll(attack, there, step)
            code, action = ("reroll", actions.Reroll()) if again else ("stand", actions.Stand())
            return Thought(action, _why(code, percent=round(100 * (p if again else q))))
        units, hits = next(
            (u, h) for i, u, h in battles.sides_to_choose(self.state, step) if i == self.who
        )
        outlook = self.mind.outlook(self.state, self.who)
        lost = battle_choices.losses(outlook, step, attack, units, hits)
        return Thought(lost, _why("lose", units=words.unit_list(lost.units)))

    def fight(self) -> Thought:
        first = next(iter(self.legal))
        return Thought(first, _why("fight"))

    # Kingdoms and mercenaries

    def settle(self, army: int) -> Thought:
        options = [a for a in self.legal if isinstance(a, actions.SettleCity)]
        if self.style.playouts:
            best, share = self._founded(options, self.clock.whole)
            reason = _why("settle_tried", city=words.CITY_NAME[best.at], percent=round(100 * share))
            return Thought(best, reason)
        worth = setup_choices.capital if self.style.ahead else setup_choices.site
        best = max(options, key=lambda action: worth(self.state, army, action.at))
        return Thought(best, _why("settle", city=words.CITY_NAME[best.at]))

    def garrison(self, step: Garrison) -> Thought:
        ranked = setup_choices.garrisons(self.mind, self.state, step)
        best = ranked[0]
        if self.style.playouts:
            best, _ = self._founded(ranked[: self.style.width], self.clock.whole // 4)
        return Thought(best, _why("garrison", at=words.TERRITORY_NAME[best.at]))

    def _founded(self, options: list[Any], tries: int) -> tuple[Any, float]:
        """The beginning that wins most of the games played out from it, and how many it wins."""
        seat = self.view["seat"]
        begun = [risk_europe.apply(self.state, seat, option).state for option in options]
        tables = [founded(state, self.weights) for state in begun]
        minds = [Mind(table, self.weights) for table in tables]

        def attempt(choice: int, rng: random.Random) -> float:
            start = minds[choice].hired(tables[choice], rng)
            return played_out(minds[choice], start, any_cards(start, rng), rng, WHOLE)[self.who]

        trial = Trial([0.0] * len(options), 0)
        best = trial.run(attempt, self.clock, tries)
        return options[best], trial.means()[best]

    def hire(self, step: Bid | Auctions) -> Thought:
        if isinstance(step, Auctions):
            worth = {i: setup_choices.control(self.mind, self.state, i, self.who) for i in (2, 3)}
            best = max(worth, key=worth.__getitem__)
            army = words.army_name(self.state, best)
            return Thought(actions.Auction(self.state.colours[best]), _why("auction", army=army))
        if step.army == NOBODY:
            coins = min(self.style.first, self.state.armies[self.who].coins)
            reason = _why("first", coins=words.coin_count(coins)) if coins else _why("not_first")
            return Thought(actions.PlaceBid(coins), reason)
        bid = setup_choices.bid(self.mind, self.state, step.army, self.who)
        army = words.army_name(self.state, step.army)
        return Thought(bid, _why("hire", army=army, coins=words.coin_count(bid.coins)))


def _prefix(step: Move) -> tuple[Action, ...]:
    """What has been said of a move so far."""
    said: list[Action] = [actions.GiveOrder(step.order)]
    if step.origin != NOBODY:
        said.append(actions.From(step.origin))
    for group in step.groups:
        said += [actions.To(group.to), actions.March(group.units)]
    if step.target != NOBODY:
        said.append(actions.To(step.target))
    return tuple(said)


def _after(done: tuple[Action, ...], begun: tuple[Action, ...]) -> tuple[Action, ...]:
    """What of `done` follows `begun`; bonus actions before the order are over."""
    start = next((i for i, a in enumerate(done) if isinstance(a, actions.GiveOrder)), len(done))
    done = done[start:]
    if tuple(map(_plain, done[: len(begun)])) != begun:
        return ()
    return done[len(begun) :]


def _plain(action: Action) -> Action:
    return actions.March(action.units) if isinstance(action, actions.Storm) else action


def _cards(code: str, pick: actions.PickCards, **args: Any) -> Msg:
    return _why(
        code,
        first=words.king_card_name(pick.first),
        second=words.king_card_name(pick.second),
        **args,
    )


def because(mind: Mind, state: State, army: int, done: tuple[Action, ...]) -> Msg:
    """The reason for a plan, in words."""
    for action in done:
        match action:
            case actions.To(at):
                return _going(mind, state, army, at, done)
            case actions.TaxCity(at):
                return _why("tax", city=words.CITY_NAME[at])
            case actions.BuyCrown():
                return _why("crown")
            case actions.Buy(unit, at, count):
                units = words.unit_list(units_of(unit, count))
                return _why("buy", units=units, at=words.TERRITORY_NAME[at])
            case actions.BuildCastle(at):
                return _why("build", at=words.TERRITORY_NAME[at])
            case actions.Fortify(at):
                return _why("fortify", at=words.TERRITORY_NAME[at])
            case actions.Besiege(_, at):
                return _why("besiege", at=words.TERRITORY_NAME[at])
            case _:
                continue
    return _why("careful")


def _going(mind: Mind, state: State, army: int, at: int, done: tuple[Action, ...]) -> Msg:
    place = words.TERRITORY_NAME[at]
    owner = state.owner[at]
    if owner == NOBODY:
        return _why("claim", at=place)
    attack = attack_at(state, at)
    if owner == army or attack is not None:
        return _why("reinforce", at=place)
    force = next(a.units for a in done if isinstance(a, actions.March | actions.Storm))
    odds = clash(force, state.units[at], at in state.castles)
    return _why("attack", at=place, percent=round(100 * odds.attacker))


# Looking at the rest of the round


@dataclass(frozen=True, slots=True)
class _Turn:
    """A turn to be planned. What the clock has left is no part of it, or the small steps of a turn
    would not agree; how much was to be thought, and whether seconds may cut that short, is."""

    state: State
    act: Act
    who: int
    weights: Weights
    style: Style
    iterations: int
    timed: bool
    clock: Clock = field(compare=False)


@lru_cache(maxsize=16)  # the small steps of one turn ask for the same
def _course(turn: _Turn) -> Course:
    """The course that promises most: without a look ahead, the best step again and again."""
    mind = Mind(turn.state, turn.weights)
    if not turn.style.ahead:
        return mind.turn(turn.state, turn.act)
    courses = mind.courses(turn.state, turn.act, turn.style.width)
    count = 1 if turn.style.playouts else max(1, turn.iterations // (4 * turn.style.width))
    promises = _promises(mind, turn, courses, count)
    trial = Trial(promises, TRUST)
    if not turn.style.playouts or len(courses) < 2:
        return courses[trial.ranked()[0]]

    def attempt(choice: int, rng: random.Random) -> float:
        dealt = mind.guess(turn.state, turn.who, rng)
        return played_out(mind, courses[choice].state, dealt, rng, SOON)[turn.who]

    return courses[trial.run(attempt, turn.clock, turn.iterations // 4)]


def _promises(mind: Mind, turn: _Turn, courses: list[Course], guesses: int) -> list[float]:
    """What each course promises once everybody has had his turns, for a few guesses at the others'
    cards; what it gains by itself counts a little."""
    rng = random.Random(WORLD)
    deals = [mind.guess(turn.state, turn.who)]
    deals += [mind.guess(turn.state, turn.who, rng) for _ in range(guesses - 1)]
    found = []
    for course in courses:
        promise = course.gain / TEMPER * ANCHOR / POINTS * len(deals)
        for number, dealt in enumerate(deals):
            end = mind.rest_of_round(course.state, dealt, random.Random(number))
            promise += shares(end, turn.weights)[turn.who]
        found.append(promise / len(deals))
    return found
