"""How late the event loop is: the time that everybody waits for one long step."""

import asyncio
import contextlib

import structlog

from powderkeg.server import metrics
from powderkeg.server.long_steps import note_long_steps

LOOK_SECONDS = 0.25


logger = structlog.get_logger()


def _log_step(name: str, spent: float) -> None:
    logger.warning("a long step of the event loop", step=name, cpu_ms=round(spent * 1000, 1))


class LoopWatch:
    """Measures the lag of the event loop a few times per second."""

    def __init__(self, log_above: float = 0.0) -> None:
        self.log_above = log_above  # seconds; longer steps are logged, with 0 none
        self.task: asyncio.Task[None] | None = None
        self.steps = contextlib.ExitStack()

    def open(self) -> None:
        self.task = asyncio.create_task(self._watch())
        if self.log_above:
            self.steps.enter_context(note_long_steps(self.log_above, _log_step))

    async def close(self) -> None:
        self.steps.close()
        if self.task is not None:
            self.task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self.task

    async def _watch(self) -> None:
        loop = asyncio.get_running_loop()
        while True:
            begun = loop.time()
            await asyncio.sleep(LOOK_SECONDS)
            metrics.LOOP_LAG.observe(max(0.0, loop.time() - begun - LOOK_SECONDS))
