"""Bots for Diplomacy. They are asked for one order at a time and plan the whole turn each time."""

from powderkeg.bots.budget import Budget
from powderkeg.bots.diplomacy.play import dumb_think, easy_think, response_think
from powderkeg.bots.levels import Level

LEVELS = {
    "easy": Level(easy_think, Budget(1)),
    "normal": Level(dumb_think, Budget(1)),
    "hard": Level(response_think, Budget(8, 1.0)),
    "expert": Level(response_think, Budget(8, 10.0)),
}
