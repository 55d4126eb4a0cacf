"""A whole turn from the orders that a model wrote.

The orders are tried one after another on a world that fits the seat's view. Decisions that follow
each other directly can be answered in one go; a die, a card or another player ends the turn.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from powderkeg.core.ask import Orders
from powderkeg.core.chance import Rng
from powderkeg.core.errors import RulesError
from powderkeg.core.game import Action, Game, View
from powderkeg.core.words import Msg, say


class PlannedStep(NamedTuple):
    """An action, and the code of the question that it answers."""

    asked: str
    action: Action


class TurnDraft:
    """A turn being put together: the steps accepted so far and the world after them."""

    def __init__(self, game: Game, view: View, rng: Rng, lang: str) -> None:
        self.game, self.view, self.lang = game, view, lang
        self.world = game.deal(view, rng)
        self.phase = game.marks(self.world).phase
        self.steps: list[PlannedStep] = []

    @property
    def question_code(self) -> str:
        """The question that is put to the seat now; empty if the turn is over."""
        if self.game.marks(self.world).phase != self.phase:
            return ""
        question = self.game.ask(self.world, self.view["seat"])
        return "" if question is None else question.prompt.code

    @property
    def takes_orders(self) -> bool:
        """Whether the seat orders many pieces, in any sequence."""
        question = self.game.ask(self.world, self.view["seat"])
        return question is not None and isinstance(question.node, Orders)

    def add_orders(self, texts: Sequence[str]) -> list[str]:
        """Add orders to the turn; returns the refusals in words, one line each."""
        refusals = []
        for piece, meaning in self.game.read(self.view, "\n".join(texts), self.lang):
            if not self.question_code:
                break
            if why := self._try_action(meaning):
                refusals.append(f"{piece}: {why}")
                if not self.takes_orders:
                    break  # what was to follow assumed this
        return refusals

    def _try_action(self, meaning: Action | RulesError) -> str:
        """Add an action; returns why it was refused, if it was."""
        if isinstance(meaning, RulesError):
            return say(meaning.msg, self.lang)
        seat, before = self.view["seat"], self.world
        try:
            after = self.game.apply(before, seat, meaning).state
        except RulesError as error:
            return say(error.msg, self.lang)
        if self.game.view(after, seat) == self.game.view(before, seat):
            return say(Msg("bots.llm.unchanged"), self.lang)
        self.steps.append(PlannedStep(self.question_code, meaning))
        self.world = after
        return ""

    def close_orders(self) -> None:
        """End a turn of orders with the first closing option, such as *ready*."""
        question = self.game.ask(self.world, self.view["seat"])
        if self.question_code and question and isinstance(question.node, Orders):
            for option in question.node.options[:1]:
                self._try_action(self.game.parse(option.text))

    def accepted_texts(self) -> Iterator[str]:
        return (str(step.action) for step in self.steps)
