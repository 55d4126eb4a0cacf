"""`GameBots`: everything that the bots of one game provide, as one record.

A game's own bots live in `powderkeg.bots.<game>`, whose `__init__` exports one `BOTS: GameBots`.
A game without such a package gets a record that knows only its rules, and generic search plays it.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import NamedTuple, TypeAlias

from powderkeg.bots.engine.budget import Budget
from powderkeg.bots.engine.knowledge import Knowledge
from powderkeg.bots.engine.shares import Shares
from powderkeg.bots.engine.thought import Bot, Think, TurnJudge
from powderkeg.bots.envoy import Envoy
from powderkeg.core.game import Game, Result, Seat, Section, State, View


@dataclass(frozen=True, slots=True)
class Level:
    """How a level thinks, and for how long. `think` makes the bot's thinking from the knowledge of
    a game. `judge` reviews a whole turn, in games where a single action says too little.
    """

    think: Callable[[Knowledge], Think]
    budget: Budget
    judge: TurnJudge | None = None


WeightTrial: TypeAlias = Callable[[dict[str, float], int, int, int], float]
"""The score of some weights in one game: for a number of players, a seed and the number of a seat."""


@dataclass(frozen=True, slots=True)
class Tunable:
    """A bot with weights: their start values, and a function that makes the bot from other values.
    All weights must be above zero. With a `trial`, candidates play there and not at tables of the
    arena: for quick bots that need no view because nothing is hidden, and that would be slowed down
    by making one.
    """

    start: dict[str, float]
    make: Callable[[dict[str, float]], Bot]
    trial: WeightTrial | None = None


PendingOffers: TypeAlias = Callable[[State], tuple[tuple[Seat, str], ...]]
"""The seats that have an offer to answer, each with the offer, in or out of turn."""

ShareScoring: TypeAlias = Callable[[Result | None, State], Shares]
"""Each seat's share of a game; without a result, of a game that was stopped."""


class GameBriefing(NamedTuple):
    """What a language model must know about a game besides its rules: the goal and the map.

    `skipped_rules` are the groups of rules (``D-ALT``) that do not matter at this table.
    """

    sections: tuple[Section, ...] = ()
    skipped_rules: frozenset[str] = frozenset()


def no_briefing(_view: View) -> GameBriefing:
    """The briefing of a game that has none."""
    return GameBriefing()


def no_offers(_state: State) -> tuple[tuple[Seat, str], ...]:
    """The pending offers of a game without offers."""
    return ()


@dataclass(frozen=True, slots=True)
class GameBots:
    """The bots of one game. Everything but `knowledge` is optional.

    - `knowledge`: what search knows of the game: its rules, and perhaps a value, candidates, a policy.
    - `levels`: the game's own levels by name; generic search plays those that are missing.
    - `references`: earlier and simple bots by name, to measure new ones against: known to the arena, offered at no
      table.
    - `adviser`: the level that advises people in place of `hard`, for games in which `hard` is strong
      without weighing alternatives and so has nothing to show.
    - `pending_offers`: the offers that wait for an answer. Such a seat is asked before the game goes
      on, out of turn too, once about each offer.
    - `characters`: the characters that change how its bots deal with others (`bots.characters`).
    - `envoy`: negotiates in the bots' name.
    - `briefing`: what a language model must know besides the rules.
    - `tunables`: the bots whose weights `powderkeg tune` can improve, by name.
    - `idle_actions`: how the texts of actions begin with which a seat does nothing: a turn with no others
      is empty.
    - `share_scoring`: how a finished or stopped game is divided into shares; by default by the squares
      of the scores, and equally if it was stopped.
    """

    knowledge: Knowledge
    levels: Mapping[str, Level] = field(default_factory=dict)
    references: Mapping[str, Level] = field(default_factory=dict)
    adviser: Level | None = None
    pending_offers: PendingOffers = no_offers
    characters: tuple[str, ...] = ()
    envoy: Envoy | None = None
    briefing: Callable[[View], GameBriefing] = no_briefing
    tunables: Mapping[str, Tunable] = field(default_factory=dict)
    idle_actions: tuple[str, ...] = ()
    share_scoring: ShareScoring | None = None


def bots_of(game: Game) -> GameBots:
    """The bots of a game: its own record, or one that knows only the rules."""
    return _own_bots(game.name) or GameBots(Knowledge(game))


@cache
def _own_bots(name: str) -> GameBots | None:
    package = f"{__package__}.{name}"
    found: GameBots | None = None
    if find_spec(package):
        found = getattr(import_module(package), "BOTS", None)
    return found
