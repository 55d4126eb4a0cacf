"""A real server on this machine: until it answers, its memory, requests per second, and how soon all
who watch a table see an action.
"""

import http.cookiejar
import json
import os
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any
from uuid import uuid4

from powderkeg.bench.figures import Bench
from powderkeg.core.extras import need_extra
from powderkeg.games.diplomacy.board import POWERS

SUITE = "server"
ORDERS = ("A PAR - BUR", "A PAR - PIC")  # given in turn
MAIN = "import sys; sys.argv[0] = 'powderkeg'; from powderkeg.cli import main; main()"


def measure(bench: Bench) -> None:
    try:
        need_extra("server", "fastapi", "uvicorn", "sqlalchemy")
    except ImportError as missing:
        bench.add_gap(SUITE, "a server", str(missing))
        return
    ready = []
    for _ in range(bench.repeats):
        with fresh_server() as (_, _, took):
            ready.append(took)
    bench.add_values(SUITE, "until it answers", "s", ready, must=2, aim=2, lower=True)
    with fresh_server() as (address, process, _):
        _measure_requests(bench, address, process)
        _measure_watchers(bench, address)


@contextmanager
def fresh_server() -> Iterator[tuple[str, int, float]]:
    """The address of a fresh server, its process id, and the seconds until it answered."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = int(probe.getsockname()[1])
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-c", MAIN, "serve", "--port", str(port), "--data", folder]
        env = {**os.environ, "POWDERKEG_LIMITS": "0"}
        began = time.perf_counter()
        process = subprocess.Popen(  # noqa: S603  # ourselves
            command, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        try:
            yield f"http://127.0.0.1:{port}", process.pid, _first_answer(port) - began
        finally:
            process.terminate()
            process.wait(20)


def _first_answer(port: int) -> float:
    for _ in range(6000):
        try:
            urllib.request.urlopen(
                f"http://127.0.0.1:{port}/healthz", timeout=1
            ).close()  # our own address
        except OSError:
            time.sleep(0.01)
        else:
            return time.perf_counter()
    raise TimeoutError("the server did not start")


def _measure_requests(bench: Bench, address: str, process: int) -> None:
    guest = _Guest(address)
    for count in (10, 50) if bench.short else (10, 100, 500):
        while len(guest.tables) < count:
            guest.open_table()
        rates = [guest.request_rate(bench.seconds) for _ in range(bench.repeats)]
        bench.add_values(
            SUITE, "reading a table, by tables (clock)", "requests/s", rates, size=count
        )
    if (memory := _resident_mib(process)) is not None:
        work = f"memory with {len(guest.tables)} tables"
        bench.add_values(SUITE, work, "MiB", [memory], lower=True)


def _resident_mib(process: int) -> float | None:
    """What a process holds in memory, where the system says so."""
    try:
        status = Path(f"/proc/{process}/status").read_text(encoding="utf-8")
    except OSError:
        return None
    line = next(line for line in status.splitlines() if line.startswith("VmRSS"))
    return int(line.split()[1]) / 1024


def _measure_watchers(bench: Bench, address: str) -> None:
    """One after the other, an order is changed and all sockets at that seat see it."""
    from websockets.sync.client import connect

    guest = _Guest(address)
    table = guest.start_table()
    url = f"{address.replace('http', 'ws')}/api/tables/{table}/live?seat=FRANCE"
    with ExitStack() as sockets:
        watchers: list[_Watcher] = []
        for count in (1, 10, 50) if bench.short else (1, 10, 50, 200):
            for _ in range(count - len(watchers)):
                wire = connect(url, additional_headers={"Cookie": guest.cookie}, max_size=None)
                watchers.append(_Watcher(sockets.enter_context(wire)))
            rates = [guest.click_rate(table, watchers, bench.seconds) for _ in range(bench.repeats)]
            work = "from a click to all screens, by watchers (clock)"
            bench.add_values(SUITE, work, "clicks/s", rates, size=count)


class _Watcher:
    """A screen that shows a table: how many entries of its log it has seen."""

    def __init__(self, wire: Any) -> None:
        self.wire, self.seen = wire, -1

    def read_until(self, seq: int) -> None:
        """Read on until the table has so many entries in its log."""
        while self.seen < seq:
            heard = json.loads(self.wire.recv(timeout=30))
            for message in heard if isinstance(heard, list) else [heard]:
                news = message.get("table") or message.get("delta", {}).get("set", {})
                self.seen = max(self.seen, news.get("seq", -1))


class _Guest:
    """A visitor who opens tables and reads them, one request after the other."""

    def __init__(self, address: str) -> None:
        self.address, self.tables = address, list[str]()
        self.question = 0
        self.jar = http.cookiejar.CookieJar()
        self.opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(self.jar))
        self._send("/api/guests", {"name": "Bench"})

    def open_table(self) -> None:
        made = self._send("/api/tables", {"game": "diplomacy", "players": 7})
        self.tables.append(made["id"])

    @property
    def cookie(self) -> str:
        return "; ".join(f"{each.name}={each.value}" for each in self.jar)

    def start_table(self) -> str:
        """A game that this visitor plays with all seats."""
        seats = [{"seat": power, "kind": "here"} for power in POWERS]
        wish = {"game": "diplomacy", "players": 7, "seats": seats, "start": True}
        return str(self._send("/api/tables", wish)["id"])

    def click_rate(self, table: str, watchers: list[_Watcher], seconds: float) -> float:
        """How often an order can be changed if everybody has seen it before the next change."""
        began, done = time.perf_counter(), 0
        while time.perf_counter() - began < seconds:
            seq = self._change_order(table, ORDERS[done % 2])
            for watcher in watchers:
                watcher.read_until(seq)
            done += 1
        return done / (time.perf_counter() - began)

    def _change_order(self, table: str, order: str) -> int:
        """Give an order and return the length of the log after it."""
        if not self.question:
            self.question = self._send(f"/api/tables/{table}?seat=FRANCE")["question"]["id"]
        wish = {"seat": "FRANCE", "text": order, "question": self.question, "command": uuid4().hex}
        done = self._send(f"/api/tables/{table}/act", wish)
        self.question = done["table"]["question"]["id"]
        return int(done["seq"])

    def request_rate(self, seconds: float) -> float:
        began, done = time.perf_counter(), 0
        while time.perf_counter() - began < seconds:
            self._send(f"/api/tables/{self.tables[done % len(self.tables)]}")
            done += 1
        return done / (time.perf_counter() - began)

    def _send(self, path: str, body: dict[str, Any] | None = None) -> Any:
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(  # noqa: S310  # our own address
            self.address + path, data, {"Content-Type": "application/json", "X-Powderkeg": "bench"}
        )
        with self.opener.open(request, timeout=30) as answer:
            return json.loads(answer.read())
