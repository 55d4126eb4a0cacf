"""Characters: how a bot makes, accepts and keeps deals, whatever its level.

A bot's full name is its level, with its character after a slash: ``hard/loyal``. Without one it is
even-handed. A bot finds its character in ``view["character"]``; each game's bots say what it changes.
"""

from powderkeg.bots.engine.budget import Clock
from powderkeg.bots.engine.thought import Think, Thought
from powderkeg.core.ask import Question
from powderkeg.core.chance import Rng
from powderkeg.core.game import Legal, View

CHARACTER_NAMES = ("loyal", "opportunist", "cautious")


def split_name(name: str) -> tuple[str, str]:
    """The level and the character in a bot's name."""
    level, _, character = name.partition("/")
    return level, character


def join_name(level: str, character: str) -> str:
    """A bot's name from its level and character."""
    return f"{level}/{character}" if character else level


def with_character(think: Think, character: str) -> Think:
    """The same thinking with a character."""
    if not character:
        return think

    def think_in_character(
        view: View, question: Question, legal: Legal, rng: Rng, clock: Clock
    ) -> Thought:
        return think({**view, "character": character}, question, legal, rng, clock)

    return think_in_character
