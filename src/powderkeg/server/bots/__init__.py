"""Bots at tables: their turns, their letters and the processes in which they think."""
