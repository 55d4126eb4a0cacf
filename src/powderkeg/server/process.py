"""Starting and stopping processes: checks before the start, a worker without a web server."""

import asyncio
import signal

import structlog

from powderkeg.server.app import Server, all_games
from powderkeg.server.db import migrate
from powderkeg.server.db.store import Store
from powderkeg.server.logs import use_logs
from powderkeg.server.settings import Settings

LARGEST_MESSAGE = 65_536
logger = structlog.get_logger()


def check(settings: Settings) -> None:
    """Open the database, bring it up to date, close it: what is wrong is said before the start."""

    async def open_and_close() -> None:
        store = Store(settings)
        try:
            await store.open()
            await migrate.upgrade(store)
        finally:
            await store.close()

    asyncio.run(open_and_close())


async def work(settings: Settings) -> None:
    """A worker: does jobs until it is told to stop, then finishes what it has begun."""
    use_logs()
    server = Server(settings, all_games(settings.games))
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
