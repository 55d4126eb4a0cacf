"""A child process that answers requests, with limits of time and memory; `child` is its other side.

A request and its answer are one line of JSON each. The answer repeats a token that nobody can know
before the request is sent, so nothing else that is written to the pipe passes for an answer.

A host holds one process and serves one request at a time; others wait. From async code:
``await asyncio.to_thread(host.send_request, ...)``, with as many hosts as requests at once.
"""

import json
import os
import secrets
import select
import signal
import subprocess
import sys
import threading
import time
from contextlib import suppress
from dataclasses import dataclass, field
from types import TracebackType
from typing import IO, Any, Literal, NamedTuple, Self

HostFault = Literal["", "nonsense", "late", "died"]

# A child has one core, and libraries that would start one thread per core must not.
ONE_CORE = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "NUMBA_NUM_THREADS": "1"}


class HostAnswer(NamedTuple):
    """The answer of a child process; with a `fault`, there is none."""

    body: dict[str, Any]
    fault: HostFault = ""
    detail: str = ""


@dataclass
class ProcessHost:
    """A process that runs `module`. It is started when needed, and again after it died."""

    seconds: float = 30.0  # for one answer
    memory: int = 2 << 30  # bytes; enforced where the system can (not on Windows)
    module: str = ""
    longest: int = 1 << 20  # bytes that the process may write for one request
    process: "subprocess.Popen[bytes] | None" = None
    ended: bool = False
    nice: int = 0  # how far the process steps back behind others that want the same core
    python: str = ""  # the interpreter of another installation of Powderkeg; by default this one
    turn: threading.Lock = field(default_factory=threading.Lock, repr=False, compare=False)

    def send_request(self, request: dict[str, Any]) -> HostAnswer:
        """Send one request and wait for the answer, but not too long. A fault ends the process."""
        with self.turn:
            return self._send_alone(request)

    def _send_alone(self, request: dict[str, Any]) -> HostAnswer:
        process = self._running_process()
        if self.ended:
            self.close()
            return HostAnswer({}, "died", "ended")
        assert process.stdin is not None  # noqa: S101  # opened as pipes
        assert process.stdout is not None  # noqa: S101  # opened with a pipe
        token = secrets.token_hex(8)
        whole = {**request, "seconds": self.seconds, "token": token}
        try:
            process.stdin.write(json.dumps(whole).encode() + b"\n")
            process.stdin.flush()
            answer = _await_answer(process.stdout, token, self.seconds, self.longest)
        except (OSError, ValueError) as error:  # it died, or was closed by another thread
            answer = HostAnswer({}, "died", repr(error))
        if answer.fault:
            self.close()
            return answer._replace(detail=answer.detail or f"exit {process.returncode}")
        return answer

    def _running_process(self) -> "subprocess.Popen[bytes]":
        if self.process is None or self.process.poll() is not None:
            self.close()
            self.process = subprocess.Popen(  # noqa: S603  # ourselves
                self._command(),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                bufsize=0,
                process_group=0,  # so that everything the child starts ends with it
                env=os.environ | ONE_CORE | self._import_paths(),
            )
        return self.process

    def _command(self) -> list[str]:
        python, limits = self.python or sys.executable, (str(self.memory), str(self.nice))
        # -P: no file in the current folder may replace an import
        return [python, "-P", "-m", self.module, *limits]

    def _import_paths(self) -> dict[str, str]:
        """What the child imports: the same as this process, but another installation its own."""
        return {"PYTHONPATH": "" if self.python else os.pathsep.join(filter(None, sys.path))}

    def end(self) -> None:
        """Close for good: start no other process, even if a thread is about to send a request."""
        self.ended = True
        self.close()

    def close(self) -> None:
        """Kill the process and everything that it started."""
        process, self.process = self.process, None
        if process is None:
            return
        if sys.platform == "win32":
            process.kill()
        else:
            with suppress(ProcessLookupError, PermissionError):  # the whole group has already ended
                os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        for pipe in (process.stdin, process.stdout):
            if pipe is not None:
                pipe.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


def _await_answer(pipe: IO[bytes], token: str, seconds: float, longest: int) -> HostAnswer:
    """The answer with this token; everything else that was written is ignored."""
    until, total, rest = time.monotonic() + seconds, 0, b""
    while total <= longest:
        chunk = _read_chunk(pipe, until - time.monotonic())
        if not chunk:
            return HostAnswer({}, "late" if chunk is None else "died")
        total += len(chunk)
        *lines, rest = (rest + chunk).split(b"\n")
        for line in lines:
            if (body := _parse_answer(line, token)) is not None:
                return HostAnswer(body)
    return HostAnswer({}, "nonsense", f"more than {longest} bytes")


def _parse_answer(line: bytes, token: str) -> dict[str, Any] | None:
    try:
        body = json.loads(line)
        return body if body.pop("token") == token else None
    except (ValueError, TypeError, LookupError, AttributeError, RecursionError):
        return None


def _read_chunk(pipe: IO[bytes], seconds: float) -> bytes | None:
    """The next bytes; empty when the other end has gone, None when time is over."""
    if sys.platform == "win32":  # select works only on sockets there
        return _read_by_thread(pipe, seconds)
    if seconds <= 0 or not select.select([pipe], [], [], seconds)[0]:
        return None
    return os.read(pipe.fileno(), 1 << 16)


def _read_by_thread(pipe: IO[bytes], seconds: float) -> bytes | None:
    """The same where select does not work on pipes: the thread ends with the bytes or the process."""
    got: list[bytes] = []
    number = pipe.fileno()
    reader = threading.Thread(target=lambda: got.append(os.read(number, 1 << 16)), daemon=True)
    reader.start()
    reader.join(max(0.0, seconds))
    return got[0] if got else None
