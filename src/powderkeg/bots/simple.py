"""Bots that need no thought: the measure of all others."""

from collections.abc import Callable
from typing import TypeAlias

from powderkeg.core.ask import Question
from powderkeg.core.chance import Rng
from powderkeg.core.game import Action, Legal, View

Bot: TypeAlias = Callable[[View, Question, Legal, Rng], Action]
"""A bot is a function of what its seat may know. It never holds the state, so it cannot cheat."""


def random_bot(view: View, question: Question, legal: Legal, rng: Rng) -> Action:
    """Any legal action, all alike."""
    return legal.sample(rng)
