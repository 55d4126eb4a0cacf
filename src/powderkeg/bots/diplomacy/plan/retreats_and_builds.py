"""Retreats, builds and removals: greedy by the worth of places, or by rollouts."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, islice, product
from typing import Any, Final

from powderkeg.bots.diplomacy.numbers import kernel
from powderkeg.bots.diplomacy.numbers.engine import Engine, draw_seeds
from powderkeg.bots.diplomacy.numbers.kernel import SHEET
from powderkeg.bots.diplomacy.numbers.map import (
    NODE_COUNT,
    NODE_PROVINCE,
    SITES,
    SITES_FROM,
    node_of,
    unit_of,
)
from powderkeg.bots.diplomacy.numbers.position import Scene, read_scene, unit_code, written_orders
from powderkeg.bots.diplomacy.plan.search import WeighedPlan
from powderkeg.bots.diplomacy.weights import PositionWeights
from powderkeg.bots.engine.budget import Clock
from powderkeg.core.chance import Rng
from powderkeg.games.diplomacy.actions import Build, Disband, Order, Retreat, parse_unit
from powderkeg.games.diplomacy.board import (
    CODES,
    NUMBER_OF,
    POWERS,
    PROVINCE_COUNT,
    PROVINCES,
    Unit,
)

OrdersByProvince = dict[str, Order]
MOST_WAYS: Final = 48  # ways to retreat or adjust that are tried
REMOVAL_CANDIDATES: Final = 7  # units of least worth among which removals are chosen


def greedy_orders(view: Mapping[str, Any], hand: int, rng: Rng) -> OrdersByProvince:
    """Retreat or build where the worth is highest, remove where it is lowest."""
    scene, dice = read_scene(view), draw_seeds(rng, 1)
    if view["stage"] == "retreat":
        return _greedy_retreats(view, scene, hand, dice)
    return _greedy_adjustments(view, scene, hand, dice)


def _greedy_retreats(
    view: Mapping[str, Any], scene: Scene, hand: int, dice: list[int]
) -> OrdersByProvince:
    w = [0] * SHEET
    kernel.survey_reach(w, list(scene.units))
    kernel.weigh_stakes(w, list(scene.owner), hand, scene.season)
    drafts = written_orders(view)
    taken = {order.to[:3] for order in drafts.values() if isinstance(order, Retreat)}
    found: OrdersByProvince = {}
    for unit, places in _retreat_options(view, hand):
        if unit.province in drafts:
            continue
        w[kernel.CHOICE_COUNT] = 0
        for to in places:
            if to[:3] not in taken:
                node = node_of(Unit(unit.kind, to))
                kernel.offer_choice(w, kernel.node_worth(w, node), node)
        if not w[kernel.CHOICE_COUNT]:
            found[unit.province] = Disband(unit)
            continue
        flight = Retreat(unit, unit_of(kernel.pick_choice(w, dice, 0)).at)
        found[unit.province] = flight
        taken.add(flight.to[:3])
    return found


def _retreat_options(view: Mapping[str, Any], hand: int) -> Iterator[tuple[Unit, list[str]]]:
    """The units of a hand that must retreat, and where they may go."""
    for each in view["dislodged"]:
        if hand >> POWERS.index(each["power"]) & 1 and each["retreats"]:
            yield parse_unit(each["unit"]), each["retreats"]


def _greedy_adjustments(
    view: Mapping[str, Any], scene: Scene, hand: int, dice: list[int]
) -> OrdersByProvince:
    """Build where the worth is highest, remove where it is lowest; written orders count."""
    w, units = [0] * SHEET, list(_units_with_drafts(view, scene, hand))
    before = list(units)
    kernel.adjust_units(w, units, list(scene.owner), [hand], dice, 0)
    return _adjustment_orders(before, units, hand)


def _units_with_drafts(view: Mapping[str, Any], scene: Scene, hand: int) -> list[int]:
    """The units after the written builds and removals."""
    units = list(scene.units)
    for province, order in written_orders(view).items():
        at = NUMBER_OF[province]
        if isinstance(order, Build):
            units[at] = unit_code(_home_power(province), order.unit)
        elif isinstance(order, Disband):
            units[at] = 0
    return units


def _home_power(province: str) -> int:
    """The number of the power whose home centre it is."""
    return POWERS.index(PROVINCES[province].home or "")


def _adjustment_orders(before: Sequence[int], after: Sequence[int], hand: int) -> OrdersByProvince:
    """The builds and removals that turn one row of units into another."""
    found: OrdersByProvince = {}
    for at in range(PROVINCE_COUNT):
        code = after[at] or before[at]
        if before[at] != after[at] and hand >> ((code - 1) // NODE_COUNT) & 1:
            unit = unit_of((code - 1) % NODE_COUNT)
            found[CODES[at]] = Build(unit) if after[at] else Disband(unit)
    return found


# By rollouts


def search_orders(
    view: Mapping[str, Any],
    me: int,
    rng: Rng,
    clock: Clock,
    engine: Engine,
    weights: PositionWeights,
    samples: int,
    depth: int,
) -> tuple[OrdersByProvince, list[WeighedPlan]]:
    """The orders with the best mean value after rollouts, and all that were tried, best first."""
    scene = read_scene(view)
    hand = scene.hands[me]
    first = greedy_orders(view, hand, rng)
    ways = [first]
    if view["stage"] == "retreat":
        ways += islice(_possible_retreats(view, hand), MOST_WAYS)
    else:
        ways += islice(_possible_adjustments(view, scene, hand), MOST_WAYS)
    rows: dict[tuple[int, ...], OrdersByProvince] = {}
    for way in ways:
        rows.setdefault(tuple(units_after(view, scene, hand, way)), way)
    if len(rows) < 2:
        return first, []
    dice = draw_seeds(rng, samples)
    ranked: list[tuple[WeighedPlan, OrdersByProvince]] = []
    for row, way in clock.while_time(rows.items()):
        clock.spent += 1
        values = engine.evaluate_units(scene, [row] * samples, dice, depth, weights)
        mean = tuple(sum(column) / samples for column in zip(*values, strict=True))
        ranked.append((WeighedPlan(row, mean, samples), way))
    ranked.sort(key=lambda pair: (-pair[0].values[me], pair[0].plan))
    return ranked[0][1], [weighed for weighed, _ in ranked]


def _possible_retreats(view: Mapping[str, Any], hand: int) -> Iterator[OrdersByProvince]:
    """All combinations of retreats and disbandings without two units in one province."""
    drafts = written_orders(view)
    options: list[list[Order]] = [
        [Disband(unit), *(Retreat(unit, to) for to in places)]
        for unit, places in _retreat_options(view, hand)
        if unit.province not in drafts
    ]
    for way in product(*options):
        goals = [order.to[:3] for order in way if isinstance(order, Retreat)]
        if len(goals) == len(set(goals)):
            yield {order.unit.province: order for order in way}  # type: ignore[union-attr]  # retreats


def _possible_adjustments(
    view: Mapping[str, Any], scene: Scene, hand: int
) -> Iterator[OrdersByProvince]:
    """All builds, and removals among the units of least worth, one power after the other."""
    units = _units_with_drafts(view, scene, hand)
    ways: list[list[OrdersByProvince]] = []
    for number in range(len(POWERS)):
        if hand >> number & 1:
            mine = [
                at
                for at in range(PROVINCE_COUNT)
                if units[at] and (units[at] - 1) // NODE_COUNT == number
            ]
            due = sum(owner == number for owner in scene.owner) - len(mine)
            if due > 0:
                ways.append(list(islice(_possible_builds(scene, units, number, due), MOST_WAYS)))
            elif due < 0:
                ways.append(
                    list(islice(_possible_removals(scene, units, hand, mine, -due), MOST_WAYS))
                )
    for way in product(*ways):
        yield {province: order for part in way for province, order in part.items()}


def _possible_builds(
    scene: Scene, units: Sequence[int], power: int, due: int
) -> Iterator[OrdersByProvince]:
    sites: dict[int, list[int]] = {}
    for node in SITES[SITES_FROM[power] : SITES_FROM[power + 1]]:
        at = NODE_PROVINCE[node]
        if not units[at] and scene.owner[at] == power:
            sites.setdefault(at, []).append(node)
    for homes in combinations(sites, min(due, len(sites))):
        for nodes in product(*(sites[at] for at in homes)):
            yield {unit_of(node).province: Build(unit_of(node)) for node in nodes}


def _possible_removals(
    scene: Scene, units: Sequence[int], hand: int, mine: Sequence[int], due: int
) -> Iterator[OrdersByProvince]:
    w = [0] * SHEET
    kernel.survey_reach(w, list(units))
    kernel.weigh_stakes(w, list(scene.owner), hand, kernel.WINTER)
    nodes = sorted(
        ((units[at] - 1) % NODE_COUNT for at in mine), key=lambda node: kernel.node_worth(w, node)
    )
    for gone in combinations(nodes[: max(REMOVAL_CANDIDATES, due)], due):
        yield {unit_of(node).province: Disband(unit_of(node)) for node in gone}


def units_after(
    view: Mapping[str, Any], scene: Scene, hand: int, way: Mapping[str, Order]
) -> list[int]:
    """The units after all orders of the hand are carried out."""
    if view["stage"] != "retreat":
        units = _units_with_drafts(view, scene, hand)
        for province, order in way.items():
            at = NUMBER_OF[province]
            built = isinstance(order, Build)
            units[at] = unit_code(_home_power(province), order.unit) if built else 0  # type: ignore[union-attr]  # a build
        return units
    units = list(scene.units)
    powers = {each["unit"]: POWERS.index(each["power"]) for each in view["dislodged"]}
    for order in [*written_orders(view).values(), *way.values()]:
        if isinstance(order, Retreat):
            goal = Unit(order.unit.kind, order.to)
            units[NUMBER_OF[goal.province]] = unit_code(powers[str(order.unit)], goal)
    return units
