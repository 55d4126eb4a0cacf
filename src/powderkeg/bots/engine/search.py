"""Search that needs no knowledge of a game, and uses it where there is some.

Worlds come from `game.deal(view, rng)` alone, so nothing that a view hides can be used. What a
game's own bots know is a `Knowledge`: a value, candidates, a way to play on, all optional.
"""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import islice

from powderkeg.bots.engine.budget import Clock
from powderkeg.bots.engine.thought import Line, Shares, Think, Thought, outcome
from powderkeg.core.ask import Question
from powderkeg.core.chance import CHANCE, Rng
from powderkeg.core.game import Action, Game, Legal, Seat, State, View
from powderkeg.core.words import Msg


@dataclass(frozen=True, slots=True)
class Knowledge:
    """What a search knows of a game.

    `value`: what a state promises each seat (None: play on to the end and see);
    `candidates`: actions worth weighing, best first (None: all, or a sample of many);
    `policy`: how a seat plays on (None: at random); `hinder`: how much of the strongest rival's
    share a seat counts as its own loss, so that nobody makes a king; `width`: the most actions
    weighed; `horizon`: the most actions of a line played on.
    """

    game: Game
    value: Callable[[State], Shares] | None = None
    candidates: Callable[[State, Seat, Legal, Rng], Sequence[Action]] | None = None
    policy: Callable[[State, Seat, Rng], Action] | None = None
    hinder: float = 0.0
    width: int = 32
    horizon: int = 2000

    def options(self, state: State, seat: Seat, legal: Legal, rng: Rng) -> Sequence[Action]:
        """The actions that `seat` weighs: no more than `width` of them."""
        if self.candidates is not None:
            return self.candidates(state, seat, legal, rng)[: self.width]
        if legal.count_all() <= self.width:
            return tuple(legal)
        return tuple(dict.fromkeys(legal.sample(rng) for _ in range(self.width)))

    def play(self, state: State, seat: Seat, rng: Rng) -> State:
        """The state after `seat` has done what it would."""
        game = self.game
        if self.policy is not None and seat != CHANCE:
            return game.apply(state, seat, self.policy(state, seat, rng)).state
        return game.apply(state, seat, game.legal(state, seat).sample(rng)).state

    def appraise(self, state: State, rng: Rng) -> Shares:
        """What `state` promises each seat: by value, or by playing on to the end."""
        if self.value is None:
            return self.playout(state, rng)
        state = self.settled(state, rng)
        result = self.game.result(state)
        return self.value(state) if result is None else outcome(result)

    def settled(self, state: State, rng: Rng) -> State:
        """The state once chance has done what it owes."""
        game = self.game
        while CHANCE in game.to_act(state):
            state = game.apply(state, CHANCE, game.legal(state, CHANCE).sample(rng)).state
        return state

    def playout(self, state: State, rng: Rng) -> Shares:
        """How the game ends if everybody plays on; a line without an end is worth the same to all."""
        game = self.game
        for _ in range(self.horizon):
            acting = game.to_act(state)
            if not acting:
                break
            state = self.play(state, min(acting), rng)
        result = game.result(state)
        if result is not None:
            return outcome(result)
        seats = sorted(game.to_act(state) - {CHANCE})
        return self.value(state) if self.value else dict.fromkeys(seats, 0.0)

    def worth(self, shares: Shares, seat: Seat) -> float:
        """What `shares` are worth to `seat`."""
        mine = shares.get(seat, 0.0)
        if not self.hinder:
            return mine
        return mine - self.hinder * max((n for s, n in shares.items() if s != seat), default=0.0)


def luck(rng: Rng) -> random.Random:
    """A quick generator that follows from a bot's own."""
    return random.Random(rng.randrange(1 << 62))


class Tally:
    """What was seen of one action."""

    __slots__ = ("action", "shares", "total", "visits")

    def __init__(self, action: Action) -> None:
        self.action = action
        self.visits = 0
        self.total = 0.0
        self.shares: Shares = {}

    def add(self, shares: Shares, worth: float) -> None:
        self.visits += 1
        self.total += worth
        for seat, n in shares.items():
            self.shares[seat] = self.shares.get(seat, 0.0) + n

    @property
    def mean(self) -> float:
        return self.total / self.visits if self.visits else float("-inf")

    def line(self, then: tuple[tuple[Seat, Action], ...] = ()) -> Line:
        visits = max(1, self.visits)
        return Line(self.action, {s: n / visits for s, n in self.shares.items()}, self.visits, then)


def one_ply(know: Knowledge, *, depth: int = 0) -> Think:
    """Weigh every candidate in the same dealt worlds, and drop the worse half again and again.

    After the action, chance does what it owes and everybody plays `depth` actions on; then the
    state is appraised. An iteration is one appraisal.
    """

    def think(view: View, question: Question, legal: Legal, rng: Rng, clock: Clock) -> Thought:
        if (only := single(legal)) is not None:
            return only
        quick, seat = luck(rng), view["seat"]
        world = know.game.deal(view, quick)
        tallies = [Tally(action) for action in know.options(world, seat, legal, quick)]
        _halve(know, view, tallies, quick, clock, depth)
        ranked = sorted(tallies, key=lambda t: (-t.visits, -t.mean))
        best = max(ranked[:2], key=lambda t: t.mean)
        ranked.sort(key=lambda t: t is not best)
        return Thought(best.action, reason(ranked), tuple(t.line() for t in ranked))

    return think


def single(legal: Legal) -> Thought | None:
    """No need to think where there is no choice."""
    first = tuple(islice(legal, 2))
    return Thought(first[0], Msg("bots.reason.only")) if len(first) == 1 else None


def _halve(
    know: Knowledge,
    view: View,
    tallies: list[Tally],
    rng: random.Random,
    clock: Clock,
    depth: int,
) -> None:
    """Sequential halving: each round spends an equal part of the budget on those still in."""
    alive = list(tallies)
    rounds = max(1, (len(alive) - 1).bit_length())
    for number in range(rounds):
        each = max(1, clock.left // (rounds - number) // len(alive))
        for _ in range(each):
            if not _weigh(know, view, alive, rng, clock, depth):
                return
        alive = sorted(alive, key=lambda t: -t.mean)[: max(1, (len(alive) + 1) // 2)]


def _weigh(
    know: Knowledge,
    view: View,
    alive: list[Tally],
    rng: random.Random,
    clock: Clock,
    depth: int,
) -> bool:
    """Try all that are alive in one world with the same luck; False when the clock has stopped."""
    seat, world, seed = view["seat"], know.game.deal(view, rng), rng.randrange(1 << 62)
    for tally in alive:
        if not clock.tick():
            return False
        same = random.Random(seed)
        state = know.game.apply(world, seat, tally.action).state
        for _ in range(depth):
            state = know.settled(state, same)
            acting = know.game.to_act(state)
            if not acting:
                break
            state = know.play(state, min(acting), same)
        shares = know.appraise(state, same)
        tally.add(shares, know.worth(shares, seat))
    return True


def reason(ranked: Sequence[Tally]) -> Msg:
    """Why the first of `ranked`: what it promises, and how far the next one is behind."""
    best = ranked[0]
    percent = round(100 * max(0.0, best.mean))
    rest = [t for t in ranked[1:] if t.visits]
    if not rest:
        return Msg("bots.reason.best", percent=percent, action=str(best.action))
    gap = round(100 * (best.mean - rest[0].mean))
    code = "bots.reason.better" if gap >= 1 else "bots.reason.even"
    return Msg(code, percent=percent, action=str(best.action), other=str(rest[0].action), gap=gap)
