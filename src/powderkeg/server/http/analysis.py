"""Studying: how it stands, what a bot would do, where it was lost."""

from fastapi import APIRouter

from powderkeg.server.analysis import requests
from powderkeg.server.app import Srv, Who
from powderkeg.server.schemas.analysis import AdviceIn, AdviceOut, ReviewIn, ReviewOut

router = APIRouter(prefix="/api/tables", tags=["study"])


@router.post("/{table}/advice")
async def advice(table: str, wish: AdviceIn, server: Srv, who: Who) -> AdviceOut:
    """How a moment stands and what a bot would do: finished games and tables of my own only."""
    who.need("read")
    server.limiter.check("study", who.limit_key)
    return await requests.advice(server.rooms, server.scholar, who, table, wish)


@router.post("/{table}/review")
async def review(table: str, wish: ReviewIn, server: Srv, who: Who) -> ReviewOut:
    """Where a finished game was lost, some decisions at a time: ask again from `next`."""
    who.need("read")
    server.limiter.check("study", who.limit_key)
    return await requests.review(server.rooms, server.scholar, who, table, wish)
