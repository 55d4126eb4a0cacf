"""Notices: an outbox of rows that are sent once, retried when refused, never sent twice.

A row is marked `sending` before anything goes out. Who refuses clearly is tried again later; if
the line breaks (or we die) in the middle, nobody can know, and the notice is left `unsure`.
"""

import asyncio
import base64
import ipaddress
import json
import socket
from collections.abc import Awaitable, Callable
from datetime import datetime
from email.message import EmailMessage
from functools import cache
from typing import Any
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo

import aiosmtplib
import httpx2
import structlog
from sqlalchemy import select, update
from sqlalchemy.dialects import postgresql, sqlite

from powderkeg.core.words import Msg, say
from powderkeg.server import saying, schema, show
from powderkeg.server.asking import ask_job
from powderkeg.server.rooms import Change, Rec, Room
from powderkeg.server.settings import Settings
from powderkeg.server.store import Store, Tx

logger = structlog.get_logger()
n, u, h = schema.notices.c, schema.users.c, schema.hooks.c
USUALLY = {"message": "off"}  # every other event: now
TRIES = 8
CLAIM = 60.0
DIGEST_HOUR = 8  # in the reader's time zone


class Unsent(Exception):
    """Clearly not delivered: it may be tried again."""


class Unknown(Unsent):
    """Nobody is there any more: it is not tried again."""


# Writing notices, in the transaction of what they tell


async def your_turn(change: Change, seats: list[Rec]) -> None:
    room = change.room
    away = [s for s in seats if (s.seen or 0) < change.now - show.PRESENT]
    for seat in away:
        what = _table_msg(room, "your_turn", phase=_phase(room))
        await tell(change.tx, change.now, room, seat.user, "your_turn", f"{room.row.head}", what)
    if seats and room.hooks:
        names = [show.seat_msg(room.game, s.seat) for s in seats]
        what = _table_msg(room, "turn_at", who=names, phase=_phase(room))
        for hook in room.hooks:
            key = f"hook:{room.id}:{room.row.head}:{hook.url}"[:200]
            await _put(
                change.tx,
                change.now,
                key,
                "hook",
                "turn_at",
                room.id,
                None,
                hook.lang,
                {"url": hook.url, "form": hook.form, "hook": hook.id},
                what,
            )


async def near(change: Change, seat: Rec) -> None:
    what = _table_msg(change.room, "near", when=str(seat.due))
    await tell(change.tx, change.now, change.room, seat.user, "near", f"{seat.due}", what)


async def ended(change: Change) -> None:
    room = change.room
    why = saying.load(room.row.result["why"])
    what = _table_msg(room, "ended", why=why)
    for user in {s.user for s in room.seats.values() if s.user}:
        await tell(change.tx, change.now, room, user, "ended", "", what)


async def proposal(change: Change, made: Rec) -> None:
    room = change.room
    args = {
        k: show.seat_msg(room.game, v) if v in room.seats else str(v)
        for k, v in made.args.items()
        if isinstance(v, str)
    }
    names = {"seat": show.seat_msg(room.game, made.seat), "winner": "", "who": "", "text": ""}
    text = Msg(f"server.propose.{made.kind}", **{**names, **args})
    for name in made.voters:
        user = room.seats[name].user
        if name != made.seat and user:
            what = _table_msg(room, "proposal", text=text)
            await tell(change.tx, change.now, room, user, "proposal", f"{made.id}", what)
            change.tx.tell(f"user:{user}")


async def message(tx: Tx, now: float, room: Room, readers: list[Rec], seat: str | None) -> None:
    for reader in readers:
        if (reader.seen or 0) < now - show.PRESENT:
            who = show.seat_msg(room.game, seat or "")
            what = _table_msg(room, "message", seat=who)
            await tell(tx, now, room, reader.user, "message", f"{int(now // 3600)}", what)


async def nudge(change: Change, seat: Rec) -> None:
    what = _table_msg(change.room, "nudge")
    await tell(change.tx, change.now, change.room, seat.user, "nudge", f"{change.now}", what)


