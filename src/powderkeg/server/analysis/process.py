"""The analysis process, started on the first request."""

import asyncio
from typing import Any

import structlog

from powderkeg.bots.process.host import ProcessHost
from powderkeg.server.analysis.reviewed import ReviewedParts
from powderkeg.server.refusals import busy, conflict

logger = structlog.get_logger()
ANALYSIS_SECONDS = 30.0  # seconds after which a request is given up
ANALYSIS_MEMORY = 2 << 30  # bytes
LONGEST_ANALYSIS = 8_000_000  # bytes of an answer
WAITING_REQUESTS = 6  # requests that may wait; each takes some seconds


class AnalysisProcess:
    """One process for one request at a time; one that overruns its time is replaced."""

    def __init__(self, nice: int = 0) -> None:
        self.lock = asyncio.Lock()
        self.host = ProcessHost(
            ANALYSIS_SECONDS,
            ANALYSIS_MEMORY,
            "powderkeg.server.analysis.worker",
            longest=LONGEST_ANALYSIS,
            nice=nice,
        )
        self.waiting = 0  # requests in the queue, the one being analysed among them
        self.reviewed = ReviewedParts()

    async def request(self, request: dict[str, Any]) -> dict[str, Any]:
        if self.waiting >= WAITING_REQUESTS:
            raise busy("study_busy", seconds=10)
        self.waiting += 1
        try:
            return await self._request_in_turn(request)
        finally:
            self.waiting -= 1

    async def _request_in_turn(self, request: dict[str, Any]) -> dict[str, Any]:
        async with self.lock:
            try:
                answer, fault, detail = await asyncio.to_thread(self.host.send_request, request)
            except BaseException:
                self.close()
                raise
        if fault:
            logger.warning("an analysis took too long or broke off", fault=fault, detail=detail)
            raise conflict("study_failed")
        if "error" in answer:
            logger.warning("an analysis failed", error=answer["error"])
            raise conflict("study_failed")
        return answer

    def close(self) -> None:
        self.host.close()
