"""The tables that this process has in memory, and the one way to change a table.

To change a table means: hold its lock in this process, lock its row, bring the table in memory up
to date, and write everything in one transaction. If two processes still collide,
the log's primary key decides which one wins. A change that fails leaves no trace: the table is
dropped from memory and loaded again, unless it was refused before anything had changed.
"""

import asyncio
import itertools
import sys
import time
from collections import Counter, OrderedDict, deque
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import bindparam, func, select

from powderkeg.core import plain, record
from powderkeg.core.errors import RulesError, Stale
from powderkeg.core.game import Game, Options, State
from powderkeg.core.table import Entry
from powderkeg.server import message_json, metrics
from powderkeg.server.db import schema
from powderkeg.server.db.events import EVERYTHING, EventNote
from powderkeg.server.db.prepared import (
    PreparedQuery,
    PreparedStatement,
    PreparedUpdates,
    prepare_lookup,
)
from powderkeg.server.db.rows import DraftRow, HookRow, ProposalRow, SeatRow, TableRow
from powderkeg.server.db.store import Store, Tx
from powderkeg.server.refusals import conflict, not_found
from powderkeg.server.step_times import StepTimes
from powderkeg.server.tables import after_move
from powderkeg.server.tables.loaded import LoadedTable, TableChange
from powderkeg.server.tables.replay import LogLine, ReplayedGame, resume_replay

BLOCK_BYTES = 100  # of an average block that Python allocates
DROPPED_AT_ONCE = 32  # tables
s, lg, ps, snaps = schema.seats.c, schema.log.c, schema.press.c, schema.snapshots.c
INSERT_LOG = PreparedStatement(schema.log.insert().values({c.name: bindparam(c.name) for c in lg}))
INSERT_SNAPSHOT = PreparedStatement(
    schema.snapshots.insert().values({c.name: bindparam(c.name) for c in schema.snapshots.c})
)
TABLE = prepare_lookup(schema.games, "id")
LOCKED_TABLE = PreparedQuery(TABLE.statement.with_for_update())
SEATS = PreparedQuery(prepare_lookup(schema.seats, "game").statement.order_by(s.place))
OPEN_PROPOSALS = prepare_lookup(schema.proposals, "game", schema.proposals.c.status == "open")
HOOKS = prepare_lookup(schema.hooks, "game")
DRAFTS = prepare_lookup(schema.drafts, "game")
PROGRAMS = PreparedQuery(
    select(schema.users.c.id)
    .join(schema.seats, s.user == schema.users.c.id)
    .where(s.game == bindparam("key"), schema.users.c.kind == "bot")
)
NEAREST_SNAPSHOT = PreparedQuery(
    select(snaps.seq, snaps.state)
    .where(snaps.game == bindparam("key"), snaps.version == bindparam("version"))
    .where(snaps.seq <= bindparam("upto"))
    .order_by(snaps.seq.desc())
    .limit(1)
)
LINES = PreparedQuery(
    select(lg.seat, lg.do, lg.at, lg.barrier, lg.by, lg.undoes, lg.phase)
    .where(lg.game == bindparam("key"), lg.seq >= bindparam("since"), lg.seq < bindparam("upto"))
    .order_by(lg.seq)
)
LAST_LETTER = select(func.max(ps.id)).where(ps.game == bindparam("game"))
UPDATE_GAMES = PreparedUpdates(schema.games, "id", "rev")
UPDATE_SEATS = PreparedUpdates(schema.seats, "game", "seat")


