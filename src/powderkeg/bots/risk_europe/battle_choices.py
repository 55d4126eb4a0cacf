"""Choices in a battle: which units to lose, and whether a castle's defender should roll again."""

from itertools import product
from math import comb, fsum

from powderkeg.bots.risk_europe.evaluate import Outlook, units_worth
from powderkeg.bots.risk_europe.quick_odds import battle_odds
from powderkeg.games.risk_europe.actions import Lose
from powderkeg.games.risk_europe.board import Units, subtract_units, total_units
from powderkeg.games.risk_europe.rules import battle_dice
from powderkeg.games.risk_europe.rules.battle_dice import GENERAL, HITS_ON
from powderkeg.games.risk_europe.rules.forces import Forces, cheapest_units
from powderkeg.games.risk_europe.state import Attack
from powderkeg.games.risk_europe.steps import Battle, Casualties

WIDEST = 24  # choices of losses that are compared; if there are more, the cheapest units are lost


def choose_losses(outlook: Outlook, step: Battle, attack: Attack, units: Units, hits: int) -> Lose:
    """The units whose loss costs least, judged by the odds of the units that fight on."""
    force = Forces(Lose, units, hits, hits)
    if force.count_all() > WIDEST:
        return Lose(cheapest_units(units, hits))
    attacking = units == attack.units
    defender = outlook.units[step.at]
    castle = step.at in outlook.castles
    owner = outlook.owner[step.at]

    def worth(lost: Units) -> float:
        left = subtract_units(units, lost)
        if attacking:
            end = battle_odds(left, defender, castle)
            return end.attacker * outlook.holding_value(attack.army, step.at) + units_worth(
                outlook.weights, end.attackers
            )
        end = battle_odds(attack.units, left, castle)
        return end.defender * outlook.holding_value(owner, step.at) + units_worth(
            outlook.weights, end.defenders
        )

    listed = [action.units for action in force]
    return Lose(max(listed, key=worth))


def choose_casualties(outlook: Outlook, step: Casualties, units: Units) -> Lose:
    """The losses to siege weapons that leave the territory safest."""
    force = Forces(Lose, units, step.hits, step.hits)
    if force.count_all() > WIDEST:
        return Lose(cheapest_units(units, step.hits))

    def worth(lost: Units) -> float:
        outlook.units[step.at] = subtract_units(units, lost)
        found = outlook.place_value(step.at)
        outlook.units[step.at] = units
        return found

    return Lose(max((action.units for action in force), key=worth))


def chance_to_hold(attack: Attack, there: Units, step: Battle, defender: tuple[int, ...]) -> float:
    """The chance to hold the territory if the defender's dice are these."""
    won, lost = battle_dice.count_hits(step.rank, step.attacker, defender)
    attackers, defenders = _units_left(attack.units, lost), _units_left(there, won)
    if not any(attackers):
        return float(any(defenders))
    return battle_odds(attackers, defenders, castle=True).defender if any(defenders) else 0.0


def _units_left(units: Units, hits: int) -> Units:
    return subtract_units(units, cheapest_units(units, min(hits, total_units(units))))


def should_reroll(attack: Attack, there: Units, step: Battle) -> tuple[bool, float, float]:
    """Whether a second roll is better, and the chances to hold with and without it."""
    stand = chance_to_hold(attack, there, step, step.defender)
    again = fsum(p * chance_to_hold(attack, there, step, dice) for p, dice in _possible_rolls(step))
    return again > stand, again, stand


def _possible_rolls(step: Battle) -> list[tuple[float, tuple[int, ...]]]:
    """Every distinct roll with its chance: in the ranks only the number of hits matters."""
    count = len(step.defender)
    if step.rank == GENERAL:
        return [(6.0**-count, dice) for dice in product(range(1, 7), repeat=count)]
    hit = (7 - HITS_ON[step.rank]) / 6
    return [
        (comb(count, n) * hit**n * (1 - hit) ** (count - n), (6,) * n + (1,) * (count - n))
        for n in range(count + 1)
    ]
