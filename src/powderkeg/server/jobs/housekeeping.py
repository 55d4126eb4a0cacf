"""Deletes rows that are no longer needed."""

from collections.abc import Callable

from sqlalchemy import delete

from powderkeg.server.db import schema
from powderkeg.server.db.store import Store

CLEAN_EVERY = 600.0  # seconds
NOTICES_KEPT = 30 * 86400.0  # seconds after which nobody asks whether a notice went out


class Housekeeper:
    def __init__(self, store: Store, clock: Callable[[], float]) -> None:
        self.store, self.clock = store, clock
        self.cleaned = 0.0

    async def clean_up(self) -> None:
        """From time to time, delete expired counters and tokens, and notices sent long ago."""
        now = self.clock()
        if now - self.cleaned <= CLEAN_EVERY:
            return
        self.cleaned = now
        hits, tokens, n = schema.hits.c, schema.tokens.c, schema.notices.c
        old = n.status.in_(["sent", "failed", "unsure"]) & (n.created < now - NOTICES_KEPT)
        async with self.store.write() as tx:
            await tx.run(delete(schema.hits).where(hits.ends < now))
            await tx.run(delete(schema.tokens).where(tokens.expires < now))
            await tx.run(delete(schema.notices).where(old))
