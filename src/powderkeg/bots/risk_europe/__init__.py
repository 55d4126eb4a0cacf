"""Bots for Risk Europe: the worth of a board, whole plans for a card, a matrix game for the picks."""

from powderkeg.bots.engine.budget import Budget
from powderkeg.bots.engine.knowledge import Knowledge
from powderkeg.bots.engine.thought import ThinkingBot
from powderkeg.bots.game_bots import GameBots, Level, Tunable
from powderkeg.bots.risk_europe import weights
from powderkeg.bots.risk_europe.turn import Style, player, value
from powderkeg.games import risk_europe

KNOWLEDGE = Knowledge(risk_europe, value=value(weights.tuned()))

LEVELS = {
    "easy": Level(player(Style(blunders=25, first=1), weights.tuned()), Budget(1)),
    "normal": Level(player(Style(), weights.tuned()), Budget(1)),
    "hard": Level(player(Style(ahead=True, first=1), weights.tuned()), Budget(40, 1.5)),
    "expert": Level(
        player(Style(ahead=True, first=0, playouts=True), weights.tuned()),
        Budget(192, 12.0),
    ),
}


def _normal(found: dict[str, float]) -> ThinkingBot:
    return ThinkingBot("normal", player(Style(), weights.of(found))(KNOWLEDGE), Budget(1))


BOTS = GameBots(KNOWLEDGE, LEVELS, tunables={"normal": Tunable(weights.start(), _normal)})

__all__ = ["BOTS"]
