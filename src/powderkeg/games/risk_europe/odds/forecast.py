"""The odds that a player sees before units move and before a battle is fought.

Only public things and the viewer's own move go into it. Battles too large to be reckoned in a
few milliseconds have no forecast.
"""

from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from powderkeg.core.game import View
from powderkeg.games.risk_europe.board import NOBODY, TERRITORY_NAMES, Units, add_units, total_units
from powderkeg.games.risk_europe.odds.battle_odds import exact_odds
from powderkeg.games.risk_europe.rules import moves
from powderkeg.games.risk_europe.rules.forces import Forces, strongest_units
from powderkeg.games.risk_europe.state import Attack, State, attack_at
from powderkeg.games.risk_europe.steps import Move

# By whether there is a castle, whose defence costs more to reckon:
MOST_FORECAST_UNITS: Final = {False: 40, True: 20}  # units on both sides
MOST_WORK: Final = {False: 400, True: 100}  # choices times units: up to here each one is reckoned


def forecast_odds(state: State) -> View:
    """``battles`` that will be fought; chances of a march ``to`` each target, or ``with`` units."""
    step = state.agenda[-1] if state.agenda else None
    moving = step if isinstance(step, Move) and step.origin != NOBODY else None
    return {
        "battles": {
            TERRITORY_NAMES[attack.at]: _battle_chances(state, attack) for attack in state.attacks
        },
        "to": dict(_target_chances(state, moving)) if moving and moving.target == NOBODY else {},
        "with": dict(_force_chances(state, moving)) if moving and moving.target != NOBODY else {},
    }


def _battle_chances(state: State, attack: Attack) -> dict[str, float] | None:
    chances = side_chances(attack.units, state.units[attack.at], attack.at in state.castles)
    return chances and {"attacker": chances[0], "defender": chances[1]}


@lru_cache(maxsize=8192)
def side_chances(attacker: Units, defender: Units, castle: bool) -> tuple[float, float] | None:  # noqa: FBT001  # a key of the cache
    """The chances that attacker and defender are left."""
    if total_units(attacker) + total_units(defender) > MOST_FORECAST_UNITS[castle]:
        return None
    found = exact_odds(attacker, defender, castle="best" if castle else "none")
    return round(found.attacker, 4), round(found.defender, 4)


def _chance_after(state: State, move: Move, to: int, units: Units) -> float | None:
    """The chance to hold `to` after its battle, once `units` have come; None without a battle."""
    attack, owner = attack_at(state, to), state.owner[to]
    castle = to in state.castles
    if attack is None:
        if owner in (NOBODY, move.army):
            return None
        chances = side_chances(units, state.units[to], castle)
        return chances and chances[0]
    if owner == move.army:
        chances = side_chances(attack.units, add_units(state.units[to], units), castle)
        return chances and chances[1]
    chances = side_chances(add_units(attack.units, units), state.units[to], castle)
    return chances and chances[0]


def _target_chances(state: State, move: Move) -> Iterator[tuple[str, float]]:
    """The chance at each target if the strongest possible force goes."""
    targets = moves.second_targets(state, move) if move.groups else moves.move_targets(state, move)
    for to in targets:
        force = moves.move_forces(state, move._replace(target=to))
        chance = _chance_after(state, move, to, strongest_units(force.there, force.most))
        if chance is not None:
            yield TERRITORY_NAMES[to], chance


def _force_chances(state: State, move: Move) -> Iterator[tuple[str, float]]:
    """The chance with each choice of units, footmen first: ``2,1,0,0``."""
    force, to = moves.move_forces(state, move), move.target
    for units in _force_choices(
        force, total_units(state.units[to]), MOST_WORK[to in state.castles]
    ):
        chance = _chance_after(state, move, to, units)
        if chance is not None:
            yield ",".join(map(str, units)), chance


def _force_choices(force: Forces, foes: int, work: int) -> Iterator[Units]:
    if force.count_all() * (force.most + foes) > work:
        return iter([strongest_units(force.there, force.most)])
    return (action.units for action in force)
