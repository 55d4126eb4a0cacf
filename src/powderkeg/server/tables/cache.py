"""Rooms: tables as this process knows them, and the one way to change a table.

A room is a cache. Whoever changes a table holds its lock in this process, locks its row, brings
the room up to date, and writes everything in one transaction; the key of the log decides should
two processes meet all the same. What fails leaves no trace: the room is forgotten and reloaded.
"""

import asyncio
import time
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any, TypeAlias

from sqlalchemy import bindparam, select, update
from sqlalchemy.exc import IntegrityError

from powderkeg.core import plain
from powderkeg.core.chance import CHANCE
from powderkeg.core.errors import RulesError, Stale
from powderkeg.core.game import Game, State
from powderkeg.core.table import UNDO, Entry
from powderkeg.server import metrics
from powderkeg.server.db import schema
from powderkeg.server.db.store import Store, Tx
from powderkeg.server.refusals import conflict, forbidden, not_found
from powderkeg.server.tables import message_json
from powderkeg.server.tables import replay as folding
from powderkeg.server.tables.replay import Fold, Line

Rec: TypeAlias = Any  # a row in memory, with the names of its columns
KEPT = 3000  # rooms in memory
g, s, lg = schema.games.c, schema.seats.c, schema.log.c


@dataclass(slots=True)
class Room:
    """What this process knows of a table."""

    id: str
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    stale: bool = True
    row: Rec = None
    game: Game = None  # type: ignore[assignment]  # known once loaded
    seats: dict[str, Rec] = field(default_factory=dict)
    proposals: list[Rec] = field(default_factory=list)
    drafts: dict[str, Rec] = field(default_factory=dict)
    hooks: list[Rec] = field(default_factory=list)
    fold: Fold | None = None
    shown: dict[Any, Any] = field(default_factory=dict)  # what was rendered for this `rev`
    asked: dict[Any, Any] = field(default_factory=dict)  # questions in words, as long as they stand
    at_seq: int = -1  # the log as it was when `shown` was filled

    @property
    def live(self) -> Fold:
        """The game itself; there is one from the start on."""
        if self.fold is None:
            raise conflict("not_started")
        return self.fold

    @property
    def settings(self) -> dict[str, Any]:
        return self.row.settings  # type: ignore[no-any-return]  # of the row

    def forget(self) -> None:
        self.stale, self.fold, self.row = True, None, None
        self.shown.clear()

    def held_by(self, user: str | None, grants: frozenset[Any]) -> list[str]:
        """The seats of a person, in seat order: their own, and those opened by a secret link."""
        return [
            name
            for name, seat in self.seats.items()
            if seat.kind == "person"
            and seat.user is not None
            and (seat.user == user or (self.id, name, seat.user) in grants)
        ]


@dataclass(slots=True)
class Change:
    """A table being changed: rows are changed in memory and in the transaction alike."""

    room: Room
    tx: Tx
    now: float
    fields: dict[str, Any] = field(default_factory=dict)
    seat_fields: dict[str, dict[str, Any]] = field(default_factory=dict)
    lines: list[Line] = field(default_factory=list)
    marked: bool = False

    @property
    def touched(self) -> bool:
        return self.marked or bool(self.fields or self.seat_fields or self.lines)

    def touch(self) -> None:
        """Something else about the table has changed: readers are to look again."""
        self.marked = True

    def set(self, **fields: Any) -> None:
        self.fields |= fields
        self.room.row.__dict__.update(fields)

    def set_seat(self, seat: str, **fields: Any) -> None:
        self.seat_fields.setdefault(seat, {}).update(fields)
        self.room.seats[seat].__dict__.update(fields)


class Outrun(Stale):
    """Somebody else changed the table since this process looked: look again."""


