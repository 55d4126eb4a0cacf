"""Guests, accounts, sessions, tokens."""

from typing import Any
from zoneinfo import ZoneInfo

import structlog
from fastapi import APIRouter, BackgroundTasks, Response
from sqlalchemy import delete, select, update
from sqlalchemy.exc import IntegrityError

from powderkeg.server.accounts import identity
from powderkeg.server.accounts.identity import Principal
from powderkeg.server.app import Server, Srv, Who, sentence
from powderkeg.server.db import schema
from powderkeg.server.notices import outbox, senders
from powderkeg.server.refusals import Refused, conflict, not_found
from powderkeg.server.schemas.accounts import (
    AccountIn,
    GuestIn,
    LoginIn,
    MailLinkIn,
    Me,
    MeIn,
    OpenIn,
    PushIn,
    SeatLink,
    TokenIn,
    TokenOut,
    TokensOut,
)
from powderkeg.server.schemas.base import Done
from powderkeg.server.tables import create

logger = structlog.get_logger()
router = APIRouter(prefix="/api", tags=["people"])
u, t = schema.users.c, schema.tokens.c
TOKENS = 50  # of one account


def me_out(who: Principal, server: Server) -> Me:
    mail = bool(server.settings.smtp_url)
    if who.user is None:
        return Me(lang=who.lang, mail=mail)  # type: ignore[arg-type]  # one of LANGS
    user = who.user
    return Me(
        id=user.id,
        kind=user.kind,
        name=user.name,
        lang=user.lang,
        zone=user.zone,
        email=user.email,
        email_proven=user.email_proven,
        notices=outbox.wishes(user),
        hook=user.hook,
        scopes=sorted(who.scopes),
        push_key=senders.public_key(server.settings.vapid_key),
        turns=user.turns,
        misses=user.misses,
        mail=mail,
    )


@router.get("/me")
async def me(server: Srv, who: Who) -> Me:
    """Who I am here."""
    return me_out(who, server)


def new_user(kind: str, name: str, lang: str, now: float) -> dict[str, Any]:
    return {
        "id": identity.new_id(),
        "kind": kind,
        "name": name,
        "lang": lang,
        "notices": {},
        "pushes": [],
        "created": now,
        "seen": now,
    }


async def open_session(server: Server, tx: Any, response: Response, user: str) -> None:
    token, row = identity.make_token("session", server.clock(), lasts=identity.YEAR, user=user)
    await tx.run(schema.tokens.insert().values(**row))
    identity.set_cookie(response, server.settings, identity.SESSION, token)


async def _who(server: Server, user: str, lang: str) -> Me:
    async with server.store.read() as tx:
        row = await tx.one(select(schema.users).where(u.id == user))
    return me_out(Principal(row, lang=lang), server)


@router.post("/guests")
async def guest(wish: GuestIn, server: Srv, who: Who, response: Response) -> Me:
    """Play without an account: a guest with a session cookie. An account can follow."""
    if who.user is not None:
        raise conflict("already_logged_in")
    await server.limiter.count("guest", who.limit_key)
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
    await server.limiter.count("guest", who.limit_key)
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
        "password": await identity.hash_password(wish.password) if wish.password else None,
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
    await server.limiter.count("login", who.network)
    await server.limiter.count("login", wish.name.casefold())
    name = wish.name.casefold()
    async with server.store.read() as tx:
        row = await tx.one(select(schema.users).where((u.key == name) | (u.email == name)))
    if not await identity.password_fits(row.password if row else None, wish.password):
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
            await identity.revoke(tx, t.id == who.token_id)
    response.delete_cookie(identity.SESSION, path="/")
    return Done()


