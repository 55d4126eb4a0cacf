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
from powderkeg.games.versailles.politics import can_act
from powderkeg.games.versailles.rules import apply, kept_answers
from powderkeg.games.versailles.state import State
from powderkeg.games.versailles.steps import Bidding, PlaceSecond, Turn

WIDTH = 10  # actions that are looked at more closely


@dataclass(frozen=True)
class Player:
    """A judge's mind, and how far it looks: so many turns are played on after an action."""

    judge: Judge
    turns: int
    width: int = WIDTH

    @property
    def policy(self) -> Policy:
        return Policy(self.judge)

    # What is worth a look

    def candidates(self, p: State, seat: str, rng: Rng) -> Sequence[Any]:
        step = p.agenda[-1]
        found = kept_answers(p)
        if len(found) <= 1:
            return found
        if isinstance(step, Turn):
            return self._turn(p, seat, found, rng)
        if isinstance(step, PlaceSecond):
            return self._second(p, step, found)
        if isinstance(step, Bidding):
            first = self.policy.choose(p, seat, rng)
            return tuple(dict.fromkeys([first, *[a for a in found if isinstance(a, Pass)]]))
        if len(found) > self.width:
            found = sorted(found, key=lambda a: -self.policy.ahead(p, seat, a))
        return found[: self.width]

    def _turn(self, p: State, seat: str, found: list[Any], rng: Rng) -> Sequence[Any]:
        policy, nation = self.policy, p.active
        named: list[Any] = []
        if not p.political and can_act(p, nation):
            weighed = sorted(policy.political(p, nation), key=lambda w: -w.gain)
            named += [w.action for w in weighed[: self.width]]
        elif End() in found:
            named.append(End())
        if not p.military:
            named += policy.manoeuvres(p, nation)
        open_ = set(map(str, found)) if p.deals else None
        return [a for a in dict.fromkeys(named) if open_ is None or str(a) in open_] or found[:1]

    def _second(self, p: State, step: PlaceSecond, found: list[Any]) -> Sequence[Any]:
        policy = self.policy
        placings = [a for a in found if isinstance(a, Place)]
        rated = sorted(placings, key=lambda a: -policy.placed(p, step.nation, a))
        return rated[: max(3, self.width // 2)]

    # Which is best

    def weigh(self, p: State, seat: str, rng: random.Random, clock: Clock) -> list[Tally]:
        """The candidates, best first. Each round spends an equal part of the budget on those
        still in, all with the same luck; then the worse half goes."""
        tallies = [Tally(action) for action in self.candidates(p, seat, rng)]
        alive = list(tallies)
        rounds = max(1, (len(alive) - 1).bit_length()) if len(alive) > 1 else 0
        for number in range(rounds):
            each = max(1, clock.left // (rounds - number) // len(alive)) if self.turns else 1
            for _ in range(each):
                if not self._try(p, seat, alive, rng.randrange(1 << 62), clock):
                    break
            alive = sorted(alive, key=lambda t: -t.mean)[: max(1, (len(alive) + 1) // 2)]
            if not self.turns:
                break
        return sorted(tallies, key=lambda t: (-t.visits, -t.mean))

    def _try(self, p: State, seat: str, alive: list[Tally], seed: int, clock: Clock) -> bool:
        """Play each on with the same luck; False when the budget is spent."""
        for tally in alive:
            if not clock.tick():
                return False
            shares = self.appraise(apply(p, seat, tally.action).state, random.Random(seed))
            tally.add(shares, self.worth(shares, seat))
        return True

    # What comes of it

    def appraise(self, p: State, rng: Rng) -> Shares:
        """What each seat may expect after everybody played on for a while."""
        p = play_on(self.policy, p, rng, max(1, self.turns), chance=self.turns > 0)
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
