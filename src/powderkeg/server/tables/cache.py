"""The tables that this process has in memory, and the one way to change a table.

To change a table means: hold its lock in this process, lock its row, bring the table in memory up
to date, and write everything in one transaction. If two processes still collide,
the log's primary key decides which one wins. A change that fails leaves no trace: the table is
dropped from memory and loaded again.
"""

import asyncio
import time
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from typing import Any

from sqlalchemy import bindparam, select, update

from powderkeg.core import plain
from powderkeg.core.chance import CHANCE
from powderkeg.core.errors import RulesError, Stale
from powderkeg.core.game import Game, Options, State
from powderkeg.core.table import Entry
from powderkeg.server import message_json, metrics
from powderkeg.server.db import schema
from powderkeg.server.db.events import EVERYTHING, EventNote
from powderkeg.server.db.rows import DraftRow, HookRow, ProposalRow, SeatRow, TableRow
from powderkeg.server.db.store import Store, Tx
from powderkeg.server.refusals import conflict, not_found
from powderkeg.server.tables import after_move
from powderkeg.server.tables.loaded import LoadedTable, TableChange
from powderkeg.server.tables.replay import LogLine, ReplayedGame, resume_replay

TABLES_IN_MEMORY = 3000
g, s, lg = schema.games.c, schema.seats.c, schema.log.c


@dataclass(slots=True)
class CacheEntry:
    """A place in the cache; `loaded` is None until somebody looks, and after a failed change."""

    id: str
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    is_stale: bool = True
    loaded: LoadedTable | None = None

    def forget(self) -> None:
        self.is_stale, self.loaded = True, None


class TableMoved(Stale):
    """Another process changed the table since this one looked: look again."""


class TableCache:
    def __init__(
        self, store: Store, games: Mapping[str, Game], clock: Callable[[], float] = time.time
    ) -> None:
        self.store = store
        self.games = games
        self.clock = clock
        self.entries: OrderedDict[str, CacheEntry] = OrderedDict()
        store.events.add_listener(self.mark_stale)

    def mark_stale(self, topic: str, note: EventNote) -> None:
        """A table changed in some process: the copy in memory may be outdated."""
        if topic == EVERYTHING:
            for entry in self.entries.values():
                entry.is_stale = True
        elif topic.startswith("table:") and (known := self.entries.get(topic[6:])):
            loaded = known.loaded
            old = loaded is None or loaded.row.rev < note.get("rev", loaded.row.rev + 1)
            known.is_stale = known.is_stale or old

    def note_presence(self, table: str, seat: str, now: float) -> None:
        """Record that a seat is present; everything else in memory stays valid."""
        entry = self.entries.get(table)
        if entry is None or entry.is_stale or entry.loaded is None:
            return
        seats = entry.loaded.seats
        if seat in seats:
            seats[seat] = replace(seats[seat], seen=now)

    def _entry(self, table: str) -> CacheEntry:
        if not (table.isascii() and table.isalnum()):
            raise not_found()  # no id of ours: the database is not asked
        entry = self.entries.setdefault(table, CacheEntry(table))
        self.entries.move_to_end(table)
        if len(self.entries) > TABLES_IN_MEMORY:
            old = next(iter(self.entries.values()))
            if not old.lock.locked():
                del self.entries[old.id]
        return entry

    @asynccontextmanager
    async def look(self, table: str, *, trust: bool = False) -> AsyncIterator[LoadedTable]:
        """The table as committed. Nothing changes it inside the `with` block.

        With several processes, news of a change takes a moment to arrive. Requests therefore ask the
        database whether the copy in memory is up to date; sockets `trust` that copy, since an
        event will wake them.
        """
        entry = self._entry(table)
        async with entry.lock:
            loaded = entry.loaded
            if loaded is None or entry.is_stale or not (trust or self.store.settings.is_sqlite):
                async with self.store.read() as tx:
                    loaded = await self._load(tx, entry, lock=False)
            yield loaded

    @asynccontextmanager
    async def change(self, table: str) -> AsyncIterator[TableChange]:
        """Change a table: all or nothing."""
        entry = self._entry(table)
        async with entry.lock:
            try:
                async with self.store.write() as tx:
                    loaded = entry.loaded
                    if loaded is None or entry.is_stale or not self.store.settings.is_sqlite:
                        loaded = await self._load(tx, entry, lock=True)
                    change = TableChange(loaded, tx, self._now(loaded))
                    yield change
                    if change.is_touched:
                        await self._store(change)
            except BaseException:
                entry.forget()
                raise
            loaded.rendered.clear()

    def _now(self, loaded: LoadedTable) -> float:
        """The current time, which never goes backwards at a table even if the machine's clock does."""
        return max(self.clock(), float(loaded.row.moved))

    # Loading

    async def _load(self, tx: Tx, entry: CacheEntry, *, lock: bool) -> LoadedTable:
        query = select(schema.games).where(g.id == entry.id)
        found = await tx.one(query.with_for_update() if lock else query)
        if found is None:
            self.entries.pop(entry.id, None)
            raise not_found()
        loaded = entry.loaded
        if loaded is not None and loaded.row.rev == found.rev and not entry.is_stale:
            return loaded
        if loaded is None or loaded.row.rev != found.rev:
            loaded = await self._load_rows(tx, loaded, TableRow.load(found))
        await _load_drafts(tx, loaded)
        entry.loaded, entry.is_stale = loaded, False
        loaded.rendered.clear()
        return loaded

    async def _load_rows(self, tx: Tx, known: LoadedTable | None, row: TableRow) -> LoadedTable:
        loaded = known or LoadedTable(row, self.games[row.rules])
        loaded.row = row
        seats = await tx.all(select(schema.seats).where(s.game == row.id).order_by(s.place))
        loaded.seats = {seat.seat: SeatRow.load(seat) for seat in seats}
        p = schema.proposals.c
        query = select(schema.proposals).where(p.game == row.id, p.status == "open")
        loaded.proposals = [ProposalRow.load(each) for each in await tx.all(query)]
        hooks = await tx.all(select(schema.hooks).where(schema.hooks.c.game == row.id))
        loaded.hooks = [HookRow.load(hook) for hook in hooks]
        if row.status != "open":
            await self._load_game(tx, loaded)
        return loaded

    async def _load_game(self, tx: Tx, loaded: LoadedTable) -> None:
        """Bring the game to the head of the log: from where it is, or from a snapshot."""
        head = loaded.row.head
        if loaded.replayed is None or loaded.replayed.seq > head:
            loaded.replayed = await self.replay_to(tx, loaded.row, None)
        else:
            await _enter_log(tx, loaded.id, loaded.replayed, head)

    async def replay_to(self, tx: Tx, row: TableRow, seq: int | None) -> ReplayedGame:
        """The game after `seq` entries (None: all)."""
        upto = row.head if seq is None else seq
        game = self.games[row.rules]
        state: State = None
        length = 0
        if row.initial is not None:
            state = plain.load(game.State, row.initial)
        snaps = schema.snapshots.c
        near = (snaps.game == row.id) & (snaps.seq <= upto) & (snaps.version == game.version)
        snap = await tx.one(
            select(schema.snapshots).where(near).order_by(snaps.seq.desc()).limit(1)
        )
        if snap is not None:
            state, length = plain.load(game.State, snap.state), snap.seq
        options: Options = plain.load(game.Options, row.options)
        key = bytes.fromhex(row.key)
        replayed = resume_replay(game, row.players, options, key, state=state, length=length)
        await _enter_log(tx, row.id, replayed, upto)
        return replayed

    # Storing

    async def _store(self, change: TableChange) -> None:
        loaded, tx = change.loaded, change.tx
        await after_move.follow_change(change)
        if change.lines:
            rows = [_log_values(loaded.id, line) for line in change.lines]
            await tx.run(schema.log.insert(), rows)
            for row in rows:
                metrics.LOG_ENTRIES.labels(loaded.row.rules, row["by"]).inc()
            if snap := loaded.current.due_snapshot():
                await tx.run(schema.snapshots.insert(), [{"game": loaded.id, **snap}])
        await _store_seats(change)
        before = loaded.row.rev
        change.set(rev=before + 1)
        stored = update(schema.games).where(g.id == loaded.id, g.rev == before)
        if await tx.run(stored.values(**change.fields)) != 1:
            raise TableMoved("server.moved_on")
        tx.publish(f"table:{loaded.id}", rev=before + 1)


