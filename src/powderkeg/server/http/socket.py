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
from powderkeg.server.accounts import identity
from powderkeg.server.accounts.identity import Principal
from powderkeg.server.app import Server, quietly, refusal_text, unavailable
from powderkeg.server.db.store import is_gone
from powderkeg.server.http import validation
from powderkeg.server.press import letters
from powderkeg.server.schemas.play import ActIn, DraftIn, UndoIn
from powderkeg.server.schemas.press import PressIn
from powderkeg.server.tables import history, present

logger = structlog.get_logger()
router = APIRouter()
LARGEST = 32_768  # characters in one message
SEND_SECONDS = 20.0  # a reader that takes nothing for so long is dropped


class Flood(Exception):
    """Too many messages, or too large, or not JSON: this socket ends."""


@router.websocket("/api/tables/{table}/live")
async def live(socket: WebSocket, table: str) -> None:
    """Messages out: `table`, `done`, `refused`, `press`, `draft`, `restart`.
    Messages in: `act`, `undo`, `draft`, `ping`."""
    server: Server = socket.app.state.server
    if not identity.guard_socket(socket):
        await socket.close(4403)
        return
    lang = identity.language(socket, None)
    try:
        who = await identity.principal(server.store, socket, table)
        lang = who.lang
        who.need("read")
        server.limiter.check("stream", who.limit_key)
        line = Line(server, socket, table, who)
        await line.check()
    except RulesError as error:
        await socket.accept()
        await socket.send_text(json.dumps({"type": "refused", **refusal_text(error, lang)}))
        await socket.close(4403)
        return
    await socket.accept()
    server.sockets.add(line)
    try:
        await line.run()
    finally:
        server.sockets.discard(line)


class Line:
    """One socket: a task that reads, a task that writes."""

    def __init__(self, server: Server, socket: WebSocket, table: str, who: Principal) -> None:
        query = socket.query_params
        self.server, self.socket, self.table, self.who = server, socket, table, who
        self.seat: str | None = query.get("seat")
        self.text = query.get("text") in ("1", "true")
        self.raw = query.get("raw") in ("1", "true")
        self.times: deque[float] = deque(maxlen=server.settings.socket_messages)
        self.sending = asyncio.Lock()
        self.held: tuple[str, ...] = ()
        self.ears = letters.Ears()

    async def check(self) -> None:
        since = self.socket.query_params.get("press", "")
        self.ears.heard = int(since) if since.isdecimal() and len(since) < 10 else 0
        await history.table(self.server.rooms, self.who, self.table, self.seat, text=False)

    async def run(self) -> None:
        reader = self.server.hub.join(
            f"table:{self.table}", f"press:{self.table}", *self.who.topics
        )
        writer = asyncio.create_task(self._write(reader))
        listener = asyncio.create_task(self._listen())
        try:
            await asyncio.wait({writer, listener}, return_when=asyncio.FIRST_COMPLETED)
            for task in (writer, listener):
                if task.done() and (error := task.exception()):
                    raise error
        except Flood:
            await self._close(1008)
        except (WebSocketDisconnect, RuntimeError, TimeoutError, OSError):
            await self._close(1011)
        finally:
            self.server.hub.leave(reader)
            await quietly(writer)
            await quietly(listener)

    async def _close(self, code: int) -> None:
        with contextlib.suppress(RuntimeError, OSError, TimeoutError, WebSocketDisconnect):
            await asyncio.wait_for(self.socket.close(code), 2)

    async def _send(self, text: str) -> None:
        async with self.sending:
            await asyncio.wait_for(self.socket.send_text(text), SEND_SECONDS)

    async def _write(self, reader: Any) -> None:
        last, press = "", True
        while True:
            try:
                now = await history.table(
                    self.server.rooms,
                    self.who,
                    self.table,
                    self.seat,
                    text=self.text,
                    raw=self.raw,
                    trust=True,
                )
                if (held := tuple(now.held)) != self.held:
                    self.held, self.server.noted = held, 0.0
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
                if not is_gone(error):
                    raise
                await asyncio.sleep(1)  # the database is away: try again
                continue
            delay = await self._delay()
            news = await reader.wait(self.who.patience(delay))
            press = delay is not None or any(topic[0] in "p*" for topic in news)
            if self.who.is_out(news):  # logged out, or the link was taken back, or it ran out
                await self._close(4403)
                return
            if self.server.hub.closing:
                await self._send(json.dumps({"type": "restart"}))
                await self._close(1012)
                return

    async def _delay(self) -> float | None:
        """Who watches with a delay looks again from time to time: news come late."""
        async with self.server.rooms.look(self.table, trust=True) as room:
            reader = present.reader(room, self.who, self.seat)
            return 5.0 if present.delay_of(room, reader) else None

    async def _send_press(self) -> None:
        async for new in self.ears.fresh(self.server.rooms, self.who, self.table, self.seat):
            messages = [message.model_dump() for message in new]
            await self._send(json.dumps({"type": "press", "messages": messages}))

    async def _listen(self) -> None:
        while True:
            text = await self.socket.receive_text()
            self._count(text)
            try:
                message = json.loads(text)
                kind = message.pop("type")
            except (ValueError, KeyError, AttributeError, TypeError, RecursionError):
                raise Flood from None
            await self._heard(kind, message)

    def _nonsense(self) -> None:
        raise Flood

    def _count(self, text: str) -> None:
        now = time.monotonic()
        full = len(self.times) == self.times.maxlen
        if len(text) > LARGEST or (full and now - self.times[0] < 10):
            raise Flood
        self.times.append(now)

    async def _heard(self, kind: Any, message: dict[str, Any]) -> None:
        command = message.get("command")
        try:
            match kind:
                case "ping":
                    await self._send(json.dumps({"type": "pong", "now": self.server.clock()}))
                case "act":
                    wish = ActIn.model_validate({"seat": self.seat, **message})
                    await self._played(command, history.act, wish)
                case "undo":
                    undo = UndoIn.model_validate({"seat": self.seat, **message})
                    await self._played(command, history.undo, undo)
                case "draft":
                    self.who.need("play")
                    draft = DraftIn.model_validate({"seat": self.seat, **message})
                    await history.draft(self.server.rooms, self.who, self.table, draft)
                case "press":
                    self.who.need("play")
                    self.server.limiter.check("press", self.who.limit_key)
                    press = PressIn.model_validate({"seat": self.seat, **message})
                    await letters.speak(self.server.rooms, self.who, self.table, press)
                    await self._send(json.dumps({"type": "done", "command": command}))
                case _:
                    self._nonsense()
        except ValidationError as error:
            await self._say_refused(command, validation.refusal(error.errors(), place=str(kind)))
        except RulesError as error:
            await self._say_refused(command, error)
        except Exception as error:
            if not is_gone(error):
                raise
            await self._say_refused(command, unavailable())

    async def _say_refused(self, command: Any, error: RulesError) -> None:
        body = {"type": "refused", "command": command, **refusal_text(error, self.who.lang)}
        await self._send(json.dumps(body))

    async def _played(self, command: Any, play: Any, wish: Any) -> None:
        self.who.need("play")
        self.server.limiter.check("act", self.who.limit_key)
        seat, head = await play(self.server.rooms, self.who, self.table, wish)
        if head is not None:  # in an anonymous game the length of the log would tell of others
            async with self.server.rooms.look(self.table, trust=True) as room:
                head = present.seen(room, present.reader(room, self.who, seat)).seq
        done = {"type": "done", "command": command, "repeated": head is None, "seq": head}
        await self._send(json.dumps(done))
