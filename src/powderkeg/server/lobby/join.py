"""Sitting down at a table and standing up again."""

from sqlalchemy import select

from powderkeg.server.accounts.identity import Principal
from powderkeg.server.accounts.tokens import hash_token
from powderkeg.server.db import schema
from powderkeg.server.refusals import conflict, forbidden
from powderkeg.server.schemas.tables import JoinIn
from powderkeg.server.tables.announcements import announce
from powderkeg.server.tables.cache import TableCache
from powderkeg.server.tables.loaded import LoadedTable, TableChange


async def join_as_person(change: TableChange, who: Principal, wish: JoinIn) -> str:
    """Take a seat before the start, or a vacant one later; return the seat."""
    seat = _take_seat(change, who, wish)
    if change.loaded.row.status != "open" and change.is_touched:
        await announce(change, "server.said.took_over", seat=seat)
    return seat


def _take_seat(change: TableChange, who: Principal, wish: JoinIn) -> str:
    loaded, user = change.loaded, who.need_user("tables")
    if loaded.row.has_ended:
        raise conflict(f"table_{loaded.row.status}")
    if not _invited_seats(loaded, user):
        _check_join_policy(loaded, who, wish.invite)
    free = _free_seats(loaded, user)
    if held := loaded.held_by(user, frozenset()):
        if wish.seat is None or wish.seat in held:
            return held[0]
        if loaded.row.status != "open" or wish.seat not in free:
            raise conflict("seat_taken", seat=wish.seat)
        _empty_seat(change, held[0])  # before the start one may move over
    if not free:
        raise conflict("table_full")
    seat = wish.seat or free[0]
    if seat not in free:
        raise conflict("seat_taken", seat=seat)
    seat_person(change, seat, user, wish.name or who.name)
    return seat


def _invited_seats(loaded: LoadedTable, user: str) -> list[str]:
    return [x.seat for x in loaded.seats.values() if x.kind == "invited" and x.user == user]


def _free_seats(loaded: LoadedTable, user: str) -> list[str]:
    if loaded.row.status != "open":
        return [x.seat for x in loaded.seats.values() if x.vacant]
    mine = _invited_seats(loaded, user)
    return mine or [x.seat for x in loaded.seats.values() if x.kind == "open"]


def _check_join_policy(loaded: LoadedTable, who: Principal, invite: str) -> None:
    policy = loaded.settings.join
    knows = hash_token(invite) == loaded.row.invite
    if policy == "link" and not knows and loaded.row.owner != who.id:
        raise forbidden("needs_invite")
    if policy == "accounts" and who.need_account("tables").kind == "guest":
        raise forbidden("no_guests")


def seat_person(change: TableChange, seat: str, user: str, name: str) -> None:
    change.set_seat(
        seat,
        kind="person",
        user=user,
        name=name,
        level="",
        misses=0,
        autopilot=False,
        vacant=False,
        seen=change.now,
    )
    change.tx.publish("lobby")
    change.tx.publish(f"user:{user}")


def seat_bot(change: TableChange, seat: str, level: str) -> None:
    change.set_seat(seat, kind="bot", level=level, user=None, name="")


def leave_seat(change: TableChange, seat: str) -> None:
    """Leave a seat. Before the start it is free again; later a bot plays on and others may take the
    seat."""
    if change.loaded.row.status == "open":
        _empty_seat(change, seat)
    else:
        vacate_seat(change, seat)


def _empty_seat(change: TableChange, seat: str) -> None:
    if user := change.loaded.seats[seat].user:
        change.tx.publish(f"user:{user}")
    change.set_seat(seat, kind="open", user=None, name="", level="")
    change.tx.publish("lobby")


def vacate_seat(change: TableChange, seat: str) -> None:
    """A bot plays on; anybody may take the seat over."""
    if user := change.loaded.seats[seat].user:
        change.tx.publish(f"user:{user}")
    change.set_seat(seat, user=None, name="", autopilot=True, vacant=True, due=None)
    change.tx.publish("lobby")


async def return_to_seats(change: TableChange, who: Principal) -> None:
    """Give seats back to a person who has returned; their bots stop playing."""
    held = change.loaded.held_by(who.id, who.grants)
    if not held:
        raise forbidden("not_your_seat")
    for seat in held:
        if change.loaded.seats[seat].autopilot:
            change.set_seat(seat, autopilot=False, vacant=False, misses=0, asked=None)
            await announce(change, "server.said.back", seat=seat)


async def leave_all_tables(cache: TableCache, user: str, *, forget: bool) -> None:
    """Leave all tables of a user; with `forget`, also remove the name from finished games."""
    s, g = schema.seats.c, schema.games.c
    query = select(s.game).join(schema.games, g.id == s.game).where(s.user == user)
    if not forget:
        query = query.where(g.status.in_(["open", "live", "paused"]))
    async with cache.store.read() as tx:
        tables = {row.game for row in await tx.all(query)}
    for table in sorted(tables):
        async with cache.change(table) as change:
            for seat in change.loaded.held_by(user, frozenset()):
                if not change.loaded.row.has_ended:
                    leave_seat(change, seat)
                elif forget:
                    change.set_seat(seat, user=None, name="")
