"""The host's commands, which work with or without a running server."""

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any, Self

from sqlalchemy import delete, make_url, select, update

from powderkeg.core.errors import Unreadable
from powderkeg.server.accounts.accounts import find_or_create_bot
from powderkeg.server.accounts.tokens import issue_token, revoke_tokens
from powderkeg.server.db import migrate, schema
from powderkeg.server.db.rows import UserRow
from powderkeg.server.db.store import Store
from powderkeg.server.games import load_games
from powderkeg.server.lobby import copies, create, join
from powderkeg.server.refusals import Refused, conflict, not_found
from powderkeg.server.settings import Settings
from powderkeg.server.tables import after_move, announcements
from powderkeg.server.tables.announcements import announce
from powderkeg.server.tables.cache import TableCache
from powderkeg.server.tables.loaded import LoadedTable, set_position

g, s, lg = schema.games.c, schema.seats.c, schema.log.c


class HostCommands:
    def __init__(self, settings: Settings, games: Any = None) -> None:
        self.settings = settings
        self.store = Store(settings, serves=False)
        self.cache = TableCache(self.store, games or load_games(settings.games))

    async def open(self) -> None:
        await self.store.open()
        await migrate.upgrade_database(self.store)

    async def close(self) -> None:
        await self.store.close()

    async def __aenter__(self) -> Self:
        await self.open()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def list_tables(self, status: str | None) -> list[dict[str, Any]]:
        query = select(schema.games).order_by(g.moved.desc()).limit(500)
        async with self.store.read() as tx:
            rows = await tx.all(query.where(g.status == status) if status else query)
        names = ("id", "rules", "title", "status", "players", "head", "to_act", "due", "moved")
        return [{name: getattr(row, name) for name in names} for row in rows]

    async def show_table(self, table: str) -> dict[str, Any]:
        async with self.store.read() as tx:
            row = await tx.one(select(schema.games).where(g.id == table))
            if row is None:
                raise not_found()
            found: dict[str, Any] = {"table": _row_dict(row)}
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
                found[name] = [_row_dict(each) for each in rows]
        return found

    async def export_table(self, table: str) -> str:
        async with self.cache.look(table) as loaded:
            return await self._game_file(loaded)

    async def _game_file(self, loaded: LoadedTable) -> str:
        names = {x.seat: x.name for x in loaded.seats.values() if x.name}
        return await copies.write_game_file(self.cache, loaded.row, names)

    async def rewind_table(self, table: str, seq: int) -> str:
        """Take a game back to its first `seq` entries; the others are kept in a file. A finished
        game cannot be rewound: its key is published, so all future dice are known."""
        async with self.cache.change(table) as change:
            loaded, tx = change.loaded, change.tx
            if loaded.row.has_ended:
                raise conflict("rewind_over")
            if loaded.row.status == "open" or not 0 <= seq <= loaded.row.head:
                raise Refused(404, "no_such_moment", seq=seq)
            name = f"rewound-{table}-{loaded.row.head}.jsonl"
            kept = _write_kept(self.settings.folder, name, await self._game_file(loaded))
            snaps = schema.snapshots.c
            await tx.run(delete(schema.log).where(lg.game == table, lg.seq >= seq))
            await tx.run(delete(schema.snapshots).where(snaps.game == table, snaps.seq > seq))
            await tx.run(delete(schema.drafts).where(schema.drafts.c.game == table))
            await announcements.forget_turn_notices(tx, table)
            loaded.replayed = await self.cache.replay_to(tx, loaded.row, seq)
            loaded.asked.clear()
            loaded.recent.clear()
            set_position(change)
            change.set(status="live", due=None, paused=None, pause_ends=None)
            for name in loaded.seats:
                change.set_seat(name, asked=None, due=None, due_base=None)
            await announce(change, "server.said.rewound", seq=seq)
        return str(kept)

    async def replace_seat(self, table: str, seat: str, bot: str | None, user: str | None) -> None:
        who = await self._find_user(user) if user else None
        async with self.cache.change(table) as change:
            if seat not in change.loaded.seats:
                raise Refused(404, "no_such_seat", seat=seat)
            t = schema.tokens.c
            await revoke_tokens(change.tx, (t.game == table) & (t.seat == seat))
            if bot is not None:
                join.seat_bot(change, seat, create.check_level(bot))
                change.set_seat(seat, autopilot=False, vacant=False, due=None, asked=None)
            elif who is not None:
                await join.seat_person(change, seat, who.id, who.name)
                await announce(change, "server.said.took_over", seat=seat)
            else:
                join.leave_seat(change, seat)
                if change.loaded.row.status != "open":
                    await announce(change, "server.said.vacant", seat=seat)

    async def close_table(self, table: str) -> None:
        async with self.cache.change(table) as change:
            if change.loaded.row.has_ended:
                raise conflict(f"table_{change.loaded.row.status}")
            after_move.close_table(change)
            await announce(change, "server.said.closed")

    async def ban_user(self, name: str, *, lift: bool) -> None:
        user = await self._find_user(name)
        u, t = schema.users.c, schema.tokens.c
        async with self.store.write() as tx:
            await tx.run(update(schema.users).where(u.id == user.id).values(banned=not lift))
            if not lift:
                await revoke_tokens(tx, t.user == user.id)
        if not lift:
            await join.leave_all_tables(self.cache, user.id, forget=False)

    async def make_bot_token(self, name: str, days: int | None, now: float) -> str:
        """A token for the bot's account of that name, which is made if there is none."""
        lasts = days * 86400.0 if days else None
        async with self.store.write() as tx:
            bot = await find_or_create_bot(tx, now, name)
            scopes = ("play", "read", "tables")
            token, _ = await issue_token(
                tx, "api", now, lasts=lasts, user=bot.id, scopes=scopes, name=name
            )
        return token

    async def _find_user(self, name: str) -> UserRow:
        u = schema.users.c
        async with self.store.read() as tx:
            row = await tx.one(
                select(schema.users).where((u.key == name.casefold()) | (u.id == name))
            )
        if row is None:
            raise Refused(404, "no_such_user", name=name)
        return UserRow.load(row)

    async def list_reports(self) -> list[dict[str, Any]]:
        async with self.store.read() as tx:
            rows = await tx.all(
                select(schema.reports).order_by(schema.reports.c.id.desc()).limit(200)
            )
        return [_row_dict(row) for row in rows]

    async def backup_database(self, file: Path) -> None:
        if not self.settings.is_sqlite:
            raise Unreadable("server.backup_sqlite")
        _copy_database(Path(make_url(self.settings.url).database or ""), file)


def _copy_database(database: Path, file: Path) -> None:
    """SQLite's own online copy: consistent, even while the server runs. An older copy of this name
    is replaced when the new one is complete."""
    if file.resolve() == database.resolve():
        raise Unreadable("server.backup_itself", file=str(file))
    part = file.with_name(f"{file.name}.part")
    try:
        with closing(sqlite3.connect(database)) as source, closing(sqlite3.connect(part)) as to:
            source.backup(to)
    except sqlite3.Error as error:
        raise Unreadable("cli.system", where=str(file), why=str(error)) from error
    part.replace(file)


def _write_kept(folder: Path, name: str, text: str) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def _row_dict(row: Any) -> dict[str, Any]:
    return dict(row._mapping)  # noqa: SLF001  # SQLAlchemy's public name for it
