"""Analysis for people: an evaluation, what a bot would do and why, and where a game was lost.

Everything starts from a view, never from the state: an analysis knows no more than the seat it
is for (a spectator's view is good enough for an evaluation bar).
"""

import random
from collections.abc import Collection, Iterator
from dataclasses import replace
from typing import NamedTuple

from powderkeg.bots import levels
from powderkeg.bots.engine.budget import Budget, Clock
from powderkeg.bots.engine.knowledge import Knowledge
from powderkeg.bots.engine.shares import Shares, mean_with_error, significant_loss
from powderkeg.bots.engine.thought import Line, ThinkingBot, Thought, Verdict
from powderkeg.bots.game_bots import bots_of
from powderkeg.bots.playing_on import add_punishment, compare_turns
from powderkeg.core.ask import Question
from powderkeg.core.chance import CHANCE
from powderkeg.core.errors import Unreadable
from powderkeg.core.game import Action, Game, Seat, State, View
from powderkeg.core.record import Record, replay_record
from powderkeg.core.table import UNDO, Entry
from powderkeg.core.words import Msg

__all__ = [
    "Advice",
    "Blunder",
    "advise_action",
    "advise_turn",
    "compare_actions",
    "evaluate_view",
    "find_blunders",
    "judge_decisions",
]


class Advice(NamedTuple):
    """A bot's action, its reason, the expected share of each seat (empty if not evaluated), and the
    alternatives considered; the line of the action itself comes first."""

    seat: Seat
    action: Action
    reason: Msg
    shares: Shares
    lines: tuple[Line, ...]


class Blunder(NamedTuple):
    """A decision that gave something away: where in the log, what was better, how much it cost.

    Where whole turns are judged, `position` is where the turn began, and the actions are those in
    which it differs from what a bot would have done. `then` is how others may punish it, `asked` the
    questions that they answer by it. `empty`: the seat did nothing with its turn; where whole turns are
    judged that counts whatever it cost.
    """

    position: int
    seat: Seat
    did: tuple[Action, ...]
    better: tuple[Action, ...]
    loss: float
    reason: Msg
    then: tuple[tuple[Seat, Action], ...] = ()
    empty: bool = False
    asked: tuple[Question | None, ...] = ()


def evaluate_view(
    game: Game, view: View, *, budget: Budget | None = None, seed: str = "0"
) -> Shares:
    """The expected share of each seat, given `view`: the mean over dealt worlds."""
    know, rng, clock = bots_of(game).knowledge, random.Random(seed), _start_clock(budget, 100)
    total: Shares = {}
    while clock.tick():
        for seat, share in know.evaluate_state(game.deal(view, rng), rng).items():
            total[seat] = total.get(seat, 0.0) + share
    return {seat: share / clock.spent for seat, share in total.items()}


def advise_action(
    game: Game,
    view: View,
    *,
    level: str = levels.ADVISER_LEVEL,
    budget: Budget | None = None,
    seed: str = "0",
) -> Advice:
    """What a bot of `level` would do for the seat of `view`, and why."""
    return _advise_by(game, view, levels.find_adviser(game, level, budget), seed)


def advise_turn(
    game: Game,
    view: View,
    *,
    level: str = levels.ADVISER_LEVEL,
    budget: Budget | None = None,
    seed: str = "0",
) -> Iterator[tuple[State, Advice]]:
    """All actions of a bot for this turn, each with the state before it, until new information is
    revealed. One bot gives them all, so that it can follow a plan."""
    mind, seat = levels.find_adviser(game, level, budget), view["seat"]
    state = game.deal(view, random.Random(seed))
    while seat in game.to_act(state):
        advice = _advise_by(game, game.view(state, seat), mind, seed)
        yield state, advice
        step = game.apply(state, seat, advice.action)
        state = step.state
        if step.barrier or CHANCE in game.to_act(state):
            break


def _advise_by(game: Game, view: View, mind: ThinkingBot, seed: str) -> Advice:
    """Put the line of the advised action first: a mixed strategy does not always draw the best one."""
    thought = _think_for(game, view, mind, seed)
    action = thought.action
    lines = tuple(sorted(thought.lines, key=lambda line: line.action != action))
    shares = lines[0].shares if lines and lines[0].action == action else {}
    return Advice(view["seat"], action, thought.reason, shares, lines)


