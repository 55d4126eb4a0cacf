"""The worker: claims jobs from the queue and runs their handlers. Any process may run any job.

A claim expires: if a worker dies, another takes over its job. Every handler looks at the current
state of the table, so a job that runs twice has no effect the second time.
"""

import asyncio
import contextlib
import time
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from typing import Any, TypeAlias

import structlog
from sqlalchemy import BindParameter, ColumnElement, Select, bindparam, delete, select, update

from powderkeg.server import metrics
from powderkeg.server.db import schema
from powderkeg.server.db.prepared import PreparedQuery, PreparedStatement
from powderkeg.server.db.rows import JobKind, JobRow
from powderkeg.server.db.store import Store, is_database_gone

logger = structlog.get_logger()
JobHandler: TypeAlias = Callable[[JobRow], Awaitable[None]]
JobLane: TypeAlias = tuple[JobKind, ...]
j = schema.jobs.c
FINISH_JOB = PreparedStatement(
    delete(schema.jobs).where(j.id == bindparam("done"), j.asked == bindparam("as_asked"))
)
CLAIM_SECONDS = 12.0  # seconds after which a claim expires
POLL_SECONDS = 1.0  # seconds between looks at the queue without an event
TABLE_CHORES: JobLane = ("due", "near", "resume", "expire")
CHORES_AT_ONCE = 5  # less than the connections to PostgreSQL, for both lanes together
NOTICE_LANE: JobLane = ("notices",)  # waits for other servers, so it has a lane of its own


def worker_lanes(bots: int) -> list[JobLane]:
    """The lanes that run in parallel, each with its kinds of job. Chores never wait for bots, and
    quick bots never wait for slow ones; one lane more than processes keeps the processes busy."""
    quick: JobLane = ("bots", "talk", "vote")
    slow: JobLane = ("slow",)
    return [NOTICE_LANE, TABLE_CHORES, TABLE_CHORES, *[quick] * (bots + 1), *[slow] * (bots + 1)]


