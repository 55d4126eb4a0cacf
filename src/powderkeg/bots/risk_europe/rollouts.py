"""Rounds played out quickly, and choices weighed by who wins then.

A game of four is over after four or five rounds, and everybody places all his cards in four: what
a worth can only guess about a capital or a card is seen when the game is played on a few dozen
times, everybody carrying out his cards as the worth of the board tells and placing them by luck.
"""

import random
from collections.abc import Callable, Sequence
from typing import Any, Final

from powderkeg.bots.engine.budget import Clock
from powderkeg.bots.risk_europe import setup_choices
from powderkeg.bots.risk_europe.evaluate import crowned, shares
from powderkeg.bots.risk_europe.policy import Cards, Mind, fought, placed
from powderkeg.bots.risk_europe.weights import Weights
from powderkeg.core.chance import CHANCE
from powderkeg.games import risk_europe
from powderkeg.games.risk_europe import actions
from powderkeg.games.risk_europe.state import State, players_left
from powderkeg.games.risk_europe.steps import Garrison, Pick, Settle

WHOLE: Final = 6  # rounds until a game is over
SOON: Final = 2  # rounds after this one: what comes later is mostly luck
LIKELY: Final = 0.5  # when somebody wins now with this chance, what comes later matters little

Try = Callable[[int, random.Random], float]  # what one choice promises, with this luck


def played_out(
    mind: Mind, state: State, cards: Cards, rng: random.Random, rounds: int
) -> list[float]:
    """Everybody's chance to win once this round and so many more were played."""
    state = mind.rest_of_round(state, cards, rng)
    for _ in range(rounds):
        if sum(crowned(state, i) for i in players_left(state)) > LIKELY:
            break
        state = fought(state, rng)
        if state.over:
            break
        mind = Mind(state, mind.weights)  # who leads now is hindered now
        state = mind.rest_of_round(mind.hired(state, rng), any_cards(state, rng), rng)
    return shares(state, mind.weights)


def any_cards(state: State, rng: random.Random) -> Cards:
    """Everybody places two cards by luck."""
    return placed(
        state, {i: tuple(rng.sample(state.armies[i].hand, 2)) for i in players_left(state)}
    )


def founded(state: State, weights: Weights) -> State:
    """The first round, once everybody has settled as he usually does."""
    mind, rng = Mind(state, weights), random.Random(0)
    while not isinstance(state.agenda[-1], Pick):
        seat = min(risk_europe.to_act(state))
        state = risk_europe.apply(state, seat, _founding(mind, state, seat, rng)).state
    return state


def _founding(mind: Mind, state: State, seat: str, rng: random.Random) -> Any:
    if seat == CHANCE:
        return risk_europe.legal(state, CHANCE).sample(rng)
    match state.agenda[-1]:
        case Settle(army):
            free = [a for a in risk_europe.legal(state, seat) if isinstance(a, actions.SettleCity)]
            return max(free, key=lambda action: setup_choices.capital(state, army, action.at))
        case Garrison() as step:
            return setup_choices.garrison(mind, state, step)
        case _:
            return risk_europe.default(state, seat)


class Trial:
    """Choices tried again and again with equal luck: all of them first, then the better half, and
    so on. `promises` is what was thought of them before; it counts like `trust` tries."""

    def __init__(self, promises: Sequence[float], trust: float) -> None:
        self.sums = [trust * promise for promise in promises]
        self.counts = [trust] * len(promises)
        self.tries = [0] * len(promises)

    def means(self) -> list[float]:
        return [s / max(n, 1e-9) for s, n in zip(self.sums, self.counts, strict=True)]

    def ranked(self) -> list[int]:
        """All choices, best first; equal ones stay as they came."""
        means = self.means()
        return sorted(range(len(means)), key=lambda choice: -means[choice])

    def run(self, attempt: Try, clock: Clock, tries: int) -> int:
        """The best choice after so many tries, or when the clock has stopped."""
        left = self.ranked()
        stages = max(1, (len(left) - 1).bit_length())
        luck = 0
        for _ in range(stages):
            for _ in range(max(1, tries // stages // len(left))):
                for choice in left:
                    if not clock.tick():
                        return self.ranked()[0]
                    self.sums[choice] += attempt(choice, random.Random(luck))
                    self.counts[choice] += 1
                    self.tries[choice] += 1
                luck += 1
            left = sorted(left, key=self.ranked().index)[: max(1, (len(left) + 1) // 2)]
        return left[0]
