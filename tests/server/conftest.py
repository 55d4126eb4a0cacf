"""A real server on real sockets, on SQLite and on PostgreSQL."""

import asyncio
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx2
import pytest
import uvicorn
from sparks import __file__ as sparks_file

import sparks
from powderkeg.server.app import create_app
from powderkeg.server.settings import Settings

TINY = str(Path(sparks_file).parent)
GAMES = {"sparks": sparks}


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class Person:
    """Somebody with a browser: cookies, the guard header, a language."""

    def __init__(self, base: str, lang: str = "en") -> None:
        headers = {"X-Powderkeg": "1", "Accept-Language": lang}
        self.http = httpx2.Client(base_url=base, headers=headers, timeout=20)
        self.base = base

    def call(self, method: str, path: str, body: Any = None, expect: int = 200) -> Any:
        answer = self.http.request(method, f"/api{path}", json=body)
        assert answer.status_code == expect, (method, path, answer.status_code, answer.text)
        return answer.json()

    def get(self, path: str, expect: int = 200) -> Any:
        return self.call("GET", path, None, expect)

    def post(self, path: str, body: Any = None, expect: int = 200) -> Any:
        return self.call("POST", path, {} if body is None else body, expect)

    def guest(self, name: str) -> "Person":
        self.me = self.post("/guests", {"name": name})
        return self

    @property
    def cookie(self) -> str:
        return "; ".join(f"{c.name}={c.value}" for c in self.http.cookies.jar)


class Running:
    """A server in a thread of its own."""

    def __init__(self, settings: Settings, games: Any = None, clock: Callable[[], float] = time.time) -> None:
        self.port = free_port()
        self.base = f"http://127.0.0.1:{self.port}"
        self.app = create_app(settings, games or GAMES, clock=clock, paths=[TINY])
        self.server = self.app.state.server
        config = uvicorn.Config(
            self.app, "127.0.0.1", self.port, log_level="warning", ws_max_size=65536,
            timeout_graceful_shutdown=5,
        )
        self.uvicorn = uvicorn.Server(config)
        self.thread = threading.Thread(target=self._run, daemon=True)

    def _run(self) -> None:
        with asyncio.Runner() as runner:
            self.loop = runner.get_loop()
            runner.run(self.uvicorn.serve())

    def start(self) -> "Running":
        self.thread.start()
        until = time.monotonic() + 15
        while not self.uvicorn.started:
            assert self.thread.is_alive() and time.monotonic() < until, "server did not start"
            time.sleep(0.01)
        return self

    def stop(self) -> None:
        self.uvicorn.should_exit = True
        self.thread.join(15)

    def person(self, lang: str = "en") -> Person:
        return Person(self.base, lang)

    def guest(self, name: str, lang: str = "en") -> Person:
        return self.person(lang).guest(name)

    def do(self, work: Any) -> Any:
        """Run a coroutine in the server's loop."""
        return asyncio.run_coroutine_threadsafe(work, self.loop).result(20)


@contextmanager
def running(settings: Settings, **more: Any) -> Iterator[Running]:
    server = Running(settings, **more).start()
    try:
        yield server
    finally:
        server.stop()


@pytest.fixture
def server(tmp_path) -> Iterator[Running]:
    with running(Settings(data=str(tmp_path), limits=False)) as found:
        yield found


def until(check: Callable[[], Any], seconds: float = 15) -> Any:
    """Wait until `check` gives something."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if found := check():
            return found
        time.sleep(0.02)
    raise AssertionError("it never happened")
