"""How long each level thinks about a decision, beside the time that it states.

    python bench/bot_times.py [GAME ...] [--levels LEVEL ...] [--seconds N] [--busy N] [--plain] [--cpu]

One seat is played by the level with its own budget, the others by `normal`, in seeded games; every answer is
checked by the rules. `--busy` runs that many other processes at full load, as a server with other work
does; `--plain` does without Numba, as an installation without the extra `fast` does (compiled rules are turned
off by `POWDERKEG_COMPILED=0`). `--cpu` counts seconds of computing, for the bots' own clocks too: a machine
that is busy with something else then shows what a free one would. Decisions with one legal action are left out, and nothing is measured before
everything is compiled.
"""

import argparse
import multiprocessing
import random
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count, islice
from typing import Any

import powderkeg
from powderkeg import bots, games
from powderkeg.bots.engine import budget
from powderkeg.bots.engine.budget import Budget
from powderkeg.bots.engine.thought import ThinkingBot
from powderkeg.bots.process import guard
from powderkeg.core.chance import Seeded
from powderkeg.core.table import Table

HEAD = (
    "| game | level | stated | decisions | median | 99% | longest |\n|---|---|---|---|---|---|---|"
)
WARM_UP = 12  # decisions of a bot that waits for the compiler, beyond any book of openings


def decision_times(rules: Any, level: str, seconds: float) -> Iterator[float]:
    """Seconds of each decision of one seat, until the time is over."""
    bot, quick = bots.find_bot(rules, level), bots.find_bot(rules, "normal")
    patient = bots.find_bot(rules, level, Budget(2))  # without seconds it waits
    for _ in islice(seat_times(rules, 0, patient, quick), WARM_UP):
        pass
    until = budget.read_time() + seconds
    for seed in count():
        for took in seat_times(rules, seed, bot, quick):
            yield took
            if budget.read_time() >= until:
                return


def seat_times(rules: Any, seed: int, bot: ThinkingBot, quick: ThinkingBot) -> Iterator[float]:
    """Seconds of each decision of `bot` in one seat of a game."""
    table = Table(rules, None, source=Seeded(random.Random(seed)))
    mine = table.seats[seed % len(table.seats)]
    while table.to_act:
        seat = min(table.to_act)
        took = decide(rules, table, seat, bot if seat == mine else quick)
        if seat == mine and took is not None:
            yield took


def decide(rules: Any, table: Table, seat: str, bot: ThinkingBot) -> float | None:
    """Let a bot act; its seconds, if there was something to choose."""
    choice, began = table.legal(seat).count_all() > 1, budget.read_time()
    said = guard.decide_here(rules, table.state, seat, bot, f"{len(table.log)}")
    if said.fault:
        sys.exit(f"{rules.name} {bot.name}: {said.fault}")
    took = budget.read_time() - began
    table.act(seat, said.action)  # which refuses what is illegal
    return took if choice else None


def time_row(rules: Any, level: str, seconds: float) -> str:
    stated = bots.find_bot(rules, level).budget.seconds
    found = sorted(decision_times(rules, level, seconds))
    cells = (found[len(found) // 2], found[int(0.99 * (len(found) - 1))], found[-1])
    times = " | ".join(f"{each:.3f} s" for each in cells)
    limit = f"{stated:g} s" if stated else "at once"
    return f"| {rules.name} | `{level}` | {limit} | {len(found)} | {times} |"


def _burn() -> None:
    while True:
        sum(range(10_000))


@contextmanager
def other_work(processes: int) -> Iterator[None]:
    """Other processes at full load for as long as the block runs."""
    working = [multiprocessing.Process(target=_burn, daemon=True) for _ in range(processes)]
    for each in working:
        each.start()
    try:
        yield
    finally:
        for each in working:
            each.kill()


def main() -> None:
    args = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    args.add_argument("games", nargs="*", default=list(games.GAME_NAMES))
    args.add_argument("--levels", nargs="+", default=list(bots.LEVEL_NAMES))
    args.add_argument("--seconds", type=float, default=20.0, help="for each level")
    args.add_argument("--busy", type=int, default=0)
    args.add_argument("--plain", action="store_true")
    args.add_argument("--cpu", action="store_true")
    given = args.parse_args()
    work = f"{given.busy} busy processes beside it" if given.busy else "nothing beside it"
    if given.plain:
        sys.modules["numba"] = None  # type: ignore[assignment]  # as if it were not installed
    if given.cpu:
        budget.read_time = time.thread_time
    how = "without Numba" if given.plain else "with Numba"
    print(f"Powderkeg {powderkeg.__version__}, {how}, {work}\n\n{HEAD}")
    with other_work(given.busy):
        for name in given.games:
            for level in given.levels:
                print(time_row(games.find_game(name), level, given.seconds), flush=True)


if __name__ == "__main__":
    main()