@dataclass(slots=True)
class CacheEntry:
    """An entry of the cache; `loaded` is None until the first look, and after a failed change."""

    id: str
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    is_stale: bool = True
    loaded: LoadedTable | None = None
    feeds: dict[Any, Any] = field(default_factory=dict)  # of `loaded`, and of the next one
    last_letter: int | None = None  # its number, once somebody asked
    letter_events: int = 0

    def forget(self) -> None:
        self.is_stale, self.loaded = True, None

    def forget_letters(self) -> None:
        self.last_letter = None
        self.letter_events += 1


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
        self.queues: dict[str, Any] = {}  # of commands that wait for a table
        store.events.add_listener(self.mark_stale)

    def mark_stale(self, topic: str, note: EventNote) -> None:
        """A table changed in some process: the copy in memory may be outdated."""
        if topic == EVERYTHING:
            for entry in self.entries.values():
                entry.is_stale = True
                entry.forget_letters()
        elif topic.startswith("press:") and (known := self.entries.get(topic[6:])):
            known.forget_letters()
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
            seats[seat] = seats[seat].changed({"seen": now})

    def _entry(self, table: str) -> CacheEntry:
        if not (table.isascii() and table.isalnum()):
            raise not_found()  # not an id of ours, so the database is not asked
        entry = self.entries.setdefault(table, CacheEntry(table))
        self.entries.move_to_end(table)
        return entry

    async def last_letter(self, table: str) -> int:
        """The number of the last letter at a table, 0 if there is none: those who follow its press
        then look for no more. An event that comes while the database is asked has the last word."""
        entry = self._entry(table)
        if entry.last_letter is not None:
            return entry.last_letter
        events = entry.letter_events
        async with self.store.read() as tx:
            found = await tx.value(LAST_LETTER.params(game=table)) or 0
        if entry.letter_events == events:
            entry.last_letter = found
        return int(found)

    async def drop_unused(self) -> None:
        """Drop the tables that were used longest ago while this process takes too much memory. What
        Python has allocated is counted, not what the system gave: that hardly ever shrinks."""
        most = self.store.settings.memory_megabytes * 2**20
        while self.entries and sys.getallocatedblocks() * BLOCK_BYTES > most:
            oldest = list(itertools.islice(self.entries.values(), DROPPED_AT_ONCE))
            idle = [entry for entry in oldest if not entry.lock.locked()]
            for entry in idle:
                del self.entries[entry.id]
            if not idle:
                return
            await asyncio.sleep(0)  # others first

    def peek(self, table: str) -> LoadedTable | None:
        """The table in memory, if it is up to date and nobody is changing it: for those who await
        nothing while they look."""
        entry = self.entries.get(table)
        if entry is None or entry.is_stale or entry.lock.locked():
            return None
        self.entries.move_to_end(table)
        return entry.loaded

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
        entry, steps, change = self._entry(table), StepTimes(), None
        async with entry.lock:
            try:
                async with self.store.write() as tx:
                    steps.end("wait")
                    loaded = entry.loaded
                    if loaded is None or entry.is_stale or not self.store.settings.is_sqlite:
                        loaded = await self._load(tx, entry, lock=True)
                    change = TableChange(loaded, tx, self._now(loaded))
                    steps.end("load")
                    yield change
                    steps.end("play")
                    if change.is_touched:
                        await self._store(change)
                    steps.end("write")
            except BaseException as error:
                if change is None or change.has_moved or not isinstance(error, RulesError):
                    entry.forget()
                raise
            loaded.rendered.clear()
            steps.end("commit")
            steps.log_slow("slow change of a table", game=table)

    def _now(self, loaded: LoadedTable) -> float:
        """The current time, which never goes backwards at a table even if the machine's clock does."""
        return max(self.clock(), float(loaded.row.moved))

    # Loading

    def _game_of(self, row: TableRow) -> Game:
        if row.rules not in self.games:  # a host may have taken it away
            raise conflict("no_such_game", game=row.rules, games=list(self.games))
        return self.games[row.rules]

    async def _load(self, tx: Tx, entry: CacheEntry, *, lock: bool) -> LoadedTable:
        found = await tx.look_up(LOCKED_TABLE if lock else TABLE, entry.id)
        if found is None:
            self.entries.pop(entry.id, None)
            raise not_found()
        loaded = entry.loaded
        if loaded is None or loaded.row.rev != found["rev"]:
            row = TableRow.from_columns(found)
            known = loaded or LoadedTable(row, self._game_of(row), feeds=entry.feeds)
            loaded = await self._load_rows(tx, known, row)
            loaded.rendered.clear()
        await _load_drafts(tx, loaded)  # always: they have no revision
        entry.loaded, entry.is_stale = loaded, False
        return loaded

    async def _load_rows(self, tx: Tx, loaded: LoadedTable, row: TableRow) -> LoadedTable:
        loaded.row = row
        loaded.fixed.clear()
        before = loaded.users
        seats = [SeatRow(**each) for each in await tx.find_rows(SEATS, key=row.id)]
        loaded.seats = {each.seat: each for each in seats}
        if loaded.users != before:
            await _find_programs(tx, loaded)
        open_ones = await tx.find_rows(OPEN_PROPOSALS, key=row.id)
        loaded.proposals = [ProposalRow(**each) for each in open_ones]
        loaded.hooks = [HookRow(**each) for each in await tx.find_rows(HOOKS, key=row.id)]
        if row.status != "open":
            await self._load_game(tx, loaded)
        return loaded

    async def _load_game(self, tx: Tx, loaded: LoadedTable) -> None:
        """Bring the game to the head of the log: from where it is, or from a snapshot."""
        head = loaded.row.head
        if loaded.replayed is None or loaded.replayed.seq > head:
            loaded.recent.clear()
            loaded.asked.clear()
            loaded.replayed = await self.replay_to(tx, loaded.row, None, loaded.recent)
        else:
            loaded.recent += await enter_log(tx, loaded.id, loaded.replayed, head)

    async def replay_to(
        self, tx: Tx, row: TableRow, seq: int | None, recent: deque[LogLine] | None = None
    ) -> ReplayedGame:
        """The game after `seq` entries (None: all); its last lines go to `recent`."""
        upto = row.head if seq is None else seq
        game = self._game_of(row)
        state: State = None
        length = 0
        if row.initial is not None:
            state = record.stored_state(game, row.version, row.initial)
        near = {"key": row.id, "version": game.version, "upto": upto}
        if nearest := await tx.find_rows(NEAREST_SNAPSHOT, **near):
            state = plain.load(game.State, nearest[0]["state"])
            length = nearest[0]["seq"]
        options: Options = record.stored_options(game, row.version, row.options)
        key = bytes.fromhex(row.key)
        replayed = resume_replay(game, row.players, options, key, state=state, length=length)
        replayed.anonymous = row.settings.anonymous
        lines = await enter_log(tx, row.id, replayed, upto)
        if recent is not None:
            recent += lines
        return replayed

    # Storing

    async def _store(self, change: TableChange) -> None:
        loaded, tx = change.loaded, change.tx
        await after_move.follow_change(change)
        change.end_part()
        if change.earlier:
            loaded.recent += change.earlier
            rows = [_log_values(loaded.id, line) for line in change.earlier]
            await tx.run_prepared(INSERT_LOG, rows)
            for by, count in Counter(line.by for line in change.earlier).items():
                metrics.LOG_ENTRIES.labels(loaded.row.rules, by).inc(count)
            if snap := loaded.current.due_snapshot():
                await tx.run_prepared(INSERT_SNAPSHOT, [{"game": loaded.id, **snap}])
        await _store_seats(change)
        if any("user" in fields for fields in change.seat_fields.values()):
            await _find_programs(tx, loaded)
        before = loaded.row.rev
        change.set(rev=before + 1)
        row = {"k_id": loaded.id, "k_rev": before}
        row |= {f"v_{name}": value for name, value in change.fields.items()}
        stored = UPDATE_GAMES.of(tuple(sorted(change.fields)))
        if await tx.run_prepared(stored, [row]) != 1:
            raise TableMoved("server.moved_on")
        tx.publish(f"table:{loaded.id}", rev=before + 1, at=time.time())


