"""Live tables over WebSocket: the table at once, then what changes in it, and commands.

Before the answer to a command (`done`, `refused`) the socket has sent the table as it is after it.
"""

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
from powderkeg.server import metrics
from powderkeg.server.accounts.identity import Principal, find_language, find_principal
from powderkeg.server.db.events import Subscription
from powderkeg.server.db.schema import write_json
from powderkeg.server.db.store import is_database_gone
from powderkeg.server.http import security, validation
from powderkeg.server.http.errors import database_unavailable, refusal_status, refusal_text
from powderkeg.server.press.letters import LetterCursor, send_letter
from powderkeg.server.process import ServerProcess
from powderkeg.server.schemas.play import ActIn, DraftIn, UndoIn
from powderkeg.server.schemas.press import PressIn
from powderkeg.server.tables import commands
from powderkeg.server.tables.loaded import LoadedTable
from powderkeg.server.views.delayed import delayed_game
from powderkeg.server.views.feeds import TableFeed, update_feed
from powderkeg.server.views.readers import Reader, find_reader, watch_delay

logger = structlog.get_logger()
router = APIRouter()
LARGEST_SOCKET_MESSAGE = 32_768  # characters
GATHER_SECONDS = 0.025  # between two changes that a reader is sent, other than by an answer
SEND_SECONDS = 20.0  # a reader that accepts nothing for this long is dropped


class SocketAbused(Exception):
    """Too many messages, or too large, or not JSON: this socket ends."""


class SlowReader(Exception):
    """The reader accepts nothing any more: this socket ends. No `TimeoutError`, which would mean that
    the database is away."""


@router.websocket("/api/tables/{table}/live")
async def open_live_table(socket: WebSocket, table: str) -> None:
    """Messages out: `table`, `delta`, `press`, `done`, `refused`, `pong`, `restart`.
    Messages in: `act`, `undo`, `draft`, `press`, `ping`, `whole`, `text`."""
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
        await socket.send_text(write_json({"type": "refused", **refusal_text(error, lang)}))
        await socket.close(4403)
        return
    await socket.accept()
    server.presence.connections.add(live)
    try:
        await live.run()
    finally:
        server.presence.connections.discard(live)


