"""Letters between seats. A channel is a set of seats; letters are never changed or deleted."""

from collections.abc import AsyncIterator, Callable
from typing import Any

from sqlalchemy import or_, select
from sqlalchemy.exc import IntegrityError

from powderkeg.core.game import View
from powderkeg.core.words import Msg, say
from powderkeg.server.accounts.identity import Principal
from powderkeg.server.db import schema
from powderkeg.server.db.rows import MessageRow, SeatRow, StoredMessage
from powderkeg.server.message_json import load_message
from powderkeg.server.press import offers, prose_replies
from powderkeg.server.refusals import Refused, conflict
from powderkeg.server.schemas.press import PressIn, PressOut, PressPage
from powderkeg.server.tables import announcements, bot_seats, labels
from powderkeg.server.tables.announcements import TO_ALL, TO_WATCHERS
from powderkeg.server.tables.cache import TableCache
from powderkeg.server.tables.loaded import LoadedTable
from powderkeg.server.views.names import guest_name
from powderkeg.server.views.readers import Reader, find_reader, may_talk, watch_delay

ps = schema.press.c


def letter_channel(loaded: LoadedTable, reader: Reader, to: list[str]) -> str:
    """The channel of a message; refused if the sender may not write there now."""
    may = may_talk(loaded, reader)
    if not may:
        raise conflict("no_talk")
    if not reader.held:
        return TO_WATCHERS
    if reader.seat is None:
        raise conflict("which_seat")
    others = set(to) - {reader.seat}
    if wrong := others - loaded.seats.keys():
        raise Refused(422, "no_such_seat", seat=min(wrong))
    if not others or others | {reader.seat} == loaded.seats.keys():
        return TO_ALL
    if "seats" not in may:
        raise conflict("no_private_talk")
    return "+".join(name for name in loaded.seats if name in others or name == reader.seat)


async def send_letter(cache: TableCache, who: Principal, table: str, wish: PressIn) -> PressOut:
    async with cache.look(table) as loaded:
        reader = find_reader(loaded, who, wish.seat)
        wish, form = await offers.write_form(cache, loaded, reader, wish)
        channel = letter_channel(loaded, reader, [] if wish.public else wish.to)
        row = {
            "game": table,
            "channel": channel,
            "seat": reader.seat if reader.held else None,
            "name": "" if reader.held else who.name,
            "user": None if reader.held else who.id,
            "text": wish.text,
            "sketch": wish.sketch or None,
            "form": form or None,
            "answers": wish.answer.id if wish.answer else None,
            "command": wish.command,
            "at": cache.clock(),
            "phase": loaded.row.phase,
        }
        readers = _letter_readers(loaded, channel, reader)
        reply = await prose_replies.write_reply(cache.store, loaded, row)
        try:
            async with cache.store.write() as tx:
                made = await tx.one(schema.press.insert().values(**row).returning(schema.press))
                await announcements.notify_message(tx, cache.clock(), loaded, readers, reader.seat)
                if form:
                    await bot_seats.enqueue_replies(tx, loaded, cache.clock())
                if reply:
                    await tx.run(schema.press.insert().values(**reply))
                tx.publish(f"press:{table}")
        except IntegrityError:  # the same command again
            async with cache.store.read() as tx:
                same = (ps.game == table) & (ps.seat == row["seat"]) & (ps.command == wish.command)
                made = await tx.one(select(schema.press).where(same))
        assert made is not None  # noqa: S101  # it was inserted, now or before
        view = offers.own_view(loaded, reader)
        return present_letter(loaded, MessageRow.load(made), reader, view)


def _letter_readers(loaded: LoadedTable, channel: str, reader: Reader) -> list[SeatRow]:
    if channel in (TO_ALL, TO_WATCHERS):
        return []
    names = set(channel.split("+")) - {reader.seat}
    return [seat for name, seat in loaded.seats.items() if name in names and seat.user]


