"""Offers and answers in letters. People compose them from parts; they are stored in the formal
language of the game's bots and shown in each reader's language."""

import functools
from collections.abc import Callable
from typing import Any

from sqlalchemy import select

from powderkeg.bots.envoy import Envoy, PromisePart
from powderkeg.bots.game_bots import bots_of
from powderkeg.core.errors import RulesError
from powderkeg.core.game import View
from powderkeg.core.words import say
from powderkeg.server.db import schema
from powderkeg.server.db.rows import MessageRow, StoredMessage
from powderkeg.server.refusals import Refused, conflict, forbidden
from powderkeg.server.schemas.press import KindOut, LabelOut, OffersOut, PartOut, PressIn
from powderkeg.server.tables.cache import TableCache
from powderkeg.server.tables.loaded import LoadedTable, seats_may_talk
from powderkeg.server.views.present import visible_game
from powderkeg.server.views.readers import Reader


def present_offers(loaded: LoadedTable, reader: Reader) -> OffersOut:
    """The parts from which an offer can be composed at this table."""
    envoy = bots_of(loaded.game).envoy
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


async def write_form(
    cache: TableCache, loaded: LoadedTable, reader: Reader, wish: PressIn
) -> tuple[PressIn, str]:
    """The letter in the formal language, if it has an offer or an answer. An answer goes to the
    channel of its offer."""
    if not (wish.offer or wish.answer or wish.form):
        return wish, ""
    envoy = bots_of(loaded.game).envoy
    if envoy is None:
        raise conflict("no_formal_talk")
    if reader.seat is None or reader.seat not in reader.held:
        raise forbidden("not_your_seat")
    try:
        if wish.answer:
            return await _answer_offer(cache, loaded, reader, wish, envoy)
        if wish.offer:
            return wish, _compose_offer(loaded, reader, wish, envoy)
        return wish, envoy.canonical_text(wish.form)
    except RulesError as error:
        if isinstance(error, Refused):
            raise
        refusal = Refused(422, "bad_offer")
        refusal.msg = error.msg
        raise refusal from error


def _compose_offer(loaded: LoadedTable, reader: Reader, wish: PressIn, envoy: Envoy) -> str:
    to = [seat for seat in wish.to if seat != reader.seat]
    if wrong := set(to) - loaded.seats.keys():
        raise Refused(422, "no_such_seat", seat=min(wrong))
    parts = [PromisePart(p.kind, tuple(p.against), tuple(p.places), p.action) for p in wish.offer]
    if wrong := {seat for part in parts for seat in part.against} - loaded.seats.keys():
        raise Refused(422, "no_such_seat", seat=min(wrong))
    view = loaded.game.view(visible_game(loaded, reader).state, reader.seat)
    return envoy.compose_offer(view, to, parts)


async def _answer_offer(
    cache: TableCache, loaded: LoadedTable, reader: Reader, wish: PressIn, envoy: Envoy
) -> tuple[PressIn, str]:
    assert wish.answer is not None  # noqa: S101  # the caller looked
    ps = schema.press.c
    async with cache.store.read() as tx:
        asked = (ps.game == loaded.id) & (ps.id == wish.answer.id)
        found = await tx.one(select(schema.press).where(asked))
    row = None if found is None else MessageRow.load(found)
    if row is None or row.form is None or not is_answerable(loaded, row, reader):
        raise conflict("nothing_to_answer")
    to = [] if row.channel == "all" else row.channel.split("+")
    return wish.model_copy(update={"to": to}), envoy.answer_text(row.form, agree=wish.answer.agree)


def is_answerable(loaded: LoadedTable, row: MessageRow, reader: Reader) -> bool:
    """Whether a letter waits for the reader's yes or no; only in its phase and channel."""
    envoy = bots_of(loaded.game).envoy
    if envoy is None or not row.form or not _is_open_to(loaded, row, reader):
        return False
    try:
        return bool(seats_may_talk(loaded) and envoy.expects_answer(row.form))
    except RulesError:  # written by another version
        return False


def _is_open_to(loaded: LoadedTable, row: MessageRow, reader: Reader) -> bool:
    """Whether a letter of another seat was written to the reader in the phase that is being played."""
    is_heard = row.channel == "all" or reader.seat in row.channel.split("+")
    now = row.phase == loaded.row.phase and loaded.row.status == "live"
    return reader.seat in reader.held and row.seat != reader.seat and is_heard and now


def own_view(loaded: LoadedTable, reader: Reader) -> Callable[[], View]:
    """The view of the reader's seat, computed when it is first asked for."""
    return functools.cache(
        lambda: loaded.game.view(visible_game(loaded, reader).state, reader.seat)
    )


def offered_parts(
    loaded: LoadedTable, row: MessageRow, reader: Reader, view: Callable[[], View]
) -> list[PartOut]:
    """The parts of an offer that a letter makes to the reader or suggests, as a form would hold them."""
    envoy = bots_of(loaded.game).envoy
    text = row.form or (_suggested_offer(row.said) if row.said else "")
    if envoy is None or row.seat is None or not text or not _is_open_to(loaded, row, reader):
        return []
    try:
        parts = envoy.split_offer(view(), row.seat, text)
    except RulesError:  # written by another version
        return []
    return [PartOut.model_validate(part._asdict()) for part in parts]


def _suggested_offer(said: StoredMessage) -> str:
    """The offer that a bot read out of a letter in plain words: it is in its answer, or in a part of it."""
    args = said["args"]
    if isinstance(offer := args.get("offer"), str):
        return offer
    inner: list[Any] = [each for each in args.values() if isinstance(each, dict)]
    return next(filter(None, map(_suggested_offer, inner)), "")


def letter_in_words(loaded: LoadedTable, row: MessageRow, lang: str) -> str:
    """A letter as text: its form in words, and the text written beside it."""
    if not row.form:
        return row.text
    envoy = bots_of(loaded.game).envoy
    try:
        words = say(envoy.describe_text(row.form), lang) if envoy else row.form
    except RulesError:  # written by another version
        words = row.form
    return f"{words}\n{row.text}".rstrip()
