"""Expansion, split expansion, manoeuvre and Siege Assault: who may go where, and why not.

Each `why_not_…` returns None if the action is allowed, else the reason and its rule. The lists of
legal actions use the same functions.
"""

from typing import Final

from powderkeg.core.agenda import replace_fields
from powderkeg.games.risk_europe.actions import March, Storm
from powderkeg.games.risk_europe.board import (
    ADJACENT,
    ADJACENT_BY_LAND,
    IS_CITY,
    NOBODY,
    SIEGE,
    Units,
    subtract_units,
    total_units,
)
from powderkeg.games.risk_europe.rules.forces import Forces
from powderkeg.games.risk_europe.rules.missions import bonus_amount
from powderkeg.games.risk_europe.rules.refusals import Refusal
from powderkeg.games.risk_europe.state import (
    State,
    attack_at,
    is_disputed,
    movable_units,
    territories_of,
)
from powderkeg.games.risk_europe.steps import Group, Move

MANOEUVRE_RANGE: Final = 2  # R-MAN-01


# Expansion


def why_not_expand_from(state: State, army: int, origin: int) -> Refusal:
    if why := _why_not_own(state, army, origin):
        return why
    if movable_units(state, army, origin) < 1:
        if is_disputed(state, origin):
            return "risk_europe.defenders_must_stay", "R-EXP-06"
        return "risk_europe.one_must_stay", "R-EXP-02"
    there = state.units[origin]
    if all(_why_not_enter(state, army, to, there) for to in ADJACENT[origin]):
        return "risk_europe.no_target", "R-EXP-01"
    return None


def why_not_expand_to(state: State, army: int, move: Move, target: int) -> Refusal:
    if target not in ADJACENT[move.origin]:
        return "risk_europe.not_adjacent", "R-SPLIT-02" if move.order == "split" else "R-EXP-01"
    if any(group.to == target for group in move.groups):
        return "risk_europe.same_target", "R-SPLIT-06"
    return _why_not_enter(state, army, target, units_left(state, move))


def _why_not_own(state: State, army: int, origin: int) -> Refusal:
    if state.owner[origin] == army:
        return None
    attack = attack_at(state, origin)
    if attack and attack.army == army:
        return "risk_europe.attackers_stay", "R-DISP-03"
    return "risk_europe.not_yours", "R-EXP-01"


def _why_not_enter(state: State, army: int, to: int, units: Units) -> Refusal:
    owner = state.owner[to]
    if owner == NOBODY:
        return None
    attack = attack_at(state, to)
    if attack:
        if army in (attack.army, owner):
            return "risk_europe.use_manoeuvre", "R-EXP-09"
        return "risk_europe.third_army", "R-EXP-11"
    if owner == army:
        return "risk_europe.already_yours", "R-EXP-10"
    if to in state.castles and not units[SIEGE]:
        return "risk_europe.castle_needs_siege", "R-EXP-07"
    return None


def units_left(state: State, move: Move) -> Units:
    """The units left in the origin after the groups named so far."""
    left = state.units[move.origin]
    for group in move.groups:
        left = subtract_units(left, group.units)
    return left


def needs_siege(state: State, army: int, target: int) -> bool:
    """An opponent's castle is entered only with a siege weapon (R-EXP-07), an empty one freely."""
    return target in state.castles and state.owner[target] not in (NOBODY, army)


def expansion_forces(state: State, army: int, move: Move) -> Forces:
    gone = sum(total_units(group.units) for group in move.groups)
    most = movable_units(state, army, move.origin) - gone
    left = units_left(state, move)
    if needs_siege(state, army, move.target):
        return Forces(Storm, left, 1, most, siege=1)
    return Forces(March, left, 1, most)


# Manoeuvre


def why_not_manoeuvre_from(state: State, army: int, origin: int) -> Refusal:
    if is_disputed(state, origin):
        return "risk_europe.no_retreat", "R-MAN-04"
    if state.owner[origin] != army:
        return "risk_europe.not_yours", "R-MAN-01"
    if total_units(state.units[origin]) <= _must_stay(state, origin):
        return "risk_europe.one_must_stay", "R-MAN-05"
    if not any(_is_own_side(state, army, to) for to in ADJACENT[origin]):
        return "risk_europe.no_target", "R-MAN-01"
    return None


def _is_own_side(state: State, army: int, at: int) -> bool:
    """Whether `army` holds `at` or attacks it."""
    if state.owner[at] == army:
        return True
    attack = attack_at(state, at)
    return attack is not None and attack.army == army


