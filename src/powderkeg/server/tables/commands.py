"""Commands of a seat: act, undo, keep a draft. Each is carried out once, however often it is sent."""

from collections.abc import Callable
from typing import TypeAlias

from sqlalchemy import delete, select
from sqlalchemy.exc import IntegrityError

from powderkeg.core.errors import RulesError, Stale
from powderkeg.core.game import State
from powderkeg.core.table import UNDO
from powderkeg.server import message_json
from powderkeg.server.accounts.identity import Principal
from powderkeg.server.db import schema
from powderkeg.server.db.rows import EntrySource
from powderkeg.server.refusals import Refused, conflict, forbidden
from powderkeg.server.schemas.play import ActIn, DraftIn, UndoIn
from powderkeg.server.tables.cache import TableCache, TableMoved
from powderkeg.server.tables.loaded import LoadedTable, TableChange, record_lines
from powderkeg.server.tables.replay import LogLine, ReplayedGame, resume_replay

lg, d = schema.log.c, schema.drafts.c
MayAct: TypeAlias = Callable[[LoadedTable], bool]
PlayLines: TypeAlias = Callable[[TableChange], list[LogLine]]


# For a person


async def act_for_person(
    cache: TableCache, who: Principal, table: str, wish: ActIn
) -> tuple[str, int | None]:
    """Act for a person. Return the seat, and the new length of the log (None for a repeated command)."""
    texts = wish.texts if wish.texts is not None else [wish.text] if wish.text else []
    if not texts:
        raise Refused(422, "nothing_to_do")
    seat = await _find_own_seat(cache, who, table, wish.seat)
    may = _holder_only(who, seat)
    head = await play_actions(
        cache, table, seat, texts, command=wish.command, question=wish.question, may=may
    )
    return seat, head


async def undo_for_person(
    cache: TableCache, who: Principal, table: str, wish: UndoIn
) -> tuple[str, int | None]:
    seat = await _find_own_seat(cache, who, table, wish.seat)
    may = _holder_only(who, seat)
    return seat, await undo_action(cache, table, seat, command=wish.command, may=may)


def _holder_only(who: Principal, seat: str) -> MayAct:
    def may(loaded: LoadedTable) -> bool:
        return seat in loaded.held_by(who.id, who.grants)

    return may


async def keep_draft(cache: TableCache, who: Principal, table: str, wish: DraftIn) -> None:
    async with cache.look(table) as loaded:
        seat = own_seat(loaded, who, wish.seat)
        need_live(loaded)
    async with cache.store.write() as tx:
        if wish.value is None:
            await tx.run(delete(schema.drafts).where(d.game == table, d.seat == seat))
        else:
            kept = {"question": wish.question, "value": wish.value, "at": cache.clock()}
            row = {"game": table, "seat": seat, **kept}
            await tx.run(tx.upsert(schema.drafts, row, ["game", "seat"], kept))
        tx.publish(f"table:{table}", draft=seat)


def own_seat(loaded: LoadedTable, who: Principal, seat: str | None) -> str:
    """The seat for which a person acts: the one named, or the only one they hold."""
    held = loaded.held_by(who.id, who.grants)
    if seat is not None:
        if seat not in held:
            raise forbidden("not_your_seat")
        return seat
    if not held:
        raise forbidden("not_your_seat")
    if len(held) > 1:
        owed = [name for name in held if name in loaded.row.to_act]
        if len(owed) != 1:
            raise conflict("which_seat")
        return owed[0]
    return held[0]


async def _find_own_seat(cache: TableCache, who: Principal, table: str, seat: str | None) -> str:
    """The same, from the copy in memory; the change itself checks it again. The database is asked
    first only if that copy gives no clear answer."""
    async with cache.look(table, trust=True) as loaded:
        held = loaded.held_by(who.id, who.grants)
        if seat in held:
            return seat
        if seat is None and len(held) == 1:
            return held[0]
    async with cache.look(table) as loaded:
        return own_seat(loaded, who, seat)


