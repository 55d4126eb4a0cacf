"""Starting and stopping processes: checks before the start, logs, a worker without a web server."""

import asyncio
import logging
import signal
import sys

import structlog

from powderkeg.server import migrate
from powderkeg.server.app import Server, all_games
from powderkeg.server.settings import Settings
from powderkeg.server.store import Store

LARGEST_MESSAGE = 65_536
logger = structlog.get_logger()


def use_logs(*, readable: bool | None = None) -> None:
    """One line a happening: JSON for programs, plain text on a terminal."""
    on_terminal = sys.stderr.isatty() if readable is None else readable
    last = structlog.dev.ConsoleRenderer() if on_terminal else structlog.processors.JSONRenderer()
    shared: list[structlog.typing.Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso"),
        structlog.processors.dict_tracebacks if not on_terminal else _as_it_is,
    ]
    structlog.configure(
        processors=[*shared, last],
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
        wrapper_class=structlog.make_filtering_bound_logger(logging.INFO),
    )
    handler = logging.StreamHandler(sys.stderr)
    formatter = structlog.stdlib.ProcessorFormatter(
        foreign_pre_chain=shared,
        processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, last],
    )
    handler.setFormatter(formatter)
    logging.basicConfig(handlers=[handler], level=logging.WARNING, force=True)


def _as_it_is(
    logger: structlog.typing.WrappedLogger, name: str, event: structlog.typing.EventDict
) -> structlog.typing.EventDict:
    return event


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
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stop.set)
    await server.open()
    logger.info("worker started")
    try:
        await stop.wait()
    finally:
        await server.close()
        logger.info("worker stopped")
