"""Odds of a battle, cheap enough for thousands of calls per decision."""

from functools import lru_cache
from typing import Final, NamedTuple, TypeAlias

from powderkeg.games.risk_europe.board import SIEGE, Units, total_units
from powderkeg.games.risk_europe.odds.battle_odds import exact_odds
from powderkeg.games.risk_europe.rules.forces import strongest_units

Left: TypeAlias = tuple[float, float, float, float]  # units of each kind, on average

MOST_UNITS: Final = {False: 14, True: 9}  # total units up to which the odds are exact


class BattleOutlook(NamedTuple):
    """The chances that attacker and defender are left, and what is left of them on average."""

    attacker: float
    defender: float
    attackers: Left
    defenders: Left


@lru_cache(maxsize=1 << 16)
def battle_odds(attacker: Units, defender: Units, castle: bool) -> BattleOutlook:  # noqa: FBT001  # a key of the cache
    """The odds of a battle; large armies are scaled down first.

    Scaling underestimates the stronger army a little.
    """
    both = total_units(attacker) + total_units(defender)
    scale = max(1.0, both / MOST_UNITS[castle])
    found = exact_odds(
        scale_army(attacker, scale),
        scale_army(defender, scale),
        castle="eager" if castle else "none",
    )
    attackers, defenders = [0.0] * 4, [0.0] * 4
    for end in found.outcomes:
        for kind in range(4):
            attackers[kind] += scale * end.chance * end.attacker[kind]
            defenders[kind] += scale * end.chance * end.defender[kind]
    return BattleOutlook(
        found.attacker, found.defender, _mean_units(attackers), _mean_units(defenders)
    )


def _mean_units(counts: list[float]) -> Left:
    f, a, c, s = counts
    return f, a, c, s


def scale_army(units: Units, scale: float) -> Units:
    """An army of the same mixture, scaled down by a factor, but never empty."""
    if scale <= 1:
        return units
    f, a, c, s = (round(n / scale) for n in units)
    if f + a + c + s:
        return f, a, c, s
    return strongest_units(units, 1)


@lru_cache(maxsize=1 << 16)
def threat_chance(units: Units, defender: Units, castle: bool) -> float:  # noqa: FBT001  # a key of the cache
    """The chance that neighbouring `units` take the place of `defender`, if all but one attack."""
    force = strongest_units(units, total_units(units) - 1)
    if not any(force) or (castle and not force[SIEGE]):  # R-EXP-07
        return 0.0
    return battle_odds(force, defender, castle).attacker