async def _load_drafts(tx: Tx, loaded: LoadedTable) -> None:
    rows = await tx.all(select(schema.drafts).where(schema.drafts.c.game == loaded.id))
    loaded.drafts = {row.seat: DraftRow.load(row) for row in rows}


async def _enter_log(tx: Tx, table: str, replayed: ReplayedGame, upto: int) -> None:
    """Replay the stored entries up to `upto`."""
    if replayed.seq >= upto:
        return
    part = (lg.game == table) & (lg.seq >= replayed.seq) & (lg.seq < upto)
    query = select(lg.seat, lg.do, lg.at, lg.barrier).where(part).order_by(lg.seq)
    for row in await tx.all(query):
        try:
            replayed.enter(Entry(row.seat, row.do, row.at), barrier=row.barrier)
        except RulesError as error:  # the rules have changed under a running game
            raise conflict("rules_changed", seq=replayed.seq, why=error.msg) from error


async def _store_seats(change: TableChange) -> None:
    """Update all seats that changed in the same fields with one statement."""
    alike: dict[tuple[str, ...], list[dict[str, Any]]] = {}
    for seat, fields in change.seat_fields.items():
        row = {"b_seat": seat, **{f"b_{name}": value for name, value in fields.items()}}
        alike.setdefault(tuple(sorted(fields)), []).append(row)
    for names, rows in alike.items():
        where = (s.game == change.loaded.id) & (s.seat == bindparam("b_seat"))
        values = {name: bindparam(f"b_{name}", type_=s[name].type) for name in names}
        await change.tx.run(update(schema.seats).where(where).values(values), rows)


def _log_values(table: str, line: LogLine) -> dict[str, Any]:
    return {
        "game": table,
        "seq": line.seq,
        "seat": line.entry.seat,
        "do": line.entry.do,
        "at": line.entry.at,
        "command": line.command,
        "by": "chance" if line.entry.seat == CHANCE else line.by,
        "barrier": line.barrier,
        "undoes": line.undoes,
        "phase": line.phase,
        "facts": [message_json.dump_fact(fact) for fact in line.facts],
    }