def why_not_manoeuvre_to(state: State, army: int, move: Move, target: int) -> Refusal:
    if target in manoeuvre_targets(state, army, move.origin):
        return None
    attack = attack_at(state, target)
    if attack and army not in (attack.army, state.owner[target]):
        return "risk_europe.third_army", "R-MAN-03"
    if not attack and state.owner[target] != army:
        return "risk_europe.only_own_or_disputed", "R-MAN-06"
    if target == move.origin:
        return "risk_europe.same_target", "R-MAN-07"
    return "risk_europe.out_of_reach", "R-MAN-02"


def manoeuvre_targets(state: State, army: int, origin: int) -> list[int]:
    """Where units can go through the army's own territories; a disputed one ends the path (R-MAN-02)."""
    reach = bonus_amount(state, army, "manoeuvre_range") or MANOEUVRE_RANGE
    owner = state.owner
    mine = {a.at for a in state.attacks if army in (a.army, owner[a.at])}
    seen, frontier = {origin}, [origin]
    for _ in range(reach):
        found = [
            to
            for at in frontier
            for to in ADJACENT[at]
            if to not in seen and (owner[to] == army or to in mine)
        ]
        seen.update(found)
        frontier = [to for to in found if to not in mine]
    seen.discard(origin)
    return sorted(seen)


def _must_stay(state: State, origin: int) -> int:
    """One unit stays in a city or castle; a plain territory may be emptied (R-MAN-05)."""
    return 1 if IS_CITY[origin] or origin in state.castles else 0


def manoeuvre_forces(state: State, army: int, move: Move) -> Forces:
    there = state.units[move.origin]
    return Forces(March, there, 1, total_units(there) - _must_stay(state, move.origin))


# Both, by the order that is carried out


def why_not_from(state: State, army: int, order: str, origin: int) -> Refusal:
    if order == "manoeuvre":
        return why_not_manoeuvre_from(state, army, origin)
    return why_not_expand_from(state, army, origin)


def why_not_to(state: State, move: Move, target: int) -> Refusal:
    if move.order == "manoeuvre":
        return why_not_manoeuvre_to(state, move.army, move, target)
    return why_not_expand_to(state, move.army, move, target)


def move_origins(state: State, move: Move) -> list[int]:
    army, order = move.army, move.order
    own = territories_of(state, army)
    return [at for at in own if why_not_from(state, army, order, at) is None]


def move_targets(state: State, move: Move) -> list[int]:
    if move.order == "manoeuvre":
        return manoeuvre_targets(state, move.army, move.origin)
    return [to for to in ADJACENT[move.origin] if why_not_to(state, move, to) is None]


def second_targets(state: State, move: Move) -> list[int]:
    """Where a second group of a split expansion could go (R-SPLIT-01)."""
    if move.order != "split" or len(move.groups) != 1:
        return []
    gone = total_units(move.groups[0].units)
    return move_targets(state, move) if movable_units(state, move.army, move.origin) > gone else []


def move_forces(state: State, move: Move) -> Forces:
    if move.order == "manoeuvre":
        return manoeuvre_forces(state, move.army, move)
    return expansion_forces(state, move.army, move)


def can_move(state: State, army: int, order: str) -> bool:
    own = territories_of(state, army)
    return any(why_not_from(state, army, order, at) is None for at in own)


def add_group(move: Move, units: Units) -> Move:
    """The move with its next group named."""
    return replace_fields(move, target=NOBODY, groups=(*move.groups, Group(move.target, units)))


# Siege Assault


def why_not_besiege(state: State, army: int, origin: int, target: int) -> Refusal:
    if state.owner[origin] != army:
        return "risk_europe.not_yours", "R-SIEGE-01"
    if not state.units[origin][SIEGE]:
        return "risk_europe.no_siege_weapon", "R-SIEGE-06"
    if is_disputed(state, origin) or is_disputed(state, target):
        return "risk_europe.siege_disputed", "R-SIEGE-04"
    if target not in ADJACENT_BY_LAND[origin]:
        return "risk_europe.siege_by_land", "R-SIEGE-05" if target in ADJACENT[
            origin
        ] else "R-SIEGE-01"
    if state.owner[target] in (NOBODY, army):
        return "risk_europe.no_enemy", "R-SIEGE-01"
    return None


def siege_assaults(state: State, army: int) -> list[tuple[int, int]]:
    if not state.armies[army].reserve[SIEGE] < 4:
        return []
    return [
        (origin, target)
        for origin in territories_of(state, army)
        if state.units[origin][SIEGE]
        for target in ADJACENT_BY_LAND[origin]
        if why_not_besiege(state, army, origin, target) is None
    ]
