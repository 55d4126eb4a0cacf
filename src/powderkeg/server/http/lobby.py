"""Games, lists of tables, leagues, public profiles, ratings and reports."""

import asyncio
from collections.abc import AsyncIterator
from typing import Annotated

from fastapi import APIRouter, Query
from fastapi.responses import StreamingResponse

from powderkeg.server.accounts.identity import Principal
from powderkeg.server.accounts.profiles import find_account_name, list_ranks, read_profile
from powderkeg.server.http.deps import PrincipalDep, ServerDep
from powderkeg.server.lobby import catalog, leagues, lists, people
from powderkeg.server.process import ServerProcess
from powderkeg.server.refusals import Refused, forbidden
from powderkeg.server.schemas.accounts import PersonOut, RanksOut, ReportsOut, UserOut
from powderkeg.server.schemas.base import DoneOut
from powderkeg.server.schemas.games import GameOut, GamesOut
from powderkeg.server.schemas.leagues import (
    LeagueChangeIn,
    LeagueIn,
    LeagueOut,
    LeaguesOut,
    LeagueTablesOut,
)
from powderkeg.server.schemas.tables import Lobby as LobbyOut

router = APIRouter()


@router.get("/api/games", tags=["lists"])
async def get_games(server: ServerDep, who: PrincipalDep) -> GamesOut:
    """The games that can be played here, with options and presets in the reader's language."""
    return catalog.present_games(dict(server.games), who.lang, server.settings.bot_levels)


@router.get("/api/games/{name}", tags=["lists"])
async def get_game(name: str, server: ServerDep, who: PrincipalDep) -> GameOut:
    if name not in server.games:
        raise Refused(404, "no_such_game", game=name, games=list(server.games))
    return catalog.present_game(server.games[name], who.lang, server.settings.bot_levels)


@router.get("/api/lobby", tags=["lists"])
async def get_lobby(server: ServerDep, who: PrincipalDep) -> LobbyOut:
    """My tables (whose turn, and the deadline), tables to join, and games to watch."""
    return await lists.list_lobby(server.cache, who)


@router.get(
    "/api/lobby/stream",
    tags=["lists"],
    response_class=StreamingResponse,
    responses={200: {"content": {"text/event-stream": {"schema": {"type": "string"}}}}},
)
async def stream_lobby(server: ServerDep, who: PrincipalDep) -> StreamingResponse:
    """Server-sent events: `lobby` with the lists at once and whenever they change."""
    server.limiter.check_here("stream", who.limit_key)
    return StreamingResponse(_lobby_events(server, who), media_type="text/event-stream")


async def _lobby_events(server: ServerProcess, who: Principal) -> AsyncIterator[str]:
    topics = ("lobby", f"user:{who.id}") if who.id else ("lobby",)
    subscription = server.events.subscribe(*topics, *who.topics)
    try:
        last = ""
        while not server.events.closing:
            now = (await lists.list_lobby(server.cache, who)).model_dump_json()
            if now != last:
                yield f"event: lobby\ndata: {now}\n\n"
                last = now
            news = await subscription.wait(who.longest_wait(server.settings.keep_alive))
            if who.is_logged_out(news):
                return
            if not news:
                yield ": still here\n\n"
            await asyncio.sleep(0.25)  # several changes at once make one message
        yield "event: restart\ndata: {}\n\n"
    finally:
        server.events.unsubscribe(subscription)


@router.get("/api/users/{name}", tags=["people"])
async def get_user(name: str, server: ServerDep, who: PrincipalDep) -> UserOut:
    """The public page of an account: results, ratings and their history, how reliable it is."""
    profile = await read_profile(server.store, name, server.games)
    return people.present_profile(profile, dict(server.games), who.lang)