class SendWatch:
    """Notices that a reader accepts nothing any more. Its timer is set once for all that is sent meanwhile:
    one for each message would be a part of the work of every action."""

    def __init__(self) -> None:
        self.stuck: asyncio.Future[None] | None = None
        self.sends = 0  # that have begun and not ended
        self.late = 0.0  # when it is too long since one began or ended
        self.timer: asyncio.TimerHandle | None = None

    def open(self) -> asyncio.Future[None]:
        """What ends, as a `SlowReader`, if the reader is stuck."""
        self.stuck = asyncio.get_running_loop().create_future()
        return self.stuck

    def begin(self) -> None:
        loop = asyncio.get_running_loop()
        if not self.sends:
            self.late = loop.time() + SEND_SECONDS
        self.sends += 1
        if self.timer is None:
            self.timer = loop.call_at(self.late, self._check)

    def end(self) -> None:
        self.sends -= 1
        self.late = asyncio.get_running_loop().time() + SEND_SECONDS

    def _check(self) -> None:
        loop = asyncio.get_running_loop()
        self.timer = None
        if not self.sends or self.stuck is None or self.stuck.done():
            return
        if self.late <= loop.time():
            self.stuck.set_exception(SlowReader())
        else:
            self.timer = loop.call_at(self.late, self._check)

    def close(self) -> None:
        if self.stuck is not None:
            self.stuck.cancel()
        if self.timer is not None:
            self.timer.cancel()


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
        self.topic = f"table:{table}"
        # Held while a command runs: its answer brings what it changed.
        self.news = Subscription(self.topic, f"press:{table}", *who.topics)
        self.line = SendWatch()
        self.held: tuple[str, ...] = ()
        self.letters = LetterCursor()
        self.feed: TableFeed | None = None
        self.version = 0  # of the feed, as last sent

    async def check_reader(self) -> None:
        since = self.socket.query_params.get("press", "")
        self.letters.last = int(since) if since.isdecimal() and len(since) < 10 else 0
        async with self.server.cache.look(self.table) as loaded:
            self._find_reader(loaded)

    async def run(self) -> None:
        self.server.events.add(self.news)
        expiry = self._plan_expiry()
        writer = asyncio.create_task(self._write_changes())
        listener = asyncio.create_task(self._read_messages())
        try:
            ends = {writer, listener, self.line.open()}
            for end in (await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED))[0]:
                end.result()
        except SocketAbused:
            await self._close(1008)
        except (WebSocketDisconnect, RuntimeError, SlowReader, OSError):
            await self._close(1011)
        finally:
            if expiry is not None:
                expiry.cancel()
            self.line.close()
            self.server.events.unsubscribe(self.news)
            await cancel_quietly(writer)
            await cancel_quietly(listener)

    def _plan_expiry(self) -> asyncio.TimerHandle | None:
        """Wake the socket when its token runs out: one timer, not one for each wait."""
        left = self.who.longest_wait(None)
        if left is None:
            return None
        loop = asyncio.get_running_loop()
        return loop.call_later(left, self.news.notify, "gone:late", {})

    async def _close(self, code: int) -> None:
        with contextlib.suppress(RuntimeError, OSError, TimeoutError, WebSocketDisconnect):
            await asyncio.wait_for(self.socket.close(code), 2)

    async def _send(self, *messages: str) -> None:
        """Send one message, or several as a list in one frame."""
        text = messages[0] if len(messages) == 1 else f"[{','.join(messages)}]"
        self.line.begin()
        try:
            await self.socket.send_text(text)
        finally:
            self.line.end()

    async def _send_table(self, answer: dict[str, Any] | None = None) -> float | None:
        """Send what the reader has not seen yet, and the answer to a command in the same frame. Return
        the seconds until the next look without an event: delayed watchers get news late."""
        async with self.sending:
            now = self.server.clock()
            since = self.news.take_topic(self.topic)
            try:
                feed, delay = await self._find_feed(now)
            except BaseException:
                self.news.notify(self.topic, {"at": since})  # it has not been seen
                raise
            if feed is not self.feed:
                self.feed, self.version = feed, 0
            messages, version = feed.messages_after(self.version, now), feed.version
            if answer is not None:
                # In an anonymous game the true length of the log would give others away.
                seq = None if answer["repeated"] else feed.shown["seq"]
                messages.append(write_json(answer | {"seq": seq}))
            if messages:
                await self._send(*messages)
            self.version = version
        if since is not None:
            metrics.SCREEN_SECONDS.observe(max(0.0, time.time() - since))
        return 5.0 if delay else None

    async def _find_feed(self, now: float) -> tuple[TableFeed, float]:
        """The feed of this reader at the table's present state, and the delay of a watcher."""
        loaded = self.server.cache.peek(self.table)
        if loaded is not None:
            reader = self._find_reader(loaded)
            if not watch_delay(loaded, reader):
                return update_feed(loaded, reader, now, None), 0.0
        async with self.server.cache.look(self.table, trust=True) as loaded:
            reader = self._find_reader(loaded)
            late = await delayed_game(self.server.cache, loaded, reader)
            return update_feed(loaded, reader, now, late), watch_delay(loaded, reader)

    def _find_reader(self, loaded: LoadedTable) -> Reader:
        reader = find_reader(
            loaded, self.who, self.seat, text=self.text, raw=self.raw, lists=self.raw
        )
        self.held = reader.held
        return reader

    async def _write_changes(self) -> None:
        press = True
        while True:
            try:
                delay = await self._send_table()
                if press:
                    await self._send_press()
            except RulesError as error:  # the seat was lost, or the table closed to watchers
                await self._send(
                    write_json({"type": "refused", **refusal_text(error, self.who.lang)})
                )
                await self._close(4403)
                return
            except Exception as error:
                if not is_database_gone(error):
                    raise
                await asyncio.sleep(1)  # the database is away: try again
                continue
            news = await self._next_news(delay)
            press = delay is not None or any(topic[0] in "p*" for topic in news)
            if self.who.is_logged_out(news):  # logged out, or the token was revoked or ran out
                await self._close(4403)
                return
            if self.server.events.closing:
                await self._send(write_json({"type": "restart"}))
                await self._close(1012)
                return

    async def _next_news(self, delay: float | None) -> set[str]:
        """The next news, and what comes within a moment after the last message: seven sets of orders that
        come together are one change on everybody's screen, and a seventh of the work."""
        loop = asyncio.get_running_loop()
        until = loop.time() + GATHER_SECONDS
        await self.news.await_news(delay)
        wait = until - loop.time()
        if wait > 0 and not self.server.events.closing:
            await asyncio.sleep(wait)
            if self.news.is_held:  # a command has begun: wait for its answer
                await self.news.await_news(delay)
        return self.news.take_news()

    async def _send_press(self) -> None:
        async for new in self.letters.new_letters(
            self.server.cache, self.who, self.table, self.seat
        ):
            messages = [message.model_dump() for message in new]
            await self._send(write_json({"type": "press", "messages": messages}))

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
                    await self._send(write_json({"type": "pong", "now": self.server.clock()}))
                case "act":
                    wish = ActIn.model_validate({"seat": self.seat, **message})
                    await self._run_command(command, commands.act_for_person, wish)
                case "undo":
                    undo = UndoIn.model_validate({"seat": self.seat, **message})
                    await self._run_command(command, commands.undo_for_person, undo)
                case "whole":
                    self.feed = None
                    await self._send_table()
                case "text":
                    self.text = message.get("text") is True
                    await self._send_table()
                case "draft":
                    self.who.need_scope("play")
                    self.server.limiter.check_here("act", self.who.limit_key)
                    message.pop("command", None)  # a draft may be kept twice
                    draft = DraftIn.model_validate({"seat": self.seat, **message})
                    await commands.keep_draft(self.server.cache, self.who, self.table, draft)
                    await self._send(write_json({"type": "done", "command": command}))
                case "press":
                    self.who.need_scope("play")
                    self.server.limiter.check_here("press", self.who.limit_key)
                    press = PressIn.model_validate({"seat": self.seat, **message})
                    await send_letter(self.server.cache, self.who, self.table, press)
                    await self._send(write_json({"type": "done", "command": command}))
                case _:
                    raise SocketAbused  # noqa: TRY301  # not caught below
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
        body = {"type": "refused", "command": command, "status": refusal_status(error)}
        await self._send(write_json(body | refusal_text(error, self.who.lang)))

    async def _run_command(self, command: Any, play: Any, wish: Any) -> None:
        self.who.need_scope("play")
        self.server.limiter.check_here("act", self.who.limit_key)
        begun = time.perf_counter()
        self.news.hold()
        try:
            _, head = await play(self.server.cache, self.who, self.table, wish)
            done = {"type": "done", "command": command, "repeated": head is None}
            await self._send_table(done)
        except RulesError:
            await self._send_table()
            raise
        finally:
            self.news.release()
        metrics.COMMAND_SECONDS.observe(time.perf_counter() - begun)


async def cancel_quietly(task: asyncio.Task[Any]) -> None:
    task.cancel()
    with contextlib.suppress(asyncio.CancelledError, Exception):
        await task
