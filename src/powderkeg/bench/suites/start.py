"""How long it takes to start, and what a state, a table and a position in a batch cost in memory."""

import random
import subprocess
import sys
import time
import tracemalloc
from collections.abc import Callable
from typing import Any

import powderkeg
from powderkeg.bench.figures import Bench
from powderkeg.core.table import Table
from powderkeg.games import GAME_NAMES

SUITE = "start"
STARTS: dict[str, tuple[list[str], float]] = {
    "python -c pass, for scale": (["-c", "pass"], 0),
    "import powderkeg": (["-c", "import powderkeg"], 100),
    "powderkeg --help": (["-m", "powderkeg", "--help"], 300),
}
TABLES = 200


def measure(bench: Bench) -> None:
    for work, (args, most) in STARTS.items():
        values = [_start_ms(args) for _ in range(bench.repeats)]
        bench.add_values(SUITE, work, "ms", values, must=most, aim=most, lower=True)
    for game in GAME_NAMES:
        table = powderkeg.table(game, seed=1)
        _play_some(table, random.Random(1), 60)
        _add_bytes(bench, f"{game}: a table after 60 actions", lambda: _copied_table(table))  # noqa: B023  # run at once
        _add_bytes(bench, f"{game}: a state that one action made", lambda: _next_state(table))  # noqa: B023  # run at once
    _measure_batch(bench)


def _start_ms(args: list[str]) -> float:
    began = time.perf_counter()
    subprocess.run([sys.executable, *args], stdout=subprocess.DEVNULL, check=True)  # noqa: S603  # ourselves
    return 1000 * (time.perf_counter() - began)


def _play_some(table: Table, rng: random.Random, actions: int) -> None:
    for _ in range(actions):
        if table.to_act:
            seat = min(table.to_act)
            table.act(seat, table.legal(seat).sample(rng))


def _copied_table(table: Table) -> object:
    """The same game again, with nothing shared but the rules."""
    return table.fork()


def _next_state(table: Table) -> object:
    """The state after one more action, which shares with the last what did not change."""
    seat = min(table.to_act)
    action = table.legal(seat).sample(random.Random(2))
    return table.game.apply(table.state, seat, action).state


def _add_bytes(bench: Bench, work: str, make: Callable[[], Any]) -> None:
    make()
    tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0]
    kept = [make() for _ in range(TABLES)]
    cost = (tracemalloc.get_traced_memory()[0] - before) / len(kept) / 1024
    tracemalloc.stop()
    bench.add_values(SUITE, work, "KiB", [cost], lower=True)


def _measure_batch(bench: Bench) -> None:
    try:
        from powderkeg.games.diplomacy.fast.games import BatchGames
    except ImportError as missing:
        bench.add_gap(SUITE, "diplomacy: a game in a batch", str(missing))
        return
    arrays = [a for a in vars(BatchGames(100)).values() if getattr(a, "shape", (0,))[0] == 100]
    listed = BatchGames(100).codes.nbytes / 100 / 1024
    whole = sum(array.nbytes for array in arrays) / 100 / 1024
    bench.add_values(SUITE, "diplomacy: a position in a batch", "KiB", [whole - listed], lower=True)
    bench.add_values(SUITE, "diplomacy: its lists of legal orders", "KiB", [listed], lower=True)
