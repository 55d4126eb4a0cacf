"""Movement phases of Diplomacy: one at a time with reasons, and in a batch."""

import os
import time
from functools import partial
from typing import Any

from powderkeg.bench.figures import Bench
from powderkeg.bench.positions import Phase, draw_phases
from powderkeg.games.diplomacy.rules.adjudicate import adjudicate

SUITE = "adjudicate"
UNIT = "phases/s"


def measure(bench: Bench) -> None:
    phases = draw_phases(1000, bench.seed)
    bench.add_rate(
        SUITE,
        "one at a time, with reasons",
        UNIT,
        partial(_judge_all, phases[:200] if bench.short else phases),
        must=5000,
        aim=7000,
    )
    beside = "one at a time, with reasons"
    bench.add_peer(SUITE, "one at a time", UNIT, "diplomacy", "adjudicate", beside=beside)
    bench.add_peer(SUITE, "one at a time, no reasons", UNIT, "pydip", "adjudicate", beside=beside)
    for size in (5, 10, 20, 30):
        some = draw_phases(60, bench.seed, size)
        bench.add_rate(SUITE, "with reasons, by units", UNIT, partial(_judge_all, some), size=size)
    _measure_batch(bench, phases)


def _judge_all(phases: list[Phase]) -> float:
    for position, orders in phases:
        adjudicate(position, orders)
    return len(phases)


def _measure_batch(bench: Bench, phases: list[Phase]) -> None:
    """In arrays: every row another position, since a processor learns a position that repeats."""
    try:
        import numpy as np

        from powderkeg.games.diplomacy.fast import batch
    except ImportError as missing:
        bench.add_gap(SUITE, "in a batch", str(missing))
        return
    units, orders = batch.pack_positions([p for p, _ in phases], [o for _, o in phases])
    copies = 4000 // len(units)
    units, orders = np.tile(units, (copies, 1)), np.tile(orders, (copies, 1, 1))
    judge = partial(_judge_rows, units, orders)
    bench.add_rate(SUITE, "in a batch, one core", UNIT, judge, must=700_000, aim=1_000_000)
    cores = os.cpu_count() or 1
    many = np.tile(units, (10, 1)), np.tile(orders, (10, 1, 1))  # enough work to share
    for threads in sorted({1, 2, cores}):
        if threads <= cores:
            rates = [_clock_rate(*many, threads) for _ in range(bench.repeats)]
            bench.add_values(SUITE, "in a batch, by threads (clock)", UNIT, rates, size=threads)
    for size in (5, 10, 20, 30):
        some = draw_phases(250, bench.seed, size)
        packed = batch.pack_positions([p for p, _ in some], [o for _, o in some])
        run = partial(_judge_rows, np.tile(packed[0], (20, 1)), np.tile(packed[1], (20, 1, 1)))
        bench.add_rate(SUITE, "in a batch, by units", UNIT, run, size=size)


def _judge_rows(units: Any, orders: Any) -> float:
    from powderkeg.games.diplomacy.fast import batch

    batch.adjudicate_batch(units, orders)
    return len(units)


def _clock_rate(units: Any, orders: Any, threads: int) -> float:
    from powderkeg.games.diplomacy.fast import batch

    batch.adjudicate_batch(units, orders, threads=threads)  # the threads are started once
    began = time.perf_counter()
    for _ in range(3):
        batch.adjudicate_batch(units, orders, threads=threads)
    return 3 * len(units) / (time.perf_counter() - began)
