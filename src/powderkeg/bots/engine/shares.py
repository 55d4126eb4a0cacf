"""Shares of a game: what each seat may expect, and what a result gives it."""

import math
from collections.abc import Sequence
from typing import TypeAlias

from powderkeg.core.game import Result, Seat

Shares: TypeAlias = dict[Seat, float]
"""What each seat may expect of the game; one game is worth 1 in all."""


def spread(gaps: Sequence[float]) -> tuple[float, float]:
    """The mean of what was found in some worlds, and its standard error."""
    mean = math.fsum(gaps) / len(gaps)
    squares = math.fsum((gap - mean) ** 2 for gap in gaps)
    return mean, math.sqrt(squares / max(1, len(gaps) - 1) / len(gaps))


def sure(mean: float, error: float) -> float:
    """A loss, unless it could be chance."""
    return mean if mean > 2 * error else 0.0


PLACE = 0.2  # how much of an outcome is the score and not the victory


def outcome(result: Result) -> Shares:
    """What a finished game is worth to each seat: victory, and a little for the score.

    The score counts by squares, so that it is worth something to a loser to come closer.
    """
    if len(result.scores) == 1:  # alone there is nobody to share with: the score alone counts
        return {seat: 1 / (1 + math.exp(-score / 20)) for seat, score in result.scores.items()}
    squares = square_shares(result.scores)
    win = (1 - PLACE) / len(result.winners)
    return {
        seat: PLACE * share + (win if seat in result.winners else 0.0)
        for seat, share in squares.items()
    }


def square_shares(scores: dict[Seat, float]) -> Shares:
    """Each seat's part of the sum of squares; scores below zero are lifted to it."""
    low = min(0.0, *scores.values())
    squares = {seat: (score - low) ** 2 for seat, score in scores.items()}
    total = sum(squares.values())
    return {seat: n / total if total else 1 / len(squares) for seat, n in squares.items()}
