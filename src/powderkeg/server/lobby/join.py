"""Joining a table and leaving it."""

from collections.abc import Callable, Iterable
from dataclasses import replace

import structlog
from sqlalchemy import delete, select, update

from powderkeg.core.errors import RulesError
from powderkeg.server.accounts.identity import Principal
from powderkeg.server.accounts.tokens import hash_token
from powderkeg.server.db import schema
from powderkeg.server.db.rows import LessonRow, UserRow
from powderkeg.server.db.store import Tx
from powderkeg.server.lobby.departures import adopt_departures, end_departures
from powderkeg.server.refusals import conflict, forbidden
from powderkeg.server.schemas.tables import JoinIn
from powderkeg.server.tables.after_move import is_deserted
from powderkeg.server.tables.announcements import announce
from powderkeg.server.tables.cache import TableCache
from powderkeg.server.tables.loaded import LoadedTable, TableChange
from powderkeg.server.tables.pauses import pause_table

logger = structlog.get_logger()
NAMELESS = ("sandbox", "study")  # one person plays all seats: none has the name of its holder


async def join_as_person(change: TableChange, who: Principal, wish: JoinIn) -> str:
    """Take a seat before the start, or a vacant one later; return the seat."""
    seat = await _take_seat(change, who, wish)
    if change.loaded.row.status != "open" and change.is_touched:
        await announce(change, "server.said.took_over", seat=seat)
    return seat


async def _take_seat(change: TableChange, who: Principal, wish: JoinIn) -> str:
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
        _empty_seat(change, held[0])  # before the start a player may change seats
    if not free:
        raise conflict("table_full")
    seat = wish.seat or free[0]
    if seat not in free:
        raise conflict("seat_taken", seat=seat)
    await seat_person(change, seat, user, wish.name or who.name)
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


async def seat_person(change: TableChange, seat: str, user: str, name: str) -> None:
    change.set_seat(
        seat,
        kind="person",
        user=user,
        name=name,
        level="",
        character="",
        misses=0,
        autopilot=False,
        vacant=False,
        asked=None,
        due=None,
        seen=change.now,
    )
    await end_departures(change.tx, change.loaded.row.league, [user])
    change.tx.publish("lobby")
    change.tx.publish(f"user:{user}")


def seat_bot(change: TableChange, seat: str, level: str, character: str = "") -> None:
    change.set_seat(seat, kind="bot", level=level, character=character, user=None, name="")


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
    change.set_seat(seat, kind="open", user=None, name="", level="", character="")
    change.tx.publish("lobby")


def vacate_seat(change: TableChange, seat: str) -> None:
    """A bot plays on; anybody may take the seat over."""
    if user := change.loaded.seats[seat].user:
        change.tx.publish(f"user:{user}")
    change.set_seat(seat, user=None, name="", autopilot=True, vacant=True, due=None)
    change.tx.publish("lobby")


async def return_to_seats(change: TableChange, who: Principal) -> None:
    """Give seats back to a person who has returned; their bots stop playing. A table that everybody
    had left goes on waiting, for as long as any pause may last from now."""
    held = change.loaded.held_by(who.id, who.grants)
    if not held:
        raise forbidden("not_your_seat")
    if change.loaded.row.status == "paused" and is_deserted(change.loaded):
        await pause_table(change)
    for seat in held:
        if change.loaded.seats[seat].autopilot:
            change.set_seat(seat, autopilot=False, vacant=False, misses=0, asked=None, due=None)
            await announce(change, "server.said.back", seat=seat)


async def change_each(
    cache: TableCache, tables: Iterable[str], work: Callable[[TableChange], None]
) -> None:
    """Change several tables. One that cannot be opened any more, since its rules have changed, stays
    as it is: it must not keep anybody from their account."""
    for table in sorted(tables):
        try:
            async with cache.change(table) as change:
                work(change)
        except RulesError as error:
            logger.warning("a table cannot be opened", game=table, error=str(error))


