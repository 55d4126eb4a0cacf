"""One commit for all who write at the same time (SQLite).

A commit waits for the disk, a hundred times longer than the statements before it. So nobody commits
alone: each writer works in a savepoint of the open transaction, one after the other, and a thread then
commits for all of them. Those who come meanwhile form the next group; under load groups grow by
themselves, and a single writer waits for nobody. Only after the commit do the writers go on and their
events reach subscribers. A writer that fails is rolled back to its savepoint and the others stay; if
the commit fails, all of the group fail.
"""

import asyncio
import contextlib
import sqlite3
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from sqlalchemy import Connection, Engine

from powderkeg.server import metrics
from powderkeg.server.db.checkpoints import JournalCopier
from powderkeg.server.db.events import EventNote

Events = list[tuple[str, EventNote]]


@dataclass(slots=True)
class GroupMember:
    """One writer: the connection of its group, and the events to publish after the commit."""

    connection: Connection
    direct: sqlite3.Connection  # the same without SQLAlchemy, for what is done with every action
    events: Events = field(default_factory=list)


@dataclass(slots=True)
class CommitGroup:
    """The writers of one transaction. `finish` is its commit."""

    members: list[GroupMember] = field(default_factory=list)
    finish: asyncio.Task[None] | None = None
    is_lost: bool = False  # SQLite has rolled everything back


class GroupCommit:
    """The one writing connection of a process. `publish` gets the events of each committed group."""

    def __init__(self, engine: Engine, publish: Callable[[Events], None]) -> None:
        self.engine = engine  # one that begins no transactions
        self.publish = publish
        self.connection: Connection | None = None
        self.direct: sqlite3.Connection | None = None
        self.copier = JournalCopier(engine)
        self.group = CommitGroup()
        self.turn = asyncio.Lock()  # one writer at a time, first come, first served
        # Not the common pool: bots and studies keep its threads for seconds.
        self.thread = ThreadPoolExecutor(1, "commit")

    @asynccontextmanager
    async def join(self) -> AsyncIterator[GroupMember]:
        """Write as one of a group; return once it is committed."""
        async with self.turn:
            group, member = self.group, self._open_member()
            direct = member.direct
            direct.execute("SAVEPOINT one")
            try:
                yield member
                direct.execute("RELEASE one")
            except BaseException:
                self._roll_back(direct, group)
                raise
            group.members.append(member)
            finish = self._plan_commit(group)
        await asyncio.shield(finish)  # a writer that is cancelled now is committed all the same

    def _open_member(self) -> GroupMember:
        """A writer in the open transaction; the first one of a group begins it."""
        if self.connection is None or self.direct is None:
            self.connection = self.engine.connect()
            found = self.connection.connection.driver_connection
            assert isinstance(found, sqlite3.Connection)  # noqa: S101  # an engine of SQLite
            self.direct = found
        if not self.direct.in_transaction:
            self.direct.execute("BEGIN IMMEDIATE")
        return GroupMember(self.connection, self.direct)

    def _roll_back(self, direct: sqlite3.Connection, group: CommitGroup) -> None:
        """Undo one writer. A full disk makes SQLite end the whole transaction: then all fail."""
        try:
            direct.execute("ROLLBACK TO one")
            direct.execute("RELEASE one")
        except sqlite3.Error:  # the writer's own error is raised
            group.is_lost = True
            self.group = CommitGroup()  # the next writer begins a transaction of its own
            self._drop_connection()
        if not group.members:
            with contextlib.suppress(sqlite3.Error):
                direct.rollback()  # nothing else was written: no lock stays behind

    def _plan_commit(self, group: CommitGroup) -> asyncio.Task[None]:
        """The commit of the group, after those who wait for their turn already."""
        if group.finish is None:
            group.finish = asyncio.create_task(self._commit_group(group))
        return group.finish

    async def _commit_group(self, group: CommitGroup) -> None:
        async with self.turn:
            if group.is_lost:
                raise OSError("the database has rolled back a group of writers")
            self.group = CommitGroup()
            loop = asyncio.get_running_loop()
            try:
                with metrics.time_commit(len(group.members)):
                    await loop.run_in_executor(self.thread, self.commit_now)
            except BaseException:
                self._drop_connection()
                raise
            await self.copier.copy_rest()
        if self.direct is not None:
            self.copier.note_commit(self.direct.total_changes)
        self.publish([event for member in group.members for event in member.events])

    def commit_now(self) -> None:
        """Wait for the disk: in a thread."""
        if self.direct is not None:
            self.direct.commit()

    def _drop_connection(self) -> None:
        connection, self.connection, self.direct = self.connection, None, None
        if connection is not None:
            with contextlib.suppress(Exception):
                connection.invalidate()
            with contextlib.suppress(Exception):
                connection.close()

    async def close(self) -> None:
        async with self.turn:
            if self.connection is not None:
                self.connection.close()
                self.connection = self.direct = None
        await self.copier.close()
        self.thread.shutdown()
