"""From a view to an answer: a few candidates, rolled out with the same seeds, and the best of them."""

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from powderkeg.bots.engine.budget import Budget, Clock
from powderkeg.bots.engine.shares import Shares, outcome_shares
from powderkeg.bots.engine.tally import Tally, derived_rng
from powderkeg.bots.engine.thought import Think, Thought
from powderkeg.bots.versailles.evaluate import Judge
from powderkeg.bots.versailles.negotiation import Bargainer
from powderkeg.bots.versailles.policy import Policy, play_policy
from powderkeg.bots.versailles.reasons import comparison_reason, glance_reason
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

CANDIDATE_WIDTH = 5  # actions that are looked at more closely
END_TURNS = 60  # most turns of a line that plays to the end
SOLO_TURNS = 6  # turns that are played on in solitaire: two points may be won in them
FINALISTS = 2  # alternatives to the first thought that are tried longer
DOUBT_ERRORS = 1.0  # standard errors by which an alternative must be better
SURE_ERRORS = 2.0  # standard errors behind at which an alternative is dropped
ENOUGH_LINES = 20  # lines before an alternative may be dropped
THRIFTY = 2  # best placements that are also tried with the fewest cubes
GRAVE_STEPS = (
    Turn,
    PlaceSecond,
    UsaTurn,
    Bidding,
    ChooseOption,
    ChooseStrategy,
    BotPlaces,
    SoloBid,
)


class CandidateTrial(Tally):
    """The results of an action, line by line: the k-th line of every action has the same luck."""

    __slots__ = ("worths",)

    def __init__(self, action: Any) -> None:
        super().__init__(action)
        self.worths: list[float] = []

    def add(self, shares: Shares, worth: float) -> None:
        super().add(shares, worth)
        self.worths.append(worth)

    def mean_gap(self, first: "CandidateTrial") -> tuple[float, float]:
        """How much better this is than the first thought, and the standard error."""
        gaps = [a - b for a, b in zip(self.worths, first.worths, strict=False)]
        if not gaps:
            return float("-inf"), 0.0
        mean = math.fsum(gaps) / len(gaps)
        if len(gaps) == 1:
            return mean, 0.0
        spread = math.fsum((gap - mean) ** 2 for gap in gaps) / (len(gaps) - 1)
        return mean, math.sqrt(spread / len(gaps))

    def sure_lead(self, first: "CandidateTrial") -> float:
        """A lower bound of how much better this is than the first thought."""
        if self is first:
            return 0.0
        mean, error = self.mean_gap(first)
        return mean - DOUBT_ERRORS * error

    def is_hopeless(self, first: "CandidateTrial") -> bool:
        """Whether this is surely worse than the first thought and needs no further line."""
        if self is first or self.visits < ENOUGH_LINES:
            return False
        mean, error = self.mean_gap(first)
        return mean + SURE_ERRORS * error < 0


