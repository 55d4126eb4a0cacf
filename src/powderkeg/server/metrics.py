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
SHORT_TIMES = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0)
COMMIT_SECONDS = Histogram(
    "powderkeg_commit_seconds",
    "Time that the database takes to commit.",
    buckets=SHORT_TIMES,
    registry=METRICS_REGISTRY,
)
COMMIT_WRITERS = Histogram(
    "powderkeg_commit_writers",
    "Writers that share a commit.",
    buckets=(1, 2, 4, 8, 16, 32, 64, 128),
    registry=METRICS_REGISTRY,
)
LOOP_LAG = Histogram(
    "powderkeg_loop_lag_seconds",
    "How late the event loop wakes up.",
    buckets=SHORT_TIMES,
    registry=METRICS_REGISTRY,
)
GC_SECONDS = Histogram(
    "powderkeg_gc_seconds",
    "Pauses of the garbage collector.",
    ["generation"],
    buckets=SHORT_TIMES,
    registry=METRICS_REGISTRY,
)
COMMAND_SECONDS = Histogram(
    "powderkeg_command_seconds",
    "From the arrival of a command at its socket to its answer.",
    buckets=SHORT_TIMES,
    registry=METRICS_REGISTRY,
)
SCREEN_SECONDS = Histogram(
    "powderkeg_screen_seconds",
    "From a written change to what each follower of the table is sent.",
    buckets=SHORT_TIMES,
    registry=METRICS_REGISTRY,
)
JOB_AGE = Gauge(
    "powderkeg_job_age_seconds",
    "How long the oldest job that is due has waited, by kind.",
    ["kind"],
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


@contextmanager
def time_commit(writers: int) -> Iterator[None]:
    COMMIT_WRITERS.observe(writers)
    with COMMIT_SECONDS.time():
        yield


def render_metrics() -> bytes:
    return generate_latest(METRICS_REGISTRY)
