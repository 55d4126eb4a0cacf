"""All legal orders of a position of Diplomacy, one position at a time and in a batch."""

from functools import partial

from powderkeg.bench.figures import Bench
from powderkeg.bench.positions import draw_phases
from powderkeg.games.diplomacy.rules.listing import legal_orders
from powderkeg.games.diplomacy.rules.position import Position

SUITE = "legal"
UNIT = "positions/s"


def measure(bench: Bench) -> None:
    positions = [p for p, _ in draw_phases(200 if bench.short else 1000, bench.seed)]
    bench.add_rate(
        SUITE, "one at a time", UNIT, lambda: _list_all(positions), must=5000, aim=10_000
    )
    bench.add_peer(SUITE, "one at a time", UNIT, "diplomacy", "legal", beside="one at a time")
    for size in (5, 10, 20, 30):
        some = [p for p, _ in draw_phases(60, bench.seed, size)]
        bench.add_rate(SUITE, "one at a time, by units", UNIT, partial(_list_all, some), size=size)
    _measure_batch(bench, positions)


def _list_all(positions: list[Position]) -> float:
    for position in positions:
        legal_orders(position)
    return len(positions)


def _measure_batch(bench: Bench, positions: list[Position]) -> None:
    try:
        import numpy as np

        from powderkeg.games.diplomacy.fast.batch import pack_positions
        from powderkeg.games.diplomacy.fast.games import BatchGames
    except ImportError as missing:
        bench.add_gap(SUITE, "in a batch", str(missing))
        return
    units, _ = pack_positions(positions, [{} for _ in positions])
    games = BatchGames(1000)
    games.units[:] = np.tile(units, (1000 // len(units), 1))

    def list_orders() -> float:
        games.list_orders()
        return games.count

    bench.add_rate(SUITE, "in a batch", UNIT, list_orders, must=50_000, aim=200_000)
