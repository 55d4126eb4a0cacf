"""What a game is at any moment: options, armies, board, and the steps still to come.

Records are named tuples: values that compare, store and copy quickly. Inside the rules an army is
a number: people come first, in seat order, then mercenaries. `NOBODY` stands for no army.
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import Annotated, Any, Final, Literal, NamedTuple, TypeVar

from powderkeg.core.plain import Between
from powderkeg.games.risk_europe.board import (
    ADJACENT,
    CASTLES,
    CITIES,
    CROWN_CARDS,
    DECK,
    EMPTY,
    FULL_ARMY,
    GOLD_CITIES,
    NOBODY,
    ROME,
    TERRITORY_NAMES,
    Units,
    total_units,
)
from powderkeg.games.risk_europe.steps import Pending

NO_BID_YET: Final = -1
SECRET_NUMBER: Final = -2  # a number that this viewer may not know
UNKNOWN_CARD: Final = "?"  # a card that this viewer may not know
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Options:
    """Variant, length and house rulings; the defaults are the rulebook's."""

    missions: bool = False  # Kingdom Missions (R-MISSION)
    rounds: Annotated[int, Between(0, 200)] = 0  # end after this many; 0: only by the rulebook
    mercenary_seat: Literal["last", "ring"] = "last"  # with three players (R-3P-10)
    mercenary_king: Literal["controller", "army", "nobody"] = "controller"  # R-3P-18
    mercenary_losses: Literal["neutral", "controller"] = "neutral"  # R-3P-19
    tie: Literal["crowns", "target"] = (
        "crowns"  # which players count as tied at the target (R-WIN-03)
    )
    cards: str = ""  # your own crown cards: the differences, see packs


class Army(NamedTuple):
    """What lies in front of a player, or of a mercenary army."""

    coins: int = 0
    reserve: Units = FULL_ARMY
    hand: tuple[str, ...] = DECK  # of a mercenary: its face-down pile, whose order chance decides
    stack: tuple[str, ...] = ()  # placed face down this round, next one first
    shown: tuple[str, ...] = ()  # revealed this round
    discard: tuple[str, ...] = ()
    bid: int = NO_BID_YET
    bought: int = 0  # crown cards (basic game)
    buys: bool = True  # may still buy a crown card this round (R-SPEND-10)
    missions: tuple[str, ...] = ()  # face down
    completed: tuple[str, ...] = ()
    wins: int = 0  # battles won as the attacker this round
    grace: bool = False  # plays its one round without a city (R-SAVED-01)
    out: int = 0  # the round in which it was eliminated
    controller: int = NOBODY  # who plays this mercenary army this round


class Attack(NamedTuple):
    """An army inside somebody else's territory: `at` is disputed (R-MAP-07)."""

    at: int
    army: int
    units: Units


class Returned(NamedTuple):
    """A mission put to the bottom of the pile, and who knows it."""

    card: str
    by: int


class State(NamedTuple):
    """The whole table."""

    options: Options
    colours: tuple[str, ...]  # by army: people first, then mercenaries
    people: int
    armies: tuple[Army, ...]
    agenda: tuple[Pending, ...]
    owner: tuple[int, ...] = (NOBODY,) * len(TERRITORY_NAMES)
    units: tuple[Units, ...] = (EMPTY,) * len(TERRITORY_NAMES)  # of the owner
    attacks: tuple[Attack, ...] = ()
    castles: tuple[int, ...] = ()
    active: tuple[int, ...] = (NOBODY,) * len(GOLD_CITIES)  # whose city bonus works (R-CITY-01)
    marker: int = NOBODY
    ring: tuple[int, ...] = ()  # armies around the table
    order: tuple[int, ...] = ()  # of this round's turns
    round: int = 0
    turn: int = 0
    crown_cards: int = CROWN_CARDS  # left to buy
    unseen: tuple[str, ...] = ()  # missions on top of the pile, whose order chance decides
    bottom: tuple[Returned, ...] = ()  # below them, in order
    over: str = ""  # why the game ended
    ranking: tuple[tuple[int, ...], ...] = ()


# Reading the table


