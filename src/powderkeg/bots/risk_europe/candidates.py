"""Candidate plans for an order: whole moves instead of small steps, each with its gain.

A plan is the actions that a player would give one after another. Only some loads are tried: one
unit, half of them, all that may go. A plan is evaluated on the board itself, without a copy.
"""

from collections.abc import Iterator
from functools import lru_cache
from typing import Final, NamedTuple

from powderkeg.bots.risk_europe.evaluate import Outlook, touched_places, units_worth
from powderkeg.games.risk_europe.actions import (
    Action,
    Besiege,
    BuildCastle,
    Buy,
    BuyCrown,
    Finish,
    Fortify,
    From,
    GiveOrder,
    March,
    Storm,
    TaxCity,
    To,
)
from powderkeg.games.risk_europe.board import (
    ADJACENT,
    CARDS,
    CROWN_PRICE,
    EMPTY,
    FOOTMAN,
    IS_CITY,
    NOBODY,
    SIEGE,
    TAX_VALUES,
    Units,
    add_units,
    subtract_units,
    total_units,
    units_of,
)
from powderkeg.games.risk_europe.rules import economy, moves
from powderkeg.games.risk_europe.rules.forces import cheapest_units, strongest_units
from powderkeg.games.risk_europe.rules.realm import enter_territory, leave_territory
from powderkeg.games.risk_europe.state import (
    State,
    has_shield,
    movable_units,
    supply_line,
    territories_of,
)
from powderkeg.games.risk_europe.steps import Group, Move

SIEGE_HITS: Final = 4 / 3  # hits per weapon on average: two dice that hit on a three
PAIRED_TARGETS: Final = 3  # targets of one origin that are considered for a split


class OrderPlan(NamedTuple):
    """The actions of a plan and their gain; the first action may be an order."""

    gain: float
    actions: tuple[Action, ...]


def rank_plans(plans: Iterator[OrderPlan]) -> list[OrderPlan]:
    """Sort plans, best first; equal ones keep their order."""
    return sorted(plans, key=lambda plan: -plan.gain)


def order_plans(outlook: Outlook, army: int, order: str) -> list[OrderPlan]:
    """All plans worth considering for `order`, best first; each begins with the order itself."""
    match order:
        case "tax":
            found = _tax_plans(outlook, army)
        case "spend":
            found = _shopping_plans(outlook, army)
        case "expand":
            found = expansion_plans(outlook, army)
        case "split":
            found = split_plans(outlook, army)
        case _:
            found = manoeuvre_plans(outlook, army)
    return rank_plans(OrderPlan(plan.gain, (GiveOrder(order), *plan.actions)) for plan in found)


# Expansion


@lru_cache(maxsize=1 << 14)
def peaceful_loads(there: Units, most: int) -> tuple[Units, ...]:
    """Loads to try: one of the cheapest units, half of all, or the strongest that may go."""
    half = (most + 1) // 2
    return tuple(
        dict.fromkeys(
            (cheapest_units(there, 1), cheapest_units(there, half), strongest_units(there, most))
        )
    )


