"""What the levels that look ahead look for; see `bench/diplomacy_taste.py` for where it is from."""

from typing import Final

from powderkeg.bots.diplomacy.engine import Taste

TASTE: Final = Taste(
    (0.76, 0.0, 0.0, -0.33, -0.24, 0.27, 0.06, 0.36),
    (0.94, 0.65, -0.88, -0.35, -0.24, 0.31, 0.055, 0.19),
    0.5,
)
