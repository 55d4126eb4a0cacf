"""Regret matching for small simultaneous games: all players choose at once, in secret.

A game is a list of how many choices each player has and a function from everybody's choices to
everybody's payoffs. For two the average play approaches a Nash equilibrium; for more it
approaches play that nobody regrets (a coarse correlated equilibrium), which is still worth
playing.
"""

import math
from collections.abc import Callable, Sequence
from itertools import product

from powderkeg.bots.engine.budget import Clock
from powderkeg.bots.engine.knowledge import Knowledge
from powderkeg.bots.engine.one_ply import one_ply_search
from powderkeg.bots.engine.shares import Shares
from powderkeg.bots.engine.tally import Tally, derived_rng, forced_choice, tally_reason
from powderkeg.bots.engine.thought import Think, Thought
from powderkeg.core.ask import Question
from powderkeg.core.chance import CHANCE, Rng
from powderkeg.core.game import Action, Legal, Seat, State, View

Payoff = Callable[[tuple[int, ...]], Sequence[float]]
Mix = list[float]  # a probability for each choice

FRACTION_STEPS = 1 << 53


def draw_fraction(rng: Rng) -> float:
    """A random number from 0 up to, but not including, 1."""
    return rng.randrange(FRACTION_STEPS) / FRACTION_STEPS


def draw_choice(mix: Sequence[float], rng: Rng) -> int:
    """A choice drawn with these probabilities."""
    at = draw_fraction(rng)
    for choice, share in enumerate(mix):
        at -= share
        if at < 0:
            return choice
    return max(range(len(mix)), key=mix.__getitem__)


def solve_matrix(sizes: Sequence[int], pay: Payoff, iterations: int, rng: Rng) -> list[Mix]:
    """Everybody's average strategy after some iterations of regret matching plus.

    Regrets below zero are forgotten and later play weighs more. Up to two players are computed
    exactly; with more, the others' choices are sampled.
    """
    known = _PayoffTable(sizes, pay)
    regrets = [[0.0] * n for n in sizes]
    sums = [[0.0] * n for n in sizes]
    for number in range(1, iterations + 1):
        for player in range(len(sizes)):
            mixes = [_match_regrets(r) for r in regrets]
            gains = known.choice_gains(player, mixes, rng)
            mean = math.fsum(p * g for p, g in zip(mixes[player], gains, strict=True))
            regrets[player] = [
                max(0.0, r + g - mean) for r, g in zip(regrets[player], gains, strict=True)
            ]
            for choice, p in enumerate(mixes[player]):
                sums[player][choice] += number * p
    return [_normalize_mix(s) for s in sums]


def solve_anchored(
    sizes: Sequence[int],
    pay: Payoff,
    anchors: Sequence[Sequence[float]],
    strength: float,
    iterations: int,
    rng: Rng,
    *,
    enough: Callable[[], bool] = lambda: False,
) -> list[Mix]:
    """Like `solve_matrix`, but play is drawn towards `anchors` (piKL-hedge).

    `strength` is in units of payoff: at 0 only payoffs count, at infinity only the anchors.
    Every anchor must give every choice some probability. Ends early once `enough()` is true.
    """
    known = _PayoffTable(sizes, pay)
    sums = [[0.0] * n for n in sizes]
    plays = [[0.0] * n for n in sizes]
    mixes = [_normalize_mix(anchor) for anchor in anchors]
    logs = [[math.log(max(p, 1e-12)) for p in mix] for mix in mixes]
    for number in range(1, iterations + 1):
        now = list(mixes)
        for player in range(len(sizes)):
            for choice, gain in enumerate(known.choice_gains(player, now, rng)):
                sums[player][choice] += gain
                plays[player][choice] += now[player][choice]
            heat = strength + 1 / math.sqrt(number)
            mixes[player] = softmax(
                [
                    (s / number + strength * a) / heat
                    for s, a in zip(sums[player], logs[player], strict=True)
                ]
            )
        if enough():
            break
    return [_normalize_mix(p) for p in plays]


def _match_regrets(regrets: Sequence[float]) -> Mix:
    """Play in proportion to regret; without any, every choice equally."""
    return _normalize_mix(regrets)


def softmax(values: Sequence[float]) -> Mix:
    top = max(values)
    return _normalize_mix([math.exp(v - top) for v in values])


def _normalize_mix(weights: Sequence[float]) -> Mix:
    total = math.fsum(weights)
    return [w / total for w in weights] if total > 0 else [1 / len(weights)] * len(weights)


