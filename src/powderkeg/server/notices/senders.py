"""Sends the notices in the outbox: retries after a refusal, and never sends one twice.

A row is marked `sending` before anything goes out. A clear refusal is tried again later; if the
connection breaks (or this process dies) in the middle, we cannot know whether it arrived, and the notice
is left `unsure`.
"""

import asyncio
import base64
import json
import time
from collections.abc import Awaitable, Callable
from email.message import EmailMessage
from email.utils import parseaddr
from functools import cache
from typing import Any, assert_never
from urllib.parse import unquote, urlsplit

import aiosmtplib
import structlog
from sqlalchemy import select, update

from powderkeg.core.words import Msg, say
from powderkeg.server import message_json
from powderkeg.server.db import schema
from powderkeg.server.db.queue import enqueue_job
from powderkeg.server.db.rows import HookForm, JobRow, NoticeRow, NoticeStatus, NoticeWay
from powderkeg.server.db.store import Store, Tx
from powderkeg.server.local_time import format_local_time
from powderkeg.server.notices.webhooks import OutboundClient, Unsent, Unsure
from powderkeg.server.settings import Settings

logger = structlog.get_logger()
n, u, h = schema.notices.c, schema.users.c, schema.hooks.c
MOST_TRIES = 8
SENDING_SECONDS = 60.0  # seconds after which a claim expires: longer than any delivery takes
SENT_AT_ONCE = 4  # parallel deliveries, so that a slow server does not delay the others
PUSH_SECONDS = 86400  # seconds that a push service keeps a notice for a browser that is offline


class Undeliverable(Unsent):
    """The recipient is gone: it is not tried again."""


class NoticeSender:
    """Takes notices from the outbox and sends them."""

    def __init__(self, store: Store, settings: Settings, clock: Callable[[], float]) -> None:
        self.store, self.settings, self.clock = store, settings, clock
        self.outside = OutboundClient(private=settings.hooks_to_private)

    async def close(self) -> None:
        await self.outside.close()

    async def send_waiting(self, job: JobRow | None = None) -> None:
        """The job: send all notices that are due, and enqueue the job again for later ones."""
        await self._give_up_unsure()
        await asyncio.gather(*(self._send_some() for _ in range(SENT_AT_ONCE)))
        async with self.store.write() as tx:
            later = await tx.one(
                select(n.send_at)
                .where(n.status.in_(["waiting", "digest"]))
                .order_by(n.send_at)
                .limit(1)
            )
            if later is not None:
                at = max(later.send_at, self.clock() + 1)
                await enqueue_job(tx, "notices", None, at, "notices:later")

    async def _give_up_unsure(self) -> None:
        """Mark notices as unsure whose sending process died: they may or may not have arrived."""
        async with self.store.write() as tx:
            dead = (n.status == "sending") & (n.locked_until <= self.clock())
            await tx.run(update(schema.notices).where(dead).values(status="unsure"))

    async def _send_some(self) -> None:
        while rows := await self._claim_notices():
            await self._send_notices(rows)

    async def _claim_notices(self) -> list[NoticeRow]:
        """One notice, new ones first; or all notices that wait for the same person's digest."""
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
            taken = claim.values(
                locked_until=now + SENDING_SECONDS, tries=n.tries + 1, status="sending"
            )
            rows = await tx.all(taken.returning(schema.notices))
            return [NoticeRow.load(each) for each in rows]

    async def _send_notices(self, rows: list[NoticeRow]) -> None:
        row = rows[0]
        status, error = await self._try_sending(rows)
        if error:
            logger.warning(
                "a notice was not sent", way=row.way, event_=row.event, game=row.game, error=error
            )
        async with self.store.write() as tx:
            ids = [each.id for each in rows]
            fields: dict[str, Any] = {"status": status, "error": error[:300], "locked_until": 0.0}
            if status == "waiting":
                fields["send_at"] = self.clock() + retry_pause(row.tries)
            await tx.run(update(schema.notices).where(n.id.in_(ids)).values(**fields))
            await self._store_hook_error(tx, row, error)

    async def _try_sending(self, rows: list[NoticeRow]) -> tuple[NoticeStatus, str]:
        """The new status, and the error in the reader's language."""
        row = rows[0]
        ways: dict[NoticeWay, Callable[[list[NoticeRow]], Awaitable[None]]] = {
            "mail": self._send_mail,
            "hook": self._send_hook,
            "push": self._send_push,
        }
        try:
            await ways[row.way](rows)
        except Undeliverable as problem:
            if row.way == "push":
                await self._forget_push(row)
            return "failed", say(problem.msg, row.lang)
        except Unsent as problem:
            return "failed" if row.tries >= MOST_TRIES else "waiting", say(problem.msg, row.lang)
        except Unsure as problem:
            return "unsure", say(problem.msg, row.lang)
        except Exception as problem:  # noqa: BLE001  # one notice must not hold up the others
            return "unsure", repr(problem)
        return "sent", ""

    async def _forget_push(self, row: NoticeRow) -> None:
        """Forget a browser that has unsubscribed."""
        gone = row.to["push"]["endpoint"]
        async with self.store.write() as tx:
            one = await tx.one(select(u.pushes).where(u.id == row.user).with_for_update())
            if one is not None:
                kept = [push for push in one.pushes if push["endpoint"] != gone]
                await tx.run(update(schema.users).where(u.id == row.user).values(pushes=kept))

    async def _store_hook_error(self, tx: Tx, row: NoticeRow, error: str) -> None:
        """Keep the last error of a webhook for its owner to see."""
        if row.way != "hook":
            return
        if hook := row.to.get("hook"):
            await tx.run(update(schema.hooks).where(h.id == hook).values(error=error[:300]))
        elif user := row.to.get("user"):
            one = await tx.one(select(u.hook).where(u.id == user).with_for_update())
            if one is not None and one.hook and one.hook["url"] == row.to["url"]:
                mine = update(schema.users).where(u.id == user)
                await tx.run(mine.values(hook={**one.hook, "error": error[:300]}))

    # Texts

    def notice_text(self, row: NoticeRow) -> str:
        """The sentence in the reader's language; deadlines in the reader's time zone."""
        said = message_json.load_message(row.said)
        if "when" in said.args:
            when = format_local_time(float(said.args["when"]), row.to.get("zone", "UTC"))
            said = Msg(said.code, **{**said.args, "when": when})
        return say(said, row.lang)

    def notice_link(self, row: NoticeRow) -> str:
        return self.settings.public_url + str(row.to.get("link") or f"/t/{row.game}")

    # Ways

    async def _send_mail(self, rows: list[NoticeRow]) -> None:
        row = rows[0]
        lines = [f"{self.notice_text(each)}\n{self.notice_link(each)}" for each in rows]
        title = (
            self.notice_text(row)
            if len(rows) == 1
            else say(Msg("server.notice.digest", n=len(rows)), row.lang)
        )
        settings_link = f"{self.settings.public_url}/settings"
        lines.append(say(Msg("server.notice.why", link=settings_link), row.lang))
        await send_mail(
            self.settings, row.to["mail"], title, "\n\n".join(lines), f"notice-{row.id}"
        )

    async def _send_hook(self, rows: list[NoticeRow]) -> None:
        row = rows[0]
        facts = {"id": row.id, "event": row.event, "table": row.game, "link": self.notice_link(row)}
        body = hook_body(row.to["form"], self.notice_text(row), facts)
        await self.post_hook(row.to["url"], body, f"notice-{row.id}")

    async def post_hook(self, url: str, body: dict[str, Any], key: str) -> None:
        headers = {"Content-Type": "application/json", "Idempotency-Key": key}
        await self.outside.post(url, json.dumps(body).encode(), headers)

    def push_body(self, row: NoticeRow) -> dict[str, Any]:
        """A notice as the browser's worker reads it: `Notice` in web/src/sw.ts."""
        return {"text": self.notice_text(row), "link": self.notice_link(row), "table": row.game}

    async def _send_push(self, rows: list[NoticeRow]) -> None:
        row = rows[0]
        if not self.settings.vapid_key:
            raise Unsent("no_push")
        content, headers = seal_push(self.settings, row.to["push"], json.dumps(self.push_body(row)))
        there = row.to["push"]["endpoint"]
        try:
            await self.outside.post(there, content, headers)
        except Unsent as error:
            if error.answer in (404, 410):
                host = urlsplit(there).hostname or ""
                raise Undeliverable("outside_refused", host=host, status=error.answer) from error
            raise


