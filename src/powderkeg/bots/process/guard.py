"""A bot that raises, hangs, answers nonsense or eats memory never harms the table.

`Guard` asks a bot in a process of its own, with a limit of time and memory. Only the view crosses
over, as JSON: the other side deals a world from it, so even a hostile bot cannot learn more.
Whatever goes wrong, the answer is legal: the bot's, or the game's `default`.

    with Guard() as guard:
        said = guard.decide(game, state, seat, "hard", seed="g7/FRANCE/12")
        table.act(seat, said.action)

A `Guard` holds one process and serves one question at a time. From async code:
``await asyncio.to_thread(guard.decide, ...)``, with as many guards as decisions at once.
"""

import json
import os
import random
import secrets
import select
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from types import TracebackType
from typing import IO, Any, Literal, NamedTuple, Self

from powderkeg.bots.engine.budget import Budget
from powderkeg.bots.engine.thought import Bot, ThinkingBot
from powderkeg.bots.envoy import EnvoyReply, FormalNote
from powderkeg.bots.game_bots import bots_of
from powderkeg.core import plain
from powderkeg.core.ask import Question
from powderkeg.core.chance import Rng
from powderkeg.core.errors import RulesError
from powderkeg.core.game import Action, Game, Legal, Seat, State, View

Fault = Literal["", "raised", "nonsense", "late", "memory", "died", "gave_up", "unreachable"]


class Decision(NamedTuple):
    """A legal action; what was wrong with the bot's own answer, if anything; how long it took."""

    action: Action
    fault: Fault = ""
    seconds: float = 0.0
    detail: str = ""


class Asked(NamedTuple):
    """What a bot said before anybody checked it."""

    text: str
    fault: Fault = ""
    detail: str = ""


def reference(game: Game) -> str:
    """The name by which another process imports a game."""
    return str(getattr(game, "__name__", game.name))


def decide(game: Game, state: State, seat: Seat, bot: Bot, seed: str) -> Decision:
    """Ask a bot in this very process: quick, and safe from errors and nonsense only."""
    began = time.perf_counter()
    question, legal = game.ask(state, seat), game.legal(state, seat)
    assert question is not None, "whoever must act is asked"  # noqa: S101  # the contract
    try:
        asked = said_by(bot, game.view(state, seat), question, legal, random.Random(seed))
    except MemoryError as error:
        asked = Asked("", "memory", repr(error))
    except Exception as error:  # noqa: BLE001  # anything may come out of a bot
        asked = Asked("", "raised", repr(error))
    return checked(game, state, seat, asked, time.perf_counter() - began)


def said_by(bot: Bot, view: View, question: Question, legal: Legal, rng: Rng) -> Asked:
    """What a bot says; one that explains itself also says when it could not think."""
    if not isinstance(bot, ThinkingBot):
        return Asked(str(bot(view, question, legal, rng)))
    thought = bot.think(view, question, legal, rng)
    return Asked(str(thought.action), thought.fault, str(thought.reason) if thought.fault else "")


def checked(game: Game, state: State, seat: Seat, asked: Asked, seconds: float) -> Decision:
    """The bot's answer if it is legal, else the default."""
    fault, detail = asked.fault, asked.detail
    if not fault:
        try:
            action = game.parse(asked.text)
            if action in game.legal(state, seat):
                return Decision(action, "", seconds)
        except RulesError:
            pass
        fault, detail = "nonsense", repr(asked.text[:200])
    return Decision(game.default(state, seat), fault, seconds, detail)


