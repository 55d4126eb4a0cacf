"""A server that says when it listens, and opens the browser then."""

import os
import socket
import sys
import threading
import webbrowser
from collections.abc import Callable, Mapping
from contextlib import suppress

import uvicorn
from uvicorn.config import STARTUP_FAILURE
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from uvicorn.supervisors import Multiprocess

from powderkeg.cli.say import console, t
from powderkeg.server.process import LARGEST_MESSAGE
from powderkeg.server.settings import Settings

# Proxies close what is silent for a minute, and a ping wakes the process for each socket. The browser sends
# its own every 20 seconds and so notices a dead line sooner; the server notices it after about a minute.
PING_SECONDS = 45
WAITING_MESSAGES = 8  # of one socket, before it is read no further
LONGEST_START = 600.0  # seconds; a large database may have to be migrated


def listen_on(
    bound: socket.socket, settings: Settings, workers: int, here: str, *, browser: bool | None
) -> None:
    """Serve on a socket until the process is asked to stop."""

    def announce() -> None:
        console.print(t("server.serving", url=settings.public_url), markup=False, soft_wrap=True)
        if browser if browser is not None else has_screen(os.environ, sys.platform):
            threading.Thread(target=webbrowser.open, args=[here], daemon=True).start()

    config = _server_config(settings, workers)
    if workers > 1:
        AnnouncedProcesses(config, bound, announce).run()
        return
    server = AnnouncedServer(config, announce)
    with suppress(KeyboardInterrupt):  # the usual end
        server.run([bound])
    if not server.started:
        sys.exit(STARTUP_FAILURE)


def has_screen(env: Mapping[str, str], platform: str) -> bool:
    """Whether somebody sits in front of this machine: at a terminal, with a screen for a browser."""
    graphics = platform in {"win32", "darwin"} or env.get("DISPLAY") or env.get("WAYLAND_DISPLAY")
    return bool(graphics) and sys.stdout.isatty()


class ReadingAhead(WebSocketsSansIOProtocol):
    """A socket that goes on reading while a few messages wait. uvicorn's own stops reading after each
    message and begins again: two system calls for each action, and as much work again around them."""

    def send_receive_event_to_app(self) -> None:
        paused, may_wait = self.read_paused, self.queue.qsize() < WAITING_MESSAGES
        self.read_paused = paused or may_wait  # then it does not pause
        super().send_receive_event_to_app()
        if may_wait:
            self.read_paused = paused


def _server_config(settings: Settings, workers: int) -> uvicorn.Config:
    return uvicorn.Config(
        "powderkeg.server.app:from_environment",
        factory=True,
        workers=workers,
        ws=ReadingAhead,
        # uvloop where it is installed; long steps are noticed only in asyncio's own loop.
        loop="asyncio" if settings.step_milliseconds else "auto",
        log_config=None,
        ws_max_size=LARGEST_MESSAGE,
        ws_ping_interval=PING_SECONDS,
        ws_ping_timeout=20,
        timeout_graceful_shutdown=10,
        timeout_keep_alive=30,
        proxy_headers=settings.trusted_proxy,
        forwarded_allow_ips="*" if settings.trusted_proxy else None,
        server_header=False,
    )


class AnnouncedServer(uvicorn.Server):
    """A server of one process."""

    def __init__(self, config: uvicorn.Config, announce: Callable[[], None]) -> None:
        super().__init__(config)
        self.announce = announce

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            self.announce()


class AnnouncedProcesses(Multiprocess):
    """Several processes on one socket; the first that is ready is announced."""

    def __init__(
        self, config: uvicorn.Config, bound: socket.socket, announce: Callable[[], None]
    ) -> None:
        bound.set_inheritable(True)
        super().__init__(config, [bound])
        self.announce = announce

    def init_processes(self) -> None:
        super().init_processes()
        if self.processes[0].wait_until_ready(LONGEST_START, self.should_exit):
            self.announce()
