"""The processes in which bots think, with limits of time and memory.

A process is sent a view and deals a world from it, so that a bot cannot know more than its seat may
(see `powderkeg.bots.process.guard`). For a bot that is late, fails or answers nonsense the default
is played. Slow levels have their own processes, so that quick ones never wait for them.
"""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any, NamedTuple

import structlog

from powderkeg import bots
from powderkeg.bots.engine.budget import Budget
from powderkeg.bots.envoy import EnvoyReply, FormalNote
from powderkeg.bots.game_bots import bots_of
from powderkeg.bots.process.guard import BotDecision, Guard
from powderkeg.core.ask import Orders
from powderkeg.core.chance import CHANCE
from powderkeg.core.game import Game, State
from powderkeg.server import metrics
from powderkeg.server.tables.bot_seats import thinks_long

logger = structlog.get_logger()
MOST_ACTIONS = 60  # of one turn
PLAN_SHARE = 0.6  # of the time of a turn that goes to its plan, before the first of many orders
TALK_SECONDS = 12.0  # that an envoy may take for its letters; it is asked to take a quarter
START_SECONDS = 30.0  # that a process may take to start, on a busy machine
FATAL_FAULTS = ("late", "memory", "died")  # after which a bot thinks no more in this turn


class HeardLetters(NamedTuple):
    """The letters that a bot received, its memory, and whether all of its own letters are public."""

    memory: Any
    notes: tuple[FormalNote, ...]
    public: bool


class BotProcesses:
    """`count` processes for quick levels and as many for slow ones; `seconds` per turn."""

    def __init__(self, count: int, seconds: float, memory: int) -> None:
        self.seconds = seconds
        self.quick, self.slow = (
            GuardPool([Guard(seconds, memory) for _ in range(count)]) for _ in range(2)
        )

    async def decide_turn(
        self, game: Game, state: State, seat: str, level: str, seed: str, memory: Any = None
    ) -> list[str]:
        """The actions of a bot in its turn: all orders of a phase, until new information is
        revealed. `memory` is its envoy's."""
        async with self._borrow(self.slow if thinks_long(game, level) else self.quick) as guard:
            args = (guard, game, state, seat, level, seed, self.seconds, memory)
            return await asyncio.to_thread(_decide_actions, *args)

    async def write_letters(
        self, game: Game, state: State, seat: str, seed: str, heard: HeardLetters
    ) -> EnvoyReply:
        """The letters of a bot to others: none, if it fails."""
        async with self._borrow(self.quick) as guard:
            return await asyncio.to_thread(_write_letters, guard, game, state, seat, seed, heard)

    @asynccontextmanager
    async def _borrow(self, pool: "GuardPool") -> AsyncIterator[Guard]:
        async with pool.turn:
            guard = pool.free.pop()
            try:
                yield guard
            finally:
                pool.free.append(guard)

    def close(self) -> None:
        for guard in (*self.quick.all, *self.slow.all):
            guard.end()


class GuardPool:
    """A pool of processes. The caller that has waited longest gets the next free one."""

    def __init__(self, guards: list[Guard]) -> None:
        self.all, self.free = guards, list(guards)
        self.turn = asyncio.Semaphore(len(guards))


def _write_letters(
    guard: Guard, game: Game, state: State, seat: str, seed: str, heard: HeardLetters
) -> EnvoyReply:
    _start_process(guard, game, state, seat)
    guard.seconds = TALK_SECONDS
    view, within = game.view(state, seat), TALK_SECONDS / 4
    memory, notes, public = heard
    spoken, fault = guard.talk(game, view, memory, notes, seed, within=within, public=public)
    if fault:
        metrics.BOT_FAULTS.labels(game.name, "envoy", fault).inc()
        logger.warning("a bot cannot talk", rules=game.name, seat=seat, fault=fault)
    return spoken


def _decide_actions(
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
    _start_process(guard, game, state, seat)
    end = time.monotonic() + seconds
    offered = bots_of(game).pending_offers
    while len(texts) < MOST_ACTIONS and (seat in game.to_act(state) or not texts):
        left = end - time.monotonic()
        if spent or left <= 0:
            decision = BotDecision(game.default(state, seat))
        else:
            guard.seconds = left
            budget = _turn_budget(game, state, seat, level, left)
            decision = guard.decide(
                game, state, seat, level, f"{seed}/{len(texts)}", budget, memory
            )
            spent = _report_fault(game, seat, level, decision)
        step = game.apply(state, seat, decision.action)
        texts.append(str(decision.action))
        state = step.state
        if step.barrier or CHANCE in game.to_act(state) or offered(state):
            break  # others may have to answer first
    return texts


def _start_process(guard: Guard, game: Game, state: State, seat: str) -> None:
    """Start a missing process before the turn's time limit begins: a trivial question makes it load
    all the modules that it needs."""
    if guard.process is None or guard.process.poll() is not None:
        guard.seconds = START_SECONDS
        guard.decide(game, state, seat, "random", "")


def _turn_budget(game: Game, state: State, seat: str, level: str, left: float) -> Budget:
    """The level's own budget, but no more than there is time. Where many pieces wait for orders, bots plan
    the whole turn at the first question: it gets most of the time, the others share the rest."""
    question = game.ask(state, seat)
    rows = question.node.rows if question and isinstance(question.node, Orders) else ()
    waiting = sum(not row.chosen for row in rows)
    own = bots.find_bot(game, level).budget
    share = PLAN_SHARE * left if rows and waiting == len(rows) else 0.8 * left / (waiting + 1)
    return replace(own, seconds=share if own.seconds is None else min(own.seconds, share))


def _report_fault(game: Game, seat: str, level: str, decision: BotDecision) -> bool:
    """Log a bot that misbehaves; return whether it must not be asked again in this turn."""
    if not decision.fault:
        return False
    metrics.BOT_FAULTS.labels(game.name, level, decision.fault).inc()
    logger.warning("a bot failed", rules=game.name, seat=seat, level=level, fault=decision.fault,
                   detail=decision.detail[:200])  # fmt: skip
    return decision.fault in FATAL_FAULTS
