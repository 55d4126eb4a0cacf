"""Bots in seats take their turns. Where a bot has no legal answer, the default is played."""

import time

import structlog

from powderkeg.core.errors import RulesError
from powderkeg.server.accounts.tokens import hash_token
from powderkeg.server.bots.envoys import load_memory
from powderkeg.server.bots.processes import BotProcesses
from powderkeg.server.db import schema
from powderkeg.server.db.queue import enqueue_job
from powderkeg.server.db.rows import JobRow
from powderkeg.server.tables.announcements import TO_ALL
from powderkeg.server.tables.bot_seats import (
    BotJob,
    bots_to_act,
    enqueue_bot_turn,
    others_may_answer,
    seat_bot_name,
)
from powderkeg.server.tables.cache import TableCache
from powderkeg.server.tables.commands import play_actions
from powderkeg.server.tables.loaded import LoadedTable, seats_may_talk

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
        bot, state = seat_bot_name(loaded, seat), loaded.current.table.state
        default = str(game.default(state, seat))
        seed = hash_token(f"{loaded.row.key}/{seq}/{seat}")  # the key itself is not sent to the bot
        memory = await load_memory(cache, loaded, seat)
    turn = await processes.decide_turn(game, state, seat, bot, seed, memory)
    attempts = [turn.texts or [default], [default]]
    if await _commit_turn(cache, table, seat, attempts, seq) == turn.texts:
        for code in turn.spoken:  # about a move that was not played there is nothing to say
            await say_to_table(cache, table, seat, code)
    return True


async def say_to_table(cache: TableCache, table: str, seat: str, code: str) -> None:
    """Let a bot say a sentence to everybody, where the table may talk; at an anonymous one it would
    give away that it is a bot. One that plays for an absent person does not speak for them."""
    async with cache.look(table) as loaded:
        is_bot = loaded.seats[seat].kind == "bot"
        if not is_bot or loaded.settings.anonymous or not seats_may_talk(loaded):
            return
        row = {
            "game": table,
            "channel": TO_ALL,
            "seat": seat,
            "said": {"code": code, "args": {}},
            "at": cache.clock(),
            "phase": loaded.row.phase,
        }
    async with cache.store.write() as tx:
        await tx.run(schema.press.insert().values(**row))
        tx.publish(f"press:{table}")


async def _commit_turn(
    cache: TableCache, table: str, seat: str, attempts: list[list[str]], seq: int
) -> list[str]:
    """Perform the first of the attempts that the rules allow and return it; empty if it was too
    late for any."""

    def is_owed(loaded: LoadedTable) -> bool:
        return loaded.row.status == "live" and seat in bots_to_act(loaded)

    for texts in attempts:
        try:
            await play_actions(
                cache, table, seat, texts, command=None, question=seq, by="bot", may=is_owed
            )
        except RulesError as error:
            logger.info("a bot's move was refused", game=table, seat=seat, why=str(error))
            async with cache.look(table) as loaded:
                if loaded.current.seq != seq or not is_owed(loaded):
                    return []  # the table moved on or pauses, or a person has taken the seat back
            continue
        return texts
    raise RuntimeError(f"no move of the bot in {seat} is legal")  # the job is retried later
