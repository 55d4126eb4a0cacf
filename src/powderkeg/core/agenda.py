"""The agenda: small pending steps, kept in the state as a tuple whose last entry comes first.

An uprising inside a crisis inside a settlement is three layers of a stack. A step acts, or asks
somebody and waits; acting may push more steps. Since the agenda is data, a game can be stored,
copied and resumed between any two steps.
"""

from collections.abc import Callable
from typing import Any, Protocol, TypeVar

from powderkeg.core.game import Fact, Step

T = TypeVar("T")


class Planned(Protocol):
    """A state with an agenda."""

    @property
    def agenda(self) -> tuple[Any, ...]: ...


S = TypeVar("S", bound=Planned)


def push(agenda: tuple[T, ...], *steps: T) -> tuple[T, ...]:
    """Put `steps` before all that is pending; the first one named happens first."""
    return agenda + steps[::-1]


def run(state: S, act: Callable[[S, Any], Step | None]) -> Step:
    """Let the steps on top act until one asks or nothing is pending.

    `act(state, step)` takes the step off the agenda and returns what followed, or returns None
    and leaves all as it is when the step must wait for somebody's answer.
    """
    facts: list[Fact] = []
    barrier = False
    while state.agenda and (done := act(state, state.agenda[-1])) is not None:
        state = done.state
        facts.extend(done.facts)
        barrier = barrier or done.barrier
    return Step(state, tuple(facts), barrier)
