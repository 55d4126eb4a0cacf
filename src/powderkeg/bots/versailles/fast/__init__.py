"""The evaluation and the quick policy of Versailles' bots, compiled. Needs the extra `fast`."""

from powderkeg.core.extras import need_extra

need_extra("fast", "numba", "numpy")
