"""Who is asking, and how often. Secrets are 256 random bits, and only their hashes are stored."""

import asyncio
import hashlib
import ipaddress
import math
import secrets
import time
from collections.abc import Callable
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, TypeAlias

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError
from fastapi import Request, Response, WebSocket
from limits import RateLimitItem, parse
from limits.storage import MemoryStorage
from limits.strategies import MovingWindowRateLimiter
from sqlalchemy import delete, or_, select, update
from sqlalchemy.dialects import postgresql, sqlite
from starlette.requests import HTTPConnection

from powderkeg.core.words import LANGS
from powderkeg.server.db import schema
from powderkeg.server.db.store import Store, Tx
from powderkeg.server.refusals import Refused, forbidden, not_logged_in, too_many
from powderkeg.server.settings import Settings

ALPHABET = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
SESSION = "pk_session"
SEAT = "pk_seat_"  # followed by the table's id
GUARD = "x-powderkeg"  # a header that no other site can make a browser send
LARGEST_BODY = 8_000_000  # bytes: a game file and what quoting adds to it
HOUR, YEAR = 3600.0, 365 * 86400.0
ALL_SCOPES = frozenset({"read", "play", "tables", "account"})

# What may be done how often: for each user, or each address where nobody is logged in.
LIMITS: dict[str, str] = {
    "guest": "60/hour",
    "login": "10/5minute",
    "mail": "5/hour",
    "create": "60/hour",
    "act": "600/minute",
    "typed": "240/minute",
    "study": "60/minute",
    "press": "60/minute",
    "propose": "30/minute",
    "read": "1200/minute",
    "import": "10/hour",
    "stream": "60/minute",
}
SHARED = ("guest", "login", "mail", "create", "import")  # counted for all processes together

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
    keys: frozenset[str] = frozenset()  # ids of all tokens that were shown
    until: float | None = None  # when the first of them runs out

    @property
    def id(self) -> str | None:
        return self.user.id if self.user else None

    @property
    def name(self) -> str:
        return self.user.name if self.user else ""

    @property
    def limit_key(self) -> str:
        return self.id or self.network

    @property
    def network(self) -> str:
        return network(self.address)

    @property
    def topics(self) -> tuple[str, ...]:
        """Where it is told that a key of theirs no longer opens anything."""
        return tuple(f"gone:{key}" for key in sorted(self.keys))

    def patience(self, seconds: float | None) -> float | None:
        """How long to wait for news: no longer than a key is good."""
        if self.until is None:
            return seconds
        left = max(0.0, self.until - time.time())
        return left if seconds is None else min(seconds, left)

    def is_out(self, news: AbstractSet[str]) -> bool:
        """Whether a key that was shown opens nothing any more."""
        late = self.until is not None and self.until <= time.time()
        return late or any(topic.startswith("gone:") for topic in news)

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
            row = await _token(tx, token.strip())
            who = await _by_bearer(tx, row, lang, address, connection)
        await _note_use(store, row)
        return who
    session = connection.cookies.get(SESSION, "")
    seat = connection.cookies.get(SEAT + table, "") if table else ""
    if not session and not seat:
        return Principal(lang=lang, address=address)
    async with store.read() as tx:
        return await _by_cookies(tx, session, seat, connection, address)


async def _by_bearer(
    tx: Tx, row: Any, lang: str, address: str, connection: HTTPConnection
) -> Principal:
    if row is None or row.kind not in ("api", "session", "seat"):
        raise Refused(401, "bad_token")
    user = await _user(tx, row.user)
    lang = language(connection, user)
    keys, until = _keys(row)
    scopes = frozenset({"read", "play"})
    found = Principal(
        None, scopes, _opened(row), lang, address, bearer=True, keys=keys, until=until
    )
    if row.kind == "seat":
        return found
    if user is None:
        raise Refused(401, "bad_token")
    scopes = ALL_SCOPES if row.kind == "session" else frozenset(row.scopes)
    return replace(found, user=user, scopes=scopes, token_id=row.id)


async def _note_use(store: Store, token: Any) -> None:
    """When an API token was last used, to the hour: its owner sees which ones are of use."""
    now = time.time()
    if token.kind == "api" and (token.used or 0) < now - HOUR:
        async with store.write() as tx:
            mine = schema.tokens.c.id == token.id
            await tx.run(update(schema.tokens).where(mine).values(used=now))


