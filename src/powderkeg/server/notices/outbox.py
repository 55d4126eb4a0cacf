"""The outbox: a notice is a row, written in the transaction of the event that it is about.

`notices.senders` sends them.
"""

from dataclasses import dataclass
from typing import Any, get_args

from powderkeg.core.words import Msg
from powderkeg.server import message_json
from powderkeg.server.db import schema
from powderkeg.server.db.queue import enqueue_job
from powderkeg.server.db.rows import NoticeEvent, NoticeWay, NoticeWish, UserRow
from powderkeg.server.db.store import Tx
from powderkeg.server.local_time import next_local_hour

NOW: NoticeWish = "now"
USUAL_WISHES: dict[NoticeEvent, NoticeWish] = {
    **dict.fromkeys(get_args(NoticeEvent), NOW),
    "message": "off",
}
DIGEST_HOUR = 8  # in the reader's time zone


@dataclass(frozen=True, slots=True)
class Notice:
    """One notice for one way of delivery. Notices with the same `key` are sent only once."""

    key: str
    way: NoticeWay
    event: str
    table: str | None
    user: str | None
    lang: str
    to: dict[str, Any]
    text: Msg


def notice_wishes(user: UserRow) -> dict[NoticeEvent, NoticeWish]:
    """When a user wants notices of each event: their own settings, else the defaults."""
    return {**USUAL_WISHES, **user.notices}


async def put_user_notices(
    tx: Tx,
    now: float,
    user: UserRow,
    event: NoticeEvent,
    text: Msg,
    *,
    table: str,
    occasion: str,
) -> None:
    """Put a notice into the outbox for every way that this person has chosen."""
    wish = notice_wishes(user)[event]
    if wish == "off":
        return
    for place, (way, to) in enumerate(_notice_ways(user)):
        key = f"{event}:{table}:{user.id}:{occasion}:{way}:{place}"[:200]
        to |= {"link": f"/t/{table}", "zone": user.zone}
        notice = Notice(key, way, event, table, user.id, user.lang, to, text)
        await put_notice(tx, now, notice, digest=wish == "digest" and way == "mail")


def _notice_ways(user: UserRow) -> list[tuple[NoticeWay, dict[str, Any]]]:
    ways: list[tuple[NoticeWay, dict[str, Any]]] = []
    if user.email and user.email_proven:
        ways.append(("mail", {"mail": user.email}))
    if user.hook:
        ways.append(("hook", {"url": user.hook["url"], "form": user.hook["form"], "user": user.id}))
    return [*ways, *(("push", {"push": subscription}) for subscription in user.pushes)]


async def put_notice(tx: Tx, now: float, notice: Notice, *, digest: bool = False) -> None:
    """Put one notice into the outbox, unless its key is there already."""
    zone = notice.to.get("zone", "UTC")
    at = next_local_hour(f"{DIGEST_HOUR:02}:00", zone, now + 60) if digest else now
    row = {
        "key": notice.key,
        "user": notice.user,
        "game": notice.table,
        "way": notice.way,
        "event": notice.event,
        "to": notice.to,
        "lang": notice.lang,
        "said": message_json.dump_message(notice.text),
        "status": "digest" if digest else "waiting",
        "send_at": at,
        "created": now,
        "tries": 0,
        "locked_until": 0.0,
        "error": "",
    }
    if await tx.run(tx.upsert(schema.notices, row, ["key"], {})):
        key = f"notices:digest:{int(at)}" if digest else "notices"
        await enqueue_job(tx, "notices", None, at, key)
