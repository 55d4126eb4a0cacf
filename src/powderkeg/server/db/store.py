"""Transactions on SQLite or PostgreSQL. Commit first, then publish.

What a transaction publishes (`Tx.publish`) reaches subscribers only if it commits: PostgreSQL
carries it as NOTIFY inside the transaction to every process; with SQLite there is only this one.

SQLite is called directly: its statements take microseconds, and handing each to a thread and back
took ten times as long. Its commit waits for the disk, so a thread does it, for a whole group: see
`db.group_commit`. Nothing else is awaited inside a transaction, so none is ever held open.
"""

import asyncio
import contextlib
import json
import os
import sqlite3
import sys
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import IO, Any, TypeVar

import asyncpg  # type: ignore[import-untyped]  # it ships no types
import structlog
from sqlalchemy import (
    Connection,
    Engine,
    Executable,
    Row,
    Table,
    create_engine,
    event,
    make_url,
    text,
)
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import (
    ArgumentError,
    DBAPIError,
    IntegrityError,
    InvalidRequestError,
    OperationalError,
)
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from powderkeg.core.errors import RulesError
from powderkeg.server.db import schema
from powderkeg.server.db.events import EVERYTHING, EventHub, EventNote
from powderkeg.server.db.group_commit import GroupCommit
from powderkeg.server.db.prepared import PreparedQuery, PreparedStatement
from powderkeg.server.settings import Settings

logger = structlog.get_logger()
NOTIFY_CHANNEL = "powderkeg"
# FULL: an acknowledged action survives a power cut, not only a crash of the process.
PRAGMAS = ("journal_mode=WAL", "synchronous=FULL", "busy_timeout=5000", "foreign_keys=ON")
T = TypeVar("T")


class CannotStart(RulesError):
    """The database belongs to a newer Powderkeg, is of an unknown kind, or is in use by another
    process."""


@contextmanager
def _known_errors(statement: Executable, rows: list[dict[str, Any]]) -> Iterator[None]:
    """Raise the errors of SQLite as SQLAlchemy does."""
    try:
        yield
    except sqlite3.IntegrityError as error:
        raise IntegrityError(str(statement), rows, error) from error
    except sqlite3.Error as error:
        raise OperationalError(str(statement), rows, error) from error


class Tx:
    """One transaction, with a method for each thing that we do in one."""

    def __init__(
        self, connection: AsyncConnection | Connection, direct: sqlite3.Connection | None = None
    ) -> None:
        self.connection = connection
        self.direct = direct
        self.events: list[tuple[str, EventNote]] = []

    async def _do(self, query: Executable, rows: list[dict[str, Any]] | None = None) -> Any:
        if isinstance(self.connection, Connection):
            return self.connection.execute(query, rows)
        return await self.connection.execute(query, rows)

    async def one(self, query: Executable) -> Row[Any] | None:
        return (await self._do(query)).first()  # type: ignore[no-any-return]  # of a result

    async def all(self, query: Executable) -> Sequence[Row[Any]]:
        return (await self._do(query)).all()  # type: ignore[no-any-return]  # of a result

    async def value(self, query: Executable) -> Any:
        return (await self._do(query)).scalar()

    async def run(self, query: Executable, rows: list[dict[str, Any]] | None = None) -> int:
        """Execute a statement; return the number of affected rows."""
        return (await self._do(query, rows)).rowcount  # type: ignore[no-any-return]  # of a result

    async def run_prepared(self, prepared: PreparedStatement, rows: list[dict[str, Any]]) -> int:
        """Execute a statement that was built once; return the number of affected rows."""
        if self.direct is None:
            return await self.run(prepared.statement, rows)
        with _known_errors(prepared.statement, rows):
            return prepared.run(self.direct, self.connection.dialect, rows)

    async def find_rows(self, query: PreparedQuery, **values: Any) -> list[dict[str, Any]]:
        """The rows that a prepared query finds, as dictionaries."""
        if self.direct is None:
            found = await self._do(query.statement, [values])
            return [dict(row) for row in found.mappings()]
        with _known_errors(query.statement, [values]):
            return query.find_rows(self.direct, self.connection.dialect, values)

    async def look_up(self, query: PreparedQuery, key: str) -> dict[str, Any] | None:
        """The row that a query finds by its parameter `key`."""
        found = await self.find_rows(query, key=key)
        return found[0] if found else None

    def publish(self, topic: str, **note: Any) -> None:
        """Wake the subscribers of `topic` once this transaction is committed."""
        self.events.append((topic, note))

    def upsert(
        self, table: Table, row: dict[str, Any], keys: list[str], changes: dict[str, Any]
    ) -> Any:
        """An INSERT of `row`. A row with the same `keys` gets `changes` instead; without `changes` it
        stays as it is."""
        insert: Any = postgresql.insert if self.is_postgres else sqlite.insert
        made = insert(table).values(**row)
        if not changes:
            return made.on_conflict_do_nothing(index_elements=keys)
        return made.on_conflict_do_update(index_elements=keys, set_=changes)

    @property
    def is_postgres(self) -> bool:
        return self.connection.dialect.name == "postgresql"


