"""What the levels that look ahead look for: weights, with the runs that made them in the file.

The weights are fitted to games (`bench/diplomacy_taste.py`); `powderkeg tune diplomacy values` looks
for factors by which they play better than they predict.
"""

import json
from importlib.resources import files
from typing import Final

from powderkeg.bots.diplomacy.engine import Taste

# What `kernel.features` counts, in its order. Own centres are the measure of all the others.
FEATURES: Final = ("held", "taken", "lost", "weak", "watched", "open", "near", "units")


def _read() -> tuple[Taste, dict[str, float]]:
    text = (files(__package__) / "data" / "taste.json").read_text(encoding="utf-8")
    found = json.loads(text)
    fitted = Taste(tuple(found["spring"]), tuple(found["fall"]), found["mix"])
    return fitted, found.get("tuned", {}).get("weights", {})


def tasted(fitted: Taste, factors: dict[str, float]) -> Taste:
    """The fitted weights times what was tuned; what was not stays."""
    by = [factors.get(name, 1.0) for name in FEATURES]
    spring = tuple(w * f for w, f in zip(fitted.spring, by, strict=True))
    fall = tuple(w * f for w, f in zip(fitted.fall, by, strict=True))
    return Taste(spring, fall, min(1.0, factors.get("mix", fitted.mix)))


FITTED, TUNED = _read()
TASTE: Final = tasted(FITTED, TUNED)
