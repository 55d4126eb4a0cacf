"""How one kind of step of the agenda behaves: it acts, owes dice or cards, or asks."""

from powderkeg.core.errors import Illegal
from powderkeg.core.game import Fact, Step
from powderkeg.core.words import Arg
from powderkeg.games.risk_europe import words
from powderkeg.games.risk_europe.rules.moves import Why
from powderkeg.games.risk_europe.state import State


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
