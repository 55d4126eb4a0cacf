"""Card values of older versions, so that stored games replay with the cards they were played with."""

import json
from typing import Any, Final

from powderkeg.core.cards.packs import parse_changes

# What later versions corrected, with the value it had; paths are those of a pack.
PAST_VALUES: Final[dict[int, dict[str, Any]]] = {
    1: {
        "issues.anschluss.options.no.happiness": {},
        "strategies.mobilization.conditions.4.counts": "unrest_high",
        "strategies.regional_competition.conditions.2.counts": "naval",
        "strategies.revanchism.conditions.3.counts": "naval",
    }
}


def past_pack(version: int, pack: str) -> str:
    """`Options.pack` of a game of this version: its own changes on top of the cards of its time."""
    changes = PAST_VALUES.get(version, {}) | (parse_changes(pack) if pack else {})
    return json.dumps(changes, sort_keys=True, separators=(",", ":")) if changes else ""
