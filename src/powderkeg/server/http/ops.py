"""For operators: health and metrics."""

import asyncio
import secrets

from fastapi import APIRouter, Request
from fastapi.responses import PlainTextResponse
from sqlalchemy import func, select, text

import powderkeg
from powderkeg.server import metrics
from powderkeg.server.db import schema
from powderkeg.server.http.deps import ServerDep
from powderkeg.server.http.errors import REFUSAL_MODELS
from powderkeg.server.refusals import Refused
from powderkeg.server.schemas.base import Health

router = APIRouter(tags=["running"])


@router.get("/healthz", responses=REFUSAL_MODELS)
async def get_health(server: ServerDep) -> Health:
    """Whether this process works: it asks the database."""
    async with asyncio.timeout(5), server.store.read() as tx:
        await tx.value(text("SELECT 1"))
    kind = "sqlite" if server.settings.is_sqlite else "postgresql"
    return Health(ok=True, database=kind, version=powderkeg.__version__)


@router.get("/metrics", response_class=PlainTextResponse)
async def get_metrics(server: ServerDep, request: Request) -> PlainTextResponse:
    """For Prometheus."""
    wanted = server.settings.metrics_token
    sent = request.headers.get("authorization", "").removeprefix("Bearer ")
    if wanted and not secrets.compare_digest(wanted.encode(), sent.encode()):
        raise Refused(401, "bad_token")
    metrics.OPEN_SOCKETS.set(len(server.presence.connections))
    metrics.CACHED_TABLES.set(len(server.cache.entries))
    j, n, now = schema.jobs.c, schema.notices.c, server.clock()
    async with server.store.read() as tx:
        due = (
            select(func.count())
            .select_from(schema.jobs)
            .where(j.run_at <= now, j.locked_until <= now)
        )
        metrics.DUE_JOBS.set(await tx.value(due))
        oldest = select(j.kind, func.min(j.run_at).label("at")).where(j.locked_until <= now)
        metrics.JOB_AGE.clear()
        for row in await tx.all(oldest.group_by(j.kind)):
            metrics.JOB_AGE.labels(row.kind).set(max(0.0, now - row.at))
        for row in await tx.all(select(n.status, func.count().label("n")).group_by(n.status)):
            metrics.OUTBOX_NOTICES.labels(row.status).set(row.n)
    return PlainTextResponse(metrics.render_metrics())
