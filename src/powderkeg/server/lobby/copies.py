"""Tables that come from other games: rematches and files."""

import asyncio
from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import replace
from typing import Any, NamedTuple

from sqlalchemy import select

from powderkeg import games
from powderkeg.core import record
from powderkeg.core.chance import CHANCE, Audited
from powderkeg.core.errors import Unreadable
from powderkeg.core.game import Game, Options
from powderkeg.core.table import UNDO, Entry, Table
from powderkeg.server.accounts.identity import Principal
from powderkeg.server.db import schema
from powderkeg.server.db.rows import SeatRow, TableRow
from powderkeg.server.db.table_settings import TableSettings
from powderkeg.server.lobby.create import draw_key, new_table_row, offered_game, store_table
from powderkeg.server.lobby.leagues import find_open_league
from powderkeg.server.refusals import Refused, conflict, forbidden
from powderkeg.server.schemas.tables import ImportIn
from powderkeg.server.tables.announcements import TO_ALL, TO_WATCHERS
from powderkeg.server.tables.cache import TableCache
from powderkeg.server.tables.loaded import LoadedTable, copy_lines
from powderkeg.server.tables.replay import LogLine, ReplayedGame, resume_replay
from powderkeg.server.views.readers import find_reader

LONGEST_LETTER = 20_000  # characters
LONGEST_FILE = 20_000  # entries of a file: several times the longest game we know
ps = schema.press.c
PRIVATE_SETTINGS = TableSettings(listed=False, join="link", watch="off", press="none")


def own_seats(table: str, owner: str, names: dict[str, str]) -> list[SeatRow]:
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
        again = replace(
            new_table_row(
                loaded.game, _rematch_options(loaded), row.players, change.now, row.settings
            ),
            title=row.title,
            owner=user,
            invite=row.invite,
            listed=row.listed,
            watch=row.watch,
            league=await find_open_league(change.tx, row.league),
        )
        seats = [_rematch_seat(again.id, i, s, user) for i, s in enumerate(loaded.seats.values())]
        await store_table(change.tx, again, seats)
        change.set(rematch=again.id)
        change.tx.publish("lobby")
    return again.id


def _rematch_options(loaded: LoadedTable) -> Options:
    """The options of the game that ended, with what its result changes for the next."""
    row, replayed = loaded.row, loaded.replayed
    options: Options = record.stored_options(loaded.game, row.version, row.options)
    result = replayed.table.result if replayed else None
    return replace(options, **result.next_options) if result else options


def _rematch_seat(table: str, place: int, old: SeatRow, user: str) -> SeatRow:
    """Bots and the person who asked sit down again; other seats are open until people come."""
    seat = SeatRow(game=table, seat=old.seat, place=place)
    if old.kind == "bot":
        return replace(seat, kind="bot", level=old.level, character=old.character)
    if old.user == user:
        return replace(seat, kind="person", user=user, name=old.name)
    return seat


# Files


async def export_finished_game(cache: TableCache, who: Principal, table: str) -> str:
    """The file of a finished game. The file of a running game would reveal secrets."""
    async with cache.look(table) as loaded:
        reader = find_reader(loaded, who, None)
        row = loaded.row
        if row.status != "over":
            raise conflict("game_not_over")
        names = {s.seat: s.name for s in loaded.seats.values() if s.name}
    return await write_game_file(cache, row, names, reader.held)


async def write_game_file(
    cache: TableCache, row: TableRow, names: dict[str, str], eyes: Iterable[str] = ()
) -> str:
    """The text of a game's file, with the letters that the seats in `eyes` could read."""
    if row.initial is not None:
        raise conflict("copy_no_file")
    lg = schema.log.c
    async with cache.store.read() as tx:
        query = select(lg.seat, lg.do, lg.at).where(lg.game == row.id).order_by(lg.seq)
        entries = tuple(Entry(r.seat, r.do, r.at) for r in await tx.all(query))
        letter = ps.said.is_(None) | ps.form.is_not(None)  # and no announcement of the table
        written = (ps.game == row.id) & letter & (ps.channel != TO_WATCHERS)
        rows = await tx.all(select(schema.press).where(written).order_by(ps.id))
    letters = tuple(_file_letter(each, entries) for each in rows if _may_read(each.channel, eyes))
    commitment = Audited(bytes.fromhex(row.key)).commitment
    number = record.FORMAT if letters else record.PLAIN_FORMAT
    header = record.Header(
        row.rules, row.version, row.players, row.options, commitment, names, number
    )
    key = row.key if row.has_ended else ""
    return record.write_record(record.Record(header, entries, key, letters))


def _may_read(channel: str, eyes: Iterable[str]) -> bool:
    return channel == TO_ALL or not set(eyes).isdisjoint(channel.split("+"))


