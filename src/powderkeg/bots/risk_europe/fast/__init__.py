"""The evaluation and the greedy policy of Risk Europe's bots, compiled. Needs the extra `fast`."""

from powderkeg.core.extras import need_extra

need_extra("fast", "numba", "numpy")