class _PayoffTable:
    """Payoffs, each computed once."""

    def __init__(self, sizes: Sequence[int], pay: Payoff) -> None:
        self.sizes, self.payoff = sizes, pay
        self.cache: dict[tuple[int, ...], Sequence[float]] = {}

    def payoffs_at(self, joint: tuple[int, ...]) -> Sequence[float]:
        found = self.cache.get(joint)
        if found is None:
            found = self.cache[joint] = self.payoff(joint)
        return found

    def choice_gains(self, player: int, mixes: Sequence[Mix], rng: Rng) -> list[float]:
        """The payoff of each choice of `player` against the others' play."""
        if len(self.sizes) > 2:
            others = [draw_choice(mix, rng) for mix in mixes]
            return [
                self.payoffs_at((*others[:player], choice, *others[player + 1 :]))[player]
                for choice in range(self.sizes[player])
            ]
        return [self._exact_gain(player, choice, mixes) for choice in range(self.sizes[player])]

    def _exact_gain(self, player: int, choice: int, mixes: Sequence[Mix]) -> float:
        rows = [range(n) if p != player else (choice,) for p, n in enumerate(self.sizes)]
        return math.fsum(
            self.payoffs_at(joint)[player]
            * math.prod(mixes[p][c] for p, c in enumerate(joint) if p != player)
            for joint in product(*rows)
        )


def matrix_search(know: Knowledge, *, iterations: int = 200, worlds: int = 4) -> Think:
    """Where several seats choose at once: solve the matrix in a few dealt worlds and mix.

    Elsewhere: search one ply. An iteration of the budget is one evaluation.
    """
    alone = one_ply_search(know)

    def think(view: View, question: Question, legal: Legal, rng: Rng, clock: Clock) -> Thought:
        if (only := forced_choice(legal)) is not None:
            return only
        quick, me = derived_rng(rng), view["seat"]
        world = know.game.deal(view, quick)
        if me not in (acting := know.game.to_act(world)) or len(acting - {CHANCE}) < 2:
            return alone(view, question, legal, quick, clock)
        tallies = [Tally(a) for a in know.options(world, me, legal, quick)]
        mix = [0.0] * len(tallies)
        each = max(1, clock.left // worlds)
        for _ in range(worlds):
            matrix = _WorldMatrix(know, know.game.deal(view, quick), me, tallies, quick, clock)
            play = matrix.solve(iterations, each)
            mix = [m + p for m, p in zip(mix, play, strict=True)]
            if clock.late() or not clock.left:
                break
        mix = _normalize_mix(mix)
        picked = tallies[draw_choice(mix, quick)]
        ranked = sorted(tallies, key=lambda t: (t is not picked, -mix[tallies.index(t)]))
        return Thought(picked.action, tally_reason(ranked), tuple(t.line() for t in ranked))

    return think


class _WorldMatrix:
    """One dealt world in which several seats choose at once."""

    def __init__(
        self,
        know: Knowledge,
        world: State,
        me: Seat,
        tallies: list[Tally],
        rng: Rng,
        clock: Clock,
    ) -> None:
        self.know, self.world, self.rng, self.clock = know, world, derived_rng(rng), clock
        game = know.game
        self.seats = [me, *sorted(game.to_act(world) - {me, CHANCE})]
        self.tallies = tallies
        self.choices: list[list[Action]] = [[t.action for t in tallies]]
        for seat in self.seats[1:]:
            options = know.options(world, seat, game.legal(world, seat), self.rng)
            self.choices.append(list(options))
        self.mean: Shares = {}

    def solve(self, iterations: int, appraisals: int) -> Mix:
        self.until = self.clock.spent + appraisals
        return solve_matrix(
            [len(c) for c in self.choices], self.joint_payoffs, iterations, self.rng
        )[0]

    def joint_payoffs(self, joint: tuple[int, ...]) -> list[float]:
        """Payoffs of a joint choice; when the budget is spent, the mean so far."""
        if self.clock.spent < self.until and self.clock.tick():
            shares = self.know.evaluate_state(self.state_after(joint), self.rng)
            tally = self.tallies[joint[0]]
            tally.add(shares, self.know.seat_worth(shares, self.seats[0]))
            self.mean = tally.line().shares
        else:
            tally = self.tallies[joint[0]]
            shares = tally.line().shares if tally.visits else self.mean
        return [self.know.seat_worth(shares, seat) for seat in self.seats]

    def state_after(self, joint: tuple[int, ...]) -> State:
        state = self.world
        for seat, choices, choice in zip(self.seats, self.choices, joint, strict=True):
            if seat in self.know.game.to_act(state):
                state = self.know.game.apply(state, seat, choices[choice]).state
        return state
