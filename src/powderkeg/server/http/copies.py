"""Around a game: sandbox, rematch, files, coming back."""

from fastapi import APIRouter
from fastapi.responses import PlainTextResponse

from powderkeg.server.http.deps import PrincipalDep, ServerDep
from powderkeg.server.lobby import copies, join
from powderkeg.server.schemas.tables import ImportIn, Made, SandboxIn, TableOut
from powderkeg.server.views import present

router = APIRouter(prefix="/api", tags=["around"])


def _made_table(server: ServerDep, table: TableOut, invite: str = "") -> Made:
    base = f"{server.settings.public_url}/t/{table.id}"
    return Made(id=table.id, invite=invite, link=base, table=table)


@router.post("/tables/{table}/sandbox")
async def post_sandbox(table: str, wish: SandboxIn, server: ServerDep, who: PrincipalDep) -> Made:
    """Copy a moment to a table of my own. Secrets that I may not know are dealt again."""
    await server.limiter.check_shared("create", who.limit_key)
    made = await copies.open_sandbox(server.cache, who, table, wish)
    return _made_table(
        server, await present.present_table(server.cache, who, made, None, text=True)
    )


@router.post("/tables/{table}/rematch")
async def post_rematch(table: str, server: ServerDep, who: PrincipalDep) -> Made:
    """The same again: the first player to ask makes the table, the others find it waiting."""
    await server.limiter.check_shared("create", who.limit_key)
    made = await copies.open_rematch(server.cache, who, table)
    return _made_table(
        server, await present.present_table(server.cache, who, made, None, text=True)
    )


@router.get("/tables/{table}/file", response_class=PlainTextResponse)
async def get_game_file(table: str, server: ServerDep, who: PrincipalDep) -> PlainTextResponse:
    """The game as a file (JSON Lines), once it is over: replay it, check its dice, keep it."""
    text = await copies.export_finished_game(server.cache, who, table)
    name = f'attachment; filename="powderkeg-{table}.jsonl"'
    return PlainTextResponse(text, headers={"Content-Disposition": name})


@router.post("/imports")
async def post_import(wish: ImportIn, server: ServerDep, who: PrincipalDep) -> Made:
    """Open a game file as a table of my own: look at it, or play on."""
    await server.limiter.check_shared("import", who.limit_key)
    made = await copies.open_game_file(server.cache, who, wish)
    return _made_table(
        server, await present.present_table(server.cache, who, made, None, text=True)
    )


@router.post("/tables/{table}/back")
async def post_return(table: str, server: ServerDep, who: PrincipalDep) -> TableOut:
    """I am here again: the bot that played for me steps aside."""
    who.need_scope("play")
    async with server.cache.change(table) as change:
        await join.return_to_seats(change, who)
    return await present.present_table(server.cache, who, table, None, text=True)
