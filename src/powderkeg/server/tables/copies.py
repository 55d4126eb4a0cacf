"""Games that come from other games: sandboxes, rematches, files."""

import asyncio
import random
import secrets
from typing import Any

from sqlalchemy import select

from powderkeg.core import plain, record
from powderkeg.core.chance import CHANCE, Audited
from powderkeg.core.errors import Unreadable
from powderkeg.core.game import Game, Options, State
from powderkeg.core.table import UNDO, Entry, Table
from powderkeg.server.accounts import identity
from powderkeg.server.accounts.identity import Principal
from powderkeg.server.db import schema
from powderkeg.server.refusals import Refused, conflict, forbidden
from powderkeg.server.schemas.tables import ImportIn, SandboxIn, TableSettings
from powderkeg.server.tables import create, history, present
from powderkeg.server.tables import replay as folding
from powderkeg.server.tables.cache import Rooms, record_lines
from powderkeg.server.tables.replay import Line

lg = schema.log.c
LONGEST_FILE = 20_000  # entries of a file: several times the longest game we know
ALONE = TableSettings(listed=False, join="link", watch="off", press="none")


async def sandbox(rooms: Rooms, who: Principal, table: str, wish: SandboxIn) -> str:
    owner = who.need_user("tables")
    async with rooms.look(table) as room:
        reader = present.reader(room, who, wish.seat)
        upto = await history.visible(rooms, room, reader)
        seq = upto if wish.seq is None else wish.seq
        if room.fold is None or not 0 <= seq <= upto:
            raise Refused(404, "no_such_moment", seq=seq)
        row, game, over = room.row, room.game, room.row.status == "over"
        seats = list(room.seats)
        source = room.settings.get("copied_from") or (None if over else room.id)
    async with rooms.store.read() as tx:
        fold = await rooms.fold_at(tx, row, seq)
    state: State = fold.table.state
    if not over:  # secrets are drawn anew; nobody learns more than they could see
        state = game.deal(game.view(state, reader.seat), random.Random(secrets.token_hex(8)))
    fields = {"initial": plain.dump(state)}
    if source is not None:  # no analysis while that game is played
        fields["settings"] = ALONE.model_dump() | {"copied_from": source}
    return await _own_table(rooms, owner, row, seats, fields, "sandbox")


async def _own_table(
    rooms: Rooms, owner: str, row: Any, seats: list[str], fields: dict[str, Any], purpose: str
) -> str:
    """A table whose seats are all held by one person."""
    game, now = rooms.games[row.rules], rooms.clock()
    options: Options = plain.load(game.Options, row.options)
    table = identity.new_id(10)
    made = create.new_game(game, table, options, row.players, now) | {
        "settings": ALONE.model_dump(),
        "title": row.title,
        "owner": owner,
        "listed": False,
        "watch": "off",
        "purpose": purpose,
        **fields,
    }
    sitting = [
        create.empty_seat(table, i, name) | {"kind": "person", "user": owner}
        for i, name in enumerate(seats)
    ]
    async with rooms.store.write() as tx:
        await tx.run(schema.games.insert().values(**made))
        await tx.run(schema.seats.insert(), sitting)
    async with rooms.change(table) as change:
        create.start(change)
    return table


async def rematch(rooms: Rooms, who: Principal, table: str) -> str:
    user = who.need_user("tables")
    async with rooms.change(table) as change:
        room = change.room
        if user not in (room.row.owner, *(s.user for s in room.seats.values())):
            raise forbidden("not_your_seat")
        if room.row.status not in ("over", "closed"):
            raise conflict("table_live")
        if room.row.rematch:
            return str(room.row.rematch)
        row, now, new = room.row, change.now, identity.new_id(10)
        options: Options = plain.load(room.game.Options, row.options)
        made = create.new_game(room.game, new, options, row.players, now) | {
            "settings": row.settings,
            "title": row.title,
            "owner": user,
            "invite": row.invite,
            "listed": row.listed,
            "watch": row.watch,
        }
        seats = [_same_seat(new, i, s, user) for i, s in enumerate(room.seats.values())]
        await change.tx.run(schema.games.insert().values(**made))
        await change.tx.run(schema.seats.insert(), seats)
        change.set(rematch=new)
        change.tx.tell("lobby")
    return new


