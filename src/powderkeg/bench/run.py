"""Runs the suites."""

from importlib import import_module
from typing import Final

from powderkeg.bench.figures import Bench

SUITES: Final = ("adjudicate", "legal", "playout", "search", "env", "server", "page", "start")


def run_suites(bench: Bench, names: tuple[str, ...] = SUITES) -> Bench:
    """Measure these suites one after the other. One that fails loses only its own figures."""
    for name in names:
        try:
            import_module(f"powderkeg.bench.suites.{name}").measure(bench)
        except Exception as fault:  # noqa: BLE001  # whatever it is, it is said and the rest goes on
            bench.add_gap(name, "this suite", f"failed: {type(fault).__name__}: {fault}")
    return bench
