"""Live tables over WebSocket: the table at once, and again whenever it changes."""

import asyncio
import contextlib
import json
import time
from collections import deque
from typing import Any

import structlog
from fastapi import APIRouter, WebSocket, WebSocketDisconnect
from pydantic import ValidationError

from powderkeg.core.errors import RulesError
from powderkeg.server.accounts.identity import Principal, find_language, find_principal
from powderkeg.server.db.events import Subscription
from powderkeg.server.db.store import is_database_gone
from powderkeg.server.http import security, validation
from powderkeg.server.http.errors import database_unavailable, refusal_text
from powderkeg.server.press.letters import LetterCursor, send_letter
from powderkeg.server.process import ServerProcess
from powderkeg.server.schemas.play import ActIn, DraftIn, UndoIn
from powderkeg.server.schemas.press import PressIn
from powderkeg.server.tables import commands
from powderkeg.server.views import present
from powderkeg.server.views.readers import find_reader, watch_delay

logger = structlog.get_logger()
router = APIRouter()
LARGEST_SOCKET_MESSAGE = 32_768  # characters
SEND_SECONDS = 20.0  # a reader that accepts nothing for this long is dropped


class SocketAbused(Exception):
    """Too many messages, or too large, or not JSON: this socket ends."""


@router.websocket("/api/tables/{table}/live")
async def open_live_table(socket: WebSocket, table: str) -> None:
    """Messages out: `table`, `press`, `done`, `refused`, `pong`, `restart`.
    Messages in: `act`, `undo`, `draft`, `press`, `ping`."""
    server: ServerProcess = socket.app.state.server
    if not security.may_open_socket(socket):
        await socket.close(4403)
        return
    lang = find_language(socket)
    try:
        who = await find_principal(server.store, socket, table)
        lang = who.lang
        who.need_scope("read")
        server.limiter.check_here("stream", who.limit_key)
        live = LiveSocket(server, socket, table, who)
        await live.check_reader()
    except RulesError as error:
        await socket.accept()
        await socket.send_text(json.dumps({"type": "refused", **refusal_text(error, lang)}))
        await socket.close(4403)
        return
    await socket.accept()
    server.presence.connections.add(live)
    try:
        await live.run()
    finally:
        server.presence.connections.discard(live)