def _table_msg(room: Room, event: str, **args: Any) -> Msg:
    title = room.row.title or Msg("server.untitled", id=room.id)
    return Msg(f"server.notice.{event}", game=show.game_msg(room.game), title=title, **args)


def _phase(room: Room) -> Any:
    return show.phase_msg(room.game, room.row.phase) or room.live.seq


async def tell(
    tx: Tx, now: float, room: Room, user: str | None, event: str, occasion: str, what: Msg
) -> None:
    """Put a notice for one person into the outbox, by every way they have chosen."""
    row = await tx.one(select(schema.users).where(u.id == user)) if user else None
    if row is not None:
        await for_user(tx, now, room.id, row, event, occasion, what, f"/t/{room.id}")


async def for_user(
    tx: Tx, now: float, table: str, user: Any, event: str, occasion: str, what: Msg, link: str
) -> None:
    when = user.notices.get(event, USUALLY.get(event, "now"))
    ways: list[tuple[str, dict[str, Any]]] = []
    if user.email and user.email_proven:
        ways.append(("mail", {"mail": user.email}))
    if user.hook:
        ways.append(("hook", {"url": user.hook["url"], "form": user.hook["form"], "user": user.id}))
    ways += [("push", {"push": subscription}) for subscription in user.pushes]
    if when == "off":
        return
    for place, (way, to) in enumerate(ways):
        digest = when == "digest" and way == "mail"
        key = f"{event}:{table}:{user.id}:{occasion}:{way}:{place}"[:200]
        status, at = ("digest", _digest_time(now, user.zone)) if digest else ("waiting", now)
        await _put(
            tx,
            at,
            key,
            way,
            event,
            table,
            user.id,
            user.lang,
            {**to, "link": link},
            what,
            status=status,
            created=now,
        )


def _digest_time(now: float, zone: str) -> float:
    from powderkeg.server.clocks import at_hour

    return at_hour(f"{DIGEST_HOUR:02}:00", zone, now + 60)


async def _put(
    tx: Tx,
    at: float,
    key: str,
    way: str,
    event: str,
    table: str | None,
    user: str | None,
    lang: str,
    to: dict[str, Any],
    what: Msg,
    *,
    status: str = "waiting",
    created: float | None = None,
) -> None:
    insert = postgresql.insert if tx.is_postgres else sqlite.insert
    row: Any = insert(schema.notices).values(
        key=key,
        user=user,
        game=table,
        way=way,
        event=event,
        to=to,
        lang=lang,
        said=saying.dump(what),
        status=status,
        send_at=at,
        created=created or at,
        tries=0,
        locked_until=0.0,
        error="",
    )
    if await tx.run(row.on_conflict_do_nothing(index_elements=["key"])):
        await ask_job(
            tx,
            "notices",
            None,
            at,
            f"notices:{status}:{int(at)}" if status == "digest" else "notices",
        )


# Sending


