"""Positions for the tests of plans, as a bot sees them."""

from typing import Any

from powderkeg.games.diplomacy.board import POWERS


def bare_view(season: str = "fall", **units: list[str]) -> dict[str, Any]:
    """A movement with these units; the first power is to plan, and nobody owns a centre."""
    everybody = {power: units.get(power, []) for power in POWERS}
    return {
        "seat": next(iter(units)),
        "season": season,
        "stage": "movement",
        "units": everybody,
        "centres": {power: [] for power in POWERS},
        "seats": {power: {"powers": [power]} for power in POWERS},
        "target": 18,
        "neutral": [],
        "options": {},
        "drafts": {},
    }