class LiveSocket:
    """One socket: a task that reads, a task that writes."""

    def __init__(
        self, server: ServerProcess, socket: WebSocket, table: str, who: Principal
    ) -> None:
        query = socket.query_params
        self.server, self.socket, self.table, self.who = server, socket, table, who
        self.seat: str | None = query.get("seat")
        self.text = query.get("text") in ("1", "true")
        self.raw = query.get("raw") in ("1", "true")
        self.times: deque[float] = deque(maxlen=server.settings.socket_messages)
        self.sending = asyncio.Lock()
        self.held: tuple[str, ...] = ()
        self.letters = LetterCursor()

    async def check_reader(self) -> None:
        since = self.socket.query_params.get("press", "")
        self.letters.last = int(since) if since.isdecimal() and len(since) < 10 else 0
        await present.present_table(self.server.cache, self.who, self.table, self.seat, text=False)

    async def run(self) -> None:
        subscription = self.server.events.subscribe(
            f"table:{self.table}", f"press:{self.table}", *self.who.topics
        )
        writer = asyncio.create_task(self._write_changes(subscription))
        listener = asyncio.create_task(self._read_messages())
        try:
            await asyncio.wait({writer, listener}, return_when=asyncio.FIRST_COMPLETED)
            for task in (writer, listener):
                if task.done() and (error := task.exception()):
                    raise error
        except SocketAbused:
            await self._close(1008)
        except (WebSocketDisconnect, RuntimeError, TimeoutError, OSError):
            await self._close(1011)
        finally:
            self.server.events.unsubscribe(subscription)
            await cancel_quietly(writer)
            await cancel_quietly(listener)

    async def _close(self, code: int) -> None:
        with contextlib.suppress(RuntimeError, OSError, TimeoutError, WebSocketDisconnect):
            await asyncio.wait_for(self.socket.close(code), 2)

    async def _send(self, text: str) -> None:
        async with self.sending:
            await asyncio.wait_for(self.socket.send_text(text), SEND_SECONDS)

    async def _write_changes(self, subscription: Subscription) -> None:
        last, press = "", True
        while True:
            try:
                now = await present.present_table(
                    self.server.cache,
                    self.who,
                    self.table,
                    self.seat,
                    text=self.text,
                    raw=self.raw,
                    trust=True,
                )
                if (held := tuple(now.held)) != self.held:
                    self.held = held
                    self.server.presence.note_soon()
                body = now.model_dump_json(exclude={"now"})
                if body != last:
                    await self._send(f'{{"type":"table","now":{now.now},"table":{body}}}')
                    last = body
                if press:
                    await self._send_press()
            except RulesError as error:  # the seat was lost, or the table closed to watchers
                await self._send(
                    json.dumps({"type": "refused", **refusal_text(error, self.who.lang)})
                )
                await self._close(4403)
                return
            except Exception as error:
                if not is_database_gone(error):
                    raise
                await asyncio.sleep(1)  # the database is away: try again
                continue
            delay = await self._look_again_after()
            news = await subscription.wait(self.who.longest_wait(delay))
            press = delay is not None or any(topic[0] in "p*" for topic in news)
            if self.who.is_logged_out(news):  # logged out, or the token was revoked or ran out
                await self._close(4403)
                return
            if self.server.events.closing:
                await self._send(json.dumps({"type": "restart"}))
                await self._close(1012)
                return

    async def _look_again_after(self) -> float | None:
        """Seconds until the next look without an event: delayed watchers get news late."""
        async with self.server.cache.look(self.table, trust=True) as loaded:
            reader = find_reader(loaded, self.who, self.seat)
            return 5.0 if watch_delay(loaded, reader) else None

    async def _send_press(self) -> None:
        async for new in self.letters.new_letters(
            self.server.cache, self.who, self.table, self.seat
        ):
            messages = [message.model_dump() for message in new]
            await self._send(json.dumps({"type": "press", "messages": messages}))

    async def _read_messages(self) -> None:
        while True:
            text = await self.socket.receive_text()
            self._check_flood(text)
            try:
                message = json.loads(text)
                kind = message.pop("type")
            except (ValueError, KeyError, AttributeError, TypeError, RecursionError):
                raise SocketAbused from None
            await self._handle_message(kind, message)

    def _refuse_unknown(self) -> None:
        raise SocketAbused

    def _check_flood(self, text: str) -> None:
        now = time.monotonic()
        full = len(self.times) == self.times.maxlen
        if len(text) > LARGEST_SOCKET_MESSAGE or (full and now - self.times[0] < 10):
            raise SocketAbused
        self.times.append(now)

    async def _handle_message(self, kind: Any, message: dict[str, Any]) -> None:
        command = message.get("command")
        try:
            match kind:
                case "ping":
                    await self._send(json.dumps({"type": "pong", "now": self.server.clock()}))
                case "act":
                    wish = ActIn.model_validate({"seat": self.seat, **message})
                    await self._run_command(command, commands.act_for_person, wish)
                case "undo":
                    undo = UndoIn.model_validate({"seat": self.seat, **message})
                    await self._run_command(command, commands.undo_for_person, undo)
                case "draft":
                    self.who.need_scope("play")
                    draft = DraftIn.model_validate({"seat": self.seat, **message})
                    await commands.keep_draft(self.server.cache, self.who, self.table, draft)
                case "press":
                    self.who.need_scope("play")
                    self.server.limiter.check_here("press", self.who.limit_key)
                    press = PressIn.model_validate({"seat": self.seat, **message})
                    await send_letter(self.server.cache, self.who, self.table, press)
                    await self._send(json.dumps({"type": "done", "command": command}))
                case _:
                    self._refuse_unknown()
        except ValidationError as error:
            await self._send_refusal(
                command, validation.shape_refusal(error.errors(), place=str(kind))
            )
        except RulesError as error:
            await self._send_refusal(command, error)
        except Exception as error:
            if not is_database_gone(error):
                raise
            await self._send_refusal(command, database_unavailable())

    async def _send_refusal(self, command: Any, error: RulesError) -> None:
        body = {"type": "refused", "command": command, **refusal_text(error, self.who.lang)}
        await self._send(json.dumps(body))

    async def _run_command(self, command: Any, play: Any, wish: Any) -> None:
        self.who.need_scope("play")
        self.server.limiter.check_here("act", self.who.limit_key)
        seat, head = await play(self.server.cache, self.who, self.table, wish)
        if head is not None:  # in an anonymous game the length of the log would give others away
            async with self.server.cache.look(self.table, trust=True) as loaded:
                head = present.visible_game(loaded, find_reader(loaded, self.who, seat)).seq
        done = {"type": "done", "command": command, "repeated": head is None, "seq": head}
        await self._send(json.dumps(done))


async def cancel_quietly(task: asyncio.Task[Any]) -> None:
    task.cancel()
    with contextlib.suppress(asyncio.CancelledError, Exception):
        await task
