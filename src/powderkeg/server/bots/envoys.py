"""Bots that talk at a table, where their game has an envoy (see `powderkeg.bots.envoy`).

At the start of a phase they write their letters before they give orders, and they answer people who
write to them in the formal language. A bot that has already given its orders and then agrees to
something else gives new ones, in the same transaction as its letter. Letters and orders come from
the bots' processes; the bots' memory is stored here and shown to nobody.
"""

from typing import Any, NamedTuple

import structlog
from sqlalchemy import select, update

from powderkeg.bots.envoy import EnvoyReply, FormalNote
from powderkeg.bots.game_bots import bots_of
from powderkeg.core.errors import RulesError
from powderkeg.core.game import Game, State
from powderkeg.server.accounts.tokens import hash_token
from powderkeg.server.bots.processes import BotProcesses, HeardLetters
from powderkeg.server.db import schema
from powderkeg.server.db.rows import EnvoyRow, JobRow, MessageRow
from powderkeg.server.db.store import Tx
from powderkeg.server.tables.announcements import TO_ALL, notify_message
from powderkeg.server.tables.bot_seats import bots_must_talk, seat_bot_name, speaking_bots
from powderkeg.server.tables.cache import TableCache
from powderkeg.server.tables.loaded import LoadedTable, record_lines, seats_may_talk

logger = structlog.get_logger()
LETTER_ROUNDS = 4  # rounds of letters and answers among bots
e, ps = schema.envoys.c, schema.press.c


async def load_memory(cache: TableCache, loaded: LoadedTable, seat: str) -> Any:
    """The memory of a seat's envoy, for the bot that plays there."""
    if bots_of(loaded.game).envoy is None or loaded.seats[seat].kind != "bot":
        return None
    async with cache.store.read() as tx:
        row = await _load_envoy(tx, loaded.id, seat)
    return None if row is None else row.memory


async def _load_envoy(tx: Tx, table: str, seat: str) -> EnvoyRow | None:
    row = await tx.one(select(schema.envoys).where(e.game == table, e.seat == seat))
    return None if row is None else EnvoyRow.load(row)


async def talk_at_table(cache: TableCache, processes: BotProcesses, job: JobRow) -> None:
    """Let the bots of a table talk until none has anything to say, then let them decide."""
    table = job.game
    for _ in range(LETTER_ROUNDS):
        async with cache.look(table) as loaded:
            seats = speaking_bots(loaded)
        if not [seat for seat in seats if await _speak_once(cache, processes, table, seat)]:
            break
    async with cache.change(table) as change:
        if bots_must_talk(change.loaded):
            change.set(spoken=change.loaded.row.phase)


class SpeakingBot(NamedTuple):
    """A bot that is about to talk."""

    table: str
    seat: str
    bot: str  # its name
    character: str
    game: Game
    state: State
    fresh: State  # the game without the choices of this phase
    phase: str
    base: int
    seed: str
    done: bool  # it has given its orders
    public: bool
    order: tuple[str, ...]  # all seats


def talk_seed(loaded: LoadedTable, seat: str) -> str:
    """The random seed for a bot's letters, so that the table's own key is not passed to the bot."""
    return hash_token(f"{loaded.row.key}/talk/{loaded.row.phase}/{seat}")


def _speaking_bot(loaded: LoadedTable, seat: str) -> SpeakingBot:
    current, row = loaded.current, loaded.row
    return SpeakingBot(
        loaded.id,
        seat,
        seat_bot_name(loaded, seat),
        loaded.seats[seat].character,
        loaded.game,
        current.table.state,
        current.base_state,
        row.phase,
        current.base,
        talk_seed(loaded, seat),
        seat not in row.to_act,
        "seats" not in seats_may_talk(loaded),
        tuple(loaded.seats),
    )


async def _speak_once(cache: TableCache, processes: BotProcesses, table: str, seat: str) -> bool:
    """Let one bot write its letters; return whether there was anything to do."""
    async with cache.look(table) as loaded:
        if seat not in speaking_bots(loaded):
            return False
        now = _speaking_bot(loaded, seat)
    async with cache.store.read() as tx:
        mind = await _load_envoy(tx, table, seat)
        rows = await _letters_for(tx, now, mind.heard if mind else 0)
    if mind and mind.phase == now.phase and not rows:
        return False
    heard = max([row.id for row in rows], default=mind.heard if mind else 0)
    notes, memory = tuple(_letter_note(row) for row in rows), mind.memory if mind else None
    said = HeardLetters(memory, notes, now.public, now.character)
    seed = f"{now.seed}/{heard}"
    spoken = await processes.write_letters(now.game, now.state, seat, seed, said)
    orders: list[str] = []
    if spoken.rebound and now.done and seat in now.game.to_act(now.fresh):
        game, fresh, memory = now.game, now.fresh, spoken.memory
        turn = await processes.decide_turn(game, fresh, seat, now.bot, seed, memory)
        orders = turn.texts
    mine = {"phase": now.phase, "heard": heard}
    return await _store_talk(cache, now, mind, mine | {"memory": spoken.memory}, spoken, orders)


