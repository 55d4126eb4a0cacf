"""Evaluation weights of hard and expert.

`weights.json` holds the weights and the run that fitted them to games (`bench/diplomacy_weights.py`).
`powderkeg tune diplomacy values` looks for factors with which they play better; `tuning.json` keeps
the last such run.
"""

import json
from dataclasses import dataclass
from importlib.resources import files
from typing import Final

from powderkeg.bots.diplomacy.numbers.kernel import SPRING


@dataclass(frozen=True, slots=True)
class PositionWeights:
    """Weights of the features that `kernel.count_features` counts, by the season of the next movement;
    `mix` is the part of the value that depends on centres, the rest on their squares."""

    spring: tuple[float, ...]
    fall: tuple[float, ...]
    mix: float

    def for_season(self, season: int) -> list[float]:
        """The weights before a movement of this season."""
        return [*(self.spring if season == SPRING else self.fall)]


# Features in the order of `kernel.count_features`. The weight of centres held is the unit.
FEATURE_NAMES: Final = ("held", "taken", "lost", "weak", "watched", "open", "near", "units")


def _load_weights() -> PositionWeights:
    text = (files(__package__) / "weights.json").read_text(encoding="utf-8")
    found = json.loads(text)
    return PositionWeights(tuple(found["spring"]), tuple(found["fall"]), found["mix"])


FITTED_WEIGHTS: Final = _load_weights()
_HELD_ONLY: Final = (1.0,) + (0.0,) * (len(FEATURE_NAMES) - 1)
FINAL_WEIGHTS: Final = PositionWeights(_HELD_ONLY, _HELD_ONLY, 0.0)  # when the last year is over
START_FACTORS: Final = {**dict.fromkeys(FEATURE_NAMES[1:], 1.0), "mix": FITTED_WEIGHTS.mix}


def scaled_weights(factors: dict[str, float]) -> PositionWeights:
    """The fitted weights times these factors, with another mix."""
    by = [factors.get(name, 1.0) for name in FEATURE_NAMES]
    spring = tuple(w * f for w, f in zip(FITTED_WEIGHTS.spring, by, strict=True))
    fall = tuple(w * f for w, f in zip(FITTED_WEIGHTS.fall, by, strict=True))
    return PositionWeights(spring, fall, min(1.0, factors["mix"]))
