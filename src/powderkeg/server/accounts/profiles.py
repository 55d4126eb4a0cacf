"""The public page of an account: games, results, ratings and how reliable it is."""

import itertools
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import select

from powderkeg.server.db import schema
from powderkeg.server.db.rows import RatingChangeRow, RatingRow, TableRow, UserRow
from powderkeg.server.db.store import Store, Tx
from powderkeg.server.refusals import Refused

g, s, u = schema.games.c, schema.seats.c, schema.users.c
SHOWN_GAMES = 100
SHOWN_RANKS = 100


@dataclass(frozen=True, slots=True)
class Profile:
    """What everybody may know about an account."""

    user: UserRow
    ratings: list[RatingRow]
    changes: list[RatingChangeRow]  # the oldest first; of unlisted games without the table
    games: list[tuple[TableRow, str]]  # with the seat, the latest first

    @property
    def reliability(self) -> float | None:
        """The share of deadlines that were met."""
        user = self.user
        return round(max(0.0, 1 - user.misses / user.turns), 3) if user.turns else None


async def read_profile(store: Store, name: str, rules: Collection[str]) -> Profile:
    """The profile of an account, with its tables of these games; guests have none."""
    async with store.read() as tx:
        row = await tx.one(select(schema.users).where(u.key == name.casefold()))
        if row is None:
            raise Refused(404, "no_such_user", name=name)
        return await _load_profile(tx, UserRow.load(row), rules)


async def find_account_name(store: Store, user: str | None) -> str:
    """The name of the account of this id; empty for guests and nobody."""
    async with store.read() as tx:
        row = await tx.one(select(u.name, u.key).where(u.id == user)) if user else None
    return str(row.name) if row is not None and row.key else ""


async def _load_profile(tx: Tx, user: UserRow, rules: Collection[str]) -> Profile:
    rated, changes = schema.ratings, schema.rating_changes
    ratings = await tx.all(select(rated).where(rated.c.user == user.id))
    passed = select(changes).where(changes.c.user == user.id).order_by(changes.c.at)
    listed = select(g.id).join(changes, changes.c.game == g.id).where(changes.c.user == user.id)
    public = {row.id for row in await tx.all(listed.where(g.listed))}
    history = [RatingChangeRow.load(row) for row in await tx.all(passed)]
    return Profile(
        user,
        [RatingRow.load(row) for row in ratings],
        [row if row.game in public else replace(row, game="") for row in history],
        await _find_played(tx, user.id, rules),
    )


async def _find_played(tx: Tx, user: str, rules: Collection[str]) -> list[tuple[TableRow, str]]:
    """The latest listed tables of an account. One that is anonymous is public only when it is over,
    which the settings say and no column: so more are read until there are enough."""
    mine = select(schema.games, s.seat.label("my_seat")).join(schema.seats, s.game == g.id)
    played = mine.where(
        s.user == user, g.listed, g.purpose == "game", g.status.in_(["live", "paused", "over"])
    ).where(g.rules.in_(rules))
    latest = played.order_by(g.moved.desc(), g.id).limit(SHOWN_GAMES)
    shown: list[tuple[TableRow, str]] = []
    for start in itertools.count(0, SHOWN_GAMES):
        rows = await tx.all(latest.offset(start))
        tables = [(_load_table(dict(row._mapping)), row.my_seat) for row in rows]  # noqa: SLF001  # SQLAlchemy's public name
        shown += [(table, seat) for table, seat in tables if not table.is_anonymous]
        if len(rows) < SHOWN_GAMES or len(shown) >= SHOWN_GAMES:
            break
    return shown[:SHOWN_GAMES]


def _load_table(columns: Mapping[str, Any]) -> TableRow:
    return TableRow.from_columns({k: v for k, v in columns.items() if k != "my_seat"})


async def list_ranks(store: Store, rules: str) -> list[Any]:
    """The best accounts of a game: name, kind and rating."""
    r = schema.ratings.c
    query = (
        select(u.name, u.kind, r.mu, r.sigma, r.played)
        .join(schema.ratings, r.user == u.id)
        .where(r.rules == rules)
        .order_by((r.mu - 2 * r.sigma).desc())
        .limit(SHOWN_RANKS)
    )
    async with store.read() as tx:
        return list(await tx.all(query))
