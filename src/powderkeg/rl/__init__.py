"""Doors for researchers: PettingZoo, Gymnasium, OpenSpiel and numpy over any game (extra `rl`).

`powderkeg.rl.spiel` and `powderkeg.rl.orders` (which needs the extra `fast`, too) are imported by
those who use them.
"""

from powderkeg.core.extras import need_extra

need_extra("rl", "gymnasium", "numpy", "pettingzoo")

from powderkeg.rl.gym import SeatEnv, SeatVectorEnv, register_envs
from powderkeg.rl.play import make_setting
from powderkeg.rl.vector import VectorGames
from powderkeg.rl.zoo import env, parallel_env, raw_env

__all__ = [
    "SeatEnv",
    "SeatVectorEnv",
    "VectorGames",
    "env",
    "make_setting",
    "parallel_env",
    "raw_env",
]

register_envs()