class Store:
    """The database of one process. `events` publishes the events committed by any process."""

    def __init__(self, settings: Settings, *, serves: bool = True) -> None:
        self.settings = settings
        self.events = EventHub()
        self.serves = serves  # false: a host's command beside a running server
        self._lock: IO[str] | None = None
        self._listener: asyncio.Task[None] | None = None
        self.postgres: AsyncEngine | None = None
        if settings.is_sqlite:
            _database_folder(settings.url).mkdir(parents=True, exist_ok=True)
            self.writer = _sqlite_engine(settings.url, "BEGIN IMMEDIATE")
            grouped = _sqlite_engine(settings.url, pragmas=(*PRAGMAS, "wal_autocheckpoint=0"))
            self.commits = GroupCommit(grouped, self._publish_all)
            self.reader = _sqlite_engine(settings.url, "BEGIN")
        else:
            self.postgres = _postgres_engine(settings)

    async def open(self) -> None:
        if self.settings.is_sqlite:
            if self.serves:
                self._lock = _lock_database(self.settings.url)
        elif self.serves:
            self._listener = asyncio.create_task(self._listen())

    async def close(self) -> None:
        if self._listener:
            self._listener.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._listener
        if self.postgres is not None:
            await self.postgres.dispose()
        else:
            await self.commits.close()
            self.commits.engine.dispose()
            self.writer.dispose()
            self.reader.dispose()
        if self._lock:
            self._lock.close()

    def leave_lock(self) -> None:
        """Leave the lock to the next store of this process, so that no other process comes between."""
        if self._lock:
            _LEFT_LOCKS[self.settings.url] = self._lock
            self._lock = None

    @asynccontextmanager
    async def read(self) -> AsyncIterator[Tx]:
        if self.postgres is None:
            with self.reader.begin() as connection:
                direct: Any = connection.connection.driver_connection
                yield Tx(connection, direct)
            return
        async with self.postgres.begin() as remote:
            yield Tx(remote)

    async def run_sync(self, work: Callable[..., T], *args: Any) -> T:
        """Run a function that needs a plain connection, such as a migration, in a transaction."""
        if self.postgres is None:
            with self.writer.begin() as direct:
                return work(direct, *args)
        async with self.postgres.begin() as connection:
            return await connection.run_sync(work, *args)

    @asynccontextmanager
    async def write(self) -> AsyncIterator[Tx]:
        if self.postgres is None:
            async with self.commits.join() as member:
                tx = Tx(member.connection, member.direct)
                yield tx
                if self.serves:
                    member.events += tx.events
                elif tx.events:
                    rows = [{"topic": topic, "note": note} for topic, note in tx.events]
                    await tx.run(schema.host_events.insert(), rows)
            return
        async with self.postgres.begin() as connection:
            tx = Tx(connection)
            yield tx
            for payload in _notify_payloads(tx.events):
                await connection.execute(
                    text("SELECT pg_notify(:channel, :payload)"),
                    {"channel": NOTIFY_CHANNEL, "payload": payload},
                )

    def _publish_all(self, events: list[tuple[str, EventNote]]) -> None:
        for topic, note in events:
            self.events.publish(topic, note)

    async def publish_host_events(self) -> None:
        """SQLite: publish events left by the host's commands, which run in another process."""
        waiting_events = schema.host_events
        async with self.read() as tx:
            rows = await tx.all(waiting_events.select().order_by(waiting_events.c.id).limit(100))
        if rows:
            async with self.write() as tx:
                last = max(row.id for row in rows)
                await tx.run(waiting_events.delete().where(waiting_events.c.id <= last))
                for row in rows:
                    tx.publish(row.topic, **row.note)

    async def _listen(self) -> None:
        """PostgreSQL: listen to every process; after a lost connection anything may have changed."""
        url = make_url(self.settings.url).set(drivername="postgresql")
        pause = 0.1
        while True:
            try:
                line = await asyncpg.connect(url.render_as_string(hide_password=False))
                try:
                    await line.add_listener(NOTIFY_CHANNEL, self._receive)
                    self.events.publish(EVERYTHING, {})
                    pause = 0.1
                    while not line.is_closed():  # a dead connection is noticed only by using it
                        await asyncio.sleep(5)
                        await asyncio.wait_for(line.execute("SELECT 1"), 5)
                finally:
                    await line.close(timeout=1)
            except (OSError, TimeoutError, asyncpg.PostgresError, asyncpg.InterfaceError) as error:
                logger.warning(
                    "lost the connection that listens for events", error=str(error), retry_in=pause
                )
                await asyncio.sleep(pause)
                pause = min(pause * 2, 5)

    def _receive(self, line: Any, pid: int, channel: str, payload: str) -> None:
        for topic, note in json.loads(payload):
            self.events.publish(topic, note)


