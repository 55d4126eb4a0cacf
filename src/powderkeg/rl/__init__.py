"""Doors for researchers: PettingZoo, Gymnasium, OpenSpiel and numpy over any game (extra `rl`)."""

from powderkeg.rl.gym import SeatEnv
from powderkeg.rl.play import make_setting
from powderkeg.rl.vector import VectorGames
from powderkeg.rl.zoo import env, parallel_env, raw_env

__all__ = ["SeatEnv", "VectorGames", "env", "make_setting", "parallel_env", "raw_env"]
