"""Who is asking, and how often. Secrets are 256 random bits, and only their hashes are stored."""

import asyncio
import hashlib
import secrets
import time
from dataclasses import dataclass, field
from functools import cache
from typing import Any, TypeAlias

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError
from fastapi import Request, Response, WebSocket
from limits import RateLimitItem, parse
from limits.storage import MemoryStorage
from limits.strategies import MovingWindowRateLimiter
from sqlalchemy import or_, select
from starlette.requests import HTTPConnection

from powderkeg.core.words import LANGS
from powderkeg.server import schema
from powderkeg.server.problems import Refused, forbidden, not_logged_in, too_many
from powderkeg.server.settings import Settings
from powderkeg.server.store import Store, Tx

ALPHABET = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
SESSION = "pk_session"
SEAT = "pk_seat_"  # followed by the table's id
GUARD = "x-powderkeg"  # a header that no other site can make a browser send
YEAR = 365 * 86400.0
ALL_SCOPES = frozenset({"read", "play", "tables", "account"})

# What may be done how often: for each user, or each address where nobody is logged in.
LIMITS: dict[str, str] = {
    "guest": "60/hour",
    "login": "10/5minute",
    "mail": "5/hour",
    "create": "60/hour",
    "act": "600/minute",
    "press": "60/minute",
    "propose": "30/minute",
    "read": "1200/minute",
    "import": "10/hour",
    "stream": "60/minute",
}

CSP = (
    "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; font-src 'self'; object-src 'none'; base-uri 'none'; "
    "form-action 'self'; frame-ancestors 'none'; worker-src 'self'; manifest-src 'self'"
)
HEADERS = {
    "Content-Security-Policy": CSP,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}

_hasher = PasswordHasher(time_cost=2, memory_cost=19_456, parallelism=1)  # argon2id


def new_id(length: int = 12) -> str:
    return "".join(secrets.choice(ALPHABET) for _ in range(length))


def new_token(kind: str) -> str:
    return f"pk_{kind}_{secrets.token_urlsafe(32)}"


