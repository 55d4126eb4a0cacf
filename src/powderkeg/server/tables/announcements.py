"""Announcements of a table in its press, and notices to its people who are away."""

from typing import Any

from sqlalchemy import bindparam, delete

from powderkeg.core.words import Arg, Msg
from powderkeg.server import message_json
from powderkeg.server.accounts.identity import USER_LOOKUP
from powderkeg.server.db import schema
from powderkeg.server.db.prepared import PreparedStatement
from powderkeg.server.db.rows import NoticeEvent, ProposalRow, SeatRow, UserRow
from powderkeg.server.db.store import Tx
from powderkeg.server.notices.outbox import Notice, put_notice, put_user_notices
from powderkeg.server.refusals import conflict, forbidden
from powderkeg.server.tables import labels
from powderkeg.server.tables.loaded import LoadedTable, TableChange

TO_ALL, TO_WATCHERS = "all", "watchers"  # channels of the press that are no list of seats
NUDGE_EVERY = 6 * 3600.0  # seconds between two nudges at a table
n = schema.notices.c
_PRESS_COLUMNS = [column.name for column in schema.press.c if column.name != "id"]
INSERT_PRESS = PreparedStatement(
    schema.press.insert().values({name: bindparam(name) for name in _PRESS_COLUMNS})
)


async def announce(change: TableChange, code: str, **args: Any) -> None:
    """Post a message of the table itself to everybody; it is never deleted."""
    row = dict.fromkeys(_PRESS_COLUMNS) | {
        "game": change.loaded.id,
        "channel": TO_ALL,
        "name": "",
        "text": "",
        "said": {"code": code, "args": args},
        "at": change.now,
        "phase": change.loaded.row.phase,
    }
    await change.tx.run_prepared(INSERT_PRESS, [row])
    change.tx.publish(f"press:{change.loaded.id}")


async def notify_turn(change: TableChange, seats: list[SeatRow]) -> None:
    """Notify people who are away, and the table's webhooks, that it is their turn."""
    loaded = change.loaded
    for seat in seats:
        if not seat.is_present(change.now):
            text = _notice_text(loaded, "your_turn", phase=_phase_or_seq(loaded))
            await _notify_user(change, seat.user, "your_turn", f"{loaded.row.head}", text)
    if seats and loaded.hooks:
        names = [labels.seat_words(loaded.game, seat.seat) for seat in seats]
        text = _notice_text(loaded, "turn_at", who=names, phase=_phase_or_seq(loaded))
        for hook in loaded.hooks:
            key = f"hook:{loaded.id}:{loaded.row.head}:{hook.id}"
            to = {"url": hook.url, "form": hook.form, "hook": hook.id}
            notice = Notice(key, "hook", "turn_at", loaded.id, None, hook.lang, to, text)
            await put_notice(change.tx, change.now, notice)


async def forget_turn_notices(tx: Tx, table: str) -> None:
    """After the game was rewound, forget its notices so that repeated turns send them again."""
    turns = n.event.in_(["your_turn", "turn_at"]) & (n.status != "sending")
    await tx.run(delete(schema.notices).where(n.game == table, turns))


async def notify_deadline(change: TableChange, seat: SeatRow) -> None:
    text = _notice_text(change.loaded, "near", when=str(seat.due))
    await _notify_user(change, seat.user, "near", f"{seat.due}", text)


async def notify_end(change: TableChange) -> None:
    loaded = change.loaded
    assert loaded.row.result is not None  # noqa: S101  # the game has just ended
    why = message_json.load_message(loaded.row.result["why"])
    text = _notice_text(loaded, "ended", why=why)
    for user in {seat.user for seat in loaded.seats.values() if seat.user}:
        await _notify_user(change, user, "ended", "", text)


async def notify_proposal(change: TableChange, proposal: ProposalRow) -> None:
    loaded = change.loaded
    args: dict[str, Arg] = {
        key: labels.seat_words(loaded.game, value) if value in loaded.seats else value
        for key, value in proposal.args.items()
        if isinstance(value, str)
    }
    proposer = labels.seat_words(loaded.game, proposal.seat)
    names: dict[str, Arg] = {"seat": proposer, "winner": "", "who": "", "text": ""}
    proposed = Msg(f"server.propose.{proposal.kind}", **{**names, **args})
    text = _notice_text(loaded, "proposal", text=proposed)
    for name in proposal.voters:
        user = loaded.seats[name].user
        if name != proposal.seat and user:
            await _notify_user(change, user, "proposal", f"{proposal.id}", text)
            change.tx.publish(f"user:{user}")


async def notify_message(
    tx: Tx, now: float, loaded: LoadedTable, readers: list[SeatRow], seat: str | None
) -> None:
    """Notify readers who are away of a letter, at most once per hour each."""
    sender = labels.seat_words(loaded.game, seat or "")
    text = _notice_text(loaded, "message", seat=sender)
    for reader in readers:
        if not reader.is_present(now):
            occasion = f"{int(now // 3600)}"
            await _put_notices(tx, now, loaded, reader.user, "message", occasion, text)


async def nudge_waiting(change: TableChange, held: list[str]) -> None:
    """Remind the people for whom the holders of these seats wait, politely and not often."""
    loaded = change.loaded
    if not held:
        raise forbidden("not_your_seat")
    if loaded.row.status != "live":
        raise conflict(f"table_{loaded.row.status}")
    waiting = [x for x in loaded.seats.values() if x.seat in loaded.row.to_act and x.user]
    others = [x for x in waiting if x.seat not in held]
    if not others:
        raise conflict("nobody_to_nudge")
    if loaded.row.nudged is not None and change.now - loaded.row.nudged < NUDGE_EVERY:
        raise conflict("nudged_already")
    change.set(nudged=change.now)
    for seat in others:
        await _notify_user(
            change, seat.user, "nudge", f"{change.now}", _notice_text(loaded, "nudge")
        )


def _notice_text(loaded: LoadedTable, event: str, **args: Arg) -> Msg:
    title = loaded.row.title or Msg("server.untitled", id=loaded.id)
    game = labels.game_words(loaded.game)
    return Msg(f"server.notice.{event}", game=game, title=title, **args)


def _phase_or_seq(loaded: LoadedTable) -> Arg:
    return labels.phase_words(loaded.game, loaded.row.phase) or loaded.current.seq


async def _notify_user(
    change: TableChange, user: str | None, event: NoticeEvent, occasion: str, text: Msg
) -> None:
    await _put_notices(change.tx, change.now, change.loaded, user, event, occasion, text)


async def _put_notices(
    tx: Tx,
    now: float,
    loaded: LoadedTable,
    user: str | None,
    event: NoticeEvent,
    occasion: str,
    text: Msg,
) -> None:
    row = await tx.look_up(USER_LOOKUP, user) if user else None
    if row is not None:
        found = UserRow(**row)
        await put_user_notices(tx, now, found, event, text, table=loaded.id, occasion=occasion)
