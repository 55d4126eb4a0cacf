"""Search by compiled rollouts: the few best actions are played out for some turns, with simple deals.

Offers are moves like others: the few best ones by the evaluation are played out as if they were agreed on. An
offer by another is played out with the deal and without it before it is answered.

Needs the extra ``fast``. Without it, in solitaire and before the first turn, another way of thinking
takes over.
"""

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from powderkeg.bots.engine.budget import Budget, Clock
from powderkeg.bots.engine.compiled import BackgroundCompiler
from powderkeg.bots.engine.tally import derived_rng
from powderkeg.bots.engine.thought import Think, Thought
from powderkeg.bots.versailles.evaluate import Judge
from powderkeg.bots.versailles.negotiation import (
    KING,
    Bargainer,
    DealAnswer,
    WeighedOffer,
    agreed_state,
    explain_answer,
    explain_offer,
    offers_to_answer,
)
from powderkeg.bots.versailles.policy import play_policy
from powderkeg.bots.versailles.reasons import comparison_reason, glance_reason
from powderkeg.bots.versailles.turn import CandidateSearch, CandidateTrial
from powderkeg.core.ask import Question
from powderkeg.core.chance import Rng
from powderkeg.core.game import Legal, View
from powderkeg.games import versailles
from powderkeg.games.versailles.actions import TALK, AcceptDeal, RefuseDeal
from powderkeg.games.versailles.flow import apply
from powderkeg.games.versailles.state import Options, State, is_solo

if TYPE_CHECKING:  # it needs the extra
    from powderkeg.bots.versailles.fast.rollouts import LinePlayer

LINE_SECONDS: Final = (
    2.5  # most of a decision by lines; where nothing is compiled it may take longer
)
CHUNK: Final = 16  # lines of an action between two looks at the clock
WORLD_LINES: Final = 8  # lines from each way in which a turn with a deal may end
PLAIN_LINES: Final = 96  # lines where nothing is compiled
LINE_TURNS: Final = 20  # turns of a line; longer ones differ by luck more than by what was decided
LAST_TURN: Final = 1 << 14  # later than any game lasts
OFFER_MOVES: Final = 4  # offers that are played out
DOUBTED_GAIN: Final = -0.02  # what the evaluation must say of an offer that is played out
ANSWER_PART: Final = 6  # part of the lines that each answer to an offer gets


def find_lines(judge: Judge, *, wait: bool) -> "LinePlayer | None":
    """A player of compiled lines; see `BackgroundCompiler.find`."""
    made = LINES.find(wait=wait)
    return made(judge) if made else None


def _compile_lines() -> "type[LinePlayer]":
    """Compile everything by playing one game up to its first turn."""
    from powderkeg.bots.versailles.fast.rollouts import LinePlayer
    from powderkeg.bots.versailles.weights import PointWeights

    start = versailles.start(versailles.seats(2, Options()), Options())
    LinePlayer(Judge(PointWeights())).roll_out(start, (), [1], 1)
    return LinePlayer


LINES: "Final[BackgroundCompiler[type[LinePlayer]]]" = BackgroundCompiler(_compile_lines)


