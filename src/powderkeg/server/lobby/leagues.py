"""Leagues: tables of a club that are counted together. Anyone who knows the link of a league may look at it
and play in it; no public list shows it."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from sqlalchemy import delete, select, update

from powderkeg.server.accounts.identity import Principal
from powderkeg.server.accounts.tokens import new_id
from powderkeg.server.db import schema
from powderkeg.server.db.rows import LeagueRow, SeatRow, TableRow
from powderkeg.server.db.store import Store, Tx
from powderkeg.server.lobby.departures import note_departure, plays_in, sits_in
from powderkeg.server.lobby.join import change_each
from powderkeg.server.lobby.lists import read_lines
from powderkeg.server.lobby.standings import (
    FinishedGame,
    Member,
    Standing,
    count_standings,
    finished_game,
)
from powderkeg.server.refusals import Refused, conflict, forbidden, not_found
from powderkeg.server.schemas.leagues import (
    LeagueChangeIn,
    LeagueGameOut,
    LeagueIn,
    LeagueOut,
    LeagueTablesOut,
    PlaceOut,
    StandingOut,
)
from powderkeg.server.tables import labels
from powderkeg.server.tables.cache import TableCache
from powderkeg.server.views.names import name_guests
from powderkeg.server.views.present import result_place

lg, g, s, u = schema.leagues.c, schema.games.c, schema.seats.c, schema.users.c
SHOWN_FINISHED = 100
SHOWN_DIGITS = 2


# The leagues


async def create_league(cache: TableCache, who: Principal, wish: LeagueIn) -> LeagueRow:
    if wish.game is not None and wish.game not in cache.games:
        raise Refused(422, "no_such_game", game=wish.game, games=list(cache.games))
    row = LeagueRow(
        id=new_id(10),
        owner=who.need_user("tables"),
        name=wish.name,
        rules=wish.game,
        created=cache.clock(),
    )
    async with cache.store.write() as tx:
        await tx.run(schema.leagues.insert().values(**row.values()))
    return row


async def read_league(store: Store, league: str) -> LeagueRow:
    async with store.read() as tx:
        return await _find_league(tx, league)


async def _find_league(tx: Tx, league: str) -> LeagueRow:
    row = await tx.one(select(schema.leagues).where(lg.id == league))
    if row is None:
        raise not_found("no_such_league")
    return LeagueRow.load(row)


async def need_open_league(tx: Tx, league: str, rules: str) -> LeagueRow:
    """The league, if a table of this game may be opened in it."""
    row = await _find_league(tx, league)
    if row.closed is not None:
        raise conflict("league_closed", name=row.name)
    if row.rules not in (None, rules):
        raise conflict("league_of_other_game", name=row.name)
    return row


async def find_open_league(tx: Tx, league: str | None) -> str | None:
    """The same league, if tables can still be opened in it."""
    return await tx.value(select(lg.id).where(lg.id == league, lg.closed.is_(None)))  # type: ignore[no-any-return]  # an id


async def list_leagues(store: Store, who: Principal) -> list[LeagueRow]:
    """The leagues that somebody owns or plays in, the latest first."""
    if who.id is None:
        return []
    async with store.read() as tx:
        mine = (lg.owner == who.id) | plays_in(lg.id, who.id)
        rows = await tx.all(select(schema.leagues).where(mine).order_by(lg.created.desc(), lg.id))
    return [LeagueRow.load(row) for row in rows]


async def is_member(store: Store, who: Principal, league: str) -> bool:
    """Whether a league is in the list of somebody who does not own it."""
    if who.id is None:
        return False
    async with store.read() as tx:
        found = select(lg.id).where(lg.id == league, lg.owner != who.id, plays_in(lg.id, who.id))
        return await tx.value(found) is not None


async def leave_league(cache: TableCache, who: Principal, league: str) -> None:
    """Leave a league: it is no longer in my list. My results and my seats stay."""
    user = who.need_user("tables")
    async with cache.store.write() as tx:
        row = await _find_league(tx, league)
        if row.owner == user:
            raise conflict("league_is_yours", name=row.name)
        if await tx.value(select(lg.id).where(lg.id == league, sits_in(lg.id, user))) is None:
            raise forbidden("not_in_league", name=row.name)
        await note_departure(tx, league, user, cache.clock())


async def delete_league(cache: TableCache, who: Principal, league: str) -> None:
    """Delete a league of mine. Its tables stay and belong to no league."""
    user = who.need_user("tables")
    _need_owner(await read_league(cache.store, league), user)
    inside = g.league == league
    async with cache.store.read() as tx:
        running = await tx.all(select(g.id).where(inside, g.status.in_(("open", "live", "paused"))))
    await change_each(cache, (row.id for row in running), lambda change: change.set(league=None))
    async with cache.store.write() as tx:
        ended = await tx.all(select(g.id, g.rev).where(inside))
        await tx.run(update(schema.games).where(inside).values(league=None, rev=g.rev + 1))
        await tx.run(delete(schema.leagues).where(lg.id == league))
        for row in ended:
            tx.publish(f"table:{row.id}", rev=row.rev + 1, at=cache.clock())


async def change_league(
    cache: TableCache, who: Principal, league: str, wish: LeagueChangeIn
) -> LeagueRow:
    """Rename a league of mine, close it for new tables, or open it again."""
    user = who.need_user("tables")
    async with cache.store.write() as tx:
        row = await _find_league(tx, league)
        _need_owner(row, user)
        if wish.name is not None:
            row = replace(row, name=wish.name)
        if wish.closed is not None and wish.closed != (row.closed is not None):
            row = replace(row, closed=cache.clock() if wish.closed else None)
        mine = update(schema.leagues).where(lg.id == league)
        await tx.run(mine.values(name=row.name, closed=row.closed))
    return row


def _need_owner(row: LeagueRow, user: str) -> None:
    if row.owner != user:
        raise forbidden("not_your_league")


async def remove_table(cache: TableCache, who: Principal, league: str, table: str) -> None:
    """Take a table out of a league of mine. It is played on, and counts no more."""
    _need_owner(await read_league(cache.store, league), who.need_user("tables"))
    async with cache.change(table) as change:
        if change.loaded.row.league != league:
            raise not_found()
        change.set(league=None)


async def show_league(cache: TableCache, league: str, who: Principal) -> LeagueOut:
    row = await read_league(cache.store, league)
    return present_league(cache, row, who, member=await is_member(cache.store, who, league))


def present_league(cache: TableCache, row: LeagueRow, who: Principal, *, member: bool) -> LeagueOut:
    game = cache.games.get(row.rules or "")
    return LeagueOut(
        id=row.id,
        name=row.name,
        game=row.rules or "",
        label=labels.game_label(game, who.lang) if game else "",
        owner=who.id is not None and row.owner == who.id,
        member=member,
        closed=row.closed is not None,
        link=f"{cache.store.settings.public_url}/league/{row.id}",
    )


# Its tables


async def read_league_tables(
    cache: TableCache, who: Principal, league: str, rules: str | None
) -> LeagueTablesOut:
    """The standings and tables of a league, those of one game or of all."""
    within = (g.league == league) & (g.status != "closed") & g.rules.in_(cache.games)
    async with cache.store.read() as tx:
        await _find_league(tx, league)
        found = await tx.all(select(schema.games).where(within).order_by(g.created.desc(), g.id))
        rows = [TableRow.load(row) for row in found]
        shown = [row for row in rows if rules in (None, row.rules)]
        lines = await read_lines(tx, cache, [row for row in shown if row.status != "over"], who)
        over = (g.league == league) & (g.status == "over")
        seats = select(schema.seats).join(schema.games, s.game == g.id).where(over)
        seated = [SeatRow.load(row) for row in await tx.all(seats.order_by(s.place))]
        users = select(u.id, u.name, u.kind).join(schema.seats, s.user == u.id)
        known = await tx.all(
            users.join(schema.games, s.game == g.id).where(over).distinct().order_by(u.id)
        )
    guests = name_guests((row.id for row in known if not row.name), who.lang)
    members = {row.id: Member(row.name or guests[row.id], row.kind) for row in known}
    games = _finished_games(shown, seated, members)
    return LeagueTablesOut(
        games=sorted({row.rules for row in rows if row.status == "over"}),
        standings=_present_standings(count_standings(games), members, who),
        tables=sorted(lines, key=lambda line: (not line.my_turn, line.status != "open")),
        finished=[_present_game(cache, game, members, who.lang) for game in games[:SHOWN_FINISHED]],
    )


def _finished_games(
    rows: Sequence[TableRow], seated: Sequence[SeatRow], members: Mapping[str, Member]
) -> list[FinishedGame]:
    """The games that are over, the latest first."""
    seats: dict[str, list[SeatRow]] = {}
    for seat in seated:
        seats.setdefault(seat.game, []).append(seat)
    over = sorted((row for row in rows if row.result), key=lambda x: x.ended or 0.0, reverse=True)
    return [
        finished_game(row, row.result, seats[row.id], members)
        for row in over
        if row.result and row.id in seats
    ]


def _present_standings(
    standings: Sequence[Standing], members: Mapping[str, Member], who: Principal
) -> list[StandingOut]:
    shown = [(each, round(each.points, SHOWN_DIGITS)) for each in standings]
    return [
        StandingOut(
            place=_find_place(points, shown) if each.player.user else None,
            name=each.player.name or _member_name(each.player.user, members),
            account=not each.player.name and _has_page(each.player.user, members),
            mine=who.id is not None and each.player == (who.id, ""),
            games=each.games,
            wins=each.wins,
            shared=each.shared,
            points=points,
            mean=round(each.mean, SHOWN_DIGITS),
        )
        for each, points in shown
    ]


def _find_place(points: float, shown: Sequence[tuple[Standing, float]]) -> int:
    """The place of a player with these points; those whose accounts are gone have none."""
    return 1 + sum(other > points for each, other in shown if each.player.user)


def _member_name(user: str | None, members: Mapping[str, Member]) -> str:
    return members[user].name if user else ""


def _has_page(user: str | None, members: Mapping[str, Member]) -> bool:
    return bool(user) and members[user or ""].kind != "guest"


def _present_game(
    cache: TableCache, game: FinishedGame, members: Mapping[str, Member], lang: str
) -> LeagueGameOut:
    row, rules = game.row, cache.games[game.row.rules]
    places = [_present_place(cache, game, seat, members, lang) for seat in game.seats]
    return LeagueGameOut(
        table=row.id,
        game=row.rules,
        label=labels.game_label(rules, lang),
        title=row.title,
        ended=row.ended or row.moved,
        places=sorted(places, key=lambda x: x.place),
    )


def _present_place(
    cache: TableCache, game: FinishedGame, seat: SeatRow, members: Mapping[str, Member], lang: str
) -> PlaceOut:
    player = game.players.get(seat.seat)
    points = game.points.get(seat.seat)
    name = player.name or _member_name(player.user, members) if player else ""
    return PlaceOut(
        place=result_place(game.result, seat.seat) or len(game.seats),
        seat=labels.standing_label(cache.games[game.row.rules], game.row, seat.seat, lang),
        name=name,
        bot=player is None,
        points=None if points is None or player is None else round(points, SHOWN_DIGITS),
    )
