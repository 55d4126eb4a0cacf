"""A DAIDE program in a seat at a table on a Powderkeg server, beside people and other bots.

The program talks to us as to any DAIDE server; we carry its orders and its press to the table, and tell it
what happens there.
"""

import asyncio
import random
import threading
import uuid
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any

from powderkeg.bots.diplomacy.daide.game_host import GameHost, draw_passcodes
from powderkeg.bots.diplomacy.daide.seats import DaideSeat, is_complete
from powderkeg.bots.diplomacy.daide.server import DaideServer
from powderkeg.bots.diplomacy.press.daide import (
    POWER_TOKENS,
    bracket_text,
    parse_message,
    press_level,
)
from powderkeg.client import RemoteTable, ServerClient, ServerRefusal
from powderkeg.core.errors import RulesError, Unreadable
from powderkeg.games.diplomacy.board import POWERS, Power
from powderkeg.games.diplomacy.state import State
from powderkeg.games.diplomacy.view import deal


@dataclass
class TableBridge(GameHost):
    """A host whose table is on a server: one seat is the program's, the others are not ours."""

    remote: RemoteTable = field(kw_only=True)

    def __post_init__(self) -> None:
        if self.remote.now["game"] != "diplomacy" or set(self.remote.seats) != set(POWERS):
            raise Unreadable("daide.not_seven")
        if not self.remote.view():
            raise Unreadable("daide.never_started")
        if self.is_over:
            raise Unreadable("daide.game_over")
        self.rng = random.Random(self.settings.seed)
        self.envoy = None
        self.table: Any = self.remote  # it has the face of a local table
        me: Power = self.remote.seat
        self.seats = {
            power: DaideSeat(power, code, is_bot=power != me, accepted=power != me)
            for power, code in draw_passcodes().items()
        }
        self.free = [me]
        self.known = self._dealt_state()
        self.handed: object = None  # the phase and the orders that the table has
        self.heard = max((letter["id"] for letter in self.remote.press()), default=0)

    @property
    def state(self) -> State:
        return self.known

    @property
    def is_over(self) -> bool:
        """Whether the game at the table has ended, by the rules or by its host."""
        return self.remote.now["status"] in ("over", "closed")

    def _dealt_state(self) -> State:
        """What the seat may know as a state, without the orders that were handed in."""
        state: State = deal(self.remote.view(), self.rng)
        return replace(state, drafts={}, ready=state.ready - {self.remote.seat})

    @property
    def own_seat(self) -> DaideSeat:
        return self.seats[self.remote.seat]

    def is_due(self) -> bool:
        """Whether the program's orders are complete and not yet at the table."""
        seat = self.own_seat
        asked = seat.power in self.remote.to_act or self.handed is not None
        ready = self.started and not self.is_over and asked and not seat.waits
        return ready and is_complete(seat, self.state) and self.handed != self._hand_in()

    def _hand_in(self) -> object:
        return self.state.phase, dict(self.own_seat.orders)

    def finish_phase(self) -> None:
        """Bring the orders to the table; the results come when everybody is ready."""
        seat = self.own_seat
        self.handed = self._hand_in()
        with suppress(RulesError):  # the table may have moved on
            if seat.power not in self.remote.to_act:
                self.remote.act(seat.power, "revise")
            for order in seat.orders.values():
                self.remote.act(seat.power, str(order))
            self.remote.act(seat.power, "ready")

    def catch_up(self) -> None:
        """Look at the table, and tell the program what is new."""
        self.remote.look()
        before, self.known = self.known, self._dealt_state()
        if not self.started:
            return
        if before.phase != self.known.phase:
            self.handed = None
            self.announce_results(before)
        elif self.is_over:  # its host closed the table
            self.broadcast("OFF")
        self._hear_press()

    def _hear_press(self) -> None:
        me, caller = self.remote.seat, self.own_seat.caller
        for letter in self.remote.press(self.heard):
            self.heard = max(self.heard, letter["id"])
            text, sender = letter.get("form"), letter.get("seat")
            if caller and text and sender in POWER_TOKENS and sender != me and self._may_pass(text):
                readers = [seat for seat in letter["to"] if seat != sender] or [me]
                to = bracket_text(POWER_TOKENS[seat] for seat in readers)
                caller.send(f"FRM ( {POWER_TOKENS[sender]} ) {to} {bracket_text([text])}")

    def _may_pass(self, text: str) -> bool:
        return press_level(parse_message(text)) <= self.settings.level

    def deliver_press(self, sender: Power, to: tuple[Power, ...], text: str) -> None:
        """Send a message of the program to the table; if talk is over there, it is lost."""
        body = {
            "command": uuid.uuid4().hex,
            "to": list(to),
            "text": "",
            "form": text,
            "seat": sender,
        }
        with suppress(ServerRefusal):
            self.remote.server.call("POST", f"/tables/{self.remote.id}/press", body)


class BridgeServer(DaideServer):
    """Listens for one program, and to the table."""

    host: TableBridge

    async def play_game(self) -> None:
        """Play until the game is over or the program has left."""
        loop = asyncio.get_running_loop()
        watcher = ServerClient(self.host.remote.server.url, "")
        watcher.http.headers = self.host.remote.server.http.headers
        wake = lambda: loop.call_soon_threadsafe(self.changed.set)  # noqa: E731  # one word
        threading.Thread(target=_follow_table, args=(watcher, self.host, wake), daemon=True).start()
        try:
            while not self.is_finished():
                await self.changed.wait()
                self.changed.clear()
                async with self.lock:
                    await asyncio.to_thread(self._exchange_news)
                    self.flush_all()
            await self.close_all()
        finally:
            watcher.close()

    def _exchange_news(self) -> None:
        self.host.catch_up()
        if self.host.is_due():
            self.host.finish_phase()
            self.host.catch_up()


def _follow_table(watcher: ServerClient, host: TableBridge, wake: Any) -> None:
    """Wake the bridge after every change of the table and every letter."""
    with suppress(RulesError, RuntimeError):  # closed at the end
        for _ in watcher.table(host.remote.id, host.remote.seat).follow():
            wake()
        wake()
