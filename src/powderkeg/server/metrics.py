"""Numbers for Prometheus, and the lines of the log that go with them."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import structlog
from fastapi import Request
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

REGISTRY = CollectorRegistry()
REQUESTS = Histogram(
    "powderkeg_request_seconds", "Time to answer a request.", ["method", "route"], registry=REGISTRY
)
ACTIONS = Counter(
    "powderkeg_entries_total", "Entries written to logs.", ["game", "by"], registry=REGISTRY
)
JOBS = Histogram("powderkeg_job_seconds", "Time to do a job.", ["kind"], registry=REGISTRY)
FAULTS = Counter(
    "powderkeg_bot_faults_total",
    "Answers of bots in whose place the default was played.",
    ["game", "level", "fault"],
    registry=REGISTRY,
)
REFUSALS = Counter("powderkeg_refusals_total", "Refusals by code.", ["code"], registry=REGISTRY)
SOCKETS = Gauge("powderkeg_sockets", "Sockets open in this process.", registry=REGISTRY)
ROOMS = Gauge("powderkeg_rooms", "Tables in this process's memory.", registry=REGISTRY)
WAITING = Gauge("powderkeg_jobs_due", "Jobs that are due and not yet claimed.", registry=REGISTRY)
OUTBOX = Gauge("powderkeg_notices", "Notices by status.", ["status"], registry=REGISTRY)


@contextmanager
def measured(request: Request) -> Iterator[None]:
    structlog.contextvars.clear_contextvars()
    parts = request.url.path.split("/")
    if parts[1:3] == ["api", "tables"] and len(parts) > 3:
        structlog.contextvars.bind_contextvars(game=parts[3][:24])
    begun = time.perf_counter()
    try:
        yield
    finally:
        route: Any = request.scope.get("route")
        name = getattr(route, "path", "") or "none"
        REQUESTS.labels(request.method, name).observe(time.perf_counter() - begun)


@contextmanager
def job(kind: str) -> Iterator[None]:
    with JOBS.labels(kind).time():
        yield


def text() -> bytes:
    return generate_latest(REGISTRY)
