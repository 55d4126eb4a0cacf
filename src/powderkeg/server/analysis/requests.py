"""Studying: how a game stands, what a bot would do and why, where a game was lost.

Analysis runs in a process of its own and starts from a view, so it knows no more than its reader.
Nobody gets it in a running game against other people, nor in a copy of one.
"""

import asyncio
from typing import Any

import structlog

from powderkeg.bots.process.host import ProcessHost
from powderkeg.bots.process.reference import game_reference
from powderkeg.core.game import Game
from powderkeg.core.words import say
from powderkeg.server.accounts.identity import Principal
from powderkeg.server.refusals import Refused, busy, conflict, forbidden
from powderkeg.server.schemas.analysis import (
    AdviceIn,
    AdviceOut,
    BlunderOut,
    LineOut,
    MoveOut,
    ReviewIn,
    ReviewOut,
    ShareOut,
)
from powderkeg.server.tables import copies, history, message_json, present
from powderkeg.server.tables.cache import Room, Rooms

logger = structlog.get_logger()

PATIENCE = 30.0  # seconds after which a study is given up
MEMORY = 2 << 30  # bytes
LONGEST_ANSWER = 8_000_000  # bytes
QUEUE = 6  # requests that wait, some seconds each


# How does it stand, what would a bot do?


async def advice(
    rooms: Rooms, scholar: "Scholar", who: Principal, table: str, wish: AdviceIn
) -> AdviceOut:
    """How a moment stands, and what a bot would do there and why."""
    async with rooms.look(table) as room:
        await check_study(rooms, room, who)
        reader = present.reader(room, who, wish.seat)
        upto = await history.visible(rooms, room, reader)
        seq = upto if wish.seq is None else wish.seq
        if room.fold is None or not 0 <= seq <= upto:
            raise Refused(404, "no_such_moment", seq=seq)
        row, game = room.row, room.game
    async with rooms.store.read() as tx:
        fold = await rooms.fold_at(tx, row, seq)
    view = game.view(fold.table.state, reader.seat)
    found = await scholar.ask(
        {
            "kind": "advice",
            "game": game_reference(game),
            "view": view,
            "asked": reader.seat in fold.table.to_act,
            "level": wish.level,
        }
    )
    return AdviceOut(
        seq=seq,
        seat=reader.seat,
        shares=_shares(game, found["shares"], who.lang),
        moves=[MoveOut(text=m["text"], said=_said(m["said"], who.lang)) for m in found["moves"]],
        cut=found["cut"],
        reason=_said(found["reason"], who.lang),
        lines=[_line(game, line, who.lang) for line in found["lines"]],
    )


def _line(game: Game, line: dict[str, Any], lang: str) -> LineOut:
    return LineOut(
        text=line["text"],
        said=_said(line["said"], lang),
        shares=_shares(game, line["shares"], lang),
        visits=line["visits"],
        then=[f"{present.seat_label(game, seat, lang)}: {text}" for seat, text in line["then"]],
    )


def _shares(game: Game, shares: dict[str, float], lang: str) -> list[ShareOut]:
    return [
        ShareOut(seat=seat, label=present.seat_label(game, seat, lang), share=round(share, 4))
        for seat, share in shares.items()
    ]


def _said(stored: list[Any], lang: str) -> str:
    return " ".join(say(message_json.load(part), lang) for part in stored)


# Where was it lost?


async def review(
    rooms: Rooms, scholar: "Scholar", who: Principal, table: str, wish: ReviewIn
) -> ReviewOut:
    """Decisions of a finished game at which something was given away, as far as time allows."""
    async with rooms.look(table) as room:
        present.reader(room, who, None)
        if room.row.status != "over":
            raise conflict("game_not_over")
        if wish.seat is not None and wish.seat not in room.seats:
            raise forbidden("not_your_seat")
        row, game = room.row, room.game
    found = await scholar.ask(
        {
            "kind": "review",
            "game": game_reference(game),
            "file": await copies.file_of(rooms, row, {}),
            "since": wish.since,
            "seats": [wish.seat] if wish.seat else None,
            "level": wish.level,
        }
    )
    blunders = [_blunder(game, one, who.lang) for one in found["found"]]
    return ReviewOut(found=blunders, next=found["next"], all=found["all"])


def _blunder(game: Game, one: dict[str, Any], lang: str) -> BlunderOut:
    return BlunderOut(
        seq=one["seq"],
        seat=one["seat"],
        label=present.seat_label(game, one["seat"], lang),
        did=", ".join(_said(action, lang) for action in one["did"]),
        better=", ".join(_said(action, lang) for action in one["better"]),
        loss=one["loss"],
    )


async def check_study(rooms: Rooms, room: Room, who: Principal) -> None:
    """Only what is over, or a table where every seat is mine; and no copy of a running game."""
    if room.row.status != "over" and set(room.held_by(who.id, who.grants)) != set(room.seats):
        raise forbidden("no_analysis")
    if source := room.settings.get("copied_from"):  # also of a copy that was played to its end
        try:
            async with rooms.look(source) as played:
                _check_alone(played)
        except Refused as error:
            if error.status != 404:  # a game that was deleted is not being played
                raise


def _check_alone(room: Room) -> None:
    people = {seat.user for seat in room.seats.values() if seat.kind == "person"}
    if room.row.status in ("live", "paused") and len(people) > 1:
        raise forbidden("no_analysis")


# The process that studies


class Scholar:
    """One process that studies, started when first asked; who overruns the time is replaced."""

    def __init__(self) -> None:
        self.lock = asyncio.Lock()
        self.host = ProcessHost(
            PATIENCE, MEMORY, "powderkeg.server.analysis.worker", longest=LONGEST_ANSWER
        )
        self.waiting = 0  # requests in the queue, the one being studied among them

    async def ask(self, request: dict[str, Any]) -> dict[str, Any]:
        if self.waiting >= QUEUE:
            raise busy("study_busy", seconds=10)
        self.waiting += 1
        try:
            return await self._in_turn(request)
        finally:
            self.waiting -= 1

    async def _in_turn(self, request: dict[str, Any]) -> dict[str, Any]:
        async with self.lock:
            try:
                answer, fault, detail = await asyncio.to_thread(self.host.send_request, request)
            except BaseException:
                self.close()
                raise
        if fault:
            logger.warning("a study came to nothing", fault=fault, detail=detail)
            raise conflict("study_failed")
        if "error" in answer:
            logger.warning("a study failed", error=answer["error"])
            raise conflict("study_failed")
        return answer

    def close(self) -> None:
        self.host.close()
