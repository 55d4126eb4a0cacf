"""Bots in seats think in processes of their own, with limits of time and memory.

What crosses over is a view: the other side deals a world from it, so that a bot cannot know more
than its seat may (see `powderkeg.bots.process.guard`). Who is late, fails or talks nonsense is played by
the default. Levels that think long have processes of their own, so that nobody waits for them.
"""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any, NamedTuple

import structlog

from powderkeg import bots
from powderkeg.bots import levels
from powderkeg.bots.engine.budget import Budget
from powderkeg.bots.envoy import EnvoyReply, FormalNote
from powderkeg.bots.game_bots import bots_of
from powderkeg.bots.process.guard import Decision, Guard
from powderkeg.core.ask import Orders
from powderkeg.core.chance import CHANCE
from powderkeg.core.game import Game, State
from powderkeg.server import metrics

logger = structlog.get_logger()
LONG = 1.0  # seconds for a decision: such levels keep others waiting
LONGEST = 60  # actions of one turn
PLAN = 0.6  # of its time that goes to the plan of a turn, before the first of many orders
TALK_SECONDS = 12.0  # that an envoy may take for its letters; it is asked to take a quarter
BEGIN = 30.0  # seconds that a process may take to begin, on a busy machine
SPENT = ("late", "memory", "died")  # faults after which the rest of the turn is not thought about


class Said(NamedTuple):
    """What a bot heard and remembers, and whether all that it says is heard by everybody."""

    memory: Any
    heard: tuple[FormalNote, ...]
    public: bool


def thinks_long(game: Game, level: str) -> bool:
    found = levels.game_levels(game).get(level)
    return found is not None and (found.budget.seconds or 0.0) >= LONG


class Thinkers:
    """`count` processes for quick levels and as many for slow ones; `seconds` a turn."""

    def __init__(self, count: int, seconds: float, memory: int) -> None:
        self.seconds = seconds
        self.quick, self.slow = (
            Pool([Guard(seconds, memory) for _ in range(count)]) for _ in range(2)
        )

    async def turn(
        self, game: Game, state: State, seat: str, level: str, seed: str, memory: Any = None
    ) -> list[str]:
        """What a bot does with its turn: all orders of a phase, as long as nothing comes to light
        that it could not know before. `memory` is of what was said."""
        async with self._guard(self.slow if thinks_long(game, level) else self.quick) as guard:
            told = (guard, game, state, seat, level, seed, self.seconds, memory)
            return await asyncio.to_thread(_turn, *told)

    async def talk(self, game: Game, state: State, seat: str, seed: str, said: Said) -> EnvoyReply:
        """What a bot says to others: nothing, if it fails."""
        async with self._guard(self.quick) as guard:
            return await asyncio.to_thread(_talk, guard, game, state, seat, seed, said)

    @asynccontextmanager
    async def _guard(self, pool: "Pool") -> AsyncIterator[Guard]:
        async with pool.turn:
            guard = pool.free.pop()
            try:
                yield guard
            finally:
                pool.free.append(guard)

    def close(self) -> None:
        for guard in (*self.quick.all, *self.slow.all):
            guard.end()


class Pool:
    """Some processes; whoever waits longest for one gets it (a queue would not promise that)."""

    def __init__(self, guards: list[Guard]) -> None:
        self.all, self.free = guards, list(guards)
        self.turn = asyncio.Semaphore(len(guards))


def _talk(guard: Guard, game: Game, state: State, seat: str, seed: str, said: Said) -> EnvoyReply:
    _begin(guard, game, state, seat)
    guard.seconds = TALK_SECONDS
    view, within = game.view(state, seat), TALK_SECONDS / 4
    memory, heard, public = said
    spoken, fault = guard.talk(game, view, memory, heard, seed, within=within, public=public)
    if fault:
        metrics.FAULTS.labels(game.name, "envoy", fault).inc()
        logger.warning("bot cannot talk", rules=game.name, seat=seat, fault=fault)
    return spoken


def _turn(
    guard: Guard,
    game: Game,
    state: State,
    seat: str,
    level: str,
    seed: str,
    seconds: float,
    memory: Any = None,
) -> list[str]:
    texts: list[str] = []
    spent = False
    _begin(guard, game, state, seat)
    end = time.monotonic() + seconds
    offered = bots_of(game).pending_offers
    while len(texts) < LONGEST and (seat in game.to_act(state) or not texts):
        left = end - time.monotonic()
        if spent or left <= 0:
            said = Decision(game.default(state, seat))
        else:
            guard.seconds = left
            budget = _budget(game, state, seat, level, left)
            said = guard.decide(game, state, seat, level, f"{seed}/{len(texts)}", budget, memory)
            spent = _note(game, seat, level, said)
        step = game.apply(state, seat, said.action)
        texts.append(str(said.action))
        state = step.state
        if step.barrier or CHANCE in game.to_act(state) or offered(state):
            break  # others may have to answer first
    return texts


def _begin(guard: Guard, game: Game, state: State, seat: str) -> None:
    """A process that is not there yet is started before the time of the turn runs: a question
    that needs no thought has it load all that it needs."""
    if guard.process is None or guard.process.poll() is not None:
        guard.seconds = BEGIN
        guard.decide(game, state, seat, "random", "")


def _budget(game: Game, state: State, seat: str, level: str, left: float) -> Budget:
    """The level's own, but no more than there is time. Where many pieces wait for orders, bots plan
    the whole turn at the first question: it gets most of the time, the others share the rest."""
    question = game.ask(state, seat)
    rows = question.node.rows if question and isinstance(question.node, Orders) else ()
    waiting = sum(not row.chosen for row in rows)
    own = bots.find_bot(game, level).budget
    share = PLAN * left if rows and waiting == len(rows) else 0.8 * left / (waiting + 1)
    return replace(own, seconds=share if own.seconds is None else min(own.seconds, share))


def _note(game: Game, seat: str, level: str, said: Decision) -> bool:
    """Tell the host of a bot that misbehaves; whether it is not to be asked again this turn."""
    if not said.fault:
        return False
    metrics.FAULTS.labels(game.name, level, said.fault).inc()
    logger.warning("bot failed", rules=game.name, seat=seat, level=level, fault=said.fault,
                   detail=said.detail[:200])  # fmt: skip
    return said.fault in SPENT