def _think_for(game: Game, view: View, mind: ThinkingBot, seed: str) -> Thought:
    """The seat knows its question and legal actions, so we take them from a dealt world."""
    rng = random.Random(seed)
    world = game.deal(view, rng)
    question = game.ask(world, view["seat"]) if view["seat"] is not None else None
    if question is None:
        raise Unreadable("bots.not_asked", seat=str(view["seat"]))
    return mind.think(view, question, game.legal(world, view["seat"]), rng)


def find_blunders(
    rec: Record,
    game: Game,
    *,
    seats: tuple[Seat, ...] | None = None,
    level: str = levels.ADVISER_LEVEL,
    budget: Budget | None = None,
    least: float = 0.05,
) -> Iterator[Blunder]:
    """Decisions of a game that, by a bot's judgement, cost at least a share of `least`; and whole turns
    without any orders, whatever those cost.

    The loss is the difference between the bot's choice and the player's in the bot's search. If it
    hardly searched the player's choice, both are tried in the same worlds with the same luck, and a
    difference that could be chance is not called a blunder. In games where one order says too
    little, whole turns are judged.
    """
    for _, _, found in judge_decisions(
        rec, game, seats=seats, level=level, budget=budget, least=least
    ):
        if found is not None:
            yield found


def judge_decisions(
    rec: Record,
    game: Game,
    *,
    seats: tuple[Seat, ...] | None = None,
    level: str = levels.ADVISER_LEVEL,
    budget: Budget | None = None,
    least: float = 0.05,
    since: int = 0,
) -> Iterator[tuple[int, State, Blunder | None]]:
    """Every decision from position `since` on, with the state in which it began and the verdict on
    it. The review can be interrupted and resumed.
    """
    judge = levels.find_judge(game, level)
    for made in _list_decisions(rec, game, turns=judge is not None):
        seat = made.entry.seat
        if made.position < since or (seats and seat not in seats):
            continue
        if game.legal(made.state, seat).count_all() > 1:
            view, did, seed = (
                game.view(made.state, seat),
                game.parse(made.entry.do),
                f"{made.position}",
            )
            if judge is None:
                verdict = _judge_action(game, view, did, level, budget, seed)
            else:
                verdict = judge(
                    view, did, random.Random(seed), budget or _patient_budget(game, level)
                )
            if judge is None and verdict is not None and verdict.loss >= least:
                verdict = add_punishment(game, view, verdict, seed)
            found = _to_blunder(made, verdict, least, turns=judge is not None)
            yield made.position, made.began[1], found


class _LoggedDecision(NamedTuple):
    """An entry of the log that decided something, the state before it, where it began, and whether the
    seat did nothing from there to here."""

    position: int
    entry: Entry
    state: State
    began: tuple[int, State]
    empty: bool = False


def _list_decisions(rec: Record, game: Game, *, turns: bool) -> list[_LoggedDecision]:
    """Decisions of seats that were asked, without those that were undone.

    With `turns`, only the action that closed each turn for good.
    """
    table, turn = replay_record(Record(rec.header, ()), game), 0
    began: dict[tuple[int, Seat], tuple[int, State]] = {}
    made: dict[object, _LoggedDecision] = {}
    for position, entry in enumerate(rec.entries):
        state, asked = table.state, entry.seat in table.to_act
        table.enter(entry)
        barred = entry.do != UNDO and not table.can_undo(entry.seat)
        if asked and entry.do != UNDO and entry.seat != CHANCE:
            here, mine = (position, state), (turn, entry.seat)
            first = began.setdefault(mine, here)
            if not turns:
                made[position] = _LoggedDecision(position, entry, state, here)
            elif barred or entry.seat not in table.to_act:
                made[mine] = _LoggedDecision(position, entry, state, first)
        turn += barred
    kept = sorted(one for one in made.values() if one.position not in table.undone)
    idle = _IdleTurns(rec, game, table.undone)
    return [one._replace(empty=idle.has_done_nothing(one, turns=turns)) for one in kept]


