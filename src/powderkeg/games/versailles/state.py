"""The state of a game, read and changed: the builder that carries out one action, and the functions
that all rules share.

A `State` is a value; it stands in `records`. `apply` copies it into a `StateBuilder`, lets steps
change that, and freezes it again: rules read like the rulebook and no state is ever changed.
"""

from typing import Any, Final, TypeAlias, TypeVar, final

from powderkeg.core.agenda import state_fact
from powderkeg.core.game import Fact
from powderkeg.core.words import Arg
from powderkeg.games.versailles.board import NOBODY, POSTS, USA
from powderkeg.games.versailles.cards.pack import CardPack
from powderkeg.games.versailles.records import Deal, Held, Options, Promise, State, upgrade_options
from powderkeg.games.versailles.steps import Pending

__all__ = [
    "Deal",
    "Held",
    "Options",
    "Position",
    "Promise",
    "State",
    "StateBuilder",
    "clockwise_after",
    "clockwise_from",
    "counters_in_play",
    "deployed_regions",
    "is_bot",
    "is_solo",
    "is_two",
    "issue_leader",
    "most_cubes",
    "nation_of",
    "nation_seat",
    "owned_issues",
    "pending_step",
    "post_of",
    "sides_in_play",
    "star_total",
    "unit_count",
    "upgrade_options",
    "with_item",
]


T = TypeVar("T")
_STATE: Final[Any] = State  # a final name is not looked up again in compiled code
_new_object: Final[Any] = object.__new__
_set_attribute: Final[Any] = object.__setattr__
_ALL_FIELDS: Final[dict[str, Any]] = dict.fromkeys(State.__dataclass_fields__)


