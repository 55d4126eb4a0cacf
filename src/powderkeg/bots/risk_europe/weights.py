"""What things are worth to a bot, as logarithms of odds to win. The numbers come from a tuning run, kept as data."""

import json
from dataclasses import asdict, dataclass, fields, replace
from functools import cache
from importlib.resources import files


@dataclass(frozen=True, slots=True)
class Weights:
    """The defaults are guesses; `tuned` are those that won."""

    crown: float = 0.8
    close: float = 2.0  # how much more the last crown is worth than the first
    tax: float = 0.02  # a coin of a territory's tax value
    land: float = 0.08
    gold: float = 0.3  # a city with a bonus shield
    castle: float = 0.4
    coin: float = 0.043
    rich: float = 0.5  # what is left of that for coins beyond `RICH`
    footman: float = 0.02
    archer: float = 0.06
    cavalry: float = 0.1
    siege: float = 0.3
    risk: float = 0.4  # how much of a city counts as lost that a neighbour could surely take
    chance: float = 0.03  # how much counts as won of what one could surely take oneself
    claim: float = 0.2  # the same for a city that nobody holds
    reach: float = 0.05  # and for one that is two steps away
    hired: float = 0.5  # a mercenary neighbour is so much less of a threat
    marker: float = 0.05
    mission: float = 0.4  # a mission almost completed
    hinder: float = 1.0  # what rivals lose, against what one gains
    heat: float = 1.0  # crowns that make a player e times as likely to win
    keep_tax: float = 0.22  # what a card is worth in the hand
    keep_king: float = 0.05
    keep_split: float = 0.4
    keep_fortify: float = 0.3
    keep_siege: float = 0.1

    @property
    def units(self) -> tuple[float, float, float, float]:
        return self.footman, self.archer, self.cavalry, self.siege


def start() -> dict[str, float]:
    """What a tuning run starts from: the weights as they are."""
    return asdict(tuned())


def of(found: dict[str, float]) -> Weights:
    names = {field.name for field in fields(Weights)}
    return replace(Weights(), **{name: n for name, n in found.items() if name in names})


@cache
def tuned() -> Weights:
    data = files(__package__) / "weights.json"
    return of(json.loads(data.read_text(encoding="utf-8"))["weights"]) if data.is_file() else of({})
