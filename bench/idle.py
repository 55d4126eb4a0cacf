"""What an idle server costs: memory per table and socket, CPU per second, and its start.

    python bench/idle.py                          500 tables, 1,000 sockets
    python bench/idle.py --tables 10000 --sockets 5000
    python bench/idle.py --log-rows 1000000       and the start with as many entries in the log
    python bench/idle.py --deadlines 10000        and as many deadlines that run out within a minute
    python bench/idle.py --game diplomacy --seats 7

Memory is what the process has in use beside what it had after its start. CPU does not depend on what
else the machine does; the seconds of a start do.
"""

import argparse
import asyncio
import json
import os
import sqlite3
import time
from pathlib import Path
from typing import Any

import httpx2
from server import Load, Processes  # type: ignore[import-not-found]  # beside this file
from websockets.asyncio.client import ClientConnection, connect


async def make_tables(load: Load, count: int) -> tuple[str, list[tuple[str, str]]]:
    """Started tables without anybody at them: a cookie, and the seats."""
    gate, made = asyncio.Semaphore(8), list[tuple[str, str]]()
    async with httpx2.AsyncClient(timeout=60, headers={"X-Powderkeg": "1"}) as http:
        cookie, names = await load._guest(http), await load._seats(http)  # noqa: SLF001  # its sister
        seats = [{"seat": name, "kind": "here"} for name in names]
        wish = {"game": load.args.game, "players": len(names), "seats": seats, "start": True}

        async def one() -> None:
            async with gate:
                url, headers = f"{load.bases[0]}/api/tables", {"Cookie": cookie}
                table = (await http.post(url, json=wish, headers=headers)).json()["id"]
                made.extend((table, name) for name in names)

        await asyncio.gather(*(one() for _ in range(count)))
    return cookie, made


async def follow(
    base: str, cookie: str, seats: list[tuple[str, str]], *, deflate: bool
) -> list[ClientConnection]:
    """A socket for each of these seats; each has received its table."""
    gate = asyncio.Semaphore(16)

    async def one(table: str, seat: str) -> ClientConnection:
        async with gate:
            wire = await connect(
                f"{base.replace('http', 'ws')}/api/tables/{table}/live?seat={seat}",
                additional_headers={"Cookie": cookie},
                max_size=None,
                ping_interval=None,
                compression="deflate" if deflate else None,
            )
            await wire.recv()
            return wire

    return await asyncio.gather(*(one(*seat) for seat in seats))


async def measure_idle(args: argparse.Namespace, processes: Processes) -> dict[str, Any]:
    load = Load(args, [f"http://127.0.0.1:{port}" for port in processes.ports])
    begun = processes.megabytes()
    cookie, seats = await make_tables(load, args.tables)
    with_tables = processes.megabytes()
    wires = await follow(load.bases[0], cookie, seats[: args.sockets], deflate=args.deflate)
    await asyncio.sleep(2)
    with_sockets, spent, at = processes.megabytes(), processes.cpu(), time.perf_counter()
    await asyncio.sleep(args.seconds)
    busy = (processes.cpu() - spent) / (time.perf_counter() - at)
    for wire in wires:
        await wire.close()
    return {
        "tables": args.tables,
        "sockets": len(wires),
        "MB after the start": begun,
        "MB with tables": with_tables,
        "MB with sockets": with_sockets,
        "kB per table": round((with_tables - begun) * 1024 / args.tables, 1),
        "kB per socket": round((with_sockets - with_tables) * 1024 / max(1, len(wires)), 1),
        "idle CPU ms per second": round(busy * 1000, 1),
    }


