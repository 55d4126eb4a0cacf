"""Powderkeg: Diplomacy, Versailles 1919 and Risk Europe, for people and for programs.

>>> import powderkeg
>>> table = powderkeg.table("diplomacy", players=7, seed=1)
>>> "FRANCE" in table.to_act
True
"""

import random
from collections.abc import Mapping
from typing import Any

from powderkeg.compiled import choose_rules

choose_rules()  # before the first of them is imported

from powderkeg.core.chance import Rng, Seeded
from powderkeg.core.errors import Illegal
from powderkeg.core.game import Game, State
from powderkeg.core.options import load_options
from powderkeg.core.table import Table
from powderkeg.games import GAME_NAMES, find_game

__all__ = ["GAME_NAMES", "Table", "__version__", "find_game", "set_up_position", "table"]

__version__ = "0.1.0"


def table(
    game: str,
    players: int | None = None,
    *,
    seed: int | str | None = None,
    state: State | Mapping[str, Any] | None = None,
    **options: Any,
) -> Table:
    """A new table. Options are those of the game; `seed` decides chance (None: unpredictable).

    With `state` the game begins in another position: a state of the game, or the parts of a view
    that differ from the beginning (see `set_up_position`).

    >>> units = {"FRANCE": ["A bur"], "GERMANY": ["A mun"]}
    >>> duel = powderkeg.table("diplomacy", state={"units": units})
    >>> entries = duel.act("FRANCE", "bur-mun")
    >>> entries[0].do
    'A bur - mun'
    """
    rules, rng = find_game(game), random.Random(seed)
    chosen: Any = load_options(rules.Options, options)
    if isinstance(state, Mapping):
        state = set_up_position(rules, state, players, chosen, rng=rng)
    return Table(rules, players, chosen, source=Seeded(rng), state=state)


def set_up_position(
    game: Game,
    changes: Mapping[str, Any],
    players: int | None = None,
    options: Any = None,
    *,
    rng: Rng | None = None,
) -> State:
    """A state that looks like the first one, but for `changes`: parts of a view (`Table.view`).

    A whole view works, too: the game goes on from what a seat knows, with the rest dealt at random.
    """
    chosen = game.Options() if options is None else options
    seats = game.seats(game.players[-1] if players is None else players, chosen)
    first = game.view(game.start(seats, chosen), None)
    state = game.deal({**first, **changes}, rng or random.Random())
    if wrong := game.broken(state):
        raise Illegal("core.impossible_position", why="; ".join(wrong))
    return state