class Sender:
    """Takes notices from the outbox, one at a time."""

    def __init__(self, store: Store, settings: Settings, clock: Callable[[], float]) -> None:
        self.store, self.settings, self.clock = store, settings, clock
        self.http = httpx2.AsyncClient(timeout=10, follow_redirects=False)

    async def close(self) -> None:
        await self.http.aclose()

    async def send_all(self, job: Any) -> None:
        """The job: send whatever waits; those that failed are asked for again."""
        await self._give_up_unsure()
        while rows := await self._claim():
            await self._send(rows)
        async with self.store.write() as tx:
            later = await tx.one(
                select(n.send_at)
                .where(n.status.in_(["waiting", "digest"]))
                .order_by(n.send_at)
                .limit(1)
            )
            if later is not None:
                at = max(later.send_at, self.clock() + 1)
                await ask_job(tx, "notices", None, at, "notices:later")

    async def _give_up_unsure(self) -> None:
        """Whoever was sending these died: it cannot be known whether they arrived."""
        async with self.store.write() as tx:
            dead = (n.status == "sending") & (n.locked_until <= self.clock())
            await tx.run(update(schema.notices).where(dead).values(status="unsure"))

    async def _claim(self) -> list[Any]:
        """One notice; or all of a person's that wait for the same digest."""
        now = self.clock()
        due = n.status.in_(["waiting", "digest"]) & (n.send_at <= now) & (n.locked_until <= now)
        async with self.store.write() as tx:
            first = select(schema.notices).where(due).order_by(n.send_at).limit(1)
            row = await tx.one(first.with_for_update(skip_locked=True) if tx.is_postgres else first)
            if row is None:
                return []
            mine = n.id == row.id
            if row.status == "digest":
                mine = due & (n.status == "digest") & (n.user == row.user)
            claim = update(schema.notices).where(mine, due)
            taken = claim.values(locked_until=now + CLAIM, tries=n.tries + 1, status="sending")
            return list(await tx.all(taken.returning(schema.notices)))

    async def _send(self, rows: list[Any]) -> None:
        row = rows[0]
        ways: dict[str, Callable[[list[Any]], Awaitable[None]]] = {
            "mail": self._mail,
            "hook": self._hook,
            "push": self._push,
        }
        status, error = "sent", ""
        try:
            await ways[row.way](rows)
        except Unsent as problem:
            given_up = row.tries >= TRIES or isinstance(problem, Unknown)
            status, error = ("failed" if given_up else "waiting"), str(problem)
            if isinstance(problem, Unknown):
                await self._forget_push(row)
        except Exception as problem:  # noqa: BLE001  # the line broke while sending: nobody knows
            status, error = "unsure", repr(problem)
        if error:
            logger.warning(
                "notice not sent", way=row.way, event_=row.event, game=row.game, error=error
            )
        async with self.store.write() as tx:
            ids = [each.id for each in rows]
            fields = {"status": status, "error": error[:300], "locked_until": 0.0}
            if status == "waiting":
                fields["send_at"] = self.clock() + min(15 * 2.0**row.tries, 3600 * 6)
            await tx.run(update(schema.notices).where(n.id.in_(ids)).values(**fields))
            await self._remember(tx, row, error)

    async def _forget_push(self, row: Any) -> None:
        """A browser that was unsubscribed is not told anything any more."""
        gone = row.to["push"]["endpoint"]
        async with self.store.write() as tx:
            one = await tx.one(select(u.pushes).where(u.id == row.user))
            if one is not None:
                kept = [push for push in one.pushes if push["endpoint"] != gone]
                await tx.run(update(schema.users).where(u.id == row.user).values(pushes=kept))

    async def _remember(self, tx: Tx, row: Any, error: str) -> None:
        """The last error of a webhook is shown to whom it belongs."""
        if row.way != "hook":
            return
        if hook := row.to.get("hook"):
            await tx.run(update(schema.hooks).where(h.id == hook).values(error=error[:300]))
        elif user := row.to.get("user"):
            one = await tx.one(select(u.hook).where(u.id == user))
            if one is not None and one.hook and one.hook["url"] == row.to["url"]:
                mine = update(schema.users).where(u.id == user)
                await tx.run(mine.values(hook={**one.hook, "error": error[:300]}))

    def text(self, row: Any) -> str:
        """The sentence in the reader's language; deadlines are told in words of their clock."""
        said = saying.load(row.said)
        if "when" in said.args:
            said = Msg(said.code, **{**said.args, "when": self._when(said.args["when"])})
        return say(said, row.lang)

    def _when(self, at: Any) -> str:
        there = datetime.fromtimestamp(float(at), ZoneInfo("UTC"))
        return there.strftime("%Y-%m-%d %H:%M UTC")

    def link(self, row: Any) -> str:
        return self.settings.public_url.rstrip("/") + str(row.to.get("link") or f"/t/{row.game}")

    async def _mail(self, rows: list[Any]) -> None:
        if not self.settings.smtp_url:
            raise Unsent("no mail server is set")
        row = rows[0]
        lines = [f"{self.text(each)}\n{self.link(each)}" for each in rows]
        title = (
            self.text(row)
            if len(rows) == 1
            else say(Msg("server.notice.digest", n=len(rows)), row.lang)
        )
        settings_link = f"{self.settings.public_url.rstrip('/')}/settings"
        lines.append(say(Msg("server.notice.why", link=settings_link), row.lang))
        await send_mail(
            self.settings, row.to["mail"], title, "\n\n".join(lines), f"notice-{row.id}"
        )

    async def _hook(self, rows: list[Any]) -> None:
        row = rows[0]
        text, link = self.text(row), self.link(row)
        body: dict[str, Any] = {"content": f"{text}\n{link}"}
        if row.to["form"] == "json":
            body = {"id": row.id, "event": row.event, "table": row.game, "text": text, "link": link}
        await post(self.http, self.settings, row.to["url"], body, f"notice-{row.id}")

    async def _push(self, rows: list[Any]) -> None:
        row = rows[0]
        if not self.settings.vapid_key:
            raise Unsent("no key for web push is set")
        private = not await is_public(row.to["push"]["endpoint"])
        if private and not self.settings.hooks_to_private:
            raise Unsent("the address is private")
        body = json.dumps({"text": self.text(row), "link": self.link(row), "table": row.game})
        await asyncio.to_thread(self._push_now, row.to["push"], body)

    def _push_now(self, subscription: dict[str, Any], body: str) -> None:
        from pywebpush import WebPushException, webpush  # type: ignore[import-untyped]  # it ships no types

        claims = {"sub": f"mailto:{self.settings.mail_from}"}
        try:
            webpush(
                subscription,
                body,
                vapid_private_key=self.settings.vapid_key,
                vapid_claims=claims,
                timeout=10,
            )
        except WebPushException as error:
            status = getattr(error.response, "status_code", 0)
            if status in range(200, 300):
                return  # some services thank without a word (204), which pywebpush takes for no
            raise (Unknown if status in (404, 410) else Unsent)(str(error)) from error


