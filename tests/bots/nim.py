"""Nim, one heap: take one to three, who takes the last wins. The right move is known."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from powderkeg.core.ask import One, Option, Question
from powderkeg.core.chance import Rng
from powderkeg.core.errors import Illegal, Unreadable
from powderkeg.core.game import (
    Fact,
    Legal,
    Listed,
    Marks,
    Result,
    Seat,
    Section,
    Step,
    View,
    equal_shares,
    no_standing,
    no_upgrade,
    wire_reader,
)
from powderkeg.core.reports.scenes import Scene
from powderkeg.core.reports.score_pad import ScoreLine
from powderkeg.core.words import Msg

name = "nim"
version = 1
upgrade_options = no_upgrade
players = range(2, 3)
stages: tuple[str, ...] = ()
standing = no_standing
agreed_scores = equal_shares


@dataclass(frozen=True, slots=True)
class Options:
    heap: int = 10


@dataclass(frozen=True, slots=True)
class State:
    left: int
    turn: int = 0


@dataclass(frozen=True, slots=True)
class Take:
    n: int

    def __str__(self) -> str:
        return f"take {self.n}"


SEATS = ("a", "b")


def seats(players: int, options: Any) -> tuple[Seat, ...]:
    return SEATS


def start(seats: tuple[Seat, ...], options: Options) -> State:
    return State(options.heap)


def to_act(state: State) -> frozenset[Seat]:
    return frozenset({SEATS[state.turn]} if state.left else ())


def legal(state: State, seat: Seat) -> Legal:
    return Listed(Take(n) for n in (1, 2, 3) if seat in to_act(state) and n <= state.left)


def ask(state: State, seat: Seat) -> Question | None:
    if seat not in to_act(state):
        return None
    options = tuple(Option(str(a), Msg("nim.take", n=a.n)) for a in legal(state, seat))
    return Question(Msg("nim.ask"), One(options))


def apply(state: State, seat: Seat, action: Any) -> Step:
    if action not in legal(state, seat):
        raise Illegal("nim.not_now", rule="N-01")
    fact = Fact(Msg("nim.took", seat=seat, n=action.n))
    return Step(State(state.left - action.n, 1 - state.turn), (fact,))


def view(state: State, seat: Seat | None) -> View:
    return {"seat": seat, "left": state.left, "turn": state.turn}


def marks(state: State) -> Marks:
    return Marks()


def phase_name(phase: str) -> Msg:
    return Msg(f"nim.phase.{phase}")


def captions(view: View) -> dict[str, Msg]:
    return {}


def scenes(view: View, facts: Sequence[Fact]) -> tuple[Scene, ...]:
    return ()


def score(view: View) -> tuple[ScoreLine, ...]:
    return ()


def describe(view: View) -> tuple[Section, ...]:
    return (Section(Msg("nim.heap"), (Msg("nim.left", n=view["left"]),)),)


def result(state: State) -> Result | None:
    if state.left:
        return None
    winner, loser = SEATS[1 - state.turn], SEATS[state.turn]
    return Result(((winner,), (loser,)), {winner: 1.0, loser: 0.0}, Msg("nim.over"))


def parse(text: str) -> Take:
    match text.split():
        case ["take", ("1" | "2" | "3") as n]:
            return Take(int(n))
    raise Unreadable("nim.unreadable", text=text)


read = wire_reader(parse)


def default(state: State, seat: Seat) -> Take:
    return Take(1)


def deal(view: View, rng: Rng) -> State:
    return State(view["left"], view["turn"])


def broken(state: State) -> list[str]:
    return []
