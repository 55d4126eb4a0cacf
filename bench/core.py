"""How fast core is, measured on the tiny game: `python bench/core.py`."""

import json
import random
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "tests" / "tiny"))

import sparks

from powderkeg.core import plain
from powderkeg.core.chance import Audited, Dice, Seeded
from powderkeg.core.record import make_record, read_record, replay_record, write_record
from powderkeg.core.table import Table


def seconds(work: object, *args: object) -> float:
    began = time.perf_counter()
    work(*args)  # type: ignore[operator]  # a function
    return time.perf_counter() - began


def long_game(actions: int) -> Table:
    """Red changes its mind over and over."""
    rng = random.Random(1)
    table = Table(sparks, 2, source=Seeded(rng))
    for _ in range(actions):
        table.act("red", table.legal("red").sample(rng))
    return table


def main() -> None:
    table = long_game(10_000)
    text = write_record(make_record(table))
    source = Audited(b"k" * 32)
    found = {
        "replay 10,000 actions (s)": seconds(replay_record, read_record(text), sparks),
        "read and check 10,000 lines (s)": seconds(read_record, text),
        "state as JSON (bytes)": len(json.dumps(plain.dump(table.state))),
        "state as JSON (us)": seconds(lambda: [plain.dump(table.state) for _ in range(1000)])
        * 1000,
        "audited die (us)": seconds(lambda: [source.draw(Dice(1), i) for i in range(1000)]) * 1000,
    }
    for name, value in found.items():
        print(f"{name:40} {value:10.3f}")


if __name__ == "__main__":
    main()
