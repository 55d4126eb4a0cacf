"""The other side of `host.ProcessHost`: the loop of a child process that answers requests.

    python -m MODULE MEMORY NICE

Every request and answer is one line of JSON; the answer repeats the request's token. Anything else
that is printed goes to standard error.
"""

import json
import os
import signal
import sys
from collections.abc import Callable
from functools import partial
from typing import Any

ORPHAN_GRACE = 5  # seconds after its limit at which a child whose parent has gone ends itself


def serve_requests(answer: Callable[[dict[str, Any]], dict[str, Any]]) -> None:
    """Answer requests from standard input until it closes."""
    _limit_memory(int(sys.argv[1]))
    if hasattr(os, "nice"):  # not on Windows
        os.nice(int(sys.argv[2]))
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's to handle
    requests = os.fdopen(os.dup(0), encoding="utf-8")
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    nowhere = os.open(os.devnull, os.O_RDWR)
    os.dup2(nowhere, 0)  # everything that the child starts inherits these two
    os.dup2(2, 1)
    if hasattr(os, "register_at_fork"):
        pipes = requests.fileno(), answers.fileno()
        os.register_at_fork(after_in_child=partial(_cut_off, nowhere, *pipes))
    for line in requests:
        request = json.loads(line)
        if hasattr(signal, "alarm"):  # the parent may have died and then cannot stop us
            signal.alarm(int(request["seconds"]) + ORPHAN_GRACE)
        try:
            body = {**answer(request), "token": request["token"]}
            answers.write(f"\n{json.dumps(body)}\n")  # on a line of its own
            answers.flush()
        except BrokenPipeError:
            os._exit(0)  # nobody waits for the answer any more
        if hasattr(signal, "alarm"):
            signal.alarm(0)


def _limit_memory(most: int) -> None:
    """Take no more memory than this, where the system can enforce it."""
    try:
        import resource
    except ImportError:  # Windows
        return
    resource.setrlimit(resource.RLIMIT_AS, (most, most))


def _cut_off(nowhere: int, *pipes: int) -> None:
    """Keep processes that a child forks off from reading requests or writing answers."""
    for pipe in pipes:
        os.dup2(nowhere, pipe, inheritable=False)
