"""Bots that talk at a table, where their game has an envoy (see `powderkeg.bots.envoy`).

When a phase begins for which they have something to say, they say it before they give orders; when
people write to them in the formal language, they answer. Who has given orders already and agrees to
something else gives new ones, together with its word or not at all. Words and orders come from the
processes in which bots think; what they remember is stored here and shown to nobody.

At an anonymous table bots are silent: their letters would tell who is one.
"""

from typing import Any, NamedTuple

import structlog
from sqlalchemy import select, update

from powderkeg.bots.envoy import EnvoyReply, FormalNote
from powderkeg.bots.game_bots import bots_of
from powderkeg.core.errors import RulesError
from powderkeg.core.game import Game, State
from powderkeg.server.accounts import identity
from powderkeg.server.bots.processes import Said, Thinkers
from powderkeg.server.db import schema
from powderkeg.server.db.queue import ask_job
from powderkeg.server.db.store import Tx
from powderkeg.server.notices import outbox
from powderkeg.server.tables import present
from powderkeg.server.tables.cache import Rec, Room, Rooms, record_lines

logger = structlog.get_logger()
ROUNDS = 4  # of letters and answers among bots
e, ps = schema.envoys.c, schema.press.c


def speakers(room: Room) -> list[str]:
    """The bots that may talk now."""
    envoy = bots_of(room.game).envoy
    if envoy is None or room.row.status != "live" or room.settings.get("anonymous"):
        return []
    if room.row.stage not in envoy.TALKING_STAGES or not present.seats_may_talk(room):
        return []
    return [
        name
        for name, seat in room.seats.items()
        if seat.kind == "bot" and seat.level in envoy.TALKING_LEVELS
    ]


def are_to_speak(room: Room) -> bool:
    """Whether bots have something to say before they decide."""
    return bool(speakers(room)) and room.row.spoken != room.row.phase


async def were_written_to(tx: Tx, room: Room, now: float) -> None:
    """Somebody said something that bots understand."""
    if speakers(room):
        await ask_job(tx, "talk", room.id, now)


async def memory_of(rooms: Rooms, room: Room, seat: str) -> Any:
    """What the envoy of a seat remembers, for the bot that plays there."""
    if bots_of(room.game).envoy is None or room.seats[seat].kind != "bot":
        return None
    async with rooms.store.read() as tx:
        row = await _mind(tx, room.id, seat)
    return None if row is None else row.memory


async def _mind(tx: Tx, table: str, seat: str) -> Any:
    return await tx.one(select(schema.envoys).where(e.game == table, e.seat == seat))


async def correspond(rooms: Rooms, thinkers: Thinkers, table: str) -> None:
    """Let the bots of a table talk until none has anything to say, then let them decide."""
    for _ in range(ROUNDS):
        async with rooms.look(table) as room:
            seats = speakers(room)
        if not [seat for seat in seats if await _speak(rooms, thinkers, table, seat)]:
            break
    async with rooms.change(table) as change:
        if are_to_speak(change.room):
            change.set(spoken=change.room.row.phase)


class Moment(NamedTuple):
    """A bot that is about to talk."""

    table: str
    seat: str
    level: str
    game: Game
    state: State
    fresh: State  # the game as if nobody had chosen anything in this phase
    phase: str
    base: int
    seed: str
    done: bool  # it has given its orders
    public: bool
    order: tuple[str, ...]  # all seats


def luck(room: Room, seat: str) -> str:
    """What decides the talk of a bot; the key of the table itself stays here."""
    return identity.hashed(f"{room.row.key}/talk/{room.row.phase}/{seat}")


def _moment(room: Room, seat: str) -> Moment:
    fold, row = room.live, room.row
    return Moment(
        room.id,
        seat,
        room.seats[seat].level,
        room.game,
        fold.table.state,
        fold.base_state,
        row.phase,
        fold.base,
        luck(room, seat),
        seat not in row.to_act,
        "seats" not in present.seats_may_talk(room),
        tuple(room.seats),
    )


