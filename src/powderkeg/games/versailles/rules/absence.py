"""The harmless answer for a player who misses a deadline."""

from typing import Any

from powderkeg.games.versailles.actions import (
    Advance,
    Cube,
    Decline,
    DrawCards,
    End,
    Modify,
    Pass,
    Place,
    Reclaim,
    Settle,
    TakeOption,
)
from powderkeg.games.versailles.board import GAME_END
from powderkeg.games.versailles.rules.settle import deck_size
from powderkeg.games.versailles.state import Position
from powderkeg.games.versailles.steps import ChooseOption


def answer_harm(p: Position, action: Any) -> tuple[int, int]:
    """How much harm an answer could do for a player who is away: less is better."""
    match action:
        case End() | Pass() | Decline() | Modify(0) | Cube(False):
            return 0, 0
        case Reclaim(n, regions):
            return 1, len(regions) - n  # cubes home, units stay
        case Place(_, n):
            return 2, n
        case Settle(issue):
            return 3, issue == GAME_END
        case TakeOption(option):
            return 1, _option_unhappiness(p, option)
        case DrawCards():
            return (0 if deck_size(p) else 9), 0  # an empty deck would end the game
        case Advance(card):
            return 1, card == GAME_END
    return 5, 0


def _option_unhappiness(p: Position, option: str) -> int:
    step = p.agenda[-1]
    if not isinstance(step, ChooseOption):
        return 0
    issue = p.pack.issues[step.issue]
    return -issue.options[issue.option(option)].mood(step.nation)
