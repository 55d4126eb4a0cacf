"""Sending what waits in the outbox: once, again when refused, never twice.

A row is marked `sending` before anything goes out. Who refuses clearly is tried again later; if
the line breaks (or we die) in the middle, nobody can know, and the notice is left `unsure`.
"""

import asyncio
import base64
import json
import time
from collections.abc import Awaitable, Callable
from datetime import datetime
from email.message import EmailMessage
from email.utils import parseaddr
from functools import cache
from typing import Any
from urllib.parse import unquote, urlsplit
from zoneinfo import ZoneInfo

import aiosmtplib
import structlog
from sqlalchemy import select, update

from powderkeg.core.words import Msg, say
from powderkeg.server.db import schema
from powderkeg.server.db.queue import ask_job
from powderkeg.server.db.store import Store, Tx
from powderkeg.server.notices.webhooks import Outside, Unsent, Unsure
from powderkeg.server.settings import Settings
from powderkeg.server.tables import message_json

logger = structlog.get_logger()
n, u, h = schema.notices.c, schema.users.c, schema.hooks.c
TRIES = 8
CLAIM = 60.0  # seconds: longer than anything that is sent may take
LINES = 4  # notices on their way at once: one whose server is slow does not hold up the others
KEPT = 86400  # seconds that a push service keeps a notice for a browser that is away


class Unknown(Unsent):
    """Nobody is there any more: it is not tried again."""


class Sender:
    """Takes notices from the outbox."""

    def __init__(self, store: Store, settings: Settings, clock: Callable[[], float]) -> None:
        self.store, self.settings, self.clock = store, settings, clock
        self.outside = Outside(private=settings.hooks_to_private)

    async def close(self) -> None:
        await self.outside.close()

    async def send_all(self, job: Any) -> None:
        """The job: send whatever waits; those that failed are asked for again."""
        await self._give_up_unsure()
        await asyncio.gather(*(self._send_some() for _ in range(LINES)))
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

    async def _send_some(self) -> None:
        while rows := await self._claim():
            await self._send(rows)

    async def _claim(self) -> list[Any]:
        """One notice, fresh ones first; or all of a person's that wait for the same digest."""
        now = self.clock()
        due = n.status.in_(["waiting", "digest"]) & (n.send_at <= now) & (n.locked_until <= now)
        async with self.store.write() as tx:
            first = select(schema.notices).where(due).order_by(n.tries, n.send_at).limit(1)
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
        status, error = await self._try(rows)
        if error:
            logger.warning(
                "notice not sent", way=row.way, event_=row.event, game=row.game, error=error
            )
        async with self.store.write() as tx:
            ids = [each.id for each in rows]
            fields = {"status": status, "error": error[:300], "locked_until": 0.0}
            if status == "waiting":
                fields["send_at"] = self.clock() + pause(row.tries)
            await tx.run(update(schema.notices).where(n.id.in_(ids)).values(**fields))
            await self._remember(tx, row, error)

    async def _try(self, rows: list[Any]) -> tuple[str, str]:
        """How it went, and what was wrong, in the reader's language."""
        row = rows[0]
        ways: dict[str, Callable[[list[Any]], Awaitable[None]]] = {
            "mail": self._mail,
            "hook": self._hook,
            "push": self._push,
        }
        try:
            await ways[row.way](rows)
        except Unknown as problem:
            await self._forget_push(row)
            return "failed", say(problem.msg, row.lang)
        except Unsent as problem:
            return "failed" if row.tries >= TRIES else "waiting", say(problem.msg, row.lang)
        except Unsure as problem:
            return "unsure", say(problem.msg, row.lang)
        except Exception as problem:  # noqa: BLE001  # one notice must not hold up the others
            return "unsure", repr(problem)
        return "sent", ""

    async def _forget_push(self, row: Any) -> None:
        """A browser that was unsubscribed is not told anything any more."""
        gone = row.to["push"]["endpoint"]
        async with self.store.write() as tx:
            one = await tx.one(select(u.pushes).where(u.id == row.user).with_for_update())
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
            one = await tx.one(select(u.hook).where(u.id == user).with_for_update())
            if one is not None and one.hook and one.hook["url"] == row.to["url"]:
                mine = update(schema.users).where(u.id == user)
                await tx.run(mine.values(hook={**one.hook, "error": error[:300]}))

    # What is said

    def text(self, row: Any) -> str:
        """The sentence in the reader's language; deadlines are told by the reader's clock."""
        said = message_json.load(row.said)
        if "when" in said.args:
            when = hour(float(said.args["when"]), row.to.get("zone", "UTC"))
            said = Msg(said.code, **{**said.args, "when": when})
        return say(said, row.lang)

    def link(self, row: Any) -> str:
        return self.settings.public_url.rstrip("/") + str(row.to.get("link") or f"/t/{row.game}")

    # The ways

    async def _mail(self, rows: list[Any]) -> None:
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
        await self.post_hook(row.to["url"], body, f"notice-{row.id}")

    async def post_hook(self, url: str, body: dict[str, Any], key: str) -> None:
        headers = {"Content-Type": "application/json", "Idempotency-Key": key}
        await self.outside.post(url, json.dumps(body).encode(), headers)

    def pushed(self, row: Any) -> dict[str, Any]:
        """A notice as the browser's worker reads it: `Notice` in web/src/sw.ts."""
        return {"text": self.text(row), "link": self.link(row), "table": row.game}

    async def _push(self, rows: list[Any]) -> None:
        row = rows[0]
        if not self.settings.vapid_key:
            raise Unsent("no_push")
        content, headers = sealed(self.settings, row.to["push"], json.dumps(self.pushed(row)))
        there = row.to["push"]["endpoint"]
        try:
            await self.outside.post(there, content, headers)
        except Unsent as error:
            if error.answer in (404, 410):
                host = urlsplit(there).hostname or ""
                raise Unknown("outside_refused", host=host, status=error.answer) from error
            raise


