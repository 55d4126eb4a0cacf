"""The seats of language models in the arena: news, negotiation, and turns planned in parallel."""

import random
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from powderkeg.bots.models.player import ModelPlayer
from powderkeg.bots.models.usage import ModelUsage
from powderkeg.bots.seats.letters import TableMessage
from powderkeg.bots.seats.parley import Parley
from powderkeg.core.errors import RulesError
from powderkeg.core.game import Seat
from powderkeg.core.table import Table
from powderkeg.core.words import say

R = TypeVar("R")


class ModelSeats:
    """The models at one table, by seat. With `rounds`, everybody negotiates at the start of a phase
    in which the rulebook lets players talk."""

    def __init__(
        self,
        players: Mapping[Seat, ModelPlayer],
        parley: Parley,
        rounds: int,
        seed: str,
    ) -> None:
        self.table: Table = parley.table
        self.players, self.parley = players, parley
        self.rounds, self.seed = rounds, seed
        self.reported = dict.fromkeys(players, 0)  # entries of the log that a seat knows
        self.read = dict.fromkeys(players, 0)  # letters that a seat knows
        self.talked = ""  # the last phase with a negotiation

    def usage(self) -> dict[Seat, ModelUsage]:
        return {seat: player.seat_usage(seat) for seat, player in self.players.items()}

    def prepare_turns(self, asked: Sequence[Seat]) -> None:
        """Before these seats decide: report, negotiate, and let the models plan, all at once."""
        if self.rounds:
            self._negotiate()
        seats = [seat for seat in asked if seat in self.players]
        for seat in seats:
            self._report_news(seat)
        if len(seats) > 1:
            self._in_parallel(self._plan_turn, seats)

    def _in_parallel(self, work: Callable[[Seat], R], seats: Sequence[Seat]) -> list[R]:
        if not seats:
            return []
        with ThreadPoolExecutor(len(seats)) as pool:
            return list(pool.map(work, seats))

    def _report_news(self, seat: Seat) -> None:
        table, player = self.table, self.players[seat]
        facts = [f for found in table.facts[self.reported[seat] :] for f in found]
        self.reported[seat] = len(table.facts)
        lines = [say(f.msg, player.manner.lang) for f in facts if f.seen_by(seat)]
        player.hear_news(seat, lines)
        player.seat_mind(seat).letters = tuple(self._letters(seat))

    def _letters(self, seat: Seat) -> list[TableMessage]:
        return self.parley.letters_for(seat, self.players[seat].manner.lang)

    def _plan_turn(self, seat: Seat) -> None:
        table, player = self.table, self.players[seat]
        question = table.ask(seat)
        if question is not None:
            rng = random.Random(f"{self.seed}/{seat}/plan/{len(table.log)}")
            clock = player.bot().exact().budget.start()
            player.plan_turn(table.view(seat), question, table.legal(seat), rng, clock)

    # Negotiation

    def _negotiate(self) -> None:
        marks = self.parley.marks
        if not marks.talk or marks.phase == self.talked:
            return
        self.talked = marks.phase
        for number in range(self.rounds):
            speakers = [seat for seat in self.players if self._may_speak(seat, number)]
            for seat in speakers:
                self._report_news(seat)
            said = self._in_parallel(self._speak, speakers)
            for message in (message for messages in said for message in messages):
                self._post(message)
            luck = f"{self.seed}/talk/{marks.phase}/{number}"
            if not self.parley.exchange_letters(luck) and not any(said):
                break

    def _may_speak(self, seat: Seat, number: int) -> bool:
        """Seats that must act open the talk; the others answer what is written to them."""
        opens = number == 0 and seat in self.table.to_act
        return opens or self.parley.has_new(seat, self.read[seat])

    def _speak(self, seat: Seat) -> list[TableMessage]:
        self.read[seat] = len(self.parley.letters)
        others = [other for other in self.table.seats if other != seat]
        return self.players[seat].talk(self.table.view(seat), self._letters(seat), others)

    def _post(self, message: TableMessage) -> None:
        """Post a letter; a letter with an invalid offer is dropped and counted as a fault."""
        try:
            self.parley.post_message(message)
        except RulesError:
            self.players[message.sender].seat_mind(message.sender).purse.count_fault("bad_letter")
