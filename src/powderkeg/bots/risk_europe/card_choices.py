"""The choice of two cards: all players choose at once and in secret, so it is a matrix game."""

from collections.abc import Sequence
from math import prod
from typing import NamedTuple

from powderkeg.bots.engine.budget import Clock
from powderkeg.bots.engine.regret import softmax, solve_anchored
from powderkeg.bots.risk_europe.evaluate import card_value, winning_chances
from powderkeg.bots.risk_europe.policy import (
    GAME_POINTS,
    PICK_ANCHOR,
    TEMPER,
    RoundCards,
    RoundPolicy,
    place_cards,
    table_without_cards,
)
from powderkeg.core.chance import Rng
from powderkeg.games.risk_europe.actions import PickCards
from powderkeg.games.risk_europe.board import DECK
from powderkeg.games.risk_europe.state import State, players_left

MOST_OWN_PAIRS = 10  # own pairs of cards that are evaluated
REGRET_ROUNDS = 300  # iterations of regret matching


class CardPair(NamedTuple):
    """Two cards, and what they gain if no other player acts."""

    gain: float
    pick: PickCards


def rank_pairs(
    mind: RoundPolicy, state: State, who: int, clock: Clock | None = None
) -> list[CardPair]:
    """All pairs of `who`, best first, evaluated as if the other players did nothing; those that begin
    with the most promising card, and the others as long as there is time."""
    hand = state.armies[who].hand + state.armies[who].stack
    table = table_without_cards(state)
    kinds = [card for card in dict.fromkeys(DECK) if card in hand]
    alone = {card: mind.play_card(table, who, card) for card in kinds}
    prices = {card: card_value(mind.weights, card) for card in kinds}
    promising = sorted(kinds, key=lambda card: prices[card] - alone[card].gain)
    found = []
    for first in clock.while_time(promising) if clock else promising:
        for second in kinds:
            if first == second and hand.count(first) < 2:
                continue
            ended = mind.play_card(alone[first].state, who, second)
            gain = alone[first].gain + ended.gain - (prices[first] + prices[second])
            found.append(CardPair(gain, PickCards(first, second)))
    return sorted(found, key=lambda pair: (-pair.gain, kinds.index(pair.pick.first)))


def likely_pair(mind: RoundPolicy, state: State, who: int) -> CardPair:
    """The two cards that gain most alone: quicker than all pairs."""
    hand = state.armies[who].hand + state.armies[who].stack
    first, second = mind.likely_cards(table_without_cards(state), who, hand, 2, None)
    return CardPair(0.0, PickCards(first, second))


class CardMatrix:
    """The pairs of all players, and the payoffs of each combination at the end of the turns."""

    def __init__(self, mind: RoundPolicy, state: State, me: int, clock: Clock) -> None:
        self.mind, self.state, self.clock = mind, state, clock
        self.seats = [me, *(i for i in players_left(state) if i != me)]
        pairs = [rank_pairs(mind, state, who, clock) for who in clock.while_time(self.seats)]
        pairs += [[likely_pair(mind, state, who)] for who in self.seats[len(pairs) :]]
        counts = matrix_sizes(clock.whole, [len(found) for found in pairs])
        self.pairs = [found[:count] for found, count in zip(pairs, counts, strict=True)]
        self.seen: dict[int, list[float]] = {}  # my share for each pair of mine
        self.longest = 0.0  # the seconds of a payoff

    def placed_cards(self, joint: Sequence[int]) -> RoundCards:
        """The placed cards of all players, if each places the pair of this number."""
        pairs = {}
        for who, found, choice in zip(self.seats, self.pairs, joint, strict=True):
            pick = found[choice].pick
            pairs[who] = (pick.first, pick.second)
        return place_cards(self.state, pairs)

    def joint_payoff(self, joint: tuple[int, ...]) -> list[float]:
        """Each player's share in points; when time is up, the mean for my pair so far."""
        known = self.seen.setdefault(joint[0], [])
        if self.clock.late(self.longest) or not self.clock.tick():
            return [GAME_POINTS * self.mean_share(joint[0])] * len(self.seats)
        before = self.clock.seconds or 0.0
        end = winning_chances(
            self.mind.play_turns(self.state, self.placed_cards(joint)), self.mind.weights
        )
        known.append(end[self.seats[0]])
        self.longest = max(self.longest, before - (self.clock.seconds or 0.0))
        return [GAME_POINTS * end[who] for who in self.seats]

    def solve_mixes(self, rng: Rng) -> list[list[float]]:
        """How often each player should play each pair, mine first."""
        anchors = [softmax([pair.gain / TEMPER for pair in found]) for found in self.pairs]
        counts = [len(found) for found in self.pairs]
        return solve_anchored(
            counts,
            self.joint_payoff,
            anchors,
            PICK_ANCHOR,
            REGRET_ROUNDS,
            rng,
            enough=self.clock.late,
        )

    def mean_share(self, choice: int) -> float:
        known = self.seen.get(choice, [])
        return sum(known) / len(known) if known else 0.0


def matrix_sizes(cells: int, most: list[int]) -> list[int]:
    """How many pairs of each player to consider, so that the whole matrix can be evaluated: mine
    first, then one more per rival in turn.
    """
    found = [max(1, min(MOST_OWN_PAIRS, most[0], cells))] + [1] * (len(most) - 1)
    grown = True
    while grown:
        grown = False
        for player in range(1, len(most)):
            larger = [n + (p == player) for p, n in enumerate(found)]
            if larger[player] <= most[player] and prod(larger) <= cells:
                found, grown = larger, True
    return found
