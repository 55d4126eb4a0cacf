"""Refusals and failures as HTTP answers."""

from typing import Any

import structlog
from asyncpg import InterfaceError  # type: ignore[import-untyped]  # it ships no types
from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as SQLAlchemyTimeout
from starlette.exceptions import HTTPException

from powderkeg.core.errors import RulesError, Stale, Unreadable
from powderkeg.core.words import say
from powderkeg.server import metrics
from powderkeg.server.accounts.identity import find_language
from powderkeg.server.db.store import is_database_gone
from powderkeg.server.http import security, validation
from powderkeg.server.refusals import Refused, busy
from powderkeg.server.schemas.base import RefusalOut, TooManyOut

logger = structlog.get_logger()
REFUSAL_RESPONSES: dict[int | str, dict[str, Any]] = {
    400: {"model": RefusalOut},
    401: {"model": RefusalOut},
    403: {"model": RefusalOut},
    404: {"model": RefusalOut},
    409: {"model": RefusalOut},
    422: {"model": RefusalOut},
    429: {"model": TooManyOut},
    503: {"model": RefusalOut},
}


def add_error_handlers(app: FastAPI) -> None:
    @app.middleware("http")
    async def add_security(request: Request, call_next: Any) -> Any:
        """Security headers for all, and no change by cookies alone."""
        if request.url.path.startswith("/api/"):
            try:
                security.refuse_unreadable(request)
                security.refuse_other_sites(request)
            except Refused as error:
                return _refusal_answer(request, error, error.status)
        with metrics.time_request(request):
            response = await call_next(request)
        for name, value in security.SECURITY_HEADERS.items():
            response.headers.setdefault(name, value)
        if request.url.path.startswith("/api/"):
            response.headers.setdefault("Cache-Control", "no-store")
        return response

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

    @app.exception_handler(DBAPIError)
    @app.exception_handler(SQLAlchemyTimeout)
    @app.exception_handler(InterfaceError)
    @app.exception_handler(OSError)
    @app.exception_handler(Exception)
    async def report_failure(request: Request, error: Exception) -> JSONResponse:
        if is_database_gone(error):
            logger.warning("the database is not available", error=str(error)[:300])
            return _refusal_answer(request, database_unavailable(), 503)
        logger.error("a request failed", path=request.url.path, exc_info=error)
        return _refusal_answer(request, Refused(500, "trouble"), 500)


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
