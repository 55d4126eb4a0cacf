"""Local hours in users' time zones; zoneinfo handles daylight saving."""

from collections.abc import Collection
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo


def next_local_hour(hour: str, zone: str, earliest: float) -> float:
    """The first moment not before `earliest` when clocks in `zone` show `hour`.

    An hour that daylight saving skips becomes the one that clocks show instead (02:30 is 03:30); if
    an hour comes twice, the first one counts.
    """
    hours, minutes = map(int, hour.split(":"))
    there = datetime.fromtimestamp(earliest, ZoneInfo(zone))
    shown = there.replace(hour=hours, minute=minutes, second=0, microsecond=0, fold=0)
    while shown.timestamp() < earliest:
        shown = (shown + timedelta(days=1)).replace(fold=0)
    return shown.timestamp()


def skip_weekdays(at: float, zone: str, rest: Collection[int]) -> float:
    """The same hour in `zone` on the first day from `at` on that is none of the weekdays in `rest`
    (0 is Monday)."""
    shown = datetime.fromtimestamp(at, ZoneInfo(zone))
    while shown.weekday() in rest:
        shown = (shown + timedelta(days=1)).replace(fold=0)
    return shown.timestamp()


def format_local_time(at: float, zone: str) -> str:
    """A moment as clocks in `zone` show it."""
    return f"{datetime.fromtimestamp(at, ZoneInfo(zone)):%Y-%m-%d %H:%M} ({zone})"