def hook_body(form: HookForm, text: str, facts: dict[str, Any]) -> dict[str, Any]:
    """The JSON that a webhook of this form expects."""
    match form:
        case "json":
            return {**facts, "text": text}
        case "discord":
            return {"content": "\n".join([text, *filter(None, [facts.get("link")])])}
    assert_never(form)


def retry_pause(tries: int) -> float:
    """Seconds until the next try: from one minute up to six hours; most of a day in total."""
    return min(15 * 4.0**tries, 6 * 3600)


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
        await _submit_mail(client, user, password, mail)
    finally:
        client.close()


async def _submit_mail(
    client: aiosmtplib.SMTP, user: str, password: str, mail: EmailMessage
) -> None:
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


def seal_push(
    settings: Settings, subscription: dict[str, Any], body: str
) -> tuple[bytes, dict[str, str]]:
    """A notice encrypted for the browser, and the headers that identify us to its push service."""
    from py_vapid import Vapid  # type: ignore[import-untyped]  # it ships no types
    from pywebpush import WebPusher, WebPushException  # type: ignore[import-untyped]  # nor this

    there = urlsplit(subscription["endpoint"])
    claims = {
        "sub": f"mailto:{parseaddr(settings.mail_from)[1]}",
        "aud": f"{there.scheme}://{there.netloc}",
        "exp": int(time.time()) + PUSH_SECONDS // 2,
    }
    try:
        content: bytes = WebPusher(subscription).encode(body.encode())["body"]
    except (WebPushException, ValueError) as error:
        raise Undeliverable("no_push") from error  # no browser has given us such keys
    signed: dict[str, str] = Vapid.from_string(settings.vapid_key).sign(claims)
    return content, {**signed, "Content-Encoding": "aes128gcm", "TTL": str(PUSH_SECONDS)}


@cache
def push_public_key(private: str) -> str:
    """The public half of the key for web push, which a browser needs to subscribe."""
    if not private:
        return ""
    from cryptography.hazmat.primitives import serialization
    from py_vapid import Vapid

    key = Vapid.from_string(private).public_key
    raw = key.public_bytes(
        serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint
    )
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()
