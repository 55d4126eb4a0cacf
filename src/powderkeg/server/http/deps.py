"""Dependencies of routes: the server, and the sender of the request."""

from typing import Annotated

from fastapi import Depends, Query, Request

from powderkeg.server.accounts.identity import Principal, find_language, find_principal
from powderkeg.server.process import ServerProcess


def request_server(request: Request) -> ServerProcess:
    return request.app.state.server  # type: ignore[no-any-return]  # put there by create_app


async def request_principal(request: Request) -> Principal:
    server = request_server(request)
    request.state.lang = find_language(request)
    who = await find_principal(server.store, request, request.path_params.get("table"))
    request.state.lang = who.lang
    if request.method in ("GET", "HEAD"):
        who.need_scope("read")
        server.limiter.check_here("read", who.limit_key)
    return who


ServerDep = Annotated[ServerProcess, Depends(request_server)]
PrincipalDep = Annotated[Principal, Depends(request_principal)]
SeatQuery = Annotated[str | None, Query(alias="seat", max_length=40)]
