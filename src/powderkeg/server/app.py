"""The web application: one `ServerProcess`, found again on `app.state.server`, and its routes."""

import asyncio
import signal
import threading
import time
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from types import FrameType
from typing import Any

from fastapi import FastAPI

import powderkeg
from powderkeg.core.game import Game
from powderkeg.server.games import load_games
from powderkeg.server.http import (
    accounts,
    analysis,
    bots,
    copies,
    lobby,
    ops,
    packs,
    press,
    socket,
    static,
    tables,
)
from powderkeg.server.http.errors import REFUSAL_RESPONSES, add_error_handlers
from powderkeg.server.logs import use_logs
from powderkeg.server.process import ServerProcess
from powderkeg.server.settings import Settings, read_settings

ROUTES = (lobby, ops, accounts, tables, press, packs, copies, analysis, bots, socket)


def create_app(
    settings: Settings | None = None,
    games: Mapping[str, Game] | None = None,
    *,
    clock: Callable[[], float] = time.time,
) -> FastAPI:
    """A server for `games` (default: all of ours)."""
    settings = settings or read_settings()
    server = ServerProcess(settings, games or load_games(settings.games), clock)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        await server.open()
        _prepare_routes(app)
        _close_on_signal(server)
        try:
            yield
        finally:
            await server.close()

    app = FastAPI(
        title="Powderkeg",
        version=powderkeg.__version__,
        summary="Tables, play, talk and bots. Nobody peeks, nothing is lost.",
        lifespan=lifespan,
        openapi_url="/api/openapi.json",
        docs_url=None,
        redoc_url=None,
        responses=REFUSAL_RESPONSES,
    )
    app.state.server = server
    add_error_handlers(app)
    for module in ROUTES:
        app.include_router(module.router)
    static.serve_client(app)
    return app


def _prepare_routes(app: FastAPI) -> None:
    """Let FastAPI build its routes now: at the first request everybody would wait for it."""
    nowhere = {"type": "http", "method": "GET", "path": "/-", "root_path": "", "headers": []}
    for route in app.routes:
        route.matches(dict(nowhere))


def _close_on_signal(server: ServerProcess) -> None:
    """End streams as soon as the process gets a signal to stop, not when the web server gives up
    on them. The web server's own handler runs as well."""
    if threading.current_thread() is not threading.main_thread():
        return
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        before = signal.getsignal(number)

        def stop(number: int, frame: FrameType | None, before: Any = before) -> None:
            loop.call_soon_threadsafe(server.events.close)
            if callable(before):
                before(number, frame)

        signal.signal(number, stop)


def from_environment() -> FastAPI:
    """Create the app from the environment: for web servers that import it by name in each process."""
    use_logs()
    return create_app()
