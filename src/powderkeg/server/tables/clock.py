"""When time runs out. Pure functions of settings and times; daylight saving is zoneinfo's."""

from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

SOON = 0.25  # the part of a turn that is left when a reminder goes out
DAY = 86400.0


def due(clock: dict[str, Any], stage: str, now: float, bank: float | None) -> float | None:
    """When a turn that begins `now` must be done; None: never."""
    match clock["kind"]:
        case "bank":
            return now + (clock["bank"] if bank is None else bank)
        case "turn":
            length = clock["stages"].get(stage, clock["length"])
            if clock["at"]:
                return at_hour(clock["at"], clock["zone"], now + length)
            return now + length if length else None
    return None


def at_hour(hour: str, zone: str, earliest: float) -> float:
    """The first moment not before `earliest` when clocks in `zone` show `hour`.

    An hour that a day skips is taken when that day's clocks have moved on; of an hour that comes
    twice, the first counts.
    """
    hours, minutes = map(int, hour.split(":"))
    there = datetime.fromtimestamp(earliest, ZoneInfo(zone))
    shown = there.replace(hour=hours, minute=minutes, second=0, microsecond=0, fold=0)
    while shown.timestamp() < earliest:
        shown = (shown + timedelta(days=1)).replace(fold=0)
    return shown.timestamp()


def remind_at(asked: float, due: float) -> float:
    """When to remind: with a quarter of the turn left, but not more than a day before."""
    return due - min((due - asked) * SOON, DAY)
