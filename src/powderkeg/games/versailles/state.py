"""Options, the state of a game, and the builder that carries out one action.

A `State` is a value. `apply` copies it into a `StateBuilder`, lets steps change that, and freezes
it again: rules read like the rulebook and no state is ever changed. Nothing is secret in this
game and cards are drawn when they are needed, so no state holds the order of a deck.
"""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from operator import attrgetter
from typing import Annotated, Any, Literal, NamedTuple, TypeAlias

from powderkeg.core.game import Fact, fact
from powderkeg.core.plain import Between
from powderkeg.core.words import Arg
from powderkeg.games.versailles.board import NOBODY, POSTS, USA
from powderkeg.games.versailles.cards.pack import CardPack
from powderkeg.games.versailles.cards.reader import pack_of
from powderkeg.games.versailles.steps import Pending


@dataclass(frozen=True, slots=True)
class Options:
    """How to play. The defaults are the rulebook's, or our rulings where it is silent."""

    length: Literal[20, 15, 10, 5] = 20  # cards under Rush to the Finish (V-SET-06..09)
    solo_order: Literal["random", "chosen"] = "random"  # V-SOLO-02
    solo_target: Annotated[int, Between(1, 60)] = 20  # V-SOLO-44
    exchange_once: bool = True  # V-NEG-07: one exchange per turn in each direction
    empty_uprising_resets: bool = False  # V-UPR-13: unrest falls back though nobody is hit
    strategies_at_once: bool = False  # V-STRAT-01: after the first uprising, not the whole check
    zero_doubled: bool = True  # V-SCORE-12: double happiness doubles the five lost points too
    pack: str = ""  # values that differ from the default pack (see `pack`)


class Held(NamedTuple):
    """A settled issue: owner, chosen option (NOBODY until chosen) and counters."""

    owner: int
    option: int = NOBODY
    counters: tuple[str, ...] = ()


class Deal(NamedTuple):
    """A deal on offer or made: things its parties do for each other this turn (V-NEG-09).

    `terms` are as on the wire; a term that was carried out is struck from a deal that was made.
    """

    number: int
    by: int
    parties: tuple[int, ...]
    terms: tuple[str, ...]
    agreed: tuple[int, ...]
    made: bool = False


class Promise(NamedTuple):
    """A promise for later turns: shown, never enforced (V-NEG-03)."""

    turn: int
    by: int
    to: tuple[int, ...]
    term: str


