"""The API for bots: streams of ND-JSON with keep-alive lines, in the manner of lichess."""

import json
from collections.abc import AsyncIterator
from typing import Annotated, Any

from fastapi import APIRouter, Query
from fastapi.responses import StreamingResponse
from sqlalchemy import func, select, update

from powderkeg.core.errors import RulesError
from powderkeg.server.accounts.identity import Principal
from powderkeg.server.app import Server, Srv, Who, refusal_text
from powderkeg.server.db import schema
from powderkeg.server.http.accounts import me_out
from powderkeg.server.press import letters as talk
from powderkeg.server.refusals import conflict
from powderkeg.server.schemas.accounts import Me
from powderkeg.server.tables import create, history

router = APIRouter(prefix="/api/bot", tags=["bots"])
NDJSON = "application/x-ndjson"
PAGE = 1000  # entries of a log in one line
STREAM: dict[int | str, dict[str, Any]] = {
    200: {"content": {NDJSON: {"schema": {"type": "string"}}}}
}


@router.post("/upgrade")
async def upgrade(server: Srv, who: Who) -> Me:
    """Make this account a bot account, for good. It must not have played yet."""
    user = who.need_user("account")
    s, u = schema.seats.c, schema.users.c
    async with server.store.write() as tx:
        if who.user.kind == "guest":
            raise conflict("not_a_bot")
        if await tx.value(select(func.count()).where(s.user == user)):
            raise conflict("has_played")
        await tx.run(update(schema.users).where(u.id == user).values(kind="bot"))
        row = await tx.one(select(schema.users).where(u.id == user))
    return me_out(Principal(row, who.scopes, lang=who.lang), server)


@router.get("/events", response_class=StreamingResponse, responses=STREAM)
async def events(server: Srv, who: Who) -> StreamingResponse:
    """What concerns me, one JSON object a line: `turn` when I am to act at a table, `over` when a
    game of mine has ended. On connecting, every turn that is owed now is told: nothing is missed
    by having been away. Empty lines keep the connection alive."""
    who.need_user("read")
    server.limiter.check("stream", who.limit_key)
    return StreamingResponse(_events(server, who), media_type=NDJSON)


async def _events(server: Server, who: Principal) -> AsyncIterator[str]:
    reader = server.hub.join(f"user:{who.id}", *who.topics)
    turns: dict[str, int] = {}  # the last turn told at each table
    before: dict[str, str] = {}  # how each table stood when last looked at
    try:
        while not server.hub.closing:
            for table in (await create.lists(server.rooms, who)).mine:
                about = {"table": table.id, "game": table.game, "seq": table.seq}
                if table.my_turn and turns.get(table.id) != table.seq:
                    turns[table.id] = table.seq
                    yield _line(type="turn", **about, seat=table.my_seat, due=table.due)
                if table.status == "over" and before.get(table.id, "over") != "over":
                    yield _line(type="over", **about)
                before[table.id] = table.status
            news = await reader.wait(who.patience(server.settings.keep_alive))
            if who.is_out(news):
                return
            if not news:
                yield "\n"
        yield _line(type="restart")
    finally:
        server.hub.leave(reader)


def _line(**event: object) -> str:
    return json.dumps(event) + "\n"


@router.get("/tables/{table}/stream", response_class=StreamingResponse, responses=STREAM)
async def stream(
    table: str,
    server: Srv,
    who: Who,
    since: Annotated[int, Query(ge=0, le=10**9)] = 0,
    seat: Annotated[str | None, Query(max_length=40)] = None,
    press: Annotated[int | None, Query(ge=0, le=10**9)] = None,
) -> StreamingResponse:
    """One table, one JSON object a line: first `table` (with `raw` question and legal actions)
    and the `log` from entry `since`, then both again after every change; `since` resumes. With
    `press`, also the messages after that one, as `press`."""
    server.limiter.check("stream", who.limit_key)
    await history.table(server.rooms, who, table, seat, text=False)
    return StreamingResponse(_table(server, who, table, seat, since, press), media_type=NDJSON)


async def _table(
    server: Server,
    who: Principal,
    table: str,
    seat: str | None,
    since: int,
    press: int | None = None,
) -> AsyncIterator[str]:
    ears = None if press is None else talk.Ears(press)
    letters = () if ears is None else (f"press:{table}",)
    reader = server.hub.join(f"table:{table}", *letters, *who.topics)
    last, told = "", since
    try:
        while not server.hub.closing:
            # The table first: what happens in between is then in the log already, also at the end.
            now = await history.table(server.rooms, who, table, seat, text=False, raw=True)
            log = await history.log(server.rooms, who, table, seat, since, PAGE)
            body = now.model_dump_json(exclude={"now"})
            if body != last or any(entry.seq >= told for entry in log.entries):
                entries = ",".join(entry.model_dump_json() for entry in log.entries)
                yield f'{{"type":"table","log":[{entries}],"table":{body}}}\n'
                told = max(told, *(entry.seq + 1 for entry in log.entries), 0)
            last, since = body, max(since, log.next or log.seq)
            if log.next is not None:
                continue
            if ears is not None:
                async for new in ears.fresh(server.rooms, who, table, seat):
                    yield _line(type="press", messages=[message.model_dump() for message in new])
            if now.status in ("over", "closed"):
                return
            news = await reader.wait(who.patience(server.settings.keep_alive))
            if who.is_out(news):
                return
            if not news:
                yield "\n"
        yield _line(type="restart")
    except RulesError as error:
        yield _line(type="refused", **refusal_text(error, who.lang))
    finally:
        server.hub.leave(reader)
