"""Accounts: guests, sign-up, login, settings, tokens for programs, deletion."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo

from sqlalchemy import delete, func, select, update
from sqlalchemy.exc import IntegrityError

from powderkeg.server.accounts.identity import Principal
from powderkeg.server.accounts.tokens import (
    hash_password,
    hash_token,
    issue_token,
    new_id,
    password_fits,
    revoke_tokens,
)
from powderkeg.server.db import schema
from powderkeg.server.db.rows import TokenRow, UserKind, UserRow
from powderkeg.server.db.store import Store, Tx
from powderkeg.server.refusals import Refused, conflict, not_found
from powderkeg.server.schemas.accounts import AccountIn, MeIn, PushIn, TokenIn

u, t = schema.users.c, schema.tokens.c
MOST_TOKENS = 50  # tokens of one account
SESSION_SECONDS = 365 * 86400.0
LOGIN_LINK_SECONDS = 3600.0


class OpenedSession(NamedTuple):
    """A user, and the secret of their new session (None: they had one)."""

    user: UserRow
    token: str | None


async def find_user(tx: Tx, user: str) -> UserRow:
    row = await tx.one(select(schema.users).where(u.id == user))
    if row is None:
        raise not_found("no_such_user")
    return UserRow.load(row)


def new_user(kind: UserKind, name: str, lang: str, now: float) -> UserRow:
    return UserRow(id=new_id(), kind=kind, name=name, lang=lang, created=now, seen=now)


async def _insert_user(tx: Tx, user: UserRow) -> None:
    await tx.run(schema.users.insert().values(**user.values()))


async def _open_session(tx: Tx, user: str, now: float) -> str:
    token, _ = await issue_token(tx, "session", now, lasts=SESSION_SECONDS, user=user)
    return token


async def create_guest(store: Store, now: float, lang: str, name: str | None) -> OpenedSession:
    user = new_user("guest", name or "", lang, now)
    async with store.write() as tx:
        await _insert_user(tx, user)
        return OpenedSession(user, await _open_session(tx, user.id, now))


async def create_account(
    store: Store, now: float, who: Principal, wish: AccountIn
) -> OpenedSession:
    """A new account, or the account that a guest becomes."""
    if who.user is not None and who.user.kind != "guest":
        raise conflict("already_logged_in")
    if who.user is not None:
        who.need_scope("account")
    if wish.password is None and wish.email is None:
        raise Refused(422, "needs_password")
    _check_host_names(store, wish.name.casefold())
    fields: dict[str, Any] = {
        "kind": "person",
        "name": wish.name,
        "key": wish.name.casefold(),
        "password": await hash_password(wish.password) if wish.password else None,
        "email": wish.email.lower() if wish.email else None,
    }
    user = replace(who.user or new_user("person", "", wish.lang or who.lang, now), **fields)
    token = None
    try:
        async with store.write() as tx:
            if who.user is None:
                await _insert_user(tx, user)
                token = await _open_session(tx, user.id, now)
            else:
                await tx.run(update(schema.users).where(u.id == user.id).values(**fields))
            return OpenedSession(user, token)
    except IntegrityError:
        raise conflict("name_taken") from None


def _check_host_names(store: Store, *keys: str | None) -> None:
    """Hosts are known by their names, so nobody takes one and no host gives one up."""
    if store.settings.host_keys.intersection(keys):
        raise conflict("host_name")


async def log_in(store: Store, now: float, name: str, password: str) -> OpenedSession:
    """By name or email, and password."""
    key = name.casefold()
    async with store.read() as tx:
        row = await tx.one(select(schema.users).where((u.key == key) | (u.email == key)))
    user = None if row is None else UserRow.load(row)
    fits = await password_fits(user.password if user else None, password)
    if user is None or not fits:
        raise Refused(401, "wrong_password")
    if user.banned:
        raise Refused(403, "banned")
    async with store.write() as tx:
        return OpenedSession(user, await _open_session(tx, user.id, now))


async def log_out(store: Store, who: Principal) -> None:
    if who.token_id:
        async with store.write() as tx:
            await revoke_tokens(tx, t.id == who.token_id)


# Settings


async def change_account(store: Store, who: Principal, wish: MeIn) -> UserRow:
    """Change an account's settings; omitted fields stay as they are."""
    user = who.need_account("account")
    fields = await _changed_fields(user, wish)
    if fields.get("key", user.key) != user.key:
        _check_host_names(store, user.key, fields["key"])
    try:
        async with store.write() as tx:
            if fields:
                await tx.run(update(schema.users).where(u.id == user.id).values(**fields))
            if "email" in fields:  # a link sent to the old address does not prove the new one
                await revoke_tokens(tx, (t.user == user.id) & (t.kind == "mail"))
            if wish.password is not None:  # other sessions end
                others = (t.user == user.id) & (t.kind == "session") & (t.id != who.token_id)
                await revoke_tokens(tx, others)
            return await find_user(tx, user.id)
    except IntegrityError:
        raise conflict("name_taken") from None


