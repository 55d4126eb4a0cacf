"""The application: everything put together once, and found again on `app.state.server`."""

import asyncio
import contextlib
import signal
import threading
import time
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from importlib import import_module
from types import FrameType
from typing import Annotated, Any, cast

import structlog
from asyncpg import InterfaceError  # type: ignore[import-untyped]  # it ships no types
from fastapi import Depends, FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from sqlalchemy import delete, select, tuple_, update
from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as SQLAlchemyTimeout
from starlette.exceptions import HTTPException

import powderkeg
from powderkeg.core.errors import RulesError, Stale, Unreadable
from powderkeg.core.game import Game
from powderkeg.core.words import Msg, say
from powderkeg.games import GAME_NAMES, find_game
from powderkeg.server import metrics
from powderkeg.server.accounts import identity
from powderkeg.server.accounts.identity import Limiter, Principal
from powderkeg.server.analysis.requests import Scholar
from powderkeg.server.bots.processes import Thinkers
from powderkeg.server.bots.turns import Hands
from powderkeg.server.db import migrate, schema
from powderkeg.server.db.events import Hub
from powderkeg.server.db.store import Store, is_gone
from powderkeg.server.http import validation
from powderkeg.server.jobs.worker import NOTICES, Worker, lanes_for
from powderkeg.server.notices.senders import Sender
from powderkeg.server.refusals import Refused, busy
from powderkeg.server.schemas.base import Refusal, TooMany
from powderkeg.server.settings import Settings, from_env
from powderkeg.server.tables import after_move
from powderkeg.server.tables.cache import Rooms
from powderkeg.server.tables.present import PRESENT

logger = structlog.get_logger()
PRESENCE_EVERY = 20.0
PRESENCE_LEARNED_EVERY = 3.0
TIDY_EVERY = 600.0
NOTICES_KEPT = 30 * 86400.0  # after that nobody asks any more whether a notice went out


@dataclass(slots=True)
class Server:
    """All that lives in one process. Nothing that matters lives only here."""

    settings: Settings
    games: Mapping[str, Game]
    clock: Callable[[], float] = time.time
    store: Store = field(init=False)
    hub: Hub = field(init=False)
    rooms: Rooms = field(init=False)
    limiter: Limiter = field(init=False)
    hands: Hands = field(init=False)
    worker: Worker = field(init=False)
    scholar: Scholar = field(default_factory=Scholar)
    sockets: set[Any] = field(default_factory=set)
    noted: float = 0.0  # set back when somebody comes, who is then noted within a second
    learned: float = 0.0
    tidied: float = 0.0

    def __post_init__(self) -> None:
        self.store = Store(self.settings)
        self.hub = Hub()
        self.rooms = Rooms(self.store, self.games, self.clock)
        self.rooms.settle = after_move.settle
        self.hub.first.append(self.rooms.told)
        self.store.told = self.hub.told
        self.limiter = Limiter(self.store, self.clock, on=self.settings.limits)
        bots, memory = self.settings.bots, self.settings.bot_megabytes << 20
        thinkers = Thinkers(bots, self.settings.bot_seconds, memory)
        sender = Sender(self.store, self.settings, self.clock)
        self.hands = Hands(self.rooms, thinkers, sender)
        lanes, handlers = [NOTICES, *lanes_for(bots)], self.hands.handlers()
        self.worker = Worker(self.store, self.hub, handlers, lanes, self.clock)

    async def open(self) -> None:
        await self.store.open()
        try:
            await migrate.upgrade(self.store)
        except BaseException:
            await self.store.close()
            raise
        self.worker.each_second += [self.note_presence, self.tidy]
        if not self.settings.is_sqlite:
            self.worker.each_second.append(self.learn_presence)
        if self.settings.is_sqlite:
            await self.worker.forget_claims()
            self.worker.each_second.append(self.store.hear_hosts)
        self.worker.start(jobs=self.settings.jobs)

    async def note_presence(self) -> None:
        """Every now and then, who is connected here is noted: in one transaction for all. A seat
        that is just being changed is left for the next time: two who wait for each other's rows
        would otherwise wait for ever."""
        now = self.clock()
        if now - self.noted < PRESENCE_EVERY or not self.sockets:
            return
        self.noted = now
        held = sorted({(line.table, seat) for line in self.sockets for seat in line.held})
        key = tuple_(schema.seats.c.game, schema.seats.c.seat)
        async with self.store.write() as tx:
            for i in range(0, len(held), 1000):
                mine = key.in_(held[i : i + 1000])
                if tx.is_postgres:
                    free = select(*key.clauses).where(mine).with_for_update(skip_locked=True)
                    mine = key.in_(free)
                await tx.run(update(schema.seats).where(mine).values(seen=now))
        for table, seat in held:
            self.rooms.saw(table, seat, now)

    async def learn_presence(self) -> None:
        """Who is connected to another process is read from what that process has noted."""
        now = self.clock()
        if now - self.learned < PRESENCE_LEARNED_EVERY:
            return
        self.learned = now
        s = schema.seats.c
        async with self.store.read() as tx:
            for row in await tx.all(select(s.game, s.seat, s.seen).where(s.seen > now - PRESENT)):
                self.rooms.saw(row.game, row.seat, row.seen)

    async def tidy(self) -> None:
        """Now and then, forget what is of no use any more: counts and keys that have run out, and
        notices that went out long ago."""
        now = self.clock()
        if now - self.tidied <= TIDY_EVERY:
            return
        self.tidied = now
        hits, tokens, n = schema.hits.c, schema.tokens.c, schema.notices.c
        old = n.status.in_(["sent", "failed", "unsure"]) & (n.created < now - NOTICES_KEPT)
        async with self.store.write() as tx:
            await tx.run(delete(schema.hits).where(hits.ends < now))
            await tx.run(delete(schema.tokens).where(tokens.expires < now))
            await tx.run(delete(schema.notices).where(old))

    async def close(self) -> None:
        """Drain: tell clients to reconnect, finish what is being done."""
        self.hub.close()
        await self.worker.stop()
        self.scholar.close()
        await self.hands.close()
        for _ in range(250):
            if not self.sockets:
                break
            await asyncio.sleep(0.02)
        await self.store.close()


