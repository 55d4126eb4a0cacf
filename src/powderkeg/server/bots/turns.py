"""Hands that play for those who do not: bots in seats, and the default when time runs out."""

import time
from typing import Any

import structlog

from powderkeg.core.chance import CHANCE
from powderkeg.core.errors import RulesError
from powderkeg.server.accounts import identity
from powderkeg.server.bots import envoys
from powderkeg.server.bots.processes import Thinkers
from powderkeg.server.db.queue import ask_job
from powderkeg.server.jobs.worker import Handler
from powderkeg.server.notices import outbox
from powderkeg.server.notices.senders import Sender
from powderkeg.server.press import letters
from powderkeg.server.tables import after_move, clock
from powderkeg.server.tables.after_move import ask_bots, level_of, others_may_answer, owed_by_bots
from powderkeg.server.tables.cache import Change, Room, Rooms, record_lines

logger = structlog.get_logger()
LONGEST_TURN = 60  # decisions of one turn
SHARE = 2.0  # seconds that the bots of one table may take before those of others get their share


class Hands:
    def __init__(self, rooms: Rooms, thinkers: Thinkers, sender: Sender) -> None:
        self.rooms, self.thinkers, self.sender = rooms, thinkers, sender

    def handlers(self) -> dict[str, Handler]:
        return {
            "bots": self.bots,
            "slow": self.bots,
            "talk": self.talk,
            "due": self.due,
            "near": self.near,
            "resume": self.resume,
            "expire": self.expire,
            "notices": self.sender.send_all,
        }

    async def close(self) -> None:
        self.thinkers.close()
        await self.sender.close()

    # Deadlines

    async def due(self, job: Any) -> None:
        """Time is up: play the default for those who are late, and count it."""
        async with self.rooms.change(job.game) as change:
            room = change.room
            grace = room.settings["missed"]["grace"]
            if room.row.status != "live":
                return
            late = [
                name
                for name, seat in room.seats.items()
                if name in room.row.to_act
                and after_move.is_active(seat)
                and seat.due is not None
                and seat.due + grace <= change.now
            ]
            for seat in late:
                await after_move.miss(change, seat)
                if room.row.status == "live":
                    play_default(change, seat)
            if not late:
                await after_move.ask_deadline(change)

    async def near(self, job: Any) -> None:
        """Remind those whose time runs out, once for each deadline."""
        async with self.rooms.change(job.game) as change:
            room = change.room
            for name, seat in room.seats.items():
                waits = (
                    name in room.row.to_act and after_move.is_active(seat) and seat.due is not None
                )
                if not waits or room.row.status != "live" or seat.reminded == seat.due:
                    continue
                if clock.remind_at(seat.asked, seat.due) <= change.now:
                    change.set_seat(name, reminded=seat.due)
                    await outbox.near(change, seat)

    async def resume(self, job: Any) -> None:
        """A pause has lasted as long as pauses may."""
        async with self.rooms.change(job.game) as change:
            row = change.room.row
            if row.status == "paused" and row.pause_ends <= change.now:
                letters.resume(change)
                await letters.say_at_table(change, "resumed")

    async def expire(self, job: Any) -> None:
        async with self.rooms.change(job.game) as change:
            await letters.expire(change)

    # Bots

    async def talk(self, job: Any) -> None:
        await envoys.correspond(self.rooms, self.thinkers, job.game)

    async def bots(self, job: Any) -> None:
        """Let the bots of a table play until a person is to act; then, or after a while, let the
        next table have its turn. Quick and slow levels are jobs of their own."""
        begun = time.monotonic()
        while await self.bot_turn(job.game, job.kind):
            if time.monotonic() - begun > SHARE:
                async with self.rooms.store.write() as tx:
                    await ask_job(tx, job.kind, job.game, self.rooms.clock())
                return

    async def bot_turn(self, table: str, kind: str) -> bool:
        """One turn of one bot; whether there was one."""
        async with self.rooms.look(table) as room:
            owed = owed_by_bots(room, kind) if room.row.status == "live" else []
            if not owed:
                return False
            if others_may_answer(room, owed[0], now := self.rooms.clock()):
                async with self.rooms.store.write() as tx:
                    await ask_bots(tx, room, kind, owed[0], now)
                return False
            seat, game, seq = owed[0], room.game, room.live.seq
            level, state = level_of(room, seat), room.live.table.state
            default = str(game.default(state, seat))
            seed = identity.hashed(f"{room.row.key}/{seq}/{seat}")  # the key itself stays here
            memory = await envoys.memory_of(self.rooms, room, seat)
        texts = await self.thinkers.turn(game, state, seat, level, seed, memory)
        await self._play(table, seat, texts or [default], [default], seq)
        return True

    async def _play(
        self, table: str, seat: str, texts: list[str], default: list[str], seq: int
    ) -> None:
        def still(room: Room) -> bool:
            return seat in owed_by_bots(room)

        for attempt in (texts, default):
            try:
                await self.rooms.act(
                    table, seat, attempt, command=None, question=seq, by="bot", may=still
                )
            except RulesError as error:
                logger.info("bot's move refused", game=table, seat=seat, why=str(error))
                async with self.rooms.look(table) as room:
                    if room.live.seq != seq or not still(room):
                        return  # the table moved on, or somebody plays there again
                continue
            return
        raise RuntimeError(f"bot in {seat} can do nothing")  # the job is tried again, later


def play_default(change: Change, seat: str) -> None:
    """What the rules do for who does not decide, until the seat's turn is over."""
    room = change.room
    fold = room.live
    phase = fold.phase
    for _ in range(LONGEST_TURN):
        if seat not in fold.table.to_act or CHANCE in fold.table.to_act or fold.phase != phase:
            return
        action = room.game.default(fold.table.state, seat)
        record_lines(change, fold.act(seat, str(action), change.now), None, "time")
