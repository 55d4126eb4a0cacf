"""Commands that wait for the same table are carried out together.

A command holds its table until it is on disk. Seven players who hand in their orders at once would wait for
seven commits, and everybody would be shown seven tables. So the next one takes along all who wait: one
change, one commit, one new table. A refusal is for the one who is refused. If a command fails otherwise, nothing
has happened, and each is carried out alone.
"""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeAlias

from powderkeg.core.errors import RulesError
from powderkeg.server.db.rows import EntrySource
from powderkeg.server.refusals import conflict, forbidden
from powderkeg.server.tables import after_move
from powderkeg.server.tables.cache import TableCache
from powderkeg.server.tables.loaded import LoadedTable, TableChange, record_lines
from powderkeg.server.tables.replay import LogLine

MayAct: TypeAlias = Callable[[LoadedTable], bool]
PlayLines: TypeAlias = Callable[[TableChange], list[LogLine]]
MOST_TOGETHER = 16  # commands in one change: others want the event loop too
# While several seats choose at once, the first command waits so long for the others.
GATHER_SECONDS = 0.002


@dataclass(slots=True, eq=False)
class SeatCommand:
    """What a seat wants done: `play` does it, if `may` allows it."""

    seat: str
    play: PlayLines
    command: str | None
    by: EntrySource
    may: MayAct
    head: int | None = None  # the length of the log, once it is done
    is_alone: bool = False  # after one failed that was tried together with it
    refused: RulesError | None = None  # among others, before anything of it was played

    def carry_out(self, change: TableChange) -> None:
        loaded = change.loaded
        if not self.may(loaded):
            raise forbidden("not_your_seat")
        need_live(loaded)
        record_lines(change, self.play(change), self.command, self.by)
        self.head = loaded.current.seq


@dataclass(slots=True)
class CommandQueue:
    """The commands that wait for one table, first come, first served."""

    turn: asyncio.Lock = field(default_factory=asyncio.Lock)
    waiting: list[SeatCommand] = field(default_factory=list)


def need_live(loaded: LoadedTable) -> None:
    """Refuse at a table where nobody can play now."""
    if loaded.row.status != "live":
        raise conflict(f"table_{loaded.row.status}")


async def run_in_turn(cache: TableCache, table: str, mine: SeatCommand) -> int:
    """Carry out a command, together with those that wait; return the length of the log after it."""
    queue: CommandQueue = cache.queues.setdefault(table, CommandQueue())
    queue.waiting.append(mine)
    try:
        async with queue.turn:
            if mine in queue.waiting:  # nobody has taken it along
                if len(queue.waiting) == 1 and _choose_together(cache, table):
                    await asyncio.sleep(GATHER_SECONDS)
                await _run_waiting(cache, table, queue, mine)
    finally:
        if mine in queue.waiting:
            queue.waiting.remove(mine)
        if not queue.waiting and cache.queues.get(table) is queue:
            del cache.queues[table]
    if mine.refused is not None:
        raise mine.refused
    assert mine.head is not None  # noqa: S101  # it is done, or has raised
    return mine.head


def _choose_together(cache: TableCache, table: str) -> bool:
    """Whether others may be about to send their commands, too."""
    loaded = cache.peek(table)
    return loaded is not None and len(loaded.row.to_act) > 1


async def _run_waiting(
    cache: TableCache, table: str, queue: CommandQueue, mine: SeatCommand
) -> None:
    """Carry out all that wait; if that fails, only `mine`."""
    taken: list[SeatCommand] = []
    try:
        async with cache.change(table) as change:
            taken = _take_along(queue, mine)
            await _carry_out_all(change, taken)
    except Exception:
        if len(taken) < 2:
            raise
        for each in taken:
            each.is_alone, each.refused = True, None
        taken = [mine]
        async with cache.change(table) as change:
            mine.carry_out(change)
    queue.waiting = [each for each in queue.waiting if each not in taken]


def _take_along(queue: CommandQueue, mine: SeatCommand) -> list[SeatCommand]:
    if mine.is_alone:
        return [mine]
    others = [each for each in queue.waiting if each is not mine and not each.is_alone]
    return [mine, *others][:MOST_TOGETHER]


async def _carry_out_all(change: TableChange, commands: list[SeatCommand]) -> None:
    """One after the other, each with what follows from it; `cache.change` sees to that of the last."""
    for each in commands:
        if change.lines:
            await after_move.follow_change(change)
            change.end_part()
        _try_command(change, each)


def _try_command(change: TableChange, one: SeatCommand) -> None:
    """Carry out a command among others. A refusal concerns nobody else, unless a part was played already."""
    before = change.loaded.length
    try:
        one.carry_out(change)
    except RulesError as error:
        if change.loaded.length != before:
            raise
        one.refused = error
