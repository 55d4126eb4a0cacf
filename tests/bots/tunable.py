"""Something to tune: how much a high card and a low card are worth to a simple player."""

from typing import Any

from powderkeg.bots.game_bots import Tunable


def make(weights: dict[str, float]) -> Any:
    def bot(view: Any, question: Any, legal: Any, rng: Any) -> Any:
        def worth(action: Any) -> float:
            number = int(str(action)[-1]) if str(action).startswith("card") else 0
            said = {"draw": 2.0, "stand": weights["stand"], "duck": 1.0}.get(str(action), 0.0)
            return number * weights["high"] + (9 - number) * weights["low"] + said

        return max(legal, key=worth)

    return bot


def trial(weights: dict[str, float], players: int, seed: int, seat: int) -> float:
    """As if high cards did half of their part, and luck and the seat the rest."""
    return weights["high"] / weights["low"] + (seed * players + seat) % 3 / 10


CARDS = Tunable({"high": 1.0, "low": 1.1, "stand": 1.0}, make)
TRIED = Tunable(CARDS.start, make, trial)
