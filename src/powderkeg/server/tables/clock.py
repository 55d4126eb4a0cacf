"""Deadlines as pure functions of a table's settings and the time."""

from powderkeg.server.db.table_settings import ClockSettings
from powderkeg.server.local_time import next_local_hour, skip_weekdays

REMINDER_SHARE = 0.25  # part of a turn that is left when a reminder is sent
EARLIEST_REMINDER = 86400.0  # at most this many seconds before the deadline


def turn_deadline(clock: ClockSettings, stage: str, now: float, bank: float | None) -> float | None:
    """When a turn that begins `now` must be done; None: never."""
    match clock.kind:
        case "bank":
            return now + (clock.bank if bank is None else bank)
        case "turn":
            length = clock.stages.get(stage, clock.length)
            if not length and not clock.at:
                return None
            due = now + length
            if clock.at:
                due = next_local_hour(clock.at, clock.zone, due)
            return skip_weekdays(due, clock.zone, clock.rest)
    return None


def reminder_time(asked: float, due: float) -> float:
    """When to remind: with a quarter of the turn left, but not more than a day before."""
    return due - min((due - asked) * REMINDER_SHARE, EARLIEST_REMINDER)
