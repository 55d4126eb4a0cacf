"""The job queue: a job is enqueued in the transaction that makes it necessary."""

from powderkeg.server.db import schema
from powderkeg.server.db.rows import JobKind
from powderkeg.server.db.store import Tx


async def enqueue_job(
    tx: Tx, kind: JobKind, game: str | None, run_at: float, key: str = ""
) -> None:
    """Enqueue a job for `run_at`. Enqueuing a waiting job again changes its time; a job that is
    already running will run once more."""
    row = {
        "kind": kind,
        "key": key or f"{kind}:{game}",
        "game": game,
        "run_at": run_at,
        "asked": 1,
        "tries": 0,
        "locked_until": 0.0,
        "error": "",
    }
    changes = {"run_at": run_at, "asked": schema.jobs.c.asked + 1, "tries": 0}
    await tx.run(tx.upsert(schema.jobs, row, ["key"], changes))
    tx.publish(f"jobs:{kind}", at=run_at)