def fill_log(folder: str, rows: int) -> None:
    """A table that ended long ago, over and over: entries that nobody will load."""
    database = sqlite3.connect(Path(folder) / "powderkeg.sqlite")
    first = database.execute("SELECT * FROM log LIMIT 1").fetchone()
    names = [column[1] for column in database.execute("PRAGMA table_info(log)")]
    game, seq, command = names.index("game"), names.index("seq"), names.index("command")
    (columns,) = database.execute("SELECT * FROM games LIMIT 1").fetchall()
    marks = ",".join("?" * len(columns))
    for number in range(-(-rows // 1000)):
        table = (f"old{number}", *columns[1:])
        database.execute(f"INSERT INTO games VALUES ({marks})", table)  # noqa: S608  # only marks
        entries = [list(first) for _ in range(1000)]
        for place, entry in enumerate(entries):
            entry[game], entry[seq], entry[command] = f"old{number}", place, None
        database.executemany(f"INSERT INTO log VALUES ({','.join('?' * len(first))})", entries)  # noqa: S608  # only marks
    database.commit()
    database.close()


def measure_start(args: argparse.Namespace, folder: str) -> dict[str, Any]:
    """The start of a server with this data folder, until it answers."""
    begun = time.perf_counter()
    processes = Processes(args, folder)
    try:
        return {
            "log rows": args.log_rows,
            "start s": round(time.perf_counter() - begun, 2),
            "start CPU s": round(processes.cpu(), 2),
        }
    finally:
        processes.stop()


def copy_late_table(folder: str, count: int, within: float) -> None:
    """Copies of a table whose players are late, one after the other within so many seconds; for the moment
    all of them have a day's time."""
    database = sqlite3.connect(Path(folder) / "powderkeg.sqlite")
    database.row_factory = sqlite3.Row
    (game,) = database.execute("SELECT id FROM games WHERE due IS NOT NULL").fetchone()
    kept = {
        name: database.execute(f"SELECT * FROM {name} WHERE {key} = ?", (game,)).fetchall()  # noqa: S608  # our own names
        for name, key in (("games", "id"), ("seats", "game"), ("log", "game"))
    }
    begins = time.time() + 86_400
    for number in range(count):
        table, due = f"late{number}", begins + number * within / count
        for name, rows in kept.items():
            for row in rows:
                new = dict(row) | {"id" if name == "games" else "game": table}
                new |= {"due": due} if new.get("due") else {}
                marks = ",".join("?" * len(new))
                database.execute(f"INSERT INTO {name} VALUES ({marks})", tuple(new.values()))  # noqa: S608  # only marks
        job = ("due", f"due:{table}", table, due)
        database.execute(
            "INSERT INTO jobs (kind, key, game, run_at, asked, tries, locked_until, error)"
            " VALUES (?, ?, ?, ?, 1, 0, 0, '')",
            job,
        )
    database.commit()
    database.close()


def call_deadlines(database: sqlite3.Connection) -> float:
    """Let the first deadline run out in a second; return when the last one does. Only now: how long a start
    takes depends on the machine."""
    late = "WHERE key LIKE 'due:late%'"
    first, last = database.execute(f"SELECT min(run_at), max(run_at) FROM jobs {late}").fetchone()  # noqa: S608  # our own words
    earlier = first - time.time() - 1
    database.execute("PRAGMA busy_timeout = 60000")
    database.execute(f"UPDATE jobs SET run_at = run_at - ? {late}", [earlier])  # noqa: S608  # our own words
    database.execute("UPDATE games SET due = due - ? WHERE id LIKE 'late%'", [earlier])
    database.execute("UPDATE seats SET due = due - ? WHERE game LIKE 'late%'", [earlier])
    database.commit()
    return float(last - earlier)


async def measure_deadlines(args: argparse.Namespace, folder: str) -> dict[str, Any]:
    """What players feel at ten actions per second while deadlines run out, and how late those are."""
    processes = Processes(args, folder)
    try:
        load = Load(args, [f"http://127.0.0.1:{port}" for port in processes.ports])
        await load.open(40)
        listening = [asyncio.create_task(load.listen(s)) for t in load.tables.values() for s in t]
        await asyncio.sleep(2)
        database = sqlite3.connect(Path(folder) / "powderkeg.sqlite")
        late = "SELECT count(*) FROM jobs WHERE key LIKE 'due:late%' AND run_at < ?"
        soon = time.time() + 3600
        spent, last = processes.cpu(), call_deadlines(database)
        numbers = await load.steady(10, max(1.0, last - time.time()))
        while left := database.execute(late, (soon,)).fetchone()[0]:
            await asyncio.sleep(0.2)
            if time.time() > last + 600:
                break
        for task in listening:
            task.cancel()
        return {
            "deadlines": args.deadlines,
            "left after ten minutes": left,
            "s from the last one to none left": round(time.time() - last, 1),
            "CPU ms per deadline": round((processes.cpu() - spent) / args.deadlines * 1000, 2),
            "players meanwhile": numbers,
        }
    finally:
        processes.stop()


async def make_late_table(args: argparse.Namespace, processes: Processes) -> None:
    """A table with a deadline for each turn."""
    load = Load(args, [f"http://127.0.0.1:{port}" for port in processes.ports])
    async with httpx2.AsyncClient(timeout=60, headers={"X-Powderkeg": "1"}) as http:
        cookie, names = await load._guest(http), await load._seats(http)  # noqa: SLF001  # its sister
        seats = [{"seat": name, "kind": "here"} for name in names]
        clock = {"kind": "turn", "length": 86_400}
        wish = {"game": args.game, "players": len(names), "seats": seats, "start": True}
        wish |= {"settings": {"clock": clock}}
        made = await http.post(f"{load.bases[0]}/api/tables", json=wish, headers={"Cookie": cookie})
        made.raise_for_status()


def main(args: argparse.Namespace) -> None:
    processes = Processes(args)
    found: dict[str, Any] = {"game": args.game, "load average before": os.getloadavg()[0]}
    try:
        found |= asyncio.run(measure_idle(args, processes))
        if args.deadlines:
            asyncio.run(make_late_table(args, processes))
    finally:
        processes.stop()
    if args.log_rows:
        fill_log(processes.folder, args.log_rows)
        found |= measure_start(args, processes.folder)
    if args.deadlines:
        copy_late_table(processes.folder, args.deadlines, args.within)
        found |= asyncio.run(measure_deadlines(args, processes.folder))
    print(json.dumps(found, indent=1))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", default="sparks")
    parser.add_argument("--seats", type=int, default=2)
    parser.add_argument("--tables", type=int, default=500)
    parser.add_argument("--sockets", type=int, default=1000)
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--log-rows", type=int, default=0)
    parser.add_argument("--deadlines", type=int, default=0)
    parser.add_argument("--within", type=float, default=60, help="seconds")
    parser.add_argument("--deflate", action="store_true")
    main(parser.parse_args(namespace=argparse.Namespace(web=1, database="", postgres=False)))
