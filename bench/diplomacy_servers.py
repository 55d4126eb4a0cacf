"""Our server beside the `diplomacy` package's own, on the same games of Diplomacy.

    python bench/diplomacy_servers.py --peer /path/to/python   # one that has the package installed
    python bench/diplomacy_servers.py                          # ours alone

Random games of seven are made with our engine (moves and holds, builds and removals; no supports,
so that nobody is dislodged and both engines must agree) and played on both servers, one after the
other: each server is a process of its own, every power a client of its own. Powers hand in their
orders all at once; measured is the time from the last order set of a phase until all seven clients
know of the next one, how many phases per second are played when all games go on at once, and
what the server's process spends on each. Making the games and sitting down is counted apart. Ours has
every order on disk before it answers; the package saves its games from time to time.
"""

import argparse
import asyncio
import json
import os
import random
import subprocess
import tempfile
import time
from dataclasses import dataclass
from typing import Any

import httpx2
from peer_server import ONE_MAP  # type: ignore[import-not-found]  # beside this file
from server import Processes, _ms  # type: ignore[import-not-found]  # beside this file
from websockets.asyncio.client import ClientConnection, connect

from powderkeg.core.game import State
from powderkeg.games import diplomacy
from powderkeg.games.diplomacy.actions import Build, Disband, Hold, Move, Order, Ready
from powderkeg.games.diplomacy.state import Options
from powderkeg.games.diplomacy.steps import order_pieces
from powderkeg.server.views.delta import apply_delta

PLAIN = (Hold, Move, Build, Disband)
SEATS = diplomacy.seats(7, Options())

SERVE = f"""{ONE_MAP}
import sys
Server().start(port=int(sys.argv[1]))
"""

# The peer's side of it, run by a Python that has the package.
PEER = """
import asyncio, contextlib, json, logging, os, socket, subprocess, sys, tempfile, time
logging.disable(logging.CRITICAL)
from diplomacy.client.connection import connect
games = json.load(sys.stdin)
with socket.socket() as probe:
    probe.bind(("127.0.0.1", 0))
    port = probe.getsockname()[1]
server = subprocess.Popen([sys.executable, "-c", games["serve"], str(port)], cwd=tempfile.mkdtemp(prefix="peer-"),
                          stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
RULES = ["NO_PRESS", "REAL_TIME", "NO_DEADLINE", "POWER_CHOICE"]

async def seat(channels):
    first, *rest = channels
    made = await channels[first].create_game(map_name="standard", rules=RULES, deadline=0,
                                             n_controls=7, power_name=first)
    mine = {first: made}
    for power in rest:
        mine[power] = await channels[power].join_game(game_id=made.game_id, power_name=power)
    notices = {power: asyncio.Queue() for power in mine}
    for power, game in mine.items():
        game.add_on_game_processed(lambda game, note, power=power: notices[power].put_nowait(1))
    return mine, notices

async def play(mine, notices, phases, times):
    for phase in phases:
        begun = time.perf_counter()
        for power, orders in phase.items():
            begun = time.perf_counter()
            await mine[power].set_orders(power_name=power, orders=orders)
        await asyncio.wait_for(asyncio.gather(*(q.get() for q in notices.values())), 120)
        times.append(time.perf_counter() - begun)

def cpu():
    with open(f"/proc/{server.pid}/stat") as file:
        return sum(map(int, file.read().rsplit(")", 1)[1].split()[11:13])) / os.sysconf("SC_CLK_TCK")

async def main():
    powers = list(games["seats"])
    for _ in range(200):
        try:
            lines = {p: await connect("127.0.0.1", port) for p in powers}
            break
        except Exception:
            await asyncio.sleep(0.1)
    channels = {p: await lines[p].authenticate("user_" + p, "password") for p in powers}
    alone, crowd = [], []
    await play(*await seat(channels), games["games"][0], alone)
    spent = cpu()
    seated = await asyncio.gather(*(seat(channels) for _ in games["games"]))
    seating = cpu() - spent
    begun, spent = time.perf_counter(), cpu()
    await asyncio.gather(*(play(*s, g, crowd) for s, g in zip(seated, games["games"])))
    print(json.dumps([alone, crowd, time.perf_counter() - begun, cpu() - spent, seating]))

try:
    asyncio.run(main())
finally:
    server.terminate()
    server.wait()
"""


# The games


def some_game(rng: random.Random, phases: int) -> list[dict[str, list[str]]]:
    """What every power orders, phase by phase."""
    state: State = diplomacy.start(SEATS, Options())
    written: list[dict[str, list[str]]] = []
    while len(written) < phases and diplomacy.to_act(state):
        orders: dict[str, list[str]] = {}
        for seat in sorted(diplomacy.to_act(state)):
            orders[seat] = []
            for order in _chosen(state, seat, rng):
                if order in diplomacy.legal(state, seat):
                    state = diplomacy.apply(state, seat, order).state
                    orders[seat].append(str(order))
        for seat in orders:
            state = diplomacy.apply(state, seat, Ready()).state
        written.append(orders)
    return written


def _chosen(state: State, seat: str, rng: random.Random) -> list[Order]:
    """An order for each piece; of an adjustment, builds and removals only."""
    found: list[Order] = []
    for _, actions in order_pieces(state, seat):
        plain = [a for a in actions if isinstance(a, PLAIN) and not getattr(a, "via", False)]
        if state.stage == "adjustment":
            plain = [a for a in plain if isinstance(a, Build | Disband)]
        if plain:
            found.append(rng.choice(plain))
    return found


# Our side of it


@dataclass
class SeatedGame:
    """A game of ours: the sockets of its seats, and the table as each seat sees it."""

    wires: dict[str, ClientConnection]
    now: dict[str, dict[str, Any]]