async def _load_drafts(tx: Tx, loaded: LoadedTable) -> None:
    rows = await tx.find_rows(DRAFTS, key=loaded.id)
    drafts = {row["seat"]: DraftRow(**row) for row in rows}
    if drafts != loaded.drafts:
        loaded.drafts = drafts
        loaded.draft_loads += 1


async def enter_log(tx: Tx, table: str, replayed: ReplayedGame, upto: int) -> list[LogLine]:
    """Replay the stored entries up to `upto`; return them."""
    lines: list[LogLine] = []
    if replayed.seq >= upto:
        return lines
    for row in await tx.find_rows(LINES, key=table, since=replayed.seq, upto=upto):
        place, entry, by = replayed.seq, Entry(row["seat"], row["do"], row["at"]), row["by"]
        barrier = row["barrier"]
        try:
            replayed.enter(entry, barrier=barrier, sealed=by == "time")
        except RulesError as error:  # the rules have changed during the game
            raise conflict("rules_changed", seq=replayed.seq, why=error.msg) from error
        facts = replayed.table.facts[place]
        lines.append(LogLine(place, entry, facts, barrier, row["undoes"], row["phase"], None, by))
    return lines


async def _find_programs(tx: Tx, loaded: LoadedTable) -> None:
    """Find out which players are bots' accounts: everybody sees that."""
    rows = await tx.find_rows(PROGRAMS, key=loaded.id)
    loaded.programs = frozenset(row["id"] for row in rows)


async def _store_seats(change: TableChange) -> None:
    """Update all seats that changed in the same fields with one statement."""
    alike: dict[tuple[str, ...], list[dict[str, Any]]] = {}
    for seat, fields in change.seat_fields.items():
        row: dict[str, Any] = {"k_game": change.loaded.id, "k_seat": seat}
        row |= {f"v_{name}": value for name, value in fields.items()}
        alike.setdefault(tuple(sorted(fields)), []).append(row)
    for names, rows in alike.items():
        await change.tx.run_prepared(UPDATE_SEATS.of(names), rows)


def _log_values(table: str, line: LogLine) -> dict[str, Any]:
    return {
        "game": table,
        "seq": line.seq,
        "seat": line.entry.seat,
        "do": line.entry.do,
        "at": line.entry.at,
        "command": line.command,
        "by": line.by,
        "barrier": line.barrier,
        "undoes": line.undoes,
        "phase": line.phase,
        "facts": [message_json.dump_fact(fact) for fact in line.facts],
    }
