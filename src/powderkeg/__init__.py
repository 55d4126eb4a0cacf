"""Powderkeg: Diplomacy, Versailles 1919 and Risk Europe, for people and for programs.

>>> import powderkeg
>>> table = powderkeg.table("diplomacy", players=7, seed=1)
>>> "FRANCE" in table.to_act
True
"""

import random
from importlib.metadata import version
from typing import Any

from powderkeg.core import plain
from powderkeg.core.chance import Seeded
from powderkeg.core.table import Table
from powderkeg.games import find_game

__version__ = version("powderkeg")


def table(
    game: str, players: int | None = None, *, seed: int | str | None = None, **options: Any
) -> Table:
    """A new table. Options are those of the game; `seed` decides chance (None: unpredictable)."""
    rules = find_game(game)
    return Table(
        rules,
        players,
        plain.load(rules.Options, options),
        source=Seeded(random.Random(seed)),
    )
