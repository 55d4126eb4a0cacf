"""From a view to an answer: few candidates, the same luck for all, the best one with its reason."""

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from powderkeg.bots.engine.budget import Clock
from powderkeg.bots.engine.shares import Shares, outcome_shares
from powderkeg.bots.engine.tally import Tally, derived_rng
from powderkeg.bots.engine.thought import Think, Thought
from powderkeg.bots.versailles.evaluate import Judge
from powderkeg.bots.versailles.negotiation import Bargainer
from powderkeg.bots.versailles.policy import Policy, play_on
from powderkeg.bots.versailles.reasons import glance_reason, reason
from powderkeg.core.ask import Question
from powderkeg.core.chance import Rng
from powderkeg.core.game import Legal, Result, View
from powderkeg.core.words import Msg
from powderkeg.games import versailles
from powderkeg.games.versailles.actions import End, Pass, Place
from powderkeg.games.versailles.flow import apply
from powderkeg.games.versailles.kinds import kept_answers
from powderkeg.games.versailles.rules.political import can_act, least_to_lead
from powderkeg.games.versailles.state import State, is_solo
from powderkeg.games.versailles.steps import (
    Bidding,
    BotPlaces,
    ChooseOption,
    ChooseStrategy,
    PlaceSecond,
    SoloBid,
    Turn,
    UsaTurn,
)

WIDTH = 5  # actions that are looked at more closely
END = 60  # turns after which nobody waits for the end any longer
ALONE = 6  # turns that are played on in solitaire: two points may be won in them
FINALISTS = 2  # rivals of the first thought that are tried longer
DOUBT = 1.0  # standard errors by which something must be better than the first thought
SURE = 2.0  # standard errors by which it must be worse to be given up early
ENOUGH = 20  # lines after which that can be told
THRIFTY = 2  # of the best placements, those also tried with the fewest cubes
GRAVE = (Turn, PlaceSecond, UsaTurn, Bidding, ChooseOption, ChooseStrategy, BotPlaces, SoloBid)


class Trial(Tally):
    """What was seen of an action, line by line: the k-th line of each has the same luck."""

    __slots__ = ("worths",)

    def __init__(self, action: Any) -> None:
        super().__init__(action)
        self.worths: list[float] = []

    def add(self, shares: Shares, worth: float) -> None:
        super().add(shares, worth)
        self.worths.append(worth)

    def gap(self, first: "Trial") -> tuple[float, float]:
        """By how much this is better than the first thought, and the standard error of that."""
        gaps = [a - b for a, b in zip(self.worths, first.worths, strict=False)]
        if not gaps:
            return float("-inf"), 0.0
        mean = math.fsum(gaps) / len(gaps)
        if len(gaps) == 1:
            return mean, 0.0
        spread = math.fsum((gap - mean) ** 2 for gap in gaps) / (len(gaps) - 1)
        return mean, math.sqrt(spread / len(gaps))

    def lead(self, first: "Trial") -> float:
        """By how much this is better than the first thought, less the doubt about it."""
        if self is first:
            return 0.0
        mean, error = self.gap(first)
        return mean - DOUBT * error

    def hopeless(self, first: "Trial") -> bool:
        """Whether it is surely worse than the first thought: not worth another line."""
        if self is first or self.visits < ENOUGH:
            return False
        mean, error = self.gap(first)
        return mean + SURE * error < 0


