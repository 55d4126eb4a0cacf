"""Versailles 1919 compiled: a small board for search and for many games at once. Needs the extra `fast`."""

from powderkeg.core.extras import need_extra

need_extra("fast", "numba", "numpy")
