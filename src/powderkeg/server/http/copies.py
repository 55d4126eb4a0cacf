"""Around a game: sandbox, rematch, files, coming back."""

from fastapi import APIRouter
from fastapi.responses import PlainTextResponse

from powderkeg.server.app import Srv, Who
from powderkeg.server.refusals import forbidden
from powderkeg.server.schemas.tables import ImportIn, Made, SandboxIn, TableOut
from powderkeg.server.tables import copies, history

router = APIRouter(prefix="/api", tags=["around"])


def _made(server: Srv, table: TableOut, invite: str = "") -> Made:
    base = f"{server.settings.public_url}/t/{table.id}"
    return Made(id=table.id, invite=invite, link=base, table=table)


@router.post("/tables/{table}/sandbox")
async def sandbox(table: str, wish: SandboxIn, server: Srv, who: Who) -> Made:
    """Copy a moment to a table of my own, with what I may know only; the rest is dealt anew."""
    await server.limiter.count("create", who.limit_key)
    made = await copies.sandbox(server.rooms, who, table, wish)
    return _made(server, await history.table(server.rooms, who, made, None, text=True))


@router.post("/tables/{table}/rematch")
async def rematch(table: str, server: Srv, who: Who) -> Made:
    """The same again: whoever asks first makes the table, the others find it waiting."""
    await server.limiter.count("create", who.limit_key)
    made = await copies.rematch(server.rooms, who, table)
    return _made(server, await history.table(server.rooms, who, made, None, text=True))


@router.get("/tables/{table}/file", response_class=PlainTextResponse)
async def file(table: str, server: Srv, who: Who) -> PlainTextResponse:
    """The game as a file (JSON Lines), once it is over: replay it, check its dice, keep it."""
    text = await copies.export(server.rooms, who, table)
    name = f'attachment; filename="powderkeg-{table}.jsonl"'
    return PlainTextResponse(text, headers={"Content-Disposition": name})


@router.post("/imports")
async def imports(wish: ImportIn, server: Srv, who: Who) -> Made:
    """Open a game file as a table of my own: look at it, or play on."""
    await server.limiter.count("import", who.limit_key)
    made = await copies.open_file(server.rooms, who, wish)
    return _made(server, await history.table(server.rooms, who, made, None, text=True))


@router.post("/tables/{table}/back")
async def back(table: str, server: Srv, who: Who) -> TableOut:
    """I am here again: the bot that played for me steps aside."""
    from powderkeg.server.press.letters import say_at_table

    who.need("play")
    async with server.rooms.change(table) as change:
        held = change.room.held_by(who.id, who.grants)
        if not held:
            raise forbidden("not_your_seat")
        for seat in held:
            if change.room.seats[seat].autopilot:
                change.set_seat(seat, autopilot=False, vacant=False, misses=0, asked=None)
                await say_at_table(change, "back", seat=seat)
    return await history.table(server.rooms, who, table, None, text=True)
