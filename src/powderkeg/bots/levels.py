"""The levels, named the same in every game, and the bots that play them.

A game's own levels are in its `GameBots`; generic search plays those that it leaves out.
"""

import sys
from importlib import import_module
from pathlib import Path
from typing import cast

from powderkeg import games
from powderkeg.bots.characters import split_name, with_character
from powderkeg.bots.engine.budget import Budget
from powderkeg.bots.engine.knowledge import Knowledge
from powderkeg.bots.engine.one_ply import one_ply_search
from powderkeg.bots.engine.random_bot import random_think
from powderkeg.bots.engine.thought import Bot, Think, ThinkingBot, TurnJudge
from powderkeg.bots.engine.tree_search import tree_search
from powderkeg.bots.game_bots import Level, Tunable, bots_of
from powderkeg.core.errors import Unreadable
from powderkeg.core.game import Game

LEVEL_NAMES = ("random", "easy", "normal", "hard", "expert")


def _random_thinking(know: Knowledge) -> Think:
    return random_think(know.game)


RANDOM_LEVEL = Level(_random_thinking, Budget(1))

# Generic levels for games without their own bots: an action is valued by playing out whole games.
GENERIC_LEVELS: dict[str, Level] = {
    "random": RANDOM_LEVEL,
    "easy": Level(one_ply_search, Budget(40, 0.3)),
    "normal": Level(one_ply_search, Budget(250, 0.7)),
    "hard": Level(tree_search, Budget(1500, 1.5)),
    "expert": Level(tree_search, Budget(15_000, 12.0)),
}
# Takes the action after which its position is worth most at once: 32 tries in all, more of each where
# there are fewer actions.
GENERIC_REFERENCES = {"greedy": Level(one_ply_search, Budget(32))}


def find_bot(game: Game | str, name: str, budget: Budget | None = None) -> ThinkingBot:
    """The bot that plays `game` at a level, or at a level with a character, such as ``hard/loyal``, or
    one of its references; `budget` replaces the level's own.
    """
    level, character = split_name(name)
    rules = games.find_game(game) if isinstance(game, str) else game
    known = game_levels(rules) | GENERIC_REFERENCES | dict(bots_of(rules).references)
    if level not in known:
        raise Unreadable("core.no_such_bot", name=name, bots=LEVEL_NAMES)
    check_character(rules, character)
    found = known[level]
    think = with_character(found.think(bots_of(rules).knowledge), character)
    return ThinkingBot(name, think, budget or found.budget)


def check_character(game: Game, character: str) -> str:
    """The character, if the bots of a game can have it; empty is even-handed."""
    known = bots_of(game).characters
    if character and character not in known:
        code = "bots.no_such_character" if known else "bots.no_characters"
        raise Unreadable(code, name=character, known=known)
    return character


ADVISER_LEVEL = "hard"  # the level that advises people, unless the game has its own adviser


def find_adviser(
    game: Game, level: str = ADVISER_LEVEL, budget: Budget | None = None
) -> ThinkingBot:
    """The bot that says what it would do and what else it weighed.

    A level that is strong without comparing actions has no alternatives to show, so its game has a
    separate bot for advice.
    """
    own_adviser = bots_of(game).adviser
    if own_adviser is None or level != ADVISER_LEVEL:
        return find_bot(game, level, budget)
    return ThinkingBot(
        level, own_adviser.think(bots_of(game).knowledge), budget or own_adviser.budget
    )


def find_judge(game: Game, level: str = ADVISER_LEVEL) -> TurnJudge | None:
    """How `level` reviews whole turns of a game; None: it reviews actions one by one."""
    return game_levels(game)[split_name(find_bot(game, level).name)[0]].judge


def game_levels(game: Game) -> dict[str, Level]:
    """Every level of a game: its own, and generic search for those that it leaves out."""
    return GENERIC_LEVELS | dict(bots_of(game).levels)


def names_model(spec: str) -> bool:
    """Whether a bot's name is a language model's: ``model`` or ``model:NAME``."""
    return spec.partition(":")[0] == "model"


def load_bot(game: Game, spec: str, budget: Budget | None = None) -> Bot:
    """A bot by level, ``model`` or ``model:NAME`` for a language model, or ``package.module:name``
    for one of your own (never from strangers). So a module of yours cannot be called `model`.

    An object with `for_game(game)` is called to make the bot for that game.
    """
    if names_model(spec):
        from powderkeg.bots.models.configured import named_player  # only a few bots need it

        return named_player(game, spec).bot()
    if ":" not in spec:
        return find_bot(game, spec, budget)
    found = _import_spec(spec)
    bot = found.for_game(game) if hasattr(found, "for_game") else found
    if not callable(bot):
        raise Unreadable("core.no_such_bot", name=spec, bots=LEVEL_NAMES)
    return cast(Bot, bot)


def find_tunable(game: Game, spec: str) -> Tunable:
    """A tunable bot, by its name among the game's `tunables` or as ``module:name``."""
    known = bots_of(game).tunables
    if spec in known:
        return known[spec]
    found = _import_spec(spec) if ":" in spec else None
    if not isinstance(found, Tunable):
        code = "bots.no_such_weights" if known else "bots.nothing_to_tune"
        raise Unreadable(code, name=spec, known=tuple(known))
    return found


def _import_spec(spec: str) -> object:
    """The object named by ``module:name``.

    The module may be in the current folder, as for ``python -m``, which is searched last, so that
    no file there replaces another import.
    """
    path, _, name = spec.partition(":")
    if not {"", here := str(Path.cwd())} & set(sys.path):
        sys.path.append(here)
    try:
        module = import_module(path)
    except Exception as error:  # importing a module can raise anything
        if not path or path.startswith(".") or _is_missing(error, path):
            raise Unreadable("bots.no_such_module", module=path) from None
        why = f"{type(error).__name__}: {error}"
        raise Unreadable("bots.module_fails", module=path, why=why) from error
    if not hasattr(module, name):
        raise Unreadable("bots.not_in_module", module=path, name=name)
    return cast(object, getattr(module, name))


def _is_missing(error: Exception, path: str) -> bool:
    """Whether the module itself is missing, and not something that it imports."""
    missing = error.name if isinstance(error, ModuleNotFoundError) else None
    return missing is not None and f"{path}.".startswith(f"{missing}.")
