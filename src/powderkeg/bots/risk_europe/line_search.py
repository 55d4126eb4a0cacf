"""Search by compiled lines: promising choices are played out to the end of the game, many times.

Needs the extra ``fast``. Without it, and until everything is compiled, another way of thinking takes over.
"""

import math
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from powderkeg.bots.engine.budget import Budget, Clock
from powderkeg.bots.engine.compiled import BackgroundCompiler
from powderkeg.bots.engine.knowledge import Knowledge
from powderkeg.bots.engine.regret import draw_choice, softmax
from powderkeg.bots.engine.tally import forced_choice
from powderkeg.bots.engine.thought import Line, Think, Thought
from powderkeg.bots.risk_europe import capitals, card_choices
from powderkeg.bots.risk_europe.evaluate import card_value
from powderkeg.bots.risk_europe.policy import TEMPER, RoundPolicy, TurnCourse, table_without_cards
from powderkeg.bots.risk_europe.rollouts import found_kingdoms
from powderkeg.bots.risk_europe.turn import (
    PlayStyle,
    SeatDecision,
    card_reason,
    reason_msg,
)
from powderkeg.bots.risk_europe.weights import OddsWeights
from powderkeg.core.ask import Question
from powderkeg.core.chance import Rng
from powderkeg.core.game import Legal, View
from powderkeg.games import risk_europe
from powderkeg.games.risk_europe import words
from powderkeg.games.risk_europe.actions import GiveOrder, PickCards, SettleCity
from powderkeg.games.risk_europe.board import CARDS, CITY_AT
from powderkeg.games.risk_europe.state import Options, State, has_shield, players_left, with_army
from powderkeg.games.risk_europe.steps import Act

if TYPE_CHECKING:  # it needs the extra
    from powderkeg.bots.risk_europe.fast.rollouts import RoundPlayer

KINDS: Final = tuple(CARDS)
PAIRS: Final = len(KINDS) ** 2
MARCHES: Final = ("expand", "split")  # orders after which Berlin's shield gives a manoeuvre
WIDE: Final = 12  # pairs of cards or turns that are played out
CHUNK: Final = 8  # lines of a choice between two looks at the clock
TO_THE_END: Final = 1 << 14  # later than any game lasts
ROUNDS_AHEAD: Final = 3  # this round and two more: what comes later is mostly luck
TURN_SHARE: Final = 0.5  # part of the lines for one of the two turns of a round

MATRIX_SHARE: Final = 0.3  # part of the lines that find out what everybody places
BATCH: Final = 32  # of them between two changes of mind
NEAR_BEST: Final = 0.02  # the part of a game that a change of opening may cost
NEAR_PAIR: Final = 0.004  # and another pair of cards
ROUND_SECONDS: Final = 2.5  # most of a decision by lines
PLAIN_TRIES: Final = 192  # rollouts where nothing is compiled

PairChances: TypeAlias = Mapping[int, Sequence[float]]
ThinkMaker: TypeAlias = Callable[[Knowledge], Think]


