"""Which two cards to place: everybody chooses at once, unseen, so it is a matrix game."""

from math import prod
from typing import NamedTuple

from powderkeg.bots.budget import Clock
from powderkeg.bots.regret import anchored, softmax
from powderkeg.bots.risk_europe.outlook import kept, shares
from powderkeg.bots.risk_europe.turns import ANCHOR, POINTS, TEMPER, Mind, bare, placed
from powderkeg.core.chance import Rng
from powderkeg.games.risk_europe.actions import Pick
from powderkeg.games.risk_europe.board import DECK
from powderkeg.games.risk_europe.state import State, people

MOST = 10  # of one's own pairs that are weighed
ROUNDS = 300  # of regret matching


class Pair(NamedTuple):
    """Two cards, and what they gain if nobody else does anything."""

    gain: float
    pick: Pick


def alone(mind: Mind, state: State, who: int) -> list[Pair]:
    """All pairs of `who`, best first, as they would do if the others did nothing."""
    hand = state.armies[who].hand + state.armies[who].stack
    table = bare(state)
    kinds = [card for card in dict.fromkeys(DECK) if card in hand]
    found = []
    for first in kinds:
        begun = mind.play_card(table, who, first)
        for second in kinds:
            if first == second and hand.count(first) < 2:
                continue
            ended = mind.play_card(begun.state, who, second)
            price = kept(mind.weights, first) + kept(mind.weights, second)
            found.append(Pair(begun.gain + ended.gain - price, Pick(first, second)))
    return sorted(found, key=lambda pair: -pair.gain)


class Matrix:
    """Pairs of everybody, and what each combination promises everybody at the end of the turns."""

    def __init__(
        self,
        mind: Mind,
        state: State,
        me: int,
        clock: Clock,
        depth: int = 1,
        samples: int = 1,
    ) -> None:
        self.mind, self.state, self.clock = mind, state, clock
        self.depth, self.samples = depth, samples
        self.seats = [me, *(i for i in people(state) if i != me)]
        pairs = [alone(mind, state, who) for who in self.seats]
        counts = sizes(max(1, clock.whole // samples), [len(found) for found in pairs])
        self.pairs = [found[:count] for found, count in zip(pairs, counts, strict=True)]
        self.seen: dict[int, list[float]] = {}  # my share for each pair of mine

    def pay(self, joint: tuple[int, ...]) -> list[float]:
        """Everybody's share in points; when the clock has stopped, that of my pair so far."""
        known = self.seen.setdefault(joint[0], [])
        pairs = {}
        for who, found, choice in zip(self.seats, self.pairs, joint, strict=True):
            pick = found[choice].pick
            pairs[who] = (pick.first, pick.second)
        cards, ends = placed(self.state, pairs), []
        for seed in range(self.samples):
            if self.clock.tick():
                end = self.mind.ahead(self.state, cards, self.depth, seed)
                ends.append(shares(end, self.mind.weights))
        if not ends:
            return [POINTS * self.mean(joint[0])] * len(self.seats)
        promise = [POINTS * sum(end[who] for end in ends) / len(ends) for who in self.seats]
        known.append(promise[0] / POINTS)
        return promise

    def solve(self, rng: Rng) -> list[float]:
        """How often to play each of my pairs."""
        anchors = [softmax([pair.gain / TEMPER for pair in found]) for found in self.pairs]
        counts = [len(found) for found in self.pairs]
        return anchored(counts, self.pay, anchors, ANCHOR, ROUNDS, rng)[0]

    def mean(self, choice: int) -> float:
        known = self.seen.get(choice, [])
        return sum(known) / len(known) if known else 0.0


def sizes(cells: int, most: list[int]) -> list[int]:
    """How many pairs of each player to weigh, so that the whole matrix can be seen: first mine,
    then one more of every rival in turn."""
    found = [max(1, min(MOST, most[0], cells))] + [1] * (len(most) - 1)
    grown = True
    while grown:
        grown = False
        for player in range(1, len(most)):
            larger = [n + (p == player) for p, n in enumerate(found)]
            if larger[player] <= most[player] and prod(larger) <= cells:
                found, grown = larger, True
    return found
