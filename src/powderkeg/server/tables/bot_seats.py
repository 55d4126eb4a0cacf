"""Which bots of a table must act or talk, and when."""

from collections.abc import Sequence
from typing import Literal

from powderkeg.bots import levels
from powderkeg.bots.characters import join_name
from powderkeg.bots.game_bots import bots_of
from powderkeg.bots.seats.turn_order import answers_offers, open_offers
from powderkeg.core.game import Game
from powderkeg.server.db.queue import enqueue_job
from powderkeg.server.db.rows import SeatRow
from powderkeg.server.db.store import Tx
from powderkeg.server.tables.loaded import LoadedTable, seats_may_talk

ANSWER_SECONDS = 20.0  # seconds that a bot waits for another bot's answer to its offer
READER_SECONDS = 120.0  # ... and for a person who is there and has to read it
USUAL_LEVEL = "normal"  # the level of a bot if none was chosen
LONG_THOUGHT = 1.0  # seconds per decision from which a level counts as slow
BotJob = Literal["bots", "slow"]  # quick and slow levels are different kinds of job
BOT_JOBS: tuple[BotJob, ...] = ("bots", "slow")


async def enqueue_bots(tx: Tx, loaded: LoadedTable, now: float) -> None:
    """Enqueue jobs for the bots that must talk or act."""
    if not has_bots(loaded):
        return
    if bots_must_talk(loaded):
        await enqueue_job(tx, "talk", loaded.id, now)
    for kind in BOT_JOBS:
        if owed := bots_to_act(loaded, kind):
            await enqueue_bot_turn(tx, loaded, kind, owed[0], now)


def has_bots(loaded: LoadedTable) -> bool:
    """Whether a bot plays for any seat."""
    return any(seat.kind == "bot" or seat.autopilot for seat in loaded.seats.values())


def bots_to_act(loaded: LoadedTable, kind: BotJob | None = None) -> list[str]:
    """Seats for which a bot must decide, those with an offer to answer first; optionally only those
    of one `kind` of job. Empty until the talking bots have written their letters."""
    if not has_bots(loaded) or bots_must_talk(loaded):
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
    await enqueue_job(tx, kind, loaded.id, max(now, answers_until(loaded, bot, now) or now))


def others_may_answer(loaded: LoadedTable, bot: str, now: float) -> bool:
    """Whether `bot` waits before its turn so that others can answer an offer."""
    until = answers_until(loaded, bot, now)
    return until is not None and until > now


def answers_until(loaded: LoadedTable, bot: str, now: float) -> float | None:
    """Until when `bot` waits for answers to an offer: those of people who are present, and of bots
    that answer offers; None if it does not wait. The random bot neither waits nor is waited for."""
    asked = [loaded.seats[seat] for seat, _ in _offers_at(loaded)]
    if bot not in loaded.row.to_act or bot in {seat.seat for seat in asked}:
        return None
    if not answers_offers(seat_level(loaded, bot)):
        return None
    waits = [_answer_seconds(loaded, seat, now) for seat in asked]
    return loaded.row.moved + max(waits) if any(waits) else None


def offer_deadline(loaded: LoadedTable, asked: str, now: float) -> float | None:
    """When the bot to act goes on without the answer of `asked`; None if it does not wait for it."""
    if not has_bots(loaded) or asked not in {seat for seat, _ in _offers_at(loaded)}:
        return None
    ends = [answers_until(loaded, bot, now) for bot in bots_to_act(loaded)]
    return max((end for end in ends if end is not None and end > now), default=None)


def _answer_seconds(loaded: LoadedTable, seat: SeatRow, now: float) -> float:
    if seat.is_active:
        return READER_SECONDS if seat.is_present(now) else 0.0
    return ANSWER_SECONDS if answers_offers(seat_level(loaded, seat.seat)) else 0.0


def _offers_at(loaded: LoadedTable) -> list[tuple[str, str]]:
    return open_offers(loaded.game, loaded.current.table.state)


def seat_level(loaded: LoadedTable, seat: str) -> str:
    """The level of the bot that plays this seat."""
    return loaded.seats[seat].level or loaded.settings.missed.level or USUAL_LEVEL


def seat_bot_name(loaded: LoadedTable, seat: str) -> str:
    """The name of the bot that plays this seat: its level and character."""
    return join_name(seat_level(loaded, seat), loaded.seats[seat].character)


def usual_level(offered: Sequence[str]) -> str:
    """The level of a bot if none was chosen, where only some levels are offered."""
    return USUAL_LEVEL if USUAL_LEVEL in offered else offered[-1]


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


def bots_must_talk(loaded: LoadedTable) -> bool:
    """Whether bots have something to say before they decide."""
    return bool(speaking_bots(loaded)) and loaded.row.spoken != loaded.row.phase


async def enqueue_replies(tx: Tx, loaded: LoadedTable, now: float) -> None:
    """Enqueue the bots' answers to a letter that they understand."""
    if speaking_bots(loaded):
        await enqueue_job(tx, "talk", loaded.id, now)
