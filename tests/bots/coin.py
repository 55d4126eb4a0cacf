"""A hidden coin: be content with a draw, or guess, and only then say heads or tails.

A search of each world as if it were known believes that guessing wins for sure (it picks
the right side in every world). A search that keeps to what the seat knows sees that it wins half the
time, which is worse than a draw where a draw counts six tenths.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from powderkeg.core.ask import One, Option, Question
from powderkeg.core.chance import CHANCE, Draw, Drawn, Rng
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

name = "coin"
version = 1
upgrade_options = no_upgrade
players = range(2, 3)
stages: tuple[str, ...] = ()
standing = no_standing
agreed_scores = equal_shares
SIDES = ("heads", "tails")


@dataclass(frozen=True, slots=True)
class Options:
    pass


@dataclass(frozen=True, slots=True)
class State:
    coin: str = ""
    said: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Say:
    word: str

    def __str__(self) -> str:
        return self.word


def seats(players: int, options: Any) -> tuple[Seat, ...]:
    return ("a", "b")


def start(seats: tuple[Seat, ...], options: Any) -> State:
    return State()


def to_act(state: State) -> frozenset[Seat]:
    if not state.coin:
        return frozenset({CHANCE})
    over = "content" in state.said or len(state.said) == 2
    return frozenset() if over else frozenset({"a"})


def legal(state: State, seat: Seat) -> Legal:
    if seat not in to_act(state):
        return Listed()
    if seat == CHANCE:
        return Draw(SIDES, 1)
    return Listed(map(Say, SIDES if state.said else ("content", "guess")))


def ask(state: State, seat: Seat) -> Question | None:
    if seat not in to_act(state):
        return None
    options = tuple(Option(str(a), Msg(f"coin.{a}")) for a in legal(state, seat))
    return Question(Msg("coin.ask"), One(options))


def apply(state: State, seat: Seat, action: Any) -> Step:
    if action not in legal(state, seat):
        raise Illegal("coin.not_now", rule="C-01")
    if isinstance(action, Drawn):
        return Step(State(action.items[0]))
    fact = Fact(Msg("coin.said", word=action.word))
    return Step(replace(state, said=(*state.said, action.word)), (fact,), barrier=True)


def view(state: State, seat: Seat | None) -> View:
    return {"seat": seat, "tossed": bool(state.coin), "said": list(state.said)}


def marks(state: State) -> Marks:
    return Marks()


def phase_name(phase: str) -> Msg:
    return Msg(f"coin.phase.{phase}")


def captions(view: View) -> dict[str, Msg]:
    return {}


def scenes(view: View, facts: Sequence[Fact]) -> tuple[Scene, ...]:
    return ()


def score(view: View) -> tuple[ScoreLine, ...]:
    return ()


def describe(view: View) -> tuple[Section, ...]:
    return ()


def result(state: State) -> Result | None:
    if to_act(state):
        return None
    if "content" in state.said:
        return Result((("a", "b"),), {"a": 0.6, "b": 0.4}, Msg("coin.over"))
    won = state.said[-1] == state.coin
    ranking = (("a",), ("b",)) if won else (("b",), ("a",))
    return Result(ranking, {"a": float(won), "b": float(not won)}, Msg("coin.over"))


def worth(state: State) -> dict[Seat, float]:
    """What a finished game is worth: the score itself."""
    found = result(state)
    return found.scores if found else {"a": 0.5, "b": 0.5}


def parse(text: str) -> Say:
    if text not in (*SIDES, "content", "guess"):
        raise Unreadable("coin.unreadable", text=text)
    return Say(text)


read = wire_reader(parse)


def default(state: State, seat: Seat) -> Say:
    return Say("heads" if state.said else "content")


def deal(view: View, rng: Rng) -> State:
    coin = SIDES[rng.randrange(2)] if view["tossed"] else ""
    return State(coin, tuple(view["said"]))


def broken(state: State) -> list[str]:
    return []
