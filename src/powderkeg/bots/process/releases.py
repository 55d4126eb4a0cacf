"""Bots of other releases: a level that plays in the installation of another version of Powderkeg.

``hard@/opt/powderkeg-1.0/bin/python`` is the level `hard` of the Powderkeg that this interpreter imports.
It runs real programs, so such a name is never taken from strangers.
"""

import os
import subprocess
from functools import cache
from typing import NamedTuple

from powderkeg.core.errors import Unreadable

VERSION_CODE = "import powderkeg; print(powderkeg.__version__)"
START_SECONDS = 60


class ReleasedBot(NamedTuple):
    """A level, and the interpreter of the release that plays it."""

    level: str
    python: str


def split_release(spec: str) -> ReleasedBot | None:
    """The level and the interpreter that a bot's name holds; None: it is not of another release."""
    level, at, python = spec.partition("@")
    return ReleasedBot(level, python) if at else None


@cache  # it starts a process
def release_version(python: str) -> str:
    """The version of Powderkeg that an interpreter imports."""
    try:
        done = subprocess.run(  # noqa: S603  # the caller's own choice
            [python, "-P", "-c", VERSION_CODE],
            capture_output=True,
            text=True,
            check=True,
            timeout=START_SECONDS,
            env=os.environ | {"PYTHONPATH": ""},
        )
    except (OSError, subprocess.SubprocessError):
        raise Unreadable("bots.no_such_release", python=python) from None
    return done.stdout.strip()
