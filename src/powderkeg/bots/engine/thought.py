"""What comes of thinking: an action, what it is worth, what else was weighed, and why."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, Literal, NamedTuple, TypeAlias

from powderkeg.bots.engine.budget import Budget, Clock
from powderkeg.bots.engine.shares import Shares
from powderkeg.core.ask import Question
from powderkeg.core.chance import Rng
from powderkeg.core.game import Action, Legal, Seat, View
from powderkeg.core.words import Msg

Bot: TypeAlias = Callable[[View, Question, Legal, Rng], Action]
"""A bot is a function of what its seat may know. It never holds the state, so it cannot cheat."""


class Line(NamedTuple):
    """One action that was weighed: what it promises, how often it was tried, what may follow."""

    action: Action
    shares: Shares
    visits: int
    then: tuple[tuple[Seat, Action], ...] = ()


class Thought(NamedTuple):
    """The action to take, the reason, and the lines that were weighed: its own first, then the best. `fault`: it is
    the default, because whom the bot asks did not answer or made no sense."""

    action: Action
    reason: Msg
    lines: tuple[Line, ...] = ()
    fault: Literal["", "gave_up", "unreachable"] = ""


Think: TypeAlias = Callable[[View, Question, Legal, Rng, Clock], Thought]
"""A bot that explains itself and spends what a clock grants."""


@dataclass(frozen=True, slots=True)
class ThinkingBot:
    """A bot of a level: call it for an action, or let it `think` for an action and its reasons.
    `settings`: what its name does not tell of it, to be kept with results."""

    name: str
    thinking: Think
    budget: Budget
    settings: dict[str, Any] = field(default_factory=dict, compare=False)

    def __call__(self, view: View, question: Question, legal: Legal, rng: Rng) -> Action:
        return self.think(view, question, legal, rng).action

    def think(self, view: View, question: Question, legal: Legal, rng: Rng) -> Thought:
        return self.thinking(view, question, legal, rng, self.budget.start())

    def exact(self) -> "ThinkingBot":
        """The same bot without regard to the clock on the wall: equal seeds, equal answers."""
        return replace(self, budget=self.budget.exact())


class Verdict(NamedTuple):
    """What was done and what a bot would have done (of a turn, where the two differ), and how much
    of the game that cost."""

    did: tuple[Action, ...]
    better: tuple[Action, ...]
    loss: float


TurnJudge: TypeAlias = Callable[[View, Action, Rng, Budget], Verdict | None]
"""Judges a whole turn, as its seat sees it when about to close it; None: there is nothing to say."""