class Rooms:
    def __init__(
        self, store: Store, games: Mapping[str, Game], clock: Callable[[], float] = time.time
    ) -> None:
        self.store = store
        self.games = games
        self.clock = clock
        self.rooms: OrderedDict[str, Room] = OrderedDict()
        self.settle: Callable[[Change], Any] = _nothing_more  # what follows from a change

    def told(self, topic: str, note: dict[str, Any]) -> None:
        """A table changed somewhere: what this process knows of it may be old."""
        if topic == "*":
            for room in self.rooms.values():
                room.stale = True
        elif topic.startswith("table:") and (known := self.rooms.get(topic[6:])):
            old = known.row is None or known.row.rev < note.get("rev", known.row.rev + 1)
            known.stale = known.stale or old

    def saw(self, table: str, seat: str, now: float) -> None:
        """Somebody is there; what was rendered stays valid but for that."""
        room = self.rooms.get(table)
        if room is not None and not room.stale and seat in room.seats:
            room.seats[seat].seen = now

    def _room(self, table: str) -> Room:
        if not (table.isascii() and table.isalnum()):
            raise not_found()  # no id of ours: the database is not asked
        room = self.rooms.setdefault(table, Room(table))
        self.rooms.move_to_end(table)
        if len(self.rooms) > KEPT:
            old = next(iter(self.rooms.values()))
            if not old.lock.locked():
                del self.rooms[old.id]
        return room

    @asynccontextmanager
    async def look(self, table: str, *, trust: bool = False) -> AsyncIterator[Room]:
        """The table as committed. While looking, nothing changes it.

        With several processes, word of a change takes a moment to arrive. Who answers a request
        asks the database whether the table is still as known; sockets `trust`, and are told.
        """
        room = self._room(table)
        async with room.lock:
            if room.stale or not (trust or self.store.settings.is_sqlite):
                async with self.store.read() as tx:
                    await self._load(tx, room, lock=False)
            yield room

    @asynccontextmanager
    async def change(self, table: str) -> AsyncIterator[Change]:
        """Change a table: all or nothing."""
        room = self._room(table)
        async with room.lock:
            try:
                async with self.store.write() as tx:
                    if room.stale or not self.store.settings.is_sqlite:
                        await self._load(tx, room, lock=True)
                    change = Change(room, tx, self._now(room))
                    yield change
                    if change.touched:
                        await self._store(change)
            except BaseException:
                room.forget()
                raise
            room.shown.clear()

    def _now(self, room: Room) -> float:
        """The time, which never runs back at a table even if the machine's clock does."""
        return max(self.clock(), float(room.row.moved))

    # Loading

    async def _load(self, tx: Tx, room: Room, *, lock: bool) -> None:
        query = select(schema.games).where(g.id == room.id)
        row = await tx.one(query.with_for_update() if lock else query)
        if row is None:
            self.rooms.pop(room.id, None)
            raise not_found()
        if room.row is not None and room.row.rev == row.rev and not room.stale:
            return
        if room.row is None or room.row.rev != row.rev:
            await self._load_rest(tx, room, row)
        await self._load_drafts(tx, room)
        room.stale = False
        room.shown.clear()

    async def _load_drafts(self, tx: Tx, room: Room) -> None:
        rows = await tx.all(select(schema.drafts).where(schema.drafts.c.game == room.id))
        room.drafts = {row.seat: record(row) for row in rows}

    async def _load_rest(self, tx: Tx, room: Room, row: Any) -> None:
        seats = await tx.all(select(schema.seats).where(s.game == room.id).order_by(s.place))
        asked = schema.proposals.c
        proposals = await tx.all(
            select(schema.proposals).where(asked.game == room.id, asked.status == "open")
        )
        room.row = record(row)
        room.seats = {seat.seat: record(seat) for seat in seats}
        room.proposals = [record(p) for p in proposals]
        hooks = await tx.all(select(schema.hooks).where(schema.hooks.c.game == room.id))
        room.hooks = [record(hook) for hook in hooks]
        room.game = self.games[row.rules]
        if row.status != "open":
            await self._load_fold(tx, room)

    async def _load_fold(self, tx: Tx, room: Room) -> None:
        """Bring the fold to the head of the log: from where it is, or from a snapshot."""
        head = room.row.head
        if room.fold is None or room.fold.seq > head:
            room.fold = await self.fold_at(tx, room.row, None)
        else:
            await self._enter(tx, room.id, room.fold, head)

    async def fold_at(self, tx: Tx, row: Rec, seq: int | None) -> Fold:
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
        fold = folding.stored(
            game,
            row.players,
            plain.load(game.Options, row.options),
            bytes.fromhex(row.key),
            state=state,
            length=length,
        )
        await self._enter(tx, row.id, fold, upto)
        return fold

    async def _enter(self, tx: Tx, table: str, fold: Fold, upto: int) -> None:
        if fold.seq >= upto:
            return
        part = (lg.game == table) & (lg.seq >= fold.seq) & (lg.seq < upto)
        query = select(lg.seat, lg.do, lg.at, lg.barrier).where(part).order_by(lg.seq)
        for row in await tx.all(query):
            try:
                fold.enter(Entry(row.seat, row.do, row.at), barrier=row.barrier)
            except RulesError as error:  # the rules have changed under a running game
                raise conflict("rules_changed", seq=fold.seq, why=error.msg) from error

    # Storing

    async def _store(self, change: Change) -> None:
        room, tx = change.room, change.tx
        await self.settle(change)
        if change.lines:
            rows = [_log_row(room.id, line) for line in change.lines]
            await tx.run(schema.log.insert(), rows)
            for row in rows:
                metrics.ACTIONS.labels(room.row.rules, row["by"]).inc()
            if snap := room.live.due_snapshot():
                await tx.run(schema.snapshots.insert(), [{"game": room.id, **snap}])
        await _store_seats(change)
        before = room.row.rev
        change.set(rev=before + 1)
        stored = update(schema.games).where(g.id == room.id, g.rev == before)
        if await tx.run(stored.values(**change.fields)) != 1:
            raise Outrun("server.moved_on")
        tx.tell(f"table:{room.id}", rev=before + 1)

    # Playing

    async def act(
        self,
        table: str,
        seat: str,
        texts: list[str],
        *,
        command: str | None,
        question: int | None,
        by: str = "person",
        may: Callable[[Room], bool] = lambda room: True,
    ) -> int | None:
        """Perform actions of one seat as one command; the new length of the log, or None when
        this command had been done before."""

        def play(change: Change) -> list[Line]:
            fold = change.room.live
            _check_question(fold, seat, question, self._past(change))
            lines: list[Line] = []
            for text in texts:
                lines += fold.act(seat, text, change.now)
            return lines

        return await self._command(table, seat, play, command, by, may)

    async def undo(
        self, table: str, seat: str, *, command: str, may: Callable[[Room], bool]
    ) -> int | None:
        def play(change: Change) -> list[Line]:
            return change.room.live.undo(seat, change.now)

        return await self._command(table, seat, play, command, "person", may)

    async def _command(
        self,
        table: str,
        seat: str,
        play: Callable[[Change], list[Line]],
        command: str | None,
        by: str,
        may: Callable[[Room], bool],
    ) -> int | None:
        try:
            async with self.change(table) as change:
                room = change.room
                if not may(room):
                    raise forbidden("not_your_seat")
                if room.row.status != "live":
                    raise conflict(f"table_{room.row.status}")
                lines = play(change)
                record_lines(change, lines, command, by)
                head = room.live.seq
        except Outrun:
            return await self._command(table, seat, play, command, by, may)
        except (RulesError, IntegrityError) as error:
            if command and await self._done_before(table, seat, command):
                return None
            if isinstance(error, IntegrityError):
                raise Stale("server.moved_on") from error
            raise
        return head

    def _past(self, change: Change) -> Callable[[int], State | None]:
        """The state after so many entries, as long as nothing was cut off since."""
        fold = change.room.live

        def at(seq: int) -> State | None:
            if not fold.base <= seq <= fold.seq:
                return None
            again = folding.stored(
                fold.table.game,
                len(fold.table.seats),
                fold.table.options,
                b"",
                state=fold.base_state,
                length=fold.base,
            )
            for entry in fold.since[: seq - fold.base]:
                again.enter(entry, barrier=False)
            return again.table.state

        return at

    async def _done_before(self, table: str, seat: str, command: str) -> bool:
        async with self.store.read() as tx:
            where = (lg.game == table) & (lg.seat == seat) & (lg.command == command)
            return await tx.one(select(lg.seq).where(where)) is not None


