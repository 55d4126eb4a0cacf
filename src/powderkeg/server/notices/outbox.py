"""Notices: rows of an outbox, written in the transaction of what they tell. `deliver` sends them."""

from typing import Any, get_args

from sqlalchemy import delete, select
from sqlalchemy.dialects import postgresql, sqlite

from powderkeg.core.words import Msg
from powderkeg.server.db import schema
from powderkeg.server.db.queue import ask_job
from powderkeg.server.db.store import Tx
from powderkeg.server.schemas.accounts import Event, When
from powderkeg.server.tables import message_json, present
from powderkeg.server.tables.cache import Change, Rec, Room
from powderkeg.server.tables.clock import at_hour

n, u = schema.notices.c, schema.users.c
NOW: When = "now"
USUALLY: dict[Event, When] = {**dict.fromkeys(get_args(Event), NOW), "message": "off"}
DIGEST_HOUR = 8  # in the reader's time zone


async def your_turn(change: Change, seats: list[Rec]) -> None:
    room = change.room
    away = [s for s in seats if (s.seen or 0) < change.now - present.PRESENT]
    for seat in away:
        what = _table_msg(room, "your_turn", phase=_phase(room))
        await tell(change.tx, change.now, room, seat.user, "your_turn", f"{room.row.head}", what)
    if seats and room.hooks:
        names = [present.seat_msg(room.game, s.seat) for s in seats]
        what = _table_msg(room, "turn_at", who=names, phase=_phase(room))
        for hook in room.hooks:
            key = f"hook:{room.id}:{room.row.head}:{hook.id}"
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


async def forget_turns(tx: Tx, table: str) -> None:
    """The game was taken back: whose turn it is will be told anew, for the same places in the log."""
    turns = n.event.in_(["your_turn", "turn_at"]) & (n.status != "sending")
    await tx.run(delete(schema.notices).where(n.game == table, turns))


async def near(change: Change, seat: Rec) -> None:
    what = _table_msg(change.room, "near", when=str(seat.due))
    await tell(change.tx, change.now, change.room, seat.user, "near", f"{seat.due}", what)


async def ended(change: Change) -> None:
    room = change.room
    why = message_json.load(room.row.result["why"])
    what = _table_msg(room, "ended", why=why)
    for user in {s.user for s in room.seats.values() if s.user}:
        await tell(change.tx, change.now, room, user, "ended", "", what)


async def proposal(change: Change, made: Rec) -> None:
    room = change.room
    args = {
        k: present.seat_msg(room.game, v) if v in room.seats else str(v)
        for k, v in made.args.items()
        if isinstance(v, str)
    }
    names = {"seat": present.seat_msg(room.game, made.seat), "winner": "", "who": "", "text": ""}
    text = Msg(f"server.propose.{made.kind}", **{**names, **args})
    for name in made.voters:
        user = room.seats[name].user
        if name != made.seat and user:
            what = _table_msg(room, "proposal", text=text)
            await tell(change.tx, change.now, room, user, "proposal", f"{made.id}", what)
            change.tx.tell(f"user:{user}")


async def message(tx: Tx, now: float, room: Room, readers: list[Rec], seat: str | None) -> None:
    for reader in readers:
        if (reader.seen or 0) < now - present.PRESENT:
            who = present.seat_msg(room.game, seat or "")
            what = _table_msg(room, "message", seat=who)
            await tell(tx, now, room, reader.user, "message", f"{int(now // 3600)}", what)


async def nudge(change: Change, seat: Rec) -> None:
    what = _table_msg(change.room, "nudge")
    await tell(change.tx, change.now, change.room, seat.user, "nudge", f"{change.now}", what)


def _table_msg(room: Room, event: str, **args: Any) -> Msg:
    title = room.row.title or Msg("server.untitled", id=room.id)
    return Msg(f"server.notice.{event}", game=present.game_msg(room.game), title=title, **args)


def _phase(room: Room) -> Any:
    return present.phase_msg(room.game, room.row.phase) or room.live.seq


async def tell(
    tx: Tx, now: float, room: Room, user: str | None, event: Event, occasion: str, what: Msg
) -> None:
    """Put a notice for one person into the outbox, by every way they have chosen."""
    row = await tx.one(select(schema.users).where(u.id == user)) if user else None
    if row is not None:
        await for_user(tx, now, room.id, row, event, occasion, what, f"/t/{room.id}")


def wishes(user: Any) -> dict[Event, When]:
    """When somebody is told of what: as they said, else as usual."""
    return {**USUALLY, **user.notices}


async def for_user(
    tx: Tx, now: float, table: str, user: Any, event: Event, occasion: str, what: Msg, link: str
) -> None:
    when = wishes(user)[event]
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
            {**to, "link": link, "zone": user.zone},
            what,
            status=status,
            created=now,
        )


def _digest_time(now: float, zone: str) -> float:
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
        said=message_json.dump(what),
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
