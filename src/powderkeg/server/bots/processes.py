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
from powderkeg.bots.characters import join_name, split_name
from powderkeg.bots.engine.budget import Budget
from powderkeg.bots.engine.shares import Shares
from powderkeg.bots.envoy import EnvoyReply, FormalNote
from powderkeg.bots.game_bots import bots_of
from powderkeg.bots.process.guard import BotDecision, Guard
from powderkeg.core.ask import Orders
from powderkeg.core.chance import CHANCE
from powderkeg.core.game import Game, State
from powderkeg.server import metrics
from powderkeg.server.tables.bot_seats import thinks_long

logger = structlog.get_logger()
MOST_ACTIONS = 60  # actions of one turn
PLAN_SHARE = 0.6  # part of a turn's time for the plan, before the first of many orders
TALK_SECONDS = 12.0  # seconds that an envoy may take for its letters; it is asked to take a quarter
START_SECONDS = 30.0  # seconds that a process may take to start on a busy machine
FATAL_FAULTS = (
    "late",
    "memory",
    "died",
)  # faults after which a bot is not asked again in this turn


class HeardLetters(NamedTuple):
    """The letters that a bot received, its memory, whether all of its own letters are public, and its
    character."""

    memory: Any
    notes: tuple[FormalNote, ...]
    public: bool
    character: str = ""


class BotTurn(NamedTuple):
    """The actions of a bot in its turn, and the codes of what it says to the others about them."""

    texts: list[str]
    spoken: list[str]


class BotProcesses:
    """Half of the `guards` for quick levels and half for slow ones; `seconds` per turn. A bot of a
    level that is not among `levels` plays the strongest of them."""

    def __init__(self, guards: list[Guard], seconds: float, levels: tuple[str, ...]) -> None:
        self.seconds, self.levels = seconds, levels
        half = len(guards) // 2
        self.quick, self.slow = GuardPool(guards[:half]), GuardPool(guards[half:])

    async def decide_turn(
        self, game: Game, state: State, seat: str, bot: str, seed: str, memory: Any = None
    ) -> BotTurn:
        """The actions of a bot in its turn: all orders of a phase, until new information is
        revealed. `memory` is its envoy's."""
        level, character = split_name(bot)
        level = level if level in self.levels else self.levels[-1]
        bot = join_name(level, character)
        async with self._borrow(self.slow if thinks_long(game, level) else self.quick) as guard:
            args = (guard, game, state, seat, bot, seed, self.seconds, memory)
            return await asyncio.to_thread(_decide_actions, *args)

    async def write_letters(
        self, game: Game, state: State, seat: str, seed: str, heard: HeardLetters
    ) -> EnvoyReply:
        """The letters of a bot to others: none, if it fails."""
        async with self._borrow(self.quick) as guard:
            return await asyncio.to_thread(_write_letters, guard, game, state, seat, seed, heard)

    async def estimate_shares(
        self, game: Game, state: State, seat: str, seed: str
    ) -> Shares | None:
        """The share of the game that each seat can expect, as a bot in `seat` sees it; None if it
        fails."""
        async with self._borrow(self.quick) as guard:
            return await asyncio.to_thread(_estimate_shares, guard, game, state, seat, seed)

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


def _estimate_shares(guard: Guard, game: Game, state: State, seat: str, seed: str) -> Shares | None:
    if not (waiting := game.to_act(state)):
        return None  # the game has ended meanwhile
    _start_process(guard, game, state, min(waiting))
    guard.seconds = TALK_SECONDS
    shares, fault = guard.estimate(game, game.view(state, seat), seed, within=TALK_SECONDS / 4)
    if fault:
        metrics.BOT_FAULTS.labels(game.name, "vote", fault).inc()
        logger.warning("a bot cannot judge the game", rules=game.name, seat=seat, fault=fault)
    return shares


def _write_letters(
    guard: Guard, game: Game, state: State, seat: str, seed: str, heard: HeardLetters
) -> EnvoyReply:
    _start_process(guard, game, state, seat)
    guard.seconds = TALK_SECONDS
    view, within = {**game.view(state, seat), "character": heard.character}, TALK_SECONDS / 4
    memory, notes, public, _ = heard
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
    bot: str,
    seed: str,
    seconds: float,
    memory: Any = None,
) -> BotTurn:
    texts: list[str] = []
    spoken: list[str] = []
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
            budget = _turn_budget(game, state, seat, bot, left)
            decision = guard.decide(game, state, seat, bot, f"{seed}/{len(texts)}", budget, memory)
            spent = _report_fault(game, seat, split_name(bot)[0], decision)
        step = game.apply(state, seat, decision.action)
        texts.append(str(decision.action))
        spoken += filter(None, [decision.spoken])
        state = step.state
        if step.barrier or CHANCE in game.to_act(state) or offered(state):
            break  # others may have to answer first
    return BotTurn(texts, spoken)


def _start_process(guard: Guard, game: Game, state: State, seat: str) -> None:
    """Start a missing process before the turn's time limit begins: a trivial question makes it load
    all the modules that it needs."""
    if guard.process is None or guard.process.poll() is not None:
        guard.seconds = START_SECONDS
        guard.decide(game, state, seat, "random", "")


def _turn_budget(game: Game, state: State, seat: str, bot: str, left: float) -> Budget:
    """The level's own budget, but no more than there is time. Where many pieces wait for orders, bots plan
    the whole turn at the first question: it gets most of the time, the others share the rest."""
    question = game.ask(state, seat)
    rows = question.node.rows if question and isinstance(question.node, Orders) else ()
    waiting = sum(not row.chosen for row in rows)
    own = bots.find_bot(game, bot).budget
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