async def seat_ours(http: httpx2.AsyncClient, base: str) -> SeatedGame:
    cookie, table = await _sit_down(http, base)
    wires = {seat: await _connect(base, table, seat, cookie) for seat in SEATS}
    now = {seat: await _next_phase(wire, {"phase": ""}) for seat, wire in wires.items()}
    return SeatedGame(wires, now)


async def play_ours(
    game: SeatedGame, phases: list[dict[str, list[str]]], times: list[float]
) -> None:
    for number, orders in enumerate(phases):
        begun = time.perf_counter()
        for seat, texts in orders.items():
            begun = time.perf_counter()
            act = {"type": "act", "command": f"{number}", "texts": [*texts, "ready"]}
            act |= {"question": game.now[seat]["question"]["id"]}
            await game.wires[seat].send(json.dumps(act))
        seen = await asyncio.wait_for(
            asyncio.gather(*(_next_phase(wire, game.now[s]) for s, wire in game.wires.items())), 120
        )
        times.append(time.perf_counter() - begun)
        game.now = dict(zip(game.wires, seen, strict=True))


async def _sit_down(http: httpx2.AsyncClient, base: str) -> tuple[str, str]:
    answer = await http.post(f"{base}/api/guests", json={"name": "load"})
    cookie = f"pk_session={answer.cookies['pk_session']}"
    http.cookies.clear()
    seats = [{"seat": seat, "kind": "here"} for seat in SEATS]
    wish = {"game": "diplomacy", "players": 7, "seats": seats, "start": True}
    made = await http.post(f"{base}/api/tables", json=wish, headers={"Cookie": cookie})
    http.cookies.clear()
    return cookie, made.json()["id"]


async def _connect(base: str, table: str, seat: str, cookie: str) -> ClientConnection:
    url = f"{base.replace('http', 'ws')}/api/tables/{table}/live?seat={seat}"
    return await connect(
        url,
        additional_headers={"Cookie": cookie},
        max_size=None,
        ping_interval=None,
        compression=None,  # the package's client asks for none either
    )


async def _next_phase(wire: ClientConnection, now: dict[str, Any]) -> dict[str, Any]:
    """The table in another phase than now."""
    phase = now["phase"]
    while True:
        heard = json.loads(await wire.recv())
        for message in heard if isinstance(heard, list) else [heard]:
            if message["type"] == "refused":
                raise SystemExit(f"refused: {message}")
            if message["type"] == "table":
                now = message["table"]
            elif message["type"] == "delta":
                now = apply_delta(now, message["delta"])
        if now["phase"] != phase:
            return now


async def ours(games: list[list[dict[str, list[str]]]], args: argparse.Namespace) -> Any:
    processes = Processes(args)
    base = f"http://127.0.0.1:{processes.ports[0]}"
    alone: list[float] = []
    crowd: list[float] = []
    try:
        async with httpx2.AsyncClient(timeout=60, headers={"X-Powderkeg": "1"}) as http:
            await play_ours(await seat_ours(http, base), games[0], alone)
            spent = processes.cpu()
            seated = await asyncio.gather(*(seat_ours(http, base) for _ in games))
            seating = processes.cpu() - spent
            begun, spent = time.perf_counter(), processes.cpu()
            each = zip(seated, games, strict=True)
            await asyncio.gather(*(play_ours(one, game, crowd) for one, game in each))
            return alone, crowd, time.perf_counter() - begun, processes.cpu() - spent, seating
    finally:
        processes.stop()


def _numbers(found: Any, phases: int, games: int) -> dict[str, float]:
    alone, crowd, seconds, spent, seating = found
    return {
        "alone p50 ms": _ms(alone, 0.5),
        "alone p99 ms": _ms(alone, 0.99),
        "together p50 ms": _ms(crowd, 0.5),
        "together p99 ms": _ms(crowd, 0.99),
        "phases per second": round(phases / seconds, 1),
        "server's CPU ms per phase": round(spent / phases * 1000, 1),
        "server's CPU ms to seat a game": round(seating / games * 1000, 1),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--peer", default="", help="a Python that has the `diplomacy` package")
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--phases", type=int, default=8)
    args = parser.parse_args(namespace=argparse.Namespace(web=1, database="", postgres=False))
    rng = random.Random(1)
    games = [some_game(rng, args.phases) for _ in range(args.games)]
    phases = sum(map(len, games))
    found: dict[str, Any] = {"games": args.games, "phases": phases}
    found["load average before"] = os.getloadavg()[0]
    found["ours"] = _numbers(asyncio.run(ours(games, args)), phases, len(games))
    if args.peer:
        measure_peer(found, games, phases, args.peer)
    print(json.dumps(found, indent=1))


def measure_peer(
    found: dict[str, Any], games: list[list[dict[str, list[str]]]], phases: int, peer: str
) -> None:
    """Add what the package's server needs for the same games."""
    upper = [
        [{p: [o.upper() for o in orders] for p, orders in phase.items()} for phase in game]
        for game in games
    ]
    said = subprocess.run(  # noqa: S603  # the Python that was named
        [peer, "-c", PEER],
        input=json.dumps({"serve": SERVE, "seats": SEATS, "games": upper}),
        capture_output=True,
        text=True,
        check=False,
        cwd=tempfile.gettempdir(),
    )
    if said.returncode:
        raise SystemExit(said.stderr[-3000:])
    found["diplomacy package"] = _numbers(
        json.loads(said.stdout.splitlines()[-1]), phases, len(games)
    )
    for name in ("phases per second", "server's CPU ms per phase"):
        pair = [found[who][name] for who in ("ours", "diplomacy package")]
        found[f"ours / theirs: {name}"] = round(pair[0] / pair[1], 2)


if __name__ == "__main__":
    main()
