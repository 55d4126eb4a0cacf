"""Jobs that watch the time: deadlines, reminders, the ends of pauses and of proposals.

A deadline fires here: the default is played for seats that are late, and their absence counts.
"""

from sqlalchemy import bindparam, update

from powderkeg.core.chance import CHANCE
from powderkeg.server.db import schema
from powderkeg.server.db.prepared import PreparedStatement
from powderkeg.server.db.rows import JobRow
from powderkeg.server.press.proposals import count_all_votes, expire_proposals
from powderkeg.server.tables.after_move import count_missed_turn, enqueue_deadline, is_deserted
from powderkeg.server.tables.announcements import announce, notify_deadline
from powderkeg.server.tables.cache import TableCache
from powderkeg.server.tables.clock import reminder_time
from powderkeg.server.tables.loaded import TableChange, record_lines
from powderkeg.server.tables.pauses import pause_table, resume_table

MOST_DEFAULTS = 60  # most decisions of one turn
u = schema.users.c
COUNT_MISS = PreparedStatement(
    update(schema.users).where(u.id == bindparam("user")).values(misses=u.misses + 1)
)
COUNT_TURN = PreparedStatement(
    update(schema.users).where(u.id == bindparam("user")).values(turns=u.turns + 1)
)


async def fire_deadline(cache: TableCache, job: JobRow) -> None:
    """Play the default for seats whose time is up, and count the miss."""
    async with cache.change(job.game) as change:
        loaded = change.loaded
        if loaded.row.status != "live":
            return
        late = [
            name
            for name, seat in loaded.seats.items()
            if name in loaded.row.to_act
            and seat.is_active
            and seat.due is not None
            and seat.due + loaded.settings.missed.grace <= change.now
        ]
        for seat in late:
            if loaded.row.status == "live":  # an absence may have decided a vote
                await _record_missed_deadline(change, seat)
            if loaded.row.status == "live":
                _play_default(change, seat)
        for seat in late:
            await _count_new_turn(change, seat)
        if not late:
            await enqueue_deadline(change)


async def _count_new_turn(change: TableChange, seat: str) -> None:
    """A seat that is asked again without a pause has a new turn."""
    row, seated = change.loaded.row, change.loaded.seats[seat]
    if row.status == "live" and seat in row.to_act and seated.is_active:
        await change.tx.run_prepared(COUNT_TURN, [{"user": seated.user}])


async def _record_missed_deadline(change: TableChange, seat: str) -> None:
    """Count a deadline that a person missed, at the seat and for their account.

    After some misses a bot plays for the seat, after more the seat is open to others.
    """
    opened = count_missed_turn(change, seat)
    row = change.loaded.seats[seat]
    await change.tx.run_prepared(COUNT_MISS, [{"user": row.user}])
    await announce(change, "server.said.missed", seat=seat)
    if row.misses >= change.loaded.settings.missed.autopilot and not row.autopilot:
        change.set_seat(seat, autopilot=True)
        await announce(change, "server.said.autopilot", seat=seat)
    if opened:
        await announce(change, "server.said.vacant", seat=seat)
    await count_all_votes(change)


def _play_default(change: TableChange, seat: str) -> None:
    """Play the default of the rules for a seat until its turn is over."""
    current = change.loaded.current
    phase = current.phase
    for _ in range(MOST_DEFAULTS):
        acting = current.table.to_act
        if seat not in acting or CHANCE in acting or current.phase != phase:
            return
        action = current.table.game.default(current.table.state, seat)
        record_lines(change, current.act(seat, str(action), change.now), None, "time")
        current.table.seal(seat)  # a missed deadline cannot be undone


async def send_reminders(cache: TableCache, job: JobRow) -> None:
    """Remind people whose time runs out, once per deadline."""
    async with cache.change(job.game) as change:
        loaded = change.loaded
        if loaded.row.status != "live":
            return
        for name, seat in loaded.seats.items():
            if name not in loaded.row.to_act or not seat.is_active or seat.reminded == seat.due:
                continue
            if seat.due is None or seat.asked is None:
                continue
            if reminder_time(seat.asked, seat.due) <= change.now:
                change.set_seat(name, reminded=seat.due)
                await notify_deadline(change, seat)


async def end_pause(cache: TableCache, job: JobRow) -> None:
    """Resume a game whose pause has reached its limit."""
    async with cache.change(job.game) as change:
        row = change.loaded.row
        if row.status != "paused" or (row.pause_ends or 0) > change.now:
            return
        if is_deserted(change.loaded):  # it goes on waiting, without a word
            await pause_table(change)
            return
        resume_table(change)
        await announce(change, "server.said.resumed")


async def expire_votes(cache: TableCache, job: JobRow) -> None:
    async with cache.change(job.game) as change:
        await expire_proposals(change)
