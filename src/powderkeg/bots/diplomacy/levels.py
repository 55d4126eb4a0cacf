"""The levels that look ahead: `hard` and `expert`."""

from typing import Final

from powderkeg.bots.diplomacy.plan.planners import dumb_turn, planner
from powderkeg.bots.diplomacy.plan.regret import Council
from powderkeg.bots.diplomacy.plan.search import Effort
from powderkeg.bots.diplomacy.turn import open_row, thinker
from powderkeg.bots.engine.budget import Clock
from powderkeg.bots.engine.knowledge import Knowledge
from powderkeg.bots.engine.random_bot import sample_node
from powderkeg.bots.engine.thought import Think, Thought
from powderkeg.core.ask import Question
from powderkeg.core.chance import Rng
from powderkeg.core.game import Action, Legal, View
from powderkeg.core.words import Msg

HARD: Final = Effort(plans=32, glance=8, finalists=10, samples=16, depth=1, rounds=1)
EXPERT: Final = Effort(plans=32, glance=8, finalists=12, samples=20, depth=1, rounds=4)


def hard_think(know: Knowledge) -> Think:
    """The best of many plans against guesses at what greedy players do."""
    return thinker(planner(HARD))


def expert_think(know: Knowledge) -> Think:
    """More of it, against players who think."""
    return thinker(planner(EXPERT, search=Council))


def dumb_think(know: Knowledge) -> Think:
    """Greedy by value."""
    return thinker(dumb_turn)


def easy_think(know: Knowledge) -> Think:
    """The same, but now and then a piece does whatever comes to its mind."""
    sober = thinker(dumb_turn)

    def think(view: View, question: Question, legal: Legal, rng: Rng, clock: Clock) -> Thought:
        row = open_row(question)
        if row is not None and view["stage"] == "movement" and rng.randrange(BLUNDER) == 0:
            action: Action | None = sample_node(know.game, row.node, legal, rng)
            if action is not None:
                return Thought(action, Msg("bots.reason.random"))
        return sober(view, question, legal, rng, clock)

    return think


BLUNDER: Final = 3  # an easy bot gives about one order in three without thinking
