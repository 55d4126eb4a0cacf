"""Tables that come from other games: sandboxes, rematches, files."""

import asyncio
import random
import secrets
from dataclasses import replace
from typing import NamedTuple

from sqlalchemy import select

from powderkeg.core import plain, record
from powderkeg.core.chance import CHANCE, Audited
from powderkeg.core.errors import Unreadable
from powderkeg.core.game import Game, Options, State
from powderkeg.core.table import UNDO, Entry, Table
from powderkeg.server.accounts.identity import Principal
from powderkeg.server.db import schema
from powderkeg.server.db.rows import SeatRow, TableRow
from powderkeg.server.db.table_settings import TableSettings
from powderkeg.server.lobby.create import new_table_row, offered_game, start_game, store_table
from powderkeg.server.refusals import Refused, conflict, forbidden
from powderkeg.server.schemas.tables import ImportIn, SandboxIn
from powderkeg.server.tables.cache import TableCache
from powderkeg.server.tables.loaded import record_lines
from powderkeg.server.tables.replay import LogLine, ReplayedGame, resume_replay
from powderkeg.server.views.delayed import started_moment
from powderkeg.server.views.readers import find_reader

LONGEST_FILE = 20_000  # entries of a file: several times the longest game we know
PRIVATE_SETTINGS = TableSettings(listed=False, join="link", watch="off", press="none")


async def open_sandbox(cache: TableCache, who: Principal, table: str, wish: SandboxIn) -> str:
    """Copy a moment of a game to a table where one person plays all seats; return its id."""
    owner = who.need_user("tables")
    async with cache.look(table) as loaded:
        reader = find_reader(loaded, who, wish.seat)
        seq = await started_moment(cache, loaded, reader, wish.seq)
        row, game, over = loaded.row, loaded.game, loaded.row.status == "over"
        seats = list(loaded.seats)
        source = loaded.settings.copied_from or (None if over else loaded.id)
    async with cache.store.read() as tx:
        state: State = (await cache.replay_to(tx, row, seq)).table.state
    if not over:  # secrets are drawn again; nobody learns more than they could see
        state = game.deal(game.view(state, reader.seat), random.Random(secrets.token_hex(8)))
    options: Options = plain.load(game.Options, row.options)
    settings = replace(PRIVATE_SETTINGS, copied_from=source)  # no analysis while that is played
    copy = replace(
        new_table_row(game, options, row.players, cache.clock(), settings),
        title=row.title,
        owner=owner,
        purpose="sandbox",
        initial=plain.dump(state),
    )
    async with cache.store.write() as tx:
        await store_table(tx, copy, _own_seats(copy.id, owner, dict.fromkeys(seats, "")))
    async with cache.change(copy.id) as change:
        start_game(change)
    return copy.id


def _own_seats(table: str, owner: str, names: dict[str, str]) -> list[SeatRow]:
    """All seats, held by one person; with the names of the people who played there, if any."""
    return [
        SeatRow(game=table, seat=seat, place=place, kind="person", user=owner, name=name)
        for place, (seat, name) in enumerate(names.items())
    ]


async def open_rematch(cache: TableCache, who: Principal, table: str) -> str:
    """The table of the rematch; the first request creates it."""
    user = who.need_user("tables")
    async with cache.change(table) as change:
        loaded = change.loaded
        row = loaded.row
        if user not in (row.owner, *(s.user for s in loaded.seats.values())):
            raise forbidden("not_your_seat")
        if not row.has_ended:
            raise conflict("table_live")
        if row.rematch:
            return row.rematch
        options: Options = plain.load(loaded.game.Options, row.options)
        again = replace(
            new_table_row(loaded.game, options, row.players, change.now, row.settings),
            title=row.title,
            owner=user,
            invite=row.invite,
            listed=row.listed,
            watch=row.watch,
        )
        seats = [_rematch_seat(again.id, i, s, user) for i, s in enumerate(loaded.seats.values())]
        await store_table(change.tx, again, seats)
        change.set(rematch=again.id)
        change.tx.publish("lobby")
    return again.id


