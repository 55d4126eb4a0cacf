"""Hands that play for those who do not: bots in seats, and the default when time runs out."""

from typing import Any

import structlog

from powderkeg.core import plain
from powderkeg.core.errors import RulesError
from powderkeg.server.jobs import Handler
from powderkeg.server.lobby import USUAL
from powderkeg.server.rooms import Room, Rooms
from powderkeg.server.thinking import Thinkers
from powderkeg.server.turns import owed_by_bots

logger = structlog.get_logger()
ROUNDS = 50  # turns of bots in one go, before other tables get their share


class Hands:
    def __init__(self, rooms: Rooms, thinkers: Thinkers) -> None:
        self.rooms, self.thinkers = rooms, thinkers

    def handlers(self) -> dict[str, Handler]:
        return {"bots": self.bots}

    async def close(self) -> None:
        await self.thinkers.close()

    async def bots(self, job: Any) -> None:
        """Let the bots of a table play until a person is to act."""
        for _ in range(ROUNDS):
            if not await self.bot_turn(job.game):
                return

    async def bot_turn(self, table: str) -> bool:
        """One turn of one bot; whether there was one."""
        async with self.rooms.look(table) as room:
            owed = owed_by_bots(room) if room.row.status == "live" else []
            if not owed:
                return False
            seat = owed[0]
            level = room.seats[seat].level or room.settings["missed"]["level"]
            seq, state = room.live.seq, plain.dump(room.live.table.state)
            default = str(room.game.default(room.live.table.state, seat))
            module, seed = str(vars(room.game)["__name__"]), f"{room.row.key}/{seq}/{seat}"
        texts = await self.thinkers.think(module, state, seat, level or USUAL, seed)
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
                    if room.live.seq != seq:
                        return  # the table moved on: there will be another turn
                continue
            return
