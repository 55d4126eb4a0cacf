"""What a place is worth to a power: the values of the classic DumbBot, from its public description.

A centre is worth the size of its owner, as far as it can be taken, or of the strongest enemy who
could take it from me. The worth spreads over the map in nine steps, each a fifth of the sum of the
neighbours', separately for armies and fleets. In spring it is best to stand beside a centre, in
fall on it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from powderkeg.games.diplomacy.board import (
    ARMY_MOVES,
    CENTRES,
    FLEET_MOVES,
    LOCATIONS,
    PROVINCES,
    Unit,
    fits,
    moves,
)

Node: TypeAlias = Unit  # a kind of unit and a location: a place to stand

NODES: Final = tuple(
    node for location in LOCATIONS for kind in ("A", "F") if fits(node := Unit(kind, location))
)
NEAR: Final[dict[Node, tuple[Node, ...]]] = {
    node: tuple(
        Unit(node.kind, to) for to in (ARMY_MOVES if node.kind == "A" else FLEET_MOVES)[node.at]
    )
    for node in NODES
}
INDEX: Final = {node: n for n, node in enumerate(NODES)}


def _groups(node: Node) -> tuple[tuple[int, ...], ...]:
    """Neighbours by province: of two coasts only the better one counts."""
    near: dict[str, list[int]] = {}
    for other in NEAR[node]:
        near.setdefault(other.province, []).append(INDEX[other])
    return tuple(tuple(found) for found in near.values())


GROUPS: Final = tuple(_groups(node) for node in NODES)

SPREAD: Final = {
    "spring": (100, 1000, 30, 10, 6, 5, 4, 3, 2, 1),
    "fall": (1000, 100, 30, 10, 6, 5, 4, 3, 2, 1),
}
ATTACK: Final = {"spring": 700, "fall": 600}
DEFEND: Final = {"spring": 300, "fall": 400}
RIVALRY: Final = 1000  # for each unit of mine, against each of the strongest enemy's, at a place


@dataclass(frozen=True, slots=True)
class Values:
    """What every node is worth, and who could be there."""

    worth: tuple[float, ...]
    strength: Mapping[str, int]  # units of mine that stand in a province or can enter it
    competition: Mapping[str, int]  # the same for the enemy who has the most

    def of(self, unit: Node) -> float:
        n = INDEX.get(unit)
        if n is None:  # a coast was not named: the better one
            coasts = [INDEX[Unit(unit.kind, coast)] for coast in PROVINCES[unit.province].coasts]
            return max(self.worth[coast] for coast in coasts)
        return self.worth[n]


def size(centres: int) -> int:
    return centres * centres + 4 * centres + 16


def values(view: Mapping[str, Any], mine: Sequence[str], *, season: str, count: bool) -> Values:
    """The values for whoever holds the powers `mine`. `count`: whether rivalry matters now."""
    units = {p: [_unit(text) for text in texts] for p, texts in view["units"].items()}
    reach = {power: _reach(found) for power, found in units.items()}
    strength = _sum([reach[power] for power in mine if power in reach])
    enemies = [reach[power] for power in reach if power not in mine]
    competition = {code: max((r.get(code, 0) for r in enemies), default=0) for code in PROVINCES}
    attack, defend = _centres(view["centres"], mine, reach)
    start = [
        attack.get(node.province, 0) * ATTACK[season]
        + defend.get(node.province, 0) * DEFEND[season]
        for node in NODES
    ]
    worth = _spread(start, SPREAD[season])
    if count:
        worth = [
            value + RIVALRY * (strength.get(node.province, 0) - competition[node.province])
            for node, value in zip(NODES, worth, strict=True)
        ]
    else:
        worth = [
            value + RIVALRY * defend.get(node.province, 0)
            for node, value in zip(NODES, worth, strict=True)
        ]
    return Values(tuple(worth), strength, competition)


def _unit(text: str) -> Unit:
    return Unit(text[0], text[2:])  # type: ignore[arg-type]  # A or F


def _reach(units: Sequence[Unit]) -> dict[str, int]:
    found: dict[str, int] = {}
    for unit in units:
        for code in {unit.province, *(to[:3] for to in moves(unit))}:
            found[code] = found.get(code, 0) + 1
    return found


def _sum(counts: Sequence[Mapping[str, int]]) -> dict[str, int]:
    total: dict[str, int] = {}
    for count in counts:
        for code, n in count.items():
            total[code] = total.get(code, 0) + n
    return total


def _centres(
    owned: Mapping[str, Sequence[str]], mine: Sequence[str], reach: Mapping[str, Mapping[str, int]]
) -> tuple[dict[str, int], dict[str, int]]:
    """For each centre: how much it is worth to take, and how much to keep."""
    owner = {code: power for power, codes in owned.items() for code in codes}
    neutral = size(sum(code not in owner for code in CENTRES))  # the neutrals count as one power
    attack: dict[str, int] = {}
    defend: dict[str, int] = {}
    for code in CENTRES:
        power = owner.get(code)
        if power not in mine:
            attack[code] = neutral if power is None else size(len(owned[power]))
        else:
            threats = [p for p in reach if p not in mine and code in reach[p]]
            defend[code] = max((size(len(owned.get(p, ()))) for p in threats), default=0)
    return attack, defend


def _spread(start: Sequence[float], weights: Sequence[int]) -> list[float]:
    near = list(start)
    worth = [weights[0] * value for value in near]
    for weight in weights[1:]:
        near = [
            (near[n] + sum(max(near[k] for k in group) for group in groups)) / 5
            for n, groups in enumerate(GROUPS)
        ]
        worth = [total + weight * value for total, value in zip(worth, near, strict=True)]
    return worth
