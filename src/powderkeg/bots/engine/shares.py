"""Shares of a game: the type, and how a result is divided."""

import math
from collections.abc import Sequence
from typing import TypeAlias

from powderkeg.core.game import Result, Seat

Shares: TypeAlias = dict[Seat, float]
"""The expected share of each seat; the shares of a game add up to 1."""


def mean_with_error(gaps: Sequence[float]) -> tuple[float, float]:
    """The mean over some worlds, and its standard error."""
    mean = math.fsum(gaps) / len(gaps)
    squares = math.fsum((gap - mean) ** 2 for gap in gaps)
    return mean, math.sqrt(squares / max(1, len(gaps) - 1) / len(gaps))


def significant_loss(mean: float, error: float) -> float:
    """The loss, or 0 if it could be chance."""
    return mean if mean > 2 * error else 0.0


SCORE_PART = 0.2  # how much of an outcome is the score and not the victory


def outcome_shares(result: Result) -> Shares:
    """Each seat's share of a finished game: victory, and a little for the score.

    The score counts by squares, so that a losing player still gains by coming closer.
    """
    if len(result.scores) == 1:  # in solitaire only the score counts
        return {seat: 1 / (1 + math.exp(-score / 20)) for seat, score in result.scores.items()}
    squares = square_shares(result.scores)
    win = (1 - SCORE_PART) / len(result.winners)
    return {
        seat: SCORE_PART * share + (win if seat in result.winners else 0.0)
        for seat, share in squares.items()
    }


def square_shares(scores: dict[Seat, float]) -> Shares:
    """Each seat's part of the sum of squares; with negative scores, all count from the lowest."""
    low = min(0.0, *scores.values())
    squares = {seat: (score - low) ** 2 for seat, score in scores.items()}
    total = sum(squares.values())
    return {seat: n / total if total else 1 / len(squares) for seat, n in squares.items()}
