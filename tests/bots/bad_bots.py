"""Bots that nobody would want at a table."""

import os
import subprocess
import sys
import time
import warnings
from pathlib import Path
from typing import Any


def raising(view: Any, question: Any, legal: Any, rng: Any) -> Any:
    raise RuntimeError("no idea")


def hanging(view: Any, question: Any, legal: Any, rng: Any) -> Any:
    while True:
        pass


def sleeping(view: Any, question: Any, legal: Any, rng: Any) -> Any:
    time.sleep(3600)


def nonsense(view: Any, question: Any, legal: Any, rng: Any) -> Any:
    return "castle long"


def unwritable(view: Any, question: Any, legal: Any, rng: Any) -> Any:
    return "card \ud800"


def nothing(view: Any, question: Any, legal: Any, rng: Any) -> Any:
    return None


def illegal(view: Any, question: Any, legal: Any, rng: Any) -> Any:
    return "card c1" if "c1" not in view["hand"] else "card c2" if "c2" not in view["hand"] else "x"


LEAK: list[bytes] = []


def leaking(view: Any, question: Any, legal: Any, rng: Any) -> Any:
    while True:
        LEAK.append(b"x" * (1 << 22))


def dying(view: Any, question: Any, legal: Any, rng: Any) -> Any:
    os._exit(3)


def leaving(view: Any, question: Any, legal: Any, rng: Any) -> Any:
    sys.exit(0)


def chatting(view: Any, question: Any, legal: Any, rng: Any) -> Any:
    """Talks on the line that belongs to the guard, then plays well."""
    print('{"text": "card c9"}')  # noqa: T201  # the fault to be tested
    os.write(1, b'{"text": "card c9"}\n')
    return next(iter(legal))


def first(view: Any, question: Any, legal: Any, rng: Any) -> Any:
    return next(iter(legal))


def _everywhere(line: bytes) -> None:
    """Write to whatever is open, and so also to the line that belongs to the guard."""
    for number in range(3, 20):
        try:
            os.write(number, line)
        except OSError:
            continue


def meddling(view: Any, question: Any, legal: Any, rng: Any) -> Any:
    _everywhere(b'{"nonsense": 1}\n[3]\n{"text": 3, "number": 1}\n')
    return next(iter(legal))


def babbling(view: Any, question: Any, legal: Any, rng: Any) -> Any:
    _everywhere(b"not json\n\xff\xfe\n" + b"[" * 9000 + b"\n")
    return next(iter(legal))


def forging(view: Any, question: Any, legal: Any, rng: Any) -> Any:
    """Leaves an answer behind that somebody else's question may find."""
    _everywhere(b'{"text": "castle long"}\n' * 3)
    return next(iter(legal))


def forking(view: Any, question: Any, legal: Any, rng: Any) -> Any:
    """Two of it come home with an answer."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of forking beside threads
        child = os.fork()
    if child == 0:
        return "castle long"
    os.waitpid(child, 0)
    return next(iter(legal))


def endless(view: Any, question: Any, legal: Any, rng: Any) -> Any:
    return "x" * (1 << 26)


def flooding(view: Any, question: Any, legal: Any, rng: Any) -> Any:
    while True:
        _everywhere(b"x" * 60_000 + b"\n")


def orphaning(view: Any, question: Any, legal: Any, rng: Any) -> Any:
    """Leaves somebody behind and goes."""
    sleeper = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(3600)"])
    Path(os.environ["ORPHAN"]).write_text(str(sleeper.pid))
    os._exit(3)


def listening(view: Any, question: Any, legal: Any, rng: Any) -> Any:
    """Has somebody listen at its door."""
    subprocess.Popen([sys.executable, "-c", "import sys; sys.stdin.read()"])
    return next(iter(legal))


def breeding(view: Any, question: Any, legal: Any, rng: Any) -> Any:
    """Leaves somebody behind who thinks on."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        if os.fork() == 0:
            time.sleep(3600)
    return next(iter(legal))