def _rematch_seat(table: str, place: int, old: SeatRow, user: str) -> SeatRow:
    """Bots and the person who asked sit down again; other seats are open until people come."""
    seat = SeatRow(game=table, seat=old.seat, place=place)
    if old.kind == "bot":
        return replace(seat, kind="bot", level=old.level)
    if old.user == user:
        return replace(seat, kind="person", user=user, name=old.name)
    return seat


# Files


async def export_finished_game(cache: TableCache, who: Principal, table: str) -> str:
    """The file of a finished game. The file of a running game would reveal secrets."""
    async with cache.look(table) as loaded:
        find_reader(loaded, who, None)
        row = loaded.row
        if row.status != "over":
            raise conflict("game_not_over")
        names = {s.seat: s.name for s in loaded.seats.values() if s.name}
    return await write_game_file(cache, row, names)


async def write_game_file(cache: TableCache, row: TableRow, names: dict[str, str]) -> str:
    if row.initial is not None:
        raise conflict("copy_no_file")
    lg = schema.log.c
    async with cache.store.read() as tx:
        query = select(lg.seat, lg.do, lg.at).where(lg.game == row.id).order_by(lg.seq)
        entries = tuple(Entry(r.seat, r.do, r.at) for r in await tx.all(query))
    commitment = Audited(bytes.fromhex(row.key)).commitment
    header = record.Header(row.rules, row.version, row.players, row.options, commitment, names)
    return record.write_record(record.Record(header, entries, row.key if row.has_ended else ""))


class FileReplay(NamedTuple):
    """A replayed game file."""

    table: Table
    replayed: ReplayedGame
    lines: list[LogLine]


async def open_game_file(cache: TableCache, who: Principal, wish: ImportIn) -> str:
    """Create a table from a file: the whole log is replayed before anything is stored."""
    owner = who.need_user("tables")
    file = record.read_record(wish.file)
    game = offered_game(cache, file.header.game)
    if len(file.entries) > LONGEST_FILE:
        raise Refused(422, "file_too_long", most=LONGEST_FILE)
    now = cache.clock()
    key = file.key if _is_key(file.key) else secrets.token_hex(32)
    # A long game takes seconds to play again: others are served meanwhile.
    again = await asyncio.to_thread(_replay_file, file, game, key, now)
    players, options = file.header.players, again.table.options
    row = replace(
        new_table_row(game, options, players, now, PRIVATE_SETTINGS),
        title=wish.title,
        owner=owner,
        purpose="study",
        key=key,
    )
    names = file.header.names or {}
    people = {seat: _storable_name(names.get(seat, "")) for seat in again.table.seats}
    async with cache.store.write() as tx:
        await store_table(tx, row, _own_seats(row.id, owner, people))
    async with cache.change(row.id) as change:
        change.loaded.replayed = again.replayed
        change.set(status="live", started=now)
        record_lines(change, again.lines, None, "host")
        change.lines = again.lines
    return row.id


def _replay_file(file: record.Record, game: Game, key: str, now: float) -> FileReplay:
    table = record.replay_record(file, game)  # refuses a damaged or illegal file, with the line
    players, secret = file.header.players, bytes.fromhex(key)
    replayed = resume_replay(game, players, table.options, secret, state=None, length=0)
    lines = [_enter_file_line(replayed, entry, now) for entry in file.entries]
    return FileReplay(table, replayed, lines)


def _storable_name(name: str) -> str:
    """A name out of a file, without characters that no database can hold."""
    return "".join(filter(str.isprintable, name))[:40]


def _is_key(text: str) -> bool:
    try:
        return len(bytes.fromhex(text)) == 32
    except ValueError:
        return False


def _enter_file_line(replayed: ReplayedGame, entry: Entry, now: float) -> LogLine:
    """Replay one entry of a file; return the row to store."""
    if len(entry.do) > 100_000:
        raise Unreadable("core.file_foreign")
    undone = set(replayed.table.undone)
    replayed.table.enter(entry)
    undoes = next(iter(replayed.table.undone - undone), None)
    line = replayed.finish_entry(replayed.seq - 1, "")
    at = entry.at if entry.at is not None and 0 <= entry.at <= now else now  # NaN is neither
    stored = Entry(entry.seat, entry.do, at)
    return line._replace(
        entry=stored,
        undoes=undoes if entry.do == UNDO else None,
        by="chance" if entry.seat == CHANCE else "person",
    )