@dataclass(frozen=True)  # no slots: a builder copies all fields at once, ten times faster
class State:
    """Lists of five are by nation or by region; nations and regions are indexes (see `board`)."""

    options: Options
    seats: tuple[str, ...]
    agenda: tuple[Pending, ...]
    cubes: dict[str, tuple[int, ...]]  # on each issue of table and waiting room, by nation
    held: dict[str, Held]  # settled issues
    order: tuple[int, ...] = ()  # nations in turn order; at first, by seat, as they are chosen
    first: int = 0  # seat of the first player
    turn: int = 0
    active: int = NOBODY  # the nation whose turn it is
    acting: int = NOBODY  # the side that acts: in a USA action, the USA
    political: bool = False  # done this turn
    military: bool = False
    acted: bool = False  # anything at all was done this turn
    idle: int = 0  # turns in a row in which nothing was done
    table: tuple[str, ...] = ()
    waiting: tuple[str, ...] = ()
    pile: tuple[str, ...] = ()  # issue discards, top first
    deck: tuple[str, ...] = ()  # issues not yet drawn, in no order, without the game end
    above: int = 0  # issues certain to come before the game end; NOBODY: it was drawn
    event: str = ""  # on the table
    event_cube: int = NOBODY
    lobby: tuple[str, ...] = ()  # events in the waiting room
    events: tuple[str, ...] = ()  # events not yet drawn
    past: tuple[str, ...] = ()  # event discards
    limbo: str = ""  # an unsettled issue while it is bid for
    dealt: tuple[str, ...] = ()  # strategies on offer
    risen: bool = False  # the first uprising has been
    unsettled: bool = False  # an issue was unsettled in this check (V-EVENT-17)
    settled: str = ""  # the issue of this settle action
    controller: int = NOBODY  # the winner of that issue (V-SETTLE-20)
    gained: tuple[int, ...] = ()  # regions that gained unrest from it
    human: int = NOBODY  # solitaire: the player's faction
    points: int = 0  # solitaire victory points
    deals: tuple[Deal, ...] = ()
    promises: tuple[Promise, ...] = ()
    exchanged: tuple[tuple[int, int], ...] = ()  # giver and receiver, this turn
    next_deal: int = 1
    over: str = ""  # why the game ended
    # The rest is counted, and a builder holds it as lists.
    happiness: tuple[int, ...] = ()  # NOBODY: no marker
    available: tuple[int, ...] = ()  # cubes
    exhausted: tuple[int, ...] = ()
    ready: tuple[int, ...] = ()  # units available
    spent: tuple[int, ...] = ()  # units exhausted
    posts: tuple[int, ...] = (NOBODY,) * 20  # the owner of the unit at region * 4 + column - 5
    spaces: tuple[int, ...] = ()  # the owner of the unit on each numbered demobilise space
    retired: tuple[int, ...] = ()  # units on the last space
    kegs: tuple[int, ...] = (0,) * 5
    unrest: tuple[int, ...] = (1,) * 5
    strategy: tuple[str, ...] = ("",) * 5
    offers: tuple[int, ...] = (0,) * 5  # proposals made this turn

    @property
    def pack(self) -> CardPack:
        return pack_of(self.options.pack)


_LISTS = tuple(field.name for field in fields(State))[-12:]
_lists = attrgetter(*_LISTS)


class StateBuilder:
    """A state under construction, and the facts so far."""

    options: Options
    seats: tuple[str, ...]
    agenda: tuple[Pending, ...]
    order: tuple[int, ...]
    first: int
    turn: int
    active: int
    acting: int
    political: bool
    military: bool
    acted: bool
    idle: int
    happiness: list[int]
    available: list[int]
    exhausted: list[int]
    ready: list[int]
    spent: list[int]
    posts: list[int]
    spaces: list[int]
    retired: list[int]
    kegs: list[int]
    unrest: list[int]
    table: tuple[str, ...]
    waiting: tuple[str, ...]
    cubes: dict[str, tuple[int, ...]]
    pile: tuple[str, ...]
    deck: tuple[str, ...]
    above: int
    event: str
    event_cube: int
    lobby: tuple[str, ...]
    events: tuple[str, ...]
    past: tuple[str, ...]
    held: dict[str, Held]
    limbo: str
    dealt: tuple[str, ...]
    strategy: list[str]
    risen: bool
    unsettled: bool
    settled: str
    controller: int
    gained: tuple[int, ...]
    human: int
    points: int
    deals: tuple[Deal, ...]
    promises: tuple[Promise, ...]
    offers: list[int]
    exchanged: tuple[tuple[int, int], ...]
    next_deal: int
    over: str
    facts: list[Fact]
    pack: CardPack

    def __init__(self, state: "Position") -> None:
        self.__dict__.update(state.__dict__)
        self.__dict__.update(zip(_LISTS, map(list, _lists(state)), strict=True))
        self.facts = []
        self.pack = state.pack

    def freeze(self) -> State:
        state = object.__new__(State)
        values = state.__dict__
        values.update(self.__dict__)
        values.update(zip(_LISTS, map(tuple, _lists(self)), strict=True))
        del values["facts"], values["pack"]
        return state

    def push(self, *steps: Pending) -> None:
        """Put steps before everything pending; the first one named happens first."""
        self.agenda += steps[::-1]

    def pop(self) -> None:
        self.agenda = self.agenda[:-1]

    def say(self, code: str, rule: str, /, **args: Arg) -> None:
        """State a fact: what happened, and the rule behind it."""
        self.facts.append(fact(code, rule, **args))

    def set_cubes(self, issue: str, nation: int, n: int) -> None:
        row = list(self.cubes[issue])
        row[nation] = n
        self.cubes = {**self.cubes, issue: tuple(row)}

    def exhaust(self, nation: int, n: int) -> int:
        """Move up to `n` cubes from available to exhausted, and return how many were moved."""
        n = min(n, self.available[nation])
        self.available[nation] -= n
        self.exhausted[nation] += n
        return n

    def recover(self, nation: int, n: int) -> int:
        """Move up to `n` cubes from exhausted to available, and return how many were moved."""
        n = min(n, self.exhausted[nation])
        self.exhausted[nation] -= n
        self.available[nation] += n
        return n


