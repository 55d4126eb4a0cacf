"""What follows from a change of a table: whose turn it is, until when, who is told, what is due."""

from typing import Any

from sqlalchemy import delete
from sqlalchemy.dialects import postgresql, sqlite

from powderkeg.server import schema
from powderkeg.server.rooms import Change, Room
from powderkeg.server.show import result_dump
from powderkeg.server.store import Tx


async def settle(change: Change) -> None:
    """Called with every change of a table, in its transaction."""
    room = change.room
    if room.fold is None:
        return
    if change.lines:
        await _clear_drafts(change)
    if room.row.status == "live" and (result := room.live.table.result) is not None:
        change.set(status="over", ended=change.now, result=result_dump(result), due=None)
    if room.row.status == "live" and owed_by_bots(room):
        await ask_job(change.tx, "bots", room.id, change.now)


def owed_by_bots(room: Room) -> list[str]:
    """Seats to act for which a bot decides."""
    return [
        name
        for name, seat in room.seats.items()
        if name in room.row.to_act and (seat.kind == "bot" or seat.autopilot)
    ]


async def _clear_drafts(change: Change) -> None:
    moved = {line.entry.seat for line in change.lines} & change.room.drafts.keys()
    for seat in moved:
        d = schema.drafts.c
        await change.tx.run(delete(schema.drafts).where(d.game == change.room.id, d.seat == seat))
        del change.room.drafts[seat]


async def ask_job(tx: Tx, kind: str, game: str | None, run_at: float, key: str = "") -> None:
    """Have a job done at `run_at` or before. Asking again for what waits changes only its time;
    asking for what is being done has it done once more."""
    key = key or f"{kind}:{game}"
    insert = postgresql.insert if tx.is_postgres else sqlite.insert
    made: Any = insert(schema.jobs).values(
        kind=kind, key=key, game=game, run_at=run_at, asked=1, tries=0, locked_until=0.0, error=""
    )
    again = made.on_conflict_do_update(
        index_elements=["key"],
        set_={"run_at": run_at, "asked": schema.jobs.c.asked + 1, "tries": 0},
    )
    await tx.run(again)
    tx.tell("jobs", at=run_at)