def _notify_payloads(events: list[tuple[str, dict[str, Any]]]) -> list[str]:
    """The events packed into as few messages as PostgreSQL's limit of 8,000 bytes allows."""
    return [json.dumps(events[i : i + 40]) for i in range(0, len(events), 40)]


# PostgreSQL's refusals of a connection, deadlocks and shutdowns come as plain DBAPIError.
GONE_ERRORS = ("OperationalError", "InterfaceError", "InternalError", "DBAPIError")


def is_database_gone(error: BaseException) -> bool:
    """Whether the database cannot be used at the moment: unreachable, full, or busy for too long."""
    if isinstance(
        error, OSError | TimeoutError | asyncpg.InterfaceError | sqlite3.OperationalError
    ):
        return True
    if isinstance(error, DBAPIError):
        return error.connection_invalidated or type(error).__name__ in GONE_ERRORS
    return type(error).__module__.startswith("sqlalchemy") and "Timeout" in type(error).__name__


def _database_folder(url: str) -> Path:
    return Path(make_url(url).database or ".").parent


def _postgres_engine(settings: Settings) -> AsyncEngine:
    url = settings.url
    try:
        if make_url(url).get_backend_name() == "postgresql":
            return create_async_engine(
                url, pool_size=10, max_overflow=10, pool_pre_ping=True, pool_timeout=10
            )
    except (ArgumentError, InvalidRequestError, ImportError, ValueError):
        pass  # not a URL, or its driver is missing or not asynchronous
    raise _unknown_database(settings.database_url)


def _unknown_database(url: str) -> CannotStart:
    scheme, found, _ = url.partition("://")  # the rest may contain a password
    return CannotStart("server.unknown_database", scheme=scheme if found else "?")


def _sqlite_engine(url: str, begin: str = "", pragmas: tuple[str, ...] = PRAGMAS) -> Engine:
    """An engine that says `begin` where a transaction begins (empty: it does not)."""
    try:
        engine = create_engine(
            url, max_overflow=-1, connect_args={"check_same_thread": False}
        )  # waiting for a connection would block the whole process
    except (ArgumentError, InvalidRequestError, ImportError):
        raise _unknown_database(url) from None

    @event.listens_for(engine, "connect")
    def on_connect(connection: Any, record: Any) -> None:
        connection.isolation_level = None  # we say BEGIN ourselves
        cursor = connection.cursor()
        for pragma in pragmas:
            cursor.execute(f"PRAGMA {pragma}")
        cursor.close()

    @event.listens_for(engine, "begin")
    def on_begin(connection: Any) -> None:
        if begin:
            connection.connection.driver_connection.execute(begin)

    return engine


if sys.platform == "win32":
    import msvcrt

    def _lock_file(file: IO[str]) -> None:
        """Windows lets no other process read locked bytes, so we lock a byte after the text."""
        file.seek(1 << 16)
        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)

else:
    import fcntl

    def _lock_file(file: IO[str]) -> None:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


_LEFT_LOCKS: dict[str, IO[str]] = {}  # by the URL of the database


def _lock_database(url: str) -> IO[str]:
    """Hold the lock beside the database file, or refuse with the process that holds it."""
    if (left := _LEFT_LOCKS.pop(url, None)) is not None:
        return left
    path = Path(f"{make_url(url).database}.lock")
    lock = path.open("a+", encoding="ascii")
    try:
        _lock_file(lock)
    except OSError:
        lock.seek(0)
        pid = lock.read().strip() or "?"
        lock.close()
        raise CannotStart("server.second_process", file=str(path.parent), pid=pid) from None
    lock.seek(0)
    lock.truncate()
    lock.write(str(os.getpid()))
    lock.flush()
    return lock