async def _speak(rooms: Rooms, thinkers: Thinkers, table: str, seat: str) -> bool:
    """Let one bot say what it has to say; whether there was anything to do."""
    async with rooms.look(table) as room:
        if seat not in speakers(room):
            return False
        now = _moment(room, seat)
    async with rooms.store.read() as tx:
        mind = await _mind(tx, table, seat)
        rows = await _letters(tx, now, mind.heard if mind else 0)
    if mind and mind.phase == now.phase and not rows:
        return False
    heard = max([row.id for row in rows], default=mind.heard if mind else 0)
    said = Said(mind.memory if mind else None, tuple(_note(row) for row in rows), now.public)
    seed = f"{now.seed}/{heard}"
    spoken = await thinkers.talk(now.game, now.state, seat, seed, said)
    orders: list[str] = []
    if spoken.rebound and now.done and seat in now.game.to_act(now.fresh):
        game, fresh, memory = now.game, now.fresh, spoken.memory
        orders = await thinkers.turn(game, fresh, seat, now.level, seed, memory)
    mine = {"phase": now.phase, "heard": heard}
    return await _store(rooms, now, mind, mine | {"memory": spoken.memory}, spoken, orders)


async def _letters(tx: Tx, now: Moment, after: int) -> list[Any]:
    """What others said in the formal language, where the seat may listen."""
    new = (ps.game == now.table) & (ps.id > after) & ps.form.is_not(None)
    rows = await tx.all(select(schema.press).where(new).order_by(ps.id))
    reach = ("all", now.seat)
    return [
        row
        for row in rows
        if row.seat not in (None, now.seat)
        and set(row.channel.split("+")) & set(reach)
        and not _lapsed(row, now)
    ]


def _lapsed(row: Any, now: Moment) -> bool:
    """Whether it asks for a yes or no that would come too late: offers end with their phase."""
    envoy = bots_of(now.game).envoy
    try:
        return envoy is not None and row.phase != now.phase and envoy.expects_answer(row.form)
    except RulesError:  # written by another version
        return True


def _note(row: Any) -> FormalNote:
    seats = () if row.channel == "all" else row.channel.split("+")
    return FormalNote(row.seat, tuple(seat for seat in seats if seat != row.seat), row.form)


async def _store(
    rooms: Rooms,
    now: Moment,
    mind: Any,
    mine: dict[str, Any],
    spoken: EnvoyReply,
    orders: list[str],
) -> bool:
    """Letters, memory and new orders, all or nothing; whether the table was still the same."""
    envoy = bots_of(now.game).envoy
    assert envoy is not None  # noqa: S101  # somebody spoke
    try:
        async with rooms.change(now.table) as change:
            room = change.room
            same = room.live.base == now.base and now.seat in speakers(room)
            if not same or not await _remember(change.tx, now, mind, mine):
                return False
            for note in spoken.notes:
                await _post(change.tx, room, now, note, change.now)
            if orders:
                acted = [envoy.REOPEN_ACTION, *orders]
                lines = [x for text in acted for x in room.live.act(now.seat, text, change.now)]
                record_lines(change, lines, None, "bot")
    except RulesError as error:
        logger.info("bot's new orders refused", game=now.table, seat=now.seat, why=str(error))
        async with rooms.store.write() as tx:  # it has read the letters, and says nothing
            old = {"memory": mind.memory if mind else None}
            return await _remember(tx, now, mind, mine | old)
    return True


async def _remember(tx: Tx, now: Moment, mind: Any, mine: dict[str, Any]) -> bool:
    """Store what the envoy knows, unless it was asked elsewhere at the same time."""
    if mind is None:
        if await _mind(tx, now.table, now.seat) is not None:
            return False
        row = {"game": now.table, "seat": now.seat, **mine}
        await tx.run(schema.envoys.insert().values(**row))
        return True
    same = (e.game == now.table) & (e.seat == now.seat)
    same &= (e.phase == mind.phase) & (e.heard == mind.heard)
    return bool(await tx.run(update(schema.envoys).where(same).values(**mine)) == 1)


async def _post(tx: Tx, room: Room, now: Moment, note: FormalNote, at: float) -> None:
    between = {*note.to, now.seat}
    everybody = now.public or not note.to or between >= set(now.order)
    channel = "all" if everybody else "+".join(seat for seat in now.order if seat in between)
    row = {
        "game": now.table,
        "channel": channel,
        "seat": now.seat,
        "form": note.text,
        "at": at,
        "phase": now.phase,
    }
    await tx.run(schema.press.insert().values(**row))
    readers: list[Rec] = [] if everybody else [room.seats[seat] for seat in note.to]
    await outbox.message(tx, at, room, [seat for seat in readers if seat.user], now.seat)
    tx.tell(f"press:{now.table}")
