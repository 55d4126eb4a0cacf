"""Looking at a table and playing at it, for one person."""

import asyncio
from typing import Any

from sqlalchemy import delete, func, select
from sqlalchemy.dialects import postgresql, sqlite

from powderkeg.core.table import UNDO
from powderkeg.server.accounts.identity import Principal
from powderkeg.server.db import schema
from powderkeg.server.refusals import Refused, conflict, forbidden
from powderkeg.server.schemas.play import (
    ActIn,
    DraftIn,
    EntryOut,
    LogOut,
    MomentOut,
    PhaseMark,
    ReadIn,
    ReadOut,
    UndoIn,
)
from powderkeg.server.schemas.tables import TableOut
from powderkeg.server.tables import present, typed_orders
from powderkeg.server.tables.cache import Room, Rooms
from powderkeg.server.tables.present import Reader
from powderkeg.server.tables.replay import Fold

lg, d = schema.log.c, schema.drafts.c


async def table(
    rooms: Rooms,
    who: Principal,
    table: str,
    seat: str | None,
    *,
    text: bool,
    raw: bool = False,
    trust: bool = False,
) -> TableOut:
    async with rooms.look(table, trust=trust) as room:
        reader = present.reader(room, who, seat, text=text, raw=raw)
        late = await _late(rooms, room, reader)
        return present.table_out(room, reader, rooms.clock(), late)


async def _late(rooms: Rooms, room: Room, reader: Reader) -> Fold | None:
    """The game as who watches with a delay may see it."""
    if room.fold is None or not present.delay_of(room, reader):
        return None
    seq = await visible(rooms, room, reader)
    async with rooms.store.read() as tx:
        return await rooms.fold_at(tx, room.row, seq)


def seat_of(room: Room, who: Principal, seat: str | None) -> str:
    """The seat for which a person acts: the one named, or the only one they hold."""
    held = room.held_by(who.id, who.grants)
    if seat is not None:
        if seat not in held:
            raise forbidden("not_your_seat")
        return seat
    if not held:
        raise forbidden("not_your_seat")
    if len(held) > 1:
        owed = [name for name in held if name in room.row.to_act]
        if len(owed) != 1:
            raise conflict("which_seat")
        return owed[0]
    return held[0]


async def _my_seat(rooms: Rooms, who: Principal, table: str, seat: str | None) -> str:
    """The same, by what this process knows: whether it is so is looked at when the table changes.
    Only where it is not clear, the database is asked first."""
    async with rooms.look(table, trust=True) as room:
        held = room.held_by(who.id, who.grants)
        if seat in held:
            return seat
        if seat is None and len(held) == 1:
            return held[0]
    async with rooms.look(table) as room:
        return seat_of(room, who, seat)


async def act(rooms: Rooms, who: Principal, table: str, wish: ActIn) -> tuple[str, int | None]:
    texts = wish.texts if wish.texts is not None else [wish.text] if wish.text else []
    if not texts:
        raise Refused(422, "nothing_to_do")
    seat = await _my_seat(rooms, who, table, wish.seat)

    def mine(room: Room) -> bool:
        return seat in room.held_by(who.id, who.grants)

    head = await rooms.act(
        table, seat, texts, command=wish.command, question=wish.question, may=mine
    )
    return seat, head


async def undo(rooms: Rooms, who: Principal, table: str, wish: UndoIn) -> tuple[str, int | None]:
    seat = await _my_seat(rooms, who, table, wish.seat)

    def mine(room: Room) -> bool:
        return seat in room.held_by(who.id, who.grants)

    return seat, await rooms.undo(table, seat, command=wish.command, may=mine)


async def draft(rooms: Rooms, who: Principal, table: str, wish: DraftIn) -> None:
    async with rooms.look(table) as room:
        seat = seat_of(room, who, wish.seat)
        if room.row.status != "live":
            raise conflict(f"table_{room.row.status}")
    async with rooms.store.write() as tx:
        if wish.value is None:
            await tx.run(delete(schema.drafts).where(d.game == table, d.seat == seat))
        else:
            kept = {"question": wish.question, "value": wish.value, "at": rooms.clock()}
            insert = postgresql.insert if tx.is_postgres else sqlite.insert
            first: Any = insert(schema.drafts).values(game=table, seat=seat, **kept)
            await tx.run(first.on_conflict_do_update(index_elements=["game", "seat"], set_=kept))
        tx.tell(f"table:{table}", draft=seat)


