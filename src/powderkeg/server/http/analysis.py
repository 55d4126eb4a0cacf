"""Analysis: who is ahead, what a bot would do, and which decisions cost the most."""

from fastapi import APIRouter

from powderkeg.server.analysis import requests
from powderkeg.server.http.deps import PrincipalDep, ServerDep
from powderkeg.server.schemas.analysis import AdviceIn, AdviceOut, ReviewIn, ReviewOut

router = APIRouter(prefix="/api/tables", tags=["study"])


@router.post("/{table}/advice")
async def post_advice(
    table: str, wish: AdviceIn, server: ServerDep, who: PrincipalDep
) -> AdviceOut:
    """Who is ahead at a moment, and what a bot would do; only for finished games and tables of my own."""
    who.need_scope("read")
    server.limiter.check_here("study", who.limit_key)
    return await requests.give_advice(server.cache, server.analysis, who, table, wish)


@router.post("/{table}/review")
async def post_review(
    table: str, wish: ReviewIn, server: ServerDep, who: PrincipalDep
) -> ReviewOut:
    """The costly decisions of a finished game, a few at a time: ask again from `next`."""
    who.need_scope("read")
    server.limiter.check_here("study", who.limit_key)
    return await requests.review_game(server.cache, server.analysis, who, table, wish)