async def _changed_fields(user: UserRow, wish: MeIn) -> dict[str, Any]:
    sent = wish.model_dump(exclude_unset=True, exclude={"no_hook", "password"})
    fields: dict[str, Any] = {k: v for k, v in sent.items() if v is not None}
    if "zone" in fields and not _is_zone(fields["zone"]):
        raise Refused(422, "no_such_zone", zone=fields["zone"])
    if "notices" in fields:
        fields["notices"] = {**user.notices, **fields["notices"]}
    if wish.hook is not None:
        fields["hook"] = {**wish.hook.model_dump(), "error": ""}
    if wish.no_hook:
        fields["hook"] = None
    if "email" in fields:
        fields |= {"email": fields["email"].lower(), "email_proven": False}
    if "name" in fields and user.kind != "guest":
        fields["key"] = fields["name"].casefold()
    if wish.password is not None:
        if user.kind == "guest":
            raise conflict("not_logged_in")
        fields["password"] = await hash_password(wish.password)
    return fields


def _is_zone(name: str) -> bool:
    try:
        ZoneInfo(name)
    except (ValueError, KeyError, OSError):
        return False
    return True


async def add_push_subscription(store: Store, user: str, wish: PushIn) -> None:
    """Send notices to this browser, too: the last five are kept."""
    async with store.write() as tx:
        known = await tx.value(select(u.pushes).where(u.id == user).with_for_update())
        others = [p for p in known if p["endpoint"] != wish.endpoint][-4:]
        mine = update(schema.users).where(u.id == user)
        await tx.run(mine.values(pushes=[*others, wish.model_dump()]))


async def drop_push_subscriptions(store: Store, user: str) -> None:
    async with store.write() as tx:
        await tx.run(update(schema.users).where(u.id == user).values(pushes=[]))


async def become_bot(store: Store, user: UserRow) -> UserRow:
    """Turn an account that has not played yet into a bot's account, permanently."""
    played = select(func.count()).where(schema.seats.c.user == user.id)
    async with store.write() as tx:
        if user.kind == "guest":
            raise conflict("not_a_bot")
        if await tx.value(played):
            raise conflict("has_played")
        await tx.run(update(schema.users).where(u.id == user.id).values(kind="bot"))
        return await find_user(tx, user.id)


async def find_or_create_bot(tx: Tx, now: float, name: str) -> UserRow:
    """The bot's account of that name; a new one if there is none. People's accounts are refused."""
    row = await tx.one(select(schema.users).where(u.key == name.casefold()))
    if row is None:
        made = replace(new_user("bot", name, "en", now), key=name.casefold())
        await _insert_user(tx, made)
        return made
    if row.kind != "bot":
        raise conflict("not_a_bot_name", name=name)
    return UserRow.load(row)


# Tokens for programs


async def list_api_tokens(store: Store, user: str) -> list[TokenRow]:
    async with store.read() as tx:
        rows = await tx.all(select(schema.tokens).where(t.user == user, t.kind == "api"))
    return [TokenRow.load(row) for row in rows]


async def create_api_token(
    store: Store, now: float, who: Principal, wish: TokenIn
) -> tuple[str, TokenRow]:
    user = who.need_user("account")
    need_session(who)
    lasts = wish.days * 86400.0 if wish.days else None
    scopes = sorted(set(wish.scopes))
    async with store.write() as tx:
        if len(await tx.all(select(t.id).where(t.user == user, t.kind == "api"))) >= MOST_TOKENS:
            raise conflict("tokens_enough", n=MOST_TOKENS)
        return await issue_token(
            tx, "api", now, lasts=lasts, user=user, scopes=scopes, name=wish.name
        )


def need_session(who: Principal) -> None:
    """Refuse programs: some things are only for people who are logged in."""
    if who.is_bearer:
        raise Refused(403, "scope_missing", scope="session")


