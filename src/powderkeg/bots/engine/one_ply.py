"""One-ply search: try every candidate in the same dealt worlds."""

import random

from powderkeg.bots.engine.budget import Clock
from powderkeg.bots.engine.knowledge import Knowledge
from powderkeg.bots.engine.tally import Tally, derived_rng, forced_choice, tally_reason
from powderkeg.bots.engine.thought import Think, Thought
from powderkeg.core.ask import Question
from powderkeg.core.chance import Rng
from powderkeg.core.game import Legal, View


def one_ply_search(know: Knowledge) -> Think:
    """Evaluate every candidate in the same dealt worlds, and repeatedly drop the worse half.

    After the action come the pending rolls and draws; then the state is evaluated. An iteration is
    one evaluation.
    """

    def think(view: View, question: Question, legal: Legal, rng: Rng, clock: Clock) -> Thought:
        if (only := forced_choice(legal)) is not None:
            return only
        quick, seat = derived_rng(rng), view["seat"]
        world = know.game.deal(view, quick)
        tallies = [Tally(action) for action in know.options(world, seat, legal, quick)]
        _halve_candidates(know, view, tallies, quick, clock)
        ranked = sorted(tallies, key=lambda t: (-t.visits, -t.mean))
        best = max(ranked[:2], key=lambda t: t.mean)
        ranked.sort(key=lambda t: t is not best)
        return Thought(best.action, tally_reason(ranked), tuple(t.line() for t in ranked))

    return think


def _halve_candidates(
    know: Knowledge,
    view: View,
    tallies: list[Tally],
    rng: random.Random,
    clock: Clock,
) -> None:
    """Sequential halving: each round spends an equal part of the budget on the remaining
    candidates.
    """
    alive = list(tallies)
    rounds = max(1, (len(alive) - 1).bit_length())
    for number in range(rounds):
        each = max(1, clock.left // (rounds - number) // len(alive))
        for _ in range(each):
            if not _try_in_world(know, view, alive, rng, clock):
                return
        alive = sorted(alive, key=lambda t: -t.mean)[: max(1, (len(alive) + 1) // 2)]


def _try_in_world(
    know: Knowledge,
    view: View,
    alive: list[Tally],
    rng: random.Random,
    clock: Clock,
) -> bool:
    """Try all remaining candidates in one world with the same luck; False if time is up."""
    seat, world, seed = view["seat"], know.game.deal(view, rng), rng.randrange(1 << 62)
    for tally in alive:
        if not clock.tick():
            return False
        same = random.Random(seed)
        state = know.game.apply(world, seat, tally.action).state
        shares = know.evaluate_state(state, same)
        tally.add(shares, know.seat_worth(shares, seat))
    return True
