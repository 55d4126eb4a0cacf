"""Jobs are rows: bot moves, deadlines, notices. Any process may do any of them.

A job is claimed for a while; if its worker dies, the claim runs out and another takes it. Every
handler looks at the table as it is now, so doing a job twice does nothing twice.
"""

import asyncio
import contextlib
import time
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

import structlog
from sqlalchemy import delete, select, update

from powderkeg.server import metrics
from powderkeg.server.db import schema
from powderkeg.server.db.events import Hub
from powderkeg.server.db.store import Store, is_gone

logger = structlog.get_logger()
Handler = Callable[[Any], Awaitable[None]]
j = schema.jobs.c
CLAIM = 12.0  # seconds after which a claim runs out
POLL = 1.0  # seconds between looks when nothing is told
CHORES = ("due", "near", "resume", "expire")
NOTICES = ("notices",)  # which wait for the servers of others: nothing else waits with them


def lanes_for(bots: int) -> list[tuple[str, ...]]:
    """Who does which kinds of job at the same time. Chores never wait for bots, and quick bots
    never for slow ones; one lane more than there are processes keeps these busy."""
    return [CHORES, CHORES, *[("bots", "talk")] * (bots + 1), *[("slow",)] * (bots + 1)]


class Worker:
    """Does jobs until stopped."""

    def __init__(
        self,
        store: Store,
        hub: Hub,
        handlers: dict[str, Handler],
        lanes: Sequence[tuple[str, ...]],
        clock: Callable[[], float] = time.time,
    ) -> None:
        self.store, self.hub, self.handlers, self.clock = store, hub, handlers, clock
        self.lanes = lanes
        self.tasks: list[asyncio.Task[None]] = []
        self.each_second: list[Callable[[], Awaitable[None]]] = []
        self.claim = CLAIM
        self.stopping = False

    async def forget_claims(self) -> None:
        """SQLite: there is no other process, so whoever held a claim is dead."""
        async with self.store.write() as tx:
            await tx.run(update(schema.jobs).values(locked_until=0.0))

    def start(self, *, jobs: bool = True) -> None:
        lanes = self.lanes if jobs else ()
        self.tasks = [asyncio.create_task(self._lane(kinds)) for kinds in lanes]
        self.ticking = asyncio.create_task(self._tick())

    async def stop(self, patience: float = 3.0) -> None:
        """Let what is being done be finished, then go. What takes longer is put back for others."""
        self.stopping = True
        self.ticking.cancel()
        if self.tasks:
            _, late = await asyncio.wait(self.tasks, timeout=patience)
            for task in late:
                task.cancel()
        await asyncio.gather(self.ticking, *self.tasks, return_exceptions=True)

    async def _tick(self) -> None:
        while True:
            await asyncio.sleep(POLL)
            for work in self.each_second:
                try:
                    await work()
                except Exception as error:  # noqa: BLE001  # the next second is another chance
                    _log_trouble("tick", error)

    async def _lane(self, kinds: tuple[str, ...]) -> None:
        reader = self.hub.join(*(f"jobs:{kind}" for kind in kinds))
        pause = 0.0
        try:
            while not self.stopping:
                try:
                    done = await self.do_one(kinds)
                    pause = 0.0
                except Exception as error:  # noqa: BLE001  # the database may be gone for a while
                    _log_trouble("jobs", error)
                    pause = min(pause * 2 + 0.2, 5)
                    await asyncio.sleep(pause)
                    continue
                if not done and not self.stopping:
                    await reader.wait(POLL)
        finally:
            self.hub.leave(reader)

    async def do_one(self, kinds: tuple[str, ...]) -> bool:
        """Claim one job that is due and do it; whether there was one."""
        job = await self._claim(kinds)
        if job is None:
            return False
        keeping = asyncio.create_task(self._keep(job))
        try:
            with metrics.job(job.kind):
                await self.handlers[job.kind](job)
        except asyncio.CancelledError:
            with contextlib.suppress(Exception):
                await asyncio.shield(self._release(job, self.clock()))
            raise
        except Exception as error:  # noqa: BLE001  # it is logged and tried again
            _log_trouble(job.kind, error, game=job.game)
            wait = min(2.0 ** min(job.tries, 9), 300)
            await self._release(job, self.clock() + wait, str(error))
            return True
        finally:
            keeping.cancel()
        await self._done(job)
        return True

    async def _claim(self, kinds: tuple[str, ...]) -> Any:
        now = self.clock()
        due = j.kind.in_(kinds) & (j.run_at <= now) & (j.locked_until <= now)
        async with self.store.read() as tx:  # looking costs less than claiming
            if await tx.one(select(j.id).where(due).limit(1)) is None:
                return None
        async with self.store.write() as tx:
            first = select(j.id).where(due).order_by(j.run_at).limit(1)
            if tx.is_postgres:
                first = first.with_for_update(skip_locked=True)
            claim = (
                update(schema.jobs)
                .where(j.id.in_(first.scalar_subquery()))
                .values(locked_until=now + self.claim, tries=j.tries + 1)
                .returning(schema.jobs)
            )
            return await tx.one(claim)

    async def _keep(self, job: Any) -> None:
        """Work that takes long keeps its claim."""
        while True:
            await asyncio.sleep(self.claim / 3)
            try:
                async with self.store.write() as tx:
                    mine = update(schema.jobs).where(j.id == job.id)
                    await tx.run(mine.values(locked_until=self.clock() + self.claim))
            except Exception as error:  # noqa: BLE001  # the database may be back before it runs out
                _log_trouble(job.kind, error, game=job.game)

    async def _done(self, job: Any) -> None:
        async with self.store.write() as tx:
            mine = (j.id == job.id) & (j.asked == job.asked)
            if not await tx.run(delete(schema.jobs).where(mine)):
                await tx.run(update(schema.jobs).where(j.id == job.id).values(locked_until=0.0))

    async def _release(self, job: Any, run_at: float, error: str = "") -> None:
        """Put a job back; if it was asked for again meanwhile, at the time that was asked for."""
        async with self.store.write() as tx:
            mine = update(schema.jobs).where(j.id == job.id)
            same = mine.where(j.asked == job.asked)
            free = {"locked_until": 0.0, "error": error[:500]}
            if not await tx.run(same.values(run_at=run_at, **free)):
                await tx.run(mine.values(**free))


def _log_trouble(what: str, error: Exception, **where: Any) -> None:
    if is_gone(error):
        logger.warning("database not available", what=what, error=str(error)[:200])
    else:
        logger.error("job failed", what=what, exc_info=error, **where)