@lru_cache(maxsize=1 << 14)
def hostile_loads(there: Units, most: int) -> tuple[Units, ...]:
    return tuple(
        dict.fromkeys((strongest_units(there, most), strongest_units(there, (2 * most + 2) // 3)))
    )


class Route(NamedTuple):
    """One group of an expansion: where it goes, and the loads that are tried."""

    to: int
    loads: tuple[Units, ...]
    peaceful: bool
    castle: bool


def _expansion_routes(state: State, army: int, origin: int, most: int) -> Iterator[Route]:
    move, there = Move(army, "expand", origin), state.units[origin]
    for to in ADJACENT[origin]:
        if moves.why_not_expand_to(state, army, move, to) is None:
            peaceful = state.owner[to] == NOBODY
            loads = (peaceful_loads if peaceful else hostile_loads)(there, most)
            yield Route(to, loads, peaceful, moves.needs_siege(state, army, to))


def expansion_plans(outlook: Outlook, army: int) -> Iterator[OrderPlan]:
    state = outlook.state
    for origin in territories_of(state, army):
        most = movable_units(state, army, origin)
        if most < 1:
            continue
        for route in _expansion_routes(state, army, origin, most):
            for load in route.loads:
                gain = weigh_move(outlook, army, origin, (Group(route.to, load),))
                yield OrderPlan(gain, (From(origin), *_group_actions(route, load)))


def _group_actions(route: Route, load: Units) -> tuple[Action, Action]:
    return To(route.to), Storm(load) if route.castle else March(load)


def split_plans(outlook: Outlook, army: int) -> Iterator[OrderPlan]:
    """Single groups first; then pairs of the best targets of each origin."""
    state = outlook.state
    for origin in territories_of(state, army):
        most = movable_units(state, army, origin)
        if most < 1:
            continue
        single: list[tuple[float, Route]] = []
        for route in _expansion_routes(state, army, origin, most):
            gains = []
            for load in route.loads:
                gain = weigh_move(outlook, army, origin, (Group(route.to, load),))
                gains.append(gain)
                yield OrderPlan(gain, (From(origin), *_group_actions(route, load), Finish()))
            single.append((max(gains), route))
        if most > 1:
            single.sort(key=lambda found: -found[0])
            yield from _paired_plans(
                outlook, army, origin, most, [r for _, r in single[:PAIRED_TARGETS]]
            )


def _paired_plans(
    outlook: Outlook, army: int, origin: int, most: int, routes: list[Route]
) -> Iterator[OrderPlan]:
    there = outlook.state.units[origin]
    for i, one in enumerate(routes):
        for other in routes[i + 1 :]:
            for x, y in _shared_loads(there, most, one, other):
                groups = (Group(one.to, x), Group(other.to, y))
                gain = weigh_move(outlook, army, origin, groups)
                yield OrderPlan(
                    gain,
                    (From(origin), *_group_actions(one, x), *_group_actions(other, y), Finish()),
                )


def _shared_loads(
    there: Units, most: int, one: Route, other: Route
) -> Iterator[tuple[Units, Units]]:
    """Loads for two targets: one unit and the rest, halves, the rest and one unit; one each."""
    seen = set()
    for count in (1, most // 2, most - 1):
        load = _route_load(there, count, one)
        rest = subtract_units(there, load)
        for more in (most - count, 1):
            second = _route_load(rest, more, other)
            castles = one.castle > load[SIEGE] or other.castle > second[SIEGE]
            if (load, second) not in seen and not castles:
                seen.add((load, second))
                yield load, second


def _route_load(there: Units, count: int, route: Route) -> Units:
    return cheapest_units(there, count) if route.peaceful else strongest_units(there, count)


def weigh_move(outlook: Outlook, army: int, origin: int, groups: tuple[Group, ...]) -> float:
    """The gain of sending `groups`: the board is changed, evaluated, and restored."""
    owner, units, attack = outlook.owner, outlook.units, outlook.attack
    places = touched_places(origin, *(group.to for group in groups))
    before, coins = outlook.value_before(places), 0
    kept = [(at, owner[at], units[at], attack.get(at)) for at in (origin, *(g.to for g in groups))]
    for to, load in groups:
        units[origin] = subtract_units(units[origin], load)
        if owner[to] == NOBODY:
            owner[to], units[to] = army, load
            coins += TAX_VALUES[to] * IS_CITY[to]  # R-CROWN-02
        elif owner[to] == army:
            units[to] = add_units(units[to], load)
        else:
            already = attack[to][1] if to in attack else EMPTY
            attack[to] = (army, add_units(already, load))
    if not any(units[origin]):
        owner[origin] = NOBODY
    after = outlook.value_around(places)
    for at, whose, there, fight in kept:
        owner[at], units[at] = whose, there
        if fight:
            attack[at] = fight
        else:
            attack.pop(at, None)
    return after - before + (outlook.coin_value(army, coins) if coins else 0.0)


# Manoeuvre


def manoeuvre_plans(outlook: Outlook, army: int) -> Iterator[OrderPlan]:
    state = outlook.state
    for origin in territories_of(state, army):
        if moves.why_not_manoeuvre_from(state, army, origin):
            continue
        there = state.units[origin]
        force = moves.manoeuvre_forces(state, army, Move(army, "manoeuvre", origin))
        for to in moves.manoeuvre_targets(state, army, origin):
            if not _is_border(outlook, army, to):
                continue
            for load in _marching_loads(there, force.most):
                gain = weigh_move(outlook, army, origin, (Group(to, load),))
                yield OrderPlan(gain, (From(origin), To(to), March(load)))


@lru_cache(maxsize=1 << 14)
def _marching_loads(there: Units, most: int) -> tuple[Units, ...]:
    """Loads to try: all but one, so that the territory is still held, or half of them."""
    counts = dict.fromkeys((max(1, min(most, total_units(there) - 1)), (most + 1) // 2))
    return tuple(strongest_units(there, n) for n in counts)


def _is_border(outlook: Outlook, army: int, at: int) -> bool:
    """Whether `at` is under attack or next to a territory of another army."""
    owner = outlook.owner
    return at in outlook.attack or any(owner[n] != army for n in ADJACENT[at])


# Coins


def _tax_plans(outlook: Outlook, army: int) -> Iterator[OrderPlan]:
    state = outlook.state
    for city in economy.taxable_cities(state, army):
        gain = outlook.coin_value(army, economy.tax_income(state, army, city))
        line = supply_line(state, army, city)
        for at, units in economy.TAX_UNITS.items():
            if at in line and has_shield(state, army, at):
                gain += outlook.stakes[army] * units_worth(outlook.weights, units)
        yield OrderPlan(gain, (TaxCity(city),))


def _shopping_plans(outlook: Outlook, army: int) -> Iterator[OrderPlan]:
    """The shopping list: the best purchase, repeated until none is worth its coins."""
    gain, bought, state = 0.0, [], outlook.state
    while best := best_purchase(outlook, army):
        gain += best.gain
        bought.append(best.actions[0])
        state = apply_plan(state, army, best.actions)
        outlook = Outlook(state, outlook.weights, outlook.stakes)
    if bought:
        yield OrderPlan(gain, (*bought, Finish()))


def best_purchase(outlook: Outlook, army: int) -> OrderPlan | None:
    """The purchase that gains most per coin; None when the coins are worth more."""
    best, found = 0.0, None
    for cost, plan in possible_purchases(outlook, army):
        rate = plan.gain / max(1, cost)
        if rate > best:
            best, found = rate, plan
    return found


def possible_purchases(outlook: Outlook, army: int) -> Iterator[tuple[int, OrderPlan]]:
    """Everything that could be bought, with its cost."""
    state = outlook.state
    if economy.why_not_crown(state, army) is None:
        gain = outlook.stakes[army] * outlook.up[army] + outlook.coin_value(army, -CROWN_PRICE)
        yield CROWN_PRICE, OrderPlan(gain, (BuyCrown(),))
    coins = state.armies[army].coins
    places = economy.recruiting_places(state, army)
    for unit in range(4):
        price = economy.unit_price(state, army, unit)
        most = min(state.armies[army].reserve[unit], coins // price)
        if count := (most + 1) // 2:  # the remaining coins are considered again
            spent = outlook.coin_value(army, -count * price)
            for at in places:
                gain = spent + reinforcement_gain(outlook, at, units_of(unit, count))
                yield count * price, OrderPlan(gain, (Buy(unit, at, count),))
    yield from _castle_purchases(outlook, army)


def _castle_purchases(outlook: Outlook, army: int) -> Iterator[tuple[int, OrderPlan]]:
    state = outlook.state
    price = economy.castle_price(state, army)
    if state.armies[army].coins < price:
        return
    spent = outlook.coin_value(army, -price)
    kept = outlook.stakes[army] * outlook.weights.castle
    for at in territories_of(state, army):
        if IS_CITY[at] and economy.why_not_build(state, army, at) is None:
            places = touched_places(at)
            before, castles = outlook.value_before(places), outlook.castles
            outlook.castles = (*castles, at)
            gain = spent + outlook.value_around(places) - before + kept
            outlook.castles = castles
            yield price, OrderPlan(gain, (BuildCastle(at),))


def reinforcement_gain(outlook: Outlook, at: int, units: Units) -> float:
    """The gain of adding units in `at`."""
    places, there = touched_places(at), outlook.units[at]
    before = outlook.value_before(places)
    outlook.units[at] = add_units(there, units)
    after = outlook.value_around(places)
    outlook.units[at] = there
    return after - before


# The bonus of a card


def bonus_plans(outlook: Outlook, army: int, card: str) -> list[OrderPlan]:
    """Plans for the bonus of `card`, best first."""
    match CARDS[card].bonus:
        case "fortify":
            return rank_plans(_fortify_plans(outlook, army))
        case "siege":
            return rank_plans(_siege_plans(outlook, army))
        case _:
            return []


def _fortify_plans(outlook: Outlook, army: int) -> Iterator[OrderPlan]:
    state = outlook.state
    for at in economy.fortify_options(state, army):
        count = economy.FORTIFY_CASTLE if at in state.castles else economy.FORTIFY_CITY
        count = min(count, state.armies[army].reserve[FOOTMAN])
        yield OrderPlan(reinforcement_gain(outlook, at, units_of(FOOTMAN, count)), (Fortify(at),))


def _siege_plans(outlook: Outlook, army: int) -> Iterator[OrderPlan]:
    for origin, target in moves.siege_assaults(outlook.state, army):
        places, there = touched_places(target), outlook.units[target]
        before, victim = outlook.value_before(places), outlook.owner[target]
        left = subtract_units(there, cheapest_units(there, _mean_siege_hits(outlook.state, origin)))
        outlook.units[target] = left
        outlook.owner[target] = victim if any(left) else NOBODY
        after = outlook.value_around(places)
        outlook.units[target], outlook.owner[target] = there, victim
        yield OrderPlan(after - before, (Besiege(origin, target),))


def _mean_siege_hits(state: State, origin: int) -> int:
    return round(SIEGE_HITS * state.units[origin][SIEGE])


# Results of a plan


def apply_plan(state: State, army: int, actions: tuple[Action, ...]) -> State:
    """The state after a plan, by the rules; siege dice roll their average."""
    origin, to, groups = NOBODY, NOBODY, []
    for action in actions:
        match action:
            case From(at):
                origin = at
            case To(at):
                to = at
            case March(units) | Storm(units):
                groups.append(Group(to, units))
            case TaxCity(at):
                state = economy.collect_tax(state, army, at, [])
            case Buy(unit, at, count):
                state = economy.buy_units(state, army, unit, at, count, [])
            case BuildCastle(at):
                state = economy.build_castle(state, army, at, [])
            case BuyCrown():
                state = economy.buy_crown(state, army, [])
            case Fortify(at):
                state = economy.fortify_territory(state, army, at, [])
            case Besiege(at, target):
                state = _after_siege(state, at, target)
            case _:
                pass
    for group in groups:
        state = leave_territory(state, origin, group.units, [])
    for group in groups:
        state = enter_territory(state, army, group.to, group.units, [])
    return state


def _after_siege(state: State, origin: int, target: int) -> State:
    there = state.units[target]
    return leave_territory(
        state,
        target,
        cheapest_units(there, min(total_units(there), _mean_siege_hits(state, origin))),
        [],
    )