@dataclass(frozen=True)
class Player:
    """A judge's mind, how many actions it looks at, and how many turns ahead.

    Once the game end may be the next card, grave decisions are played on to the end; until then
    for so many turns, or, with none, the first thought is taken. Small decisions, such as which
    card to keep, are followed to the next card or die alone. In solitaire nobody else thinks, and
    every decision is played on for a few turns.
    """

    judge: Judge
    width: int = WIDTH
    ahead: int = 0

    @property
    def policy(self) -> Policy:
        return Policy(self.judge)

    # What is worth a look

    def candidates(self, p: State, seat: str, rng: Rng) -> Sequence[Any]:
        """The few actions that may be best, the first thought first; all of them keep every deal."""
        found = kept_answers(p)
        if len(found) <= 1:
            return found
        first = self.policy.choose(p, seat, rng)
        return list(dict.fromkeys([first, *self._others(p, seat, found)]))

    def _others(self, p: State, seat: str, found: list[Any]) -> Sequence[Any]:
        step = p.agenda[-1]
        if isinstance(step, Turn):
            return self._turn(p)
        if isinstance(step, PlaceSecond) and len(found) > self.width:
            rated = sorted(found, key=lambda a: -self.policy.placed(p, step.nation, a))
            return rated[: self.width]
        if isinstance(step, Bidding):
            raised = self.policy.raised(p, step)
            named = [Pass()] if raised is None else [raised[1], Pass()]
            return [a for a in named if a in found]
        if len(found) > self.width:
            found = sorted(found, key=lambda a: -self.policy.ahead(p, seat, a))
        return found[: self.width]

    def _turn(self, p: State) -> Sequence[Any]:
        policy, nation = self.policy, p.active
        named: list[Any] = []
        if not p.political and can_act(p, nation):
            weighed = sorted(policy.political(p, nation), key=lambda w: -w.gain)
            named = list(dict.fromkeys(w.action for w in weighed))[: self.width]
            placed = [a for a in named if isinstance(a, Place)][:THRIFTY]
            named += [Place(a.issue, least_to_lead(p, nation, a.issue)) for a in placed]
        else:
            named = [End()]
        if not p.military:
            named += policy.manoeuvres(p, nation)
        return [a for a in named if policy.lawful(p, a)]

    # Which is best

    def weigh(self, p: State, seat: str, rng: random.Random, clock: Clock) -> list[Trial]:
        """The candidates, best first. The first thought is only left for what is surely better."""
        until, grave = self._horizon(p), is_solo(p) or isinstance(p.agenda[-1], GRAVE)
        if grave and until == p.turn:
            return [Trial(self.policy.choose(p, seat, rng))]
        trials = [Trial(action) for action in self.candidates(p, seat, rng)]
        if len(trials) > 1:
            if grave:
                self._search(p, seat, trials, until, rng, clock)
            else:
                self._try(p, seat, trials, rng.randrange(1 << 62), p.turn, clock)
        first = trials[0]
        return sorted(trials, key=lambda t: -t.lead(first))

    def _horizon(self, p: State) -> int:
        """The turn at which lines end."""
        if is_solo(p):
            return p.turn + ALONE
        return p.turn + (END if p.above <= 0 else self.ahead)

    def _search(
        self,
        p: State,
        seat: str,
        trials: list[Trial],
        until: int,
        rng: random.Random,
        clock: Clock,
    ) -> None:
        """Half of the budget on all alike, the other half on the first thought and the best; what
        has become hopeless on the way is tried no longer, and its share is saved."""
        heats = max(clock.whole // 2 // len(trials), 1)
        rest = self._race(p, seat, trials, heats, until, rng, clock)
        final = [trials[0], *sorted(rest, key=lambda t: -t.mean)[:FINALISTS]]
        rounds = (clock.whole - heats * len(trials)) // len(final)
        self._race(p, seat, final, rounds, until, rng, clock)

    def _race(
        self,
        p: State,
        seat: str,
        trials: list[Trial],
        rounds: int,
        until: int,
        rng: random.Random,
        clock: Clock,
    ) -> list[Trial]:
        """Try the first thought and its rivals so often; who of the rivals is still in it."""
        first, *rivals = trials
        for _ in range(rounds):
            if not rivals or clock.late():
                break
            self._try(p, seat, [first, *rivals], rng.randrange(1 << 62), until, clock)
            rivals = [rival for rival in rivals if not rival.hopeless(first)]
        return rivals

    def _try(
        self, p: State, seat: str, trials: list[Trial], seed: int, until: int, clock: Clock
    ) -> None:
        """Play each on with the same luck; if there is no time, to the next card or die."""
        for trial in trials:
            clock.tick()
            after = apply(p, seat, trial.action).state
            end, chance = max(until, p.turn + 1), until > p.turn
            shares = self.appraise(after, random.Random(seed), end, chance=chance)
            trial.add(shares, self.worth(shares, seat))

    # What comes of it

    def appraise(self, p: State, rng: Rng, until: int, *, chance: bool) -> Shares:
        """What each seat may expect after everybody played on for a while."""
        p = play_on(self.policy, p, rng, until, chance=chance)
        result = versailles.result(p)
        return self.judge.shares(p) if result is None else self.final(p, result)

    def final(self, p: State, result: Result) -> Shares:
        """Who won, and as much for how near everybody came: a hair more luck, and it had been
        otherwise. Few lines tell more so than by victories alone."""
        won = outcome_shares(result)
        if is_solo(p):
            (seat,) = p.seats
            return {seat: (won[seat] + self.judge.reach(p, p.points)) / 2}
        points = dict(zip(p.order, (result.scores[seat] for seat in p.seats), strict=True))
        near = self.judge.chances(p, points)
        return {seat: (won[seat] + near[seat]) / 2 for seat in p.seats}

    def worth(self, shares: Shares, seat: str) -> float:
        best = max((n for s, n in shares.items() if s != seat), default=0.0)
        return shares[seat] - self.judge.weights.hinder * best


def glance(policy: Policy, slips: int = 0, *, offers: bool = True) -> Think:
    """What comes first to mind; about one time in `slips`, anything at all."""

    def think(view: View, question: Question, legal: Legal, rng: Rng, clock: Clock) -> Thought:
        quick, seat = derived_rng(rng), view["seat"]
        p: State = versailles.deal(view, quick)
        talk = Bargainer(policy)
        said = talk.answer(p, seat)
        if said is None and offers:
            said = talk.offer(p, seat)
        if said is not None:
            return Thought(*said)
        if slips and quick.randrange(slips) == 0:
            found = kept_answers(p)
            return Thought(found[quick.randrange(len(found))], Msg("bots.reason.random"))
        action = policy.choose(p, seat, quick)
        return Thought(action, glance_reason(p, action))

    return think


def by_company(alone: Think, among: Think) -> Think:
    """One way to think in solitaire, another among others."""

    def think(view: View, question: Question, legal: Legal, rng: Rng, clock: Clock) -> Thought:
        return (alone if view["solo"] else among)(view, question, legal, rng, clock)

    return think


def thinker(player: Player, talk: Bargainer | None = None) -> Think:
    """Deals first; then the best of the candidates after playing each on with the same luck."""
    bargainer = talk or Bargainer(player.policy)

    def think(view: View, question: Question, legal: Legal, rng: Rng, clock: Clock) -> Thought:
        quick, seat = derived_rng(rng), view["seat"]
        p: State = versailles.deal(view, quick)
        said = bargainer.answer(p, seat) or bargainer.offer(p, seat)
        if said is not None:
            return Thought(*said)
        ranked = player.weigh(p, seat, quick, clock)
        if not ranked[0].visits:
            return Thought(ranked[0].action, glance_reason(p, ranked[0].action))
        return Thought(ranked[0].action, reason(p, ranked, seat), tuple(t.line() for t in ranked))

    return think
