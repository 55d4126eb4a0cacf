"""What follows from a change of a table: whose turn it is and until when, absence, bots, the end.

`follow_change` runs in the transaction of every change, so that a turn and its deadline, its job
and its notice are stored together or not at all.
"""

from dataclasses import replace

from sqlalchemy import delete, update

from powderkeg.server.db import schema
from powderkeg.server.db.queue import enqueue_job
from powderkeg.server.db.rows import ProposalRow, ProposalStatus, SeatRow, StoredResult
from powderkeg.server.message_json import dump_result
from powderkeg.server.tables import announcements, bot_seats, lesson_tables, pauses, ratings
from powderkeg.server.tables.clock import reminder_time, turn_deadline
from powderkeg.server.tables.loaded import LoadedTable, TableChange


async def follow_change(change: TableChange) -> None:
    """Update turns, deadlines, absence, bots, notices and the result after any change of a table."""
    await lesson_tables.follow_lesson(change)
    await _follow_moves(change)
    if change.loaded.row.has_ended:
        for proposal in tuple(change.loaded.proposals):  # nothing is decided any more
            await close_proposal(change, proposal, "expired")


async def _follow_moves(change: TableChange) -> None:
    loaded = change.loaded
    if loaded.replayed is None or loaded.row.has_ended:
        return
    if change.lines:
        await _clear_drafts(change)
        if (result := loaded.current.table.result) is not None:
            await finish_game(change, dump_result(result))
            return
    if loaded.row.status != "live":
        return
    if is_deserted(loaded):
        await pauses.pause_table(change)
        await announcements.announce(change, "server.said.deserted")
        return
    asked = _run_clocks(change)
    _count_autopilot_turns(change, asked)
    await _set_deadline(change)
    await bot_seats.enqueue_bots(change.tx, loaded, change.now)
    await _notify_asked(change, asked)


def is_deserted(loaded: LoadedTable) -> bool:
    """Whether bots play for everybody who sat here: then the table waits for somebody to return."""
    people = [seat for seat in loaded.seats.values() if seat.kind == "person"]
    return bool(people) and not any(seat.is_active for seat in people)


# Turns and deadlines


def _run_clocks(change: TableChange) -> list[str]:
    """Start and stop the clocks of seats; return the seats that are newly asked."""
    loaded = change.loaded
    moved = {line.entry.seat for line in change.lines}
    asked = []
    for name, seat in loaded.seats.items():
        owes = name in loaded.row.to_act
        if owes and seat.asked is None:
            asked.append(name)
            _start_clock(change, seat, again=False)
        elif owes and (seat.due_base != loaded.row.base or name in moved):
            _start_clock(change, _stop_clock(change, seat, gain=False), again=True)
        elif not owes and seat.asked is not None:
            _stop_clock(change, seat, gain=True)
            change.set_seat(name, asked=None)
        if name in moved and any(x.by == "person" for x in change.lines if x.entry.seat == name):
            _end_autopilot(change, seat)
    return asked


def _start_clock(change: TableChange, seat: SeatRow, *, again: bool) -> None:
    """Give a turn its time. While all choose at once, changing an answer gains no time."""
    row = change.loaded.row
    clock = row.settings.clock
    same = row.together and seat.due_base == row.base and seat.due is not None
    fresh = turn_deadline(clock, row.stage, change.now, seat.bank)
    due = fresh if not same or clock.kind == "bank" else seat.due
    change.set_seat(seat.seat, due=due, due_base=row.base)
    if not (same and again):
        change.set_seat(seat.seat, asked=change.now)


def _stop_clock(change: TableChange, seat: SeatRow, *, gain: bool) -> SeatRow:
    clock = change.loaded.settings.clock
    if clock.kind != "bank" or seat.due is None:
        return seat
    left = max(0.0, seat.due - change.now) + (clock.gain if gain else 0)
    return change.set_seat(seat.seat, bank=left)


def _end_autopilot(change: TableChange, seat: SeatRow) -> None:
    if seat.misses or seat.autopilot:
        change.set_seat(seat.seat, misses=0, autopilot=False, vacant=False)