def create_app(
    settings: Settings | None = None,
    games: Mapping[str, Game] | None = None,
    *,
    clock: Callable[[], float] = time.time,
) -> FastAPI:
    """A server for `games` (default: all of ours)."""
    settings = settings or from_env()
    server = Server(settings, games or all_games(settings.games), clock)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        await server.open()
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
        responses=REFUSALS,
    )
    app.state.server = server
    _handlers(app)
    _routes(app)
    return app


def _close_on_signal(server: Server) -> None:
    """Streams end as soon as the process is told to stop, not when the web server gives up on
    them. The web server's own handler runs as well."""
    if threading.current_thread() is not threading.main_thread():
        return
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        before = signal.getsignal(number)

        def stop(number: int, frame: FrameType | None, before: Any = before) -> None:
            loop.call_soon_threadsafe(server.hub.close)
            if callable(before):
                before(number, frame)

        signal.signal(number, stop)


REFUSALS: dict[int | str, dict[str, Any]] = {
    400: {"model": Refusal},
    401: {"model": Refusal},
    403: {"model": Refusal},
    404: {"model": Refusal},
    409: {"model": Refusal},
    422: {"model": Refusal},
    429: {"model": TooMany},
    503: {"model": Refusal},
}


def all_games(more: str = "") -> dict[str, Game]:
    """Our games, and `more` that can be imported; one that cannot be loaded is left out and said
    so in the log."""
    games: dict[str, Game] = {}
    for name in (*GAME_NAMES, *filter(None, more.split(","))):
        try:
            game = find_game(name) if name in GAME_NAMES else cast(Game, import_module(name))
            game.version  # noqa: B018  # a package without it is not yet a game
        except (ImportError, AttributeError, RulesError) as error:
            logger.warning("game cannot be loaded", game=name, error=repr(error))
            continue
        games[game.name] = game
    return games


def _routes(app: FastAPI) -> None:
    from powderkeg.server.http import (
        accounts,
        analysis,
        copies,
        lobby,
        press,
        socket,
        static,
        tables,
    )
    from powderkeg.server.http import bots as bot

    for module in (lobby, accounts, tables, press, copies, analysis, bot, socket):
        app.include_router(module.router)
    static.serve(app)


