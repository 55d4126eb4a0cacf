"""Press, proposals, nudges, reports, hooks of a table."""

from types import SimpleNamespace
from typing import Annotated

from fastapi import APIRouter, Query
from sqlalchemy import delete, select

from powderkeg.server.accounts import identity
from powderkeg.server.app import Srv, Who
from powderkeg.server.db import schema
from powderkeg.server.notices import outbox
from powderkeg.server.press import letters
from powderkeg.server.press import offers as forms
from powderkeg.server.refusals import Refused, conflict, forbidden
from powderkeg.server.schemas.accounts import HookIn, HookOut, HooksOut
from powderkeg.server.schemas.base import Done
from powderkeg.server.schemas.press import (
    OffersOut,
    PressIn,
    PressOut,
    PressPage,
    ProposalIn,
    ProposalOut,
    ProposalsOut,
    ReportIn,
    VoteIn,
)
from powderkeg.server.tables import history, present
from powderkeg.server.tables.cache import record

router = APIRouter(prefix="/api", tags=["talk"])
COOL_DOWN = 6 * 3600.0  # between two nudges at a table
HOOKS = 5  # of one table
AsSeat = Annotated[str | None, Query(alias="seat", max_length=40)]
h, s, pr = schema.hooks.c, schema.seats.c, schema.proposals.c


@router.get("/tables/{table}/press")
async def read(
    table: str,
    server: Srv,
    who: Who,
    since: Annotated[int, Query(ge=0, le=2**31 - 1)] = 0,
    limit: Annotated[int, Query(ge=1, le=500)] = 200,
    seat: AsSeat = None,
) -> PressPage:
    """What was said where I may listen, after message `since`."""
    return await letters.listen(server.rooms, who, table, seat, since, limit)


@router.post("/tables/{table}/press")
async def speak(table: str, wish: PressIn, server: Srv, who: Who) -> PressOut:
    """Say something to everybody, or to some seats; watchers speak among themselves."""
    who.need("play")
    server.limiter.check("press", who.limit_key)
    return await letters.speak(server.rooms, who, table, wish)


@router.get("/tables/{table}/offers")
async def offers(table: str, server: Srv, who: Who, seat: AsSeat = None) -> OffersOut:
    """What can be promised at this table in the formal language of its bots."""
    async with server.rooms.look(table) as room:
        return forms.offers(room, present.reader(room, who, seat))


@router.get("/inbox")
async def inbox(server: Srv, who: Who) -> ProposalsOut:
    """Every open proposal at my tables: one place to look."""
    user = who.need_user("read")
    mine = select(s.game).where(s.user == user).scalar_subquery()
    async with server.store.read() as tx:
        rows = await tx.all(
            select(schema.proposals).where(pr.game.in_(mine), pr.status == "open").order_by(pr.id)
        )
    found = []
    for row in rows:
        async with server.rooms.look(row.game) as room:
            held = tuple(room.held_by(user, frozenset()))
            readers = [present.Reader(who, seat, held, lang=who.lang) for seat in held]
            concerned = [reader for reader in readers if present.concerns(room, row, reader)]
            if concerned:
                found.append(present.proposal_out(room, record(row), concerned[0]))
    return ProposalsOut(proposals=found)


@router.post("/tables/{table}/proposals")
async def propose(table: str, wish: ProposalIn, server: Srv, who: Who) -> ProposalOut:
    """Put a proposal on the table."""
    who.need("play")
    server.limiter.check("propose", who.limit_key)
    async with server.rooms.change(table) as change:
        seat = history.seat_of(change.room, who, wish.seat)
        made = await letters.propose(change, seat, wish)
        held = tuple(change.room.held_by(who.id, who.grants))
        return present.proposal_out(
            change.room, made, present.Reader(who, seat, held, lang=who.lang)
        )