def _count_autopilot_turns(change: TableChange, asked: list[str]) -> None:
    """Each new question to a seat on autopilot counts as a missed turn.

    Unlike a missed deadline (`jobs.deadlines`) it is not announced and does not count against the
    account: no deadline ran out, a bot answers at once.
    """
    for name in asked:
        seat = change.loaded.seats[name]
        if seat.autopilot and seat.kind == "person" and not seat.vacant:
            count_missed_turn(change, name)


def count_missed_turn(change: TableChange, name: str) -> bool:
    """Count a missed turn of a seat; return whether it is now open to others, after too many."""
    seat = change.loaded.seats[name]
    seat = change.set_seat(name, misses=seat.misses + 1)
    if seat.vacant or seat.misses < change.loaded.settings.missed.open:
        return False
    change.set_seat(name, vacant=True)
    change.tx.publish("lobby")
    return True


async def _set_deadline(change: TableChange) -> None:
    loaded = change.loaded
    dues = [
        seat.due
        for name, seat in loaded.seats.items()
        if name in loaded.row.to_act and seat.due is not None and seat.is_active
    ]
    first = min(dues, default=None)
    if first != loaded.row.due:
        change.set(due=first)
        await enqueue_deadline(change)


async def enqueue_deadline(change: TableChange) -> None:
    """Enqueue the jobs for the next deadline and the reminder before it."""
    loaded, first = change.loaded, change.loaded.row.due
    if first is None:
        return
    await enqueue_job(change.tx, "due", loaded.id, first + loaded.settings.missed.grace)
    reminders = [
        reminder_time(seat.asked, seat.due)
        for name, seat in loaded.seats.items()
        if name in loaded.row.to_act
        and seat.asked is not None
        and seat.due is not None
        and seat.reminded != seat.due
    ]
    if reminders:
        await enqueue_job(change.tx, "near", loaded.id, min(reminders))


async def _notify_asked(change: TableChange, asked: list[str]) -> None:
    """Update the lobby of people who are newly asked, and notify those who are away."""
    loaded = change.loaded
    people = [loaded.seats[name] for name in asked if loaded.seats[name].is_active]
    for seat in people:
        change.tx.publish(f"user:{seat.user}")
    for seat in loaded.seats.values():
        if seat.user and seat.seat not in asked and change.lines:
            change.tx.publish(f"user:{seat.user}", quiet=True)
    await announcements.notify_turn(change, people)
    if people and loaded.settings.clock.kind != "none":
        ids = [seat.user for seat in people]
        users = schema.users
        more = update(users).where(users.c.id.in_(ids)).values(turns=users.c.turns + 1)
        await change.tx.run(more)


# The end


async def finish_game(change: TableChange, result: StoredResult) -> None:
    """The game is over: clocks stop, people learn of it, ratings change once."""
    change.set(status="over", ended=change.now, result=result, due=None)
    for name in change.loaded.seats:
        change.set_seat(name, asked=None, due=None)
    for seat in change.loaded.seats.values():
        if seat.user:
            change.tx.publish(f"user:{seat.user}")
    change.tx.publish("lobby")
    await announcements.notify_end(change)
    await ratings.rate_game(change)


def close_table(change: TableChange) -> None:
    """End the game without a result."""
    change.set(status="closed", ended=change.now, due=None)
    change.tx.publish("lobby")


async def close_proposal(
    change: TableChange, proposal: ProposalRow, status: ProposalStatus
) -> ProposalRow:
    """Close a proposal that is decided or can no longer be decided."""
    change.touch()
    closed = replace(proposal, status=status)
    change.loaded.replace_proposal(closed)
    mine = schema.proposals.c.id == proposal.id
    await change.tx.run(update(schema.proposals).where(mine).values(status=status))
    return closed


async def _clear_drafts(change: TableChange) -> None:
    moved = {line.entry.seat for line in change.lines} & change.loaded.drafts.keys()
    for seat in moved:
        d = schema.drafts.c
        await change.tx.run(delete(schema.drafts).where(d.game == change.loaded.id, d.seat == seat))
        del change.loaded.drafts[seat]
