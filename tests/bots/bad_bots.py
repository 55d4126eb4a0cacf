"""Bots that nobody would want at a table."""

import os
import sys
import time
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
