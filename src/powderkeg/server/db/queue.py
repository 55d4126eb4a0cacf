"""Asking for jobs, in the transaction that makes them needed."""

from typing import Any

from sqlalchemy.dialects import postgresql, sqlite

from powderkeg.server.db import schema
from powderkeg.server.db.store import Tx


async def ask_job(tx: Tx, kind: str, game: str | None, run_at: float, key: str = "") -> None:
    """Have a job done at `run_at`. Asking again for what waits changes its time; asking for what
    is being done has it done once more."""
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
    tx.tell(f"jobs:{kind}", at=run_at)
