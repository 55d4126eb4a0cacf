"""How one kind of step of the agenda behaves: it acts, owes dice or cards, or asks."""

from collections.abc import Callable
from typing import Any, NamedTuple

from powderkeg.core.ask import Question
from powderkeg.core.chance import Owed
from powderkeg.core.errors import Illegal
from powderkeg.core.game import Fact, Legal, Listed, Step
from powderkeg.core.words import Arg
from powderkeg.games.risk_europe import words
from powderkeg.games.risk_europe.moves import Why
from powderkeg.games.risk_europe.state import State


def _no_question(state: State, step: Any, who: int) -> Question:
    raise NotImplementedError  # only steps that ask are asked for their question


def _no_answer(state: State, step: Any, who: int, action: Any) -> Step:
    raise illegal("not_now", "R-ROUND-01")


def _no_outcome(state: State, step: Any, outcome: Any) -> Step:
    raise NotImplementedError  # only steps that owe something are given an outcome


class Kind(NamedTuple):
    """The behaviour of a kind of step; `who` is always the number of a player."""

    act: Callable[[State, Any], Step | None] | None = None  # it may find that it must wait
    owed: Callable[[State, Any], Owed | None] | None = None
    outcome: Callable[[State, Any, Any], Step] = _no_outcome
    asked: Callable[[State, Any], tuple[int, ...]] = lambda state, step: ()
    legal: Callable[[State, Any, int], Legal] = lambda state, step, who: Listed()
    answer: Callable[[State, Any, int, Any], Step] = _no_answer
    question: Callable[[State, Any, int], Question] = _no_question
    default: Callable[[State, Any, int], Any] | None = None  # None: the first that is legal
    forces: bool = True  # a single choice is made without asking


def told(state: State, tell: list[Fact], *, barrier: bool = False) -> Step:
    return Step(state, tuple(tell), barrier)


def illegal(code: str, rule: str, /, **facts: Arg) -> Illegal:
    return Illegal(f"risk_europe.{code}", rule=rule, **facts)


def refuse(why: Why, at: int) -> None:
    """Raise what `why` says about the territory `at`, if it says anything."""
    if why:
        raise illegal(*why, at=words.TERRITORY[at])


def unexpected(action: object) -> Illegal:
    return illegal("not_asked", "R-ROUND-01", action=str(action))