@router.post("/tables/{table}/seats/{seat}/link")
async def seat_link(table: str, seat: str, server: Srv, who: Who) -> SeatLink:
    """A secret link that keeps my seat on another device. Older links to it stop working."""
    who.need("play")
    async with server.rooms.look(table) as room:
        if seat not in room.held_by(who.id, who.grants):
            raise Refused(403, "not_your_seat")
        holder = room.seats[seat].user
    now = server.clock()
    token, row = identity.make_token("seat", now, game=table, seat=seat, user=holder)
    async with server.store.write() as tx:
        await identity.revoke(tx, (t.game == table) & (t.seat == seat) & (t.kind == "seat"))
        await tx.run(schema.tokens.insert().values(**row))
    return SeatLink(seat=seat, token=token, link=f"{server.settings.public_url}/s/{token}")


@router.post("/seat-links/open")
async def open_seat_link(wish: OpenIn, server: Srv, who: Who, response: Response) -> SeatLink:
    """Sit down by a secret link. With `claim` the seat becomes mine for good and the link ends;
    an invitation is always claimed."""
    await server.limiter.count("login", who.network)
    async with server.store.read() as tx:
        token = await tx.one(select(schema.tokens).where(t.hash == identity.hashed(wish.token)))
    if token is None or token.kind != "seat":
        raise not_found("no_such_link")
    table, seat = str(token.game), str(token.seat)
    async with server.rooms.look(table) as room:
        invited = room.seats[seat].kind == "invited"
        if not invited and room.seats[seat].user != token.user:
            raise not_found("no_such_link")
    if invited and who.user is None:
        who = Principal(await _new_guest(server, who, response), lang=who.lang)
    if invited or (wish.claim and who.user is not None):
        await _claim(server, who, table, seat)
    else:
        identity.set_cookie(response, server.settings, identity.SEAT + table, wish.token)
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
        create.sit(change, seat, who.need_user("tables"), name)
        where = (t.game == table) & (t.seat == seat) & (t.kind == "seat")
        await identity.revoke(change.tx, where)


# Oneself


@router.patch("/me")
async def change_me(wish: MeIn, server: Srv, who: Who) -> Me:
    """Change what is known about me: language, time zone, notices, webhook, password."""
    user = who.need_user("account")
    given = wish.model_dump(exclude_unset=True, exclude={"no_hook", "password"})
    fields: dict[str, Any] = {k: v for k, v in given.items() if v is not None}
    if "zone" in fields and not _is_zone(fields["zone"]):
        raise Refused(422, "no_such_zone", zone=fields["zone"])
    if "notices" in fields:
        fields["notices"] = {**who.user.notices, **fields["notices"]}
    if wish.hook is not None:
        fields["hook"] = {**wish.hook.model_dump(), "error": ""}
    if wish.no_hook:
        fields["hook"] = None
    if "email" in fields:
        fields |= {"email": fields["email"].lower(), "email_proven": False}
    if "name" in fields and who.user.kind != "guest":
        fields["key"] = fields["name"].casefold()
    if wish.password is not None:
        if who.user.kind == "guest":
            raise conflict("not_logged_in")
        fields["password"] = await identity.hash_password(wish.password)
    try:
        async with server.store.write() as tx:
            if fields:
                await tx.run(update(schema.users).where(u.id == user).values(**fields))
            if "email" in fields:  # a link that went to the old address proves nothing of the new
                await identity.revoke(tx, (t.user == user) & (t.kind == "mail"))
            if wish.password is not None:  # whoever else was logged in is no longer
                others = (t.user == user) & (t.kind == "session") & (t.id != who.token_id)
                await identity.revoke(tx, others)
    except IntegrityError:
        raise conflict("name_taken") from None
    return await _who(server, user, who.lang)


def _is_zone(name: str) -> bool:
    try:
        ZoneInfo(name)
    except (ValueError, KeyError, OSError):
        return False
    return True


