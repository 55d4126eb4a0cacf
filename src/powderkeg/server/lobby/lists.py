"""The lists of tables: a person's own, tables to join, games to watch."""

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import ColumnElement, UnaryExpression, func, or_, select

from powderkeg.core.game import Game
from powderkeg.core.words import LangCode, say
from powderkeg.server.accounts.identity import Principal
from powderkeg.server.db import schema
from powderkeg.server.db.rows import SeatRow, TableRow
from powderkeg.server.db.store import Tx
from powderkeg.server.lobby.presets import find_speed
from powderkeg.server.schemas.tables import Lobby, TableLine
from powderkeg.server.tables import labels
from powderkeg.server.tables.cache import TableCache
from powderkeg.server.views.names import name_players
from powderkeg.server.views.pictures import has_picture
from powderkeg.server.views.present import result_place
from powderkeg.server.views.terms import clock_phrase

g, s, p, u = schema.games.c, schema.seats.c, schema.proposals.c, schema.users.c


async def list_lobby(cache: TableCache, who: Principal) -> Lobby:
    user = who.id if "read" in who.scopes else None
    offered = g.rules.in_(cache.games)  # a host may have taken a game away
    async with cache.store.read() as tx:
        mine: list[TableRow] = []
        if user:
            sits = g.id.in_(select(s.game).where(s.user == user).scalar_subquery())
            own = (sits | (g.owner == user)) & (g.status != "closed") & (g.purpose != "lesson")
            mine = await _find_tables(tx, own & offered, g.moved.desc(), 200)
        vacant = select(s.game).where(s.vacant).scalar_subquery()
        seats_left = select(s.seat).where(s.game == g.id, s.kind == "open").exists()
        joinable = or_(
            (g.status == "open") & g.listed & seats_left,
            g.status.in_(["live", "paused"]) & g.listed & g.id.in_(vacant),
        )
        free = await _find_tables(tx, joinable & offered, g.created.desc(), 100)
        watched = (g.status == "live") & g.listed & (g.watch == "on") & (g.purpose == "game")
        live = await _find_tables(tx, watched & offered, g.moved.desc(), 50)
        lines = {x.id: x for x in await read_lines(tx, cache, [*mine, *free, *live], who)}
    return Lobby(
        mine=sorted((lines[row.id] for row in mine), key=_own_order),
        open=[lines[row.id] for row in free],
        live=[lines[row.id] for row in live],
    )


async def read_lines(
    tx: Tx, cache: TableCache, rows: Sequence[TableRow], who: Principal
) -> list[TableLine]:
    """Tables as lines of a list, in their order."""
    ids = {row.id for row in rows}
    found = await tx.all(select(schema.seats).where(s.game.in_(ids)).order_by(s.place))
    count = select(p.game, func.count().label("n")).where(p.game.in_(ids), p.status == "open")
    asked = {row.game: row.n for row in await tx.all(count.group_by(p.game))}
    seats: dict[str, list[SeatRow]] = {}
    for seat in found:
        seats.setdefault(seat.game, []).append(SeatRow.load(seat))
    people = select(u.id, u.lang).join(schema.seats, s.user == u.id).where(s.game.in_(ids))
    spoken = {row.id: row.lang for row in await tx.all(people.distinct())}
    return [
        _table_line(cache, row, seats[row.id], who, asked.get(row.id, 0), spoken) for row in rows
    ]


def _own_order(line: TableLine) -> int:
    """Tables that wait for the reader come first, finished ones last; each group by its last move."""
    return 0 if line.my_turn else 2 if line.status == "over" else 1


async def _find_tables(
    tx: Tx, where: ColumnElement[bool], order: UnaryExpression[float], limit: int
) -> list[TableRow]:
    query = select(schema.games).where(where).order_by(order).limit(limit)
    return [TableRow.load(row) for row in await tx.all(query)]


def _table_line(
    cache: TableCache,
    row: TableRow,
    seats: list[SeatRow],
    who: Principal,
    asked: int,
    spoken: Mapping[str, LangCode],
) -> TableLine:
    mine = [x for x in seats if who.id and x.user == who.id]
    owed = [x for x in mine if row.status == "live" and x.seat in row.to_act]
    hidden, game, clock = row.is_anonymous, cache.games[row.rules], row.settings.clock
    hosts = row.watch == "off" and row.owner is not None and row.owner == who.id
    open_now = bool(mine or hosts or row.watch == "on")  # no delay, nothing closed
    people = [x for x in seats if x.kind == "person"]  # who is invited has not sat down
    own = _own_standing(game, row, mine[0].seat, who.lang) if mine else {}
    names = name_players(row, seats, who.lang)
    return TableLine(
        id=row.id,
        game=row.rules,
        label=labels.game_label(game, who.lang),
        title=row.title,
        status=row.status,
        players=row.players,
        taken=sum(x.kind in ("person", "bot") for x in seats),
        open_seats=[x.seat for x in seats if x.kind == "open" or x.vacant],
        names=[] if hidden else [names[x.seat] for x in people if x.seat in names],
        langs=[]
        if hidden
        else sorted({spoken[x.user] for x in people if x.user and x.user in spoken}),
        clock=say(clock_phrase(clock), who.lang),
        speed=find_speed(clock),
        gunboat=row.settings.anonymous and row.settings.press == "none",
        waiting=_waiting_seats(game, row, who.lang) if open_now else [],
        picture=has_picture(row) and open_now,
        **own,
        rated=row.settings.rated,
        anonymous=hidden,
        my_seat=mine[0].seat if mine else None,
        my_turn=bool(owed),
        due=min((x.due for x in owed if x.due), default=None),
        seq=(row.base if hidden else row.head) if open_now else 0,
        phase=labels.phase_label(game, row.phase, who.lang) if open_now else "",
        created=row.created,
        moved=row.created if hidden or not open_now else row.moved,
        proposals=asked if mine else 0,
        vacant=any(x.vacant for x in seats),
    )


def _own_standing(game: Game, row: TableRow, seat: str, lang: str) -> dict[str, Any]:
    """The reader's own seat: its name, its score, and its place among all."""
    found: dict[str, Any] = {"my_label": labels.standing_label(game, row, seat, lang)}
    if row.result is not None:
        return {**found, "rank": result_place(row.result, seat)}
    score = row.standing[seat]["score"] if seat in row.standing else None
    if score is None or not row.is_running:
        return found
    ahead = [x for x in row.standing.values() if (x["score"] or 0) > score]
    return {**found, "score": score, "rank": len(ahead) + 1}


def _waiting_seats(game: Game, row: TableRow, lang: str) -> list[str]:
    """The seats that must act, by name; in an anonymous game nobody may know."""
    if row.status != "live" or row.settings.anonymous:
        return []
    return [labels.standing_label(game, row, seat, lang) for seat in row.to_act]
