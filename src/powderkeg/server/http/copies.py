"""Around a game: lessons, sandbox, rematch, game files, pictures, and returning to a seat."""

from fastapi import APIRouter
from fastapi.responses import PlainTextResponse, Response

from powderkeg.server.http.deps import PrincipalDep, ServerDep
from powderkeg.server.lobby import copies, join, lessons, sandboxes
from powderkeg.server.schemas.base import LogPlace
from powderkeg.server.schemas.lessons import LessonIn, LessonMade, LessonOut, LessonsOut
from powderkeg.server.schemas.tables import (
    FileGames,
    FileIn,
    ImportIn,
    Made,
    NewSandboxIn,
    PositionIn,
    SandboxIn,
    TableOut,
)
from powderkeg.server.views import present
from powderkeg.server.views.pictures import PictureSize, draw_position

router = APIRouter(prefix="/api", tags=["around"])


async def _present_made(server: ServerDep, who: PrincipalDep, table: str) -> Made:
    shown = await present.present_table(server.cache, who, table, None, text=True)
    return Made(id=table, invite="", link=f"{server.settings.public_url}/t/{table}", table=shown)


@router.get("/games/{game}/lessons")
async def get_lessons(game: str, server: ServerDep, who: PrincipalDep) -> LessonsOut:
    """The exercises and puzzles of a game, and which of them I have solved."""
    return LessonsOut(lessons=await lessons.list_lessons(server.cache, who, game))


@router.post("/games/{game}/lessons/{name}")
async def post_lesson(
    game: str, name: str, wish: LessonIn, server: ServerDep, who: PrincipalDep
) -> LessonMade:
    """Go on with an exercise, or begin it (again) at a table of my own."""
    await server.limiter.check_shared("lesson", who.limit_key)
    exercise = f"{game}/{name}"
    made = await lessons.open_lesson(server.cache, who, exercise, again=wish.again)
    return LessonMade(id=made)


@router.get("/games/{game}/lessons/{name}/picture", response_class=Response)
async def get_lesson_picture(
    game: str, name: str, server: ServerDep, who: PrincipalDep
) -> Response:
    """The solution of an exercise as a picture (SVG), for games with a map."""
    drawn = await lessons.draw_lesson(server.cache, who, f"{game}/{name}")
    headers = {"Cache-Control": "private, max-age=3600"}
    return Response(drawn, media_type="image/svg+xml", headers=headers)


@router.get("/tables/{table}/lesson")
async def get_lesson(table: str, server: ServerDep, who: PrincipalDep) -> LessonOut:
    """The exercise that I do at this table: task, hint, rule, and whether it is solved."""
    return await lessons.present_lesson(server.cache, who, table)


@router.post("/sandboxes")
async def post_new_sandbox(wish: NewSandboxIn, server: ServerDep, who: PrincipalDep) -> Made:
    """Open a sandbox at the beginning of a game: I play every seat, without a clock."""
    await server.limiter.check_shared("create", who.limit_key)
    made = await sandboxes.new_sandbox(server.cache, who, wish)
    return await _present_made(server, who, made)


@router.post("/tables/{table}/position")
async def post_position(table: str, wish: PositionIn, server: ServerDep, who: PrincipalDep) -> Made:
    """Go on from a position of my own in another sandbox."""
    await server.limiter.check_shared("create", who.limit_key)
    made = await sandboxes.edit_position(server.cache, who, table, wish.position)
    return await _present_made(server, who, made)


@router.post("/tables/{table}/sandbox")
async def post_sandbox(table: str, wish: SandboxIn, server: ServerDep, who: PrincipalDep) -> Made:
    """Copy a moment to a table of my own. Secrets that I may not know are dealt again; a sandbox of
    mine is copied with its history."""
    await server.limiter.check_shared("create", who.limit_key)
    made = await sandboxes.open_sandbox(server.cache, who, table, wish)
    return await _present_made(server, who, made)


@router.post("/tables/{table}/rematch")
async def post_rematch(table: str, server: ServerDep, who: PrincipalDep) -> Made:
    """Open a table for a rematch; the other players find it waiting."""
    await server.limiter.check_shared("create", who.limit_key)
    made = await copies.open_rematch(server.cache, who, table)
    return await _present_made(server, who, made)


@router.get("/tables/{table}/file", response_class=PlainTextResponse)
async def get_game_file(table: str, server: ServerDep, who: PrincipalDep) -> PlainTextResponse:
    """The game as a file (JSON Lines), once it is over: replay it, check its dice, keep it."""
    text = await copies.export_finished_game(server.cache, who, table)
    name = f'attachment; filename="powderkeg-{table}.jsonl"'
    return PlainTextResponse(text, headers={"Content-Disposition": name})


@router.post("/imports/games")
async def post_import_games(wish: FileIn, server: ServerDep, who: PrincipalDep) -> FileGames:
    """The games in a file, ours or of another program, before one of them is opened."""
    await server.limiter.check_shared("import", who.limit_key)
    return FileGames(names=await copies.list_file_games(who, wish.file))


@router.post("/imports")
async def post_import(wish: ImportIn, server: ServerDep, who: PrincipalDep) -> Made:
    """Open a game of a file, ours or of another program, as a table of my own: look at it, or play on."""
    await server.limiter.check_shared("import", who.limit_key)
    made = await copies.open_game_file(server.cache, who, wish)
    return await _present_made(server, who, made)


@router.get(
    "/tables/{table}/picture.png",
    response_class=Response,
    responses={200: {"content": {"image/png": {}}}},
)
async def get_picture(
    table: str,
    server: ServerDep,
    who: PrincipalDep,
    size: PictureSize = "small",
    seq: LogPlace | None = None,
) -> Response:
    """The public position as a picture, now or after `seq` entries of the log; only games with a map
    have one."""
    server.limiter.check_here("typed", who.limit_key)
    drawing = await draw_position(server.cache, who, table, seq)
    picture = await server.pictures.render_once(drawing, size)
    headers = {"Cache-Control": "private, max-age=60"}
    return Response(picture, media_type="image/png", headers=headers)


@router.post("/tables/{table}/back")
async def post_return(table: str, server: ServerDep, who: PrincipalDep) -> TableOut:
    """Return to my seats: the bot that played for me steps aside."""
    who.need_scope("play")
    async with server.cache.change(table) as change:
        await join.return_to_seats(change, who)
    return await present.present_table(server.cache, who, table, None, text=True)
