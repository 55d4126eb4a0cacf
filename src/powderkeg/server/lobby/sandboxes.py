"""Sandboxes: tables where one person plays every seat, from the start, a moment or a position."""

import random
import secrets
from dataclasses import replace
from typing import Any, NamedTuple

from sqlalchemy import select

from powderkeg.core import plain, record
from powderkeg.core.game import Game, Options, State
from powderkeg.core.table import Entry
from powderkeg.games import find_sandbox_tool
from powderkeg.server.accounts.identity import Principal
from powderkeg.server.db import schema
from powderkeg.server.db.rows import TableRow
from powderkeg.server.db.table_settings import TableSettings
from powderkeg.server.lobby.copies import enter_file_line, own_seats
from powderkeg.server.lobby.create import new_table_row, offered_game, start_game, store_table
from powderkeg.server.refusals import conflict, forbidden
from powderkeg.server.schemas.tables import NewSandboxIn, SandboxIn
from powderkeg.server.tables.cache import TableCache
from powderkeg.server.tables.loaded import LoadedTable, copy_lines
from powderkeg.server.tables.replay import resume_replay
from powderkeg.server.views.delayed import hide_choices, started_moment
from powderkeg.server.views.readers import Reader, find_reader

# Everybody who has the link may look; nobody thinks against a clock.
SANDBOX_SETTINGS = TableSettings(listed=False, join="link", watch="on", press="none", delay=0)


class Source(NamedTuple):
    """The game that a sandbox is made from, as one reader may know it."""

    row: TableRow
    game: Game
    reader: Reader
    seats: tuple[str, ...]
    copied_from: str | None


async def new_sandbox(cache: TableCache, who: Principal, wish: NewSandboxIn) -> str:
    """A sandbox at the beginning of a game; return its id."""
    owner = who.need_user("tables")
    game = offered_game(cache, wish.game)
    players = 1 if find_sandbox_tool(game.name) else max(game.players)
    options: Options = game.Options()
    row = new_table_row(game, options, players, cache.clock(), SANDBOX_SETTINGS)
    seats = game.seats(players, options)
    return await _open_table(cache, replace(row, owner=owner, purpose="sandbox"), seats)


async def open_sandbox(cache: TableCache, who: Principal, table: str, wish: SandboxIn) -> str:
    """Copy a moment of a game to a table where one person plays all seats; return its id."""
    owner = who.need_user("tables")
    async with cache.look(table) as loaded:
        reader = find_reader(loaded, who, wish.seat)
        seq = await started_moment(cache, loaded, reader, wish.seq)
        source, own = _source_game(loaded, reader), _is_own(loaded, reader)
    if own:
        return await _branch_sandbox(cache, source.row, source.seats, seq)
    async with cache.store.read() as tx:
        replayed = await cache.replay_to(tx, source.row, seq)
    state: State = hide_choices(source.row, replayed, reader).table.state
    if source.row.status != "over":  # secrets are dealt again, so that a copy reveals nothing
        view = source.game.view(state, reader.seat)
        state = source.game.deal(view, random.Random(secrets.token_hex(8)))
    return await _open_copy(cache, source, owner, state)


async def edit_position(
    cache: TableCache, who: Principal, table: str, position: dict[str, Any]
) -> str:
    """A sandbox that begins in a position of the user's own; return its id."""
    owner = who.need_user("tables")
    async with cache.look(table) as loaded:
        reader = find_reader(loaded, who, None)
        source, own = _source_game(loaded, reader), _is_own(loaded, reader)
        state: State = loaded.current.table.state
    tool = find_sandbox_tool(source.game.name)
    if not own:
        raise forbidden("not_your_seat")
    if tool is None:
        raise conflict("no_positions")
    return await _open_copy(cache, source, owner, tool.edit(state, position))


def _source_game(loaded: LoadedTable, reader: Reader) -> Source:
    row = loaded.row
    counts = row.purpose != "sandbox" and row.status != "over"
    copied_from = loaded.settings.copied_from or (loaded.id if counts else None)
    return Source(row, loaded.game, reader, tuple(loaded.seats), copied_from)


def _is_own(loaded: LoadedTable, reader: Reader) -> bool:
    return loaded.row.purpose == "sandbox" and len(reader.held) == len(loaded.seats)


async def _open_copy(cache: TableCache, source: Source, owner: str, state: State) -> str:
    """A sandbox that begins in `state`; on one board for all sides, where the game has that."""
    row, game = source.row, source.game
    tool = find_sandbox_tool(game.name)
    options: Options = record.stored_options(game, row.version, row.options)
    players, seats = row.players, source.seats
    if tool is not None:
        players, state = 1, tool.gather(state)
        seats = game.seats(players, options)
    settings = SANDBOX_SETTINGS
    if source.copied_from:  # while that game is being played: no analysis, and no other eyes
        settings = replace(settings, copied_from=source.copied_from, watch="off")
    copy = replace(
        new_table_row(game, options, players, cache.clock(), settings),
        title=row.title,
        owner=owner,
        purpose="sandbox",
        initial=plain.dump(state),
    )
    return await _open_table(cache, copy, seats)


async def _open_table(cache: TableCache, row: TableRow, seats: tuple[str, ...]) -> str:
    own = own_seats(row.id, row.owner or "", dict.fromkeys(seats, ""))
    async with cache.store.write() as tx:
        await store_table(tx, row, own)
    async with cache.change(row.id) as change:
        start_game(change)
    return row.id


async def _branch_sandbox(
    cache: TableCache, row: TableRow, seats: tuple[str, ...], seq: int
) -> str:
    """Another sandbox with the first `seq` entries of this one: the way back, and every branch."""
    game, now = cache.games[row.rules], cache.clock()
    options: Options = record.stored_options(game, row.version, row.options)
    copy = replace(
        new_table_row(game, options, row.players, now, row.settings),
        title=row.title,
        owner=row.owner,
        purpose="sandbox",
        initial=row.initial,
        key=row.key,
    )
    if seq == 0:
        return await _open_table(cache, copy, seats)
    lg = schema.log.c
    async with cache.store.read() as tx:
        part = (lg.game == row.id) & (lg.seq < seq)
        stored = await tx.all(select(lg.seat, lg.do, lg.at).where(part).order_by(lg.seq))
    state = record.stored_state(game, row.version, row.initial) if row.initial else None
    secret = bytes.fromhex(row.key)
    replayed = resume_replay(game, row.players, options, secret, state=state, length=0)
    lines = [enter_file_line(replayed, Entry(each.seat, each.do, each.at), now) for each in stored]
    async with cache.store.write() as tx:
        await store_table(tx, copy, own_seats(copy.id, row.owner or "", dict.fromkeys(seats, "")))
    async with cache.change(copy.id) as change:
        change.loaded.replayed = replayed
        change.set(status="live", started=now)
        copy_lines(change, lines)
    return copy.id