class _IdleTurns:
    """Finds turns in which a seat did nothing: by what it did, not by how often it acted."""

    def __init__(self, rec: Record, game: Game, undone: Collection[int]) -> None:
        self.entries, self.undone = rec.entries, undone
        self.idle = bots_of(game).idle_actions

    def has_done_nothing(self, made: _LoggedDecision, *, turns: bool) -> bool:
        """Whether all that the seat did in its turn, up to this decision, is to do nothing."""
        began = made.began[0] if turns else self._run_start(made)
        done = [
            entry.do
            for position, entry in enumerate(self.entries[began : made.position + 1], began)
            if entry.seat == made.entry.seat and entry.do != UNDO and position not in self.undone
        ]
        return bool(self.idle) and all(text.startswith(self.idle) for text in done)

    def _run_start(self, made: _LoggedDecision) -> int:
        """Where the seat began to act without another in between; luck is nobody."""
        start = made.position
        while start and self.entries[start - 1].seat in (made.entry.seat, CHANCE):
            start -= 1
        return start


def _judge_action(
    game: Game, view: View, did: Action, level: str, budget: Budget | None, seed: str
) -> Verdict | None:
    """A bot's judgement of one action."""
    know, seat = bots_of(game).knowledge, view["seat"]
    thought = _think_for(game, view, levels.find_adviser(game, level, budget), seed)
    better = thought.action
    if better == did:
        return None
    loss = _searched_loss(know, thought, did, seat)
    if not thought.lines:  # it weighed whole turns
        loss = significant_loss(
            *compare_turns(game, view, better, did, _start_clock(budget, TRIED_TURNS), seed)
        )
    if loss is None:
        loss = significant_loss(
            *compare_actions(know, view, better, did, _start_clock(budget, 200), seed)
        )
    return Verdict((did,), (better,), loss)


def _to_blunder(
    made: _LoggedDecision, verdict: Verdict | None, least: float, *, turns: bool
) -> Blunder | None:
    if verdict is None or (verdict.loss < least and not (turns and made.empty)):
        return None
    did, better, loss, then, asked = verdict
    said, wanted = (", ".join(map(str, actions)) for actions in (did, better))
    reason = Msg("bots.blunder", did=said, better=wanted, percent=round(100 * loss))
    return Blunder(
        made.began[0],
        made.entry.seat,
        did,
        better,
        max(0.0, loss),
        reason,
        then,
        made.empty,
        asked,
    )


TRIED_TURNS = 30  # turns played on for each of two actions
LEAST_VISITS = 10  # visits of an action from which its value in the search counts


def _searched_loss(know: Knowledge, thought: Thought, did: Action, seat: Seat) -> float | None:
    """The loss according to the search itself; None if it hardly searched the action taken."""
    lines = {line.action: line for line in thought.lines}
    tried = [lines.get(thought.action), lines.get(did)]
    if any(line is None or line.visits < LEAST_VISITS for line in tried):
        return None
    best, done = (know.seat_worth(line.shares, seat) for line in tried if line is not None)
    return best - done


def compare_actions(
    know: Knowledge, view: View, one: Action, other: Action, clock: Clock, seed: str = "0"
) -> tuple[float, float]:
    """How much better `one` is for the seat than `other`, and the standard error.

    Both are tried in the same worlds with the same luck; an iteration is one such world.
    """
    rng, seat, game = random.Random(seed), view["seat"], know.game
    gaps: list[float] = []
    while clock.tick():
        world, luck = game.deal(view, rng), rng.randrange(1 << 62)
        worths = []
        for action in (one, other):
            shares = know.evaluate_state(game.apply(world, seat, action).state, random.Random(luck))
            worths.append(know.seat_worth(shares, seat))
        gaps.append(worths[0] - worths[1])
    return mean_with_error(gaps)


def _patient_budget(game: Game, level: str) -> Budget:
    """A level's own budget, with a time limit even if the level has none."""
    own = levels.find_bot(game, level).budget
    return replace(own, seconds=own.seconds or 5.0)


def _start_clock(budget: Budget | None, iterations: int) -> Clock:
    return (budget or Budget(iterations, 5.0)).start()
