"""What the levels that look ahead look for: weights, with the run that made them in the file.

They are fitted to games (`bench/diplomacy_weights.py`). `powderkeg tune diplomacy values` looks for
factors with which they play better than they predict; `tuning.json` keeps the last such run.
"""

import json
from dataclasses import dataclass
from importlib.resources import files
from typing import Final

from powderkeg.bots.diplomacy.numbers.kernel import SPRING


@dataclass(frozen=True, slots=True)
class Taste:
    """What a bot looks for: weights of `kernel.features` by the season that comes next, and how
    much centres count beside their squares."""

    spring: tuple[float, ...]
    fall: tuple[float, ...]
    mix: float

    def weights(self, season: int) -> list[float]:
        return [*(self.spring if season == SPRING else self.fall)]


# What `kernel.features` counts, in its order. Own centres are the measure of all the others.
FEATURES: Final = ("held", "taken", "lost", "weak", "watched", "open", "near", "units")


def _read() -> Taste:
    text = (files(__package__) / "weights.json").read_text(encoding="utf-8")
    found = json.loads(text)
    return Taste(tuple(found["spring"]), tuple(found["fall"]), found["mix"])


TASTE: Final = _read()
AS_IT_IS: Final = {**dict.fromkeys(FEATURES[1:], 1.0), "mix": TASTE.mix}


def tasted(factors: dict[str, float]) -> Taste:
    """Our weights times these factors, and another mix."""
    by = [factors.get(name, 1.0) for name in FEATURES]
    spring = tuple(w * f for w, f in zip(TASTE.spring, by, strict=True))
    fall = tuple(w * f for w, f in zip(TASTE.fall, by, strict=True))
    return Taste(spring, fall, min(1.0, factors["mix"]))
