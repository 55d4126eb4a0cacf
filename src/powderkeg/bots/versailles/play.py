"""From a view to an answer: few candidates, the same luck for all, the best one with its reason."""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from powderkeg.bots.budget import Clock
from powderkeg.bots.search import Tally, luck
from powderkeg.bots.thought import Shares, Think, Thought, outcome
from powderkeg.bots.versailles.bargain import Bargainer
from powderkeg.bots.versailles.policy import Policy, play_on
from powderkeg.bots.versailles.reasons import glance_reason, reason
from powderkeg.bots.versailles.value import Judge
from powderkeg.core.ask import Question
from powderkeg.core.chance import Rng
from powderkeg.core.game import Legal, View
from powderkeg.core.words import Msg
from powderkeg.games import versailles
from powderkeg.games.versailles.actions import End, Pass, Place
from powderkeg.games.versailles.politics import can_act, least
from powderkeg.games.versailles.rules import apply, kept_answers
from powderkeg.games.versailles.state import State
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

WIDTH = 8  # actions that are looked at more closely
THRIFTY = 2  # of the best placements, those also tried with the fewest cubes
GRAVE = (Turn, PlaceSecond, UsaTurn, Bidding, ChooseOption, ChooseStrategy, BotPlaces, SoloBid)


@dataclass(frozen=True)
class Player:
    """A judge's mind, and how far it looks: so many turns are played on after a grave decision.

    Small ones (what to advance, which card to keep) are followed to the next card or die alone.
    """

    judge: Judge
    turns: int
    width: int = WIDTH

    @property
    def policy(self) -> Policy:
        return Policy(self.judge)

    # What is worth a look

    def candidates(self, p: State, seat: str, rng: Rng) -> Sequence[Any]:
        """The few actions that may be best, the likeliest first; all of them keep every deal."""
        found = kept_answers(p)
        step = p.agenda[-1]
        if len(found) <= 1:
            return found
        if isinstance(step, Turn):
            return self._turn(p, found)
        if isinstance(step, PlaceSecond):
            return self._second(p, step, found)
        if isinstance(step, Bidding):
            raised = self.policy.raised(p, step)
            named = [Pass()] if raised is None else [raised[1], Pass()]
            return [a for a in named if a in found] or found[:1]
        if len(found) > self.width:
            found = sorted(found, key=lambda a: -self.policy.ahead(p, seat, a))
        return found[: self.width]

    def _turn(self, p: State, found: list[Any]) -> Sequence[Any]:
        policy, nation = self.policy, p.active
        named: list[Any] = []
        if not p.political and can_act(p, nation):
            weighed = sorted(policy.political(p, nation), key=lambda w: -w.gain)
            named = list(dict.fromkeys(w.action for w in weighed))[: self.width]
            placed = [a for a in named if isinstance(a, Place)][:THRIFTY]
            named += [Place(a.issue, least(p, nation, a.issue)) for a in placed]
        else:
            named = [End()]
        if not p.military:
            named += policy.manoeuvres(p, nation)
        return [a for a in dict.fromkeys(named) if policy.lawful(p, a)] or found[:1]

    def _second(self, p: State, step: PlaceSecond, found: list[Any]) -> Sequence[Any]:
        rated = sorted(found, key=lambda a: -self.policy.placed(p, step.nation, a))
        return rated[: max(3, self.width // 2)]

    # Which is best

    def weigh(self, p: State, seat: str, rng: random.Random, clock: Clock) -> list[Tally]:
        """The candidates, best first."""
        tallies = [Tally(action) for action in self.candidates(p, seat, rng)]
        if len(tallies) > 1:
            if self.turns and isinstance(p.agenda[-1], GRAVE):
                self._halve(p, seat, tallies, rng, clock)
            else:
                self._try(p, seat, tallies, rng.randrange(1 << 62), 0, clock)
        return sorted(tallies, key=lambda t: (-t.visits, -t.mean))

    def _halve(
        self, p: State, seat: str, tallies: list[Tally], rng: random.Random, clock: Clock
    ) -> None:
        """Each round spends an equal part of the budget on those still in; the worse half goes."""
        alive = list(tallies)
        rounds = (len(alive) - 1).bit_length()
        for number in range(rounds):
            each = max(1, clock.left // (rounds - number) // len(alive))
            for _ in range(each):
                if not self._try(p, seat, alive, rng.randrange(1 << 62), self.turns, clock):
                    return
            alive = sorted(alive, key=lambda t: -t.mean)[: (len(alive) + 1) // 2]

    def _try(
        self, p: State, seat: str, alive: list[Tally], seed: int, turns: int, clock: Clock
    ) -> bool:
        """Play each on with the same luck; False when the budget is spent."""
        for tally in alive:
            if not clock.tick():
                return False
            after = apply(p, seat, tally.action).state
            shares = self.appraise(after, random.Random(seed), turns)
            tally.add(shares, self.worth(shares, seat))
        return True

    # What comes of it

    def appraise(self, p: State, rng: Rng, turns: int) -> Shares:
        """What each seat may expect after everybody played on for a while."""
        p = play_on(self.policy, p, rng, max(1, turns), chance=turns > 0)
        result = versailles.result(p)
        return self.judge.shares(p) if result is None else outcome(result)

    def worth(self, shares: Shares, seat: str) -> float:
        best = max((n for s, n in shares.items() if s != seat), default=0.0)
        return shares[seat] - self.judge.weights.hinder * best


def glance(policy: Policy, slips: int = 0) -> Think:
    """What comes first to mind; about one time in `slips`, anything at all, and no offers then."""

    def think(view: View, question: Question, legal: Legal, rng: Rng, clock: Clock) -> Thought:
        quick, seat = luck(rng), view["seat"]
        p: State = versailles.deal(view, quick)
        talk = Bargainer(policy)
        said = talk.answer(p, seat, quick.randrange(1 << 30))
        if said is None and not slips:
            said = talk.offer(p, seat, quick.randrange(1 << 30))
        if said is not None:
            return Thought(*said)
        if slips and quick.randrange(slips) == 0:
            found = kept_answers(p)
            return Thought(found[quick.randrange(len(found))], Msg("bots.reason.random"))
        action = policy.choose(p, seat, quick)
        return Thought(action, glance_reason(p, action))

    return think


def thinker(player: Player) -> Think:
    """Deals first; then the best of the candidates after playing each on with the same luck."""

    def think(view: View, question: Question, legal: Legal, rng: Rng, clock: Clock) -> Thought:
        quick, seat = luck(rng), view["seat"]
        p: State = versailles.deal(view, quick)
        talk = Bargainer(player.policy)
        said = talk.answer(p, seat, quick.randrange(1 << 30))
        said = said or talk.offer(p, seat, quick.randrange(1 << 30))
        if said is not None:
            return Thought(*said)
        ranked = player.weigh(p, seat, quick, clock)
        if len(ranked) == 1:
            return Thought(ranked[0].action, Msg("bots.reason.only"))
        return Thought(ranked[0].action, reason(p, ranked, seat), tuple(t.line() for t in ranked))

    return think
