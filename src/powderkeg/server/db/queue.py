"""The job queue: a job is enqueued in the transaction that makes it necessary."""

from typing import Any

from sqlalchemy import bindparam
from sqlalchemy.dialects import postgresql, sqlite

from powderkeg.server.db import schema
from powderkeg.server.db.prepared import PreparedStatement
from powderkeg.server.db.rows import JobKind
from powderkeg.server.db.store import Tx


def _enqueue_statement(insert: Any) -> PreparedStatement:
    names = [column.name for column in schema.jobs.c if column.name != "id"]
    made = insert(schema.jobs).values({name: bindparam(name) for name in names})
    changes = {"run_at": made.excluded.run_at, "asked": schema.jobs.c.asked + 1, "tries": 0}
    return PreparedStatement(made.on_conflict_do_update(index_elements=["key"], set_=changes))


ENQUEUE_SQLITE = _enqueue_statement(sqlite.insert)
ENQUEUE_POSTGRES = _enqueue_statement(postgresql.insert)


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
    await tx.run_prepared(ENQUEUE_SQLITE if not tx.is_postgres else ENQUEUE_POSTGRES, [row])
    tx.publish(f"jobs:{kind}", at=run_at)
