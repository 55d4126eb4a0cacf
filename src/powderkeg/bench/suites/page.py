"""The page in a real Chromium: from a fresh server to a board that can be used, and its size.

It needs a checkout with the tools for development: `bench/browser.py` does the work there.
"""

import json
import subprocess
import sys
from pathlib import Path

from powderkeg.bench.figures import Bench

SUITE = "page"
ROWS = {
    "front": ("front page", "s", 1),
    "board": ("from a click to the board", "s", 1),
    "bytes": ("scripts and styles, packed", "kB", 0.001),
    "drawn": ("news drawn", "ms", 1),
}
SCRIPT = Path(__file__).parents[4] / "bench" / "browser.py"


def measure(bench: Bench) -> None:
    if not SCRIPT.is_file():
        bench.add_gap(SUITE, "front page and boards", "needs a checkout and Chromium: make bench")
        return
    runs = 1 if bench.short else 5
    done = subprocess.run(  # noqa: S603  # ourselves
        [sys.executable, str(SCRIPT), "--runs", str(runs), "--json"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    if done.returncode:
        why = (done.stderr.strip().splitlines() or ["it fails"])[-1]
        bench.add_gap(SUITE, "front page and boards", why)
        return
    for game, found in json.loads(done.stdout.splitlines()[-1]).items():
        for key, (work, unit, scale) in ROWS.items():
            if key in found:
                bench.add_values(SUITE, f"{game}: {work}", unit, [found[key] * scale], lower=True)
