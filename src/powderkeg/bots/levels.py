"""The levels, named the same in every game, and who plays them.

A game's own bots live in `powderkeg.bots.<game>`, which has `LEVELS`: a dict from a level to a
`Level`. What it leaves out, and what a game without such a module has, is played by generic search.
"""

import sys
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any, TypeAlias, cast

from powderkeg import games
from powderkeg.bots.engine.budget import Budget
from powderkeg.bots.engine.random_bot import random_think
from powderkeg.bots.engine.search import Knowledge, one_ply
from powderkeg.bots.engine.thought import Bot, Judge, Think, Thought
from powderkeg.bots.engine.tree_search import ismcts
from powderkeg.bots.envoy import Envoy
from powderkeg.core.ask import Question
from powderkeg.core.chance import Rng
from powderkeg.core.errors import Unreadable
from powderkeg.core.game import Action, Game, Legal, Seat, State, View

NAMES = ("random", "easy", "normal", "hard", "expert")


@dataclass(frozen=True, slots=True)
class Level:
    """How a level thinks, given what is known of the game, and how long. `judge`: how it reviews a
    turn, in games where a single action tells too little."""

    think: Callable[[Knowledge], Think]
    budget: Budget
    judge: Judge | None = None


def _at_random(know: Knowledge) -> Think:
    return random_think(know.game)


RANDOM = Level(_at_random, Budget(1))

# What plays where a game has no bots of its own: whole games are played out to value an action.
GENERIC: dict[str, Level] = {
    "random": RANDOM,
    "easy": Level(one_ply, Budget(40, 0.3)),
    "normal": Level(one_ply, Budget(250, 0.7)),
    "hard": Level(ismcts, Budget(1500, 1.5)),
    "expert": Level(ismcts, Budget(15_000, 12.0)),
}


Trial: TypeAlias = Callable[[dict[str, float], int, int, int], float]
"""What weights score in one game: of so many players, with the luck of a seed, from a seat."""


@dataclass(frozen=True, slots=True)
class Tunable:
    """A bot with weights: where they start, and the bot that has them. All must be above zero.

    With a `trial` candidates are tried so, and not at tables of the arena: for quick players that
    see nothing hidden, and are asked faster than their view can be made.
    """

    start: dict[str, float]
    make: Callable[[dict[str, float]], Bot]
    trial: Trial | None = None


@dataclass(frozen=True, slots=True)
class Mind:
    """A bot of a level: call it for an action, or let it `think` for an action and its reasons.
    `settings`: what its name does not tell of it, to be kept with results."""

    name: str
    thinking: Think
    budget: Budget
    settings: dict[str, Any] = field(default_factory=dict, compare=False)

    def __call__(self, view: View, question: Question, legal: Legal, rng: Rng) -> Action:
        return self.think(view, question, legal, rng).action

    def think(self, view: View, question: Question, legal: Legal, rng: Rng) -> Thought:
        return self.thinking(view, question, legal, rng, self.budget.start())

    def exact(self) -> "Mind":
        """The same bot without regard to the clock on the wall: equal seeds, equal answers."""
        return replace(self, budget=self.budget.exact())


def find(game: Game | str, level: str, budget: Budget | None = None) -> Mind:
    """The bot that plays `game` at `level`; `budget` replaces the level's own."""
    if level not in NAMES:
        raise Unreadable("core.no_such_bot", name=level, bots=NAMES)
    rules = games.find(game) if isinstance(game, str) else game
    found = table(rules)[level]
    return Mind(level, found.think(knowledge(rules)), budget or found.budget)


ADVISES = "hard"  # the level that advises people; a game's `ADVISER` speaks in its place


def adviser(game: Game, level: str = ADVISES, budget: Budget | None = None) -> Mind:
    """The bot that says what it would do and what else it weighed. A level that is strong without
    weighing anything has nothing to show, so its game has a bot for this alone."""
    own_adviser: Level | None = getattr(own(game), "ADVISER", None)
    if own_adviser is None or level != ADVISES:
        return find(game, level, budget)
    return Mind(level, own_adviser.think(knowledge(game)), budget or own_adviser.budget)


