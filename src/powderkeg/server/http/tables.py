"""Tables: make, join, start, look, play, look back."""

from typing import Annotated

from fastapi import APIRouter, Query

from powderkeg.core.errors import RulesError
from powderkeg.server.accounts.identity import Principal
from powderkeg.server.app import Server, Srv, Who, status_of
from powderkeg.server.press.letters import say_at_table
from powderkeg.server.refusals import Refused, conflict, forbidden, with_table
from powderkeg.server.schemas.base import Done
from powderkeg.server.schemas.play import (
    ActIn,
    ActOut,
    ActRefused,
    DraftIn,
    LogOut,
    MomentOut,
    ReadIn,
    ReadOut,
    UndoIn,
)
from powderkeg.server.schemas.tables import ChangeSeatIn, JoinIn, Made, TableIn, TableOut
from powderkeg.server.tables import create, history

router = APIRouter(prefix="/api/tables", tags=["tables"])
AsSeat = Annotated[str | None, Query(alias="seat", max_length=40)]
Text = Annotated[bool, Query(description="with the board in words")]
Raw = Annotated[bool, Query(description="for programs: codes and legal actions")]


@router.post("")
async def make(wish: TableIn, server: Srv, who: Who) -> Made:
    """A new table. With `start` the game begins at once, bots in the seats left open."""
    await server.limiter.count("create", who.limit_key)
    table, invite, invites = await create.make(server.rooms, who, wish)
    if wish.start:
        async with server.rooms.change(table) as change:
            create.start(change)
    base = server.settings.public_url
    return Made(
        id=table,
        invite=invite,
        link=f"{base}/t/{table}?invite={invite}",
        invites={seat: f"{base}/s/{token}" for seat, token in invites.items()},
        table=await history.table(server.rooms, who, table, None, text=True),
    )


@router.get("/{table}")
async def look(
    table: str, server: Srv, who: Who, seat: AsSeat = None, *, text: Text = True, raw: Raw = False
) -> TableOut:
    """The table as I may see it. Who holds several seats says through whose eyes."""
    return await history.table(server.rooms, who, table, seat, text=text, raw=raw)


@router.post("/{table}/join")
async def join(table: str, wish: JoinIn, server: Srv, who: Who) -> TableOut:
    """Sit down: at a seat of my choice or any, before the start or in a seat left vacant."""
    async with server.rooms.change(table) as change:
        seat = create.join(change, who, wish)
        if change.room.row.status != "open" and change.touched:
            await say_at_table(change, "took_over", seat=seat)
    return await history.table(server.rooms, who, table, seat, text=True)


@router.post("/{table}/leave")
async def leave(table: str, server: Srv, who: Who, seat: AsSeat = None) -> Done:
    """Stand up, from one seat or from all that I hold. In a running game a bot plays on and the
    seat may be taken over."""
    who.need("play")
    async with server.rooms.change(table) as change:
        held = change.room.held_by(who.id, who.grants)
        left = [name for name in held if seat in (None, name)]
        if not left:
            raise forbidden("not_your_seat")
        for name in left:
            create.leave(change, name)
    return Done()


@router.post("/{table}/start")
async def start(table: str, server: Srv, who: Who) -> TableOut:
    """Begin, with bots in the seats left open (unless the table says otherwise)."""
    who.need_user("tables")
    async with server.rooms.change(table) as change:
        if change.room.row.owner != who.id:
            raise forbidden("not_host")
        create.start(change)
    return await history.table(server.rooms, who, table, None, text=True)


@router.put("/{table}/seats/{seat}")
async def change_seat(table: str, seat: str, wish: ChangeSeatIn, server: Srv, who: Who) -> TableOut:
    """The host puts a bot into a free seat, or frees a seat, before the start."""
    who.need_user("tables")
    async with server.rooms.change(table) as change:
        room = change.room
        if room.row.owner != who.id:
            raise forbidden("not_host")
        if seat not in room.seats:
            raise Refused(404, "no_such_seat", seat=seat)
        if room.row.status != "open":
            raise conflict("already_started")
        if wish.kind == "bot":
            level = create.level_for(wish.level)
            change.set_seat(seat, kind="bot", level=level, user=None, name="")
            change.tx.tell("lobby")
        else:
            create.leave(change, seat)
    return await history.table(server.rooms, who, table, None, text=True)


@router.post("/{table}/act", responses={409: {"model": ActRefused}, 422: {"model": ActRefused}})
async def act(table: str, wish: ActIn, server: Srv, who: Who) -> ActOut:
    """Answer the question. Refusals say why, by which rule, and show the table as it is now."""
    who.need("play")
    server.limiter.check("act", who.limit_key)
    try:
        seat, head = await history.act(server.rooms, who, table, wish)
    except RulesError as error:
        raise await _refused(server, who, table, wish.seat, error) from error
    now = await history.table(server.rooms, who, table, seat, text=False)
    return ActOut(seq=now.seq, repeated=head is None, table=now)


@router.post("/{table}/undo", responses={409: {"model": ActRefused}})
async def undo(table: str, wish: UndoIn, server: Srv, who: Who) -> ActOut:
    """Take back my last action, where nothing came to light since."""
    who.need("play")
    server.limiter.check("act", who.limit_key)
    try:
        seat, head = await history.undo(server.rooms, who, table, wish)
    except RulesError as error:
        raise await _refused(server, who, table, wish.seat, error) from error
    now = await history.table(server.rooms, who, table, seat, text=False)
    return ActOut(seq=now.seq, repeated=head is None, table=now)


async def _refused(
    server: Server, who: Principal, table: str, seat: str | None, error: RulesError
) -> RulesError:
    status = status_of(error)
    if status not in (409, 422):
        return error
    try:
        now = await history.table(server.rooms, who, table, seat, text=False)
        shown = now.model_dump()
    except RulesError:
        shown = None
    return with_table(error, status, shown)


@router.put("/{table}/draft")
async def draft(table: str, wish: DraftIn, server: Srv, who: Who) -> Done:
    """Keep what I have in mind, on every device of mine; nobody else sees it."""
    who.need("play")
    server.limiter.check("act", who.limit_key)
    await history.draft(server.rooms, who, table, wish)
    return Done()


@router.post("/{table}/read")
async def read(table: str, wish: ReadIn, server: Srv, who: Who) -> ReadOut:
    """What typed orders mean, in whichever of our languages; `act` with each `wire` gives them.
    Nothing is done yet, and what is unclear or not allowed is told for each order."""
    who.need("play")
    server.limiter.check("typed", who.limit_key)
    return await history.read(server.rooms, who, table, wish)


@router.get("/{table}/log")
async def log(
    table: str,
    server: Srv,
    who: Who,
    since: Annotated[int, Query(ge=0, le=10**9)] = 0,
    limit: Annotated[int, Query(ge=1, le=1000)] = 500,
    seat: AsSeat = None,
) -> LogOut:
    """What happened, as far as I may know, in my language."""
    return await history.log(server.rooms, who, table, seat, since, limit)


@router.get("/{table}/at/{seq}")
async def at(table: str, seq: int, server: Srv, who: Who, seat: AsSeat = None) -> MomentOut:
    """What I could see after the first `seq` entries of the log."""
    return await history.moment(server.rooms, who, table, seat, seq)
