"""The log of a game and its past moments, as one reader may see them."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Row, func, select

from powderkeg.server import message_json
from powderkeg.server.accounts.identity import Principal
from powderkeg.server.db import schema
from powderkeg.server.db.rows import LogRow, TableRow
from powderkeg.server.db.store import Tx
from powderkeg.server.schemas.play import LogOut, MomentOut
from powderkeg.server.tables import labels
from powderkeg.server.tables.cache import TableCache, enter_log
from powderkeg.server.views import present, readers
from powderkeg.server.views.delayed import replay_moment, visible_length
from powderkeg.server.views.entries import (
    present_entry,
    present_facts,
    present_phase,
    stored_line,
)
from powderkeg.server.views.readers import Reader

lg = schema.log.c
# What others learn of an entry that was taken back in secret: that the log has one.
NOBODY: dict[str, Any] = {
    "seat": "",
    "label": "",
    "by": None,
    "undone": False,
    "undo": False,
    "shared": False,
    "facts": [],
}


async def read_log(
    cache: TableCache, who: Principal, table: str, seat: str | None, since: int, limit: int
) -> LogOut:
    """A page of the log, from entry `since` on. While moves are hidden, readers also get
    their own, numbered as if they had played alone."""
    async with cache.look(table) as loaded:
        reader = readers.find_reader(loaded, who, seat)
        upto = await visible_length(cache, loaded, reader)
        mine = readers.hides_moves(loaded) and reader.seat
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
        last = max((row.seq for row in (*rows, *own)), default=since)
        shown_here = lg.undoes.between(since, last) | lg.seq.between(since, last)
        taken = select(lg.seq, lg.seat, lg.undoes).where(lg.game == table, shown_here)
        undos = await tx.all(taken.where(lg.undoes.is_not(None)).order_by(lg.seq))
        secret = await _secret_undos(cache, tx, loaded.row, reader, undos)
        marks = await _phase_starts(cache, tx, loaded.row, upto)
    numbered = [(row.seq, stored_line(row)) for row in rows]
    alone = [(seq, stored_line(row)) for seq, row in enumerate(own, base)]
    numbered += [(seq, line) for seq, line in alone if seq >= since]
    undone = {row.undoes for row in undos}
    shown = [
        present_entry(loaded, line, seq, reader, undone=line.seq in undone)
        | {"facts": present_facts(loaded, line, reader)}
        | (NOBODY if line.seq in secret else {})
        for seq, line in numbered
    ]
    phases = [present_phase(loaded, start, phase, reader.lang) for start, phase in marks]
    more = rows[-1].seq + 1 if len(rows) >= limit and not show_own else None
    return LogOut.model_validate({"entries": shown, "phases": phases, "next": more, "seq": upto})


async def _secret_undos(
    cache: TableCache, tx: Tx, row: TableRow, reader: Reader, undos: Sequence[Row[Any]]
) -> set[int]:
    """The entries by which others took something back in secret, and what they took back. In an anonymous
    game nobody may learn that, not even when all have chosen; in turn it was seen by all."""
    others = [undo for undo in undos if undo.seat not in reader.eyes]
    if not others or not row.is_anonymous:
        return set()
    found: set[int] = set()
    replayed = await cache.replay_to(tx, row, others[0].seq)
    for undo in others:
        await enter_log(tx, row.id, replayed, undo.seq)
        if replayed.together:
            found |= {undo.seq, undo.undoes}
    return found


async def _phase_starts(
    cache: TableCache, tx: Tx, row: TableRow, upto: int
) -> list[tuple[int, str]]:
    """After how many entries each phase began; some come twice. An entry is stored with the phase to which it
    led; what was taken back led nowhere."""
    if not upto:
        return []
    marks = [(0, (await cache.replay_to(tx, row, 0)).phase)]
    seen = (lg.game == row.id) & (lg.seq < upto)
    gone = select(lg.undoes).where(seen, lg.undoes.is_not(None))
    before = func.lag(lg.phase).over(order_by=lg.seq).label("before")
    stands = select(lg.seq, lg.phase, before).where(seen, lg.undoes.is_(None), lg.seq.not_in(gone))
    each = stands.subquery().c
    changed = each.before.is_(None) | (each.phase != each.before)
    for mark in await tx.all(select(each.seq, each.phase).where(changed).order_by(each.seq)):
        if mark.phase != marks[-1][1]:
            marks.append((mark.seq + 1, mark.phase))
    return marks


async def read_moment(
    cache: TableCache, who: Principal, table: str, seat: str | None, seq: int
) -> MomentOut:
    game, reader, replayed = await replay_moment(cache, who, table, seat, seq)
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