@dataclass
class Guard:
    """A process in which bots are asked. It is started when needed and again when it died."""

    seconds: float = 30.0
    memory: int = 2 << 30  # bytes; enforced where the system can (not on Windows)
    process: "subprocess.Popen[bytes] | None" = None
    ended: bool = False

    def decide(
        self,
        game: Game,
        state: State,
        seat: Seat,
        bot: str,
        seed: str,
        budget: Budget | None = None,
        memory: Any = None,
    ) -> Decision:
        """What `bot` (a level, or ``module:name``) does; the default if it cannot say. `memory` is
        what its envoy remembers (`talk`)."""
        began = time.perf_counter()
        request = {
            "game": reference(game),
            "bot": bot,
            "view": game.view(state, seat),
            "seed": seed,
            "budget": [budget.iterations, budget.seconds] if budget else None,
            "seconds": self.seconds,
        }
        if memory is not None:
            request["memory"] = memory
        asked = self.ask(request)
        return checked(game, state, seat, asked, time.perf_counter() - began)

    def talk(
        self,
        game: Game,
        view: View,
        memory: Any,
        heard: Sequence[FormalNote],
        seed: str,
        *,
        within: float,
        public: bool,
    ) -> tuple[EnvoyReply, Fault]:
        """What the envoy of a game's bots says, `within` so many seconds if it can; nothing if it
        fails. The texts are as they should be spelled."""
        request = {
            "game": reference(game),
            "view": view,
            "memory": memory,
            "heard": [list(note) for note in heard],
            "public": public,
            "seed": seed,
            "within": within,
            "seconds": self.seconds,
        }
        asked = self.ask(request)
        if asked.fault:
            return EnvoyReply((), memory), asked.fault
        return _spoken(game, view, memory, asked.text)

    def ask(self, request: dict[str, Any]) -> Asked:
        """Put one request to the process and wait for the answer, but not too long."""
        process = self._running()
        if self.ended:
            self.close()
            return Asked("", "died", "ended")
        assert process.stdin is not None  # noqa: S101  # opened as pipes
        assert process.stdout is not None  # noqa: S101  # opened with a pipe
        token = secrets.token_hex(8)  # nobody can know it before the question is put
        try:
            process.stdin.write(json.dumps({**request, "token": token}).encode() + b"\n")
            process.stdin.flush()
            asked = _answer(process.stdout, token, self.seconds)
        except (OSError, ValueError) as error:  # it has gone, or was closed by another thread
            asked = Asked("", "died", repr(error))
        if asked.fault in BROKEN:
            self.close()
            return asked._replace(detail=asked.detail or f"exit {process.returncode}")
        return asked

    def _running(self) -> "subprocess.Popen[bytes]":
        if self.process is None or self.process.poll() is not None:
            self.close()
            self.process = subprocess.Popen(  # noqa: S603  # ourselves
                # -P: a file in the current folder takes the place of nothing
                [sys.executable, "-P", "-m", "powderkeg.bots.process.worker", str(self.memory)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                bufsize=0,
                process_group=0,  # so that whoever a bot starts ends with it
                env=os.environ | ONE_CORE | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
            )
        return self.process

    def end(self) -> None:
        """Close, and start no other process, though somebody may be about to ask."""
        self.ended = True
        self.close()

    def close(self) -> None:
        """End the process, whatever it does."""
        process, self.process = self.process, None
        if process is None:
            return
        if sys.platform == "win32":
            process.kill()
        else:
            with suppress(ProcessLookupError, PermissionError):  # nobody is left of the group
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


# A bot has one core, and libraries that would start a thread a core must not.
ONE_CORE = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "NUMBA_NUM_THREADS": "1"}


ANSWER = 1 << 20  # bytes that a process may write for one question
BROKEN = ("late", "memory", "died", "nonsense")  # faults after which a process is not used again

LETTERS = 20  # of one envoy at a time
MEMORY = 50_000  # characters of what one remembers


def _spoken(game: Game, view: View, memory: Any, text: str) -> tuple[EnvoyReply, Fault]:
    """What an envoy said, if it makes sense."""
    envoy, nothing = bots_of(game).envoy, EnvoyReply((), memory)
    assert envoy is not None, "only envoys are sent letters"  # noqa: S101  # the host looked
    try:
        notes, kept, rebound = json.loads(text)
        made = tuple(
            FormalNote(view["seat"], tuple(to), envoy.canonical_text(said)) for _, to, said in notes
        )
    except (RulesError, ValueError, TypeError, AttributeError):
        return nothing, "nonsense"
    if len(made) > LETTERS or len(json.dumps(kept)) > MEMORY:
        return nothing, "nonsense"
    return EnvoyReply(made, kept, bool(rebound)), ""


def _answer(pipe: IO[bytes], token: str, seconds: float) -> Asked:
    """The answer to the question with this token; whatever else was written there is none."""
    until, total, rest = time.monotonic() + seconds, 0, b""
    while total <= ANSWER:
        part = _part(pipe, until - time.monotonic())
        if not part:
            return Asked("", "late" if part is None else "died")
        total += len(part)
        *lines, rest = (rest + part).split(b"\n")
        for line in lines:
            if (asked := _read(line, token)) is not None:
                return asked
    return Asked("", "nonsense", f"more than {ANSWER} bytes")


def _read(line: bytes, token: str) -> Asked | None:
    try:
        said = json.loads(line)
        return plain.load(Asked, said) if said.pop("token") == token else None
    except (ValueError, TypeError, LookupError, AttributeError, RecursionError):
        return None


def _part(pipe: IO[bytes], seconds: float) -> bytes | None:
    """What comes next; empty when the other end has gone, None when time is over."""
    if sys.platform == "win32":  # only sockets can be waited for there
        return _part_by_thread(pipe, seconds)
    if seconds <= 0 or not select.select([pipe], [], [], seconds)[0]:
        return None
    return os.read(pipe.fileno(), 1 << 16)


def _part_by_thread(pipe: IO[bytes], seconds: float) -> bytes | None:
    """The same where pipes cannot be waited for: the thread ends with the part or the process."""
    got: list[bytes] = []
    number = pipe.fileno()
    reader = threading.Thread(target=lambda: got.append(os.read(number, 1 << 16)), daemon=True)
    reader.start()
    reader.join(max(0.0, seconds))
    return got[0] if got else None