async def revoke_api_token(store: Store, user: str, token: str) -> None:
    mine = (t.user == user) & (t.id == token) & (t.kind == "api")
    async with store.write() as tx:
        if not await revoke_tokens(tx, mine):
            raise not_found("no_such_token")


# Login by mail


async def create_login_link(
    store: Store, now: float, email: str
) -> tuple[UserRow, str, TokenRow] | None:
    """The user with this address, the secret of a new link and its row; None: nobody."""
    async with store.write() as tx:
        row = await tx.one(select(schema.users).where(u.email == email.lower()))
        if row is None or row.banned:
            return None
        user = UserRow.load(row)
        return user, *await issue_token(tx, "mail", now, lasts=LOGIN_LINK_SECONDS, user=user.id)


async def open_login_link(store: Store, now: float, secret: str) -> OpenedSession:
    """Log in with a link from an email, which confirms the address. A link works once."""
    where = (t.hash == hash_token(secret)) & (t.kind == "mail")
    async with store.write() as tx:
        row = await tx.one(select(schema.tokens).where(where, t.expires > now))
        if row is None or not await tx.run(delete(schema.tokens).where(where)):
            raise not_found("login_link_dead")
        await tx.run(update(schema.users).where(u.id == row.user).values(email_proven=True))
        token = await _open_session(tx, row.user, now)
        return OpenedSession(await find_user(tx, row.user), token)


# Personal data


async def export_account(store: Store, user: UserRow) -> dict[str, Any]:
    """Everything that is stored about a user."""
    s, ps, lg = schema.seats.c, schema.press.c, schema.log.c
    said: list[Any] = []
    done: list[Any] = []
    async with store.read() as tx:
        seats = await tx.all(select(s.game, s.seat, s.name).where(s.user == user.id))
        message = select(ps.game, ps.channel, ps.text, ps.form, ps.sketch, ps.at).order_by(ps.id)
        said += await tx.all(message.where(ps.user == user.id))  # as a watcher
        for seat in seats:
            mine = (ps.game == seat.game) & (ps.seat == seat.seat)
            said += await tx.all(message.where(mine, ps.said.is_(None)))
            own = (lg.game == seat.game) & (lg.seat == seat.seat) & (lg.by == "person")
            done += await tx.all(select(lg.game, lg.seq, lg.do, lg.at).where(own))
        rated = await tx.all(select(schema.ratings).where(schema.ratings.c.user == user.id))
        rc, rp = schema.rating_changes.c, schema.reports.c
        changes = await tx.all(select(schema.rating_changes).where(rc.user == user.id))
        reports = await tx.all(select(rp.game, rp.seat, rp.text, rp.at).where(rp.by == user.id))
        tokens = await tx.all(select(t.kind, t.name, t.created).where(t.user == user.id))
        pk = schema.packs.c
        packs = await tx.all(select(pk.rules, pk.name, pk.line).where(pk.user == user.id))
        ls = schema.lessons.c
        learnt = await tx.all(select(ls.exercise, ls.verdict, ls.solved).where(ls.user == user.id))
        le = schema.leagues.c
        leagues = await tx.all(select(le.id, le.name, le.created).where(le.owner == user.id))
        ld = schema.league_departures.c
        left = await tx.all(select(ld.league, ld.at).where(ld.user == user.id))
    return {
        "user": {name: value for name, value in user.values().items() if name != "password"},
        "seats": _row_dicts(seats),
        "press": _row_dicts(said),
        "actions": _row_dicts(done),
        "ratings": _row_dicts(rated),
        "rating_changes": _row_dicts(changes),
        "reports": _row_dicts(reports),
        "tokens": _row_dicts(tokens),
        "packs": _row_dicts(packs),
        "lessons": _row_dicts(learnt),
        "leagues": _row_dicts(leagues),
        "leagues_left": _row_dicts(left),
    }


def _row_dicts(rows: Sequence[Any]) -> list[dict[str, Any]]:
    return [dict(row._mapping) for row in rows]  # noqa: SLF001  # SQLAlchemy's public name


async def delete_account(store: Store, user: str) -> None:
    """Delete an account that holds no seats; its actions at tables stay, without a name."""
    watched = schema.press.c.user == user
    async with store.write() as tx:
        await tx.run(update(schema.press).where(watched).values(name=""))
        await tx.run(update(schema.reports).where(schema.reports.c.about == user).values(name=""))
        await revoke_tokens(tx, t.user == user)
        await tx.run(delete(schema.users).where(u.id == user))
