"""The API for bots: streams of ND-JSON with keep-alive lines, like those of lichess."""

import json
from collections.abc import AsyncIterator
from typing import Annotated, Any

from fastapi import APIRouter, Query
from fastapi.responses import StreamingResponse

from powderkeg.core.errors import RulesError
from powderkeg.server.accounts.accounts import become_bot
from powderkeg.server.accounts.identity import Principal
from powderkeg.server.http.accounts import present_me
from powderkeg.server.http.deps import PrincipalDep, ServerDep
from powderkeg.server.http.errors import refusal_text
from powderkeg.server.lobby import lists
from powderkeg.server.press.letters import LetterCursor
from powderkeg.server.process import ServerProcess
from powderkeg.server.schemas.accounts import Me
from powderkeg.server.views import history, present

router = APIRouter(prefix="/api/bot", tags=["bots"])
ND_JSON = "application/x-ndjson"
LOG_PAGE = 1000  # entries of a log in one line
STREAM_RESPONSES: dict[int | str, dict[str, Any]] = {
    200: {"content": {ND_JSON: {"schema": {"type": "string"}}}}
}


@router.post("/upgrade")
async def post_upgrade(server: ServerDep, who: PrincipalDep) -> Me:
    """Make this account a bot account, for good. It must not have played yet."""
    user = await become_bot(server.store, who.need_account("account"))
    return present_me(server, user, who.scopes)


@router.get("/events", response_class=StreamingResponse, responses=STREAM_RESPONSES)
async def stream_events(server: ServerDep, who: PrincipalDep) -> StreamingResponse:
    """Events at my tables, one JSON object per line: `turn` when I am to act at a table, `over` when a
    game of mine has ended. On connecting, every turn that is owed now is sent: nothing is missed
    by having been away. Empty lines keep the connection alive."""
    who.need_user("read")
    server.limiter.check_here("stream", who.limit_key)
    return StreamingResponse(_account_event_lines(server, who), media_type=ND_JSON)


async def _account_event_lines(server: ServerProcess, who: Principal) -> AsyncIterator[str]:
    subscription = server.events.subscribe(f"user:{who.id}", *who.topics)
    turns: dict[str, int] = {}  # the last turn sent of each table
    before: dict[str, str] = {}  # how each table stood when last looked at
    try:
        while not server.events.closing:
            for table in (await lists.list_lobby(server.cache, who)).mine:
                about = {"table": table.id, "game": table.game, "seq": table.seq}
                if table.my_turn and turns.get(table.id) != table.seq:
                    turns[table.id] = table.seq
                    yield _json_line(type="turn", **about, seat=table.my_seat, due=table.due)
                if table.status == "over" and before.get(table.id, "over") != "over":
                    yield _json_line(type="over", **about)
                before[table.id] = table.status
            news = await subscription.wait(who.longest_wait(server.settings.keep_alive))
            if who.is_logged_out(news):
                return
            if not news:
                yield "\n"
        yield _json_line(type="restart")
    finally:
        server.events.unsubscribe(subscription)


def _json_line(**event: object) -> str:
    return json.dumps(event) + "\n"


@router.get("/tables/{table}/stream", response_class=StreamingResponse, responses=STREAM_RESPONSES)
async def stream_table(
    table: str,
    server: ServerDep,
    who: PrincipalDep,
    since: Annotated[int, Query(ge=0, le=10**9)] = 0,
    seat: Annotated[str | None, Query(max_length=40)] = None,
    press: Annotated[int | None, Query(ge=0, le=10**9)] = None,
) -> StreamingResponse:
    """One table, one JSON object per line: first `table` (with `raw` question and legal actions)
    and the `log` from entry `since`, then both again after every change; `since` resumes. With
    `press`, also the messages after that one, as `press`."""
    server.limiter.check_here("stream", who.limit_key)
    await present.present_table(server.cache, who, table, seat, text=False)
    return StreamingResponse(
        _table_lines(server, who, table, seat, since, press), media_type=ND_JSON
    )


async def _table_lines(
    server: ServerProcess,
    who: Principal,
    table: str,
    seat: str | None,
    since: int,
    press: int | None = None,
) -> AsyncIterator[str]:
    cursor = None if press is None else LetterCursor(press)
    letters = () if cursor is None else (f"press:{table}",)
    subscription = server.events.subscribe(f"table:{table}", *letters, *who.topics)
    last, sent = "", since
    try:
        while not server.events.closing:
            # The table first: an action in between is then in the log already, also at the end.
            now = await present.present_table(server.cache, who, table, seat, text=False, raw=True)
            log = await history.read_log(server.cache, who, table, seat, since, LOG_PAGE)
            body = now.model_dump_json(exclude={"now"})
            if body != last or any(entry.seq >= sent for entry in log.entries):
                entries = ",".join(entry.model_dump_json() for entry in log.entries)
                yield f'{{"type":"table","log":[{entries}],"table":{body}}}\n'
                sent = max(sent, *(entry.seq + 1 for entry in log.entries), 0)
            last, since = body, max(since, log.next or log.seq)
            if log.next is not None:
                continue
            if cursor is not None:
                async for new in cursor.new_letters(server.cache, who, table, seat):
                    yield _json_line(
                        type="press", messages=[message.model_dump() for message in new]
                    )
            if now.status in ("over", "closed"):
                return
            news = await subscription.wait(who.longest_wait(server.settings.keep_alive))
            if who.is_logged_out(news):
                return
            if not news:
                yield "\n"
        yield _json_line(type="restart")
    except RulesError as error:
        yield _json_line(type="refused", **refusal_text(error, who.lang))
    finally:
        server.events.unsubscribe(subscription)
