"""Bots for Diplomacy. They are asked for one order at a time and plan the whole turn."""

from powderkeg.bots.budget import Budget
from powderkeg.bots.diplomacy import envoy
from powderkeg.bots.diplomacy.deep import expert_think, hard_think, value
from powderkeg.bots.diplomacy.play import dumb_think, easy_think
from powderkeg.bots.envoy import Envoy
from powderkeg.bots.levels import Level
from powderkeg.bots.search import Knowledge
from powderkeg.games import diplomacy

KNOWLEDGE = Knowledge(diplomacy, value)
LEVELS = {
    "easy": Level(easy_think, Budget(1)),
    "normal": Level(dumb_think, Budget(1)),
    "hard": Level(hard_think, Budget(3000, 1.0)),
    "expert": Level(expert_think, Budget(20_000, 10.0)),
}
ENVOY: Envoy = envoy
