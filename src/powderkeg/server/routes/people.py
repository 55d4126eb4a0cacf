"""Guests, accounts, sessions, tokens."""

from typing import Any

from fastapi import APIRouter, Response
from sqlalchemy import delete, select, update
from sqlalchemy.exc import IntegrityError

from powderkeg.server import lobby, schema, security
from powderkeg.server.app import Server, Srv, Who, sentence
from powderkeg.server.messages import (
    AccountIn,
    Done,
    GuestIn,
    LoginIn,
    Me,
    OpenIn,
    SeatLink,
)
from powderkeg.server.problems import Refused, conflict, not_found
from powderkeg.server.security import Principal

router = APIRouter(prefix="/api", tags=["people"])
u, t = schema.users.c, schema.tokens.c


def me_out(who: Principal, server: Server) -> Me:
    if who.user is None:
        return Me(lang=who.lang)  # type: ignore[arg-type]  # one of LANGS
    user = who.user
    return Me(
        id=user.id,
        kind=user.kind,
        name=user.name,
        lang=user.lang,
        zone=user.zone,
        email=user.email,
        email_proven=user.email_proven,
        notices=user.notices,
        hook=user.hook,
        scopes=sorted(who.scopes),
        turns=user.turns,
        misses=user.misses,
    )


@router.get("/me")
async def me(server: Srv, who: Who) -> Me:
    """Who I am here."""
    return me_out(who, server)


def new_user(kind: str, name: str, lang: str, now: float) -> dict[str, Any]:
    return {
        "id": security.new_id(),
        "kind": kind,
        "name": name,
        "lang": lang,
        "notices": {},
        "pushes": [],
        "created": now,
        "seen": now,
    }


async def open_session(server: Server, tx: Any, response: Response, user: str) -> None:
    token, row = security.make_token("session", server.clock(), lasts=security.YEAR, user=user)
    await tx.run(schema.tokens.insert().values(**row))
    security.set_cookie(response, server.settings, security.SESSION, token)


async def _who(server: Server, user: str, lang: str) -> Me:
    async with server.store.read() as tx:
        row = await tx.one(select(schema.users).where(u.id == user))
    return me_out(Principal(row, lang=lang), server)


@router.post("/guests")
async def guest(wish: GuestIn, server: Srv, who: Who, response: Response) -> Me:
    """Play without an account: a guest with a session cookie. An account can follow."""
    if who.user is not None:
        raise conflict("already_logged_in")
    server.limiter.check("guest", who.limit_key)
    now = server.clock()
    name = wish.name or sentence("server.guest", who.lang)
    row = new_user("guest", name, wish.lang or who.lang, now)
    async with server.store.write() as tx:
        await tx.run(schema.users.insert().values(**row))
        await open_session(server, tx, response, row["id"])
    return await _who(server, row["id"], who.lang)


@router.post("/accounts")
async def account(wish: AccountIn, server: Srv, who: Who, response: Response) -> Me:
    """Make an account with name and password. A guest becomes the account and keeps all seats."""
    server.limiter.check("guest", who.limit_key)
    if who.user is not None and who.user.kind != "guest":
        raise conflict("already_logged_in")
    if who.user is not None:
        who.need("account")
    if wish.password is None and wish.email is None:
        raise Refused(422, "needs_password")
    now = server.clock()
    fields = {
        "kind": "person",
        "name": wish.name,
        "key": wish.name.casefold(),
        "password": security.hash_password(wish.password) if wish.password else None,
        "email": wish.email.lower() if wish.email else None,
    }
    try:
        async with server.store.write() as tx:
            if who.user is not None:
                user = str(who.user.id)
                await tx.run(update(schema.users).where(u.id == user).values(**fields))
            else:
                row = new_user("person", wish.name, wish.lang or who.lang, now) | fields
                user = str(row["id"])
                await tx.run(schema.users.insert().values(**row))
                await open_session(server, tx, response, user)
    except IntegrityError:
        raise conflict("name_taken") from None
    return await _who(server, user, who.lang)


@router.post("/sessions")
async def login(wish: LoginIn, server: Srv, who: Who, response: Response) -> Me:
    """Log in with name (or e-mail) and password."""
    server.limiter.check("login", who.address)
    server.limiter.check("login", wish.name.casefold())
    name = wish.name.casefold()
    async with server.store.read() as tx:
        row = await tx.one(select(schema.users).where((u.key == name) | (u.email == name)))
    if not security.password_fits(row.password if row else None, wish.password):
        raise Refused(401, "wrong_password")
    assert row is not None  # noqa: S101  # nobody has no password
    if row.banned:
        raise Refused(403, "banned")
    async with server.store.write() as tx:
        await open_session(server, tx, response, row.id)
    return await _who(server, row.id, row.lang)


@router.delete("/sessions/current")
async def logout(server: Srv, who: Who, response: Response) -> Done:
    """Log out here."""
    if who.token_id:
        async with server.store.write() as tx:
            await tx.run(delete(schema.tokens).where(t.id == who.token_id))
    response.delete_cookie(security.SESSION, path="/")
    return Done()


@router.post("/tables/{table}/seats/{seat}/link")
async def seat_link(table: str, seat: str, server: Srv, who: Who) -> SeatLink:
    """A secret link that keeps my seat on another device. Older links to it stop working."""
    who.need("play")
    async with server.rooms.look(table) as room:
        if seat not in room.held_by(who.id, who.grants):
            raise Refused(403, "not_your_seat")
    now = server.clock()
    token, row = security.make_token("seat", now, game=table, seat=seat, user=None)
    async with server.store.write() as tx:
        await tx.run(delete(schema.tokens).where(t.game == table, t.seat == seat, t.kind == "seat"))
        await tx.run(schema.tokens.insert().values(**row))
    return SeatLink(seat=seat, token=token, link=f"{server.settings.public_url}/s/{token}")


@router.post("/seat-links/open")
async def open_seat_link(wish: OpenIn, server: Srv, who: Who, response: Response) -> SeatLink:
    """Sit down by a secret link. With `claim` the seat becomes mine for good and the link ends;
    an invitation is always claimed."""
    server.limiter.check("login", who.address)
    async with server.store.read() as tx:
        token = await tx.one(select(schema.tokens).where(t.hash == security.hashed(wish.token)))
    if token is None or token.kind != "seat":
        raise not_found("no_such_link")
    table, seat = str(token.game), str(token.seat)
    async with server.rooms.look(table) as room:
        invited = room.seats[seat].kind == "invited"
    if invited and who.user is None:
        who = Principal(await _new_guest(server, who, response), lang=who.lang)
    if invited or (wish.claim and who.user is not None):
        await _claim(server, who, table, seat)
    else:
        security.set_cookie(response, server.settings, security.SEAT + table, wish.token)
    link = f"{server.settings.public_url}/t/{table}"
    return SeatLink(seat=seat, token="", link=link)


async def _new_guest(server: Server, who: Principal, response: Response) -> Any:
    name = sentence("server.guest", who.lang)
    row = new_user("guest", name, who.lang, server.clock())
    async with server.store.write() as tx:
        await tx.run(schema.users.insert().values(**row))
        await open_session(server, tx, response, row["id"])
        return await tx.one(select(schema.users).where(u.id == row["id"]))


async def _claim(server: Server, who: Principal, table: str, seat: str) -> None:
    async with server.rooms.change(table) as change:
        name = change.room.seats[seat].name or who.name
        lobby.sit(change, seat, who.need_user("tables"), name)
        where = (t.game == table) & (t.seat == seat) & (t.kind == "seat")
        await change.tx.run(delete(schema.tokens).where(where))
