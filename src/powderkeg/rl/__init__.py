"""Doors for researchers: PettingZoo, Gymnasium, OpenSpiel and numpy over any game (extra `rl`)."""

from powderkeg.rl.gym import Seat
from powderkeg.rl.play import setting
from powderkeg.rl.vector import Vector
from powderkeg.rl.zoo import env, parallel_env, raw_env

__all__ = ["Seat", "Vector", "env", "parallel_env", "raw_env", "setting"]
