"""Offers and answers in the press, for people: put together from parts, kept in the formal
language of the game's bots, and read in words of the reader's own."""

from typing import Any

from sqlalchemy import select

from powderkeg.bots.envoy import Envoy, PromisePart
from powderkeg.bots.game_bots import bots_of
from powderkeg.core.errors import RulesError
from powderkeg.core.words import say
from powderkeg.server.db import schema
from powderkeg.server.refusals import Refused, conflict, forbidden
from powderkeg.server.schemas.press import KindOut, LabelOut, OffersOut, PressIn
from powderkeg.server.tables import present
from powderkeg.server.tables.cache import Room, Rooms
from powderkeg.server.tables.present import Reader

ps = schema.press.c


def offers(room: Room, reader: Reader) -> OffersOut:
    """What can be put together at this table."""
    envoy = bots_of(room.game).envoy
    if envoy is None:
        return OffersOut(kinds=[], places=[])
    kinds = [
        KindOut.model_validate({"id": x.kind, "label": say(x.label, reader.lang), "needs": x.needs})
        for x in envoy.promise_kinds()
    ]
    places = [
        LabelOut(id=code, label=say(name, reader.lang)) for code, name in envoy.promise_places()
    ]
    return OffersOut(kinds=kinds, places=sorted(places, key=lambda place: place.label.casefold()))


async def written(rooms: Rooms, room: Room, reader: Reader, wish: PressIn) -> tuple[PressIn, str]:
    """What a person says in the formal language, if anything; an answer goes to where it was
    asked."""
    if not (wish.offer or wish.answer or wish.form):
        return wish, ""
    envoy = bots_of(room.game).envoy
    if envoy is None:
        raise conflict("no_formal_talk")
    if reader.seat is None or reader.seat not in reader.held:
        raise forbidden("not_your_seat")
    try:
        if wish.answer:
            return await _answered(rooms, room, reader, wish, envoy)
        if wish.offer:
            return wish, _composed(room, reader, wish, envoy)
        return wish, envoy.canonical_text(wish.form)
    except RulesError as error:
        if isinstance(error, Refused):
            raise
        refusal = Refused(422, "bad_offer")
        refusal.msg = error.msg
        raise refusal from error


def _composed(room: Room, reader: Reader, wish: PressIn, envoy: Envoy) -> str:
    to = [seat for seat in wish.to if seat != reader.seat]
    if wrong := set(to) - room.seats.keys():
        raise Refused(422, "no_such_seat", seat=min(wrong))
    parts = [PromisePart(p.kind, tuple(p.against), tuple(p.places), p.action) for p in wish.offer]
    if wrong := {seat for part in parts for seat in part.against} - room.seats.keys():
        raise Refused(422, "no_such_seat", seat=min(wrong))
    view = room.game.view(present.seen(room, reader).state, reader.seat)
    return envoy.compose_offer(view, to, parts)


async def _answered(
    rooms: Rooms, room: Room, reader: Reader, wish: PressIn, envoy: Envoy
) -> tuple[PressIn, str]:
    assert wish.answer is not None  # noqa: S101  # the caller looked
    async with rooms.store.read() as tx:
        asked = (ps.game == room.id) & (ps.id == wish.answer.id)
        row = await tx.one(select(schema.press).where(asked))
    if row is None or not may_answer(room, row, reader):
        raise conflict("nothing_to_answer")
    to = [] if row.channel == "all" else row.channel.split("+")
    return wish.model_copy(update={"to": to}), envoy.answer_text(row.form, agree=wish.answer.agree)


def may_answer(room: Room, row: Any, reader: Reader) -> bool:
    """Whether a message waits for a yes or no of the reader: in its phase, where they listen."""
    envoy, mine = bots_of(room.game).envoy, reader.seat in reader.held
    if envoy is None or not row.form or not mine or row.seat == reader.seat:
        return False
    heard = row.channel == "all" or reader.seat in row.channel.split("+")
    now = row.phase == room.row.phase and room.row.status == "live"
    try:
        return bool(
            heard and now and present.seats_may_talk(room) and envoy.expects_answer(row.form)
        )
    except RulesError:  # written by another version
        return False


def in_words(room: Room, row: Any, lang: str) -> str:
    """What a message says: its form in words, and what was written beside it."""
    if not row.form:
        return str(row.text)
    envoy = bots_of(room.game).envoy
    try:
        words = say(envoy.describe_text(row.form), lang) if envoy else row.form
    except RulesError:  # written by another version
        words = row.form
    return f"{words}\n{row.text}".rstrip()
