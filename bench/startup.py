"""How long Powderkeg takes to start: `python bench/startup.py` prints seconds and what was slowest.

Each figure is the median of several fresh processes, in seconds of the clock and of the CPU (which
hardly depends on what else the machine does). Python itself is listed for comparison.
"""

import re
import resource
import subprocess
import sys
import time
from statistics import median

RUNS = 9
MAIN = ["-m", "powderkeg"]
STARTS = {
    "python": ["-c", "pass"],
    "import powderkeg": ["-c", "import powderkeg"],
    "powderkeg --version": [*MAIN, "--version"],
    "powderkeg --help": [*MAIN, "--help"],
    "powderkeg play --help": [*MAIN, "play", "--help"],
    "powderkeg serve --help": [*MAIN, "serve", "--help"],
    "powderkeg arena --help": [*MAIN, "arena", "--help"],
}


def cpu_seconds() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def start_seconds(args: list[str]) -> tuple[float, float]:
    """Seconds by the clock and of the CPU until a fresh process has ended."""
    began, used = time.perf_counter(), cpu_seconds()
    subprocess.run([sys.executable, *args], stdout=subprocess.DEVNULL, check=True)  # noqa: S603  # our own arguments
    return time.perf_counter() - began, cpu_seconds() - used


def slowest_imports(args: list[str], count: int = 5) -> list[str]:
    """The modules that cost most by themselves, as `python -X importtime` counts them."""
    done = subprocess.run(  # noqa: S603  # our own arguments
        [sys.executable, "-X", "importtime", *args], capture_output=True, text=True, check=True
    )
    rows = re.findall(r"import time:\s+(\d+) \|\s+\d+ \|\s*(\S+)", done.stderr)
    worst = sorted(((int(cost), name) for cost, name in rows), reverse=True)[:count]
    return [f"{name} {cost / 1000:.0f} ms" for cost, name in worst]


if __name__ == "__main__":
    for name, args in STARTS.items():
        clock, cpu = map(median, zip(*(start_seconds(args) for _ in range(RUNS)), strict=True))
        print(f"{name:24} {clock:.3f} s, CPU {cpu:.3f} s   {', '.join(slowest_imports(args))}")
