"""For people: how a game stands, what a bot would do and why, where a game was lost.

Everything starts from a view, never from the state: an analysis knows no more than the seat it
is for (a spectator's view is good enough for an evaluation bar).
"""

import math
import random
from collections.abc import Iterator
from typing import NamedTuple

from powderkeg.bots import levels
from powderkeg.bots.budget import Budget, Clock
from powderkeg.bots.search import Knowledge
from powderkeg.bots.thought import Line, Shares, Thought
from powderkeg.core.chance import CHANCE
from powderkeg.core.errors import Unreadable
from powderkeg.core.game import Action, Game, Seat, View
from powderkeg.core.record import Record, replay
from powderkeg.core.table import UNDO, Entry, Table
from powderkeg.core.words import Msg


class Advice(NamedTuple):
    """What a bot would do, why, what it promises each seat, and what else was weighed."""

    seat: Seat
    action: Action
    reason: Msg
    shares: Shares
    lines: tuple[Line, ...]


class Blunder(NamedTuple):
    """An action that gave something away: where in the log, what was better, how much it cost."""

    position: int
    seat: Seat
    did: Action
    better: Action
    loss: float
    reason: Msg


def evaluate(game: Game, view: View, *, budget: Budget | None = None, seed: str = "0") -> Shares:
    """What each seat may expect, as `view` knows it: the mean over dealt worlds."""
    know, rng, clock = levels.knowledge(game), random.Random(seed), _clock(budget, 100)
    total: Shares = {}
    while clock.tick():
        for seat, share in know.appraise(game.deal(view, rng), rng).items():
            total[seat] = total.get(seat, 0.0) + share
    return {seat: share / clock.spent for seat, share in total.items()}


def advise(
    game: Game,
    view: View,
    *,
    level: str = levels.ADVISES,
    budget: Budget | None = None,
    seed: str = "0",
) -> Advice:
    """What a bot of `level` would do for the seat of `view`, and why."""
    thought = _think(game, view, level, budget, seed)
    shares = thought.lines[0].shares if thought.lines else {}
    return Advice(view["seat"], thought.action, thought.reason, shares, thought.lines)


def _think(game: Game, view: View, level: str, budget: Budget | None, seed: str) -> Thought:
    """Question and legal actions are no secret to the seat, so a dealt world tells them."""
    rng = random.Random(seed)
    world = game.deal(view, rng)
    question = game.ask(world, view["seat"]) if view["seat"] is not None else None
    if question is None:
        raise Unreadable("bots.not_asked", seat=str(view["seat"]))
    mind = levels.adviser(game, level, budget)
    return mind.think(view, question, game.legal(world, view["seat"]), rng)


def blunders(
    rec: Record,
    game: Game,
    *,
    seats: tuple[Seat, ...] | None = None,
    level: str = levels.ADVISES,
    budget: Budget | None = None,
    least: float = 0.05,
) -> Iterator[Blunder]:
    """Decisions of a game at which a bot sees at least `least` of the game given away.

    The loss is what the bot's search says of its choice and the player's. If it hardly looked at
    the latter, both are tried in the same worlds with the same luck, and what could be chance is
    not called a blunder.
    """
    for _, _, found in judged(rec, game, seats=seats, level=level, budget=budget, least=least):
        if found is not None:
            yield found


def judged(
    rec: Record,
    game: Game,
    *,
    seats: tuple[Seat, ...] | None = None,
    level: str = levels.ADVISES,
    budget: Budget | None = None,
    least: float = 0.05,
    since: int = 0,
) -> Iterator[tuple[int, Table, Blunder | None]]:
    """Every decision from position `since` on, with the table as it stood, and what was wrong with
    it: a review that can be broken off and taken up again."""
    know, table = levels.knowledge(game), replay(Record(rec.header, ()), game)
    for position, entry in enumerate(rec.entries):
        if position >= since and _is_decision(table, entry, seats):
            yield position, table, _judge(know, table, entry, position, level, budget, least)
        table.enter(entry)


def _is_decision(table: Table, entry: Entry, seats: tuple[Seat, ...] | None) -> bool:
    """Whether the entry answers a question that left a choice."""
    if entry.seat == CHANCE or entry.do == UNDO or (seats and entry.seat not in seats):
        return False
    return entry.seat in table.to_act and table.legal(entry.seat).count_all() > 1


def _judge(
    know: Knowledge,
    table: Table,
    entry: Entry,
    position: int,
    level: str,
    budget: Budget | None,
    least: float,
) -> Blunder | None:
    game, view, did = know.game, table.view(entry.seat), know.game.parse(entry.do)
    thought = _think(game, view, level, budget, f"{position}")
    better = thought.action
    if better == did:
        return None
    loss = _searched(know, thought, did, entry.seat)
    if loss is None:
        gap, error = compare(know, view, better, did, _clock(budget, 200), f"{position}")
        loss = gap if gap > 2 * error else 0.0
    if loss < least:
        return None
    percent = round(100 * loss)
    reason = Msg("bots.blunder", did=str(did), better=str(better), percent=percent)
    return Blunder(position, entry.seat, did, better, loss, reason)


WEIGHED = 10  # so often must the search have tried an action for its value to count


def _searched(know: Knowledge, thought: Thought, did: Action, seat: Seat) -> float | None:
    """What the search itself says was lost; None if it hardly looked at what was done."""
    lines = {line.action: line for line in thought.lines}
    tried = [lines.get(thought.action), lines.get(did)]
    if any(line is None or line.visits < WEIGHED for line in tried):
        return None
    best, done = (know.worth(line.shares, seat) for line in tried if line is not None)
    return best - done


def compare(
    know: Knowledge, view: View, one: Action, other: Action, clock: Clock, seed: str = "0"
) -> tuple[float, float]:
    """By how much `one` is better for the seat than `other`, and the standard error of that.

    Both are tried in the same worlds with the same luck; an iteration is one such world.
    """
    rng, seat, game = random.Random(seed), view["seat"], know.game
    gaps: list[float] = []
    while clock.tick():
        world, luck = game.deal(view, rng), rng.randrange(1 << 62)
        worths = []
        for action in (one, other):
            shares = know.appraise(game.apply(world, seat, action).state, random.Random(luck))
            worths.append(know.worth(shares, seat))
        gaps.append(worths[0] - worths[1])
    mean = math.fsum(gaps) / len(gaps)
    spread = math.fsum((gap - mean) ** 2 for gap in gaps)
    return mean, math.sqrt(spread / max(1, len(gaps) - 1) / len(gaps))


def _clock(budget: Budget | None, iterations: int) -> Clock:
    return (budget or Budget(iterations, 5.0)).start()
