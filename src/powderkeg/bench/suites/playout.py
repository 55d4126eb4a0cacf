"""Whole random games: with the rules as they are read, and in kernels; and reading a log back."""

import json
import os
import random
import subprocess
import sys
from functools import partial
from importlib import import_module
from typing import Any

import powderkeg
from powderkeg.bench.figures import Bench
from powderkeg.bench.positions import play_randomly
from powderkeg.compiled import SWITCH, uses_compiled
from powderkeg.core.table import Table

SUITE = "playout"
UNIT = "games/s"
GAMES = ("versailles", "risk_europe", "diplomacy")
LENGTHS = (50, 100, 200)  # entries of a log
FOUR = {"versailles": (120, 300), "risk_europe": (60, 200)}  # must and aim with compiled rules
# Games inside a compiled kernel: where `play_random_games(players, games, seed)` is, must and aim.
KERNELS = {
    "risk_europe": ("powderkeg.games.risk_europe.fast.boards", 2000, 10_000),
    "versailles": ("powderkeg.games.versailles.fast.boards", 3000, 10_000),
}


def measure(bench: Bench) -> None:
    measure_games(bench)
    if uses_compiled():
        _measure_sources(bench)
    else:
        for game, (must, _) in FOUR.items():
            bench.add_gap(SUITE, f"{game}, 4 players: compiled", f"`make fast` first; must {must}")
    _measure_lengths(bench)
    for game, (module, must, aim) in KERNELS.items():
        _measure_kernel(bench, game, module, must, aim)
    beside = f"diplomacy, 7 players: {_rules_word()}"
    bench.add_peer(
        SUITE, "diplomacy, 7 players, to 1910", UNIT, "diplomacy", "games", beside=beside
    )
    for name in ("backgammon", "gin_rummy"):
        bench.add_peer(SUITE, f"{name}, for scale", UNIT, "open_spiel", name)


def measure_games(bench: Bench) -> None:
    """Games with the rules that this process has imported: compiled, or from their sources."""
    for name in GAMES:
        if name == "diplomacy":
            _measure_game(bench, name, 7, last_year=1910)
        else:
            _measure_game(bench, name, 4)
            _measure_game(bench, name, 2)


def _rules_word() -> str:
    return "compiled" if uses_compiled() else "source"


def _measure_game(bench: Bench, name: str, players: int, **options: Any) -> None:
    game, seeds = import_module(f"powderkeg.games.{name}"), iter(range(10**9))

    def play() -> float:
        play_randomly(game, players, next(seeds), **options)
        return 1

    goals = FOUR.get(name) if players == 4 and uses_compiled() else None
    more = {"must": goals[0], "aim": goals[1]} if goals else {}
    work = f"{name}, {players} players: {_rules_word()}"
    bench.add_rate(SUITE, work, UNIT, play, **more)


def _measure_lengths(bench: Bench) -> None:
    """A game is read back from its log, as a server does that was started again."""
    table, rng = powderkeg.table("versailles", 4, seed=bench.seed), random.Random(bench.seed)
    while len(table.log) < LENGTHS[-1] and table.to_act:
        seat = min(table.to_act)
        table.act(seat, table.legal(seat).sample(rng))
    for length in LENGTHS:
        run = partial(_read_back, table, length)
        bench.add_rate(SUITE, "versailles: reading a log, by its length", UNIT, run, size=length)


def _read_back(table: Table, length: int) -> float:
    table.fork(length)
    return 1


_SCRIPT = """
import json, sys
from powderkeg.bench.figures import Bench
from powderkeg.bench.suites.playout import measure_games
bench = Bench(short=sys.argv[1] == "short", say=lambda line: None)
measure_games(bench)
print(json.dumps([[figure.work, figure.values] for figure in bench.figures]))
"""


def _measure_sources(bench: Bench) -> None:
    """The same games by the sources, in a process of its own."""
    length = "short" if bench.short else "long"
    ran = subprocess.run(  # noqa: S603  # our own Python and script
        [sys.executable, "-c", _SCRIPT, length],
        env={**os.environ, SWITCH: "0"},
        capture_output=True,
        text=True,
        check=True,
    )
    for work, values in json.loads(ran.stdout):
        bench.add_values(SUITE, work, UNIT, values)


def _measure_kernel(bench: Bench, game: str, module: str, must: float, aim: float) -> None:
    work = f"{game}, 4 players: kernel"
    try:
        kernel = import_module(module)
    except ImportError as missing:
        bench.add_gap(SUITE, work, str(missing))
        return
    count = 50 if bench.short else 200

    def play() -> float:
        kernel.play_random_games(4, count, bench.seed)
        return count

    bench.add_rate(SUITE, work, UNIT, play, must=must, aim=aim)