class JobWorker:
    """Runs jobs until stopped."""

    def __init__(
        self,
        store: Store,
        handlers: Mapping[JobKind, JobHandler],
        lanes: Sequence[JobLane],
        clock: Callable[[], float] = time.time,
    ) -> None:
        self.store, self.events, self.clock = store, store.events, clock
        self.handlers = handlers
        self.lanes = lanes
        self.due_kinds = _due_kinds({kind for lane in lanes for kind in lane})
        self.tasks: list[asyncio.Task[None]] = []
        self.each_second: list[Callable[[], Awaitable[None]]] = [self.wake_lanes]
        self.claim = CLAIM_SECONDS
        self.stopping = False

    async def forget_claims(self) -> None:
        """SQLite: release all claims. There is only one process, so they belong to dead workers."""
        async with self.store.write() as tx:
            await tx.run(update(schema.jobs).values(locked_until=0.0))

    def start(self, *, jobs: bool = True) -> None:
        lanes = self.lanes if jobs else ()
        self.tasks = [asyncio.create_task(self._run_lane(kinds)) for kinds in lanes]
        self.ticker = asyncio.create_task(self._run_ticks())

    async def stop(self, patience: float = 3.0) -> None:
        """Let running jobs finish, then stop. Jobs that take longer go back into the queue."""
        self.stopping = True
        self.ticker.cancel()
        self._wake(kind for lane in self.lanes for kind in lane)
        if self.tasks:
            _, late = await asyncio.wait(self.tasks, timeout=patience)
            for task in late:
                task.cancel()
        await asyncio.gather(self.ticker, *self.tasks, return_exceptions=True)

    async def _run_ticks(self) -> None:
        while True:
            await asyncio.sleep(POLL_SECONDS)
            for work in self.each_second:
                try:
                    await work()
                except Exception as error:  # noqa: BLE001  # the next second is another chance
                    _log_failure("tick", error)

    async def _run_lane(self, kinds: JobLane) -> None:
        subscription = self.events.subscribe(*(f"jobs:{kind}" for kind in kinds))
        pause = 0.0
        try:
            while not self.stopping:
                try:
                    done = await self.run_one(kinds)
                    pause = 0.0
                except Exception as error:  # noqa: BLE001  # the database may be gone for a while
                    _log_failure("jobs", error)
                    pause = min(pause * 2 + 0.2, 5)
                    await asyncio.sleep(pause)
                    continue
                if not done and not self.stopping:
                    await subscription.wait()
        finally:
            self.events.unsubscribe(subscription)

    async def wake_lanes(self) -> None:
        """Wake the lanes that have something to do: one look for all of them. An event wakes them
        too, but not when a job becomes due, or when the worker that had claimed it has died."""
        if not self.tasks:
            return
        async with self.store.read() as tx:
            (found,) = await tx.find_rows(self.due_kinds, now=self.clock())
        self._wake(kind for kind, is_waiting in found.items() if is_waiting)

    def _wake(self, kinds: Iterable[str]) -> None:
        for kind in kinds:
            self.events.publish(f"jobs:{kind}", {})

    async def run_one(self, kinds: JobLane) -> bool:
        """Claim jobs that are due and run them; return whether there were any. Chores of tables are
        claimed a few at a time, and so share their commits."""
        jobs = await self._claim_jobs(kinds, CHORES_AT_ONCE if kinds == TABLE_CHORES else 1)
        ends = await asyncio.gather(*map(self._run_job, jobs), return_exceptions=True)
        for failure in filter(None, ends):  # when all are done: none goes on unseen
            raise failure
        return bool(jobs)

    async def _run_job(self, job: JobRow) -> None:
        keeping = asyncio.create_task(self._keep_claim(job))
        try:
            with metrics.time_job(job.kind):
                await self.handlers[job.kind](job)
        except asyncio.CancelledError:
            with contextlib.suppress(Exception):
                await asyncio.shield(self._release_job(job, self.clock()))
            raise
        except Exception as error:  # noqa: BLE001  # it is logged and tried again
            _log_failure(job.kind, error, game=job.game)
            wait = min(2.0 ** min(job.tries, 9), 300)
            await self._release_job(job, self.clock() + wait, str(error))
            return
        finally:
            keeping.cancel()
        await self._finish_job(job)

    async def _claim_jobs(self, kinds: JobLane, most: int) -> list[JobRow]:
        now = self.clock()
        async with self.store.read() as tx:  # looking costs less than claiming
            found = [await tx.one(first_due(kind, now)) for kind in kinds]
        waiting = [row for row in found if row is not None]
        if not waiting:
            return []
        kind = min(waiting, key=lambda row: row.run_at).kind
        async with self.store.write() as tx:
            first = first_due(kind, now).with_only_columns(j.id).limit(most)
            if tx.is_postgres:  # as a CTE it is run once, so never more are locked
                picked = first.with_for_update(skip_locked=True).cte("picked")
                first = select(picked.c.id)
            claim = (
                update(schema.jobs)
                .where(j.id.in_(first))
                .values(locked_until=now + self.claim, tries=j.tries + 1)
                .returning(schema.jobs)
            )
            return [JobRow.load(row) for row in await tx.all(claim)]

    async def _keep_claim(self, job: JobRow) -> None:
        """Renew the claim while the job runs."""
        while True:
            await asyncio.sleep(self.claim / 3)
            try:
                async with self.store.write() as tx:
                    mine = update(schema.jobs).where(j.id == job.id)
                    await tx.run(mine.values(locked_until=self.clock() + self.claim))
            except Exception as error:  # noqa: BLE001  # the database may be back before it runs out
                _log_failure(job.kind, error, game=job.game)

    async def _finish_job(self, job: JobRow) -> None:
        async with self.store.write() as tx:
            if not await tx.run_prepared(FINISH_JOB, [{"done": job.id, "as_asked": job.asked}]):
                await tx.run(update(schema.jobs).where(j.id == job.id).values(locked_until=0.0))

    async def _release_job(self, job: JobRow, run_at: float, error: str = "") -> None:
        """Put a job back into the queue; if it was enqueued again meanwhile, that time counts."""
        async with self.store.write() as tx:
            mine = update(schema.jobs).where(j.id == job.id)
            same = mine.where(j.asked == job.asked)
            free = {"locked_until": 0.0, "error": error[:500]}
            if not await tx.run(same.values(run_at=run_at, **free)):
                await tx.run(mine.values(**free))


def _due_kinds(kinds: Iterable[str]) -> PreparedQuery:
    """Whether a job of each kind can be claimed. Built once: each second it would leave cycles behind."""
    now = bindparam("now", type_=j.run_at.type)
    looks: list[ColumnElement[Any]] = [
        select(j.id).where(is_due(kind, now)).exists().label(kind) for kind in sorted(kinds)
    ]
    return PreparedQuery(select(*looks))


def is_due(kind: str, now: float | BindParameter[float]) -> ColumnElement[bool]:
    """Whether a job of this kind can be claimed. By kind, so that an index finds it: ten thousand
    deadlines that are due do not delay notices."""
    return (j.kind == kind) & (j.run_at <= now) & (j.locked_until <= now)


def first_due(kind: str, now: float) -> Select[Any]:
    return select(j.id, j.kind, j.run_at).where(is_due(kind, now)).order_by(j.run_at).limit(1)


def _log_failure(what: str, error: Exception, **where: Any) -> None:
    if is_database_gone(error):
        logger.warning("the database is not available", what=what, error=str(error)[:200])
    else:
        logger.error("a job failed", what=what, exc_info=error, **where)
