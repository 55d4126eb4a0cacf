"""Other engines, installed by the benchmarks alone into a Python of their own."""

import json
import subprocess
import sys
import venv
from functools import cache
from pathlib import Path
from typing import Any, Final

from powderkeg.bench.figures import Bench
from powderkeg.bench.peer_scripts import PEER_SCRIPTS

PACKAGES: Final = {
    "diplomacy": "diplomacy==1.1.2",
    "pydip": "pydip",
    "pettingzoo": "pettingzoo[classic]",
    "open_spiel": "open-spiel",
}


class PeerMissing(Exception):
    """A peer could not be installed or does not run here."""


class PeerShelf:
    """The peers, each in its own environment below a folder."""

    Missing = PeerMissing

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.versions: dict[str, str] = {}
        self._found: dict[str, dict[str, list[float]]] = {}

    def measure(self, peer: str, key: str, bench: Bench) -> list[float]:
        """The values of one of a peer's measurements; all of them are made at the first question."""
        if peer not in self._found:
            self._found[peer] = self._run_script(peer, bench)
        if key not in self._found[peer]:
            raise PeerMissing("its script does not measure this")
        return self._found[peer][key]

    def _run_script(self, peer: str, bench: Bench) -> dict[str, list[float]]:
        python = self._install(peer)
        ask = json.dumps({"repeats": bench.repeats, "seconds": bench.seconds, "seed": bench.seed})
        done = subprocess.run(  # noqa: S603  # our own script in an environment that we made
            [str(python), "-c", PEER_SCRIPTS[peer]],
            input=ask,
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode or not done.stdout.strip():
            raise PeerMissing(_last_line(done.stderr) or "it fails")
        answer: dict[str, Any] = json.loads(_last_line(done.stdout))
        self.versions[peer] = answer.pop("version")
        return answer

    def _install(self, peer: str) -> Path:
        home = self.folder / peer
        python = home / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
        if (home / "ready").exists():
            return python
        venv.create(home, with_pip=True, clear=True)
        done = subprocess.run(  # noqa: S603  # pip of an environment that we made
            [str(python), "-m", "pip", "install", "--quiet", PACKAGES[peer]],
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            raise PeerMissing(f"{PACKAGES[peer]} cannot be installed here")
        (home / "ready").touch()
        return python


def _last_line(text: str) -> str:
    return text.strip().rpartition("\n")[2]


@cache
def quoted_engines() -> list[tuple[str, str, str]]:
    """Engines that no package index has: what is said of them, and where."""
    return [
        (
            "dipcc, the C++ engine of diplomacy_cicero",
            "about 14,000 movement phases per second; 0.055 ms for all legal orders",
            "quoted, not measured here",
        ),
    ]
