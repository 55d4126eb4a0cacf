"""What followers of a live table are sent: the whole table once, then what changed.

Readers who see exactly the same share a feed. Each step of it is rendered, compared and written as
JSON once, however many sockets follow. A socket that has missed no more than a few steps is sent
those; any other gets the whole table.
"""

from collections import deque
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from powderkeg.server.db.schema import write_json
from powderkeg.server.tables.loaded import LoadedTable
from powderkeg.server.tables.replay import ReplayedGame
from powderkeg.server.views.delta import KnownDeltas, share_delta
from powderkeg.server.views.entries import recent_entries
from powderkeg.server.views.present import table_json
from powderkeg.server.views.readers import Reader

KEPT_STEPS = 8


@dataclass(slots=True)
class TableFeed:
    """One table as some readers see it: version after version."""

    version: int = 0
    shown: dict[str, Any] = field(default_factory=dict)  # the table at this version
    steps: deque[str] = field(default_factory=partial(deque, maxlen=KEPT_STEPS))
    whole: str = ""  # the table at this version as JSON, once somebody asked for it
    seen: tuple[Any, ...] = ()  # what the table was when this feed last looked at it

    def advance(self, shown: dict[str, Any], log: str | None, known: KnownDeltas) -> None:
        """Go on to the table as it is shown now, with the new entries of the log."""
        delta = share_delta(_comparable(self.shown, shown), shown, known) if self.shown else None
        if self.shown and delta is None:
            return
        first = not self.shown
        self.version += 1
        self.shown, self.whole = shown, ""
        if first:
            self.steps.clear()
            return
        step = f'"version":{self.version},"delta":{write_json(delta)}'
        self.steps.append(f'{step},"log":{log}' if log else step)

    def messages_after(self, version: int, now: float) -> list[str]:
        """What a socket that knows `version` must be sent: nothing, the steps since, or the table."""
        missed = self.version - version
        if version and missed <= len(self.steps):
            return [
                f'{{"type":"delta","now":{now},{self.steps[-n]}}}' for n in range(missed, 0, -1)
            ]
        self.whole = self.whole or write_json(self.shown)
        return [
            f'{{"type":"table","now":{now},"version":{self.version},"table":{self.whole}}}',
        ]


def _comparable(before: dict[str, Any], now: dict[str, Any]) -> dict[str, Any]:
    """What was shown before, without a sheet of orders whose task is another one now. Two such sheets have
    little in common: to compare them takes longer, and tells hardly less, than to send the new one."""
    old, new = before.get("question"), now.get("question")
    if old and new and new["node"]["kind"] == "orders" and old["prompt"] != new["prompt"]:
        return before | {"question": None}
    return before


def update_feed(
    loaded: LoadedTable, reader: Reader, now: float, late: ReplayedGame | None
) -> TableFeed:
    """The feed of this reader, at the table's present state."""
    key = reader.key
    feed: TableFeed | None = loaded.feeds.get(key)
    if feed is None:
        feed = loaded.feeds[key] = TableFeed()
    # Who is present depends on the time; everything else changes with these numbers.
    seen = (loaded.row.rev, loaded.draft_loads, int(now), late.seq if late else None)
    if seen == feed.seen:
        return feed
    feed.seen = seen
    shown = table_json(loaded, reader, now, late)
    known: KnownDeltas = loaded.rendered.setdefault("deltas", {})
    feed.advance(shown, _new_entries(loaded, reader, feed, shown["seq"], late), known)
    return feed


def _new_entries(
    loaded: LoadedTable, reader: Reader, feed: TableFeed, seq: int, late: ReplayedGame | None
) -> str | None:
    """The entries since the feed's last version. Not where moves are hidden or late: there entries
    have passing numbers, and the reader reads the log."""
    before = feed.shown.get("seq", seq)
    if seq <= before or late is not None or loaded.settings.anonymous:
        return None
    return recent_entries(loaded, reader, before, seq)
