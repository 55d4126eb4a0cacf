"""The contract: the few names that make a game playable by table, server, browser and bots.

A game is anything with these names (ours are packages: `powderkeg.games.diplomacy` *is* one).
There is no base class. States and actions are values: frozen, comparable, storable as JSON.

Words live in the game's own gettext catalogue, named after the game. Beside the messages that the
game itself makes, programs look up four kinds of code there: ``<game>.name`` (`game_message`),
``<game>.seat.<seat>`` (`seat_message`), ``<game>.stage.<stage>`` for each of its `stages` and, for
forms, ``<game>.option.<field>`` with ``<game>.option.<field>.<choice>`` and, if it needs explaining,
``<game>.option.<field>.hint``.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from types import ModuleType
from typing import Any, NamedTuple, Protocol, TypeAlias, cast

from powderkeg.core.ask import Question
from powderkeg.core.chance import Rng
from powderkeg.core.errors import RulesError
from powderkeg.core.legal import Legal, Listed
from powderkeg.core.reports.scenes import Scene
from powderkeg.core.reports.score_pad import ScoreLine
from powderkeg.core.words import Arg, Msg, make_message

__all__ = [
    "Action",
    "Fact",
    "Game",
    "HoldsGame",
    "Legal",
    "Listed",
    "Marks",
    "Options",
    "Result",
    "SandboxTool",
    "Seat",
    "Section",
    "Standing",
    "State",
    "Step",
    "TypedOrder",
    "TypedReader",
    "View",
    "fact",
    "game_message",
    "game_reference",
    "import_game",
    "no_captions",
    "no_scenes",
    "no_score",
    "no_standing",
    "no_upgrade",
    "pack_game",
    "private_fact",
    "quiet_fact",
    "seat_message",
    "unpack_game",
    "wire_reader",
]

Seat: TypeAlias = str
State: TypeAlias = Any
Action: TypeAlias = Any
Options: TypeAlias = Any
View: TypeAlias = dict[str, Any]
TypedOrder: TypeAlias = tuple[str, Action | RulesError]
"""One piece of a text, and the action that it means or the reason why it cannot be read."""


class Fact(NamedTuple):
    """Something that happened: what to say, the rule behind it, and who may know.

    `to` None means everybody, spectators too; the seats in `but` get another fact instead. A `quiet`
    fact only notes that a seat did something, such as being ready: a log folds it, and leaves it out
    for everybody else. `opens` is the phase that begins with this fact.
    """

    msg: Msg
    rule: str = ""
    to: frozenset[Seat] | None = None
    but: frozenset[Seat] = frozenset()
    quiet: bool = False
    opens: str = ""

    def seen_by(self, seat: Seat | None) -> bool:
        return (self.to is None or seat in self.to) and seat not in self.but


def fact(code: str, rule: str, /, **args: Arg) -> Fact:
    """A fact for everybody."""
    return Fact(make_message(code, args), rule)


def quiet_fact(code: str, rule: str, /, **args: Arg) -> Fact:
    """A fact that only notes what a seat did."""
    return Fact(Msg(code, **args), rule, quiet=True)


def private_fact(seats: Iterable[Seat], code: str, rule: str, /, **args: Arg) -> Fact:
    """A fact for some seats only."""
    return Fact(Msg(code, **args), rule, to=frozenset(seats))


class Step(NamedTuple):
    """What follows from an action.

    `barrier`: a secret was revealed, so the action cannot be undone.
    """

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
    next_options: dict[str, Any] = field(default_factory=dict)  # what a rematch changes
    sheet: tuple[Msg, ...] = ()  # the score sheet, line by line

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
    players talk now; `out` are the seats that are out of the game and have no say in its end.
    """

    phase: str = ""
    stage: str = ""
    talk: bool = True
    out: frozenset[Seat] = frozenset()


class Standing(NamedTuple):
    """How a seat does so far, as everybody may know: its score, where the game counts one, and what
    it has become in the game (a nation that was chosen).
    """

    score: int | None = None
    name: Msg | None = None


def no_captions(view: View) -> dict[str, Msg]:
    """`Game.captions` of a game whose board needs no sentences."""
    return {}


def no_standing(state: State) -> dict[Seat, Standing]:
    """`Game.standing` of a game that counts nothing before its end."""
    return {}


def no_scenes(view: View, facts: Sequence[Fact]) -> tuple[Scene, ...]:
    """`Game.scenes` of a game whose board and log say enough."""
    return ()


def no_score(view: View) -> tuple[ScoreLine, ...]:
    """`Game.score` of a game without a score pad."""
    return ()


def equal_shares(state: State, seats: Sequence[Seat]) -> dict[Seat, float]:
    """`Game.agreed_scores` of a game in which those who share a game share it equally."""
    return dict.fromkeys(seats, 1 / len(seats))


