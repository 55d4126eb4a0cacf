"""Retreats and adjustments: what is worth most, or what looks best some movements later."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, islice, product
from typing import Any, Final

from powderkeg.bots.diplomacy.numbers import kernel
from powderkeg.bots.diplomacy.numbers.engine import Engine
from powderkeg.bots.diplomacy.numbers.kernel import SHEET
from powderkeg.bots.diplomacy.numbers.map import (
    COUNT,
    NODES,
    PROVINCE,
    SITES,
    SITES_FROM,
    node_of,
    unit_of,
)
from powderkeg.bots.diplomacy.numbers.position import Scene, code_of, given, scene_of
from powderkeg.bots.diplomacy.plan.search import Weighed, seeds
from powderkeg.bots.diplomacy.weights import Taste
from powderkeg.bots.engine.budget import Clock
from powderkeg.core.chance import Rng
from powderkeg.games.diplomacy.actions import Build, Disband, Order, Retreat, parse_unit
from powderkeg.games.diplomacy.board import CODES, NUMBER_OF, POWERS, PROVINCES, Unit

Orders = dict[str, Order]  # by province
MOST: Final = 48  # ways to adjust or retreat that are looked at
LEAST_WORTH: Final = 7  # units among which the ones to remove are looked for


def greedy(view: Mapping[str, Any], hand: int, rng: Rng) -> Orders:
    """What is worth most now."""
    scene, dice = scene_of(view), seeds(rng, 1)
    if view["stage"] == "retreat":
        return _flights(view, scene, hand, dice)
    return _adjusted(view, scene, hand, dice)


def _flights(view: Mapping[str, Any], scene: Scene, hand: int, dice: list[int]) -> Orders:
    w = [0] * SHEET
    kernel.survey(w, list(scene.units))
    kernel.weigh(w, list(scene.owner), hand, scene.season)
    drafts = given(view)
    taken = {order.to[:3] for order in drafts.values() if isinstance(order, Retreat)}
    found: Orders = {}
    for unit, places in _dislodged(view, hand):
        if unit.province in drafts:
            continue
        w[kernel.OFFERED] = 0
        for to in places:
            if to[:3] not in taken:
                node = node_of(Unit(unit.kind, to))
                kernel.offer(w, kernel.worth(w, node), node)
        if not w[kernel.OFFERED]:
            found[unit.province] = Disband(unit)
            continue
        flight = Retreat(unit, unit_of(kernel.pick(w, dice, 0)).at)
        found[unit.province] = flight
        taken.add(flight.to[:3])
    return found


def _dislodged(view: Mapping[str, Any], hand: int) -> Iterator[tuple[Unit, list[str]]]:
    """My units that must retreat, and where they may go."""
    for each in view["dislodged"]:
        if hand >> POWERS.index(each["power"]) & 1 and each["retreats"]:
            yield parse_unit(each["unit"]), each["retreats"]


def _adjusted(view: Mapping[str, Any], scene: Scene, hand: int, dice: list[int]) -> Orders:
    """Builds where they are worth most, removals where least; orders already given count."""
    w, units = [0] * SHEET, list(_with(view, scene, hand))
    before = list(units)
    kernel.adjust(w, units, list(scene.owner), [hand], dice, 0)
    return _difference(before, units, hand)


def _with(view: Mapping[str, Any], scene: Scene, hand: int) -> list[int]:
    """The units as my drafts would have them."""
    units = list(scene.units)
    for province, order in given(view).items():
        at = NUMBER_OF[province]
        if isinstance(order, Build):
            units[at] = code_of(_builder(province), order.unit)
        elif isinstance(order, Disband):
            units[at] = 0
    return units


def _builder(province: str) -> int:
    return POWERS.index(PROVINCES[province].home or "")


def _difference(before: Sequence[int], after: Sequence[int], hand: int) -> Orders:
    found: Orders = {}
    for at in range(COUNT):
        code = after[at] or before[at]
        if before[at] != after[at] and hand >> ((code - 1) // NODES) & 1:
            unit = unit_of((code - 1) % NODES)
            found[CODES[at]] = Build(unit) if after[at] else Disband(unit)
    return found


# Looking ahead


def thoughtful(
    view: Mapping[str, Any],
    me: int,
    rng: Rng,
    clock: Clock,
    engine: Engine,
    taste: Taste,
    samples: int,
    depth: int,
) -> tuple[Orders, list[Weighed]]:
    """What looks best on average when everybody plays on."""
    scene = scene_of(view)
    hand = scene.hands[me]
    first = greedy(view, hand, rng)
    ways = [first]
    if view["stage"] == "retreat":
        ways += islice(_all_flights(view, hand), MOST)
    else:
        ways += islice(_all_adjustments(view, scene, hand), MOST)
    rows: dict[tuple[int, ...], Orders] = {}
    for way in ways:
        rows.setdefault(tuple(carried_out(view, scene, hand, way)), way)
    if len(rows) < 2:
        return first, []
    dice = seeds(rng, samples)
    ranked: list[tuple[Weighed, Orders]] = []
    for row, way in rows.items():
        if ranked and clock.late():
            break
        clock.spent += 1
        values = engine.outlook(scene, [row] * samples, dice, depth, taste)
        mean = tuple(sum(column) / samples for column in zip(*values, strict=True))
        ranked.append((Weighed(row, mean, samples), way))
    ranked.sort(key=lambda pair: (-pair[0].values[me], pair[0].plan))
    return ranked[0][1], [weighed for weighed, _ in ranked]


def _all_flights(view: Mapping[str, Any], hand: int) -> Iterator[Orders]:
    drafts = given(view)
    options: list[list[Order]] = [
        [Disband(unit), *(Retreat(unit, to) for to in places)]
        for unit, places in _dislodged(view, hand)
        if unit.province not in drafts
    ]
    for way in product(*options):
        goals = [order.to[:3] for order in way if isinstance(order, Retreat)]
        if len(goals) == len(set(goals)):
            yield {order.unit.province: order for order in way}  # type: ignore[union-attr]  # retreats


def _all_adjustments(view: Mapping[str, Any], scene: Scene, hand: int) -> Iterator[Orders]:
    """All ways to build; removals among the units of least worth. One power after the other."""
    units = _with(view, scene, hand)
    ways: list[list[Orders]] = []
    for number in range(len(POWERS)):
        if hand >> number & 1:
            mine = [at for at in range(COUNT) if units[at] and (units[at] - 1) // NODES == number]
            due = sum(owner == number for owner in scene.owner) - len(mine)
            if due > 0:
                ways.append(list(islice(_builds(scene, units, number, due), MOST)))
            elif due < 0:
                ways.append(list(islice(_removals(scene, units, hand, mine, -due), MOST)))
    for way in product(*ways):
        yield {province: order for part in way for province, order in part.items()}


def _builds(scene: Scene, units: Sequence[int], power: int, due: int) -> Iterator[Orders]:
    sites: dict[int, list[int]] = {}
    for node in SITES[SITES_FROM[power] : SITES_FROM[power + 1]]:
        at = PROVINCE[node]
        if not units[at] and scene.owner[at] == power:
            sites.setdefault(at, []).append(node)
    for homes in combinations(sites, min(due, len(sites))):
        for nodes in product(*(sites[at] for at in homes)):
            yield {unit_of(node).province: Build(unit_of(node)) for node in nodes}


def _removals(
    scene: Scene, units: Sequence[int], hand: int, mine: Sequence[int], due: int
) -> Iterator[Orders]:
    w = [0] * SHEET
    kernel.survey(w, list(units))
    kernel.weigh(w, list(scene.owner), hand, kernel.WINTER)
    nodes = sorted(((units[at] - 1) % NODES for at in mine), key=lambda node: kernel.worth(w, node))
    for gone in combinations(nodes[: max(LEAST_WORTH, due)], due):
        yield {unit_of(node).province: Disband(unit_of(node)) for node in gone}


def carried_out(
    view: Mapping[str, Any], scene: Scene, hand: int, way: Mapping[str, Order]
) -> list[int]:
    """The units once I have done it all."""
    if view["stage"] != "retreat":
        units = _with(view, scene, hand)
        for province, order in way.items():
            at = NUMBER_OF[province]
            built = isinstance(order, Build)
            units[at] = code_of(_builder(province), order.unit) if built else 0  # type: ignore[union-attr]  # a build
        return units
    units = list(scene.units)
    powers = {each["unit"]: POWERS.index(each["power"]) for each in view["dislodged"]}
    for order in [*given(view).values(), *way.values()]:
        if isinstance(order, Retreat):
            goal = Unit(order.unit.kind, order.to)
            units[NUMBER_OF[goal.province]] = code_of(powers[str(order.unit)], goal)
    return units
