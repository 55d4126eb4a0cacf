"""What a benchmark ran on: machine and versions."""

import os
import platform
import sys
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import powderkeg

PACKAGES = ("numpy", "numba", "gymnasium", "pettingzoo", "fastapi", "uvicorn", "mypy")


def machine_facts() -> dict[str, Any]:
    """The machine, as far as it tells."""
    return {
        "processor": _processor_name(),
        "cores": os.cpu_count(),
        "system": platform.system(),
        "python": f"{platform.python_implementation()} {sys.version.split()[0]}",
        "load": round(os.getloadavg()[0], 1) if hasattr(os, "getloadavg") else None,
    }


def _processor_name() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.machine()


def installed_versions() -> dict[str, str]:
    """Our own version and those of the packages that matter for speed."""
    found = {"powderkeg": powderkeg.__version__}
    for name in PACKAGES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found