Position: TypeAlias = State | StateBuilder


# Reading a position


def is_solo(p: Position) -> bool:
    return len(p.seats) == 1


def is_two(p: Position) -> bool:
    return len(p.seats) == 2


def is_bot(p: Position, nation: int) -> bool:
    return len(p.seats) == 1 and nation != p.human


def nation_seat(p: Position, nation: int) -> str:
    """The seat that decides for `nation`: its player; the owner of the turn for the USA of two players
    (V-2P-04); the human for every faction in solitaire."""
    if len(p.seats) == 1:
        return p.seats[0]
    if nation not in p.order:
        nation = p.active
    return p.seats[p.order.index(nation)]


def nation_of(p: Position, seat: str) -> int:
    """The nation played from `seat`, or NOBODY during set-up."""
    if len(p.seats) == 1:
        return p.human
    i = p.seats.index(seat)
    return p.order[i] if i < len(p.order) else NOBODY


def sides_in_play(p: Position) -> tuple[int, ...]:
    """All nations with cubes: the players, and the USA of two players right after the owner of
    the turn (V-2P-13)."""
    if len(p.seats) != 2:
        return p.order
    i = p.order.index(p.active)
    return (*p.order[: i + 1], USA, *p.order[i + 1 :])


def clockwise_from(circle: Sequence[int], start: int) -> tuple[int, ...]:
    """`circle` from `start` on, round to the one before it."""
    i = circle.index(start)
    return (*circle[i:], *circle[:i])


def clockwise_after(circle: Sequence[int], nation: int) -> tuple[int, ...]:
    """`circle` from the one after `nation`, ending with `nation`."""
    i = circle.index(nation) + 1
    return (*circle[i:], *circle[:i])


def deployed_regions(p: Position, nation: int) -> list[int]:
    """Regions where `nation` has a unit."""
    return [i // 4 for i, owner in enumerate(p.posts) if owner == nation]


def unit_count(p: Position, nation: int) -> int:
    """Units not demobilised."""
    return p.ready[nation] + p.spent[nation] + p.posts.count(nation)


def post_of(p: Position, nation: int, region: int) -> int:
    """The column of the unit of `nation` in `region`; 0 if there is none."""
    row = p.posts[region * 4 : region * 4 + 4]
    return row.index(nation) + POSTS[0] if nation in row else 0


def pending_step(p: Position, *kinds: type) -> Any:
    """The topmost pending step of these kinds."""
    return next((step for step in reversed(p.agenda) if isinstance(step, kinds)), None)


def issue_leader(p: Position, issue: str) -> int:
    """The nation with most cubes on `issue`, or NOBODY; placing always leaves a strict lead (V-SETTLE-03)."""
    row = p.cubes[issue]
    most = max(row)
    return row.index(most) if most else NOBODY


def counters_in_play(p: Position) -> list[str]:
    """All counters on settled issues."""
    return [counter for held in p.held.values() for counter in held.counters]


def owned_issues(p: Position, nation: int) -> list[str]:
    return [issue for issue, held in p.held.items() if held.owner == nation]


def star_total(p: Position, nation: int) -> int:
    issues = p.pack.issues
    return sum(issues[issue].stars for issue, held in p.held.items() if held.owner == nation)
