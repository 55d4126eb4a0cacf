"""Creating tables and starting their games."""

import secrets
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from sqlalchemy import select

from powderkeg.bots import LEVEL_NAMES
from powderkeg.bots.game_bots import bots_of
from powderkeg.bots.levels import check_character
from powderkeg.core import plain, record
from powderkeg.core.chance import Audited, shuffle
from powderkeg.core.game import Game, Options
from powderkeg.core.options import load_options
from powderkeg.core.words import Msg
from powderkeg.server.accounts.identity import Principal
from powderkeg.server.accounts.tokens import hash_token, issue_token, new_id, new_token
from powderkeg.server.db import schema
from powderkeg.server.db.rows import SeatRow, TableRow, UserRow
from powderkeg.server.db.store import Tx
from powderkeg.server.db.table_settings import TableSettings, load_settings
from powderkeg.server.lobby.departures import end_departures
from powderkeg.server.lobby.join import seat_bot
from powderkeg.server.lobby.leagues import need_open_league
from powderkeg.server.lobby.presets import preset_settings
from powderkeg.server.notices.outbox import put_user_notices
from powderkeg.server.refusals import Refused, conflict
from powderkeg.server.schemas.tables import SeatIn, TableIn
from powderkeg.server.tables import labels
from powderkeg.server.tables.bot_seats import usual_level
from powderkeg.server.tables.cache import TableCache
from powderkeg.server.tables.loaded import TableChange, record_lines
from powderkeg.server.tables.replay import resume_replay, roll_opening

DRAWN_CHARACTER = "drawn"


def check_level(level: str, levels: Sequence[str] = LEVEL_NAMES) -> str:
    """The level, if it is one of `levels`; empty means the usual one."""
    if level and level not in levels:
        raise Refused(422, "no_such_level", level=level, levels=list(levels))
    return level or usual_level(levels)


def wished_character(game: Game, wish: str) -> str:
    """The character that was wished for, if the game's bots have it; `drawn`: any of them."""
    known = bots_of(game).characters
    if wish == DRAWN_CHARACTER:
        return secrets.choice(known) if known else ""
    return check_character(game, wish)


def offered_game(cache: TableCache, name: str) -> Game:
    """The game of that name on this server, or a refusal."""
    if name not in cache.games:
        raise Refused(422, "no_such_game", game=name, games=list(cache.games))
    return cache.games[name]


async def make_table(
    cache: TableCache, who: Principal, wish: TableIn
) -> tuple[str, str, dict[str, str]]:
    """A new table: its id, the secret of its link, and the links of invited seats."""
    owner, game, now = who.need_user("tables"), offered_game(cache, wish.game), cache.clock()
    players = wish.players or game.players[-1]
    if players not in game.players:
        raise Refused(422, "players", least=game.players[0], most=game.players[-1])
    options: Options = load_options(game.Options, wish.options)
    names = game.seats(players, options)
    wanted = {seat.seat: seat for seat in wish.seats}
    if wrong := wanted.keys() - set(names):
        raise Refused(422, "no_such_seat", seat=min(wrong))
    settings, invite = _wished_settings(wish, game), new_token("join")
    levels = cache.store.settings.bot_levels
    check_level(settings.missed.level, levels)
    row = replace(
        new_table_row(game, options, players, now, settings),
        title=wish.title,
        owner=owner,
        invite=hash_token(invite),
        league=wish.league,
    )
    seats = [
        _wished_seat(game, row.id, place, name, wanted.get(name), who, wish, levels)
        for place, name in enumerate(names)
    ]
    if wish.preset == "bots" and not wanted:
        seats = _seat_among_bots(game, seats, who, wish.name, usual_level(levels))
    async with cache.store.write() as tx:
        if wish.league is not None:
            await need_open_league(tx, wish.league, game.name)
        links = await _store_new_table(tx, game, row, seats, wanted)
    return row.id, invite, links


def _wished_settings(wish: TableIn, game: Game) -> TableSettings:
    """The settings that were wished for. A league shows its tables itself, and its link is the invitation."""
    own: dict[str, Any] = {} if wish.league is None else {"listed": False, "join": "anyone"}
    if wish.settings is not None:
        return load_settings(own | wish.settings.model_dump(exclude_unset=True))
    usual = preset_settings(wish.preset, game) if wish.preset else TableSettings()
    return replace(usual, **own)


