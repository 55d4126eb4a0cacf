"""The encoder of each game: written by hand, stored, or gathered from random games."""

from collections.abc import Callable
from functools import partial

from powderkeg.core.game import Game, Options
from powderkeg.rl.diplomacy import BoardEncoder
from powderkeg.rl.view_columns import Encoder, gather_columns, stored_columns

ENCODERS: dict[str, Callable[[], Encoder]] = {
    "diplomacy": BoardEncoder,
    "risk_europe": partial(stored_columns, "risk_europe"),
    "versailles": partial(stored_columns, "versailles"),
}


def find_encoder(game: Game, players: int, options: Options) -> Encoder:
    """The encoder of a game; for a game of your own it is gathered now."""
    known = ENCODERS.get(game.name)
    return known() if known else gather_columns(game, (players,), options)