@router.get("/api/tables/{table}/seats/{seat}/person", tags=["people"])
async def get_person(table: str, seat: str, server: ServerDep, who: PrincipalDep) -> PersonOut:
    """The account that plays a seat; nothing for guests, bots and anonymous players."""
    user = await people.find_seat_user(server.cache, who, table, seat)
    return PersonOut(account=await find_account_name(server.store, user))


@router.get("/api/ratings/{game}", tags=["lists"])
async def get_ranks(game: str, server: ServerDep, who: PrincipalDep) -> RanksOut:
    """The best players of a game."""
    if game not in server.games:
        raise Refused(404, "no_such_game", game=game, games=list(server.games))
    return RanksOut(game=game, ranks=people.present_ranks(await list_ranks(server.store, game)))


@router.get("/api/leagues", tags=["leagues"])
async def get_leagues(server: ServerDep, who: PrincipalDep) -> LeaguesOut:
    """The leagues that I own or play in."""
    rows = await leagues.list_leagues(server.store, who)
    shown = [
        leagues.present_league(server.cache, row, who, member=row.owner != who.id) for row in rows
    ]
    return LeaguesOut(leagues=shown)


@router.post("/api/leagues", tags=["leagues"])
async def post_league(wish: LeagueIn, server: ServerDep, who: PrincipalDep) -> LeagueOut:
    """Start a league. Anyone who knows its link may look at it and play in it; no list shows it."""
    await server.limiter.check_shared("create", who.limit_key)
    row = await leagues.create_league(server.cache, who, wish)
    return leagues.present_league(server.cache, row, who, member=False)


@router.get("/api/leagues/{league}", tags=["leagues"])
async def get_league(league: str, server: ServerDep, who: PrincipalDep) -> LeagueOut:
    return await leagues.show_league(server.cache, league, who)


@router.patch("/api/leagues/{league}", tags=["leagues"])
async def patch_league(
    league: str, wish: LeagueChangeIn, server: ServerDep, who: PrincipalDep
) -> LeagueOut:
    """Rename a league of mine, close it for new tables, or open it again."""
    await leagues.change_league(server.cache, who, league, wish)
    return await leagues.show_league(server.cache, league, who)


@router.delete("/api/leagues/{league}", tags=["leagues"])
async def delete_league(league: str, server: ServerDep, who: PrincipalDep) -> DoneOut:
    """Delete a league of mine. Its standings are lost; its tables stay and belong to no league."""
    await leagues.delete_league(server.cache, who, league)
    return DoneOut()


@router.post("/api/leagues/{league}/leave", tags=["leagues"])
async def post_leave_league(league: str, server: ServerDep, who: PrincipalDep) -> DoneOut:
    """Leave a league: my list shows it again when I sit down at a new table of it. What I have played
    keeps counting."""
    await leagues.leave_league(server.cache, who, league)
    return DoneOut()


@router.get("/api/leagues/{league}/tables", tags=["leagues"])
async def get_league_tables(
    league: str,
    server: ServerDep,
    who: PrincipalDep,
    game: Annotated[str | None, Query(max_length=40)] = None,
) -> LeagueTablesOut:
    """The standings of a league, and its tables: those to join, those that run, those that are over.
    With `game` only the tables of that game."""
    return await leagues.read_league_tables(server.cache, who, league, game)


@router.delete("/api/leagues/{league}/tables/{table}", tags=["leagues"])
async def delete_league_table(
    league: str, table: str, server: ServerDep, who: PrincipalDep
) -> DoneOut:
    """Take a table out of a league of mine: it is played on, and no longer counts."""
    await leagues.remove_table(server.cache, who, league, table)
    return DoneOut()


@router.get("/api/reports", tags=["people"])
async def get_reports(server: ServerDep, who: PrincipalDep) -> ReportsOut:
    """The latest reports, for the hosts of the server."""
    if who.need_account("account").key not in server.settings.host_keys:
        raise forbidden("not_a_host")
    return ReportsOut(reports=await people.list_reports(server.cache, who.lang))
