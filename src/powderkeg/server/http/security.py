"""Security headers, cookies, and requests that are refused before anything reads them."""

from fastapi import Request, Response, WebSocket
from starlette.datastructures import MutableHeaders
from starlette.requests import HTTPConnection

from powderkeg.server.accounts.accounts import SESSION_SECONDS
from powderkeg.server.refusals import Refused, forbidden
from powderkeg.server.settings import Settings

GUARD_HEADER = "x-powderkeg"  # a header that no other site can make a browser send


LARGEST_BODY = 8_000_000  # bytes: a game file, quoted as JSON


CONTENT_POLICY = (
    "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; font-src 'self'; object-src 'none'; base-uri 'none'; "
    "form-action 'self'; frame-ancestors 'none'; worker-src 'self'; manifest-src 'self'"
)


SECURITY_HEADERS = {
    "Content-Security-Policy": CONTENT_POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}


def is_same_origin(connection: HTTPConnection) -> bool:
    """Whether the browser says that the request comes from our own page."""
    origin = connection.headers.get("origin")
    return origin is None or origin.partition("://")[2] == connection.headers.get("host", "")


def refuse_other_sites(request: Request) -> None:
    """Refuse requests that another site made a browser send. Cookies alone never change anything."""
    if request.method in ("GET", "HEAD", "OPTIONS") or "authorization" in request.headers:
        return
    if not is_same_origin(request) or GUARD_HEADER not in request.headers:
        raise forbidden("other_site")


def refuse_unreadable(request: Request) -> None:
    """Refuse, before it is read, a body that is too large or does not say how large it is; and
    addresses that no database can store.
    """
    said = request.headers.get("content-length", "0")
    endless = "transfer-encoding" in request.headers
    if endless or not said.isdecimal() or int(said) > LARGEST_BODY:
        raise Refused(413, "too_large", most=LARGEST_BODY // 1_000_000)
    if "\x00" in request.scope["path"] or "%00" in request.url.query:
        raise Refused(404, "no_such_page")


def add_headers(headers: MutableHeaders, path: str) -> None:
    """The headers of every answer; answers of the API are never kept."""
    for name, value in SECURITY_HEADERS.items():
        headers.setdefault(name, value)
    if path.startswith("/api/"):
        headers.setdefault("Cache-Control", "no-store")


def may_open_socket(socket: WebSocket) -> bool:
    return "authorization" in socket.headers or is_same_origin(socket)


def forget_cookie(response: Response, settings: Settings, name: str) -> None:
    set_cookie(response, settings, name, "", 0)


def set_cookie(
    response: Response,
    settings: Settings,
    name: str,
    token: str,
    seconds: float = SESSION_SECONDS,
) -> None:
    response.set_cookie(
        name,
        token,
        max_age=int(seconds),
        httponly=True,
        samesite="strict",
        secure=settings.secure_cookies,
        path="/",
    )
