"""Presence: connected players are noted in the database from time to time, for all processes."""

from typing import Protocol, TypeAlias

from sqlalchemy import select, tuple_, update

from powderkeg.server.db import schema
from powderkeg.server.db.rows import PRESENT_SECONDS
from powderkeg.server.tables.cache import UPDATE_SEATS, TableCache

HeldSeat: TypeAlias = tuple[str, str]  # a table, and a seat there
LOOK_EVERY = 5.0  # seconds between looks at all connections, where nobody came
NOTE_EVERY = 20.0  # seconds between notes of a seat that is connected here
NOTED_AT_ONCE = 100  # seats: a step of the event loop of about a millisecond
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
        self.noted: dict[HeldSeat, float] = {}  # when each seat connected here was last stored
        self.learned = self.looked = 0.0
        self.known: set[SeatHolder] = set()  # the connections at the last look

    async def note_connected(self) -> None:
        """Store who is connected here, each seat from time to time and those who came at once. Few at
        a time: others write in between."""
        now = self.cache.clock()
        if now - self.looked < LOOK_EVERY and self.connections <= self.known:
            return
        self.looked, self.known = now, set(self.connections)
        held = {(line.table, seat) for line in self.connections for seat in line.held}
        self.noted = {key: self.noted.get(key, 0.0) for key in held}
        due = sorted(key for key, at in self.noted.items() if now - at >= NOTE_EVERY)
        for i in range(0, len(due), NOTED_AT_ONCE):
            await self._note_seats(due[i : i + NOTED_AT_ONCE], now)

    async def _note_seats(self, seats: list[HeldSeat], now: float) -> None:
        """Store some seats in one transaction. A seat locked by another transaction is left for the
        next time, to avoid deadlocks."""
        self.noted |= dict.fromkeys(seats, now)
        async with self.cache.store.write() as tx:
            if tx.is_postgres:
                key = tuple_(s.game, s.seat)
                free = select(*key.clauses).where(key.in_(seats)).with_for_update(skip_locked=True)
                await tx.run(update(schema.seats).where(key.in_(free)).values(seen=now))
            else:
                rows = [{"k_game": game, "k_seat": seat, "v_seen": now} for game, seat in seats]
                await tx.run_prepared(UPDATE_SEATS.of(("seen",)), rows)
        for table, seat in seats:
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
