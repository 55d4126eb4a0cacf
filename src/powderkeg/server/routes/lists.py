"""What can be played, and the lists of tables."""

import asyncio
from collections.abc import AsyncIterator

from fastapi import APIRouter
from fastapi.responses import StreamingResponse

from powderkeg.server import lobby
from powderkeg.server.app import Server, Srv, Who
from powderkeg.server.messages import GameOut, GamesOut, Health
from powderkeg.server.messages import Lobby as LobbyOut
from powderkeg.server.problems import Refused
from powderkeg.server.security import Principal

router = APIRouter()


@router.get("/api/games", tags=["lists"])
async def games(server: Srv, who: Who) -> GamesOut:
    """The games that can be played here, with options and presets in the reader's language."""
    return lobby.games_out(dict(server.games), who.lang)


@router.get("/api/games/{name}", tags=["lists"])
async def game(name: str, server: Srv, who: Who) -> GameOut:
    if name not in server.games:
        raise Refused(404, "no_such_game", game=name, games=list(server.games))
    return lobby.game_out(server.games[name], who.lang)


@router.get("/api/lobby", tags=["lists"])
async def tables(server: Srv, who: Who) -> LobbyOut:
    """My tables (whose turn, until when), tables to join, games to watch."""
    return await lobby.lists(server.rooms, who)


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
    reader = server.hub.join(*topics)
    try:
        last = ""
        while not server.hub.closing:
            now = (await lobby.lists(server.rooms, who)).model_dump_json()
            if now != last:
                yield f"event: lobby\ndata: {now}\n\n"
                last = now
            if not await reader.wait(server.settings.keep_alive):
                yield ": still here\n\n"
            await asyncio.sleep(0.25)  # several changes at once make one message
        yield "event: restart\ndata: {}\n\n"
    finally:
        server.hub.leave(reader)


@router.get("/healthz", tags=["running"])
async def health(server: Srv) -> Health:
    """Whether this process can work: it asks the database."""
    from sqlalchemy import text

    import powderkeg

    async with server.store.read() as tx:
        await tx.value(text("SELECT 1"))
    kind = "sqlite" if server.settings.is_sqlite else "postgresql"
    return Health(ok=True, database=kind, version=powderkeg.__version__)
