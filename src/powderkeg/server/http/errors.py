"""Refusals and failures as HTTP answers."""

import sqlite3
from http import HTTPStatus
from typing import Any

import structlog
from asyncpg import InterfaceError  # type: ignore[import-untyped]  # it ships no types
from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as SQLAlchemyTimeout
from starlette.datastructures import MutableHeaders
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from powderkeg.core.errors import RulesError, Stale, Unreadable
from powderkeg.core.words import say
from powderkeg.server import metrics
from powderkeg.server.accounts.identity import find_language
from powderkeg.server.db.store import is_database_gone
from powderkeg.server.http import security, validation
from powderkeg.server.refusals import Refused, busy
from powderkeg.server.schemas.base import Out, RefusalOut, TooManyOut

logger = structlog.get_logger()
REFUSAL_MODELS: dict[int | str, dict[str, Any]] = {
    404: {"model": RefusalOut},
    429: {"model": TooManyOut},
}


def _refusal_response(status: int, model: type[Out]) -> dict[str, Any]:
    """A response of every route, for the document only: as a model, FastAPI would build a validator
    for each route, half a second of every start."""
    schema = {"$ref": f"#/components/schemas/{model.__name__}"}
    content = {"application/json": {"schema": schema}}
    return {"description": HTTPStatus(status).phrase, "content": content}


REFUSAL_RESPONSES: dict[int | str, dict[str, Any]] = {
    status: _refusal_response(status, TooManyOut if status == 429 else RefusalOut)
    for status in (400, 401, 403, 404, 409, 422, 429, 503)
}


class RequestGuard:
    """Adds security headers to every answer, and refuses changes by cookies alone.

    Plain ASGI: Starlette's own base class runs each request in a task of its own.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        request = Request(scope)

        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                security.add_headers(MutableHeaders(scope=message), scope["path"])
            await send(message)

        try:
            if scope["path"].startswith("/api/"):
                security.refuse_unreadable(request)
                security.refuse_other_sites(request)
        except Refused as error:
            await _refusal_answer(request, error, error.status)(scope, receive, send_guarded)
            return
        with metrics.time_request(request):
            await self.app(scope, receive, send_guarded)


def add_error_handlers(app: FastAPI) -> None:
    app.add_middleware(RequestGuard)

    @app.exception_handler(RulesError)
    async def refuse_by_rules(request: Request, error: RulesError) -> JSONResponse:
        return _refusal_answer(request, error, refusal_status(error))

    @app.exception_handler(RequestValidationError)
    async def refuse_invalid(request: Request, error: RequestValidationError) -> JSONResponse:
        return _refusal_answer(request, validation.shape_refusal(error.errors()), 422)

    @app.exception_handler(HTTPException)
    async def refuse_http(request: Request, error: HTTPException) -> JSONResponse:
        code = {404: "no_such_page", 405: "wrong_method"}.get(error.status_code, "bad_request")
        return _refusal_answer(request, Refused(error.status_code, code), error.status_code)

    # Errors named here are answered; those that only `Exception` catches also end the connection.
    @app.exception_handler(DBAPIError)
    @app.exception_handler(sqlite3.Error)
    @app.exception_handler(SQLAlchemyTimeout)
    @app.exception_handler(InterfaceError)
    @app.exception_handler(OSError)
    @app.exception_handler(Exception)
    async def report_failure(request: Request, error: Exception) -> JSONResponse:
        if is_database_gone(error):
            logger.warning("the database is not available", error=str(error)[:300])
            return _refusal_answer(request, database_unavailable(), 503)
        logger.error("a request failed", path=request.url.path, exc_info=error)
        answer = _refusal_answer(request, Refused(500, "trouble"), 500)
        security.add_headers(answer.headers, request.url.path)  # this one passes by the guard
        return answer


def database_unavailable() -> Refused:
    return busy("unavailable", seconds=2)


def refusal_status(error: RulesError) -> int:
    match error:
        case Refused():
            return error.status
        case Stale():
            return 409
        case Unreadable():
            return 422
    return 409


def _refusal_answer(request: Request, error: RulesError, status: int) -> JSONResponse:
    metrics.REFUSAL_COUNT.labels(error.code).inc()
    lang = getattr(request.state, "lang", None) or find_language(request)
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
