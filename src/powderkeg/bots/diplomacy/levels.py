"""The four levels as thinking bots: easy and normal are greedy, hard and expert search."""

from typing import Final

from powderkeg.bots.diplomacy.plan.planners import greedy_turn, search_planner
from powderkeg.bots.diplomacy.plan.regret import RegretSearch
from powderkeg.bots.diplomacy.plan.search import SearchEffort
from powderkeg.bots.diplomacy.turn import follow_planner, open_row
from powderkeg.bots.engine.budget import Clock
from powderkeg.bots.engine.knowledge import Knowledge
from powderkeg.bots.engine.random_bot import sample_node
from powderkeg.bots.engine.thought import Think, Thought
from powderkeg.core.ask import Question
from powderkeg.core.chance import Rng
from powderkeg.core.game import Action, Legal, View
from powderkeg.core.words import Msg

BLUNDER_EVERY: Final = 3  # an easy bot gives about one order in three at random
HARD_EFFORT: Final = SearchEffort(plans=32, glance=8, finalists=10, samples=16, depth=1, rounds=1)
EXPERT_EFFORT: Final = SearchEffort(plans=32, glance=8, finalists=12, samples=20, depth=1, rounds=4)


def easy_think(know: Knowledge) -> Think:
    """Greedy, with random orders in between."""
    greedy = follow_planner(greedy_turn)

    def think(view: View, question: Question, legal: Legal, rng: Rng, clock: Clock) -> Thought:
        row = open_row(question)
        if row is not None and view["stage"] == "movement" and rng.randrange(BLUNDER_EVERY) == 0:
            action: Action | None = sample_node(know.game, row.node, legal, rng)
            if action is not None:
                return Thought(action, Msg("bots.reason.random"))
        return greedy(view, question, legal, rng, clock)

    return think


def normal_think(know: Knowledge) -> Think:
    """Greedy: every unit goes where the worth is highest."""
    return follow_planner(greedy_turn)


def hard_think(know: Knowledge) -> Think:
    """The best of many plans against guesses of what greedy players do."""
    return follow_planner(search_planner(HARD_EFFORT))


def expert_think(know: Knowledge) -> Think:
    """A longer search, against players who search as well."""
    return follow_planner(search_planner(EXPERT_EFFORT, search=RegretSearch))
