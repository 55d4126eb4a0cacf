"""Letters, offers, proposals, nudges, reports, and webhooks of a table."""

from typing import Annotated

from fastapi import APIRouter, Query

from powderkeg.server.db import schema
from powderkeg.server.db.rows import HookRow
from powderkeg.server.http.deps import PrincipalDep, SeatQuery, ServerDep
from powderkeg.server.press import letters, offers, proposals
from powderkeg.server.refusals import Refused
from powderkeg.server.schemas.accounts import HookIn, HookOut, HooksOut
from powderkeg.server.schemas.base import DoneOut
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
from powderkeg.server.tables import hooks
from powderkeg.server.tables.announcements import nudge_waiting
from powderkeg.server.tables.commands import own_seat
from powderkeg.server.views.present import present_proposal
from powderkeg.server.views.readers import Reader, find_reader

router = APIRouter(prefix="/api", tags=["talk"])


@router.get("/tables/{table}/press")
async def get_letters(
    table: str,
    server: ServerDep,
    who: PrincipalDep,
    since: Annotated[int, Query(ge=0, le=2**31 - 1)] = 0,
    limit: Annotated[int, Query(ge=1, le=500)] = 200,
    seat: SeatQuery = None,
) -> PressPage:
    """The letters that I may read, after letter `since`."""
    return await letters.read_letters(server.cache, who, table, seat, since, limit)


@router.post("/tables/{table}/press")
async def post_letter(table: str, wish: PressIn, server: ServerDep, who: PrincipalDep) -> PressOut:
    """Write to everybody or to some seats; spectators write to each other."""
    who.need_scope("play")
    server.limiter.check_here("press", who.limit_key)
    return await letters.send_letter(server.cache, who, table, wish)


@router.get("/tables/{table}/offers")
async def get_offers(
    table: str, server: ServerDep, who: PrincipalDep, seat: SeatQuery = None
) -> OffersOut:
    """The promises that can be made at this table in the formal language of its bots."""
    async with server.cache.look(table) as loaded:
        return offers.present_offers(loaded, find_reader(loaded, who, seat))


@router.get("/inbox")
async def get_inbox(server: ServerDep, who: PrincipalDep) -> ProposalsOut:
    """Every open proposal at my tables."""
    return ProposalsOut(proposals=await proposals.list_inbox(server.cache, who))


@router.get("/tables/{table}/proposals")
async def get_proposals(
    table: str, server: ServerDep, who: PrincipalDep, seat: SeatQuery = None
) -> ProposalsOut:
    """The latest proposals at a table, open and decided, newest first."""
    return ProposalsOut(proposals=await proposals.list_ballots(server.cache, who, table, seat))


@router.post("/tables/{table}/proposals")
async def post_proposal(
    table: str, wish: ProposalIn, server: ServerDep, who: PrincipalDep
) -> ProposalOut:
    """Make a proposal."""
    who.need_scope("play")
    server.limiter.check_here("propose", who.limit_key)
    async with server.cache.change(table) as change:
        seat = own_seat(change.loaded, who, wish.seat)
        proposal = await proposals.make_proposal(change, seat, wish)
        held = tuple(change.loaded.held_by(who.id, who.grants))
        reader = Reader(who, seat, held, lang=who.lang)
        return present_proposal(change.loaded, proposal, reader)


@router.post("/tables/{table}/proposals/{number}/vote")
async def post_vote(
    table: str, number: int, wish: VoteIn, server: ServerDep, who: PrincipalDep
) -> ProposalOut:
    """Vote for or against a proposal; the proposer withdraws it by voting against it."""
    who.need_scope("play")
    server.limiter.check_here("propose", who.limit_key)
    async with server.cache.change(table) as change:
        held = change.loaded.held_by(who.id, who.grants)
        proposal = await proposals.cast_vote(change, number, wish.seat, held, agree=wish.agree)
        reader = Reader(who, wish.seat, tuple(held), lang=who.lang)
        return present_proposal(change.loaded, proposal, reader)


@router.post("/tables/{table}/nudge")
async def post_nudge(table: str, server: ServerDep, who: PrincipalDep) -> DoneOut:
    """Remind the players that the table waits for; this is limited."""
    who.need_scope("play")
    async with server.cache.change(table) as change:
        await nudge_waiting(change, change.loaded.held_by(who.id, who.grants))
    return DoneOut()


@router.post("/tables/{table}/report")
async def post_report(table: str, wish: ReportIn, server: ServerDep, who: PrincipalDep) -> DoneOut:
    """Report a player's conduct to the host of the server."""
    by = who.need_user("play")
    server.limiter.check_here("propose", who.limit_key)
    async with server.cache.look(table) as loaded:
        find_reader(loaded, who, None)
        if wish.seat not in loaded.seats:
            raise Refused(404, "no_such_seat", seat=wish.seat)
        held = loaded.seats[wish.seat]
    row = {"game": table, "by": by, "seat": wish.seat, "text": wish.text, "at": server.clock()}
    row |= {"about": held.user, "name": held.name}
    async with server.store.write() as tx:
        await tx.run(schema.reports.insert().values(**row))
    return DoneOut()


@router.get("/tables/{table}/hooks")
async def get_hooks(table: str, server: ServerDep, who: PrincipalDep) -> HooksOut:
    """The webhooks of a table, for its host."""
    found = await hooks.list_hooks(server.cache, who, table)
    return HooksOut(hooks=[_present_hook(hook) for hook in found])


def _present_hook(hook: HookRow) -> HookOut:
    return HookOut(id=hook.id, url=hook.url, form=hook.form, error=hook.error)


@router.post("/tables/{table}/hooks")
async def post_hook(table: str, wish: HookIn, server: ServerDep, who: PrincipalDep) -> HookOut:
    """Tell a channel whose turn it is: one message per turn, however many are asked."""
    return _present_hook(await hooks.add_hook(server.cache, who, table, wish))


@router.delete("/tables/{table}/hooks/{hook}")
async def delete_hook(table: str, hook: str, server: ServerDep, who: PrincipalDep) -> DoneOut:
    await hooks.drop_hook(server.cache, who, table, hook)
    return DoneOut()
