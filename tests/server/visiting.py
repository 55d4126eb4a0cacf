"""People who visit a server over real sockets, and the processes that serve them."""

import asyncio
import atexit
import itertools
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import cache, partial
from pathlib import Path
from types import ModuleType
from typing import Any, TypeVar

import httpx2
import sparks
import uvicorn
from websockets.sync.client import connect

from powderkeg.core.game import Game
from powderkeg.core.table import Entry, Table
from powderkeg.games import find_game
from powderkeg.server.accounts.identity import Principal
from powderkeg.server.admin import HostCommands
from powderkeg.server.app import create_app
from powderkeg.server.db.migrate import upgrade_database
from powderkeg.server.db.rows import UserRow
from powderkeg.server.db.store import Store
from powderkeg.server.settings import Settings
from powderkeg.server.views.delta import apply_delta

ROOT = Path(__file__).parent.parent.parent
TINY = str(ROOT / "tests" / "tiny")
GAMES: dict[str, ModuleType] = {"sparks": sparks}
MAIN = "import sys; sys.argv[0] = 'powderkeg'; from powderkeg.cli import main; main()"
T = TypeVar("T")
SQLITE_FILE = "powderkeg.sqlite"
_count = itertools.count(1)
OPENED: list[httpx2.Client] = []  # closed after each test
PATIENCE = 600  # seconds after which what hangs is given up, on however busy a machine
NO_TLS = False  # loopback needs no certificates, and every client would read those of the system


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def until(check: Callable[[], Any], seconds: float = PATIENCE) -> Any:
    """Wait until `check` gives something."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if found := check():
            return found
        time.sleep(0.02)
    raise AssertionError("it never happened")


class Person:
    """Somebody with a browser: cookies, the guard header, a language. Each request may meet
    another process."""

    def __init__(self, bases: list[str], lang: str = "en", **headers: str) -> None:
        self.bases = itertools.cycle(bases)
        self.base = bases[0]
        given = {"X-Powderkeg": "1", "Accept-Language": lang, **headers}
        self.http = httpx2.Client(headers=given, timeout=PATIENCE, verify=NO_TLS)
        self.me: Any = None
        OPENED.append(self.http)

    def call(self, method: str, path: str, body: Any = None, expect: int | None = 200) -> Any:
        answer = self.http.request(method, f"{next(self.bases)}/api{path}", json=body)
        if expect is None:
            return answer
        assert answer.status_code == expect, (method, path, answer.status_code, answer.text[:600])
        return answer.json()

    def get(self, path: str, expect: int | None = 200) -> Any:
        return self.call("GET", path, None, expect)

    def post(self, path: str, body: Any = None, expect: int | None = 200) -> Any:
        return self.call("POST", path, {} if body is None else body, expect)

    def guest(self, name: str) -> "Person":
        self.me = self.post("/guests", {"name": name})
        return self

    def act(
        self, table: str, text: str, question: int, expect: int | None = 200, **more: Any
    ) -> Any:
        body = {"command": f"c{next(_count)}", "question": question, "text": text, **more}
        return self.post(f"/tables/{table}/act", body, expect)

    @property
    def cookie(self) -> str:
        return "; ".join(f"{c.name}={c.value}" for c in self.http.cookies.jar)

    @contextmanager
    def live(self, table: str, query: str = "raw=1") -> Iterator["Wire"]:
        """A live table; `raw`: with the list of legal actions."""
        base = next(self.bases).replace("http", "ws")
        url = f"{base}/api/tables/{table}/live?{query}"
        headers = {"Cookie": self.cookie} if self.cookie else {}
        if token := self.http.headers.get("authorization"):
            headers["Authorization"] = token
        # A socket that the server cut off would wait ten seconds for a farewell.
        with connect(
            url, additional_headers=headers, max_size=None, open_timeout=PATIENCE, close_timeout=2
        ) as wire:
            yield Wire(wire)


def principal(user: str, name: str = "") -> Principal:
    """Somebody who is logged in, for tests that call the server directly."""
    return Principal(UserRow(id=user, kind="guest", name=name, created=0.0, seen=0.0))


class Wire:
    """A live table, as the browser hears it."""

    def __init__(self, wire: Any) -> None:
        self.wire = wire
        self.heard: list[dict[str, Any]] = []
        self.waiting: list[dict[str, Any]] = []  # a frame may carry several messages
        self.version = 0
        self.now: Any = None  # the table, kept up to date by what is heard

    def send(self, **message: Any) -> None:
        self.wire.send(json.dumps(message))

    def next(self, kind: str, seconds: float = PATIENCE) -> dict[str, Any]:
        end = time.monotonic() + seconds
        while True:
            message = self._receive(max(0.01, end - time.monotonic()))
            if message["type"] == kind:
                return message

    def _receive(self, seconds: float) -> dict[str, Any]:
        """The next message; a delta is shown as the table that it makes."""
        if not self.waiting:
            frame = json.loads(self.wire.recv(seconds))
            self.waiting += frame if isinstance(frame, list) else [frame]
        message = self.waiting.pop(0)
        if message["type"] == "delta":
            assert message["version"] == self.version + 1
            self.now = apply_delta(self.now, message["delta"])
            message = {**message, "type": "table", "table": self.now}
        elif message["type"] == "table":
            self.now = message["table"]
        self.version = message.get("version", self.version)
        self.heard.append(message)
        return message

    def table(self, check: Callable[[Any], bool] = lambda t: True) -> Any:
        while True:
            if check(table := self.next("table")["table"]):
                return table

    def drain(self, seconds: float = 0.3) -> list[dict[str, Any]]:
        try:
            while True:
                self._receive(seconds)
        except TimeoutError:
            return self.heard


class Site:
    """A server that people can visit, however many processes it is."""

    kind = "?"
    bases: list[str]

    def person(self, lang: str = "en", **headers: str) -> Person:
        shift = next(_count) % len(self.bases)
        return Person(self.bases[shift:] + self.bases[:shift], lang, **headers)

    def guest(self, name: str, lang: str = "en") -> Person:
        return self.person(lang).guest(name)

    def table(self, *people: Person, game: str = "sparks", **wish: Any) -> str:
        """A started table with these people in its seats."""
        first, *rest = people
        players = max(2, len(people))
        seats = [{"seat": seat_names(game, players)[0], "kind": "me"}]
        made = first.post("/tables", {"game": game, "players": players, "seats": seats, **wish})
        for person in rest:
            person.post(f"/tables/{made['id']}/join", {"invite": made["invite"]})
        first.post(f"/tables/{made['id']}/start")
        return str(made["id"])


async def migrate(settings: Settings) -> None:
    store = Store(settings)
    await upgrade_database(store)
    await store.close()


@cache
def migrated_file() -> Path:
    """An SQLite file with all tables and no rows: to copy it is cheaper than to migrate again."""
    folder = tempfile.mkdtemp(prefix="pk-sqlite-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    with ThreadPoolExecutor(1) as beside:  # the thread of a browser test has a loop already
        beside.submit(asyncio.run, migrate(Settings(data=folder))).result()
    return Path(folder) / SQLITE_FILE


def spare_migrations(folder: Path) -> None:
    """A new data folder begins with a migrated file."""
    if not (folder / SQLITE_FILE).exists():
        folder.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(migrated_file(), folder / SQLITE_FILE)


def seat_names(game: str, players: int) -> list[str]:
    module: Game = sparks if game == "sparks" else find_game(game)
    return list(module.seats(players, module.Options()))


class Running(Site):
    """One server in a thread of this process, with settings and clock of the test's choice."""

    def __init__(
        self, settings: Settings, games: Any = None, clock: Callable[[], float] = time.time
    ) -> None:
        self.port = free_port()
        self.bases = [f"http://127.0.0.1:{self.port}"]
        if settings.data and not settings.database_url:
            spare_migrations(Path(settings.data))
        self.app = create_app(settings, games or GAMES, clock=clock)
        self.server = self.app.state.server
        config = uvicorn.Config(
            self.app,
            "127.0.0.1",
            self.port,
            log_level="warning",
            ws_max_size=65536,
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
        until(lambda: self.uvicorn.started or not self.thread.is_alive())
        assert self.uvicorn.started
        return self

    def stop(self) -> None:
        self.loop.call_soon_threadsafe(self.server.events.close)
        self.uvicorn.should_exit = True
        self.thread.join(PATIENCE)

    def do(self, work: Any) -> Any:
        """Run a coroutine in the server's loop."""
        return asyncio.run_coroutine_threadsafe(work, self.loop).result(PATIENCE)


@contextmanager
def running(settings: Settings, **more: Any) -> Iterator[Running]:
    server = Running(settings, **more).start()
    try:
        yield server
    finally:
        server.stop()


def hosted(site: Running, work: Callable[[HostCommands], Awaitable[T]]) -> T:
    """Do `work` as a host's command would: beside the server."""

    async def run() -> T:
        async with HostCommands(site.server.settings, GAMES) as host:
            return await work(host)

    return asyncio.run(run())


class Clock:
    """A clock that the test moves."""

    def __init__(self) -> None:
        self.now = 1_800_000_000.0

    def __call__(self) -> float:
        return self.now


def replay_acknowledged(log: Sequence[Any], acked: Iterable[tuple[str, str, str]]) -> Table:
    """The game replayed from the stored rows of its log, which must hold every acknowledged action
    once."""
    assert [row.seq for row in log] == list(range(len(log)))
    mine = [(row.seat, row.do, row.command) for row in log if row.command]
    assert sorted(mine) == sorted(acked), "lost or doubled"
    replayed = Table(sparks, 2)
    for row in log:
        replayed.enter(Entry(row.seat, row.do, row.at))
    return replayed


class Cluster(Site):
    """Real processes: web servers and workers, as a host would run them."""

    def __init__(self, env: dict[str, str], web: int, workers: int, log: Path) -> None:
        self.env = {
            **os.environ,
            "POWDERKEG_LIMITS": "0",
            "POWDERKEG_GAMES": "sparks",
            "POWDERKEG_KEEP_ALIVE": "0.5",
            "PYTHONPATH": os.pathsep.join(filter(None, [TINY, os.environ.get("PYTHONPATH")])),
            **env,
        }
        self.log = log.open("a")
        self.ports = [free_port() for _ in range(web)]
        self.bases = [f"http://127.0.0.1:{port}" for port in self.ports]
        self.web: dict[int, subprocess.Popen[bytes]] = {}
        for port in self.ports:
            self.start_web(port, wait=not self.web)
        self.wait()
        self.workers = [self.run("worker") for _ in range(workers)]

    def run(self, *args: str) -> "subprocess.Popen[bytes]":
        return subprocess.Popen(
            [sys.executable, "-c", MAIN, *args], env=self.env, stdout=self.log, stderr=self.log
        )

    def start_web(self, port: int, *, wait: bool = True) -> None:
        self.web[port] = self.run("serve", "--port", str(port), *self.more)
        if wait:
            self.wait(port)

    @property
    def more(self) -> list[str]:
        return ["--no-jobs"] if "POWDERKEG_DATABASE_URL" in self.env else []

    def wait(self, *ports: int) -> None:
        for port in ports or self.ports:
            until(partial(self._answers, port))

    def _answers(self, port: int) -> bool:
        assert self.web[port].poll() is None, Path(self.log.name).read_text()[-3000:]
        try:
            answer = httpx2.get(f"http://127.0.0.1:{port}/healthz", timeout=60, verify=NO_TLS)
        except httpx2.HTTPError:
            return False
        return answer.status_code == 200

    def stop(self) -> None:
        processes = [*self.web.values(), *self.workers]
        for process in processes:
            process.send_signal(signal.SIGTERM)
        for process in processes:
            try:
                process.wait(15)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        self.log.close()


def play_out(
    site: Site, table: str, people: list[Person], pick: Callable[[Any], str] | None = None
) -> Any:
    """Play a table to its end, everybody taking turns; the last table seen."""
    last = time.monotonic()
    while time.monotonic() - last < PATIENCE:
        moved = False
        for person in people:
            now = person.get(f"/tables/{table}?text=0")
            if now["status"] != "live":
                return now
            if now["question"]:
                text = pick(now) if pick else now["legal"][0]
                answer = person.act(table, text, now["question"]["id"], None)
                assert answer.status_code in (200, 409), answer.text
                moved = True
        if moved:
            last = time.monotonic()
        else:
            time.sleep(0.05)
    raise AssertionError("the game does not go on")
