"""What a bot cares about, in points of the final score. The numbers are data: see `weights.json`."""

import json
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path

FILE = Path(__file__).with_name("weights.json")  # written by `powderkeg tune`, with its run


@dataclass(frozen=True, slots=True)
class Weights:
    """All above zero. Chances are of 1; what is worth something is so in points."""

    table: float = 0.55  # the chance that a bare lead on the table holds
    waiting: float = 0.4  # and in the waiting room
    margin: float = 2.5  # cubes of lead after which about two thirds of the doubt are gone
    follow: float = 0.3  # of the doubt, what belongs to those who come after the leader
    cube: float = 0.5  # the first cube at hand, when the game is young
    purse: float = 8.0  # cubes at hand after which one more is worth about a third of that
    tired_cube: float = 0.12  # an exhausted one
    unit: float = 0.8  # a unit at hand
    post: float = 0.8  # a deployed one
    tired_unit: float = 0.5  # an exhausted one
    mood: float = 0.12  # a step of happiness beside what it does for the rank
    gap: float = 3.5  # steps of happiness between two nations that make the rank likely
    hopes: float = 0.6  # a counter that suits a strategy which is not chosen yet
    risk: float = 0.35  # of its stars, what an issue loses where an uprising is sure to be checked
    elsewhere: float = 0.4  # how often a region is checked that has not the most unrest
    hinder: float = 0.25  # of the strongest rival's chance, what counts as the own loss
    heat: float = 3.0  # points that make a favourite, at the end
    haze: float = 6.0  # more of them while much is still to come


def start() -> dict[str, float]:
    """The weights by name, as they are before any tuning."""
    return asdict(Weights())


@cache
def tuned() -> Weights:
    """The weights that the levels play with."""
    if not FILE.exists():
        return Weights()
    return Weights(**json.loads(FILE.read_text(encoding="utf-8"))["weights"])
