"""Bots think in processes of their own, with a time budget; who overruns it is ended and replaced.

A bot sees a view, a question and legal actions, never the state. It may finish its whole turn
(all orders of a phase) in one go, as long as nothing new comes to light.
"""

import asyncio
import contextlib
import json
import random
import sys
import time
from importlib import import_module
from typing import Any, cast

import structlog

from powderkeg import bots
from powderkeg.core import plain
from powderkeg.core.chance import CHANCE
from powderkeg.core.errors import RulesError
from powderkeg.core.game import Game, State

logger = structlog.get_logger()
LONGEST = 60  # actions of one turn


def think(game: Game, state: State, seat: str, level: str, seed: str, seconds: float) -> list[str]:
    """What a bot of `level` does with its turn, or with as much of it as fits into the time."""
    bot = bots.find(game, level)
    rng = random.Random(seed)
    texts: list[str] = []
    end = time.monotonic() + seconds
    while seat in game.to_act(state) and len(texts) < LONGEST and time.monotonic() < end:
        question = game.ask(state, seat)
        if question is None:
            break
        action = bot(game.view(state, seat), question, game.legal(state, seat), rng)
        step = game.apply(state, seat, action)
        texts.append(str(action))
        state = step.state
        if step.barrier or CHANCE in game.to_act(state):
            break
    return texts


class Thinkers:
    """A few processes that think. Each holds one line at a time: a request, then its answer."""

    def __init__(self, count: int, seconds: float, paths: list[str] | None = None) -> None:
        self.seconds = seconds
        self.paths = paths or []
        self.free: asyncio.Queue[asyncio.subprocess.Process | None] = asyncio.Queue()
        for _ in range(count):
            self.free.put_nowait(None)
        self.all: set[asyncio.subprocess.Process] = set()

    async def think(
        self, module: str, state: Any, seat: str, level: str, seed: str
    ) -> list[str] | None:
        """The bot's actions, or None when it took too long or failed."""
        request = {
            "game": module,
            "state": state,
            "seat": seat,
            "level": level,
            "seed": seed,
            "seconds": self.seconds / 3,
        }
        process = await self.free.get()
        try:
            process = process or await self._start()
            process, answer = await self._ask(process, json.dumps(request))
        finally:
            self.free.put_nowait(process)
        return answer

    async def _ask(
        self, process: asyncio.subprocess.Process, request: str
    ) -> tuple[asyncio.subprocess.Process | None, list[str] | None]:
        assert process.stdin is not None  # noqa: S101  # both are pipes
        assert process.stdout is not None  # noqa: S101  # opened with a pipe
        try:
            process.stdin.write(request.encode() + b"\n")
            line = await asyncio.wait_for(process.stdout.readline(), self.seconds)
            answer = json.loads(line)
        except (TimeoutError, OSError, ValueError) as error:
            logger.warning("bot gave no answer", error=repr(error))
            await self._end(process)
            return None, None
        except BaseException:
            await self._end(process)
            raise
        if "error" in answer:
            logger.warning("bot failed", error=answer["error"])
            return process, None
        return process, answer["texts"]

    async def _start(self) -> asyncio.subprocess.Process:
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-c",
            f"import sys; sys.path[:0] = {self.paths!r}; "
            "from powderkeg.server.thinking import serve; serve()",
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            limit=4_000_000,
        )
        self.all.add(process)
        return process

    async def _end(self, process: asyncio.subprocess.Process) -> None:
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        await process.wait()
        self.all.discard(process)

    async def close(self) -> None:
        for process in tuple(self.all):
            await self._end(process)


def serve() -> None:
    """The thinking process: answers requests from standard input until it closes."""
    for line in sys.stdin:
        request = json.loads(line)
        try:
            game = cast(Game, import_module(request["game"]))
            state: State = plain.load(game.State, request["state"])
            how = (request["seat"], request["level"], request["seed"], request["seconds"])
            texts = think(game, state, *how)
            answer: dict[str, Any] = {"texts": texts}
        except Exception as error:  # noqa: BLE001  # whatever a bot does wrong is told, not fatal
            answer = {"error": str(error) if isinstance(error, RulesError) else repr(error)}
        sys.stdout.write(json.dumps(answer) + "\n")
        sys.stdout.flush()
