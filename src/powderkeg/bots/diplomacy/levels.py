"""The levels: easy and normal are greedy, hard and expert search."""

from typing import Final

from powderkeg.bots.characters import CHARACTER_NAMES
from powderkeg.bots.diplomacy.briefing import brief_player
from powderkeg.bots.diplomacy.evaluate import evaluate_state
from powderkeg.bots.diplomacy.plan.foresight import ForesightSearch
from powderkeg.bots.diplomacy.plan.openings import with_book
from powderkeg.bots.diplomacy.plan.planners import careless_turn, greedy_turn, search_planner
from powderkeg.bots.diplomacy.plan.search import SearchEffort
from powderkeg.bots.diplomacy.press import envoy
from powderkeg.bots.diplomacy.references import QUICK_PLANNER, REFERENCES
from powderkeg.bots.diplomacy.review import turn_judge
from powderkeg.bots.diplomacy.tuning import play_quick_game
from powderkeg.bots.diplomacy.turn import follow_planner, open_row
from powderkeg.bots.diplomacy.weights import START_FACTORS, scaled_weights
from powderkeg.bots.engine.budget import Budget, Clock
from powderkeg.bots.engine.knowledge import Knowledge
from powderkeg.bots.engine.random_bot import sample_node
from powderkeg.bots.engine.thought import Bot, Think, ThinkingBot, Thought
from powderkeg.bots.game_bots import GameBots, Level, Tunable
from powderkeg.core.ask import Question
from powderkeg.core.chance import Rng
from powderkeg.core.game import Action, Legal, View
from powderkeg.core.words import Msg
from powderkeg.games import diplomacy

BLUNDER_EVERY: Final = 3  # an easy bot gives about one order in three at random
HARD_EFFORT: Final = SearchEffort(plans=32, glance=8, finalists=10, samples=16, depth=1, rounds=1)
EXPERT_EFFORT: Final = SearchEffort(
    plans=48, glance=12, finalists=20, samples=32, depth=1, rounds=6
)


def _easy_think(know: Knowledge) -> Think:
    """Greedy, with random orders in between."""
    greedy = follow_planner(careless_turn)

    def think(view: View, question: Question, legal: Legal, rng: Rng, clock: Clock) -> Thought:
        row = open_row(question)
        if row is not None and view["stage"] == "movement" and rng.randrange(BLUNDER_EVERY) == 0:
            action: Action | None = sample_node(know.game, row.node, legal, rng)
            if action is not None:
                return Thought(action, Msg("bots.reason.random"))
        return greedy(view, question, legal, rng, clock)

    return think


def _normal_think(know: Knowledge) -> Think:
    """Greedy: every unit goes where the worth is highest."""
    return follow_planner(with_book(greedy_turn))


def _hard_think(know: Knowledge) -> Think:
    """The best of many plans against guesses of what greedy players do."""
    return follow_planner(with_book(search_planner(HARD_EFFORT)))


def _expert_think(know: Knowledge) -> Think:
    """A longer search, against what the others would find by search."""
    return follow_planner(with_book(search_planner(EXPERT_EFFORT, search=ForesightSearch)))


def _adviser_think(know: Knowledge) -> Think:
    """`hard` without the book: people want to see what the moves are worth."""
    return follow_planner(search_planner(HARD_EFFORT))


LEVELS = {
    "easy": Level(_easy_think, Budget(1), turn_judge(careless_turn)),
    "normal": Level(_normal_think, Budget(1), turn_judge(greedy_turn)),
    "hard": Level(_hard_think, Budget(3000, 1.0), turn_judge(search_planner(HARD_EFFORT))),
    "expert": Level(  # its judge is quicker, because it goes through whole games
        _expert_think, Budget(60_000, 10.0), turn_judge(QUICK_PLANNER)
    ),
}


def _tunable(weights: dict[str, float]) -> Bot:
    """`hard` with other values."""
    think = follow_planner(search_planner(HARD_EFFORT, scaled_weights(weights)))
    return ThinkingBot("values", think, LEVELS["hard"].budget)


def _trial(weights: dict[str, float], players: int, seed: int, seat: int) -> float:
    return play_quick_game(scaled_weights(weights), players, seed, seat)


BOTS = GameBots(
    Knowledge(diplomacy, evaluate_state),
    LEVELS,
    references=REFERENCES,
    adviser=Level(_adviser_think, LEVELS["hard"].budget),
    characters=CHARACTER_NAMES,
    envoy=envoy,
    briefing=brief_player,
    idle_actions=("ready", "revise"),
    tunables={"values": Tunable(START_FACTORS, _tunable, _trial)},
)
