"""The games that this server offers."""

from importlib import import_module
from typing import cast

import structlog

from powderkeg.core.errors import RulesError
from powderkeg.core.game import Game
from powderkeg.games import GAME_NAMES, find_game

logger = structlog.get_logger()


def load_games(more: str = "") -> dict[str, Game]:
    """Our games, and `more` that can be imported. One that cannot be loaded is left out and logged."""
    games: dict[str, Game] = {}
    for name in (*GAME_NAMES, *filter(None, more.split(","))):
        try:
            game = find_game(name) if name in GAME_NAMES else cast(Game, import_module(name))
            game.version  # noqa: B018  # a package without it is not yet a game
        except (ImportError, AttributeError, RulesError) as error:
            logger.warning("a game cannot be loaded", game=name, error=repr(error))
            continue
        games[game.name] = game
    return games