@dataclass(frozen=True)
class CandidateSearch:
    """Search by rollouts: a judge, the number of candidates, and how many turns it looks ahead.

    Once the next card may end the game, important decisions are played on to the end; until then
    for `ahead` turns, or, with 0, the first thought is taken. Small decisions, such as which card
    to keep, are only followed to the next card or die. In solitaire every decision is played on for
    a few turns.
    """

    judge: Judge
    width: int = CANDIDATE_WIDTH
    ahead: int = 0

    @property
    def policy(self) -> Policy:
        return Policy(self.judge)

    # Candidates

    def candidate_actions(self, p: State, seat: str, rng: Rng) -> Sequence[Any]:
        """The few actions that may be best, the first thought first; all of them keep every deal."""
        found = kept_answers(p)
        if len(found) <= 1:
            return found
        first = self.policy.choose_action(p, seat, rng)
        return list(dict.fromkeys([first, *self._other_candidates(p, seat, found)]))

    def _other_candidates(self, p: State, seat: str, found: list[Any]) -> Sequence[Any]:
        step = p.agenda[-1]
        if isinstance(step, Turn):
            return self._turn_candidates(p)
        if isinstance(step, PlaceSecond) and len(found) > self.width:
            rated = sorted(found, key=lambda a: -self.policy.placed_gain(p, step.nation, a))
            return rated[: self.width]
        if isinstance(step, Bidding):
            raised = self.policy.cheapest_raise(p, step)
            named = [Pass()] if raised is None else [raised[1], Pass()]
            return [a for a in named if a in found]
        if len(found) > self.width:
            found = sorted(found, key=lambda a: -self.policy.action_utility(p, seat, a))
        return found[: self.width]

    def _turn_candidates(self, p: State) -> Sequence[Any]:
        policy, nation = self.policy, p.active
        named: list[Any] = []
        if not p.political and can_act(p, nation):
            weighed = sorted(policy.political_actions(p, nation), key=lambda w: -w.gain)
            named = list(dict.fromkeys(w.action for w in weighed))[: self.width]
            placed = [a for a in named if isinstance(a, Place)][:THRIFTY]
            named += [Place(a.issue, least_to_lead(p, nation, a.issue)) for a in placed]
        else:
            named = [End()]
        if not p.military:
            named += policy.military_actions(p, nation)
        return [a for a in named if policy.is_lawful(p, a)]

    # The best candidate

    def rank_candidates(
        self, p: State, seat: str, rng: random.Random, clock: Clock
    ) -> list[CandidateTrial]:
        """The candidates, best first. Only what is surely better comes before the first thought."""
        until, grave = self._last_turn(p), is_solo(p) or isinstance(p.agenda[-1], GRAVE_STEPS)
        if grave and until == p.turn:
            return [CandidateTrial(self.policy.choose_action(p, seat, rng))]
        trials = [CandidateTrial(action) for action in self.candidate_actions(p, seat, rng)]
        if len(trials) > 1:
            if grave:
                self._search_candidates(p, seat, trials, until, rng, clock)
            else:
                self._try_candidates(p, seat, trials, rng.randrange(1 << 62), p.turn, clock)
        first = trials[0]
        return sorted(trials, key=lambda t: -t.sure_lead(first))

    def _last_turn(self, p: State) -> int:
        """The turn at which lines end."""
        if is_solo(p):
            return p.turn + SOLO_TURNS
        return p.turn + (END_TURNS if p.above <= 0 else self.ahead)

    def _search_candidates(
        self,
        p: State,
        seat: str,
        trials: list[CandidateTrial],
        until: int,
        rng: random.Random,
        clock: Clock,
    ) -> None:
        """Spend half of the budget on all candidates, the other half on the first thought and the
        best. Hopeless candidates are dropped, and their share is saved.
        """
        heats = max(clock.whole // 2 // len(trials), 1)
        rest = self._race_trials(p, seat, trials, heats, until, rng, clock)
        final = [trials[0], *sorted(rest, key=lambda t: -t.mean)[:FINALISTS]]
        rounds = (clock.whole - heats * len(trials)) // len(final)
        self._race_trials(p, seat, final, rounds, until, rng, clock)

    def _race_trials(
        self,
        p: State,
        seat: str,
        trials: list[CandidateTrial],
        rounds: int,
        until: int,
        rng: random.Random,
        clock: Clock,
    ) -> list[CandidateTrial]:
        """Try the first thought and its rivals for some rounds; return the rivals that are left."""
        first, *rivals = trials
        for _ in range(rounds):
            if not rivals or clock.late():
                break
            self._try_candidates(p, seat, [first, *rivals], rng.randrange(1 << 62), until, clock)
            rivals = [rival for rival in rivals if not rival.is_hopeless(first)]
        return rivals

    def _try_candidates(
        self, p: State, seat: str, trials: list[CandidateTrial], seed: int, until: int, clock: Clock
    ) -> None:
        """Roll out each candidate once with the same luck."""
        for trial in trials:
            clock.tick()
            after = apply(p, seat, trial.action).state
            end, chance = max(until, p.turn + 1), until > p.turn
            shares = self.roll_out(after, random.Random(seed), end, chance=chance)
            trial.add(shares, self.seat_worth(shares, seat))

    # Rollouts

    def roll_out(self, p: State, rng: Rng, until: int, *, chance: bool) -> Shares:
        """The expected share of each seat after a rollout."""
        p = play_policy(self.policy, p, rng, until, chance=chance)
        result = versailles.result(p)
        return self.judge.shares(p) if result is None else self.final_shares(p, result)

    def final_shares(self, p: State, result: Result) -> Shares:
        """The mean of victory and closeness to it.

        With few lines, closeness says more than victories alone.
        """
        won = outcome_shares(result)
        if is_solo(p):
            (seat,) = p.seats
            return {seat: (won[seat] + self.judge.solo_chance(p, p.points)) / 2}
        points = dict(zip(p.order, (result.scores[seat] for seat in p.seats), strict=True))
        near = self.judge.winning_chances(p, points)
        return {seat: (won[seat] + near[seat]) / 2 for seat in p.seats}

    def seat_worth(self, shares: Shares, seat: str) -> float:
        best = max((n for s, n in shares.items() if s != seat), default=0.0)
        return shares[seat] - self.judge.weights.hinder * best


def quick_thinking(policy: Policy, slips: int = 0, *, offers: bool = True) -> Think:
    """Follow the policy; about one time in `slips`, act at random."""

    def think(view: View, question: Question, legal: Legal, rng: Rng, clock: Clock) -> Thought:
        quick, seat = derived_rng(rng), view["seat"]
        p: State = versailles.deal(view, quick)
        talk = Bargainer(policy).in_character(view.get("character", ""))
        said = talk.answer_offer(p, seat)
        if said is None and offers:
            said = talk.make_offer(p, seat)
        if said is not None:
            return said.as_thought()
        if slips and quick.randrange(slips) == 0:
            found = kept_answers(p)
            return Thought(found[quick.randrange(len(found))], Msg("bots.reason.random"))
        action = policy.choose_action(p, seat, quick)
        return Thought(action, glance_reason(p, action))

    return think


def split_by_solo(alone: Think, among: Think) -> Think:
    """A bot that thinks one way in solitaire and another against players."""

    def think(view: View, question: Question, legal: Legal, rng: Rng, clock: Clock) -> Thought:
        return (alone if view["solo"] else among)(view, question, legal, rng, clock)

    return think


def once_won(before: Think, after: Think) -> Think:
    """A bot of solitaire that thinks one way until it has its points, and then another."""

    def think(view: View, question: Question, legal: Legal, rng: Rng, clock: Clock) -> Thought:
        has_won = view["solo"]["points"] >= view["solo"]["target"]
        return (after if has_won else before)(view, question, legal, rng, clock)

    return think


def with_fewer_lines(most: int, think: Think) -> Think:
    """A bot that plays at most so many lines, whatever its budget."""

    def think_less(view: View, question: Question, legal: Legal, rng: Rng, clock: Clock) -> Thought:
        fewer = Budget(min(clock.left, most), clock.seconds).start()
        return think(view, question, legal, rng, fewer)

    return think_less


def search_thinking(player: CandidateSearch, talk: Bargainer | None = None) -> Think:
    """A bot that first considers deals, then takes the best candidate by rollouts with equal luck."""
    bargainer = talk or Bargainer(player.policy)

    def think(view: View, question: Question, legal: Legal, rng: Rng, clock: Clock) -> Thought:
        quick, seat = derived_rng(rng), view["seat"]
        p: State = versailles.deal(view, quick)
        mine = bargainer.in_character(view.get("character", ""))
        said = mine.answer_offer(p, seat) or mine.make_offer(p, seat)
        if said is not None:
            return said.as_thought()
        ranked = player.rank_candidates(p, seat, quick, clock)
        if not ranked[0].visits:
            return Thought(ranked[0].action, glance_reason(p, ranked[0].action))
        return Thought(
            ranked[0].action, comparison_reason(p, ranked, seat), tuple(t.line() for t in ranked)
        )

    return think