async def _by_cookies(
    tx: Tx, session: str, seat: str, connection: HTTPConnection, address: str
) -> Principal:
    user: Any = None
    mine = await _token(tx, session) if session else None
    if mine is not None and mine.kind == "session":
        user = await _user(tx, mine.user)
    else:
        mine = None
    link = await _token(tx, seat) if seat else None
    if link is not None:
        await _user(tx, link.user)  # who is banned has no seat by link either
    keys, until = _keys(mine, link)
    return Principal(
        user,
        ALL_SCOPES,
        _opened(link),
        language(connection, user),
        address,
        token_id=mine.id if mine is not None else "",
        keys=keys,
        until=until,
    )


def _opened(token: Any) -> frozenset[Grant]:
    """The seat that a token opens, if it is that of a secret link."""
    if token is None or token.kind != "seat":
        return frozenset()
    return frozenset({(token.game, token.seat, token.user)})


def _keys(*tokens: Any) -> tuple[frozenset[str], float | None]:
    shown = [token for token in tokens if token is not None]
    ends = [token.expires for token in shown if token.expires is not None]
    return frozenset(token.id for token in shown), min(ends, default=None)


async def revoke(tx: Tx, which: Any) -> int:
    """Tokens that open nothing from now on; whoever is connected by them is dropped."""
    gone = delete(schema.tokens).where(which).returning(schema.tokens.c.id)
    rows = await tx.all(gone)
    for row in rows:
        tx.tell(f"gone:{row.id}")
    return len(rows)


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


def check_size(request: Request) -> None:
    """Refuse, before it is read, what is too large or does not say how large it is; and addresses
    that no database could look for."""
    said = request.headers.get("content-length", "0")
    endless = "transfer-encoding" in request.headers
    if endless or not said.isdecimal() or int(said) > LARGEST_BODY:
        raise Refused(413, "too_large", most=LARGEST_BODY // 1_000_000)
    if "\x00" in request.scope["path"] or "%00" in request.url.query:
        raise Refused(404, "no_such_page")


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


def network(address: str) -> str:
    """Whom an address stands for: who has an IPv6 address mostly has 2^64 of them."""
    try:
        found = ipaddress.ip_address(address)
    except ValueError:
        return address
    if found.version == 4:
        return address
    return str(found.ipv4_mapped or ipaddress.ip_network((found, 64), strict=False))


class Limiter:
    """How often is too often. What is rare and dear (`SHARED`) is counted in the database, by all
    processes together and across restarts. The rest is counted by each process for itself: with
    several of them, somebody whose requests meet all may do so many times as much."""

    def __init__(self, store: Store, clock: Callable[[], float], *, on: bool = True) -> None:
        self.on, self.store, self.clock = on, store, clock
        self.local = MovingWindowRateLimiter(MemoryStorage())
        self.rules: dict[str, RateLimitItem] = {key: parse(rule) for key, rule in LIMITS.items()}

    def check(self, key: str, who: str) -> None:
        """Count here, and refuse what is too often."""
        rule = self.rules[key]
        if self.on and not self.local.hit(rule, key, who):
            reset = self.local.get_window_stats(rule, key, who).reset_time
            raise too_many(key, max(1, round(reset - time.time()) + 1))

    async def count(self, key: str, who: str) -> None:
        """Count for all processes, and refuse what is too often; what is refused is not counted.

        Two windows of fixed length make one that slides: of the one before counts as much as
        would still overlap.
        """
        if not self.on:
            return
        rule, now = self.rules[key], self.clock()
        length, most = float(rule.get_expiry()), rule.amount
        slot, gone = divmod(now, length)
        name = hashed(f"{key}/{who}")
        async with self.store.write() as tx:  # a refusal takes the count back
            here = await _hit(tx, name, int(slot), now + 2 * length)
            there = schema.hits.c
            before = (there.who == name) & (there.slot == int(slot) - 1)
            last = await tx.value(select(there.n).where(before)) or 0
            if last * (1 - gone / length) + here > most:
                raise too_many(key, _wait(last, here - 1, most, length, gone))


async def _hit(tx: Tx, name: str, slot: int, ends: float) -> int:
    insert = postgresql.insert if tx.is_postgres else sqlite.insert
    made: Any = insert(schema.hits).values(who=name, slot=slot, n=1, ends=ends)
    more = made.on_conflict_do_update(
        index_elements=["who", "slot"], set_={"n": schema.hits.c.n + 1}
    )
    return int(await tx.value(more.returning(schema.hits.c.n)))


def _wait(last: int, here: int, most: int, length: float, gone: float) -> int:
    """Seconds until one more is allowed: at most the window's length and its `most`th part, when
    all came at the beginning of a window and have to fade in the next."""
    if here < most:
        return math.ceil(length * (1 - (most - 1 - here) / last) - gone) or 1
    return math.ceil(length - gone + length * (1 - (most - 1) / here)) or 1
