"""What follows from a change of a table: whose turn it is, until when, who is told, what is due.

`settle` runs in the transaction of every change, so that a turn and its deadline, its job and its
notice are stored together or not at all.
"""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import delete, update

from powderkeg.bots.game_bots import bots_of
from powderkeg.server.bots import envoys
from powderkeg.server.bots.processes import thinks_long
from powderkeg.server.db import schema
from powderkeg.server.db.queue import ask_job
from powderkeg.server.db.store import Tx
from powderkeg.server.notices import outbox
from powderkeg.server.press.letters import lapse, say_at_table, tally_all
from powderkeg.server.tables import clock as clocks
from powderkeg.server.tables import ratings
from powderkeg.server.tables.cache import Change, Rec, Room
from powderkeg.server.tables.present import PRESENT, result_dump

ANSWER_SECONDS = 20.0  # that a bot leaves people for an answer to an offer
ENDED = ("over", "closed")
USUAL = "normal"  # the level of a bot where nobody chose one


async def settle(change: Change) -> None:
    await _go_on(change)
    if change.room.row.status in ENDED:
        await lapse(change)


async def _go_on(change: Change) -> None:
    room = change.room
    if room.fold is None or room.row.status in ENDED:
        return
    if change.lines:
        await _clear_drafts(change)
        if (result := room.live.table.result) is not None:
            await end(change, result_dump(result))
            return
    if room.row.status != "live":
        return
    asked = _ask_seats(change)
    _count_absence(change, asked)
    await _set_deadline(change)
    if envoys.are_to_speak(room):
        await ask_job(change.tx, "talk", room.id, change.now)
    for kind in ("bots", "slow"):
        if owed := owed_by_bots(room, kind):
            await ask_bots(change.tx, room, kind, owed[0], change.now)
    await _tell(change, asked)


def owed_by_bots(room: Room, kind: str = "") -> list[str]:
    """Seats for which a bot decides: first those with an offer to answer, then those to act; those
    of one `kind` of job, or all. None before those who talk have said what they had to say."""
    if envoys.are_to_speak(room):
        return []
    asked = [seat for seat, _ in _offers(room) if level_of(room, seat) != "random"]
    return [
        name
        for name in dict.fromkeys((*asked, *room.row.to_act))
        if (seat := room.seats.get(name)) is not None
        and (seat.kind == "bot" or seat.autopilot)
        and kind in ("", "slow" if thinks_long(room.game, level_of(room, name)) else "bots")
    ]


async def ask_bots(tx: Tx, room: Room, kind: str, bot: str, now: float) -> None:
    """Have `bot` go on: at once, or when others have had the time to answer."""
    waits = others_may_answer(room, bot, now)
    await ask_job(tx, kind, room.id, room.row.moved + ANSWER_SECONDS if waits else now)


def others_may_answer(room: Room, bot: str, now: float) -> bool:
    """Whether `bot`, before it goes on, leaves others the time to answer an offer: people who are
    there, and bots that think longer than it does. Offers made by pure luck are nothing to wait
    for, and luck answers none."""
    if now >= room.row.moved + ANSWER_SECONDS or level_of(room, bot) == "random":
        return False
    asked = [room.seats[seat] for seat, _ in _offers(room)]
    if bot not in room.row.to_act or bot in {seat.seat for seat in asked}:
        return False
    return any(_may_answer(room, seat, now) for seat in asked)


def _may_answer(room: Room, seat: Rec, now: float) -> bool:
    if is_active(seat):
        return bool((seat.seen or 0) > now - PRESENT)
    return level_of(room, seat.seat) != "random"


def _offers(room: Room) -> Sequence[tuple[str, str]]:
    return bots_of(room.game).pending_offers(room.live.table.state)


def level_of(room: Room, seat: str) -> str:
    """How well a bot plays in this seat."""
    return str(room.seats[seat].level or room.settings["missed"]["level"] or USUAL)


def is_active(seat: Rec) -> bool:
    """Whether a person is there to decide."""
    return bool(seat.kind == "person" and seat.user and not seat.autopilot and not seat.vacant)


# Turns and deadlines


def _ask_seats(change: Change) -> list[str]:
    """Start and stop the clocks of seats; which were newly asked."""
    room = change.room
    moved = {line.entry.seat for line in change.lines}
    asked = []
    for name, seat in room.seats.items():
        owes = name in room.row.to_act
        if owes and seat.asked is None:
            asked.append(name)
            _start_clock(change, seat, again=False)
        elif owes and (seat.due_base != room.row.base or name in moved):
            _stop_clock(change, seat, gain=False)
            _start_clock(change, seat, again=True)
        elif not owes and seat.asked is not None:
            _stop_clock(change, seat, gain=True)
            change.set_seat(name, asked=None)
        if name in moved and any(x.by == "person" for x in change.lines if x.entry.seat == name):
            _is_back(change, seat)
    return asked