@final
class StateBuilder:
    """A state under construction, and the facts so far. Counters that change often are lists."""

    def __init__(self, state: "Position") -> None:
        self.facts: list[Fact] = []
        self.pack: CardPack = state.pack
        self.options: Options = state.options
        self.seats: tuple[str, ...] = state.seats
        self.agenda: tuple[Pending, ...] = state.agenda
        self.order: tuple[int, ...] = state.order
        self.first: int = state.first
        self.turn: int = state.turn
        self.active: int = state.active
        self.acting: int = state.acting
        self.political: bool = state.political
        self.military: bool = state.military
        self.acted: bool = state.acted
        self.idle: int = state.idle
        self.happiness: list[int] = list(state.happiness)
        self.available: list[int] = list(state.available)
        self.exhausted: list[int] = list(state.exhausted)
        self.ready: list[int] = list(state.ready)
        self.spent: list[int] = list(state.spent)
        self.posts: list[int] = list(state.posts)
        self.spaces: tuple[int, ...] = state.spaces
        self.retired: tuple[int, ...] = state.retired
        self.kegs: list[int] = list(state.kegs)
        self.unrest: list[int] = list(state.unrest)
        self.table: tuple[str, ...] = state.table
        self.waiting: tuple[str, ...] = state.waiting
        self.cubes: dict[str, tuple[int, ...]] = state.cubes
        self.pile: tuple[str, ...] = state.pile
        self.deck: tuple[str, ...] = state.deck
        self.above: int = state.above
        self.event: str = state.event
        self.event_cube: int = state.event_cube
        self.lobby: tuple[str, ...] = state.lobby
        self.events: tuple[str, ...] = state.events
        self.past: tuple[str, ...] = state.past
        self.held: dict[str, Held] = state.held
        self.limbo: str = state.limbo
        self.dealt: tuple[str, ...] = state.dealt
        self.strategy: tuple[str, ...] = state.strategy
        self.risen: bool = state.risen
        self.unsettled: bool = state.unsettled
        self.settled: str = state.settled
        self.controller: int = state.controller
        self.gained: tuple[int, ...] = state.gained
        self.human: int = state.human
        self.points: int = state.points
        self.deals: tuple[Deal, ...] = state.deals
        self.promises: tuple[Promise, ...] = state.promises
        self.offers: tuple[int, ...] = state.offers
        self.exchanged: tuple[tuple[int, int], ...] = state.exchanged
        self.next_deal: int = state.next_deal
        self.over: str = state.over

    def freeze(self) -> State:
        state: State = _new_object(_STATE)
        values = _ALL_FIELDS.copy()  # full size at once, which a display of so many is not
        values["options"] = self.options
        values["seats"] = self.seats
        values["agenda"] = self.agenda
        values["order"] = self.order
        values["first"] = self.first
        values["turn"] = self.turn
        values["active"] = self.active
        values["acting"] = self.acting
        values["political"] = self.political
        values["military"] = self.military
        values["acted"] = self.acted
        values["idle"] = self.idle
        values["happiness"] = tuple(self.happiness)
        values["available"] = tuple(self.available)
        values["exhausted"] = tuple(self.exhausted)
        values["ready"] = tuple(self.ready)
        values["spent"] = tuple(self.spent)
        values["posts"] = tuple(self.posts)
        values["spaces"] = self.spaces
        values["retired"] = self.retired
        values["kegs"] = tuple(self.kegs)
        values["unrest"] = tuple(self.unrest)
        values["table"] = self.table
        values["waiting"] = self.waiting
        values["cubes"] = self.cubes
        values["pile"] = self.pile
        values["deck"] = self.deck
        values["above"] = self.above
        values["event"] = self.event
        values["event_cube"] = self.event_cube
        values["lobby"] = self.lobby
        values["events"] = self.events
        values["past"] = self.past
        values["held"] = self.held
        values["limbo"] = self.limbo
        values["dealt"] = self.dealt
        values["strategy"] = self.strategy
        values["risen"] = self.risen
        values["unsettled"] = self.unsettled
        values["settled"] = self.settled
        values["controller"] = self.controller
        values["gained"] = self.gained
        values["human"] = self.human
        values["points"] = self.points
        values["deals"] = self.deals
        values["promises"] = self.promises
        values["offers"] = self.offers
        values["exchanged"] = self.exchanged
        values["next_deal"] = self.next_deal
        values["over"] = self.over
        _set_attribute(state, "__dict__", values)  # at once: ten times faster than one by one
        return state

    def push(self, *steps: Pending) -> None:
        """Put steps before everything pending; the first one named happens first."""
        self.agenda += steps if len(steps) == 1 else steps[::-1]

    def pop(self) -> None:
        self.agenda = self.agenda[:-1]

    def say(self, code: str, rule: str, /, **args: Arg) -> None:
        """State a fact: what happened, and the rule behind it."""
        self.facts.append(state_fact(code, rule, args))

    def set_cubes(self, issue: str, nation: int, n: int) -> None:
        self.cubes = {**self.cubes, issue: with_item(self.cubes[issue], nation, n)}

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


def with_item(row: tuple[T, ...], i: int, value: T) -> tuple[T, ...]:
    """`row` with another value at `i`."""
    return (*row[:i], value, *row[i + 1 :])


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
    for i, player in enumerate(p.order):
        if player == nation:
            return p.seats[i]
    return p.seats[p.order.index(p.active)]


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


def clockwise_from(circle: tuple[int, ...], start: int) -> tuple[int, ...]:
    """`circle` from `start` on, round to the one before it."""
    i = circle.index(start)
    return circle[i:] + circle[:i]


def clockwise_after(circle: tuple[int, ...], nation: int) -> tuple[int, ...]:
    """`circle` from the one after `nation`, ending with `nation`."""
    i = circle.index(nation) + 1
    return circle[i:] + circle[:i]


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
    most = most_cubes(row)
    return row.index(most) if most else NOBODY


def most_cubes(row: tuple[int, ...]) -> int:
    """As `max`, which compiled rules would call as a function of Python."""
    most = 0
    for n in row:
        most = max(most, n)
    return most


def counters_in_play(p: Position) -> list[str]:
    """All counters on settled issues."""
    return [counter for held in p.held.values() for counter in held.counters]


def owned_issues(p: Position, nation: int) -> list[str]:
    return [issue for issue, held in p.held.items() if held.owner == nation]


def star_total(p: Position, nation: int) -> int:
    issues = p.pack.issues
    return sum(issues[issue].stars for issue, held in p.held.items() if held.owner == nation)
