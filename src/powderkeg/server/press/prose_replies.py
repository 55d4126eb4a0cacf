"""Answers of bots to letters in plain words: what they have understood, and which offer it would be."""

import asyncio
from typing import Any, NamedTuple

import structlog
from sqlalchemy import select

from powderkeg.bots.game_bots import bots_of, no_offers
from powderkeg.server.db import schema
from powderkeg.server.db.rows import MessageRow, StoredMessage
from powderkeg.server.db.store import Store, Tx
from powderkeg.server.message_json import dump_message
from powderkeg.server.tables.bot_seats import speaking_bots
from powderkeg.server.tables.loaded import LoadedTable

logger = structlog.get_logger()
READ_AT_ONCE = 400  # characters: four to seven milliseconds; longer letters are read in a thread


class BotKnows(NamedTuple):
    """What a bot knows when it reads a letter: its memory, and the letter that this one may go on with."""

    memory: Any
    earlier: str


async def write_reply(
    store: Store, loaded: LoadedTable, letter: dict[str, Any]
) -> dict[str, Any] | None:
    """The answer of a bot to a person who writes to it alone, without an offer that it could accept."""
    if letter["form"] or not letter["text"] or letter["seat"] is None:
        return None
    others = set(letter["channel"].split("+")) - {letter["seat"]}
    bot = min(others)
    if len(others) > 1 or not _answers_prose(loaded, bot):
        return None
    async with store.read() as tx:
        memory = await _envoy_memory(tx, loaded.id, bot)
        known = BotKnows(memory, await _earlier_letter(tx, letter, bot))
    reading = (loaded, letter["seat"], bot, letter["text"], known)
    long = len(letter["text"]) + len(known.earlier) > READ_AT_ONCE
    try:
        said = await asyncio.to_thread(prose_reply, *reading) if long else prose_reply(*reading)
    except Exception:  # the letter counts more than its answer
        logger.exception("a bot could not answer a letter", game=loaded.id)
        return None
    return {
        "game": loaded.id,
        "channel": letter["channel"],
        "seat": bot,
        "said": said,
        "at": letter["at"],
        "phase": letter["phase"],
    }


def _answers_prose(loaded: LoadedTable, seat: str) -> bool:
    """Whether a bot sits there. An answer at an anonymous table would give away that it is one."""
    sits = loaded.seats.get(seat)
    known = sits is not None and sits.kind == "bot" and loaded.row.status == "live"
    return known and not loaded.settings.anonymous


async def _envoy_memory(tx: Tx, table: str, seat: str) -> Any:
    """What a bot remembers, among it the deals that hold."""
    e = schema.envoys.c
    row = await tx.one(select(e.memory).where(e.game == table, e.seat == seat))
    return None if row is None else row.memory


async def _earlier_letter(tx: Tx, letter: dict[str, Any], bot: str) -> str:
    """The last letter to the bot, if its plain answer to it was the last word of this phase."""
    p = schema.press.c
    same = (p.game == letter["game"]) & (p.channel == letter["channel"])
    newest = select(schema.press).where(same & (p.phase == letter["phase"]))
    rows = await tx.all(newest.order_by(p.id.desc()).limit(2))
    if [row.seat for row in rows] != [bot, letter["seat"]]:
        return ""
    answer, earlier = map(MessageRow.load, rows)
    return earlier.text if answer.said and not answer.form and not earlier.form else ""


def prose_reply(
    loaded: LoadedTable, writer: str, bot: str, text: str, known: BotKnows
) -> StoredMessage:
    """What a bot says to a letter: it promises nothing, and reveals only what it read and what it
    agreed on with the writer."""
    bots = bots_of(loaded.game)
    if bots.envoy is None:
        deals = bots.pending_offers is not no_offers
        return {"code": f"server.bot.{'deals_only' if deals else 'no_letters'}", "args": {}}
    if bot not in speaking_bots(loaded):
        return {"code": "server.bot.silent", "args": {}}
    view = loaded.game.view(loaded.current.table.state, writer)
    said: StoredMessage = dump_message(bots.envoy.answer_prose(view, bot, text, *known))
    return said
