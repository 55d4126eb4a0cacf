"""Guests, accounts, sessions, tokens, and an account's settings and data."""

from typing import Any

import structlog
from fastapi import APIRouter, BackgroundTasks, Response

from powderkeg.core.words import Msg, say
from powderkeg.server.accounts import accounts
from powderkeg.server.accounts.accounts import OpenedSession
from powderkeg.server.accounts.identity import (
    ALL_SCOPES,
    SEAT_COOKIE,
    SESSION_COOKIE,
    Principal,
)
from powderkeg.server.accounts.tokens import new_id
from powderkeg.server.db.rows import TokenRow, UserRow
from powderkeg.server.http.deps import PrincipalDep, ServerDep
from powderkeg.server.http.security import forget_cookie, set_cookie
from powderkeg.server.lobby import seat_links
from powderkeg.server.lobby.join import adopt_guest, leave_all_tables, rename_seats
from powderkeg.server.notices.outbox import notice_wishes
from powderkeg.server.notices.senders import hook_body, push_public_key, send_mail
from powderkeg.server.process import ServerProcess
from powderkeg.server.refusals import Refused, conflict
from powderkeg.server.schemas.accounts import (
    AccountIn,
    GuestIn,
    HookOut,
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
from powderkeg.server.schemas.base import DoneOut

logger = structlog.get_logger()
router = APIRouter(prefix="/api", tags=["people"])


def present_me(server: ServerProcess, user: UserRow, scopes: frozenset[str] = ALL_SCOPES) -> Me:
    return Me(
        id=user.id,
        kind=user.kind,
        name=user.name,
        lang=user.lang,  # type: ignore[arg-type]  # one of LANGS
        zone=user.zone,
        email=user.email,
        email_proven=user.email_proven,
        notices=notice_wishes(user),
        hook=HookOut(**user.hook) if user.hook else None,
        scopes=sorted(scopes),
        push_key=push_public_key(server.settings.vapid_key),
        turns=user.turns,
        misses=user.misses,
        mail=bool(server.settings.smtp_url),
        host=user.key is not None and user.key in server.settings.host_keys,
    )


def _keep_session(server: ServerProcess, response: Response, opened: OpenedSession) -> None:
    if opened.token is not None:
        set_cookie(response, server.settings, SESSION_COOKIE, opened.token)


@router.get("/me")
async def get_me(server: ServerDep, who: PrincipalDep) -> Me:
    """My account, or my guest account."""
    if who.user is None:
        return Me(lang=who.lang, mail=bool(server.settings.smtp_url))  # type: ignore[arg-type]  # one of LANGS
    return present_me(server, who.user, who.scopes)


@router.post("/guests")
async def post_guest(wish: GuestIn, server: ServerDep, who: PrincipalDep, response: Response) -> Me:
    """Play without an account: a guest with a session cookie. An account can follow."""
    if who.user is not None:
        raise conflict("already_logged_in")
    await server.limiter.check_shared("guest", who.limit_key)
    lang = wish.lang or who.lang
    opened = await accounts.create_guest(server.store, server.clock(), lang, wish.name)
    _keep_session(server, response, opened)
    return present_me(server, opened.user)


@router.post("/accounts")
async def post_account(
    wish: AccountIn, server: ServerDep, who: PrincipalDep, response: Response
) -> Me:
    """Make an account with name and password. A guest becomes the account and keeps all seats."""
    await server.limiter.check_shared("guest", who.limit_key)
    opened = await accounts.create_account(server.store, server.clock(), who, wish)
    _keep_session(server, response, opened)
    await _follow_name(server, who, opened.user)
    return present_me(server, opened.user)


async def _follow_name(server: ServerProcess, who: Principal, user: UserRow) -> None:
    """Show a person's new name at their seats."""
    if who.user is not None and who.user.name != user.name:
        await rename_seats(server.cache, user.id, who.user.name, user.name)


@router.post("/sessions")
async def post_session(
    wish: LoginIn, server: ServerDep, who: PrincipalDep, response: Response
) -> Me:
    """Log in with name (or email) and password. What a guest has comes along."""
    await server.limiter.check_shared("login", who.network)
    await server.limiter.check_shared("login", wish.name.casefold())
    opened = await accounts.log_in(server.store, server.clock(), wish.name, wish.password)
    return await _enter_account(server, who, response, opened)


async def _enter_account(
    server: ServerProcess, who: Principal, response: Response, opened: OpenedSession
) -> Me:
    """Begin the session; nobody loses anything by logging in."""
    _keep_session(server, response, opened)
    if who.user is not None and who.user.kind == "guest":
        await adopt_guest(server.cache, who.user.id, opened.user)
    return present_me(server, opened.user)


@router.delete("/sessions/current")
async def delete_session(server: ServerDep, who: PrincipalDep, response: Response) -> DoneOut:
    """Log out here."""
    await accounts.log_out(server.store, who)
    forget_cookie(response, server.settings, SESSION_COOKIE)
    return DoneOut()


@router.post("/tables/{table}/seats/{seat}/link")
async def post_seat_link(table: str, seat: str, server: ServerDep, who: PrincipalDep) -> SeatLink:
    """Make a secret link that opens my seat on another device. Older links to it stop working."""
    who.need_scope("play")
    token = await seat_links.make_seat_link(server.cache, who, table, seat)
    return SeatLink(seat=seat, token=token, link=f"{server.settings.public_url}/s/{token}")


@router.post("/seat-links/open")
async def post_open_seat_link(
    wish: OpenIn, server: ServerDep, who: PrincipalDep, response: Response
) -> SeatLink:
    """Take a seat with a secret link. With `claim` the seat becomes mine for good and the link ends;
    an invitation is always claimed."""
    await server.limiter.check_shared("login", who.network)
    linked = await seat_links.find_linked_seat(server.cache, wish.token)
    if linked.is_invitation and who.user is None:
        opened = await accounts.create_guest(server.store, server.clock(), who.lang, wish.name)
        _keep_session(server, response, opened)
        who = Principal(opened.user, lang=who.lang)
    if linked.is_invitation or (wish.claim and who.user is not None):
        await seat_links.claim_linked_seat(server.cache, who, linked)
    else:
        set_cookie(response, server.settings, SEAT_COOKIE + linked.table, wish.token)
    link = f"{server.settings.public_url}/t/{linked.table}"
    return SeatLink(seat=linked.seat, token="", link=link)


# Settings


@router.patch("/me")
async def patch_me(wish: MeIn, server: ServerDep, who: PrincipalDep) -> Me:
    """Change my settings: name, language, time zone, notices, webhook, password."""
    user = await accounts.change_account(server.store, who, wish)
    await _follow_name(server, who, user)
    return present_me(server, user)


@router.post("/me/hook/test")
async def post_hook_test(server: ServerDep, who: PrincipalDep) -> DoneOut:
    """Send a test message to my webhook now; errors are reported."""
    hook = who.need_account("account").hook
    await server.limiter.check_shared("mail", who.limit_key)
    if not hook:
        raise conflict("no_hook")
    text = say(Msg("server.notice.test"), who.lang)
    body = hook_body(hook["form"], text, {"event": "test"})
    await server.sender.post_hook(hook["url"], body, new_id())
    return DoneOut()


@router.post("/me/pushes")
async def post_push(wish: PushIn, server: ServerDep, who: PrincipalDep) -> DoneOut:
    """Send notices to this browser by web push."""
    await accounts.add_push_subscription(server.store, who.need_user("account"), wish)
    return DoneOut()


@router.delete("/me/pushes")
async def delete_pushes(server: ServerDep, who: PrincipalDep) -> DoneOut:
    """Stop web push on all my devices."""
    await accounts.drop_push_subscriptions(server.store, who.need_user("account"))
    return DoneOut()


@router.get("/me/tokens")
async def get_tokens(server: ServerDep, who: PrincipalDep) -> TokensOut:
    rows = await accounts.list_api_tokens(server.store, who.need_user("account"))
    return TokensOut(tokens=[_present_token(row) for row in rows])


@router.post("/me/tokens")
async def post_token(wish: TokenIn, server: ServerDep, who: PrincipalDep) -> TokenOut:
    """Make an API token for a program. It is shown only once."""
    token, row = await accounts.create_api_token(server.store, server.clock(), who, wish)
    return _present_token(row, token)


@router.delete("/me/tokens/{token}")
async def delete_token(token: str, server: ServerDep, who: PrincipalDep) -> DoneOut:
    await accounts.revoke_api_token(server.store, who.need_user("account"), token)
    return DoneOut()


def _present_token(row: TokenRow, token: str | None = None) -> TokenOut:
    return TokenOut(
        id=row.id,
        name=row.name,
        scopes=list(row.scopes),
        created=row.created,
        expires=row.expires,
        used=row.used,
        token=token,
    )


# By mail


@router.post("/mail-links")
async def post_mail_link(
    wish: MailLinkIn, server: ServerDep, who: PrincipalDep, later: BackgroundTasks
) -> DoneOut:
    """A link to log in by mail; with a new address for my account, it proves the address. The
    answer is the same, and comes as soon, whether or not there is such an account."""
    await server.limiter.check_shared("mail", who.network)
    await server.limiter.check_shared("mail", wish.email.lower())
    if not server.settings.smtp_url:
        raise conflict("no_mail")
    created = await accounts.create_login_link(server.store, server.clock(), wish.email)
    if created is None:
        return DoneOut()
    user, token, row = created
    link = f"{server.settings.public_url}/m/{token}"
    text = f"{say(Msg('server.notice.login_body'), user.lang)}\n\n{link}\n"
    title = say(Msg("server.notice.login"), user.lang)
    later.add_task(_mail_login, server, wish.email.lower(), title, text, row.id)
    return DoneOut()


async def _mail_login(server: ServerProcess, to: str, title: str, text: str, key: str) -> None:
    try:
        await send_mail(server.settings, to, title, text, key)
    except Refused as error:
        logger.warning("a login mail was not sent", error=str(error))


@router.post("/mail-links/open")
async def post_open_mail_link(
    wish: OpenIn, server: ServerDep, who: PrincipalDep, response: Response
) -> Me:
    """Log in with the link from a mail. It works once. What a guest has comes along."""
    await server.limiter.check_shared("login", who.network)
    opened = await accounts.open_login_link(server.store, server.clock(), wish.token)
    return await _enter_account(server, who, response, opened)


# My data


@router.get("/me/data")
async def get_my_data(server: ServerDep, who: PrincipalDep) -> dict[str, Any]:
    """Everything that is stored about me."""
    return await accounts.export_account(server.store, who.need_account("account"))


@router.delete("/me")
async def delete_me(server: ServerDep, who: PrincipalDep, response: Response) -> DoneOut:
    """Delete my account. Bots play on in my seats; my actions at tables stay, without my name."""
    user = who.need_user("account")
    accounts.need_session(who)
    await leave_all_tables(server.cache, user, forget=True)
    await accounts.delete_account(server.store, user)
    forget_cookie(response, server.settings, SESSION_COOKIE)
    return DoneOut()
