"""The contract: the few names that make a game playable by table, server, browser and bots.

A game is anything with these names (ours are packages: `powderkeg.games.diplomacy` *is* one).
There is no base class. States and actions are values: frozen, comparable, storable as JSON.

Words live in the game's own gettext catalogue, named after the game. Beside the messages that the
game itself makes, programs look up three kinds of code there: ``<game>.name`` (`game_message`),
``<game>.seat.<seat>`` (`seat_message`) and, for forms, ``<game>.option.<field>`` with
``<game>.option.<field>.<choice>``.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol, TypeAlias

from powderkeg.core.ask import Question
from powderkeg.core.chance import Rng
from powderkeg.core.notation import TypedOrder
from powderkeg.core.words import Arg, Msg

Seat: TypeAlias = str
State: TypeAlias = Any
Action: TypeAlias = Any
Options: TypeAlias = Any
View: TypeAlias = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Fact:
    """Something that happened: what to say, the rule behind it, and who may know.

    `to` None means everybody, spectators too; the seats in `but` get another fact instead.
    """

    msg: Msg
    rule: str = ""
    to: frozenset[Seat] | None = None
    but: frozenset[Seat] = frozenset()

    def seen_by(self, seat: Seat | None) -> bool:
        return (self.to is None or seat in self.to) and seat not in self.but


def fact(code: str, rule: str, /, **args: Arg) -> Fact:
    """A fact for everybody."""
    return Fact(Msg(code, **args), rule)


def private_fact(seats: Iterable[Seat], code: str, rule: str, /, **args: Arg) -> Fact:
    """A fact for some seats only."""
    return Fact(Msg(code, **args), rule, to=frozenset(seats))


class Step(NamedTuple):
    """What follows from an action. `barrier`: a secret came out, so there is no way back."""

    state: State
    facts: tuple[Fact, ...] = ()
    barrier: bool = False


@dataclass(frozen=True, slots=True)
class Result:
    """How a game ended: groups of seats from first to last (ties share a group), scores, why."""

    ranking: tuple[tuple[Seat, ...], ...]
    scores: dict[Seat, float]
    why: Msg
    rule: str = ""

    @property
    def winners(self) -> tuple[Seat, ...]:
        return self.ranking[0]


@dataclass(frozen=True, slots=True)
class Section:
    """Part of a board in words: a heading and its lines."""

    title: Msg
    lines: tuple[Msg, ...]


class Marks(NamedTuple):
    """Where a game stands, as far as everybody may know.

    `phase` names one moment of the game ("S1901M") and marks the log; `stage` is the kind of
    phase ("retreat"), which may have a deadline of its own; `talk` says whether the rulebook lets
    players talk now.
    """

    phase: str = ""
    stage: str = ""
    talk: bool = True


class Legal(Protocol):
    """What a seat may do: can be iterated, counted, sampled, and asked ``action in legal``."""

    def __contains__(self, action: object, /) -> bool: ...
    def __iter__(self) -> Iterator[Action]: ...
    def count_all(self) -> int: ...
    def sample(self, rng: Rng) -> Action: ...


class Listed:
    """Legal actions that are simply listed."""

    __slots__ = ("actions",)

    def __init__(self, actions: Iterable[Action] = ()) -> None:
        self.actions = tuple(actions)

    def __contains__(self, action: object) -> bool:
        return action in self.actions

    def __iter__(self) -> Iterator[Action]:
        return iter(self.actions)

    def __len__(self) -> int:
        return len(self.actions)

    def count_all(self) -> int:
        return len(self.actions)

    def sample(self, rng: Rng) -> Action:
        return self.actions[rng.randrange(len(self.actions))]

    def __repr__(self) -> str:
        return f"<{len(self.actions)} legal: {', '.join(map(str, self.actions[:8]))}>"


def no_captions(view: View) -> dict[str, Msg]:
    """`Game.captions` of a game whose board needs no sentences."""
    return {}


class Game(Protocol):
    """One game. Every function is pure: no I/O, no clock, no `random`, no change of its input."""

    @property
    def name(self) -> str:
        """Also the name of its catalogue of words."""

    @property
    def version(self) -> int:
        """Raised whenever a stored game would replay differently."""

    @property
    def players(self) -> range:
        """How many people may play."""

    @property
    def Options(self) -> type:  # noqa: N802  # it is a class
        """Frozen dataclass of variant, length and house rulings; its defaults are the rulebook's."""

    @property
    def State(self) -> type:  # noqa: N802  # it is a class
        """The class of its states, for `powderkeg.core.plain`."""

    def seats(self, players: int, options: Any) -> tuple[Seat, ...]:
        """The seats of a game for `players` people, in seat order. Refuses a number that cannot play."""

    def start(self, seats: tuple[Seat, ...], options: Any) -> Any:  # a State
        """The first state."""

    def to_act(self, state: Any) -> frozenset[Seat]:
        """Who owes a decision: several when it is secret and simultaneous, `CHANCE` alone when
        dice or cards are owed, nobody when the game is over."""

    def ask(self, state: Any, seat: Seat) -> Question | None:
        """The question put to `seat`; None when nothing is asked of it."""

    def legal(self, state: Any, seat: Seat) -> Legal:
        """What `seat` may do, asked or not. For `CHANCE`: the `Dice` or `Draw` that is owed."""

    def apply(self, state: Any, seat: Seat, action: Action) -> Step:
        """What follows. Raises `Illegal` for anything that `legal` does not contain."""

    def view(self, state: Any, seat: Seat | None) -> View:
        """Everything that `seat` (None: a spectator) may know, as JSON. The only place that hides
        secrets. Holds ``"seat": seat``."""

    def marks(self, state: Any) -> Marks:
        """Phase and stage, and whether players may talk. The same for everybody: no secrets."""

    def phase_name(self, phase: str) -> Msg:
        """A phase (`Marks.phase`) in words."""

    def describe(self, view: View) -> tuple[Section, ...]:
        """A view in words: for the terminal, for readers who cannot see the board, for models."""

    def captions(self, view: View) -> dict[str, Msg]:
        """Sentences shown on the board, by the id of the thing they describe: what a card does,
        what a term says. Empty where names are enough."""

    def result(self, state: Any) -> Result | None:
        """None while somebody is to act."""

    def parse(self, text: str) -> Action:
        """The action written in `text`: the inverse of `str`. Raises `Unreadable`."""

    def read(self, view: View, text: str, lang: str | None = None) -> list[TypedOrder]:
        """What a person typed, piece by piece: the action that each means, or what is unclear.

        `lang` is the language to try first. `notation.wire_reader` makes one from `parse`.
        """

    def default(self, state: Any, seat: Seat) -> Action:
        """The action played if `seat` must act and misses its deadline: harmless and legal."""

    def deal(self, view: View, rng: Rng) -> Any:  # a State
        """A full state that fits what a seat knows, with the hidden parts drawn at random."""

    def broken(self, state: Any) -> list[str]:
        """The invariants that `state` violates; none in a correct state."""


def game_message(game: Game) -> Msg:
    """The game's name."""
    return Msg(f"{game.name}.name")


def seat_message(game: Game, seat: Seat) -> Msg:
    """The name of a seat."""
    return Msg(f"{game.name}.seat.{seat}")
