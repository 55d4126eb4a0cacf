"""Tables: create, join, start, view, play and review them."""

from typing import Annotated

from fastapi import APIRouter, Query

from powderkeg.core.errors import RulesError
from powderkeg.server.accounts.identity import Principal
from powderkeg.server.http.deps import PrincipalDep, SeatQuery, ServerDep
from powderkeg.server.http.errors import refusal_status
from powderkeg.server.lobby import create, join
from powderkeg.server.process import ServerProcess
from powderkeg.server.refusals import Refused, conflict, forbidden, with_table
from powderkeg.server.schemas.base import DoneOut
from powderkeg.server.schemas.play import (
    ActIn,
    ActOut,
    ActRefused,
    DraftIn,
    LogOut,
    MomentOut,
    ReadIn,
    ReadOut,
    ScenesOut,
    ScoreOut,
    UndoIn,
)
from powderkeg.server.schemas.tables import ChangeSeatIn, JoinIn, Made, TableIn, TableOut, TermsOut
from powderkeg.server.tables import commands
from powderkeg.server.views import history, present, readers, reports, typed_orders
from powderkeg.server.views.terms import describe_terms

router = APIRouter(prefix="/api/tables", tags=["tables"])
TextQuery = Annotated[bool, Query(description="with the board in words")]
RawQuery = Annotated[bool, Query(description="for programs: codes and legal actions")]


@router.post("")
async def create_table(wish: TableIn, server: ServerDep, who: PrincipalDep) -> Made:
    """Create a table. With `start` the game begins at once, with bots in the open seats."""
    await server.limiter.check_shared("create", who.limit_key)
    table, invite, invites = await create.make_table(server.cache, who, wish)
    if wish.start:
        async with server.cache.change(table) as change:
            create.start_game(change)
    base = server.settings.public_url
    return Made(
        id=table,
        invite=invite,
        link=f"{base}/t/{table}?invite={invite}",
        invites={seat: f"{base}/s/{token}" for seat, token in invites.items()},
        table=await present.present_table(server.cache, who, table, None, text=True),
    )


@router.get("/{table}")
async def get_table(
    table: str,
    server: ServerDep,
    who: PrincipalDep,
    seat: SeatQuery = None,
    *,
    text: TextQuery = True,
    raw: RawQuery = False,
) -> TableOut:
    """The table as I may see it; if I hold several seats, `seat` chooses the point of view."""
    return await present.present_table(
        server.cache, who, table, seat, text=text, raw=raw, lists=True
    )


@router.get("/{table}/terms")
async def get_terms(table: str, server: ServerDep, who: PrincipalDep) -> TermsOut:
    """What was agreed for a table, in words: time, seats, letters, draws, options."""
    async with server.cache.look(table) as loaded:
        readers.find_reader(loaded, who)
        return TermsOut(terms=describe_terms(loaded.game, loaded.row, who.lang))


@router.post("/{table}/join")
async def join_table(table: str, wish: JoinIn, server: ServerDep, who: PrincipalDep) -> TableOut:
    """Take a seat, chosen or any: before the start, or a vacant one later."""
    async with server.cache.change(table) as change:
        seat = await join.join_as_person(change, who, wish)
    return await present.present_table(server.cache, who, table, seat, text=True)


@router.post("/{table}/leave")
async def leave_table(
    table: str, server: ServerDep, who: PrincipalDep, seat: SeatQuery = None
) -> DoneOut:
    """Leave one seat, or all that I hold. In a running game a bot plays on and the
    seat may be taken over."""
    who.need_scope("play")
    async with server.cache.change(table) as change:
        held = change.loaded.held_by(who.id, who.grants)
        left = [name for name in held if seat in (None, name)]
        if not left:
            raise forbidden("not_your_seat")
        for name in left:
            join.leave_seat(change, name)
    return DoneOut()


@router.post("/{table}/start")
async def start_table(table: str, server: ServerDep, who: PrincipalDep) -> TableOut:
    """Start the game, with bots in the open seats (unless the settings say otherwise)."""
    who.need_user("tables")
    async with server.cache.change(table) as change:
        commands.need_host(change.loaded, who)
        create.start_game(change)
    return await present.present_table(server.cache, who, table, None, text=True)