async def _letters_for(tx: Tx, now: SpeakingBot, after: int) -> list[MessageRow]:
    """The letters of others in the formal language, in the channels of the seat."""
    new = (ps.game == now.table) & (ps.id > after) & ps.form.is_not(None)
    found = await tx.all(select(schema.press).where(new).order_by(ps.id))
    rows = [MessageRow.load(row) for row in found]
    reach = (TO_ALL, now.seat)
    return [
        row
        for row in rows
        if row.seat not in (None, now.seat)
        and set(row.channel.split("+")) & set(reach)
        and not _has_lapsed(row, now)
    ]


def _has_lapsed(row: MessageRow, now: SpeakingBot) -> bool:
    """Whether a letter asks for a yes or no that would come too late: offers end with their phase."""
    envoy = bots_of(now.game).envoy
    try:
        return envoy is not None and row.phase != now.phase and envoy.expects_answer(row.form or "")
    except RulesError:  # written by another version
        return True


def _letter_note(row: MessageRow) -> FormalNote:
    seats = [] if row.channel == TO_ALL else row.channel.split("+")
    to = tuple(seat for seat in seats if seat != row.seat)
    return FormalNote(row.seat or "", to, row.form or "")


async def _store_talk(
    cache: TableCache,
    now: SpeakingBot,
    mind: EnvoyRow | None,
    mine: dict[str, Any],
    spoken: EnvoyReply,
    orders: list[str],
) -> bool:
    """Store letters, memory and new orders, all or nothing; return whether the table was unchanged."""
    envoy = bots_of(now.game).envoy
    assert envoy is not None  # noqa: S101  # somebody spoke
    try:
        async with cache.change(now.table) as change:
            loaded = change.loaded
            same = loaded.current.base == now.base and now.seat in speaking_bots(loaded)
            if not same or not await _store_memory(change.tx, now, mind, mine):
                return False
            for note in spoken.notes:
                await _post_letter(change.tx, loaded, now, note, change.now)
            if orders:
                acted = [envoy.REOPEN_ACTION, *orders]
                lines = [
                    x for text in acted for x in loaded.current.act(now.seat, text, change.now)
                ]
                record_lines(change, lines, None, "bot")
    except RulesError as error:
        logger.info(
            "a bot's new orders were refused", game=now.table, seat=now.seat, why=str(error)
        )
        async with cache.store.write() as tx:  # it has read the letters, and says nothing
            old = {"memory": mind.memory if mind else None}
            return await _store_memory(tx, now, mind, mine | old)
    return True


async def _store_memory(
    tx: Tx, now: SpeakingBot, mind: EnvoyRow | None, mine: dict[str, Any]
) -> bool:
    """Store the memory of an envoy, unless another process asked it at the same time."""
    if mind is None:
        if await _load_envoy(tx, now.table, now.seat) is not None:
            return False
        row = {"game": now.table, "seat": now.seat, **mine}
        await tx.run(schema.envoys.insert().values(**row))
        return True
    same = (e.game == now.table) & (e.seat == now.seat)
    same &= (e.phase == mind.phase) & (e.heard == mind.heard)
    return bool(await tx.run(update(schema.envoys).where(same).values(**mine)) == 1)


async def _post_letter(
    tx: Tx, loaded: LoadedTable, now: SpeakingBot, note: FormalNote, at: float
) -> None:
    between = {*note.to, now.seat}
    everybody = now.public or not note.to or between >= set(now.order)
    channel = TO_ALL if everybody else "+".join(seat for seat in now.order if seat in between)
    row = {
        "game": now.table,
        "channel": channel,
        "seat": now.seat,
        "form": note.text,
        "said": {"code": note.reason, "args": {}} if note.reason else None,
        "at": at,
        "phase": now.phase,
    }
    await tx.run(schema.press.insert().values(**row))
    readers = [] if everybody else [loaded.seats[seat] for seat in note.to]
    away = [seat for seat in readers if seat.user]
    await notify_message(tx, at, loaded, away, now.seat)
    tx.publish(f"press:{now.table}")