def _same_seat(table: str, place: int, old: Any, user: str) -> dict[str, Any]:
    """Bots and who asked sit down again; the others' seats are open until they come."""
    seat = create.empty_seat(table, place, old.seat)
    if old.kind == "bot":
        return seat | {"kind": "bot", "level": old.level}
    if old.user == user:
        return seat | {"kind": "person", "user": user, "name": old.name}
    return seat


async def export(rooms: Rooms, who: Principal, table: str) -> str:
    """The file of a finished game. While it is played its file would tell secrets."""
    async with rooms.look(table) as room:
        present.reader(room, who, None)
        row = room.row
        if row.status != "over":
            raise conflict("game_not_over")
        hidden = {s.seat: s.name for s in room.seats.values() if s.name}
    return await file_of(rooms, row, hidden)


async def file_of(rooms: Rooms, row: Any, names: dict[str, str]) -> str:
    if row.initial is not None:
        raise conflict("copy_no_file")
    async with rooms.store.read() as tx:
        query = select(lg.seat, lg.do, lg.at).where(lg.game == row.id).order_by(lg.seq)
        entries = tuple(Entry(r.seat, r.do, r.at) for r in await tx.all(query))
    over = row.status in ("over", "closed")
    commitment = Audited(bytes.fromhex(row.key)).commitment
    header = record.Header(row.rules, row.version, row.players, row.options, commitment, names)
    return record.write_record(record.Record(header, entries, row.key if over else ""))


async def open_file(rooms: Rooms, who: Principal, wish: ImportIn) -> str:
    """A table from a file: the log is played again, entry by entry, before anything is stored."""
    owner = who.need_user("tables")
    read = record.read_record(wish.file)
    game = rooms.games.get(read.header.game)
    if game is None:
        raise Refused(422, "no_such_game", game=read.header.game, games=list(rooms.games))
    if len(read.entries) > LONGEST_FILE:
        raise Refused(422, "file_too_long", most=LONGEST_FILE)
    now = rooms.clock()
    table = identity.new_id(10)
    key = read.key if _is_key(read.key) else secrets.token_hex(32)
    # A long game takes seconds to play again: others are served meanwhile.
    replayed, fold, lines = await asyncio.to_thread(_play_again, read, game, key, now)
    made = create.new_game(game, table, replayed.options, read.header.players, now) | {
        "settings": ALONE.model_dump(),
        "title": wish.title,
        "owner": owner,
        "listed": False,
        "watch": "off",
        "purpose": "study",
        "key": key,
    }
    names = read.header.names or {}
    seats = [
        create.empty_seat(table, i, name)
        | {"kind": "person", "user": owner, "name": _storable(names.get(name, ""))}
        for i, name in enumerate(replayed.seats)
    ]
    async with rooms.store.write() as tx:
        await tx.run(schema.games.insert().values(**made))
        await tx.run(schema.seats.insert(), seats)
    async with rooms.change(table) as change:
        change.room.fold = fold
        change.set(status="live", started=now)
        record_lines(change, lines, None, "host")
        change.lines = lines
    return table


def _play_again(
    read: record.Record, game: Game, key: str, now: float
) -> tuple[Table, folding.Fold, list[Line]]:
    replayed = record.replay_record(read, game)  # refuses what is damaged or illegal, with its line
    players, secret = read.header.players, bytes.fromhex(key)
    fold = folding.stored(game, players, replayed.options, secret, state=None, length=0)
    return replayed, fold, [_enter(fold, entry, now) for entry in read.entries]


def _storable(name: str) -> str:
    """A name out of a file, without what no database can hold."""
    return "".join(filter(str.isprintable, name))[:40]


def _is_key(text: str) -> bool:
    try:
        return len(bytes.fromhex(text)) == 32
    except ValueError:
        return False


def _enter(fold: folding.Fold, entry: Entry, now: float) -> Line:
    """Enter one entry of a file and say how to store it."""
    if len(entry.do) > 100_000:
        raise Unreadable("core.file_foreign")
    undone = set(fold.table.undone)
    fold.table.enter(entry)
    undoes = next(iter(fold.table.undone - undone), None)
    line = fold.settle(fold.seq - 1, "")
    at = entry.at if entry.at is not None and 0 <= entry.at <= now else now  # NaN is neither
    by = "chance" if entry.seat == CHANCE else "person"
    stored = Entry(entry.seat, entry.do, at)
    return line._replace(entry=stored, undoes=undoes if entry.do == UNDO else None, by=by)
