"""A DAIDE game at our table: programs and our bots play, the rules are ours.

Nothing here knows of sockets: `requests` answers what programs say, `server` carries it.
"""

import random
import secrets
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from powderkeg import games
from powderkeg.bots.characters import split_name
from powderkeg.bots.diplomacy.daide.messages import (
    centres_text,
    daide_order,
    order_scene,
    position_text,
    result_text,
    turn_text,
)
from powderkeg.bots.diplomacy.daide.seats import Caller, DaideSeat, is_complete
from powderkeg.bots.diplomacy.press.daide import (
    POWER_TOKENS,
    bracket_text,
    parse_message,
    press_level,
)
from powderkeg.bots.engine.budget import Budget
from powderkeg.bots.envoy import Envoy, FormalNote
from powderkeg.bots.game_bots import bots_of
from powderkeg.bots.levels import find_bot
from powderkeg.core.table import Table
from powderkeg.games.diplomacy.actions import Convoy, Waive
from powderkeg.games.diplomacy.board import POWERS, Power
from powderkeg.games.diplomacy.state import Report, State

TALK_SECONDS = 2.0  # of a bot, for one letter or its proposals
MOST_ROUNDS = 4  # of letters between our bots, in one go


@dataclass(frozen=True, slots=True)
class HostSettings:
    """How a DAIDE game is hosted."""

    programs: int = 1  # seats for other programs; our bots take the rest
    bots: str = "normal"
    level: int = 0  # of press: 0, 10, 20 or 30
    seconds: int = 0  # per phase; 0: no limit
    last_year: int = 0  # the game stops after its fall; 0: never
    seed: int = 0


class PastTurn(NamedTuple):
    """A phase that is over: its results, and the position after it."""

    results: tuple[str, ...]
    centres: str
    position: str