def _handlers(app: FastAPI) -> None:
    @app.middleware("http")
    async def safely(request: Request, call_next: Any) -> Any:
        """Security headers for all, and no change by cookies alone."""
        if request.url.path.startswith("/api/"):
            try:
                identity.check_size(request)
                identity.guard(request)
            except Refused as error:
                return _answer(request, error, error.status)
        with metrics.measured(request):
            response = await call_next(request)
        for name, value in identity.HEADERS.items():
            response.headers.setdefault(name, value)
        if request.url.path.startswith("/api/"):
            response.headers.setdefault("Cache-Control", "no-store")
        return response

    @app.exception_handler(RulesError)
    async def rules(request: Request, error: RulesError) -> JSONResponse:
        return _answer(request, error, status_of(error))

    @app.exception_handler(RequestValidationError)
    async def shape(request: Request, error: RequestValidationError) -> JSONResponse:
        return _answer(request, validation.refusal(error.errors()), 422)

    @app.exception_handler(HTTPException)
    async def http(request: Request, error: HTTPException) -> JSONResponse:
        code = {404: "no_such_page", 405: "wrong_method"}.get(error.status_code, "bad_request")
        return _answer(request, Refused(error.status_code, code), error.status_code)

    @app.exception_handler(DBAPIError)
    @app.exception_handler(SQLAlchemyTimeout)
    @app.exception_handler(InterfaceError)
    @app.exception_handler(OSError)
    @app.exception_handler(Exception)
    async def trouble(request: Request, error: Exception) -> JSONResponse:
        if is_gone(error):
            logger.warning("database not available", error=str(error)[:300])
            return _answer(request, unavailable(), 503)
        logger.error("request failed", path=request.url.path, exc_info=error)
        return _answer(request, Refused(500, "trouble"), 500)


def unavailable() -> Refused:
    return busy("unavailable", seconds=2)


def status_of(error: RulesError) -> int:
    match error:
        case Refused():
            return error.status
        case Stale():
            return 409
        case Unreadable():
            return 422
    return 409


def _answer(request: Request, error: RulesError, status: int) -> JSONResponse:
    metrics.REFUSALS.labels(error.code).inc()
    lang = getattr(request.state, "lang", None) or identity.language(request, None)
    return refusal_response(error, status, lang)


def refusal_response(error: RulesError, status: int, lang: str) -> JSONResponse:
    body: dict[str, Any] = {"code": error.code, "text": say(error.msg, lang), "rule": error.rule}
    headers = {}
    if isinstance(error, Refused):
        body |= error.extra
        if error.seconds is not None:
            headers["Retry-After"] = str(error.seconds)
            if status == 429:
                body["ratelimit"] = {"key": str(error.msg.args["key"]), "seconds": error.seconds}
    return JSONResponse(body, status, headers)


def refusal_text(error: RulesError, lang: str) -> dict[str, Any]:
    return {"code": error.code, "text": say(error.msg, lang), "rule": error.rule}


# What routes ask for


def the_server(request: Request) -> Server:
    return request.app.state.server  # type: ignore[no-any-return]  # put there by create_app


async def the_principal(request: Request) -> Principal:
    server: Server = request.app.state.server
    request.state.lang = identity.language(request, None)
    who = await identity.principal(server.store, request, request.path_params.get("table"))
    request.state.lang = who.lang
    if request.method in ("GET", "HEAD"):
        who.need("read")
        server.limiter.check("read", who.limit_key)
    return who


Srv = Annotated[Server, Depends(the_server)]
Who = Annotated[Principal, Depends(the_principal)]


def sentence(code: str, lang: str, **args: Any) -> str:
    return say(Msg(code, **args), lang)


def from_environment() -> FastAPI:
    """For servers that start by name, each in a process of its own."""
    from powderkeg.server.logs import use_logs

    use_logs()
    return create_app()


async def quietly(task: asyncio.Task[Any]) -> None:
    task.cancel()
    with contextlib.suppress(asyncio.CancelledError, Exception):
        await task