async def rename_seats(cache: TableCache, user: str, old: str, new: str) -> None:
    """Give the seats of a person their new name. On a shared screen the others keep theirs."""
    s, g = schema.seats.c, schema.games.c
    named = select(s.game).join(schema.games, g.id == s.game).where(g.purpose.not_in(NAMELESS))
    async with cache.store.read() as tx:
        tables = {row.game for row in await tx.all(named.where(s.user == user))}

    def rename(change: TableChange) -> None:
        held = change.loaded.held_by(user, frozenset())
        for seat in held:
            if len(held) == 1 or change.loaded.seats[seat].name == old:
                change.set_seat(seat, name=new)
        change.tx.publish("lobby")

    await change_each(cache, tables, rename)


async def adopt_guest(cache: TableCache, guest: str, account: UserRow) -> None:
    """Give an account what its owner has as a guest: seats, tables, leagues, card packs and lessons."""
    async with cache.store.write() as tx:
        await adopt_departures(tx, guest, account.id)
    await _adopt_seats(cache, guest, account)
    packs = schema.packs
    async with cache.store.write() as tx:
        await tx.run(update(packs).where(packs.c.user == guest).values(user=account.id))
        leagues = schema.leagues
        await tx.run(update(leagues).where(leagues.c.owner == guest).values(owner=account.id))
        await _adopt_lessons(tx, guest, account.id)


async def _adopt_lessons(tx: Tx, guest: str, account: str) -> None:
    """An exercise that both have tried stays at the account's try; it was solved when the first of
    them solved it."""
    ls = schema.lessons.c
    found = await tx.all(select(schema.lessons).where(ls.user.in_([guest, account])))
    rows = [LessonRow.load(row) for row in found]
    known = {row.exercise: row for row in rows if row.user == account}
    for row in rows:
        if row.user == guest:
            kept = known.get(row.exercise, row)
            solved = min((x.solved for x in (row, kept) if x.solved is not None), default=None)
            fresh = replace(kept, user=account, solved=solved).values()
            await tx.run(tx.upsert(schema.lessons, fresh, ["user", "exercise"], {"solved": solved}))
    await tx.run(delete(schema.lessons).where(ls.user == guest))


async def _adopt_seats(cache: TableCache, guest: str, account: UserRow) -> None:
    """A table at which the account sits already stays as it is."""
    s, g = schema.seats.c, schema.games.c
    theirs = g.id.in_(select(s.game).where(s.user == guest)) | (g.owner == guest)
    async with cache.store.read() as tx:
        tables = [row.id for row in await tx.all(select(g.id).where(theirs))]

    def adopt(change: TableChange) -> None:
        if change.loaded.row.owner == guest:
            change.set(owner=account.id)
        if not change.loaded.held_by(account.id, frozenset()):
            held = change.loaded.held_by(guest, frozenset())
            alone = len(held) == 1 and change.loaded.row.purpose not in NAMELESS
            for seat in held:
                name = account.name if alone else change.loaded.seats[seat].name
                change.set_seat(seat, user=account.id, name=name)
        change.tx.publish("lobby")
        change.tx.publish(f"user:{account.id}")

    await change_each(cache, tables, adopt)


async def leave_all_tables(cache: TableCache, user: str, *, forget: bool) -> None:
    """Leave all tables of a user; with `forget`, also remove the name from finished games."""
    s, g = schema.seats.c, schema.games.c
    query = select(s.game).join(schema.games, g.id == s.game).where(s.user == user)
    if not forget:
        query = query.where(g.status.in_(["open", "live", "paused"]))
    async with cache.store.read() as tx:
        tables = {row.game for row in await tx.all(query)}

    def leave(change: TableChange) -> None:
        for seat in change.loaded.held_by(user, frozenset()):
            if not change.loaded.row.has_ended:
                leave_seat(change, seat)
            elif forget:
                change.set_seat(seat, user=None, name="")

    await change_each(cache, tables, leave)
    if forget:  # also at tables that cannot be opened
        async with cache.store.write() as tx:
            await tx.run(update(schema.seats).where(s.user == user).values(user=None, name=""))
