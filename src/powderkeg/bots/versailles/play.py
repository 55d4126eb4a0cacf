"""From a view to an answer: few candidates, the same luck for all, the best one with its reason."""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from powderkeg.bots.budget import Clock
from powderkeg.bots.search import Tally, luck
from powderkeg.bots.thought import Shares, Think, Thought, outcome
from powderkeg.bots.versailles.policy import Policy, play_on
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

    # What comes of it

    def appraise(self, p: State, rng: Rng) -> Shares:
        """What each seat may expect after everybody played on for a while."""
        p = play_on(self.policy, p, rng, max(1, self.turns), chance=self.turns > 0)
        result = versailles.result(p)
        return self.judge.shares(p) if result is None else outcome(result)

    def worth(self, shares: Shares, seat: str) -> float:
        best = max((n for s, n in shares.items() if s != seat), default=0.0)
        return shares[seat] - self.judge.weights.hinder * best


SLIPS = 3  # an easy bot does about one thing in three without thinking


def glance(policy: Policy) -> Think:
    """What comes first to mind, and now and then anything at all."""

    def think(view: View, question: Question, legal: Legal, rng: Rng, clock: Clock) -> Thought:
        p: State = versailles.deal(view, rng)
        if rng.randrange(SLIPS) == 0:
            found = kept_answers(p)
            return Thought(found[rng.randrange(len(found))], Msg("bots.reason.random"))
        return Thought(policy.choose(p, view["seat"], rng), Msg("bots.reason.only"))

    return think


def thinker(player: Player) -> Think:
    """The best of the candidates after playing each on with the same luck."""

    def think(view: View, question: Question, legal: Legal, rng: Rng, clock: Clock) -> Thought:
        quick, seat = luck(rng), view["seat"]
        p: State = versailles.deal(view, quick)
        actions = player.candidates(p, seat, quick)
        if len(actions) == 1:
            return Thought(actions[0], Msg("bots.reason.only"))
        tallies = [Tally(action) for action in actions]
        _halve(player, p, seat, tallies, quick, clock)
        ranked = sorted(tallies, key=lambda t: (-t.visits, -t.mean))
        return Thought(ranked[0].action, Msg("bots.reason.only"), tuple(t.line() for t in ranked))

    return think


def _halve(
    player: Player, p: State, seat: str, tallies: list[Tally], rng: random.Random, clock: Clock
) -> None:
    """Each round spends an equal part of the budget on those still in; the worse half goes."""
    alive = list(tallies)
    rounds = max(1, (len(alive) - 1).bit_length())
    for number in range(rounds):
        each = max(1, clock.left // (rounds - number) // len(alive))
        for _ in range(each):
            seed = rng.randrange(1 << 62)
            for tally in alive:
                if not clock.tick():
                    return
                shares = player.appraise(apply(p, seat, tally.action).state, random.Random(seed))
                tally.add(shares, player.worth(shares, seat))
        alive = sorted(alive, key=lambda t: -t.mean)[: max(1, (len(alive) + 1) // 2)]
