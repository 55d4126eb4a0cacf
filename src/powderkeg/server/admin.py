"""The host's commands, beside a running server or without one."""

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

from sqlalchemy import delete, make_url, select, update

from powderkeg.core.errors import Unreadable
from powderkeg.server.accounts import identity
from powderkeg.server.app import all_games
from powderkeg.server.db import migrate, schema
from powderkeg.server.db.store import Store
from powderkeg.server.notices import outbox
from powderkeg.server.press.letters import say_at_table
from powderkeg.server.refusals import Refused, conflict, not_found
from powderkeg.server.settings import Settings
from powderkeg.server.tables import after_move, copies, create
from powderkeg.server.tables.cache import Room, Rooms, record

g, s, lg = schema.games.c, schema.seats.c, schema.log.c


class Host:
    def __init__(self, settings: Settings, games: Any = None) -> None:
        self.settings = settings
        self.store = Store(settings, serves=False)
        self.rooms = Rooms(self.store, games or all_games(settings.games))
        self.rooms.settle = after_move.settle

    async def open(self) -> None:
        await self.store.open()
        await migrate.upgrade(self.store)

    async def close(self) -> None:
        await self.store.close()

    async def tables(self, status: str | None) -> list[dict[str, Any]]:
        query = select(schema.games).order_by(g.moved.desc()).limit(500)
        async with self.store.read() as tx:
            rows = await tx.all(query.where(g.status == status) if status else query)
        names = ("id", "rules", "title", "status", "players", "head", "to_act", "due", "moved")
        return [{name: getattr(row, name) for name in names} for row in rows]

    async def show(self, table: str) -> dict[str, Any]:
        async with self.store.read() as tx:
            row = await tx.one(select(schema.games).where(g.id == table))
            if row is None:
                raise not_found()
            found: dict[str, Any] = {"table": _plain(row)}
            parts = {
                "seats": schema.seats,
                "log": schema.log,
                "press": schema.press,
                "proposals": schema.proposals,
                "reports": schema.reports,
                "jobs": schema.jobs,
            }
            for name, part in parts.items():
                rows = await tx.all(select(part).where(part.c.game == table))
                found[name] = [_plain(each) for each in rows]
        return found

    async def export(self, table: str) -> str:
        async with self.rooms.look(table) as room:
            return await self._file(room)

    async def _file(self, room: Room) -> str:
        names = {x.seat: x.name for x in room.seats.values() if x.name}
        return await copies.file_of(self.rooms, room.row, names)

    async def rewind(self, table: str, seq: int) -> str:
        """The entries that go are kept in a file: nothing is lost. A game that has ended stays as
        it is: its key is published, and whoever knows it knows the dice to come."""
        async with self.rooms.change(table) as change:
            room, tx = change.room, change.tx
            if room.row.status in after_move.ENDED:
                raise conflict("rewind_over")
            if room.row.status == "open" or not 0 <= seq <= room.row.head:
                raise Refused(404, "no_such_moment", seq=seq)
            name = f"rewound-{table}-{room.row.head}.jsonl"
            kept = _keep(self.settings.folder, name, await self._file(room))
            snaps = schema.snapshots.c
            await tx.run(delete(schema.log).where(lg.game == table, lg.seq >= seq))
            await tx.run(delete(schema.snapshots).where(snaps.game == table, snaps.seq > seq))
            await tx.run(delete(schema.drafts).where(schema.drafts.c.game == table))
            await outbox.forget_turns(tx, table)
            room.fold = await self.rooms.fold_at(tx, room.row, seq)
            fold, marks = room.fold, room.fold.marks
            change.set(
                status="live", head=seq, base=fold.base, together=fold.together,
                to_act=sorted(fold.table.to_act), phase=marks.phase, stage=marks.stage,
                talk=marks.talk, due=None, paused=None, pause_ends=None,
            )  # fmt: skip
            for name in room.seats:
                change.set_seat(name, asked=None, due=None, due_base=None)
            await say_at_table(change, "rewound", seq=seq)
        return str(kept)

    async def replace(self, table: str, seat: str, bot: str | None, user: str | None) -> None:
        who = await self._user(user) if user else None
        async with self.rooms.change(table) as change:
            if seat not in change.room.seats:
                raise Refused(404, "no_such_seat", seat=seat)
            tokens = schema.tokens.c
            links = (tokens.game == table) & (tokens.seat == seat)
            await identity.revoke(change.tx, links)
            if bot is not None:
                level = create.level_for(bot)
                change.set_seat(seat, kind="bot", level=level, user=None, name="",
                                autopilot=False, vacant=False, due=None, asked=None)  # fmt: skip
            elif who is not None:
                create.sit(change, seat, who.id, who.name)
                await say_at_table(change, "took_over", seat=seat)
            else:
                create.leave(change, seat)
                if change.room.row.status != "open":
                    await say_at_table(change, "vacant", seat=seat)

    async def close_table(self, table: str) -> None:
        async with self.rooms.change(table) as change:
            if change.room.row.status in ("over", "closed"):
                raise conflict(f"table_{change.room.row.status}")
            change.set(status="closed", ended=change.now, due=None)
            change.tx.tell("lobby")
            await say_at_table(change, "closed")

    async def ban(self, name: str, *, lift: bool) -> None:
        user = await self._user(name)
        u, t = schema.users.c, schema.tokens.c
        async with self.store.write() as tx:
            await tx.run(update(schema.users).where(u.id == user.id).values(banned=not lift))
            if not lift:
                await identity.revoke(tx, t.user == user.id)
        if lift:
            return
        async with self.store.read() as tx:
            alive = select(s.game).join(schema.games, g.id == s.game)
            query = alive.where(s.user == user.id, g.status.in_(["open", "live", "paused"]))
            tables = {row.game for row in await tx.all(query)}
        for table in sorted(tables):
            async with self.rooms.change(table) as change:
                for seat in change.room.held_by(user.id, frozenset()):
                    create.leave(change, seat)

    async def _user(self, name: str) -> Any:
        u = schema.users.c
        async with self.store.read() as tx:
            row = await tx.one(
                select(schema.users).where((u.key == name.casefold()) | (u.id == name))
            )
        if row is None:
            raise Refused(404, "no_such_user", name=name)
        return record(row)

    async def reports(self) -> list[dict[str, Any]]:
        async with self.store.read() as tx:
            rows = await tx.all(
                select(schema.reports).order_by(schema.reports.c.id.desc()).limit(200)
            )
        return [_plain(row) for row in rows]

    async def backup(self, file: Path) -> None:
        if not self.settings.is_sqlite:
            raise Unreadable("server.backup_sqlite")
        _copy(Path(make_url(self.settings.url).database or ""), file)


def _copy(database: Path, file: Path) -> None:
    """SQLite's own online copy: consistent, while the server goes on. An older copy of this name is
    replaced when the new one is whole."""
    if file.resolve() == database.resolve():
        raise Unreadable("server.backup_itself", file=str(file))
    part = file.with_name(f"{file.name}.part")
    try:
        with closing(sqlite3.connect(database)) as source, closing(sqlite3.connect(part)) as to:
            source.backup(to)
    except sqlite3.Error as error:
        raise Unreadable("cli.system", where=str(file), why=str(error)) from error
    part.replace(file)


def _keep(folder: Path, name: str, text: str) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def _plain(row: Any) -> dict[str, Any]:
    return dict(row._mapping)  # noqa: SLF001  # SQLAlchemy's public name for it
