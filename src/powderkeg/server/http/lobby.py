"""Games, lists of tables, public profiles and ratings."""

import asyncio
from collections.abc import AsyncIterator

from fastapi import APIRouter
from fastapi.responses import StreamingResponse
from sqlalchemy import select

from powderkeg.server.accounts.identity import Principal
from powderkeg.server.db import schema
from powderkeg.server.http.deps import PrincipalDep, ServerDep
from powderkeg.server.lobby import catalog, lists
from powderkeg.server.process import ServerProcess
from powderkeg.server.refusals import Refused
from powderkeg.server.schemas.accounts import RankOut, RanksOut, RatingOut, UserOut
from powderkeg.server.schemas.games import GameOut, GamesOut
from powderkeg.server.schemas.tables import Lobby as LobbyOut
from powderkeg.server.tables import ratings

router = APIRouter()


@router.get("/api/games", tags=["lists"])
async def get_games(server: ServerDep, who: PrincipalDep) -> GamesOut:
    """The games that can be played here, with options and presets in the reader's language."""
    return catalog.present_games(dict(server.games), who.lang)


@router.get("/api/games/{name}", tags=["lists"])
async def get_game(name: str, server: ServerDep, who: PrincipalDep) -> GameOut:
    if name not in server.games:
        raise Refused(404, "no_such_game", game=name, games=list(server.games))
    return catalog.present_game(server.games[name], who.lang)


@router.get("/api/lobby", tags=["lists"])
async def get_lobby(server: ServerDep, who: PrincipalDep) -> LobbyOut:
    """My tables (whose turn, until when), tables to join, games to watch."""
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
    """The public profile of an account."""
    u, r = schema.users.c, schema.ratings.c
    async with server.store.read() as tx:
        row = await tx.one(select(schema.users).where(u.key == name.casefold()))
        if row is None:
            raise Refused(404, "no_such_user", name=name)
        rated = await tx.all(select(schema.ratings).where(r.user == row.id))
    return UserOut(
        name=row.name,
        kind=row.kind,
        since=row.created,
        reliability=round(1 - row.misses / row.turns, 3) if row.turns else None,
        ratings=[
            RatingOut(
                game=x.rules,
                rating=ratings.shown_rating(x.mu, x.sigma),
                deviation=round(20 * x.sigma),
                played=x.played,
            )
            for x in rated
        ],
    )


@router.get("/api/ratings/{game}", tags=["lists"])
async def get_ranks(game: str, server: ServerDep, who: PrincipalDep) -> RanksOut:
    """The best of a game."""
    if game not in server.games:
        raise Refused(404, "no_such_game", game=game, games=list(server.games))
    u, r = schema.users.c, schema.ratings.c
    query = (
        select(u.name, u.kind, r.mu, r.sigma, r.played)
        .join(schema.ratings, r.user == u.id)
        .where(r.rules == game)
        .order_by((r.mu - 2 * r.sigma).desc())
        .limit(100)
    )
    async with server.store.read() as tx:
        rows = await tx.all(query)
    listed = [
        RankOut(
            name=x.name,
            kind=x.kind,
            rating=ratings.shown_rating(x.mu, x.sigma),
            deviation=round(20 * x.sigma),
            played=x.played,
        )
        for x in rows
    ]
    return RanksOut(game=game, ranks=listed)
