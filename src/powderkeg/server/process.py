"""One process of the server: everything that lives in it, and how it starts and stops."""

import asyncio
import signal
import time
from collections.abc import Callable, Mapping
from dataclasses import replace

import structlog

from powderkeg.bots.process.guard import Guard
from powderkeg.core.game import Game
from powderkeg.server.accounts.limits import RateLimiter
from powderkeg.server.analysis.process import AnalysisProcess
from powderkeg.server.bots.processes import BotProcesses
from powderkeg.server.db import migrate
from powderkeg.server.db.store import Store
from powderkeg.server.games import load_games
from powderkeg.server.heap import HeapKeeper
from powderkeg.server.jobs.handlers import job_handlers
from powderkeg.server.jobs.housekeeping import Housekeeper
from powderkeg.server.jobs.worker import JobWorker, worker_lanes
from powderkeg.server.logs import use_logs
from powderkeg.server.loop_lag import LoopWatch
from powderkeg.server.notices.push_key import ensure_push_key
from powderkeg.server.notices.senders import NoticeSender
from powderkeg.server.settings import Settings
from powderkeg.server.tables.cache import TableCache
from powderkeg.server.tables.presence import PresenceTracker
from powderkeg.server.views.pictures import PictureCache

LARGEST_MESSAGE = 65_536
logger = structlog.get_logger()


class ServerProcess:
    """Everything in the memory of one process. Nothing important is stored only here."""

    def __init__(
        self,
        settings: Settings,
        games: Mapping[str, Game],
        clock: Callable[[], float] = time.time,
    ) -> None:
        self.settings, self.games, self.clock = settings, games, clock
        self.store = Store(settings)
        self.events = self.store.events
        self.cache = TableCache(self.store, games, clock)
        self.presence = PresenceTracker(self.cache)
        self.limiter = RateLimiter(self.store, clock, on=settings.limits)
        memory = settings.bot_megabytes << 20
        guards = [
            Guard(settings.bot_seconds, memory, nice=settings.bot_nice)
            for _ in range(2 * settings.bots)
        ]
        self.bots = BotProcesses(guards, settings.bot_seconds, settings.bot_levels)
        self.sender = NoticeSender(self.store, settings, clock)
        self.housekeeper = Housekeeper(self.store, clock)
        handlers = job_handlers(self.cache, self.bots, self.sender)
        self.worker = JobWorker(self.store, handlers, worker_lanes(settings.bots), clock)
        self.analysis = AnalysisProcess(settings.bot_nice)
        self.pictures = PictureCache()
        self.heap = HeapKeeper()
        self.loop_watch = LoopWatch(settings.step_milliseconds / 1000)

    async def open(self) -> None:
        await self.store.open()
        try:
            await migrate.upgrade_database(self.store)
            key = await ensure_push_key(self.store, self.settings)
        except BaseException:
            await self.store.close()
            raise
        self.settings = self.sender.settings = replace(self.settings, vapid_key=key)
        chores = self.worker.each_second
        chores += [
            self.cache.drop_unused,
            self.presence.note_connected,
            self.housekeeper.clean_up,
            self.heap.sweep,
        ]
        if self.settings.is_sqlite:
            await self.worker.forget_claims()
            chores.append(self.store.publish_host_events)
        else:
            chores.append(self.presence.learn_from_others)
        self.worker.start(jobs=self.settings.jobs)
        self.loop_watch.open()
        self.heap.open()

    async def close(self) -> None:
        """Drain: ask clients to reconnect, finish running jobs."""
        self.events.close()
        self.heap.close()
        await self.loop_watch.close()
        await self.worker.stop()
        self.analysis.close()
        self.bots.close()
        await self.sender.close()
        for _ in range(250):
            if not self.presence.connections:
                break
            await asyncio.sleep(0.02)
        await self.store.close()


def check_database(settings: Settings) -> None:
    """Open the database, migrate it and close it, to report problems before the start. On SQLite the
    lock stays: of two that start at once, one serves and the other is refused here, in words."""

    async def open_and_close() -> None:
        store = Store(settings)
        try:
            await store.open()
            await migrate.upgrade_database(store)
            store.leave_lock()
        finally:
            await store.close()

    asyncio.run(open_and_close())


async def run_worker(settings: Settings) -> None:
    """A process without a web server: runs jobs until it gets a signal to stop."""
    use_logs()
    server = ServerProcess(settings, load_games(settings.games))
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):  # loops on Windows know no signals
        signal.signal(number, lambda *_: loop.call_soon_threadsafe(stop.set))
    await server.open()
    logger.info("worker started")
    try:
        await stop.wait()
    finally:
        await server.close()
        logger.info("worker stopped")
