"""Bots and their thoughts: an action, its value, the alternatives and the reason."""

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
    """One action that was tried: its shares, how often it was tried, and a likely continuation."""

    action: Action
    shares: Shares
    visits: int
    then: tuple[tuple[Seat, Action], ...] = ()


ModelFault: TypeAlias = Literal["", "gave_up", "repeated", "unreachable", "spent"]
"""Why a language model did not make its whole turn itself."""


class Thought(NamedTuple):
    """The action to take, the reason, and the lines that were tried: its own first, then the best.

    `spoken` is the code of a sentence that the bot says to the others, such as why it refuses.
    `fault`: the model behind the bot did not answer or made no sense; the action is what could be
    read of its turn, or the default.
    """

    action: Action
    reason: Msg
    lines: tuple[Line, ...] = ()
    fault: ModelFault = ""
    spoken: str = ""


Think: TypeAlias = Callable[[View, Question, Legal, Rng, Clock], Thought]
"""A bot that explains itself and spends the budget of a clock."""


@dataclass(frozen=True, slots=True)
class ThinkingBot:
    """A bot with a name and a budget: call it for an action, or let it `think` for the reasons too.

    `settings` are stored with results: whatever else defines the bot.
    """

    name: str
    thinking: Think
    budget: Budget
    settings: dict[str, Any] = field(default_factory=dict, compare=False)

    def __call__(self, view: View, question: Question, legal: Legal, rng: Rng) -> Action:
        return self.think(view, question, legal, rng).action

    def think(self, view: View, question: Question, legal: Legal, rng: Rng) -> Thought:
        return self.thinking(view, question, legal, rng, self.budget.start())

    def exact(self) -> "ThinkingBot":
        """The same bot without a limit of seconds: equal seeds give equal answers."""
        return replace(self, budget=self.budget.exact())


class Verdict(NamedTuple):
    """The actions of a player, those of a bot where they differ, the share of the game lost, and how
    the others may punish it, if that was seen, with the questions that they answer by it."""

    did: tuple[Action, ...]
    better: tuple[Action, ...]
    loss: float
    then: tuple[tuple[Seat, Action], ...] = ()
    asked: tuple[Question | None, ...] = ()


TurnJudge: TypeAlias = Callable[[View, Action, Rng, Budget], Verdict | None]
"""Judges a whole turn from the view of its seat before the last action; None: nothing was lost."""