@router.post("/me/hook/test")
async def test_hook(server: Srv, who: Who) -> Done:
    """Send a word to my webhook now; what goes wrong is told."""
    who.need_user("account")
    await server.limiter.count("mail", who.limit_key)
    if not who.user.hook:
        raise conflict("no_hook")
    hook, said = who.user.hook, sentence("server.notice.test", who.lang)
    body = {"content": said} if hook["form"] == "discord" else {"event": "test", "text": said}
    await server.hands.sender.post_hook(hook["url"], body, identity.new_id())
    return Done()


@router.post("/me/pushes")
async def add_push(wish: PushIn, server: Srv, who: Who) -> Done:
    """Notices to this browser, by web push."""
    user = who.need_user("account")
    async with server.store.write() as tx:
        known = await tx.value(select(u.pushes).where(u.id == user).with_for_update())
        others = [p for p in known if p["endpoint"] != wish.endpoint][-4:]
        mine = update(schema.users).where(u.id == user)
        await tx.run(mine.values(pushes=[*others, wish.model_dump()]))
    return Done()


@router.delete("/me/pushes")
async def drop_pushes(server: Srv, who: Who) -> Done:
    """No more web push, on any device."""
    user = who.need_user("account")
    async with server.store.write() as tx:
        await tx.run(update(schema.users).where(u.id == user).values(pushes=[]))
    return Done()


@router.get("/me/tokens")
async def my_tokens(server: Srv, who: Who) -> TokensOut:
    user = who.need_user("account")
    async with server.store.read() as tx:
        rows = await tx.all(select(schema.tokens).where(t.user == user, t.kind == "api"))
    return TokensOut(tokens=[_token_out(row) for row in rows])


@router.post("/me/tokens")
async def make_token(wish: TokenIn, server: Srv, who: Who) -> TokenOut:
    """An API token for a program of mine. It is shown this once."""
    user = who.need_user("account")
    if who.bearer:
        raise Refused(403, "scope_missing", scope="session")
    now = server.clock()
    lasts = wish.days * 86400.0 if wish.days else None
    scopes: list[str] = sorted(set(wish.scopes))
    token, row = identity.make_token(
        "api", now, lasts=lasts, user=user, scopes=scopes, name=wish.name
    )
    async with server.store.write() as tx:
        if len(await tx.all(select(t.id).where(t.user == user, t.kind == "api"))) >= TOKENS:
            raise conflict("tokens_enough", n=TOKENS)
        await tx.run(schema.tokens.insert().values(**row))
    return TokenOut(
        id=row["id"],
        name=wish.name,
        scopes=scopes,
        created=now,
        expires=row["expires"],
        used=None,
        token=token,
    )


@router.delete("/me/tokens/{token}")
async def drop_token(token: str, server: Srv, who: Who) -> Done:
    user = who.need_user("account")
    async with server.store.write() as tx:
        if not await identity.revoke(tx, (t.user == user) & (t.id == token) & (t.kind == "api")):
            raise not_found("no_such_token")
    return Done()


def _token_out(row: Any) -> TokenOut:
    return TokenOut(
        id=row.id,
        name=row.name,
        scopes=row.scopes,
        created=row.created,
        expires=row.expires,
        used=row.used,
    )


# By mail


@router.post("/mail-links")
async def mail_link(wish: MailLinkIn, server: Srv, who: Who, later: BackgroundTasks) -> Done:
    """A link to log in by mail; with a new address for my account, it proves the address. The
    answer is the same, and comes as soon, whether or not there is such an account."""
    await server.limiter.count("mail", who.network)
    await server.limiter.count("mail", wish.email.lower())
    if not server.settings.smtp_url:
        raise conflict("no_mail")
    async with server.store.write() as tx:
        row = await tx.one(select(schema.users).where(u.email == wish.email.lower()))
        if row is None or row.banned:
            return Done()
        token, made = identity.make_token("mail", server.clock(), lasts=3600, user=row.id)
        await tx.run(schema.tokens.insert().values(**made))
    link = f"{server.settings.public_url.rstrip('/')}/m/{token}"
    text = f"{sentence('server.notice.login_body', row.lang)}\n\n{link}\n"
    title = sentence("server.notice.login", row.lang)
    later.add_task(_mail_login, server, row.email, title, text, made["id"])
    return Done()


