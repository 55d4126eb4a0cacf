"""Bots for Diplomacy. They are asked for one order at a time and plan the whole turn."""

from powderkeg.bots.diplomacy.evaluate import evaluate_state
from powderkeg.bots.diplomacy.levels import (
    EXPERT_EFFORT,
    HARD_EFFORT,
    easy_think,
    expert_think,
    hard_think,
    normal_think,
)
from powderkeg.bots.diplomacy.plan.planners import greedy_turn, search_planner
from powderkeg.bots.diplomacy.plan.regret import RegretSearch
from powderkeg.bots.diplomacy.press import envoy
from powderkeg.bots.diplomacy.review import turn_judge
from powderkeg.bots.diplomacy.tuning import play_quick_game
from powderkeg.bots.diplomacy.turn import follow_planner
from powderkeg.bots.diplomacy.weights import START_FACTORS, scaled_weights
from powderkeg.bots.engine.budget import Budget
from powderkeg.bots.engine.knowledge import Knowledge
from powderkeg.bots.engine.thought import Bot, ThinkingBot
from powderkeg.bots.game_bots import GameBots, Level, Tunable
from powderkeg.games import diplomacy

LEVELS = {
    "easy": Level(easy_think, Budget(1), turn_judge(greedy_turn)),
    "normal": Level(normal_think, Budget(1), turn_judge(greedy_turn)),
    "hard": Level(hard_think, Budget(3000, 1.0), turn_judge(search_planner(HARD_EFFORT))),
    "expert": Level(
        expert_think,
        Budget(20_000, 10.0),
        turn_judge(search_planner(EXPERT_EFFORT, search=RegretSearch)),
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
    envoy=envoy,
    tunables={"values": Tunable(START_FACTORS, _tunable, _trial)},
)

__all__ = ["BOTS"]
