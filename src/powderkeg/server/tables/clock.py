"""Deadlines as pure functions of a table's settings and the time."""

from powderkeg.server.db.table_settings import ClockSettings
from powderkeg.server.local_time import next_local_hour

REMINDER_SHARE = 0.25  # of a turn that is left when a reminder goes out
EARLIEST_REMINDER = 86400.0  # seconds before the deadline


def turn_deadline(clock: ClockSettings, stage: str, now: float, bank: float | None) -> float | None:
    """When a turn that begins `now` must be done; None: never."""
    match clock.kind:
        case "bank":
            return now + (clock.bank if bank is None else bank)
        case "turn":
            length = clock.stages.get(stage, clock.length)
            if clock.at:
                return next_local_hour(clock.at, clock.zone, now + length)
            return now + length if length else None
    return None


def reminder_time(asked: float, due: float) -> float:
    """When to remind: with a quarter of the turn left, but not more than a day before."""
    return due - min((due - asked) * REMINDER_SHARE, EARLIEST_REMINDER)