@dataclass(frozen=True)
class LineSearch:
    """Sequential halving: all candidates get some lines, the better half of them more, and so on.

    The lines of all candidates have the same luck. The first thought is kept to the last, and only what
    is surely better replaces it.
    """

    candidates: CandidateSearch
    ahead: int = LINE_TURNS
    talks: bool = True  # whether players make deals in the lines

    def first_talk(self, turn: int) -> int:
        """The first turn with deals in lines in which `turn` may be the first."""
        return turn if self.talks else LAST_TURN

    def rank_candidates(
        self,
        p: State,
        seat: str,
        rng: random.Random,
        clock: Clock,
        player: "LinePlayer",
        offers: Sequence[Any] = (),
    ) -> list[CandidateTrial]:
        """The candidates and these offers, best first."""
        found = self.candidates.candidate_actions(p, seat, rng)
        trials = [CandidateTrial(action) for action in (*found, *offers)]
        live, heats = trials, math.ceil(math.log2(len(trials)))
        for _ in range(heats):
            lines = max(1, clock.whole // heats // len(live))
            self.play_heat(p, seat, live, lines, rng, clock, player)
            live = better_half(live)
        first = trials[0]
        return sorted(trials, key=lambda t: (t not in live, -t.sure_lead(first)))

    def play_heat(
        self,
        p: State,
        seat: str,
        live: list[CandidateTrial],
        lines: int,
        rng: random.Random,
        clock: Clock,
        player: "LinePlayer",
    ) -> None:
        """Give every candidate so many lines, or fewer if the time is over."""
        for start in range(0, lines, CHUNK):
            if clock.late() and all(trial.visits for trial in live):
                return
            seeds = [rng.randrange(1, 1 << 63) for _ in range(min(CHUNK, lines - start))]
            actions = [trial.action for trial in live]
            for trial, rows in zip(
                live, play_lines(player, p, seat, actions, seeds, self), strict=True
            ):
                for row in rows:
                    shares = dict(zip(p.seats, row, strict=True))
                    trial.add(shares, self.candidates.seat_worth(shares, seat))

    def turn_ends(self, p: State, seat: str, action: Any, seed: int) -> State:
        """A way in which a turn with deals may end: the readable rules know what they forbid."""
        talk = type(action) in TALK
        after = agreed_state(p, seat, action) if talk else apply(p, seat, action).state
        end = play_policy(self.candidates.policy, after, random.Random(seed), p.turn + 1)
        return replace(end, deals=())


def better_half(live: list[CandidateTrial]) -> list[CandidateTrial]:
    """The first thought and the better half of the rest, in their order."""
    first, *rest = live
    best = sorted(rest, key=lambda t: -t.mean)[: max(1, len(live) // 2)]
    return [first, *(trial for trial in rest if trial in best)]


def play_lines(
    player: "LinePlayer",
    p: State,
    seat: str,
    actions: list[Any],
    seeds: list[int],
    search: LineSearch,
) -> list[list[list[float]]]:
    """The shares of the seats by action and line. The compiled rules bind nobody: a turn in which a deal
    does is first played to its end by the readable rules, a few times."""
    bound = any(deal.made for deal in p.deals)
    quick = [] if bound else [action for action in actions if type(action) not in TALK]
    found: dict[Any, list[list[float]]] = {}
    if quick:
        plain = replace(p, deals=())  # an open offer binds nobody
        last, talks = p.turn + search.ahead, search.first_talk(p.turn + 1)
        rolled = player.roll_out(plain, quick, seeds, last, talks)
        found.update(zip(quick, rolled.tolist(), strict=True))
    for action in actions:
        if action not in found:
            found[action] = _lines_after_turn(player, p, seat, action, seeds, search)
    return [found[action] for action in actions]


def _lines_after_turn(
    player: "LinePlayer", p: State, seat: str, action: Any, seeds: list[int], search: LineSearch
) -> list[list[float]]:
    """The shares by line, from several ways in which the turn may end."""
    rows: list[list[float]] = []
    for k in range(0, len(seeds), WORLD_LINES):
        end = search.turn_ends(p, seat, action, seeds[k])
        lines, talks = seeds[k : k + WORLD_LINES], search.first_talk(end.turn)
        rows += player.roll_out(end, (), lines, p.turn + search.ahead, talks)[0].tolist()
    return rows


# Deals


def offer_moves(talk: Bargainer, p: State, seat: str) -> dict[Any, WeighedOffer]:
    """The offers that are worth playing out: the best of every kind, however much influence it asks for.

    The evaluation says what the other would sign; it knows less about what the deal is worth. Only a cautious
    bot heeds what the evaluation says the leader gains."""
    best: dict[tuple[str, ...], WeighedOffer] = {}
    king = talk.king if talk.king > KING else 0.0
    for offer in replace(talk, least=DOUBTED_GAIN, king=king).weighed_offers(p, seat):
        kind = tuple(term for term in offer.action.terms if ".give." not in term)
        if kind not in best or offer.appeal > best[kind].appeal:
            best[kind] = offer
    ranked = sorted(best.values(), key=lambda offer: -offer.appeal)
    return {offer.action: offer for offer in ranked[:OFFER_MOVES]}


def weigh_answer(
    search: LineSearch,
    talk: Bargainer,
    p: State,
    seat: str,
    rng: random.Random,
    clock: Clock,
    player: "LinePlayer",
) -> DealAnswer | None:
    """The answer to an open offer, if there is one: the bargainer's, unless lines with the deal go worse
    than lines without it."""
    said = talk.answer_offer(p, seat)
    if said is None or isinstance(said.action, RefuseDeal):
        return said
    deal = next(iter(offers_to_answer(p, seat)))
    refusal, consent = RefuseDeal(deal.number), AcceptDeal(deal.number)
    trials = [CandidateTrial(a) for a in dict.fromkeys((refusal, said.action, consent))]
    lines = max(1, clock.whole // ANSWER_PART)
    search.play_heat(p, seat, trials, lines, rng, clock, player)
    gains = {trial.action: trial.mean_gap(trials[0])[0] for trial in trials}
    if gains[said.action] > talk.least:
        return said
    if talk.king > KING:
        plain = replace(talk, haggles=False, rounds=0).answer_offer(p, seat)  # yes or no
        if plain is not None and isinstance(plain.action, RefuseDeal):
            return plain
    suits = gains[consent] > talk.least
    return explain_answer(deal, consent if suits else refusal, gains[consent])


def fits_board(p: State) -> bool:
    """Whether the compiled board has room for this pack: owners may have added more than it holds."""
    from powderkeg.games.versailles.fast.rule_tables import make_table

    try:
        make_table(p.options, len(p.seats))
    except ValueError:
        return False
    return True


def line_clock(clock: Clock) -> Clock:
    """The clock of a search by lines: at most `LINE_SECONDS`, unless nobody waits."""
    left = clock.seconds
    return clock if left is None else Budget(clock.left, min(LINE_SECONDS, left)).start()


def line_thinking(search: LineSearch, talk: Bargainer, otherwise: Think) -> Think:
    """A bot that answers an open offer, and otherwise plays the best actions and offers out; `otherwise` decides
    where nothing is compiled."""

    def think(view: View, question: Question, legal: Legal, rng: Rng, clock: Clock) -> Thought:
        p: State = versailles.deal(view, rng)
        ready = p.turn > 0 and not is_solo(p)
        player = find_lines(search.candidates.judge, wait=clock.until is None) if ready else None
        if player is None or not fits_board(p):
            fewer = Budget(min(clock.left, PLAIN_LINES), clock.seconds).start()
            return otherwise(view, question, legal, rng, fewer)
        quick, seat = derived_rng(rng), view["seat"]
        mine = talk.in_character(view.get("character", ""))
        own = line_clock(clock)
        said = weigh_answer(search, mine, p, seat, quick, own, player)
        if said is not None:
            return said.as_thought()
        offers = offer_moves(mine, p, seat)
        moves = search.rank_candidates(p, seat, quick, own, player, list(offers))
        ranked = [trial for trial in moves if trial.action not in offers]
        best, gain = ranked[0], moves[0].mean_gap(ranked[0])[0]
        if moves[0] is not best and gain > mine.least:
            return explain_offer(p, seat, offers[moves[0].action], gain).as_thought()
        if not best.visits:
            return Thought(best.action, glance_reason(p, best.action))
        lines = tuple(trial.line() for trial in ranked)
        return Thought(best.action, comparison_reason(p, ranked, seat), lines)

    return think