def _start_clock(change: Change, seat: Rec, *, again: bool) -> None:
    """Give a turn its time. While all choose at once nobody gains time by choosing again."""
    row = change.room.row
    clock = row.settings["clock"]
    same = row.together and seat.due_base == row.base and seat.due is not None
    fresh = clocks.due(clock, row.stage, change.now, seat.bank)
    due = fresh if not same or clock["kind"] == "bank" else seat.due
    fields = {"asked": change.now, "due": due, "due_base": row.base}
    if same and again:
        fields.pop("asked")
    change.set_seat(seat.seat, **fields)


def _stop_clock(change: Change, seat: Rec, *, gain: bool) -> None:
    clock = change.room.row.settings["clock"]
    if clock["kind"] == "bank" and seat.due is not None:
        left = max(0.0, seat.due - change.now) + (clock["gain"] if gain else 0)
        change.set_seat(seat.seat, bank=left)


def _is_back(change: Change, seat: Rec) -> None:
    if seat.misses or seat.autopilot:
        change.set_seat(seat.seat, misses=0, autopilot=False, vacant=False)


def _count_absence(change: Change, asked: list[str]) -> None:
    """A seat on autopilot that is asked again has missed again; at last it may be taken over."""
    room = change.room
    for name in asked:
        seat = room.seats[name]
        if seat.autopilot and seat.kind == "person" and not seat.vacant:
            change.set_seat(name, misses=seat.misses + 1)
            if seat.misses >= room.settings["missed"]["open"]:
                change.set_seat(name, vacant=True)
                change.tx.tell("lobby")


async def _set_deadline(change: Change) -> None:
    room = change.room
    dues = [
        seat.due
        for name, seat in room.seats.items()
        if name in room.row.to_act and seat.due is not None and is_active(seat)
    ]
    first = min(dues, default=None)
    if first != room.row.due:
        change.set(due=first)
        await ask_deadline(change)


async def ask_deadline(change: Change) -> None:
    """Have somebody look when time runs out, and shortly before."""
    room, first = change.room, change.room.row.due
    if first is None:
        return
    await ask_job(change.tx, "due", room.id, first + room.settings["missed"]["grace"])
    reminders = [
        clocks.remind_at(seat.asked, seat.due)
        for name, seat in room.seats.items()
        if name in room.row.to_act and seat.due is not None and seat.reminded != seat.due
    ]
    if reminders:
        await ask_job(change.tx, "near", room.id, min(reminders))


async def _tell(change: Change, asked: list[str]) -> None:
    """Those who are newly asked: their lists change, and a notice goes out if they are away."""
    room = change.room
    people = [room.seats[name] for name in asked if is_active(room.seats[name])]
    for seat in people:
        change.tx.tell(f"user:{seat.user}")
    for seat in room.seats.values():
        if seat.user and seat.seat not in asked and change.lines:
            change.tx.tell(f"user:{seat.user}", quiet=True)
    await outbox.your_turn(change, people)
    if people and room.row.settings["clock"]["kind"] != "none":
        ids = [seat.user for seat in people]
        users = schema.users
        more = update(users).where(users.c.id.in_(ids)).values(turns=users.c.turns + 1)
        await change.tx.run(more)


async def miss(change: Change, seat: str) -> None:
    """The seat let its time run out: after grace, autopilot; after that, an open seat."""
    room = change.room
    row, policy = room.seats[seat], room.settings["missed"]
    change.set_seat(seat, misses=row.misses + 1)
    users = schema.users
    missed = update(users).where(users.c.id == row.user).values(misses=users.c.misses + 1)
    await change.tx.run(missed)
    await say_at_table(change, "missed", seat=seat)
    if row.misses >= policy["autopilot"] and not row.autopilot:
        change.set_seat(seat, autopilot=True)
        await say_at_table(change, "autopilot", seat=seat)
    if row.misses >= policy["open"] and not row.vacant:
        change.set_seat(seat, vacant=True)
        await say_at_table(change, "vacant", seat=seat)
        change.tx.tell("lobby")
    await tally_all(change)


# The end


async def end(change: Change, result: dict[str, Any]) -> None:
    """The game is over: everything is settled, told and rated once."""
    change.set(status="over", ended=change.now, result=result, due=None)
    for name in change.room.seats:
        change.set_seat(name, asked=None, due=None)
    for seat in change.room.seats.values():
        if seat.user:
            change.tx.tell(f"user:{seat.user}")
    change.tx.tell("lobby")
    await outbox.ended(change)
    await ratings.rate(change)


async def _clear_drafts(change: Change) -> None:
    moved = {line.entry.seat for line in change.lines} & change.room.drafts.keys()
    for seat in moved:
        d = schema.drafts.c
        await change.tx.run(delete(schema.drafts).where(d.game == change.room.id, d.seat == seat))
        del change.room.drafts[seat]
