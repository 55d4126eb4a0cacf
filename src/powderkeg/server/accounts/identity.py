"""The sender of a request: a user by session or token, and the seats opened by secret links."""

import ipaddress
import time
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from typing import TypeAlias

from sqlalchemy import update
from starlette.requests import HTTPConnection

from powderkeg.core.words import LANGS
from powderkeg.server.accounts.tokens import find_token
from powderkeg.server.db import schema
from powderkeg.server.db.prepared import prepare_lookup
from powderkeg.server.db.rows import TokenRow, UserRow
from powderkeg.server.db.store import Store, Tx
from powderkeg.server.refusals import Refused, forbidden, not_logged_in
from powderkeg.server.settings import Settings

SESSION_COOKIE = "pk_session"
SEAT_COOKIE = "pk_seat_"  # followed by the table's id
ALL_SCOPES = frozenset({"read", "play", "tables", "account"})


SeatGrant: TypeAlias = tuple[str, str, str | None]
"""Table, seat and user: a secret link opens a seat as long as the person who made it sits there."""


@dataclass(frozen=True, slots=True)
class Principal:
    """The sender of a request: a user with scopes, and seats opened by secret links."""

    user: UserRow | None = None
    scopes: frozenset[str] = ALL_SCOPES
    grants: frozenset[SeatGrant] = frozenset()
    lang: str = "en"
    address: str = ""
    is_bearer: bool = False
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
        return network_of(self.address)

    @property
    def topics(self) -> tuple[str, ...]:
        """The topics that announce a revoked token of this user."""
        return tuple(f"gone:{key}" for key in sorted(self.keys))

    def longest_wait(self, seconds: float | None) -> float | None:
        """The longest wait for news: no longer than the token is valid."""
        if self.until is None:
            return seconds
        left = max(0.0, self.until - time.time())
        return left if seconds is None else min(seconds, left)

    def is_logged_out(self, news: AbstractSet[str]) -> bool:
        """Whether a token that was shown is revoked or has run out."""
        late = self.until is not None and self.until <= time.time()
        return late or any(topic.startswith("gone:") for topic in news)

    def need_user(self, scope: str = "account") -> str:
        """The user's id, or a refusal."""
        return self.need_account(scope).id

    def need_account(self, scope: str = "account") -> UserRow:
        """The user, or a refusal."""
        if self.user is None:
            raise not_logged_in()
        self.need_scope(scope)
        return self.user

    def need_scope(self, scope: str) -> None:
        if scope not in self.scopes:
            raise forbidden("scope_missing", scope=scope)


async def find_principal(store: Store, connection: HTTPConnection, table: str | None) -> Principal:
    """The sender of a request, by bearer token or by session cookie and seat cookie."""
    lang = find_language(connection)
    address = client_address(connection, store.settings)
    header = connection.headers.get("authorization", "")
    if header:
        scheme, _, token = header.partition(" ")
        if scheme.lower() != "bearer":
            raise Refused(401, "bad_token")
        async with store.read() as tx:
            row = await _find_valid_token(tx, token.strip())
            who = await _principal_by_bearer(tx, row, lang, address, connection)
        await _note_token_use(store, row)
        return who
    session = connection.cookies.get(SESSION_COOKIE, "")
    seat = connection.cookies.get(SEAT_COOKIE + table, "") if table else ""
    if not session and not seat:
        return Principal(lang=lang, address=address)
    async with store.read() as tx:
        return await _principal_by_cookies(tx, session, seat, connection, address)


async def _principal_by_bearer(
    tx: Tx, row: TokenRow | None, lang: str, address: str, connection: HTTPConnection
) -> Principal:
    if row is None or row.kind not in ("api", "session", "seat"):
        raise Refused(401, "bad_token")
    user = await _find_user(tx, row.user)
    lang = find_language(connection, user)
    keys, until = _token_ids(row)
    scopes = frozenset({"read", "play"})
    found = Principal(
        None, scopes, _seat_grants(row), lang, address, is_bearer=True, keys=keys, until=until
    )
    if row.kind == "seat":
        return found
    if user is None:
        raise Refused(401, "bad_token")
    scopes = ALL_SCOPES if row.kind == "session" else frozenset(row.scopes)
    return replace(found, user=user, scopes=scopes, token_id=row.id)


async def _note_token_use(store: Store, token: TokenRow | None) -> None:
    """Store when an API token was last used, to the hour, so that its owner sees which ones are in use."""
    now = time.time()
    if token is not None and token.kind == "api" and (token.used or 0) < now - 3600:
        async with store.write() as tx:
            mine = schema.tokens.c.id == token.id
            await tx.run(update(schema.tokens).where(mine).values(used=now))


async def _principal_by_cookies(
    tx: Tx, session: str, seat: str, connection: HTTPConnection, address: str
) -> Principal:
    user: UserRow | None = None
    mine = await _find_valid_token(tx, session) if session else None
    if mine is not None and mine.kind == "session":
        user = await _find_user(tx, mine.user)
    else:
        mine = None
    link = await _find_valid_token(tx, seat) if seat else None
    if link is not None:
        await _find_user(tx, link.user)  # a banned person has no seat by link either
    keys, until = _token_ids(mine, link)
    return Principal(
        user,
        ALL_SCOPES,
        _seat_grants(link),
        find_language(connection, user),
        address,
        token_id=mine.id if mine is not None else "",
        keys=keys,
        until=until,
    )


def _seat_grants(token: TokenRow | None) -> frozenset[SeatGrant]:
    """The seat that a token opens, if it belongs to a secret link."""
    if token is None or token.kind != "seat" or token.game is None or token.seat is None:
        return frozenset()
    return frozenset({(token.game, token.seat, token.user)})


def _token_ids(*tokens: TokenRow | None) -> tuple[frozenset[str], float | None]:
    shown = [token for token in tokens if token is not None]
    ends = [token.expires for token in shown if token.expires is not None]
    return frozenset(token.id for token in shown), min(ends, default=None)


async def _find_valid_token(tx: Tx, token: str) -> TokenRow | None:
    row = await find_token(tx, token)
    is_late = row is not None and row.expires is not None and row.expires <= time.time()
    return None if is_late else row


USER_LOOKUP = prepare_lookup(schema.users, "id")


async def _find_user(tx: Tx, user: str | None) -> UserRow | None:
    if user is None:
        return None
    row = await tx.look_up(USER_LOOKUP, user)
    found = None if row is None else UserRow(**row)
    if found is not None and found.banned:
        raise forbidden("banned")
    return found


def find_language(connection: HTTPConnection, user: UserRow | None = None) -> str:
    """The reader's language: from the query, the account, the browser, or English."""
    asked = connection.query_params.get("lang", "")
    if asked in LANGS:
        return asked
    if user is not None:
        return user.lang
    for part in connection.headers.get("accept-language", "").split(","):
        if (lang := part.strip()[:2].lower()) in LANGS:
            return lang
    return "en"


def client_address(connection: HTTPConnection, settings: Settings) -> str:
    if settings.trusted_proxy and (chain := connection.headers.get("x-forwarded-for", "")):
        return chain.split(",")[-1].strip()
    return connection.client.host if connection.client else ""


def network_of(address: str) -> str:
    """The network of an address: people with IPv6 mostly have 2^64 addresses each."""
    try:
        found = ipaddress.ip_address(address)
    except ValueError:
        return address
    if found.version == 4:
        return address
    return str(found.ipv4_mapped or ipaddress.ip_network((found, 64), strict=False))