def judge(game: Game, level: str = ADVISES) -> Judge | None:
    """How `level` reviews whole turns of a game; None: it reviews actions one by one."""
    return table(game)[find(game, level).name].judge


# Without a value, an action of these games would be valued by playing out hundreds of decisions at
# random: too slow, and too noisy to be better than chance.
TOO_LONG = ("diplomacy", "versailles", "risk_europe")


def table(game: Game) -> dict[str, Level]:
    """Every level of a game: its own bots, else generic search, else (see `TOO_LONG`) luck."""
    blind = game.name in TOO_LONG and knowledge(game).value is None
    generic = dict.fromkeys(NAMES, RANDOM) if blind else GENERIC
    return generic | getattr(own(game), "LEVELS", {})


def knowledge(game: Game) -> Knowledge:
    """What is known of a game: its bots' `KNOWLEDGE`, else only its rules."""
    found: Knowledge = getattr(own(game), "KNOWLEDGE", None) or Knowledge(game)
    return found


def own(game: Game) -> ModuleType | None:
    """The module of a game's own bots, if there is one."""
    return _module(f"{__package__}.{game.name}")


@cache
def _module(name: str) -> ModuleType | None:
    return import_module(name) if find_spec(name) else None  # looked for on disk: once


Offered: TypeAlias = Callable[[State], tuple[tuple[Seat, str], ...]]
"""Who has an offer to answer, and which, though perhaps not to act: a bot is asked then too."""


def offered(game: Game) -> Offered:
    """How to find who has an offer to answer (`OFFERED` of a game's bots); most games have none."""
    found: Offered | None = getattr(own(game), "OFFERED", None)
    return found or (lambda state: ())


def envoy(game: Game) -> Envoy | None:
    """Who talks for a game's bots (`ENVOY` of theirs); in most games nobody."""
    found: Envoy | None = getattr(own(game), "ENVOY", None)
    return found


def load(game: Game, spec: str, budget: Budget | None = None) -> Bot:
    """A bot by level, or by ``package.module:name`` for one of your own (never from strangers).

    What needs to know the game has `for_game(game)`, which makes the bot.
    """
    if ":" not in spec:
        return find(game, spec, budget)
    found = _imported(spec)
    bot = found.for_game(game) if hasattr(found, "for_game") else found
    if not callable(bot):
        raise Unreadable("core.no_such_bot", name=spec, bots=NAMES)
    return cast(Bot, bot)


def tunable(game: Game, spec: str) -> Tunable:
    """What can be tuned, by its name among the game's own (`TUNABLE`), or by ``module:name``."""
    known: dict[str, Tunable] = getattr(own(game), "TUNABLE", {})
    if spec in known:
        return known[spec]
    found = _imported(spec) if ":" in spec else None
    if not isinstance(found, Tunable):
        code = "bots.no_such_weights" if known else "bots.nothing_to_tune"
        raise Unreadable(code, name=spec, known=tuple(known))
    return found


def _imported(spec: str) -> object:
    """What ``module:name`` names. The module may lie in the current folder, as for ``python -m``;
    there last, so that no file in it takes the place of what others import."""
    path, _, name = spec.partition(":")
    if not {"", here := str(Path.cwd())} & set(sys.path):
        sys.path.append(here)
    try:
        module = import_module(path)
    except Exception as error:  # anything may come out of a module
        if not path or path.startswith(".") or _lacks(error, path):
            raise Unreadable("bots.no_such_module", module=path) from None
        why = f"{type(error).__name__}: {error}"
        raise Unreadable("bots.module_fails", module=path, why=why) from error
    if not hasattr(module, name):
        raise Unreadable("bots.not_in_module", module=path, name=name)
    return cast(object, getattr(module, name))


def _lacks(error: Exception, path: str) -> bool:
    """Whether the module itself is not there, and not something that it imports."""
    missing = error.name if isinstance(error, ModuleNotFoundError) else None
    return missing is not None and f"{path}.".startswith(f"{missing}.")
