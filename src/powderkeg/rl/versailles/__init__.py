"""Versailles 1919 for trainers, compiled: thousands of games at once, word by word (extras `rl`, `fast`)."""

from powderkeg.core.extras import need_extra

need_extra("fast", "numba", "numpy")
