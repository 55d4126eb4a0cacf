"""Evaluation weights, in points of the final score.

The defaults were set by hand and serve easy and normal. `weights.json` holds the weights learnt from
play, with the runs that made them, the last by `powderkeg tune`; they serve hard and expert.
"""

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path

WEIGHTS_FILE = Path(__file__).with_name("weights.json")


@dataclass(frozen=True, slots=True)
class PointWeights:
    """Weights, all above zero: chances from 0 to 1, values in points."""

    table: float = 0.25  # part of an issue's value for a bare lead on the table
    waiting: float = 0.12  # and in the waiting room
    margin: float = 5.0  # cubes of lead that remove about two thirds of the doubt
    follow: float = 0.1  # part of the doubt that counts for the players behind the leader
    frail: float = 0.6  # part of what is held that a whole game will even out
    risk: float = (
        1.0  # part of its stars that an issue loses if an uprising is certain to be checked
    )
    elsewhere: float = 0.4  # how often a region without the most unrest is checked
    cube: float = 0.35  # the first cube at hand, late in the game
    purse: float = 15.0  # cubes at hand after which one more is worth about a third of that
    placed: float = 0.25  # a cube on an open issue
    fade: float = 0.5  # part of the value of cubes that is missing early in the game
    unit: float = 1.7  # a unit at hand
    post: float = 1.5  # a deployed one
    tired_unit: float = 1.4  # an exhausted one
    mood: float = 0.15  # a step of happiness, apart from its effect on the rank
    step: float = 0.55  # a step of happiness if its effect on the rank is only a guess
    gap: float = 2.5  # steps of happiness between two nations that make their order likely
    hopes: float = 0.6  # a counter that suits a strategy which is not chosen yet
    soon: float = 0.4  # choosing the next issue by settling
    bid: float = 0.8  # part of an issue's value that a bid may cost
    dive: float = 2.0  # how much more an issue must be worth to dive for it
    hinder: float = 0.25  # part of the strongest rival's chance that counts as a loss
    heat: float = 4.0  # points of lead that make a favourite, at the end
    haze: float = 4.0  # more of them early in the game


@cache
def learnt_points() -> PointWeights:
    """The learnt weights."""
    return PointWeights(**json.loads(WEIGHTS_FILE.read_text(encoding="utf-8"))["weights"])
