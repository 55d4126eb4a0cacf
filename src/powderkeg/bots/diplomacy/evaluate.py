"""Evaluation of a position before anybody has moved."""

import math
from dataclasses import replace

from powderkeg.bots.diplomacy.numbers.engine import Plain
from powderkeg.bots.diplomacy.numbers.kernel import SPRING
from powderkeg.bots.diplomacy.numbers.position import scene_of
from powderkeg.bots.diplomacy.weights import TASTE
from powderkeg.bots.engine.shares import Shares
from powderkeg.games import diplomacy
from powderkeg.games.diplomacy.state import State


def value(state: State) -> Shares:
    """What a position promises each seat, before anybody has moved."""
    view = diplomacy.view(state, None)
    scene = scene_of(view)
    values = Plain().outlook(replace(scene, season=SPRING), [scene.units], [1], 0, TASTE)[0]
    total = math.fsum(values) or 1.0
    return {seat: n / total for seat, n in zip(view["seats"], values, strict=True)}