async def _store_seats(change: Change) -> None:
    """One statement for all seats that changed in the same fields."""
    alike: dict[tuple[str, ...], list[dict[str, Any]]] = {}
    for seat, fields in change.seat_fields.items():
        row = {"b_seat": seat, **{f"b_{name}": value for name, value in fields.items()}}
        alike.setdefault(tuple(sorted(fields)), []).append(row)
    for names, rows in alike.items():
        where = (s.game == change.room.id) & (s.seat == bindparam("b_seat"))
        values = {name: bindparam(f"b_{name}", type_=s[name].type) for name in names}
        await change.tx.run(update(schema.seats).where(where).values(values), rows)


def record(row: Any) -> Rec:
    return SimpleNamespace(**row._mapping)  # noqa: SLF001  # SQLAlchemy's public name for it


async def _nothing_more(change: Change) -> None:
    pass


def record_lines(change: Change, lines: list[Line], command: str | None, by: str) -> None:
    """Put entries into the change; the first carries the command's id."""
    fold = change.room.live
    change.lines += [
        line._replace(command=command if i == 0 else None, by=by) for i, line in enumerate(lines)
    ]
    marks = fold.marks
    change.set(
        head=fold.seq,
        base=fold.base,
        together=fold.together,
        to_act=sorted(fold.table.to_act),
        phase=marks.phase,
        stage=marks.stage,
        talk=marks.talk,
        moved=change.now,
    )


def _log_row(table: str, line: Line) -> dict[str, Any]:
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


def _check_question(
    fold: Fold, seat: str, question: int | None, past: Callable[[int], State | None]
) -> None:
    """Refuse an answer to a question that is no longer asked.

    A question is named by the length of the log when it was shown. It still stands if since then
    only other seats acted, out of sight; or if it is a sheet of orders, each revisable. What others
    took back was out of sight only while all choose at once.
    """
    if question is None or question == fold.seq:
        return
    game, state = fold.table.game, fold.table.state
    then = past(question)
    now = game.ask(state, seat)
    since = fold.since[question - fold.base :] if then is not None else []
    mine = any(entry.seat == seat or (entry.do == UNDO and not fold.together) for entry in since)
    before = None if then is None else game.ask(then, seat)
    if then is None or (mine and not message_json.revisable(now)):
        raise Stale("server.moved_on")
    if not message_json.same_question(before, now):
        raise Stale("server.moved_on")