@router.post("/tables/{table}/proposals/{number}/vote")
async def vote(table: str, number: int, wish: VoteIn, server: Srv, who: Who) -> ProposalOut:
    """Agree or not; who proposed withdraws by not agreeing."""
    who.need("play")
    server.limiter.check("propose", who.limit_key)
    async with server.rooms.change(table) as change:
        held = change.room.held_by(who.id, who.grants)
        made = await letters.vote(change, number, wish.seat, held, agree=wish.agree)
        reader = present.Reader(who, wish.seat, tuple(held), lang=who.lang)
        return present.proposal_out(change.room, made, reader)


@router.post("/tables/{table}/nudge")
async def nudge(table: str, server: Srv, who: Who) -> Done:
    """Remind those who keep the table waiting, politely and not often."""
    who.need("play")
    async with server.rooms.change(table) as change:
        room = change.room
        held = room.held_by(who.id, who.grants)
        if not held:
            raise forbidden("not_your_seat")
        if room.row.status != "live":
            raise conflict(f"table_{room.row.status}")
        waiting = [x for x in room.seats.values() if x.seat in room.row.to_act and x.user]
        others = [x for x in waiting if x.seat not in held]
        if not others:
            raise conflict("nobody_to_nudge")
        if room.row.nudged is not None and change.now - room.row.nudged < COOL_DOWN:
            raise conflict("nudged_already")
        change.set(nudged=change.now)
        for seat in others:
            await outbox.nudge(change, seat)
    return Done()


@router.post("/tables/{table}/report")
async def report(table: str, wish: ReportIn, server: Srv, who: Who) -> Done:
    """Tell the host about somebody's conduct."""
    by = who.need_user("play")
    server.limiter.check("propose", who.limit_key)
    async with server.rooms.look(table) as room:
        present.reader(room, who, None)
        if wish.seat not in room.seats:
            raise Refused(404, "no_such_seat", seat=wish.seat)
    row = {"game": table, "by": by, "seat": wish.seat, "text": wish.text, "at": server.clock()}
    async with server.store.write() as tx:
        await tx.run(schema.reports.insert().values(**row))
    return Done()


@router.get("/tables/{table}/hooks")
async def hooks(table: str, server: Srv, who: Who) -> HooksOut:
    """The webhooks of a table, for its host."""
    await _host(server, who, table)
    async with server.store.read() as tx:
        rows = await tx.all(select(schema.hooks).where(h.game == table))
    return HooksOut(hooks=[HookOut(id=r.id, url=r.url, form=r.form, error=r.error) for r in rows])


@router.post("/tables/{table}/hooks")
async def add_hook(table: str, wish: HookIn, server: Srv, who: Who) -> HookOut:
    """Tell a channel whose turn it is: one message a turn, however many are asked."""
    row = {
        "id": identity.new_id(),
        "game": table,
        "url": wish.url,
        "form": wish.form,
        "lang": who.lang,
        "error": "",
    }
    user = who.need_user("tables")
    async with server.rooms.change(table) as change:
        if change.room.row.owner != user:
            raise forbidden("not_host")
        if len(change.room.hooks) >= HOOKS:
            raise conflict("hooks_enough", n=HOOKS)
        await change.tx.run(schema.hooks.insert().values(**row))
        change.room.hooks.append(SimpleNamespace(**row))
        change.touch()
    return HookOut(id=str(row["id"]), url=wish.url, form=wish.form)


@router.delete("/tables/{table}/hooks/{hook}")
async def drop_hook(table: str, hook: str, server: Srv, who: Who) -> Done:
    await _host(server, who, table)
    async with server.rooms.change(table) as change:
        await change.tx.run(delete(schema.hooks).where(h.game == table, h.id == hook))
        change.room.hooks = [each for each in change.room.hooks if each.id != hook]
        change.touch()
    return Done()


async def _host(server: Srv, who: Who, table: str) -> None:
    user = who.need_user("tables")
    async with server.rooms.look(table) as room:
        if room.row.owner != user:
            raise forbidden("not_host")