async def read(rooms: Rooms, who: Principal, table: str, wish: ReadIn) -> ReadOut:
    """What orders typed by a person mean; nothing is done yet."""
    async with rooms.look(table) as room:
        seat = seat_of(room, who, wish.seat)
        if room.row.status != "live":
            raise conflict(f"table_{room.row.status}")
        game, state = room.game, present.seen(room, present.reader(room, who, seat)).state
    return await asyncio.to_thread(typed_orders.read, game, state, seat, wish.text, who.lang)


async def log(
    rooms: Rooms, who: Principal, table: str, seat: str | None, since: int, limit: int
) -> LogOut:
    async with rooms.look(table) as room:
        reader = present.reader(room, who, seat)
        upto = await visible(rooms, room, reader)
        mine = present.is_hidden(room) and reader.seat
        over = room.row.status in ("over", "closed")
        game, anonymous = room.game, bool(room.settings.get("anonymous")) and not over
        base = room.fold.base if room.fold else 0
    async with rooms.store.read() as tx:
        part = (lg.game == table) & (lg.seq >= since) & (lg.seq < upto)
        rows = list(await tx.all(select(schema.log).where(part).order_by(lg.seq).limit(limit)))
        own: list[Any] = []
        if show_own := mine and len(rows) < limit:
            unseen = (lg.game == table) & (lg.seq >= base) & (lg.seat == reader.seat)
            own = list(await tx.all(select(schema.log).where(unseen).order_by(lg.seq)))
        undone = {
            row.undoes
            for row in await tx.all(
                select(lg.undoes).where(
                    lg.game == table, lg.undoes.is_not(None), lg.undoes >= since
                )
            )
        }
        marks = await tx.all(
            select(func.min(lg.seq).label("seq"), lg.phase)
            .where(lg.game == table, lg.seq < upto)
            .group_by(lg.phase)
            .order_by(func.min(lg.seq))
        )
    numbered = [(row.seq, row) for row in rows]
    numbered += [(seq, row) for seq, row in enumerate(own, base) if seq >= since]  # as if alone
    entries = [
        _entry(row, seq, reader, game, undone=row.seq in undone, anonymous=anonymous, over=over)
        for seq, row in numbered
    ]
    phases = [
        PhaseMark(seq=m.seq, phase=m.phase, text=present.phase_label(game, m.phase, reader.lang))
        for m in marks
    ]
    more = len(rows) >= limit and not show_own
    return LogOut(entries=entries, phases=phases, next=rows[-1].seq + 1 if more else None, seq=upto)


def _entry(
    row: Any, seq: int, reader: Reader, game: Any, *, undone: bool, anonymous: bool, over: bool
) -> EntryOut:
    open_to_me = over or row.seat in reader.eyes
    return EntryOut(
        seq=seq,
        seat=row.seat,
        label=present.seat_label(game, row.seat, reader.lang),
        by=None if anonymous and not open_to_me else row.by,
        at=None if anonymous else row.at,
        do=row.do if open_to_me else None,
        undone=undone,
        undo=row.do == UNDO,
        phase=row.phase,
        facts=present.facts_out(row.facts, reader.seat, reader.lang),
    )


async def visible(rooms: Rooms, room: Room, reader: Reader) -> int:
    """How many entries of the log the reader may see."""
    if room.fold is None:
        return 0
    if delay := present.delay_of(room, reader):
        late = (lg.game == room.id) & (lg.at <= rooms.clock() - delay)
        async with rooms.store.read() as tx:
            return await tx.value(select(func.count()).where(late)) or 0
    if present.is_hidden(room):
        return room.fold.base
    return room.fold.seq


async def moment(rooms: Rooms, who: Principal, table: str, seat: str | None, seq: int) -> MomentOut:
    async with rooms.look(table) as room:
        reader = present.reader(room, who, seat)
        if not 0 <= seq <= await visible(rooms, room, reader):
            raise Refused(404, "no_such_moment", seq=seq)
        row, game = room.row, room.game
    async with rooms.store.read() as tx:
        fold = await rooms.fold_at(tx, row, seq)
    state = fold.table.state
    view = game.view(state, reader.seat)
    result = game.result(state)
    return MomentOut(
        seq=seq,
        seat=reader.seat,
        view=view,
        phase=fold.phase,
        phase_text=present.phase_label(game, fold.phase, reader.lang),
        to_act=sorted(fold.table.to_act),
        describe=present.described(game, view, reader.lang),
        captions=present.captions_out(game, view, reader.lang),
        result=present.result_out(present.result_dump(result), reader.lang) if result else None,
    )
