"""Bots in seats take their turns. Where a bot has no legal answer, the default is played."""

import time

import structlog

from powderkeg.core.errors import RulesError
from powderkeg.server.accounts.tokens import hash_token
from powderkeg.server.bots.envoys import load_memory
from powderkeg.server.bots.processes import BotProcesses
from powderkeg.server.db.queue import enqueue_job
from powderkeg.server.db.rows import JobRow
from powderkeg.server.tables.bot_seats import (
    BotJob,
    bots_to_act,
    enqueue_bot_turn,
    others_may_answer,
    seat_level,
)
from powderkeg.server.tables.cache import TableCache
from powderkeg.server.tables.commands import play_actions
from powderkeg.server.tables.loaded import LoadedTable

logger = structlog.get_logger()
TABLE_SHARE = 2.0  # seconds that the bots of one table may take before other tables get theirs


async def play_bots(cache: TableCache, processes: BotProcesses, job: JobRow) -> None:
    """Let the bots of a table play until a person must act, or for a while; then other tables get
    their turn. Quick and slow levels are different kinds of job."""
    kind: BotJob = "slow" if job.kind == "slow" else "bots"
    begun = time.monotonic()
    while await _play_bot_turn(cache, processes, job.game, kind):
        if time.monotonic() - begun > TABLE_SHARE:
            async with cache.store.write() as tx:
                await enqueue_job(tx, kind, job.game, cache.clock())
            return


async def _play_bot_turn(
    cache: TableCache, processes: BotProcesses, table: str, kind: BotJob
) -> bool:
    """Play one turn of one bot; return whether there was one."""
    async with cache.look(table) as loaded:
        owed = bots_to_act(loaded, kind) if loaded.row.status == "live" else []
        if not owed:
            return False
        if others_may_answer(loaded, owed[0], now := cache.clock()):
            async with cache.store.write() as tx:
                await enqueue_bot_turn(tx, loaded, kind, owed[0], now)
            return False
        seat, game, seq = owed[0], loaded.game, loaded.current.seq
        level, state = seat_level(loaded, seat), loaded.current.table.state
        default = str(game.default(state, seat))
        seed = hash_token(f"{loaded.row.key}/{seq}/{seat}")  # the key itself stays here
        memory = await load_memory(cache, loaded, seat)
    texts = await processes.decide_turn(game, state, seat, level, seed, memory)
    await _commit_turn(cache, table, seat, [texts or [default], [default]], seq)
    return True


async def _commit_turn(
    cache: TableCache, table: str, seat: str, attempts: list[list[str]], seq: int
) -> None:
    """Perform the first of the attempts that the rules allow."""

    def is_owed(loaded: LoadedTable) -> bool:
        return seat in bots_to_act(loaded)

    for texts in attempts:
        try:
            await play_actions(
                cache, table, seat, texts, command=None, question=seq, by="bot", may=is_owed
            )
        except RulesError as error:
            logger.info("a bot's move was refused", game=table, seat=seat, why=str(error))
            async with cache.look(table) as loaded:
                if loaded.current.seq != seq or not is_owed(loaded):
                    return  # the table moved on, or somebody plays there again
            continue
        return
    raise RuntimeError(f"bot in {seat} can do nothing")  # the job is tried again, later
