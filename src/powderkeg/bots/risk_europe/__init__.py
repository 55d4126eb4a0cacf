"""Bots for Risk Europe: the worth of a board, whole plans for a card, a matrix game for the picks."""

from powderkeg.bots.engine.budget import Budget
from powderkeg.bots.engine.knowledge import Knowledge
from powderkeg.bots.engine.thought import ThinkingBot
from powderkeg.bots.game_bots import GameBots, Level, Tunable
from powderkeg.bots.risk_europe import weights
from powderkeg.bots.risk_europe.turn import PlayStyle, state_evaluator, style_thinking
from powderkeg.games import risk_europe

KNOWLEDGE = Knowledge(risk_europe, value=state_evaluator(weights.learnt_odds()))

LEVELS = {
    "easy": Level(
        style_thinking(PlayStyle(blunders=25, first=1), weights.learnt_odds()), Budget(1)
    ),
    "normal": Level(style_thinking(PlayStyle(), weights.learnt_odds()), Budget(1)),
    "hard": Level(
        style_thinking(PlayStyle(ahead=True, first=1), weights.learnt_odds()), Budget(40, 1.5)
    ),
    "expert": Level(
        style_thinking(PlayStyle(ahead=True, first=0, playouts=True), weights.learnt_odds()),
        Budget(192, 12.0),
    ),
}


def _tuned_bot(found: dict[str, float]) -> ThinkingBot:
    return ThinkingBot(
        "normal", style_thinking(PlayStyle(), weights.replace_weights(found))(KNOWLEDGE), Budget(1)
    )


BOTS = GameBots(KNOWLEDGE, LEVELS, tunables={"normal": Tunable(weights.tuning_start(), _tuned_bot)})

__all__ = ["BOTS"]