def hashed(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


async def hash_password(password: str) -> str:
    return await asyncio.to_thread(_hasher.hash, password)


async def password_fits(stored: str | None, password: str) -> bool:
    """Takes as long when there is no password, so that time does not tell who has an account."""
    try:
        await asyncio.to_thread(_hasher.verify, stored or _nobody(), password)
    except (VerificationError, InvalidHashError):
        return False
    return stored is not None


@cache
def _nobody() -> str:
    return _hasher.hash(secrets.token_hex(8))


Grant: TypeAlias = tuple[str, str, str | None]
"""A secret link opens a seat of a table as long as who made the link sits there."""


@dataclass(frozen=True, slots=True)
class Principal:
    """Who asks: a user with scopes, and seats opened by secret links."""

    user: Any = None  # a row of users
    scopes: frozenset[str] = ALL_SCOPES
    grants: frozenset[Grant] = frozenset()
    lang: str = "en"
    address: str = ""
    bearer: bool = False
    token_id: str = ""

    @property
    def id(self) -> str | None:
        return self.user.id if self.user else None

    @property
    def name(self) -> str:
        return self.user.name if self.user else ""

    @property
    def limit_key(self) -> str:
        return self.id or self.address

    def need_user(self, scope: str = "account") -> str:
        """The user's id, or a refusal."""
        if self.user is None:
            raise not_logged_in()
        self.need(scope)
        return str(self.user.id)

    def need(self, scope: str) -> None:
        if scope not in self.scopes:
            raise forbidden("scope_missing", scope=scope)


def make_token(
    kind: str, now: float, *, lasts: float | None = None, **fields: Any
) -> tuple[str, dict[str, Any]]:
    """A secret and the row that stands for it."""
    token = new_token(kind)
    row = {
        "hash": hashed(token),
        "id": new_id(),
        "kind": kind,
        "scopes": [],
        "name": "",
        "created": now,
        "expires": None if lasts is None else now + lasts,
        **fields,
    }
    return token, row


async def principal(store: Store, connection: HTTPConnection, table: str | None) -> Principal:
    """Who sent this request: by bearer token, or by session cookie and seat cookie."""
    lang = language(connection, None)
    address = address_of(connection, store.settings)
    header = connection.headers.get("authorization", "")
    if header:
        scheme, _, token = header.partition(" ")
        if scheme.lower() != "bearer":
            raise Refused(401, "bad_token")
        async with store.read() as tx:
            return await _by_bearer(tx, token.strip(), lang, address, connection)
    session = connection.cookies.get(SESSION, "")
    seat = connection.cookies.get(SEAT + table, "") if table else ""
    if not session and not seat:
        return Principal(lang=lang, address=address)
    async with store.read() as tx:
        found = await _by_cookies(tx, session, seat)
    user = found[0]
    return Principal(
        user,
        ALL_SCOPES,
        found[1],
        language(connection, user),
        address,
        token_id=found[2],
    )


async def _by_bearer(
    tx: Tx, token: str, lang: str, address: str, connection: HTTPConnection
) -> Principal:
    row = await _token(tx, token)
    if row is None or row.kind not in ("api", "session", "seat"):
        raise Refused(401, "bad_token")
    user = await _user(tx, row.user)
    lang = language(connection, user)
    if row.kind == "seat":
        grants = frozenset({(row.game, row.seat, row.user)})
        return Principal(None, frozenset({"read", "play"}), grants, lang, address, bearer=True)
    if user is None:
        raise Refused(401, "bad_token")
    scopes = ALL_SCOPES if row.kind == "session" else frozenset(row.scopes)
    return Principal(user, scopes, frozenset(), lang, address, bearer=True, token_id=row.id)


async def _by_cookies(tx: Tx, session: str, seat: str) -> tuple[Any, frozenset[Grant], str]:
    user, token_id = None, ""
    if session and (row := await _token(tx, session)) and row.kind == "session":
        user, token_id = await _user(tx, row.user), row.id
    grants: frozenset[Grant] = frozenset()
    if seat and (row := await _token(tx, seat)) and row.kind == "seat":
        await _user(tx, row.user)  # who is banned has no seat by link either
        grants = frozenset({(row.game, row.seat, row.user)})
    return user, grants, token_id


async def _token(tx: Tx, token: str) -> Any:
    found = schema.tokens.c
    alive = or_(found.expires.is_(None), found.expires > time.time())
    return await tx.one(select(schema.tokens).where(found.hash == hashed(token), alive))


async def _user(tx: Tx, user: str | None) -> Any:
    if user is None:
        return None
    row = await tx.one(select(schema.users).where(schema.users.c.id == user))
    if row is not None and row.banned:
        raise forbidden("banned")
    return row


def language(connection: HTTPConnection, user: Any) -> str:
    """The reader's: as asked for, as stored, as the browser says, or English."""
    asked = connection.query_params.get("lang", "")
    if asked in LANGS:
        return asked
    if user is not None:
        return str(user.lang)
    for part in connection.headers.get("accept-language", "").split(","):
        if (lang := part.strip()[:2].lower()) in LANGS:
            return lang
    return "en"


def address_of(connection: HTTPConnection, settings: Settings) -> str:
    if settings.trusted_proxy and (chain := connection.headers.get("x-forwarded-for", "")):
        return chain.split(",")[-1].strip()
    return connection.client.host if connection.client else ""


def same_origin(connection: HTTPConnection) -> bool:
    """Whether a browser says that the page which asks is ours."""
    origin = connection.headers.get("origin")
    return origin is None or origin.partition("://")[2] == connection.headers.get("host", "")


def guard(request: Request) -> None:
    """Refuse what another site made a browser send. Cookies alone never change anything."""
    if request.method in ("GET", "HEAD", "OPTIONS") or "authorization" in request.headers:
        return
    if not same_origin(request) or GUARD not in request.headers:
        raise forbidden("other_site")


def guard_socket(socket: WebSocket) -> bool:
    return "authorization" in socket.headers or same_origin(socket)


def set_cookie(response: Response, settings: Settings, name: str, token: str) -> None:
    response.set_cookie(
        name,
        token,
        max_age=int(YEAR),
        httponly=True,
        samesite="strict",
        secure=settings.secure_cookies,
        path="/",
    )


@dataclass(slots=True)
class Limiter:
    """Counts in this process; with several processes each counts for itself."""

    on: bool = True
    limiter: MovingWindowRateLimiter = field(
        default_factory=lambda: MovingWindowRateLimiter(MemoryStorage())
    )
    rules: dict[str, RateLimitItem] = field(
        default_factory=lambda: {key: parse(rule) for key, rule in LIMITS.items()}
    )

    def check(self, key: str, who: str) -> None:
        if not self.on:
            return
        rule = self.rules[key]
        if not self.limiter.hit(rule, key, who):
            reset = self.limiter.get_window_stats(rule, key, who).reset_time
            raise too_many(key, max(1, round(reset - time.time()) + 1))