@router.put("/{table}/seats/{seat}")
async def put_seat(
    table: str, seat: str, wish: ChangeSeatIn, server: ServerDep, who: PrincipalDep
) -> TableOut:
    """The host puts a bot into a free seat, or frees a seat, before the start."""
    who.need_user("tables")
    async with server.cache.change(table) as change:
        loaded = change.loaded
        commands.need_host(loaded, who)
        if seat not in loaded.seats:
            raise Refused(404, "no_such_seat", seat=seat)
        if loaded.row.status != "open":
            raise conflict("already_started")
        if wish.kind == "bot":
            level = create.check_level(wish.level, server.settings.bot_levels)
            character = create.wished_character(loaded.game, wish.character)
            join.seat_bot(change, seat, level, character)
            change.tx.publish("lobby")
        else:
            join.leave_seat(change, seat)
    return await present.present_table(server.cache, who, table, None, text=True)


@router.post("/{table}/act", responses={409: {"model": ActRefused}, 422: {"model": ActRefused}})
async def post_action(table: str, wish: ActIn, server: ServerDep, who: PrincipalDep) -> ActOut:
    """Answer the question. Refusals say why, by which rule, and show the table as it is now."""
    who.need_scope("play")
    server.limiter.check_here("act", who.limit_key)
    try:
        seat, head = await commands.act_for_person(server.cache, who, table, wish)
    except RulesError as error:
        raise await _refusal_with_table(server, who, table, wish.seat, error) from error
    now = await present.present_table(server.cache, who, table, seat, text=False)
    return ActOut(seq=now.seq, repeated=head is None, table=now)


@router.post("/{table}/undo", responses={409: {"model": ActRefused}})
async def post_undo(table: str, wish: UndoIn, server: ServerDep, who: PrincipalDep) -> ActOut:
    """Take back my last action, if nothing was revealed since."""
    who.need_scope("play")
    server.limiter.check_here("act", who.limit_key)
    try:
        seat, head = await commands.undo_for_person(server.cache, who, table, wish)
    except RulesError as error:
        raise await _refusal_with_table(server, who, table, wish.seat, error) from error
    now = await present.present_table(server.cache, who, table, seat, text=False)
    return ActOut(seq=now.seq, repeated=head is None, table=now)


async def _refusal_with_table(
    server: ServerProcess, who: Principal, table: str, seat: str | None, error: RulesError
) -> RulesError:
    status = refusal_status(error)
    if status not in (409, 422):
        return error
    try:
        now = await present.present_table(server.cache, who, table, seat, text=False)
        shown = now.model_dump()
    except RulesError:
        shown = None
    return with_table(error, status, shown)


@router.put("/{table}/draft")
async def put_draft(table: str, wish: DraftIn, server: ServerDep, who: PrincipalDep) -> DoneOut:
    """Keep an unfinished answer, on all of my devices; nobody else sees it."""
    who.need_scope("play")
    server.limiter.check_here("act", who.limit_key)
    await commands.keep_draft(server.cache, who, table, wish)
    return DoneOut()


@router.post("/{table}/read")
async def post_typed_orders(
    table: str, wish: ReadIn, server: ServerDep, who: PrincipalDep
) -> ReadOut:
    """The meaning of typed orders, in any of our languages; `act` with each `wire` gives them. Nothing is
    done yet, and each order that is unclear or not allowed says why."""
    who.need_scope("play")
    server.limiter.check_here("typed", who.limit_key)
    return await typed_orders.read_typed_orders(server.cache, who, table, wish)


@router.get("/{table}/log")
async def get_log(
    table: str,
    server: ServerDep,
    who: PrincipalDep,
    since: Annotated[int, Query(ge=0, le=10**9)] = 0,
    limit: Annotated[int, Query(ge=1, le=1000)] = 500,
    seat: SeatQuery = None,
) -> LogOut:
    """The log as far as I may see it, in my language."""
    return await history.read_log(server.cache, who, table, seat, since, limit)


@router.get("/{table}/at/{seq}")
async def get_moment(
    table: str, seq: int, server: ServerDep, who: PrincipalDep, seat: SeatQuery = None
) -> MomentOut:
    """My view after the first `seq` entries of the log."""
    return await history.read_moment(server.cache, who, table, seat, seq)


@router.get("/{table}/at/{seq}/scenes")
async def get_scenes(
    table: str, seq: int, server: ServerDep, who: PrincipalDep, seat: SeatQuery = None
) -> ScenesOut:
    """Battles, uprisings and auctions that a board still shows after the first `seq` entries."""
    return await reports.read_scenes(server.cache, who, table, seat, seq)


@router.get("/{table}/at/{seq}/score")
async def get_score(
    table: str, seq: int, server: ServerDep, who: PrincipalDep, seat: SeatQuery = None
) -> ScoreOut:
    """The score pad after the first `seq` entries of the log."""
    return await reports.read_score(server.cache, who, table, seat, seq)
