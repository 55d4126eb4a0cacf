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
    """All above zero. Chances are of 1; what is worth something is so in points."""

    table: float = 0.25  # of an issue, what a bare lead on the table is worth
    waiting: float = 0.12  # and in the waiting room
    margin: float = 5.0  # cubes of lead after which about two thirds of the doubt are gone
    follow: float = 0.1  # of the doubt, what belongs to those who come after the leader
    frail: float = 0.6  # of what is held, what a whole game to come will even out
    risk: float = 1.0  # of its stars, what an issue loses where an uprising is sure to be checked
    elsewhere: float = 0.4  # how often a region is checked that has not the most unrest
    cube: float = 0.35  # the first cube at hand, late in the game
    purse: float = 15.0  # cubes at hand after which one more is worth about a third of that
    placed: float = 0.25  # a cube on an open issue
    fade: float = 0.5  # of the worth of cubes, what is missing while the game is young
    unit: float = 1.7  # a unit at hand
    post: float = 1.5  # a deployed one
    tired_unit: float = 1.4  # an exhausted one
    mood: float = 0.15  # a step of happiness beside what it does for the rank
    step: float = 0.55  # a step of happiness where it is only guessed what it does for the rank
    gap: float = 2.5  # steps of happiness between two nations that make the rank likely
    hopes: float = 0.6  # a counter that suits a strategy which is not chosen yet
    soon: float = 0.4  # to choose what comes to the table, by settling
    bid: float = 0.8  # of an issue's worth, what it may cost at auction
    dive: float = 2.0  # how much more an issue must be worth to dive for it
    hinder: float = 0.25  # of the strongest rival's chance, what counts as the own loss
    heat: float = 4.0  # points that make a favourite, at the end
    haze: float = 4.0  # more of them while much is still to come


@cache
def learnt_points() -> PointWeights:
    """The weights that were learnt."""
    return PointWeights(**json.loads(WEIGHTS_FILE.read_text(encoding="utf-8"))["weights"])
