"""Checkpoints of SQLite: what was committed goes from its journal into the database file.

SQLite would do this inside a commit, each time the journal has grown by a thousand pages, and everybody
who writes then would wait for it. Here a thread of its own does it, beside the writers. Only under
constant load, when the journal never runs empty and so never begins again at its start, a commit copies
the short rest itself.
"""

import asyncio
import contextlib
import sqlite3
from concurrent.futures import ThreadPoolExecutor

import structlog
from sqlalchemy import Connection, Engine
from sqlalchemy.exc import SQLAlchemyError

logger = structlog.get_logger()
COPIED_ROWS = 600  # changed rows between checkpoints: about a thousand pages
LONG_JOURNAL = 8_000  # pages (32 MB) from which the journal must begin again at its start


class JournalCopier:
    """Copies the journal of one database, one checkpoint at a time."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.connection: Connection | None = None
        self.thread = ThreadPoolExecutor(1, "checkpoint")
        self.task: asyncio.Task[bool] | None = None
        self.changes = 0  # rows that the writers had changed at the last checkpoint
        self.is_long = False

    def note_commit(self, changes: int) -> None:
        """Plan a checkpoint if the writers have changed enough rows since the last one."""
        busy = self.task is not None and not self.task.done()
        if not busy and abs(changes - self.changes) >= COPIED_ROWS:
            self.changes = changes
            self.task = asyncio.create_task(self.copy_journal())

    async def copy_journal(self) -> bool:
        """One checkpoint; writers are not kept waiting. Return whether every page it found was copied;
        what fails is tried again the next time."""
        loop = asyncio.get_running_loop()
        try:
            pages, copied = await loop.run_in_executor(self.thread, self._copy_now)
        except (sqlite3.Error, SQLAlchemyError, OSError) as error:
            logger.warning("a checkpoint failed", error=str(error))
            return False
        # Others wrote meanwhile, beyond what was counted: only a copy that nobody disturbs ends it.
        self.is_long = pages > LONG_JOURNAL
        return copied == pages

    async def copy_rest(self) -> None:
        """Copy the rest of a long journal, while nobody writes: the next writer begins it again."""
        if self.is_long:
            self.is_long = not await self.copy_journal()

    def _copy_now(self) -> tuple[int, int]:
        """Pages in the journal, and how many of them are in the database now: in the thread."""
        if self.connection is None:
            self.connection = self.engine.connect()
        direct = self.connection.connection.driver_connection
        assert isinstance(direct, sqlite3.Connection)  # noqa: S101  # an engine of SQLite
        _, pages, copied = direct.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
        return pages, copied

    async def close(self) -> None:
        if self.task is not None:
            with contextlib.suppress(Exception):
                await self.task
        self.thread.shutdown()
        if self.connection is not None:
            self.connection.close()
