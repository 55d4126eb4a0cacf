"""Bots of a game of its own: a value, one level, a scoring."""

from powderkeg.bots.engine.budget import Budget
from powderkeg.bots.engine.knowledge import Knowledge
from powderkeg.bots.engine.one_ply import one_ply_search
from powderkeg.bots.game_bots import GameBots, Level
from tests.bots import nim


def value(state: nim.State) -> dict[str, float]:
    lost = state.left % 4 == 0
    mover = nim.SEATS[state.turn]
    return {seat: float((seat == mover) != lost) for seat in nim.SEATS}


def share_scoring(result, state):
    """Who would win decides a game that was stopped."""
    return {s: float(s in result.winners) for s in nim.SEATS} if result else value(state)


BOTS = GameBots(
    Knowledge(nim, value=value),
    {"normal": Level(one_ply_search, Budget(30))},
    share_scoring=share_scoring,
)