def _file_letter(row: Any, entries: tuple[Entry, ...]) -> record.Letter:
    """A stored letter for a file, placed among the entries by its time."""
    to = () if row.channel == TO_ALL else row.channel.split("+")
    after = bisect_right(entries, row.at, key=lambda entry: entry.at or 0.0)
    others = tuple(seat for seat in to if seat != row.seat)
    return record.Letter(row.seat or "", others, row.text, after, row.at)


class FileReplay(NamedTuple):
    """A replayed game file."""

    table: Table
    replayed: ReplayedGame
    lines: list[LogLine]
    phases: list[str]  # before each line, and at the end


async def open_game_file(cache: TableCache, who: Principal, wish: ImportIn) -> str:
    """Create a table from a file: the whole log is replayed before anything is stored."""
    owner = who.need_user("tables")
    # A long game takes seconds to play again: others are served meanwhile.
    file = await asyncio.to_thread(_read_file, wish)
    game = offered_game(cache, file.header.game)
    if len(file.entries) > LONGEST_FILE:
        raise Refused(422, "file_too_long", most=LONGEST_FILE)
    now = cache.clock()
    key = file.key if _is_key(file.key) else draw_key()
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
        await store_table(tx, row, own_seats(row.id, owner, people))
    async with cache.change(row.id) as change:
        change.loaded.replayed = again.replayed
        change.set(status="live", started=now)
        copy_lines(change, again.lines)
    await _store_letters(cache, row.id, file.letters, again, now)
    return row.id


def _read_file(wish: ImportIn) -> record.Record:
    """The chosen game of a file, ours or of another program."""
    found = games.open_game_file(wish.file, wish.number)
    if found.record is None:
        raise found.problem or Unreadable("core.file_foreign")
    return found.record


async def list_file_games(who: Principal, text: str) -> list[str]:
    """The names of the games in a file."""
    who.need_user("tables")
    return await asyncio.to_thread(games.list_game_files, text)


async def _store_letters(
    cache: TableCache, table: str, letters: Iterable[record.Letter], again: FileReplay, now: float
) -> None:
    """Put the letters of a file where the letters of a table are."""
    seats = again.table.seats
    rows = [
        {
            "game": table,
            "channel": _letter_channel(letter, seats),
            "seat": letter.seat if letter.seat in seats else None,
            "text": _storable_text(letter.text),
            "at": letter.at if letter.at is not None and 0 <= letter.at <= now else now,
            "phase": again.phases[min(letter.after, len(again.phases) - 1)],
        }
        for letter in letters
    ]
    if rows:
        async with cache.store.write() as tx:
            await tx.run(schema.press.insert(), rows)


def _letter_channel(letter: record.Letter, seats: tuple[str, ...]) -> str:
    among = {letter.seat, *letter.to}
    private = letter.to and not among >= set(seats)
    return "+".join(seat for seat in seats if seat in among) if private else TO_ALL


def _storable_text(text: str) -> str:
    return text.encode("utf-8", "ignore").decode().replace("\0", "")[:LONGEST_LETTER]


def _replay_file(file: record.Record, game: Game, key: str, now: float) -> FileReplay:
    table = record.replay_record(file, game)  # refuses a damaged or illegal file, with the line
    players, secret = file.header.players, bytes.fromhex(key)
    replayed = resume_replay(game, players, table.options, secret, state=None, length=0)
    lines, phases = [], []
    for entry in file.entries:
        phases.append(replayed.phase)
        lines.append(enter_file_line(replayed, entry, now))
    return FileReplay(table, replayed, lines, [*phases, replayed.phase])


def _storable_name(name: str) -> str:
    """A name from a file, without characters that a database cannot store."""
    return "".join(filter(str.isprintable, name))[:40]


def _is_key(text: str) -> bool:
    try:
        return len(bytes.fromhex(text)) == 32
    except ValueError:
        return False


def enter_file_line(replayed: ReplayedGame, entry: Entry, now: float) -> LogLine:
    """Replay one entry of a file; return the row to store."""
    if len(entry.do) > 100_000:
        raise Unreadable("core.file_foreign")
    undone = set(replayed.table.undone)
    replayed.table.enter(entry)
    undoes = next(iter(replayed.table.undone - undone), None)
    line = replayed.finish_entry(replayed.seq - 1, replayed.phase)
    at = entry.at if entry.at is not None and 0 <= entry.at <= now else now  # false for NaN, too
    stored = Entry(entry.seat, entry.do, at)
    return line._replace(
        entry=stored,
        undoes=undoes if entry.do == UNDO else None,
        by="chance" if entry.seat == CHANCE else "person",
    )
