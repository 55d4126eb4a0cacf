"""Bots vote on the end of the game: a bot agrees only if it expects no more than the offer."""

import structlog

from powderkeg.bots.engine.shares import Shares
from powderkeg.server.bots.envoys import talk_seed
from powderkeg.server.bots.processes import BotProcesses
from powderkeg.server.db.rows import JobRow, ProposalRow
from powderkeg.server.press.proposals import agreed_scores, announce_reason, cast_vote, owed_votes
from powderkeg.server.refusals import Refused
from powderkeg.server.tables.cache import TableCache
from powderkeg.server.tables.loaded import LoadedTable

logger = structlog.get_logger()
EARLY_DECISIONS = 30  # entries of the log per seat; before that bots refuse to end a game


async def cast_bot_votes(cache: TableCache, processes: BotProcesses, job: JobRow) -> None:
    """Let every bot vote on the open proposals that wait for it."""
    async with cache.look(job.game) as loaded:
        owed = [(p, seat) for p in loaded.proposals for seat in owed_votes(loaded, p)]
    for proposal, seat in owed:
        reason = await _decide_vote(cache, processes, proposal, seat)
        try:
            async with cache.change(job.game) as change:
                await cast_vote(change, proposal.id, seat, [seat], agree=not reason)
                if reason:
                    await announce_reason(change, seat, reason)
        except Refused:
            logger.info("a bot's vote came too late", game=job.game, seat=seat)


async def _decide_vote(
    cache: TableCache, processes: BotProcesses, proposal: ProposalRow, seat: str
) -> str:
    """Why a bot votes no; empty if it agrees."""
    async with cache.look(proposal.game) as loaded:
        offered = offered_share(loaded, proposal, seat)
        if loaded.row.head < EARLY_DECISIONS * len(loaded.seats):
            return "vote_early"
        game, state = loaded.game, loaded.current.table.state
        seed = f"{talk_seed(loaded, seat)}/{proposal.id}"
    return weigh_offer(await processes.estimate_shares(game, state, seat, seed), seat, offered)


def weigh_offer(shares: Shares | None, seat: str, offered: float) -> str:
    """Why a bot with this estimate refuses a share of the game; empty if it expects no more."""
    if shares is None:
        return "vote_unsure"  # one that cannot judge the game does not end it
    return "vote_more" if shares.get(seat, 1.0) > offered else ""


def offered_share(loaded: LoadedTable, proposal: ProposalRow, seat: str) -> float:
    """The share of the game that a seat gets if the proposal is agreed."""
    scores = agreed_scores(loaded, proposal)
    return scores[seat] / sum(scores.values())
