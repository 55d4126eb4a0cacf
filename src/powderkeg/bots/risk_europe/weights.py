"""Evaluation weights as logarithms of the odds to win; `weights.json` says how they were found."""

import json
from dataclasses import asdict, dataclass, replace
from functools import cache
from importlib.resources import files
from typing import Any, Final


@dataclass(frozen=True, slots=True)
class OddsWeights:
    """All above zero, so that they can be tuned on a logarithmic scale."""

    crown: float
    close: float  # how much more the last crown is worth than the first
    tax: float  # a coin of a territory's tax value
    land: float
    gold: float  # a city with a bonus shield
    castle: float
    coin: float
    rich: float  # what is left of that for coins beyond `RICH`
    footman: float
    archer: float
    cavalry: float
    siege: float
    risk: float  # loss counted for a city that a neighbour could surely take
    chance: float  # gain counted for a city that the player could surely take
    claim: float  # the same for an unowned city
    reach: float  # and for one two steps away
    hired: float  # factor for the threat of a mercenary neighbour
    marker: float
    mission: float  # a mission almost completed
    hinder: float  # weight of rivals' losses against own gains
    heat: float  # value that makes a player e times as likely to win
    keep_tax: float  # a card in the hand
    keep_king: float
    keep_split: float
    keep_fortify: float
    keep_siege: float

    @property
    def units(self) -> tuple[float, float, float, float]:
        return self.footman, self.archer, self.cavalry, self.siege


# `crown` and `heat` set the scale of all others; the rest changes nothing in the basic game of four.
FIXED_WEIGHTS: Final = ("crown", "heat", "hired", "mission")


def tuning_start() -> dict[str, float]:
    """The start of a tuning run: the current weights."""
    return {
        name: worth for name, worth in asdict(learnt_odds()).items() if name not in FIXED_WEIGHTS
    }


def replace_weights(found: dict[str, float]) -> OddsWeights:
    """The current weights, with those in `found` replaced."""
    return replace(learnt_odds(), **found)


@cache
def learnt_odds() -> OddsWeights:
    return OddsWeights(**_stored_weights()["weights"])


@cache
def line_odds() -> OddsWeights:
    """The weights of players in compiled lines, which were tuned in compiled games."""
    return OddsWeights(**_stored_weights()["lines"]["weights"])


def _stored_weights() -> Any:
    return json.loads((files(__package__) / "weights.json").read_text(encoding="utf-8"))
