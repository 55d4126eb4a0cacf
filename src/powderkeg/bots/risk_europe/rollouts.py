"""Quick rollouts of rounds, and choices compared by the winners. A four-player game ends after four
or five rounds, and all cards are placed in four. An evaluation can only guess what a capital or a
card is worth; a few dozen rollouts show it. In a rollout all players place random cards and play
them by the value of the board.
"""

import random
from collections.abc import Callable, Sequence
from typing import Any, Final

from powderkeg.bots.engine.budget import Clock
from powderkeg.bots.risk_europe import setup_choices
from powderkeg.bots.risk_europe.evaluate import chance_of_crowns, winning_chances
from powderkeg.bots.risk_europe.policy import RoundCards, RoundPolicy, place_cards, play_battles
from powderkeg.bots.risk_europe.weights import OddsWeights
from powderkeg.core.chance import CHANCE
from powderkeg.games import risk_europe
from powderkeg.games.risk_europe import actions
from powderkeg.games.risk_europe.state import State, players_left
from powderkeg.games.risk_europe.steps import Garrison, Pick, Settle

WHOLE_GAME: Final = 6  # rounds until a game is over
ROLLOUT_ROUNDS: Final = 2  # rounds after this one: what comes later is mostly luck
LIKELY: Final = 0.5  # with this chance of a win now, later rounds matter little

TryChoice = Callable[[int, random.Random], float]  # the payoff of one choice with this luck


def roll_out(
    mind: RoundPolicy, state: State, cards: RoundCards, rng: random.Random, rounds: int
) -> list[float]:
    """Each player's chance to win after the rest of this round and some more rounds."""
    state = mind.rest_of_round(state, cards, rng)
    for _ in range(rounds):
        if sum(chance_of_crowns(state, i) for i in players_left(state)) > LIKELY:
            break
        state = play_battles(state, rng)
        if state.over:
            break
        mind = RoundPolicy(state, mind.weights)  # hinder the present leader
        state = mind.rest_of_round(mind.hire_mercenaries(state, rng), random_cards(state, rng), rng)
    return winning_chances(state, mind.weights)


def random_cards(state: State, rng: random.Random) -> RoundCards:
    """Two random cards for every player."""
    return place_cards(
        state, {i: tuple(rng.sample(state.armies[i].hand, 2)) for i in players_left(state)}
    )


def found_kingdoms(state: State, weights: OddsWeights) -> State:
    """The first round, after every player has settled as usual."""
    mind, rng = RoundPolicy(state, weights), random.Random(0)
    while not isinstance(state.agenda[-1], Pick):
        seat = min(risk_europe.to_act(state))
        state = risk_europe.apply(state, seat, _founding_action(mind, state, seat, rng)).state
    return state


def _founding_action(mind: RoundPolicy, state: State, seat: str, rng: random.Random) -> Any:
    if seat == CHANCE:
        return risk_europe.legal(state, CHANCE).sample(rng)
    match state.agenda[-1]:
        case Settle(army):
            free = [a for a in risk_europe.legal(state, seat) if isinstance(a, actions.SettleCity)]
            return max(free, key=lambda action: setup_choices.capital_value(state, army, action.at))
        case Garrison() as step:
            return setup_choices.best_garrison(mind, state, step)
        case _:
            return risk_europe.default(state, seat)


class HalvingTrial:
    """Choices tried repeatedly with equal luck: first all of them, then the better half, and so on.

    `promises` are their estimated payoffs beforehand; they count like `trust` tries.
    """

    def __init__(self, promises: Sequence[float], trust: float) -> None:
        self.sums = [trust * promise for promise in promises]
        self.counts = [trust] * len(promises)
        self.tries = [0] * len(promises)

    def mean_values(self) -> list[float]:
        return [s / max(n, 1e-9) for s, n in zip(self.sums, self.counts, strict=True)]

    def ranked_choices(self) -> list[int]:
        """All choices, best first; equal ones keep their order."""
        means = self.mean_values()
        return sorted(range(len(means)), key=lambda choice: -means[choice])

    def best_choice(self, attempt: TryChoice, clock: Clock, tries: int) -> int:
        """The best choice after a number of tries, or when time is up."""
        left = self.ranked_choices()
        stages = max(1, (len(left) - 1).bit_length())
        luck = 0
        for _ in range(stages):
            for _ in range(max(1, tries // stages // len(left))):
                for choice in left:
                    if not clock.tick():
                        return self.ranked_choices()[0]
                    self.sums[choice] += attempt(choice, random.Random(luck))
                    self.counts[choice] += 1
                    self.tries[choice] += 1
                luck += 1
            left = sorted(left, key=self.ranked_choices().index)[: max(1, (len(left) + 1) // 2)]
        return left[0]