async def _mail_login(server: Server, to: str, title: str, text: str, key: str) -> None:
    try:
        await senders.send_mail(server.settings, to, title, text, key)
    except Refused as error:
        logger.warning("login mail not sent", error=str(error))


@router.post("/mail-links/open")
async def open_mail_link(wish: OpenIn, server: Srv, who: Who, response: Response) -> Me:
    """Log in by the link out of a mail. It works once."""
    await server.limiter.count("login", who.network)
    async with server.store.write() as tx:
        where = (t.hash == identity.hashed(wish.token)) & (t.kind == "mail")
        row = await tx.one(select(schema.tokens).where(where, t.expires > server.clock()))
        if row is None or not await tx.run(delete(schema.tokens).where(where)):
            raise not_found("no_such_link")
        mine = update(schema.users).where(u.id == row.user)
        await tx.run(mine.values(email_proven=True))
        await open_session(server, tx, response, row.user)
    return await _who(server, row.user, who.lang)


# One's data


@router.get("/me/data")
async def my_data(server: Srv, who: Who) -> dict[str, Any]:
    """Everything that is stored about me."""
    user = who.need_user("account")
    s, ps, lg = schema.seats.c, schema.press.c, schema.log.c
    async with server.store.read() as tx:
        seats = await tx.all(select(s.game, s.seat, s.name).where(s.user == user))
        said: list[Any] = []
        done: list[Any] = []
        message = select(ps.game, ps.channel, ps.text, ps.form, ps.sketch, ps.at).order_by(ps.id)
        said += await tx.all(message.where(ps.user == user))  # as a watcher
        for seat in seats:
            mine = (ps.game == seat.game) & (ps.seat == seat.seat)
            said += await tx.all(message.where(mine, ps.said.is_(None)))
            own = (lg.game == seat.game) & (lg.seat == seat.seat) & (lg.by == "person")
            done += await tx.all(select(lg.game, lg.seq, lg.do, lg.at).where(own))
        rated = await tx.all(select(schema.ratings).where(schema.ratings.c.user == user))
        tokens = await tx.all(select(t.kind, t.name, t.created).where(t.user == user))
    about = {k: v for k, v in who.user._mapping.items() if k != "password"}  # noqa: SLF001  # SQLAlchemy's public name
    return {
        "user": about,
        "seats": _plain(seats),
        "press": _plain(said),
        "actions": _plain(done),
        "ratings": _plain(rated),
        "tokens": _plain(tokens),
    }


def _plain(rows: Any) -> list[dict[str, Any]]:
    return [dict(row._mapping) for row in rows]  # noqa: SLF001  # SQLAlchemy's public name


@router.delete("/me")
async def forget_me(server: Srv, who: Who, response: Response) -> Done:
    """Delete my account. Bots play on in my seats; what was done at tables stays, without me."""
    user = who.need_user("account")
    if who.bearer:
        raise Refused(403, "scope_missing", scope="session")
    s = schema.seats.c
    async with server.store.read() as tx:
        tables = {row.game for row in await tx.all(select(s.game).where(s.user == user))}
    for table in sorted(tables):
        async with server.rooms.change(table) as change:
            for seat in change.room.held_by(user, frozenset()):
                if change.room.row.status in ("open", "live", "paused"):
                    create.leave(change, seat)
                else:
                    change.set_seat(seat, user=None, name="")
    watched = schema.press.c.user == user
    async with server.store.write() as tx:
        await tx.run(update(schema.press).where(watched).values(name=""))
        await identity.revoke(tx, t.user == user)
        await tx.run(delete(schema.users).where(u.id == user))
    response.delete_cookie(identity.SESSION, path="/")
    return Done()
