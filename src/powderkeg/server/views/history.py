"""The log of a game and its past moments, as one reader may see them."""

from sqlalchemy import func, select

from powderkeg.core.game import Game
from powderkeg.core.table import UNDO
from powderkeg.server import message_json
from powderkeg.server.accounts.identity import Principal
from powderkeg.server.db import schema
from powderkeg.server.db.rows import LogRow
from powderkeg.server.schemas.play import (
    EntryOut,
    LogOut,
    MomentOut,
    PhaseMark,
)
from powderkeg.server.tables import labels
from powderkeg.server.tables.cache import TableCache
from powderkeg.server.views import present, readers
from powderkeg.server.views.delayed import visible_length, visible_moment
from powderkeg.server.views.readers import Reader

lg = schema.log.c


async def read_log(
    cache: TableCache, who: Principal, table: str, seat: str | None, since: int, limit: int
) -> LogOut:
    """A page of the log, from entry `since` on. While moves are hidden, readers also get
    their own, numbered as if they had played alone."""
    async with cache.look(table) as loaded:
        reader = readers.find_reader(loaded, who, seat)
        upto = await visible_length(cache, loaded, reader)
        mine = readers.hides_moves(loaded) and reader.seat
        over = loaded.row.has_ended
        game, anonymous = loaded.game, loaded.settings.anonymous and not over
        base = loaded.replayed.base if loaded.replayed else 0
    async with cache.store.read() as tx:
        part = (lg.game == table) & (lg.seq >= since) & (lg.seq < upto)
        query = select(schema.log).where(part).order_by(lg.seq).limit(limit)
        rows = [LogRow.load(row) for row in await tx.all(query)]
        own: list[LogRow] = []
        if show_own := mine and len(rows) < limit:
            unseen = (lg.game == table) & (lg.seq >= base) & (lg.seat == reader.seat)
            query = select(schema.log).where(unseen).order_by(lg.seq)
            own = [LogRow.load(row) for row in await tx.all(query)]
        undone = {
            row.undoes
            for row in await tx.all(
                select(lg.undoes).where(
                    lg.game == table, lg.undoes.is_not(None), lg.undoes >= since
                )
            )
        }
        marks = await tx.all(
            select(func.min(lg.seq).label("seq"), lg.phase)
            .where(lg.game == table, lg.seq < upto)
            .group_by(lg.phase)
            .order_by(func.min(lg.seq))
        )
    numbered = [(row.seq, row) for row in rows]
    numbered += [(seq, row) for seq, row in enumerate(own, base) if seq >= since]  # as if alone
    entries = [
        _present_entry(
            row, seq, reader, game, undone=row.seq in undone, anonymous=anonymous, over=over
        )
        for seq, row in numbered
    ]
    phases = [
        PhaseMark(seq=m.seq, phase=m.phase, text=labels.phase_label(game, m.phase, reader.lang))
        for m in marks
    ]
    more = len(rows) >= limit and not show_own
    return LogOut(entries=entries, phases=phases, next=rows[-1].seq + 1 if more else None, seq=upto)


def _present_entry(
    row: LogRow, seq: int, reader: Reader, game: Game, *, undone: bool, anonymous: bool, over: bool
) -> EntryOut:
    is_open = over or row.seat in reader.eyes
    return EntryOut(
        seq=seq,
        seat=row.seat,
        label=labels.seat_label(game, row.seat, reader.lang),
        by=None if anonymous and not is_open else row.by,
        at=None if anonymous else row.at,
        do=row.do if is_open else None,
        undone=undone,
        undo=row.do == UNDO,
        phase=row.phase,
        facts=present.present_facts(row.facts, reader.seat, reader.lang),
    )


async def read_moment(
    cache: TableCache, who: Principal, table: str, seat: str | None, seq: int
) -> MomentOut:
    async with cache.look(table) as loaded:
        reader = readers.find_reader(loaded, who, seat)
        await visible_moment(cache, loaded, reader, seq)
        row, game = loaded.row, loaded.game
    async with cache.store.read() as tx:
        replayed = await cache.replay_to(tx, row, seq)
    state = replayed.table.state
    view = game.view(state, reader.seat)
    result = game.result(state)
    return MomentOut(
        seq=seq,
        seat=reader.seat,
        view=view,
        phase=replayed.phase,
        phase_text=labels.phase_label(game, replayed.phase, reader.lang),
        to_act=sorted(replayed.table.to_act),
        describe=present.describe_view(game, view, reader.lang),
        captions=present.present_captions(game, view, reader.lang),
        result=present.present_result(message_json.dump_result(result), reader.lang)
        if result
        else None,
    )
