"""DAIDE over TCP against an independent implementation, the `diplomacy` package.

    python bench/daide_peer.py --peer /path/to/python   # one that has diplomacy 1.1.2 installed

First seven of our bots play at the package's server; counted are the orders it took. Then a program
made of the package's own message, token and clause classes plays at our server and reads everything it
is sent with them. `--record FILE` keeps the dialogue of one of our bots, the fixture of
tests/bots/diplomacy/daide.
"""

import argparse
import asyncio
import gzip
import tempfile
from collections import Counter
from pathlib import Path

from peer_server import ONE_MAP  # type: ignore[import-not-found]  # beside this file

from powderkeg.bots.diplomacy.daide.game_host import GameHost, HostSettings
from powderkeg.bots.diplomacy.daide.player import DaidePlayer, join_game
from powderkeg.bots.diplomacy.daide.server import DaideServer
from powderkeg.bots.levels import find_bot

# The package's server with one game.
SERVE = f"""{ONE_MAP}
import tempfile
from tornado.ioloop import IOLoop
from diplomacy.server.server_game import ServerGame

server = Server(server_dir=tempfile.mkdtemp())
game = ServerGame(map_name="standard", n_controls=7, rules=["NO_PRESS", "POWER_CHOICE"], server=server)
server.add_new_game(game)

def open_port():
    server.start_new_daide_server(game.game_id)
    print("port", server.get_daide_port(game.game_id), flush=True)

loop = IOLoop.current()
loop.add_callback(open_port)
server.start(port=0, io_loop=loop)
"""

# A program that holds every unit, made of the package's classes.
PLAY = """
import socket, struct, sys
from diplomacy.daide import messages, clauses, tokens
from diplomacy.daide.utils import str_to_bytes, bytes_to_str

line = socket.create_connection(("127.0.0.1", int(sys.argv[1])))
counts = {}

def send(text):
    message = messages.DiplomacyMessage()
    message.content = str_to_bytes(text)
    line.sendall(bytes(message))

def take(size):
    data = b""
    while len(data) < size:
        more = line.recv(size - len(data))
        if not more:
            raise EOFError
        data += more
    return data

def read():
    kind, _, high, low = take(4)
    return messages.MessageType(kind), take(high * 256 + low)

def letters(text):
    return " ".join(text)

def groups(data):
    while data:
        group, data = clauses.break_next_group(data)
        yield group

def check(word, data):
    if word in ("ORD", "THX"):
        parts = list(groups(data))
        order, rest = clauses.parse_bytes(clauses.Order, parts[1 if word == "ORD" else 0])
        assert order is not None and not rest, bytes_to_str(data)
    if word in ("ORD", "NOW"):
        turn, _ = clauses.parse_bytes(clauses.Turn, next(groups(data)))
        assert turn is not None

def own_units(data, me):
    for group in list(groups(data))[1:]:
        words = bytes_to_str(group).split()
        if words[1] == me:
            yield bytes_to_str(group), "MRT" in words

line.sendall(bytes(messages.InitialMessage()))
assert read()[0] is messages.MessageType.REPRESENTATION
send("NME ( %s ) ( %s )" % (letters("Peer"), letters("1")))
me = ""
while True:
    kind, data = read()
    if kind is not messages.MessageType.DIPLOMACY:
        break
    word, rest = bytes_to_str(data[:2]), data[2:]
    counts[word] = counts.get(word, 0) + 1
    check(word, rest)
    if word == "MAP":
        send("MDF")
    elif word == "MDF":
        send("YES ( MAP ( %s ) )" % letters("standard"))
    elif word == "HLO":
        me = bytes_to_str(rest).split()[1]
    elif word == "NOW":
        season = bytes_to_str(rest).split()[1]
        orders = []
        for text, beaten in own_units(rest, me):
            unit = text.split(" MRT")[0] + (" )" if beaten else "")
            if season in ("SPR", "FAL"):
                orders.append("( %s HLD )" % unit)
            elif season in ("SUM", "AUT") and beaten:
                orders.append("( %s DSB )" % unit)
        if orders:
            send("SUB " + " ".join(orders))
        elif season == "WIN":
            send("MIS")
    elif word == "MIS" and len(rest):
        number = bytes_to_str(rest).split()[1]
        if number.startswith("#-"):
            send("SUB " + " ".join(["( %s WVE )" % me] * int(number[2:])))
    elif word == "OFF":
        line.sendall(bytes(messages.FinalMessage()))
        break
print(sorted(counts.items()), flush=True)
"""


async def play_at_peer(python: str, seconds: float) -> list[tuple[int, str, str]]:
    """Our bots at the package's server, for some seconds; everything that was said."""
    server = await asyncio.create_subprocess_exec(
        python,
        "-c",
        SERVE,
        cwd=tempfile.mkdtemp(prefix="peer-"),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
    )
    said: list[tuple[int, str, str]] = []
    try:
        port = await _announced_port(server)
        async with asyncio.TaskGroup() as seats:
            tasks = [seats.create_task(_join_one(i, port, said)) for i in range(7)]
            await asyncio.sleep(seconds)
            for task in tasks:
                task.cancel()
    finally:
        server.kill()
        await server.wait()
    return said


async def _announced_port(server: asyncio.subprocess.Process) -> int:
    lines = server.stdout or asyncio.StreamReader()
    async for line in lines:
        if line.startswith(b"port"):
            return int(line.split()[1])
    raise SystemExit("the peer's server did not start")


async def _join_one(number: int, port: int, said: list[tuple[int, str, str]]) -> None:
    await asyncio.sleep(2 * number)  # the package loses one of two that log in at once
    player = DaidePlayer(find_bot("diplomacy", "normal"), seed=number)
    await join_game(player, "127.0.0.1", port, lambda way, text: said.append((number, way, text)))


async def peer_plays_here(python: str, last_year: int) -> str:
    """The package's program at our server, until the game is over; what it counted."""
    server = DaideServer(GameHost(HostSettings(1, bots="normal", last_year=last_year)))
    port = await server.open_port(port=0)
    peer = await asyncio.create_subprocess_exec(
        python, "-c", PLAY, str(port), stdout=asyncio.subprocess.PIPE
    )
    game = asyncio.create_task(server.play_game())
    out, _ = await peer.communicate()
    await game
    if peer.returncode:
        raise SystemExit("the peer did not understand us")
    return out.decode().strip()


def print_counts(said: list[tuple[int, str, str]]) -> None:
    words = Counter(way + " " + text.split()[0] for _, way, text in said)
    notes = Counter(text.split()[-2] for _, _, text in said if text.startswith("THX"))
    phases = {" ".join(text.split()[2:4]) for _, _, text in said if text.startswith("NOW")}
    print(f"{len(said)} messages, {len(phases)} phases: {dict(words)}")
    print(f"what the server said to our orders: {dict(notes)}")


def record_dialogue(said: list[tuple[int, str, str]], path: Path, most: int = 250) -> None:
    own = [f"{way} {text}\n" for number, way, text in said if number == 0][:most]
    path.write_bytes(gzip.compress("".join(own).encode(), mtime=0))


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--peer", required=True, help="a Python with the package installed")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--record", type=Path)
    chosen = parser.parse_args()
    print("the package's program at our server:")
    print(asyncio.run(peer_plays_here(chosen.peer, 1905)))
    print("our bots at the package's server:")
    said = asyncio.run(play_at_peer(chosen.peer, chosen.seconds))
    print_counts(said)
    if chosen.record:
        record_dialogue(said, chosen.record)


if __name__ == "__main__":
    main()
