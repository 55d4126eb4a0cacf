"""What compiled games share. Needs the extra `fast`."""

from powderkeg.core.extras import need_extra

need_extra("fast", "numba", "numpy")