def attack_at(state: State, at: int) -> Attack | None:
    for attack in state.attacks:
        if attack.at == at:
            return attack
    return None


def is_disputed(state: State, at: int) -> bool:
    return attack_at(state, at) is not None


def armies_left(state: State) -> list[int]:
    return [i for i, army in enumerate(state.armies) if not army.out]


def players_left(state: State) -> list[int]:
    """The players still in the game."""
    return [i for i in range(state.people) if not state.armies[i].out]


def deciding_player(state: State, army: int) -> int:
    """The player who decides for `army`: its own, or its controller this round (R-3P-12)."""
    return army if army < state.people else state.armies[army].controller


def cities_of(state: State, army: int) -> list[int]:
    owner = state.owner
    return [city for city in CITIES if owner[city] == army]


def territories_of(state: State, army: int) -> tuple[int, ...]:
    return _held_by(state.owner, army)


@lru_cache(maxsize=256)  # asked for many times between two changes of hands
def _held_by(owners: tuple[int, ...], army: int) -> tuple[int, ...]:
    return tuple(at for at, owner in enumerate(owners) if owner == army)


def count_crowns(state: State, army: int) -> int:
    """Where the war banner stands (R-CROWN-01); Rome counts twice (R-CITY-14)."""
    own = state.armies[army]
    if own.out:  # its crown cards have left the game (R-SAVED-06)
        return 0
    return (
        len(cities_of(state, army)) + (state.owner[ROME] == army) + own.bought + len(own.completed)
    )


def has_shield(state: State, army: int, city: int) -> bool:
    """Whether the bonus of the gold city at `city` works for `army` now."""
    return state.active[GOLD_CITIES.index(city)] == army


def supply_line(state: State, army: int, start: int) -> list[int]:
    """The territories linked to `start`, in order; disputed ones do not link (R-MAP-08)."""
    blocked = {attack.at for attack in state.attacks}
    if start in blocked or state.owner[start] != army:
        return []
    seen, frontier = {start}, [start]
    while frontier:
        for beside in ADJACENT[frontier.pop()]:
            if beside not in seen and state.owner[beside] == army and beside not in blocked:
                seen.add(beside)
                frontier.append(beside)
    return sorted(seen)


def on_board(state: State, army: int, unit: int) -> int:
    return FULL_ARMY[unit] - state.armies[army].reserve[unit]


def castles_left(state: State) -> int:
    return CASTLES - len(state.castles)


def movable_units(state: State, army: int, origin: int) -> int:
    """How many units an expansion may take: one stays, or as many as attack (R-EXP-02, -06)."""
    attack = attack_at(state, origin)
    stay = max(1, total_units(attack.units)) if attack else 1
    return total_units(state.units[origin]) - stay


# Changing it


def replace_at(items: tuple[T, ...], at: int, item: T) -> tuple[T, ...]:
    return (*items[:at], item, *items[at + 1 :])


_ARMIES, _AGENDA, _UNITS = map(State._fields.index, ("armies", "agenda", "units"))


def _with_field(state: State, place: int, value: object) -> State:
    """With one field changed: what happens most often, so done without naming every field."""
    return State._make((*state[:place], value, *state[place + 1 :]))


def with_army(state: State, army: int, **changes: Any) -> State:
    armies = state.armies
    return _with_field(state, _ARMIES, replace_at(armies, army, armies[army]._replace(**changes)))


def with_units(state: State, at: int, units: Units) -> State:
    """With other units of the owner of `at`."""
    return _with_field(state, _UNITS, replace_at(state.units, at, units))


def pay_coins(state: State, army: int, coins: int) -> State:
    """Coins from the reserve, which never runs out (R-SET-04); negative: to the reserve."""
    return with_army(state, army, coins=state.armies[army].coins + coins)


def pop_step(state: State) -> State:
    return _with_field(state, _AGENDA, state.agenda[:-1])


def push_steps(state: State, *steps: Pending) -> State:
    return _with_field(state, _AGENDA, state.agenda + steps[::-1])


def replace_step(state: State, *steps: Pending) -> State:
    """Replace the step on top by `steps`, the first one named first."""
    return _with_field(state, _AGENDA, state.agenda[:-1] + steps[::-1])
