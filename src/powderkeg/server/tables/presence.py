"""Presence: connected players are noted in the database from time to time, for all processes."""

from typing import Protocol

from sqlalchemy import select, tuple_, update

from powderkeg.server.db import schema
from powderkeg.server.db.rows import PRESENT_SECONDS
from powderkeg.server.tables.cache import TableCache

NOTE_EVERY = 20.0  # seconds between notes of the people connected here
LEARN_EVERY = 3.0  # seconds between looks at the notes of other processes
s = schema.seats.c


class SeatHolder(Protocol):
    """A connection of somebody who holds seats of a table."""

    table: str
    held: tuple[str, ...]


class PresenceTracker:
    def __init__(self, cache: TableCache) -> None:
        self.cache = cache
        self.connections: set[SeatHolder] = set()
        self.noted = 0.0
        self.learned = 0.0

    def note_soon(self) -> None:
        """Somebody connected: store it within a second."""
        self.noted = 0.0

    async def note_connected(self) -> None:
        """Store who is connected here, in one transaction. A seat locked by another transaction is
        left for the next time, to avoid deadlocks."""
        now = self.cache.clock()
        if now - self.noted < NOTE_EVERY or not self.connections:
            return
        self.noted = now
        held = sorted({(line.table, seat) for line in self.connections for seat in line.held})
        key = tuple_(s.game, s.seat)
        async with self.cache.store.write() as tx:
            for i in range(0, len(held), 1000):
                mine = key.in_(held[i : i + 1000])
                if tx.is_postgres:
                    free = select(*key.clauses).where(mine).with_for_update(skip_locked=True)
                    mine = key.in_(free)
                await tx.run(update(schema.seats).where(mine).values(seen=now))
        for table, seat in held:
            self.cache.note_presence(table, seat, now)

    async def learn_from_others(self) -> None:
        """Read the notes of other processes about their connected players."""
        now = self.cache.clock()
        if now - self.learned < LEARN_EVERY:
            return
        self.learned = now
        query = select(s.game, s.seat, s.seen).where(s.seen > now - PRESENT_SECONDS)
        async with self.cache.store.read() as tx:
            for row in await tx.all(query):
                self.cache.note_presence(row.game, row.seat, row.seen)