def present_letter(
    loaded: LoadedTable, row: MessageRow, reader: Reader, view: Callable[[], View]
) -> PressOut:
    """A letter in the reader's words. In an anonymous game its time is rounded to the hour."""
    lang, said = reader.lang, row.said
    return PressOut(
        id=row.id,
        channel=row.channel,
        to=[] if row.channel in (TO_ALL, TO_WATCHERS) else row.channel.split("+"),
        seat=row.seat,
        name=row.name or (guest_name(lang) if row.user else ""),
        text=_letter_text(loaded, row, lang),
        sketch=row.sketch or [],
        form=row.form or "",
        may_answer=offers.is_answerable(loaded, row, reader),
        parts=offers.offered_parts(loaded, row, reader, view),
        answers=row.answers,
        said=said is not None and row.seat is None,
        code=said["code"] if said else "",
        at=row.at // 3600 * 3600 if loaded.row.is_anonymous else row.at,
        phase=row.phase,
    )


def _letter_text(loaded: LoadedTable, row: MessageRow, lang: str) -> str:
    """A letter in words: its offer or answer, what its writer wrote, and what a bot or the table said."""
    said = _announcement_text(loaded, row.said, lang) if row.said else ""
    return "\n".join(filter(None, (offers.letter_in_words(loaded, row, lang), said)))


def _announcement_text(loaded: LoadedTable, stored: StoredMessage, lang: str) -> str:
    """An announcement of the table, with its seats named in the reader's language."""
    args = {key: _seat_names(loaded, value, lang) for key, value in stored["args"].items()}
    return say(Msg(stored["code"], **args), lang)


def _seat_names(loaded: LoadedTable, value: Any, lang: str) -> Any:
    """Seats by their names; anything else, such as the matter of a vote, as it was stored."""
    if isinstance(value, list):
        return [_seat_names(loaded, each, lang) for each in value]
    if isinstance(value, dict):
        return load_message(value)
    return labels.seat_label(loaded.game, value, lang) if value in loaded.seats else value


async def read_letters(
    cache: TableCache, who: Principal, table: str, seat: str | None, since: int, limit: int
) -> PressPage:
    """The letters that the reader may read, oldest first."""
    async with cache.look(table) as loaded:
        reader = find_reader(loaded, who, seat)
        delay = watch_delay(loaded, reader)
        channels = [ps.channel == TO_ALL]
        if _reads_everything(loaded, reader):
            channels.append(ps.channel != TO_WATCHERS)
        if reader.seat is not None and reader.seat in reader.held:
            name = reader.seat.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
            inside = [name, f"{name}+%", f"%+{name}", f"%+{name}+%"]
            channels += [ps.channel.like(pattern, escape="\\") for pattern in inside]
        if not reader.held or loaded.row.status == "over":
            channels.append(ps.channel == TO_WATCHERS)
        mine = (ps.game == table) & (ps.id > since) & or_(*channels)
        if delay:
            mine &= or_(ps.at <= cache.clock() - delay, ps.channel == TO_WATCHERS)
        async with cache.store.read() as tx:
            rows = await tx.all(select(schema.press).where(mine).order_by(ps.id).limit(limit))
        view = offers.own_view(loaded, reader)
        messages = [present_letter(loaded, MessageRow.load(row), reader, view) for row in rows]
    return PressPage(messages=messages, next=rows[-1].id if len(rows) == limit else None)


def _reads_everything(loaded: LoadedTable, reader: Reader) -> bool:
    """Whether a reader opened this game from a file: then every letter in it is theirs to read."""
    return loaded.row.purpose == "study" and len(reader.held) == len(loaded.seats)


class LetterCursor:
    """How far one reader has followed the press of a table."""

    def __init__(self, last: int = 0) -> None:
        self.last = last
        self.early: set[int] = set()  # of watchers: sent before older ones that come with a delay

    async def new_letters(
        self, cache: TableCache, who: Principal, table: str, seat: str | None
    ) -> AsyncIterator[list[PressOut]]:
        """The letters since the last call, page by page."""
        since: int | None = self.last
        if await cache.last_letter(table) <= self.last:
            return
        while since is not None:
            page = await read_letters(cache, who, table, seat, since, 200)
            if new := [message for message in page.messages if message.id not in self.early]:
                yield new
            for message in page.messages:
                if message.channel == TO_WATCHERS:
                    self.early.add(message.id)
                else:
                    self.last = message.id
            since = page.next
