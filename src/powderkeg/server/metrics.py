"""Metrics for Prometheus."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import structlog
from fastapi import Request
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

METRICS_REGISTRY = CollectorRegistry()
REQUEST_SECONDS = Histogram(
    "powderkeg_request_seconds",
    "Time to answer a request.",
    ["method", "route"],
    registry=METRICS_REGISTRY,
)
LOG_ENTRIES = Counter(
    "powderkeg_entries_total", "Entries written to logs.", ["game", "by"], registry=METRICS_REGISTRY
)
JOB_SECONDS = Histogram(
    "powderkeg_job_seconds", "Time to do a job.", ["kind"], registry=METRICS_REGISTRY
)
BOT_FAULTS = Counter(
    "powderkeg_bot_faults_total",
    "Answers of bots in whose place the default was played.",
    ["game", "level", "fault"],
    registry=METRICS_REGISTRY,
)
REFUSAL_COUNT = Counter(
    "powderkeg_refusals_total", "Refusals by code.", ["code"], registry=METRICS_REGISTRY
)
OPEN_SOCKETS = Gauge(
    "powderkeg_sockets", "Sockets open in this process.", registry=METRICS_REGISTRY
)
CACHED_TABLES = Gauge(
    "powderkeg_rooms", "Tables in this process's memory.", registry=METRICS_REGISTRY
)
DUE_JOBS = Gauge(
    "powderkeg_jobs_due", "Jobs that are due and not yet claimed.", registry=METRICS_REGISTRY
)
OUTBOX_NOTICES = Gauge(
    "powderkeg_notices", "Notices by status.", ["status"], registry=METRICS_REGISTRY
)


@contextmanager
def time_request(request: Request) -> Iterator[None]:
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
        REQUEST_SECONDS.labels(request.method, name).observe(time.perf_counter() - begun)


@contextmanager
def time_job(kind: str) -> Iterator[None]:
    with JOB_SECONDS.labels(kind).time():
        yield


def render_metrics() -> bytes:
    return generate_latest(METRICS_REGISTRY)
