"""What the dice promise: the odds a player sees before units go and before a battle is fought.

Only public things and the viewer's own move go into it. Battles too large to be reckoned in a
few milliseconds have no forecast.
"""

from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from powderkeg.core.game import View
from powderkeg.games.risk_europe.board import NAMES, NOBODY, Units, plus, total
from powderkeg.games.risk_europe.odds.battle_odds import odds
from powderkeg.games.risk_europe.rules import moves
from powderkeg.games.risk_europe.rules.forces import Forces, strongest
from powderkeg.games.risk_europe.state import Attack, State, attack_at
from powderkeg.games.risk_europe.steps import Move

# By whether there is a castle, whose defence costs more to reckon:
MOST: Final = {False: 40, True: 20}  # units on both sides
WORK: Final = {False: 400, True: 100}  # choices times units: up to here each one is reckoned


def forecast(state: State) -> View:
    """``battles`` that will be fought; chances of a march ``to`` each target, or ``with`` units."""
    step = state.agenda[-1] if state.agenda else None
    moving = step if isinstance(step, Move) and step.origin != NOBODY else None
    return {
        "battles": {NAMES[attack.at]: _battle(state, attack) for attack in state.attacks},
        "to": dict(_to(state, moving)) if moving and moving.target == NOBODY else {},
        "with": dict(_with(state, moving)) if moving and moving.target != NOBODY else {},
    }


def _battle(state: State, attack: Attack) -> dict[str, float] | None:
    chances = _chances(attack.units, state.units[attack.at], attack.at in state.castles)
    return chances and {"attacker": chances[0], "defender": chances[1]}


@lru_cache(maxsize=8192)
def _chances(attacker: Units, defender: Units, castle: bool) -> tuple[float, float] | None:  # noqa: FBT001  # a key of the cache
    """The chances that attacker and defender are left."""
    if total(attacker) + total(defender) > MOST[castle]:
        return None
    found = odds(attacker, defender, castle="best" if castle else "none")
    return round(found.attacker, 4), round(found.defender, 4)


def _after(state: State, move: Move, to: int, units: Units) -> float | None:
    """The chance to hold `to` after its battle, once `units` have come; None without a battle."""
    attack, owner = attack_at(state, to), state.owner[to]
    castle = to in state.castles
    if attack is None:
        if owner in (NOBODY, move.army):
            return None
        chances = _chances(units, state.units[to], castle)
        return chances and chances[0]
    if owner == move.army:
        chances = _chances(attack.units, plus(state.units[to], units), castle)
        return chances and chances[1]
    chances = _chances(plus(attack.units, units), state.units[to], castle)
    return chances and chances[0]


def _to(state: State, move: Move) -> Iterator[tuple[str, float]]:
    """The chance at each target if as many and as strong units go as may."""
    targets = moves.more_targets(state, move) if move.groups else moves.targets(state, move)
    for to in targets:
        force = moves.forces(state, move._replace(target=to))
        chance = _after(state, move, to, strongest(force.there, force.most))
        if chance is not None:
            yield NAMES[to], chance


def _with(state: State, move: Move) -> Iterator[tuple[str, float]]:
    """The chance with each choice of units, footmen first: ``2,1,0,0``."""
    force, to = moves.forces(state, move), move.target
    for units in _choices(force, total(state.units[to]), WORK[to in state.castles]):
        chance = _after(state, move, to, units)
        if chance is not None:
            yield ",".join(map(str, units)), chance


def _choices(force: Forces, foes: int, work: int) -> Iterator[Units]:
    if force.count_all() * (force.most + foes) > work:
        return iter([strongest(force.there, force.most)])
    return (action.units for action in force)
