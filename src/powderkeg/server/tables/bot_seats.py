"""Which bots of a table must act or talk, and when."""

from typing import Literal

from powderkeg.bots import levels
from powderkeg.bots.game_bots import bots_of
from powderkeg.bots.seats.turn_order import answers_offers, open_offers
from powderkeg.core.game import Game
from powderkeg.server.db.queue import enqueue_job
from powderkeg.server.db.rows import SeatRow
from powderkeg.server.db.store import Tx
from powderkeg.server.tables.loaded import LoadedTable, seats_may_talk

ANSWER_SECONDS = 20.0  # that a bot leaves people for an answer to an offer
USUAL_LEVEL = "normal"  # of a bot where nobody chose one
LONG_THOUGHT = 1.0  # seconds for a decision: such levels keep others waiting
BotJob = Literal["bots", "slow"]  # quick and slow levels are different kinds of job
BOT_JOBS: tuple[BotJob, ...] = ("bots", "slow")


async def enqueue_bots(tx: Tx, loaded: LoadedTable, now: float) -> None:
    """Enqueue jobs for the bots that must talk or act."""
    if are_to_speak(loaded):
        await enqueue_job(tx, "talk", loaded.id, now)
    for kind in BOT_JOBS:
        if owed := bots_to_act(loaded, kind):
            await enqueue_bot_turn(tx, loaded, kind, owed[0], now)


def bots_to_act(loaded: LoadedTable, kind: BotJob | None = None) -> list[str]:
    """Seats for which a bot must decide, those with an offer to answer first; optionally only those
    of one `kind` of job. Empty until the talking bots have written their letters."""
    if are_to_speak(loaded):
        return []
    asked = [seat for seat, _ in _offers_at(loaded) if answers_offers(seat_level(loaded, seat))]
    return [
        name
        for name in dict.fromkeys((*asked, *loaded.row.to_act))
        if (seat := loaded.seats.get(name)) is not None
        and (seat.kind == "bot" or seat.autopilot)
        and kind in (None, _job_kind(loaded, name))
    ]


def _job_kind(loaded: LoadedTable, seat: str) -> BotJob:
    return "slow" if thinks_long(loaded.game, seat_level(loaded, seat)) else "bots"


async def enqueue_bot_turn(tx: Tx, loaded: LoadedTable, kind: BotJob, bot: str, now: float) -> None:
    """Enqueue the next turn of `bot`: at once, or after others have had time to answer."""
    waits = others_may_answer(loaded, bot, now)
    await enqueue_job(tx, kind, loaded.id, loaded.row.moved + ANSWER_SECONDS if waits else now)


def others_may_answer(loaded: LoadedTable, bot: str, now: float) -> bool:
    """Whether `bot` waits before its turn so that others can answer an offer: people who are
    present, and bots that answer offers. The random bot neither waits nor is waited for."""
    if now >= loaded.row.moved + ANSWER_SECONDS or not answers_offers(seat_level(loaded, bot)):
        return False
    asked = [loaded.seats[seat] for seat, _ in _offers_at(loaded)]
    if bot not in loaded.row.to_act or bot in {seat.seat for seat in asked}:
        return False
    return any(_may_answer(loaded, seat, now) for seat in asked)


def _may_answer(loaded: LoadedTable, seat: SeatRow, now: float) -> bool:
    if seat.is_active:
        return seat.is_present(now)
    return answers_offers(seat_level(loaded, seat.seat))


def _offers_at(loaded: LoadedTable) -> list[tuple[str, str]]:
    return open_offers(loaded.game, loaded.current.table.state)


def seat_level(loaded: LoadedTable, seat: str) -> str:
    """The level of the bot that plays this seat."""
    return loaded.seats[seat].level or loaded.settings.missed.level or USUAL_LEVEL


def thinks_long(game: Game, level: str) -> bool:
    found = levels.game_levels(game).get(level)
    return found is not None and (found.budget.seconds or 0.0) >= LONG_THOUGHT


# Talk


def speaking_bots(loaded: LoadedTable) -> list[str]:
    """The bots that may talk now. At an anonymous table they are silent: their letters would give
    away which seats are bots."""
    envoy = bots_of(loaded.game).envoy
    if envoy is None or loaded.row.status != "live" or loaded.settings.anonymous:
        return []
    if loaded.row.stage not in envoy.TALKING_STAGES or not seats_may_talk(loaded):
        return []
    return [
        name
        for name, seat in loaded.seats.items()
        if seat.kind == "bot" and seat.level in envoy.TALKING_LEVELS
    ]


def are_to_speak(loaded: LoadedTable) -> bool:
    """Whether bots have something to say before they decide."""
    return bool(speaking_bots(loaded)) and loaded.row.spoken != loaded.row.phase


async def enqueue_replies(tx: Tx, loaded: LoadedTable, now: float) -> None:
    """Enqueue the bots' answers to a letter that they understand."""
    if speaking_bots(loaded):
        await enqueue_job(tx, "talk", loaded.id, now)
