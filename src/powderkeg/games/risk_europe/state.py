"""The state of a game, read and changed: the functions that all rules share.

The records themselves stand in `records`.
"""

from typing import Any, Final, TypeVar

from powderkeg.core.agenda import replace_fields
from powderkeg.games.risk_europe.board import (
    ADJACENT,
    CASTLES,
    CITIES,
    FULL_ARMY,
    GOLD_CITIES,
    ROME,
    Units,
    total_units,
)
from powderkeg.games.risk_europe.records import (
    NO_BID_YET,
    SECRET_NUMBER,
    UNKNOWN_CARD,
    Army,
    Attack,
    Options,
    Returned,
    State,
)
from powderkeg.games.risk_europe.steps import Pending

__all__ = [
    "NO_BID_YET",
    "SECRET_NUMBER",
    "UNKNOWN_CARD",
    "Army",
    "Attack",
    "Options",
    "Returned",
    "State",
    "armies_left",
    "attack_at",
    "castles_left",
    "cities_of",
    "count_crowns",
    "deciding_player",
    "has_shield",
    "is_disputed",
    "movable_units",
    "on_board",
    "pay_coins",
    "players_left",
    "pop_step",
    "push_steps",
    "replace_at",
    "replace_step",
    "supply_line",
    "territories_of",
    "with_army",
    "with_units",
]

T = TypeVar("T")


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
    owners = state.owner
    latest = _HELD[0]  # read once: another thread may put its own there
    if latest[0] is not owners:
        latest = _HELD[0] = (owners, {})
    held = latest[1]
    if army not in held:
        held[army] = tuple([at for at, owner in enumerate(owners) if owner == army])
    return held[army]


# By army, for the latest owners: asked for many times between two changes of hands.
_HELD: Final[list[tuple[tuple[int, ...], dict[int, tuple[int, ...]]]]] = [((), {})]


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
    changed = list(items)
    changed[at] = item
    return tuple(changed)


_ARMIES, _AGENDA, _UNITS = map(State._fields.index, ("armies", "agenda", "units"))


def _with_field(state: State, place: int, value: object) -> State:
    """With one field changed: what happens most often, so done without naming every field."""
    values = list(state)
    values[place] = value
    return tuple.__new__(State, values)


def with_army(state: State, army: int, **changes: Any) -> State:
    armies = state.armies
    return _with_field(
        state, _ARMIES, replace_at(armies, army, replace_fields(armies[army], **changes))
    )


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
