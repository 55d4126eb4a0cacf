"""Evaluation of a state: how much of the game each seat may expect."""

import math
from dataclasses import replace

from powderkeg.bots.diplomacy.numbers.engine import PlainEngine
from powderkeg.bots.diplomacy.numbers.kernel import SPRING
from powderkeg.bots.diplomacy.numbers.position import read_scene
from powderkeg.bots.diplomacy.weights import FITTED_WEIGHTS
from powderkeg.bots.engine.shares import Shares
from powderkeg.games import diplomacy
from powderkeg.games.diplomacy.state import State


def evaluate_state(state: State) -> Shares:
    """The share of the game that each seat may expect, before anybody moves."""
    view = diplomacy.view(state, None)
    scene = read_scene(view)
    values = PlainEngine().evaluate_units(
        replace(scene, season=SPRING), [scene.units], [1], 0, FITTED_WEIGHTS
    )[0]
    total = math.fsum(values) or 1.0
    return {seat: n / total for seat, n in zip(view["seats"], values, strict=True)}