def need_host(loaded: LoadedTable, who: Principal) -> None:
    """Refuse everybody but the owner of the table."""
    if loaded.row.owner != who.need_user("tables"):
        raise forbidden("not_host")


def need_live(loaded: LoadedTable) -> None:
    """Refuse at a table where nobody can play now."""
    if loaded.row.status != "live":
        raise conflict(f"table_{loaded.row.status}")


# For any seat


async def play_actions(
    cache: TableCache,
    table: str,
    seat: str,
    texts: list[str],
    *,
    command: str | None,
    question: int | None,
    by: EntrySource = "person",
    may: MayAct = lambda loaded: True,
) -> int | None:
    """Perform actions of one seat as one command. Return the new length of the log, or None for a
    repeated command."""

    def play(change: TableChange) -> list[LogLine]:
        current = change.loaded.current
        _check_question(current, seat, question)
        lines: list[LogLine] = []
        for text in texts:
            lines += current.act(seat, text, change.now)
        return lines

    return await _run_command(cache, table, seat, play, command, by, may)


async def undo_action(
    cache: TableCache, table: str, seat: str, *, command: str, may: MayAct
) -> int | None:
    def play(change: TableChange) -> list[LogLine]:
        return change.loaded.current.undo(seat, change.now)

    return await _run_command(cache, table, seat, play, command, "person", may)


async def _run_command(
    cache: TableCache,
    table: str,
    seat: str,
    play: PlayLines,
    command: str | None,
    by: EntrySource,
    may: MayAct,
) -> int | None:
    try:
        async with cache.change(table) as change:
            loaded = change.loaded
            if not may(loaded):
                raise forbidden("not_your_seat")
            need_live(loaded)
            record_lines(change, play(change), command, by)
            head = loaded.current.seq
    except TableMoved:
        return await _run_command(cache, table, seat, play, command, by, may)
    except (RulesError, IntegrityError) as error:
        if command and await _was_done(cache, table, seat, command):
            return None
        if isinstance(error, IntegrityError):
            raise Stale("server.moved_on") from error
        raise
    return head


async def _was_done(cache: TableCache, table: str, seat: str, command: str) -> bool:
    async with cache.store.read() as tx:
        where = (lg.game == table) & (lg.seat == seat) & (lg.command == command)
        return await tx.one(select(lg.seq).where(where)) is not None


def _check_question(current: ReplayedGame, seat: str, question: int | None) -> None:
    """Refuse an answer to a question that is no longer asked.

    A question is named by the length of the log when it was shown. It is still open if
    since then only other seats acted, in secret; or if it is a sheet of orders, each revisable. An
    undo of others is a secret only while all choose at once.
    """
    if question is None or question == current.seq:
        return
    game, state = current.table.game, current.table.state
    then = _past_state(current, question)
    now = game.ask(state, seat)
    since = current.since[question - current.base :] if then is not None else []
    mine = any(entry.seat == seat or (entry.do == UNDO and not current.together) for entry in since)
    before = None if then is None else game.ask(then, seat)
    if then is None or (mine and not message_json.is_revisable(now)):
        raise Stale("server.moved_on")
    if not message_json.is_same_question(before, now):
        raise Stale("server.moved_on")


def _past_state(current: ReplayedGame, seq: int) -> State | None:
    """The state after the first entries of the log, unless undo no longer reaches back that far."""
    if not current.base <= seq <= current.seq:
        return None
    again = replay_since_base(current)
    for entry in current.since[: seq - current.base]:
        again.enter(entry, barrier=False)
    return again.table.state


def replay_since_base(current: ReplayedGame) -> ReplayedGame:
    """The game at the earliest point to which undo can return."""
    return resume_replay(
        current.table.game,
        len(current.table.seats),
        current.table.options,
        b"",
        state=current.base_state,
        length=current.base,
    )
