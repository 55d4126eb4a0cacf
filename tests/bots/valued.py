"""Bots of a game's own, as a module that `levels.own` might find."""

from powderkeg.bots.engine.budget import Budget
from powderkeg.bots.engine.search import Knowledge, one_ply
from powderkeg.bots.levels import Level
from tests.bots import nim


def value(state: nim.State) -> dict[str, float]:
    lost = state.left % 4 == 0
    mover = nim.SEATS[state.turn]
    return {seat: float((seat == mover) != lost) for seat in nim.SEATS}


KNOWLEDGE = Knowledge(nim, value=value)
LEVELS = {"normal": Level(one_ply, Budget(30))}


def SHARES(result, state):  # noqa: N802  # a constant to its readers
    """Who would win decides a game that was stopped."""
    return {s: float(s in result.winners) for s in nim.SEATS} if result else value(state)
