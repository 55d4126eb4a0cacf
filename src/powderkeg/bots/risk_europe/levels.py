"""The four levels: easy and normal plan one card, hard and expert look rounds ahead."""

from powderkeg.bots.engine.budget import Budget
from powderkeg.bots.engine.knowledge import Knowledge
from powderkeg.bots.engine.thought import ThinkingBot
from powderkeg.bots.game_bots import GameBots, Level, Tunable
from powderkeg.bots.risk_europe import weights
from powderkeg.bots.risk_europe.briefing import brief_player
from powderkeg.bots.risk_europe.line_search import PLAIN_TRIES, round_thinking
from powderkeg.bots.risk_europe.turn import PlayStyle, state_evaluator, style_thinking
from powderkeg.games import risk_europe

KNOWLEDGE = Knowledge(risk_europe, value=state_evaluator(weights.learnt_odds()))

FORESIGHT = PlayStyle(ahead=True, first=0, playouts=True)
_rollout_thinking = style_thinking(FORESIGHT, weights.learnt_odds())

LEVELS = {
    "easy": Level(
        style_thinking(PlayStyle(blunders=25, first=1), weights.learnt_odds()), Budget(1)
    ),
    "normal": Level(style_thinking(PlayStyle(), weights.learnt_odds()), Budget(1)),
    "hard": Level(
        style_thinking(PlayStyle(ahead=True, first=1), weights.learnt_odds()), Budget(40, 0.5)
    ),
    "expert": Level(
        round_thinking(FORESIGHT, weights.line_odds(), _rollout_thinking), Budget(3000, 3.0)
    ),
}
REFERENCES = {"former-expert": Level(_rollout_thinking, Budget(PLAIN_TRIES, 3.0))}


def _tuned_bot(found: dict[str, float]) -> ThinkingBot:
    return ThinkingBot(
        "normal", style_thinking(PlayStyle(), weights.replace_weights(found))(KNOWLEDGE), Budget(1)
    )


BOTS = GameBots(
    KNOWLEDGE,
    LEVELS,
    references=REFERENCES,
    briefing=brief_player,
    idle_actions=("order ", "done", "pass"),
    tunables={"normal": Tunable(weights.tuning_start(), _tuned_bot)},
)
