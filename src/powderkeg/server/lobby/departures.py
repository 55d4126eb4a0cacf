"""Who has left a league: it is not in their list until they sit down at a table of it again."""

from collections.abc import Iterable

from sqlalchemy import ColumnElement, delete, select, update

from powderkeg.server.db import schema
from powderkeg.server.db.store import Tx

g, s, d = schema.games.c, schema.seats.c, schema.league_departures.c


def sits_in(league: ColumnElement[str], user: str) -> ColumnElement[bool]:
    """Whether somebody has a seat at a table of a league."""
    seated = select(g.league).join(schema.seats, s.game == g.id).where(s.user == user)
    return league.in_(seated)


def plays_in(league: ColumnElement[str], user: str) -> ColumnElement[bool]:
    """Whether somebody has a seat there and has not left the league since they sat down."""
    left = select(d.league).where(d.user == user)
    return sits_in(league, user) & league.not_in(left)


async def note_departure(tx: Tx, league: str, user: str, now: float) -> None:
    left = {"league": league, "user": user, "at": now}
    await tx.run(tx.upsert(schema.league_departures, left, ["league", "user"], {"at": now}))


async def end_departures(tx: Tx, league: str | None, users: Iterable[str | None]) -> None:
    """Who sits down at a table of a league is in it again."""
    if league is not None:
        back = (d.league == league) & d.user.in_([user for user in users if user])
        await tx.run(delete(schema.league_departures).where(back))


async def adopt_departures(tx: Tx, guest: str, account: str) -> None:
    """Give an account the departures of its owner as a guest, before the guest's seats. A league in which
    one of the two still plays is not left."""
    table = schema.league_departures
    for leaver, other in ((guest, account), (account, guest)):
        stays = plays_in(d.league, other)
        await tx.run(delete(table).where(d.user == leaver, stays))
    known = select(d.league).where(d.user == account)
    moved = update(table).where(d.user == guest, d.league.not_in(known))
    await tx.run(moved.values(user=account))
    await tx.run(delete(table).where(d.user == guest))
