"""Rate limits."""

import math
import time
from collections.abc import Callable

from limits import RateLimitItem, parse
from limits.storage import MemoryStorage
from limits.strategies import MovingWindowRateLimiter
from sqlalchemy import select

from powderkeg.server.accounts.tokens import hash_token
from powderkeg.server.db import schema
from powderkeg.server.db.store import Store, Tx
from powderkeg.server.refusals import too_many

# How often each thing may be done: per user, or per network where nobody is logged in.
RATE_LIMITS: dict[str, str] = {
    "guest": "60/hour",
    "login": "10/5minute",
    "mail": "5/hour",
    "create": "60/hour",
    "lesson": "240/hour",
    "act": "600/minute",
    "typed": "240/minute",
    "study": "60/minute",
    "press": "60/minute",
    "propose": "30/minute",
    "read": "1200/minute",
    "import": "10/hour",
    "stream": "60/minute",
}


# counted for all processes together
SHARED_LIMITS = ("guest", "login", "mail", "create", "lesson", "import")


class RateLimiter:
    """Counts requests. Those that are rare and costly (`SHARED_LIMITS`) are counted in the database,
    by all processes together and across restarts. Each process counts the rest for itself, so with
    several processes the limit is that many times higher."""

    def __init__(self, store: Store, clock: Callable[[], float], *, on: bool = True) -> None:
        self.on, self.store, self.clock = on, store, clock
        self.local = MovingWindowRateLimiter(MemoryStorage())
        self.rules: dict[str, RateLimitItem] = {
            key: parse(rule) for key, rule in RATE_LIMITS.items()
        }

    def check_here(self, key: str, who: str) -> None:
        """Count a request in this process, and refuse it beyond the limit."""
        rule = self.rules[key]
        if self.on and not self.local.hit(rule, key, who):
            reset = self.local.get_window_stats(rule, key, who).reset_time
            raise too_many(key, max(1, round(reset - time.time()) + 1))

    async def check_shared(self, key: str, who: str) -> None:
        """Count a request for all processes, and refuse it beyond the limit, uncounted.

        A sliding window is approximated by two fixed ones: the earlier one counts by how much it
        still overlaps.
        """
        if not self.on:
            return
        rule, now = self.rules[key], self.clock()
        length, most = float(rule.get_expiry()), rule.amount
        slot, gone = divmod(now, length)
        name = hash_token(f"{key}/{who}")
        async with self.store.write() as tx:  # a refused request is not counted
            here = await _count_hit(tx, name, int(slot), now + 2 * length)
            there = schema.hits.c
            before = (there.who == name) & (there.slot == int(slot) - 1)
            last = await tx.value(select(there.n).where(before)) or 0
            if last * (1 - gone / length) + here > most:
                raise too_many(key, _seconds_to_wait(last, here - 1, most, length, gone))


async def _count_hit(tx: Tx, name: str, slot: int, ends: float) -> int:
    row = {"who": name, "slot": slot, "n": 1, "ends": ends}
    counted = tx.upsert(schema.hits, row, ["who", "slot"], {"n": schema.hits.c.n + 1})
    return int(await tx.value(counted.returning(schema.hits.c.n)))


def _seconds_to_wait(last: int, here: int, most: int, length: float, gone: float) -> int:
    """Seconds until one more is allowed.

    In the worst case all came at the start of a window and must fade in the next: then it is the
    window's length plus its `most`th part.
    """
    if here < most:
        return math.ceil(length * (1 - (most - 1 - here) / last) - gone) or 1
    return math.ceil(length - gone + length * (1 - (most - 1) / here)) or 1
