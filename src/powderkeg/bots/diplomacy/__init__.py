"""Bots for Diplomacy. They are asked for one order at a time and plan the whole turn."""

from powderkeg.bots.diplomacy.evaluate import value
from powderkeg.bots.diplomacy.levels import (
    EXPERT,
    HARD,
    dumb_think,
    easy_think,
    expert_think,
    hard_think,
)
from powderkeg.bots.diplomacy.plan.planners import dumb_turn, planner
from powderkeg.bots.diplomacy.plan.regret import Council
from powderkeg.bots.diplomacy.press import envoy
from powderkeg.bots.diplomacy.review import judge
from powderkeg.bots.diplomacy.tuning import quick_game
from powderkeg.bots.diplomacy.turn import thinker
from powderkeg.bots.diplomacy.weights import AS_IT_IS, tasted
from powderkeg.bots.engine.budget import Budget
from powderkeg.bots.engine.knowledge import Knowledge
from powderkeg.bots.engine.thought import Bot, ThinkingBot
from powderkeg.bots.game_bots import GameBots, Level, Tunable
from powderkeg.games import diplomacy

LEVELS = {
    "easy": Level(easy_think, Budget(1), judge(dumb_turn)),
    "normal": Level(dumb_think, Budget(1), judge(dumb_turn)),
    "hard": Level(hard_think, Budget(3000, 1.0), judge(planner(HARD))),
    "expert": Level(expert_think, Budget(20_000, 10.0), judge(planner(EXPERT, search=Council))),
}


def _tunable(weights: dict[str, float]) -> Bot:
    """`hard` with other values."""
    think = thinker(planner(HARD, tasted(weights)))
    return ThinkingBot("values", think, LEVELS["hard"].budget)


def _trial(weights: dict[str, float], players: int, seed: int, seat: int) -> float:
    return quick_game(tasted(weights), players, seed, seat)


BOTS = GameBots(
    Knowledge(diplomacy, value),
    LEVELS,
    envoy=envoy,
    tunables={"values": Tunable(AS_IT_IS, _tunable, _trial)},
)

__all__ = ["BOTS"]
