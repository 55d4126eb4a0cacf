"""What can be played, and the lists of tables."""

import asyncio
import secrets
from collections.abc import AsyncIterator

from fastapi import APIRouter, Request
from fastapi.responses import PlainTextResponse, StreamingResponse
from sqlalchemy import func, select, text

import powderkeg
from powderkeg.server import metrics
from powderkeg.server.accounts.identity import Principal
from powderkeg.server.app import Server, Srv, Who
from powderkeg.server.db import schema
from powderkeg.server.refusals import Refused
from powderkeg.server.schemas.accounts import RankOut, RanksOut, RatingOut, UserOut
from powderkeg.server.schemas.base import Health
from powderkeg.server.schemas.games import GameOut, GamesOut
from powderkeg.server.schemas.tables import Lobby as LobbyOut
from powderkeg.server.tables import create, ratings

router = APIRouter()


@router.get("/api/games", tags=["lists"])
async def games(server: Srv, who: Who) -> GamesOut:
    """The games that can be played here, with options and presets in the reader's language."""
    return create.games_out(dict(server.games), who.lang)


@router.get("/api/games/{name}", tags=["lists"])
async def game(name: str, server: Srv, who: Who) -> GameOut:
    if name not in server.games:
        raise Refused(404, "no_such_game", game=name, games=list(server.games))
    return create.game_out(server.games[name], who.lang)


@router.get("/api/lobby", tags=["lists"])
async def tables(server: Srv, who: Who) -> LobbyOut:
    """My tables (whose turn, until when), tables to join, games to watch."""
    return await create.lists(server.rooms, who)


@router.get(
    "/api/lobby/stream",
    tags=["lists"],
    response_class=StreamingResponse,
    responses={200: {"content": {"text/event-stream": {"schema": {"type": "string"}}}}},
)
async def stream(server: Srv, who: Who) -> StreamingResponse:
    """Server-sent events: `lobby` with the lists at once and whenever they change."""
    server.limiter.check("stream", who.limit_key)
    return StreamingResponse(_lobby_events(server, who), media_type="text/event-stream")


async def _lobby_events(server: Server, who: Principal) -> AsyncIterator[str]:
    topics = ("lobby", f"user:{who.id}") if who.id else ("lobby",)
    reader = server.hub.join(*topics, *who.topics)
    try:
        last = ""
        while not server.hub.closing:
            now = (await create.lists(server.rooms, who)).model_dump_json()
            if now != last:
                yield f"event: lobby\ndata: {now}\n\n"
                last = now
            news = await reader.wait(who.patience(server.settings.keep_alive))
            if who.is_out(news):
                return
            if not news:
                yield ": still here\n\n"
            await asyncio.sleep(0.25)  # several changes at once make one message
        yield "event: restart\ndata: {}\n\n"
    finally:
        server.hub.leave(reader)


@router.get("/healthz", tags=["running"])
async def health(server: Srv) -> Health:
    """Whether this process can work: it asks the database."""
    async with asyncio.timeout(5), server.store.read() as tx:
        await tx.value(text("SELECT 1"))
    kind = "sqlite" if server.settings.is_sqlite else "postgresql"
    return Health(ok=True, database=kind, version=powderkeg.__version__)


@router.get("/metrics", tags=["running"], response_class=PlainTextResponse)
async def numbers(server: Srv, request: Request) -> PlainTextResponse:
    """For Prometheus."""
    wanted = server.settings.metrics_token
    given = request.headers.get("authorization", "").removeprefix("Bearer ")
    if wanted and not secrets.compare_digest(wanted.encode(), given.encode()):
        raise Refused(401, "bad_token")
    metrics.SOCKETS.set(len(server.sockets))
    metrics.ROOMS.set(len(server.rooms.rooms))
    j, n, now = schema.jobs.c, schema.notices.c, server.clock()
    async with server.store.read() as tx:
        due = (
            select(func.count())
            .select_from(schema.jobs)
            .where(j.run_at <= now, j.locked_until <= now)
        )
        metrics.WAITING.set(await tx.value(due))
        for row in await tx.all(select(n.status, func.count().label("n")).group_by(n.status)):
            metrics.OUTBOX.labels(row.status).set(row.n)
    return PlainTextResponse(metrics.text())


@router.get("/api/users/{name}", tags=["people"])
async def user(name: str, server: Srv, who: Who) -> UserOut:
    """What everybody may know about an account."""
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
                rating=ratings.shown(x.mu, x.sigma),
                deviation=round(20 * x.sigma),
                played=x.played,
            )
            for x in rated
        ],
    )


@router.get("/api/ratings/{game}", tags=["lists"])
async def ranks(game: str, server: Srv, who: Who) -> RanksOut:
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
            rating=ratings.shown(x.mu, x.sigma),
            deviation=round(20 * x.sigma),
            played=x.played,
        )
        for x in rows
    ]
    return RanksOut(game=game, ranks=listed)
