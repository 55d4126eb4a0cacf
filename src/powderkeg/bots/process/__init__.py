"""Bots in child processes: a guard that asks one, the worker on its other side, a pool for many games."""