def no_upgrade(version: int, options: dict[str, Any]) -> dict[str, Any]:
    """`Game.upgrade_options` of a game that has had one version, or whose options say enough."""
    return options


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
    def stages(self) -> tuple[str, ...]:
        """The kinds of phase (`Marks.stage`) in which all decide at once, the longest first: each may
        have a deadline of its own. Empty where players take turns.
        """

    @property
    def Options(self) -> type:  # noqa: N802  # it is a class
        """Frozen dataclass of variant, length and house rulings; its defaults are the rulebook's."""

    @property
    def State(self) -> type:  # noqa: N802  # it is a class
        """The class of its states, for `powderkeg.core.plain`."""

    def upgrade_options(self, version: int, options: dict[str, Any]) -> dict[str, Any]:
        """The stored options of an older game, changed so that it replays as it was played."""

    def seats(self, players: int, options: Any) -> tuple[Seat, ...]:
        """The seats of a game for `players` people, in seat order. Refuses a number that cannot play."""

    def start(self, seats: tuple[Seat, ...], options: Any) -> Any:  # a State
        """The first state."""

    def to_act(self, state: Any) -> frozenset[Seat]:
        """The seats that must act: several for simultaneous decisions, only `CHANCE` when dice or
        cards are due, none when the game is over.
        """

    def ask(self, state: Any, seat: Seat) -> Question | None:
        """The question put to `seat`; None when nothing is asked of it."""

    def legal(self, state: Any, seat: Seat) -> Legal:
        """What `seat` may do, asked or not. For `CHANCE`: the `Dice` or `Draw` that is due."""

    def apply(self, state: Any, seat: Seat, action: Action) -> Step:
        """The new state and its facts.

        Raises `Illegal` for anything that `legal` does not contain.
        """

    def view(self, state: Any, seat: Seat | None) -> View:
        """Everything that `seat` (None: a spectator) may know, as JSON. The only place that hides
        secrets. Holds ``"seat": seat``."""

    def marks(self, state: Any) -> Marks:
        """Phase and stage, and whether players may talk. The same for everybody: no secrets."""

    def standing(self, state: Any) -> dict[Seat, Standing]:
        """How each seat does so far. The same for everybody: no secrets."""

    def phase_name(self, phase: str) -> Msg:
        """A phase (`Marks.phase`) in words."""

    def describe(self, view: View) -> tuple[Section, ...]:
        """A view in words: for the terminal, for readers who cannot see the board, for models."""

    def captions(self, view: View) -> dict[str, Msg]:
        """Sentences shown on the board, by the id of the thing they describe: what a card does,
        what a term says. Empty where names are enough."""

    def scenes(self, view: View, facts: Sequence[Fact]) -> tuple[Scene, ...]:
        """The battles, uprisings or auctions that a board still shows, step by step. `facts` are
        the last ones of the log, in order; `view` is the view after them."""

    def score(self, view: View) -> tuple[ScoreLine, ...]:
        """The score pad: every line that counts, as it stands, and what is still open."""

    def result(self, state: Any) -> Result | None:
        """How the game ended; None until then."""

    def agreed_scores(self, state: Any, seats: Sequence[Seat]) -> dict[Seat, float]:
        """The scores if the players agree to end the game now, won or shared by `seats`; others may
        have some, too.
        """

    def parse(self, text: str) -> Action:
        """The action written in `text`: the inverse of `str`. Raises `Unreadable`."""

    def read(self, view: View, text: str, lang: str | None = None) -> list[TypedOrder]:
        """What a person typed, piece by piece: the action that each means, or what is unclear.

        `lang` is the language to try first. `wire_reader` makes one from `parse`.
        """

    def default(self, state: Any, seat: Seat) -> Action:
        """The action played if `seat` must act and misses its deadline: harmless and legal."""

    def deal(self, view: View, rng: Rng) -> Any:  # a State
        """A full state that fits what a seat knows, with the hidden parts drawn at random."""

    def broken(self, state: Any) -> list[str]:
        """The invariants that `state` violates; none in a correct state."""


class SandboxTool(Protocol):
    """What a game offers whose sides can all be played from one seat: its seats for one player are
    for sandboxes alone."""

    def gather(self, state: Any, /) -> Any:  # a State
        """The same position with every side in one hand, and nothing written yet."""

    def edit(self, state: Any, position: Mapping[str, Any], /) -> Any:  # a State
        """The position that a person has put together. Raises a `RulesError` if it cannot be."""


def game_message(game: Game) -> Msg:
    """The game's name."""
    return Msg(f"{game.name}.name")


def seat_message(game: Game, seat: Seat) -> Msg:
    """The name of a seat."""
    return Msg(f"{game.name}.seat.{seat}")


# Orders as people type them


class TypedReader(Protocol):
    """The type of a game's `read`."""

    def __call__(self, view: View, text: str, lang: str | None = None) -> list[TypedOrder]: ...


def wire_reader(parse: Callable[[str], Action]) -> TypedReader:
    """A `read` for games without a language of their own: one action in wire notation per line."""

    def read(view: View, text: str, lang: str | None = None) -> list[TypedOrder]:
        lines = [line.strip() for line in text.splitlines()]
        return [(line, _parse_line(parse, line)) for line in lines if line]

    return read


def _parse_line(parse: Callable[[str], Action], line: str) -> Action | RulesError:
    try:
        return parse(line)
    except RulesError as error:
        return error


# Games in other processes


def game_reference(game: Game) -> str:
    """The name by which another process imports a game."""
    return str(getattr(game, "__name__", game.name))


@cache
def import_game(reference: str) -> Game:
    """The game of that name."""
    return cast(Game, import_module(reference))


def pack_game(game: Game) -> Game | str:
    """A game as a pickle stores it: by name, because modules cannot be pickled."""
    return game_reference(game) if isinstance(game, ModuleType) else game


def unpack_game(packed: Game | str) -> Game:
    """The game of a pickle."""
    return import_game(packed) if isinstance(packed, str) else packed


class HoldsGame:
    """Base class for objects that can be pickled and copied although their game is a module."""

    game: Game

    def __getstate__(self) -> dict[str, Any]:
        return {**vars(self), "game": pack_game(self.game)}

    def __setstate__(self, kept: dict[str, Any]) -> None:
        vars(self).update(kept, game=unpack_game(kept["game"]))
