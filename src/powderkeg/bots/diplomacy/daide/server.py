"""DAIDE over TCP, server side: programs connect, and one game is played to its end."""

import asyncio
import socket
import struct
from collections.abc import Callable
from contextlib import suppress
from typing import Final

from powderkeg.bots.diplomacy.daide.framing import (
    FINAL_FRAME,
    INITIAL_SECONDS,
    LONGEST_MESSAGE,
    Fault,
    Frame,
    Kind,
    ProtocolFault,
    check_initial,
    error_frame,
    read_frame,
)
from powderkeg.bots.diplomacy.daide.game_host import GameHost
from powderkeg.bots.diplomacy.daide.requests import answer_request
from powderkeg.bots.diplomacy.daide.tokens import decode_tokens, encode_tokens
from powderkeg.core.errors import Unreadable

MOST_CALLERS: Final = 40  # open connections
MOST_WAITING: Final = 4_000_000  # octets that a program has not fetched; then it is cut off
_LOST: Final = (asyncio.IncompleteReadError, ConnectionError, TimeoutError)


class DaideCaller:
    """One connection. Texts are put into the outbox and written by `flush_texts`."""

    def __init__(self, writer: asyncio.StreamWriter) -> None:
        self.writer = writer
        self.origin = str((writer.get_extra_info("peername") or ("",))[0])
        self.outbox: list[str] = []

    def send(self, text: str) -> None:
        self.outbox.append(text)

    def flush_texts(self) -> None:
        """Write what waits; a program that does not read is cut off."""
        texts, self.outbox = self.outbox, []
        for text in texts:
            self.write_frame(Frame(Kind.DIPLOMACY, encode_tokens(text)))
        transport = self.writer.transport
        if transport.get_write_buffer_size() > MOST_WAITING:
            transport.abort()

    def write_frame(self, frame: Frame) -> None:
        if not self.writer.is_closing():
            self.writer.write(bytes(frame))

    async def close_with(self, frame: Frame | None) -> None:
        if frame:
            self.write_frame(frame)
        self.writer.close()
        with suppress(*_LOST):
            await self.writer.wait_closed()


class DaideServer:
    """A listening socket and the game behind it. `on_text` is called with every text, for a log."""

    def __init__(self, host: GameHost, on_text: Callable[[str, str], None] | None = None) -> None:
        self.host = host
        self.on_text = on_text or (lambda _way, _text: None)
        self.callers: set[DaideCaller] = set()
        self.tasks: set[asyncio.Task[None]] = set()  # one per connection
        self.lock = asyncio.Lock()
        self.changed = asyncio.Event()
        self.listener: asyncio.Server | None = None

    async def open_port(self, address: str = "127.0.0.1", port: int = 16713) -> int:
        """Listen; the port, which the system chooses for 0."""
        self.listener = await asyncio.start_server(self.serve_caller, address, port)
        return int(self.listener.sockets[0].getsockname()[1])

    async def play_game(self) -> None:
        """Play until the game is over or every program has left, then close."""
        while not self.is_finished():
            await self.wait_for_phase()
            if self.host.is_due() or self.host.started:
                async with self.lock:
                    await asyncio.to_thread(self._finish_phase)
                    self.flush_all()
        await self.close_all()

    def is_finished(self) -> bool:
        programs = self.host.program_seats()
        deserted = self.host.started and not any(seat.caller for seat in programs)
        return self.host.is_over or deserted

    async def wait_for_phase(self) -> None:
        """Until everybody is done, the time is up, or nobody is left."""
        loop = asyncio.get_running_loop()
        deadline = loop.time() + self.host.settings.seconds if self.host.started else None
        while not (self.host.is_due() or self.is_finished()):
            left = None
            if self.host.started and self.host.settings.seconds:
                deadline = deadline or loop.time() + self.host.settings.seconds
                left = max(0.0, deadline - loop.time())
                self.host.time_left = round(left)
                if not left:
                    return
            with suppress(TimeoutError):
                await asyncio.wait_for(self.changed.wait(), left)
            self.changed.clear()

    def _finish_phase(self) -> None:
        if not self.is_finished():
            self.host.finish_phase()

    # Connections

    async def serve_caller(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        """One connection from its first message to its last."""
        caller = DaideCaller(writer)
        _keep_alive(writer)
        if (task := asyncio.current_task()) is not None:
            self.tasks.add(task)
            task.add_done_callback(self.tasks.discard)
        try:
            await self._welcome_caller(reader, caller)
            while await self._answer_frame(caller, await read_frame(reader)):
                pass
        except ProtocolFault as fault:
            await caller.close_with(error_frame(fault.fault))
        except _LOST:
            pass
        finally:
            await self._forget_caller(caller)

    async def _welcome_caller(self, reader: asyncio.StreamReader, caller: DaideCaller) -> None:
        try:
            first = await asyncio.wait_for(read_frame(reader), INITIAL_SECONDS)
        except TimeoutError:
            raise ProtocolFault(Fault.TIMER) from None
        check_initial(first)
        if len(self.callers) >= MOST_CALLERS:
            raise ProtocolFault(Fault.TIMER)
        self.callers.add(caller)
        caller.write_frame(Frame(Kind.REPRESENTATION))

    async def _answer_frame(self, caller: DaideCaller, frame: Frame) -> bool:
        """Answer one message; whether the connection goes on."""
        faults = {
            Kind.INITIAL: Fault.SECOND_INITIAL,
            Kind.REPRESENTATION: Fault.REPRESENTATION_BY_CLIENT,
        }
        if frame.kind in faults:
            raise ProtocolFault(faults[frame.kind])
        if frame.kind is not Kind.DIPLOMACY:
            return False
        if len(frame.data) > LONGEST_MESSAGE:
            raise ProtocolFault(Fault.UNKNOWN_MESSAGE)
        try:
            text = decode_tokens(frame.data)
        except Unreadable:
            raise ProtocolFault(Fault.UNKNOWN_TOKEN) from None
        self.on_text("<", text)
        async with self.lock:
            await asyncio.to_thread(answer_request, self.host, caller, text)
            self.flush_all()
        self.changed.set()
        return True

    def flush_all(self) -> None:
        for caller in self.callers:
            for text in caller.outbox:
                self.on_text(">", text)
            try:
                caller.flush_texts()
            except (Unreadable, struct.error):  # too long for a frame: the others go on
                caller.writer.transport.abort()

    async def _forget_caller(self, caller: DaideCaller) -> None:
        self.callers.discard(caller)
        async with self.lock:
            self.host.leave_table(caller)
            self.flush_all()
        self.changed.set()
        await caller.close_with(None)

    async def close_all(self) -> None:
        """Say goodbye to everybody, and wait until all connections have ended."""
        if self.listener:
            self.listener.close()
        for caller in list(self.callers):
            await caller.close_with(FINAL_FRAME)
        await asyncio.gather(*self.tasks, return_exceptions=True)


def _keep_alive(writer: asyncio.StreamWriter) -> None:
    """The protocol asks for it: dead connections are noticed."""
    found = writer.get_extra_info("socket")
    if found is not None:
        found.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)


async def host_game(
    host: GameHost,
    address: str,
    port: int,
    ready: Callable[[int], None],
    on_text: Callable[[str, str], None] | None = None,
) -> None:
    """Open the port, say which it is, and play one game."""
    server = DaideServer(host, on_text)
    ready(await server.open_port(address, port))
    await server.play_game()
