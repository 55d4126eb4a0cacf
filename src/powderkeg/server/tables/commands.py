"""Commands of a seat: act, undo, keep a draft. Each is carried out once, however often it is sent."""

from sqlalchemy import delete, select
from sqlalchemy.exc import IntegrityError

from powderkeg.core.ask import Question
from powderkeg.core.errors import RulesError, Stale
from powderkeg.core.table import UNDO
from powderkeg.server import message_json
from powderkeg.server.accounts.identity import Principal
from powderkeg.server.db import schema
from powderkeg.server.db.rows import EntrySource
from powderkeg.server.refusals import Refused, conflict, forbidden
from powderkeg.server.schemas.play import ActIn, DraftIn, UndoIn
from powderkeg.server.tables.cache import TableCache, TableMoved
from powderkeg.server.tables.loaded import LoadedTable, TableChange
from powderkeg.server.tables.replay import LogLine, ReplayedGame, resume_replay
from powderkeg.server.tables.turns import MayAct, SeatCommand, need_live, run_in_turn

lg, d = schema.log.c, schema.drafts.c


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
        cache,
        table,
        seat,
        texts,
        command=wish.command,
        question=wish.question,
        may=may,
        careful=wish.careful,
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
    if (loaded := cache.peek(table)) is not None:
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
    careful: bool = False,
) -> int | None:
    """Perform actions of one seat as one command. Return the new length of the log, or None for a
    repeated command. A `careful` command is refused if it could not be undone."""

    def play(change: TableChange) -> list[LogLine]:
        current = change.loaded.current
        # At an anonymous table a refusal would tell that all others have chosen.
        hidden = change.loaded.row.is_anonymous and current.together
        _check_question(change.loaded, seat, question)
        lines: list[LogLine] = []
        for text in texts:
            lines += current.act(seat, text, change.now)
        if careful and not hidden and any(line.barrier for line in lines):
            raise conflict("cannot_take_back")
        return lines

    return await _run_command(cache, table, SeatCommand(seat, play, command, by, may))


async def undo_action(
    cache: TableCache, table: str, seat: str, *, command: str, may: MayAct
) -> int | None:
    def play(change: TableChange) -> list[LogLine]:
        return change.loaded.current.undo(seat, change.now)

    return await _run_command(cache, table, SeatCommand(seat, play, command, "person", may))


async def _run_command(cache: TableCache, table: str, mine: SeatCommand) -> int | None:
    try:
        return await run_in_turn(cache, table, mine)
    except TableMoved:
        return await _run_command(cache, table, mine)
    except (RulesError, IntegrityError) as error:
        if mine.command and await _was_done(cache, table, mine.seat, mine.command):
            return None
        if isinstance(error, IntegrityError):
            raise Stale("server.moved_on") from error
        raise


async def _was_done(cache: TableCache, table: str, seat: str, command: str) -> bool:
    async with cache.store.read() as tx:
        where = (lg.game == table) & (lg.seat == seat) & (lg.command == command)
        return await tx.one(select(lg.seq).where(where)) is not None


def _check_question(loaded: LoadedTable, seat: str, question: int | None) -> None:
    """Refuse an answer to a question that is no longer asked.

    A question is named by the length of the log when it was shown. It is still open if
    since then only other seats acted, in secret; or if it is a sheet of orders, each revisable. An
    undo of others is a secret only while all choose at once.
    """
    current = loaded.current
    if question is None or question == current.seq:
        return
    if not current.base <= question <= current.seq:
        raise Stale("server.moved_on")  # undo no longer reaches back that far
    now = loaded.game.ask(current.table.state, seat)
    since = current.since[question - current.base :]
    mine = any(entry.seat == seat or (entry.do == UNDO and not current.together) for entry in since)
    if mine and not message_json.is_revisable(now):
        raise Stale("server.moved_on")
    if not message_json.is_same_question(_past_question(loaded, seat, question), now):
        raise Stale("server.moved_on")


def _past_question(loaded: LoadedTable, seat: str, seq: int) -> Question | None:
    """What a seat was asked after the first entries of the log: usually what it was shown last."""
    known = loaded.asked.get(seat)
    if known is not None and known[0] == seq:
        return known[1]
    current = loaded.current
    again = replay_since_base(current)
    for entry in current.since[: seq - current.base]:
        again.enter(entry, barrier=False)
    return loaded.game.ask(again.table.state, seat)


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


def replay_alone(current: ReplayedGame, seat: str | None) -> ReplayedGame | None:
    """The game as if only this seat had acted since all were asked; None if that is not possible, because
    the seat has answered another: then nothing is left to hide."""
    alone = replay_since_base(current)
    try:
        for entry in current.since:
            if entry.seat == seat:
                alone.enter(entry, barrier=False)
    except RulesError:
        return None
    return alone