@dataclass
class LineTrial:
    """Choices played out with equal luck: first all of them, then the better half, and so on."""

    player: "RoundPlayer"
    starts: Sequence[State]
    hidden: PairChances
    who: int
    until: int
    first_luck: int = 1
    sums: list[float] = field(init=False)
    counts: list[int] = field(init=False)

    def __post_init__(self) -> None:
        self.sums, self.counts = [0.0] * len(self.starts), [0] * len(self.starts)

    def ranked_choices(self, lines: int, clock: Clock) -> list[int]:
        """All choices, best first, after so many lines or when time is up."""
        live, luck = list(range(len(self.starts))), self.first_luck
        heats = max(1, math.ceil(math.log2(len(live))))
        ranked: list[int] = []
        for _ in range(heats):
            each = max(1, lines // heats // len(live))
            for start in range(0, each, CHUNK):
                if clock.late() and min(self.counts[choice] for choice in live):
                    break
                count = min(CHUNK, each - start)
                self._play(live, range(luck, luck + count))
                luck += count
            live.sort(key=lambda choice: -self.mean_value(choice))
            half = (len(live) + 1) // 2
            live, ranked = live[:half], live[half:] + ranked
        return live + ranked

    def _play(self, live: list[int], lucks: range) -> None:
        starts = [self.starts[choice] for choice in live]
        seeds = [line_seed(luck) for luck in lucks]
        found = self.player.roll_out(starts, self.hidden, seeds, self.until)[:, :, self.who]
        for choice, total in zip(live, found.sum(axis=1).tolist(), strict=True):
            self.sums[choice] += total
            self.counts[choice] += len(lucks)

    def mean_value(self, choice: int) -> float:
        return self.sums[choice] / max(1, self.counts[choice])

    def near_best(self, near: float = NEAR_BEST) -> list[int]:
        """The choices of the last heat that are hardly worse than the best of them."""
        most = max(self.counts)
        last = [choice for choice, count in enumerate(self.counts) if count == most]
        least = max(map(self.mean_value, last)) - near
        return [choice for choice in last if self.mean_value(choice) >= least]


def line_seed(luck: int) -> int:
    """A seed of the compiled generator: neighbours must not be alike."""
    return random.Random(luck).randrange(1, 1 << 63)


def hidden_pairs(mind: RoundPolicy, state: State, me: int) -> PairChances:
    """The chances of the cards that players other than `me` may have placed, better ones more likely."""
    table, found = table_without_cards(state), {}
    for who in players_left(state):
        own = state.armies[who]
        if who != me and own.stack:
            found[who] = pair_chances(mind, table, who, own.hand + own.stack, len(own.stack))
    return found


def pair_chances(
    mind: RoundPolicy, table: State, who: int, cards: tuple[str, ...], count: int
) -> list[float]:
    """The chance of each first and second card by the gain of each alone."""
    gains = {
        card: (mind.play_card(table, who, card).gain - card_value(mind.weights, card)) / TEMPER
        for card in set(cards)
    }
    found = [0.0] * PAIRS
    for first, p in _card_chances(gains, cards):
        if count == 1:
            found[KINDS.index(first) * len(KINDS)] += p
            continue
        rest = list(cards)
        rest.remove(first)
        for second, q in _card_chances(gains, rest):
            found[KINDS.index(first) * len(KINDS) + KINDS.index(second)] += p * q
    return found


def _card_chances(gains: dict[str, float], cards: Sequence[str]) -> list[tuple[str, float]]:
    kinds = [kind for kind in KINDS if kind in cards]
    return list(zip(kinds, softmax([gains[kind] for kind in kinds]), strict=True))


class LineDecision(SeatDecision):
    """One question put to one player who can play lines."""

    def __init__(self, player: "RoundPlayer", *args: Any) -> None:
        super().__init__(*args)
        self.player = player
        if capitals.knows_table(self.state):
            self.style = replace(self.style, first=capitals.FIRST_BID)

    def pick_cards(self) -> Thought:
        seat = self.view["seat"]
        until = self.state.round + ROUNDS_AHEAD
        anchors = {
            who: pair_mix(card_choices.rank_pairs(self.mind, self.state, who))
            for who in players_left(self.state)
        }
        mixes = self.player.solve_cards(self.state, anchors, self.card_batches(), until)
        mine = [number_pair(n) for n in likeliest(mixes.pop(self.who), WIDE)]
        starts = [with_placed_pair(self.state, self.who, pick) for pick in mine]
        trial = LineTrial(self.player, starts, mixes, self.who, until)
        ranked = trial.ranked_choices(int((1 - MATRIX_SHARE) * self.clock.whole), self.clock)
        near = trial.near_best(NEAR_PAIR)
        chosen = near[self.rng.randrange(len(near))]  # so that nobody knows the cards beforehand
        ranked.sort(key=lambda choice: choice != chosen)
        lines = [Line(mine[i], {seat: trial.mean_value(i)}, trial.counts[i]) for i in ranked]
        reason = card_reason("pick", mine[chosen], percent=round(100 * trial.mean_value(chosen)))
        return Thought(mine[chosen], reason, tuple(lines))

    def card_batches(self) -> Iterator[list[int]]:
        """Seeds for the matrix of cards, until its share of the lines or of the time is spent."""
        clock, count = self.clock.part(MATRIX_SHARE), int(MATRIX_SHARE * self.clock.whole)
        for start in range(0, max(BATCH, count), BATCH):
            if start and clock.late():
                return
            yield [line_seed(1 + luck) for luck in range(start, start + BATCH)]

    def find_course(self, act: Act) -> TurnCourse:
        state = self.state._replace(agenda=(*self._agenda_below(act), act))
        lines, timed = self.clock.whole, self.clock.seconds is not None
        return _best_line(
            _LineQuestion(state, act, self.who, self.weights, lines, timed, self.player, self.clock)
        )

    def choose_capital(self, army: int) -> Thought:
        if not capitals.knows_table(self.state):
            return super().choose_capital(army)
        found = capitals.capital_chances(capitals.taken_capitals(self.state))
        often = softmax([share / capitals.CHOICE_TEMPER for share in found.values()])
        best = list(found)[draw_choice(often, self.rng)]  # so that openings vary
        names = {"city": words.CITY_NAME[best], "percent": round(100 * found[best])}
        return Thought(SettleCity(best), reason_msg("settle_tried", **names))

    def best_beginning(self, options: list[Any], tries: int) -> tuple[Any, float]:
        seat = self.view["seat"]
        begun = [risk_europe.apply(self.state, seat, option).state for option in options]
        starts = [found_kingdoms(state, self.weights) for state in begun]
        trial = LineTrial(self.player, starts, {}, self.who, TO_THE_END, self.new_luck())
        trial.ranked_choices(self.clock.whole // 2, self.clock)  # these lines are twice as long
        near = trial.near_best()
        best = near[self.rng.randrange(len(near))]  # so that openings vary
        return options[best], trial.mean_value(best)

    def new_luck(self) -> int:
        """Where the lucks of a decision begin that stands alone; all steps of a turn share theirs."""
        return self.rng.randrange(1 << 40)


def with_placed_pair(state: State, who: int, pick: PickCards) -> State:
    """The state after a player placed two cards, while the others may still place theirs: should they
    have done so, nobody knows which, and no card is turned over yet."""
    own = state.armies[who]
    hand = list(own.hand + own.stack)
    for card in (pick.first, pick.second):
        hand.remove(card)
    return with_army(state, who, hand=tuple(hand), stack=(pick.first, pick.second))


def pair_mix(found: Sequence[card_choices.CardPair]) -> list[float]:
    """How likely each pair is by its gain."""
    chances = [0.0] * PAIRS
    for pair, p in zip(found, softmax([pair.gain / TEMPER for pair in found]), strict=True):
        chances[pair_number(pair.pick)] = p
    return chances


def pair_number(pick: PickCards) -> int:
    return KINDS.index(pick.first) * len(KINDS) + KINDS.index(pick.second)


def number_pair(number: int) -> PickCards:
    return PickCards(KINDS[number // len(KINDS)], KINDS[number % len(KINDS)])


def likeliest(mix: Sequence[float], most: int) -> list[int]:
    """The numbers of the pairs that are placed at all, the most frequent first."""
    found = [number for number, p in enumerate(mix) if p > 0]
    return sorted(found, key=lambda number: -mix[number])[:most]


@dataclass(frozen=True, slots=True)
class _LineQuestion:
    """A turn to be planned, as the key of a cache: all steps of a turn follow the same plan."""

    state: State
    act: Act
    who: int
    weights: OddsWeights
    lines: int
    timed: bool
    player: "RoundPlayer" = field(compare=False)
    clock: Clock = field(compare=False)


@lru_cache(maxsize=16)  # all steps of one turn share it
def _best_line(turn: _LineQuestion) -> TurnCourse:
    mind = RoundPolicy(turn.state, turn.weights)
    courses = mind.turn_courses(turn.state, turn.act, WIDE)
    if len(courses) == 1:
        return courses[0]
    starts = [after_course(turn.state, turn.act, course) for course in courses]
    hidden = hidden_pairs(mind, turn.state, turn.who)
    trial = LineTrial(turn.player, starts, hidden, turn.who, turn.state.round + ROUNDS_AHEAD)
    return courses[trial.ranked_choices(int(TURN_SHARE * turn.lines), turn.clock)[0]]


def after_course(state: State, act: Act, course: TurnCourse) -> State:
    """The state in which a card has been carried out; Berlin's manoeuvre may still follow a march."""
    marched = any(isinstance(a, GiveOrder) and a.name in MARCHES for a in course.actions)
    berlin = act.berlin or (marched and has_shield(course.state, act.army, CITY_AT["berlin"]))
    done = act._replace(order=False, bonus=False, berlin=berlin)
    return course.state._replace(agenda=(*state.agenda[:-1], done))


def find_rounds(weights: OddsWeights, *, wait: bool) -> "RoundPlayer | None":
    """A player of compiled lines; see `BackgroundCompiler.find`."""
    made = ROUNDS.find(wait=wait)
    return made(weights) if made else None


def _compile_rounds() -> "type[RoundPlayer]":
    """Compile everything by playing one game."""
    from powderkeg.bots.risk_europe.fast.rollouts import RoundPlayer
    from powderkeg.bots.risk_europe.weights import line_odds

    options = Options()
    start = risk_europe.start(risk_europe.seats(4, options), options)
    RoundPlayer(line_odds()).roll_out([start], {}, [1], TO_THE_END)
    return RoundPlayer


ROUNDS: "Final[BackgroundCompiler[type[RoundPlayer]]]" = BackgroundCompiler(_compile_rounds)


def round_clock(clock: Clock) -> Clock:
    """The clock of a search by lines: at most `ROUND_SECONDS`, unless nobody waits."""
    left = clock.seconds
    return clock if left is None else Budget(clock.left, min(ROUND_SECONDS, left)).start()


def round_thinking(style: PlayStyle, weights: OddsWeights, former: ThinkMaker) -> ThinkMaker:
    """A function that makes a bot that plays lines, or thinks like the former one without them."""

    def make_think(know: Knowledge) -> Think:
        otherwise = former(know)

        def think(view: View, question: Question, legal: Legal, rng: Rng, clock: Clock) -> Thought:
            if (only := forced_choice(legal)) is not None:
                return only
            player = find_rounds(weights, wait=clock.until is None)
            if player is None:
                plain = Budget(min(clock.left, PLAIN_TRIES), clock.seconds).start()
                return otherwise(view, question, legal, rng, plain)
            timed = round_clock(clock)
            return LineDecision(player, view, legal, style, weights, rng, timed).legal_thought()

        return think

    return make_think