@dataclass
class GameHost:
    """The table, its seats, and everybody who listens."""

    settings: HostSettings
    table: Table = field(init=False)
    seats: dict[Power, DaideSeat] = field(init=False)
    watchers: list[Caller] = field(default_factory=list)
    started: bool = False
    past: dict[str, PastTurn] = field(default_factory=dict)
    time_left: int | None = None  # seconds, kept by the server

    def __post_init__(self) -> None:
        game = games.find_game("diplomacy")
        self.rng = random.Random(self.settings.seed)
        self.table = Table(game, 7, game.Options(last_year=self.settings.last_year))
        self.seats = {power: DaideSeat(power, code) for power, code in draw_passcodes().items()}
        self.free = self.rng.sample(POWERS, self.settings.programs)
        self.bot = find_bot(game, self.settings.bots)
        own = bots_of(game).envoy
        skill, self.character = split_name(self.settings.bots)
        talks = own is not None and skill in own.TALKING_LEVELS
        self.envoy: Envoy | None = own if talks and self.settings.level else None

    @property
    def state(self) -> State:
        state: State = self.table.state
        return state

    @property
    def is_over(self) -> bool:
        return self.started and self.state.stage == "over"

    def seat_of(self, caller: Caller) -> DaideSeat | None:
        return next((seat for seat in self.seats.values() if seat.caller is caller), None)

    def is_known(self, caller: Caller) -> bool:
        """Whether the program plays or watches already."""
        return any(each is caller for each in self.callers())

    def program_seats(self) -> list[DaideSeat]:
        return [seat for seat in self.seats.values() if not seat.is_bot]

    # Joining

    def join_program(self, caller: Caller, name: str, version: str) -> bool:
        """Give a program a seat; no if none is free."""
        if self.started or not self.free or self.is_known(caller):
            return False
        seat = self.seats[self.free.pop(0)]
        seat.caller, seat.is_bot, seat.name, seat.version = caller, False, name, version
        return True

    def leave_table(self, caller: Caller) -> None:
        """A program hung up: its seat is free again, or its power is in civil disorder."""
        self.watchers = [each for each in self.watchers if each is not caller]
        seat = self.seat_of(caller)
        if seat is None:
            return
        seat.caller = None
        if self.started:
            self.set_disorder(seat, disorder=not self.is_over)
        else:
            seat.is_bot, seat.accepted = True, False
            self.free.append(seat.power)

    def return_program(self, caller: Caller, power: Power, passcode: int) -> bool:
        """Give a power back to the program that knows its passcode."""
        seat = self.seats[power]
        taken = seat.is_bot or seat.caller is not None or self.is_known(caller)
        if taken or not seat.may_return(caller.origin):
            return False
        if seat.passcode != passcode:
            seat.wrong_codes[caller.origin] += 1
            return False
        seat.wrong_codes.clear()
        seat.caller = caller
        self.set_disorder(seat, disorder=False)
        return True

    def set_disorder(self, seat: DaideSeat, *, disorder: bool) -> None:
        if seat.disorder != disorder:
            seat.disorder = disorder
            text = f"CCD ( {POWER_TOKENS[seat.power]} )"
            self.broadcast(text if disorder else f"NOT ( {text} )")

    def start_if_full(self) -> None:
        """The game begins when every program has its seat and has accepted the map."""
        playing = self.program_seats()
        if self.started or self.free or not all(seat.accepted for seat in playing):
            return
        self.started = True
        for caller in self.callers():
            caller.send(self.hello_text(caller))
        self.broadcast(centres_text(self.state.centres))
        self.begin_phase()

    def hello_text(self, caller: Caller) -> str:
        """Who you are, your passcode and the options of the game."""
        seat, seconds = self.seat_of(caller), self.settings.seconds
        who = f"( {POWER_TOKENS[seat.power]} ) ( {seat.passcode} )" if seat else "( UNO ) ( 0 )"
        limits = [f"( {token} {seconds} )" for token in ("MTL", "RTL", "BTL") if seconds]
        return f"HLO {who} {bracket_text([f'( LVL {self.settings.level} )', *limits])}"

    # Talking

    def callers(self) -> Iterator[Caller]:
        yield from (seat.caller for seat in self.seats.values() if seat.caller)
        yield from self.watchers

    def broadcast(self, text: str) -> None:
        for caller in self.callers():
            caller.send(text)

    def deliver_press(self, sender: Power, to: tuple[Power, ...], text: str) -> None:
        """Pass a message on; our bots answer at once."""
        notes = [FormalNote(sender, to, text)]
        for _ in range(MOST_ROUNDS):
            notes = [answer for note in notes for answer in self._deliver_note(note)]
            if not notes:
                return

    def _deliver_note(self, note: FormalNote) -> list[FormalNote]:
        answers: list[FormalNote] = []
        listed = bracket_text(POWER_TOKENS[power] for power in note.to)
        for power in note.to:
            seat = self.seats[power]
            if seat.caller:
                sender = POWER_TOKENS[note.seat]
                seat.caller.send(f"FRM ( {sender} ) {listed} {bracket_text([note.text])}")
            elif seat.is_bot:
                answers += self.ask_envoy(seat, [note])
        return answers

    def ask_envoy(self, seat: DaideSeat, heard: list[FormalNote]) -> list[FormalNote]:
        """What a bot says now, within the level of the game."""
        if self.envoy is None:
            return []
        view = {**self.table.view(seat.power), "character": self.character}
        clock = Budget(1, TALK_SECONDS).start()
        reply = self.envoy.exchange_letters(view, seat.memory, heard, self.rng, clock, public=False)
        seat.memory = reply.memory
        return [n for n in reply.notes if press_level(parse_message(n.text)) <= self.settings.level]

    # Phases

    def begin_phase(self) -> None:
        """Tell everybody the position; then our bots speak."""
        for seat in self.seats.values():
            seat.clear_turn()
        self.broadcast(position_text(self.state.phase, self.state.units, self.state.dislodged))
        if self.settings.seconds:
            self.broadcast(f"TME ( {self.settings.seconds} )")
        if self.state.stage == "movement":
            said = [
                n for seat in self.seats.values() if seat.is_bot for n in self.ask_envoy(seat, [])
            ]
            for note in said:
                self.deliver_press(note.seat, note.to, note.text)

    def is_due(self) -> bool:
        """Whether no program has anything left to decide: the phase can be judged."""
        return (
            self.started
            and not self.is_over
            and not any(map(self.is_awaited, self.program_seats()))
        )

    def is_awaited(self, seat: DaideSeat) -> bool:
        if seat.caller is None or seat.power not in self.table.to_act:
            return False
        return seat.waits or not is_complete(seat, self.state)

    def finish_phase(self) -> None:
        """Enter all orders, let the bots decide, and send the results."""
        before = self.state
        for seat in self.program_seats():
            self._enter_orders(seat)
        for seat in self.seats.values():
            if seat.is_bot:
                self._play_bot(seat)
        self.announce_results(before)

    def _enter_orders(self, seat: DaideSeat) -> None:
        power = seat.power
        if power not in self.table.to_act:
            return
        late = not seat.orders
        for order in seat.orders.values():
            self.table.act(power, order)
        if power in self.table.to_act:
            self.table.act(power, self.table.game.default(self.state, power))
        if seat.caller:
            self.set_disorder(seat, disorder=late)

    def _play_bot(self, seat: DaideSeat) -> None:
        phase, table = self.state.phase, self.table
        while seat.power in table.to_act and self.state.phase == phase:
            view = table.view(seat.power)
            if self.envoy is not None:
                view = dict(self.envoy.bind_view(view, seat.memory))
            question = table.ask(seat.power)
            assert question is not None  # noqa: S101  # who must act is asked
            table.act(seat.power, self.bot(view, question, table.legal(seat.power), self.rng))

    def announce_results(self, before: State) -> None:
        """Results, centres after a fall, the end or the next position."""
        known = {report.phase for report in before.reports}
        fresh = [report for report in self.state.reports if report.phase not in known]
        for report in fresh:
            results = tuple(self._report_texts(report, before))
            self.past[report.phase] = PastTurn(
                results,
                centres_text(self.state.centres),
                position_text(_shown_phase(self.state), self.state.units, self.state.dislodged),
            )
            for text in results:
                self.broadcast(text)
        if before.phase[0] == "F" and self.state.phase[0] != "F":  # the centres were counted
            self.broadcast(centres_text(self.state.centres))
        if self.is_over:
            self.announce_end()
        else:
            self.begin_phase()

    def _report_texts(self, report: Report, before: State) -> Iterator[str]:
        carriers = [o.order.unit.at for o in report.outcomes if isinstance(o.order, Convoy)]
        scene = order_scene(before.units, winter=report.phase[-1] == "A", seas=carriers)
        yield from (result_text(report.phase, outcome, scene) for outcome in report.outcomes)
        if scene.winter:  # our reports are about units: waived builds are added
            given = [(s.power, o) for s in self.program_seats() for o in s.orders.values()]
            for power, order in given:
                if isinstance(order, Waive):
                    done = daide_order(power, Waive(), scene)
                    yield f"ORD ( {turn_text(report.phase)} ) ( {done} ) ( SUC )"

    def announce_end(self) -> None:
        """A solo or a draw, who played, and goodbye."""
        ending = self.state.ending
        winners = ending.seats if ending else ()
        solo = ending is not None and ending.how in ("victory", "concession") and len(winners) == 1
        self.broadcast(f"SLO ( {POWER_TOKENS[winners[0]]} )" if solo else "DRW")
        self.broadcast(self.summary_text())
        self.broadcast("OFF")

    def summary_text(self) -> str:
        """Who played what, with how many centres."""
        rows = [
            bracket_text(
                [
                    POWER_TOKENS[seat.power],
                    f"( '{seat.name}' )",
                    f"( '{seat.version}' )",
                    len(self.state.centres_of(seat.power)),
                    *self._lost_year(seat.power),
                ]
            )
            for seat in self.seats.values()
        ]
        return " ".join(["SMR", f"( {_turn_of(self.state)} )", *rows])

    def _lost_year(self, power: Power) -> list[int]:
        """The year in which a power lost its last centre."""
        gone = [count.year for count in self.state.counts if not count.centres.get(power)]
        return gone[:1] if not self.state.centres_of(power) else []


def draw_passcodes() -> dict[Power, int]:
    """A passcode for each power, which no seed tells. Numbers of DAIDE end at 8191."""
    codes = secrets.SystemRandom().sample(range(1, 8192), len(POWERS))
    return dict(zip(POWERS, codes, strict=True))


def _shown_phase(state: State) -> str:
    """The phase of a position; a game that is over has none, and shows its last winter."""
    return (
        state.phase if state.stage in ("movement", "retreat", "adjustment") else f"W{state.year}A"
    )


def _turn_of(state: State) -> str:
    return f"WIN {state.year}"
