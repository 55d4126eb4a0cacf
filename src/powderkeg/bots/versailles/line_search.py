"""Search by compiled rollouts: the few best actions are played out for some turns, with simple deals.

Needs the extra ``fast``. Without it, in solitaire and before the first turn, another way of thinking
takes over.
"""

import math
import random
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from powderkeg.bots.engine.budget import Budget, Clock
from powderkeg.bots.engine.compiled import BackgroundCompiler
from powderkeg.bots.engine.tally import derived_rng
from powderkeg.bots.engine.thought import Think, Thought
from powderkeg.bots.versailles.evaluate import Judge
from powderkeg.bots.versailles.negotiation import Bargainer
from powderkeg.bots.versailles.policy import play_policy
from powderkeg.bots.versailles.reasons import comparison_reason, glance_reason
from powderkeg.bots.versailles.turn import CandidateSearch, CandidateTrial
from powderkeg.core.ask import Question
from powderkeg.core.chance import Rng
from powderkeg.core.game import Legal, View
from powderkeg.games import versailles
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
        self, p: State, seat: str, rng: random.Random, clock: Clock, player: "LinePlayer"
    ) -> list[CandidateTrial]:
        """The candidates, best first."""
        found = self.candidates.candidate_actions(p, seat, rng)
        trials = [CandidateTrial(action) for action in found]
        live, heats = trials, math.ceil(math.log2(len(trials)))
        for _ in range(heats):
            lines = max(1, clock.whole // heats // len(live))
            self._play_heat(p, seat, live, lines, rng, clock, player)
            live = better_half(live)
        first = trials[0]
        return sorted(trials, key=lambda t: (t not in live, -t.sure_lead(first)))

    def _play_heat(
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
            for trial, rows in zip(live, play_lines(player, p, actions, seeds, self), strict=True):
                for row in rows:
                    shares = dict(zip(p.seats, row, strict=True))
                    trial.add(shares, self.candidates.seat_worth(shares, seat))

    def turn_ends(self, p: State, action: Any, seed: int) -> State:
        """A way in which a turn with deals may end: the readable rules know what they forbid."""
        seat = min(versailles.to_act(p))
        after = apply(p, seat, action).state
        end = play_policy(self.candidates.policy, after, random.Random(seed), p.turn + 1)
        return replace(end, deals=())


def better_half(live: list[CandidateTrial]) -> list[CandidateTrial]:
    """The first thought and the better half of the rest, in their order."""
    first, *rest = live
    best = sorted(rest, key=lambda t: -t.mean)[: max(1, len(live) // 2)]
    return [first, *(trial for trial in rest if trial in best)]


def play_lines(
    player: "LinePlayer", p: State, actions: list[Any], seeds: list[int], search: LineSearch
) -> list[list[list[float]]]:
    """The shares of the seats by action and line. The compiled rules bind nobody: a turn in which a deal
    does is first played to its end by the readable rules, a few times."""
    if not any(deal.made for deal in p.deals):
        plain = replace(p, deals=())  # an open offer binds nobody
        last, talks = p.turn + search.ahead, search.first_talk(p.turn + 1)
        rolled = player.roll_out(plain, actions, seeds, last, talks)
        return rolled.tolist()  # type: ignore[no-any-return]  # numbers
    found: list[list[list[float]]] = []
    for action in actions:
        rows: list[list[float]] = []
        for k in range(0, len(seeds), WORLD_LINES):
            end = search.turn_ends(p, action, seeds[k])
            lines, talks = seeds[k : k + WORLD_LINES], search.first_talk(end.turn)
            rows += player.roll_out(end, (), lines, p.turn + search.ahead, talks)[0].tolist()
        found.append(rows)
    return found


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
    """A bot that first considers deals, then plays the best actions out."""

    def think(view: View, question: Question, legal: Legal, rng: Rng, clock: Clock) -> Thought:
        p: State = versailles.deal(view, rng)
        ready = p.turn > 0 and not is_solo(p)
        player = find_lines(search.candidates.judge, wait=clock.until is None) if ready else None
        if player is None or not fits_board(p):
            own = Budget(min(clock.left, PLAIN_LINES), clock.seconds).start()
            return otherwise(view, question, legal, rng, own)
        quick, seat = derived_rng(rng), view["seat"]
        mine = talk.in_character(view.get("character", ""))
        said = mine.answer_offer(p, seat) or mine.make_offer(p, seat)
        if said is not None:
            return said.as_thought()
        ranked = search.rank_candidates(p, seat, quick, line_clock(clock), player)
        best = ranked[0]
        if not best.visits:
            return Thought(best.action, glance_reason(p, best.action))
        lines = tuple(trial.line() for trial in ranked)
        return Thought(best.action, comparison_reason(p, ranked, seat), lines)

    return think