async def send_mail(settings: Settings, to: str, title: str, text: str, key: str) -> None:
    mail = EmailMessage()
    mail["From"], mail["To"] = settings.mail_from, to
    mail["Subject"] = title.replace("\n", " ")[:200]
    mail["Message-ID"] = f"<{key}@{urlsplit(settings.public_url).hostname or 'powderkeg'}>"
    mail.set_content(text)
    url = urlsplit(settings.smtp_url)
    client = aiosmtplib.SMTP(
        hostname=url.hostname or "localhost",
        port=url.port or (465 if url.scheme == "smtps" else 587),
        use_tls=url.scheme == "smtps",
        start_tls=None
        if url.scheme == "smtp+starttls"
        else url.scheme == "smtp" and bool(url.username),
        timeout=15,
    )
    try:
        await client.connect()
        if url.username:
            await client.login(url.username, url.password or "")
    except (aiosmtplib.SMTPException, OSError) as error:
        raise Unsent(str(error)) from error
    try:
        await client.send_message(mail)
    except aiosmtplib.SMTPResponseException as error:
        raise Unsent(str(error)) from error
    finally:
        client.close()


async def post(
    http: httpx2.AsyncClient, settings: Settings, url: str, body: dict[str, Any], key: str
) -> None:
    """Post to a webhook; private addresses are refused unless the host allows them."""
    if not settings.hooks_to_private and not await is_public(url):
        raise Unsent("the address is private")
    try:
        answer = await http.post(url, json=body, headers={"Idempotency-Key": key})
    except (httpx2.ConnectError, httpx2.ConnectTimeout) as error:
        raise Unsent(repr(error)) from error
    if answer.status_code >= 300:
        raise Unsent(f"HTTP {answer.status_code}")


async def is_public(url: str) -> bool:
    host = urlsplit(url).hostname
    if not host:
        return False
    try:
        found = await asyncio.get_running_loop().getaddrinfo(host, None, type=socket.SOCK_STREAM)
    except OSError:
        return False
    return all(ipaddress.ip_address(info[4][0]).is_global for info in found)


@cache
def public_key(private: str) -> str:
    """What a browser needs to subscribe: the public half of the key for web push."""
    if not private:
        return ""
    from cryptography.hazmat.primitives import serialization
    from py_vapid import Vapid  # type: ignore[import-untyped]  # it ships no types

    key = Vapid.from_string(private).public_key
    raw = key.public_bytes(
        serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint
    )
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()