def pause(tries: int) -> float:
    """Seconds until the next try: a minute at first, six hours at last, most of a day in all."""
    return min(15 * 4.0**tries, 6 * 3600)


def hour(at: float, zone: str) -> str:
    """A moment as clocks in `zone` show it."""
    return f"{datetime.fromtimestamp(at, ZoneInfo(zone)):%Y-%m-%d %H:%M} ({zone})"


async def send_mail(settings: Settings, to: str, title: str, text: str, key: str) -> None:
    if not settings.smtp_url:
        raise Unsent("no_mail")
    mail = EmailMessage()
    mail["From"], mail["To"] = settings.mail_from, to
    mail["Subject"] = title.replace("\n", " ")[:200]
    mail["Message-ID"] = f"<{key}@{urlsplit(settings.public_url).hostname or 'powderkeg'}>"
    mail.set_content(text)
    url = urlsplit(settings.smtp_url)
    user, password = unquote(url.username or ""), unquote(url.password or "")
    client = aiosmtplib.SMTP(
        hostname=url.hostname or "localhost",
        port=url.port or (465 if url.scheme == "smtps" else 587),
        use_tls=url.scheme == "smtps",
        start_tls=url.scheme == "smtp+starttls" or (url.scheme == "smtp" and bool(user)),
        timeout=15,
    )
    try:
        await _hand_over(client, user, password, mail)
    finally:
        client.close()


async def _hand_over(client: aiosmtplib.SMTP, user: str, password: str, mail: EmailMessage) -> None:
    try:
        await client.connect()
        if user:
            await client.login(user, password)
    except (aiosmtplib.SMTPException, OSError) as error:
        raise Unsent("mail_refused", why=str(error)) from error
    try:
        await client.send_message(mail)
    except (aiosmtplib.SMTPResponseException, aiosmtplib.SMTPRecipientsRefused) as error:
        raise Unsent("mail_refused", why=str(error)) from error
    except (aiosmtplib.SMTPException, OSError) as error:
        raise Unsure("mail_refused", why=repr(error)) from error


# Web push


def sealed(
    settings: Settings, subscription: dict[str, Any], body: str
) -> tuple[bytes, dict[str, str]]:
    """A notice that only the browser can read, and the headers by which its service knows us."""
    from py_vapid import Vapid  # type: ignore[import-untyped]  # it ships no types
    from pywebpush import WebPusher, WebPushException  # type: ignore[import-untyped]  # nor this

    there = urlsplit(subscription["endpoint"])
    claims = {
        "sub": f"mailto:{parseaddr(settings.mail_from)[1]}",
        "aud": f"{there.scheme}://{there.netloc}",
        "exp": int(time.time()) + KEPT // 2,
    }
    try:
        content: bytes = WebPusher(subscription).encode(body.encode())["body"]
    except (WebPushException, ValueError) as error:
        raise Unknown("no_push") from error  # no browser has given us such keys
    signed: dict[str, str] = Vapid.from_string(settings.vapid_key).sign(claims)
    return content, {**signed, "Content-Encoding": "aes128gcm", "TTL": str(KEPT)}


@cache
def public_key(private: str) -> str:
    """What a browser needs to subscribe: the public half of the key for web push."""
    if not private:
        return ""
    from cryptography.hazmat.primitives import serialization
    from py_vapid import Vapid

    key = Vapid.from_string(private).public_key
    raw = key.public_bytes(
        serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint
    )
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()
