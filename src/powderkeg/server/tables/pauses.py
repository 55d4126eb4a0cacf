"""Pauses and extensions: every deadline moves."""

from powderkeg.server.db.queue import enqueue_job
from powderkeg.server.tables.loaded import TableChange

LONGEST_PAUSE = 14 * 86400.0


async def pause_table(change: TableChange) -> None:
    """Pause the game, or prolong its pause."""
    since, ends = change.loaded.row.paused or change.now, change.now + LONGEST_PAUSE
    change.set(status="paused", paused=since, pause_ends=ends)
    await enqueue_job(change.tx, "resume", change.loaded.id, ends)


def resume_table(change: TableChange) -> None:
    """Resume the game; every deadline moves by the length of the pause."""
    row = change.loaded.row
    if row.status != "paused" or row.paused is None:
        return
    change.set(status="live")
    _move_deadlines(change, change.now - row.paused)
    change.set(paused=None, pause_ends=None)


def extend_deadlines(change: TableChange) -> None:
    """Give everybody the time of one more turn."""
    clock = change.loaded.settings.clock
    _move_deadlines(change, clock.length or clock.gain or clock.bank or 86400)


def _move_deadlines(change: TableChange, by: float) -> None:
    for name, seat in change.loaded.seats.items():
        if seat.due is not None:
            change.set_seat(name, due=seat.due + by)
            if seat.asked is not None and change.loaded.row.paused:
                change.set_seat(name, asked=seat.asked + by)