async def _store_new_table(
    tx: Tx, game: Game, row: TableRow, seats: list[SeatRow], wanted: dict[str, SeatIn]
) -> dict[str, str]:
    """Store a table, invite accounts, and make the links of invited seats."""
    guests = {
        seat.seat: await _find_guest(tx, name.casefold())
        for seat in seats
        if seat.kind == "invited" and (name := wanted[seat.seat].invite)
    }
    await store_table(
        tx,
        row,
        [
            replace(seat, user=guest.id, name=guest.name)
            if (guest := guests.get(seat.seat))
            else seat
            for seat in seats
        ],
    )
    for guest in guests.values():
        title = row.title or Msg("server.untitled", id=row.id)
        text = Msg("server.notice.invited", game=labels.game_words(game), title=title)
        await put_user_notices(tx, row.created, guest, "invited", text, table=row.id, occasion="")
        tx.publish(f"user:{guest.id}")
    links = {}
    for seat in seats:
        if seat.kind == "invited":
            token, _ = await issue_token(tx, "seat", row.created, game=row.id, seat=seat.seat)
            links[seat.seat] = token
    tx.publish("lobby")
    tx.publish(f"user:{row.owner}")
    return links


async def _find_guest(tx: Tx, name: str) -> UserRow:
    """An account that is invited by name or email."""
    u = schema.users.c
    found = await tx.one(select(schema.users).where((u.key == name) | (u.email == name)))
    if found is None:
        raise Refused(422, "no_such_user", name=name)
    return UserRow.load(found)


def draw_key() -> str:
    """The secret that all luck of a table comes from."""
    return secrets.token_hex(32)


def new_table_row(
    game: Game, options: Options, players: int, now: float, settings: TableSettings
) -> TableRow:
    return TableRow(
        id=new_id(10),
        rules=game.name,
        version=game.version,
        players=players,
        options=plain.dump(options),
        settings=settings,
        listed=settings.listed,
        watch=settings.watch,
        key=draw_key(),
        created=now,
        moved=now,
    )


async def store_table(tx: Tx, row: TableRow, seats: list[SeatRow]) -> None:
    await tx.run(schema.games.insert().values(**row.values()))
    await tx.run(schema.seats.insert(), [seat.values() for seat in seats])
    await end_departures(tx, row.league, [seat.user for seat in seats if seat.kind == "person"])


def _wished_seat(
    game: Game,
    table: str,
    place: int,
    name: str,
    wanted: SeatIn | None,
    who: Principal,
    wish: TableIn,
    levels: Sequence[str],
) -> SeatRow:
    seat = SeatRow(game=table, seat=name, place=place)
    match wanted:
        case SeatIn(kind="me"):
            return replace(seat, kind="person", user=who.id, name=wish.name or who.name)
        case SeatIn(kind="here"):
            return replace(seat, kind="person", user=who.id, name=wanted.name or who.name)
        case SeatIn(kind="bot"):
            level, character = check_level(wanted.level, levels), wanted.character
            return replace(
                seat, kind="bot", level=level, character=wished_character(game, character)
            )
        case SeatIn(kind="invited"):
            return replace(seat, kind="invited", name=wanted.name)
    return seat


def _seat_among_bots(
    game: Game, seats: list[SeatRow], who: Principal, name: str | None, level: str
) -> list[SeatRow]:
    """One person at a random seat, bots of drawn characters in the rest."""
    mine = secrets.choice(seats).seat
    return [
        replace(seat, kind="person", user=who.id, name=name or who.name)
        if seat.seat == mine
        else replace(
            seat, kind="bot", level=level, character=wished_character(game, DRAWN_CHARACTER)
        )
        for seat in seats
    ]


# The start


def start_game(change: TableChange) -> None:
    """Start the game: fill open seats with bots and draw seats, if the settings say so; then roll."""
    loaded = change.loaded
    if loaded.row.status != "open":
        raise conflict("already_started")
    waiting = [x.seat for x in loaded.seats.values() if x.kind in ("open", "invited")]
    if waiting and not loaded.settings.fill:
        raise conflict("seats_open", n=len(waiting))
    for seat in waiting:
        seat_bot(change, seat, check_level(loaded.settings.missed.level))
    if loaded.settings.seating == "draw":
        _draw_seats(change)
    row = loaded.row
    loaded.replayed = resume_replay(
        loaded.game,
        row.players,
        record.stored_options(loaded.game, row.version, row.options),
        bytes.fromhex(row.key),
        state=record.stored_state(loaded.game, row.version, row.initial) if row.initial else None,
        length=0,
    )
    loaded.replayed.anonymous = row.settings.anonymous
    lines = roll_opening(loaded.replayed, change.now)
    change.set(status="live", started=change.now)
    record_lines(change, lines, None, "chance")
    change.tx.publish("lobby")


def _draw_seats(change: TableChange) -> None:
    """Draw the seats of the players with the table's key, at a place before the log."""
    loaded = change.loaded
    names = list(loaded.seats)
    drawn = Audited(bytes.fromhex(loaded.row.key)).draw(shuffle(names), -1)
    before = dict(loaded.seats)
    for name, other in zip(names, drawn.items, strict=True):  # type: ignore[union-attr]  # a shuffle draws things
        old = before[other]
        change.set_seat(
            name,
            kind=old.kind,
            user=old.user,
            level=old.level,
            character=old.character,
            name=old.name,
            seen=old.seen,
        )
