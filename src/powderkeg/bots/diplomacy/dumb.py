"""One order for each piece, greedily by value: the classic DumbBot, with convoys and without
bouncing off its own units.

Orders already given stand: a bot is asked for one order at a time, so every call plans the rest.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, TypeVar

from powderkeg.bots.diplomacy.values import Values, values
from powderkeg.core.chance import Rng
from powderkeg.games.diplomacy.board import FLEET_MOVES, PROVINCES, Unit, moves
from powderkeg.games.diplomacy.orders import (
    Build,
    Convoy,
    Disband,
    Hold,
    Move,
    Order,
    Retreat,
    Support,
    Waive,
    parse_order,
)

T = TypeVar("T")
PATIENCE: Final = 3  # how often a unit waits for another to go first
SLACK: Final = 5  # an alternative within a fifth of the value may be taken instead


@dataclass(slots=True)
class Plan:
    """Orders so far, by the province of the piece."""

    view: Mapping[str, Any]
    worth: Values
    units: tuple[Unit, ...]  # all of mine
    rng: Rng
    orders: dict[str, Order] = field(default_factory=dict)

    # Movement

    def march(self) -> None:
        waiting = shuffled([u for u in self.units if u.province not in self.orders], self.rng)
        patience = dict.fromkeys(waiting, PATIENCE)
        while waiting:
            unit = waiting.pop(0)
            if not self.order(unit, waiting, patience[unit] > 0):
                patience[unit] -= 1
                waiting.append(unit)
        self.ferry()
        self.help()

    def order(self, unit: Unit, waiting: Sequence[Unit], may_wait: bool) -> bool:  # noqa: FBT001  # reads well
        """Give `unit` an order; False: it waits for the one who stands where it wants to go."""
        barred: set[str] = set()
        while True:
            place = self.choose(unit, barred)
            if place is None or place == unit.at:
                self.orders[unit.province] = Hold(unit)
                return True
            there = place[:3]
            if any(other.province == there for other in waiting):
                if may_wait:
                    return False
            elif (order := self.toward(unit, place)) is not None:
                self.orders[unit.province] = order
                return True
            barred.add(there)

    def choose(self, unit: Unit, barred: set[str]) -> str | None:
        places = [to for to in moves(unit) if to[:3] not in barred]
        rated = [(self.worth.of(Unit(unit.kind, to)), to) for to in places]
        rated.append((self.worth.of(unit) + 1, unit.at))
        return pick(rated, self.rng)

    def toward(self, unit: Unit, place: str) -> Order | None:
        """Go there, or help the one who does or stays there; None: it is not worth it."""
        there = place[:3]
        rivals = self.worth.competition[there]
        for order in self.orders.values():
            if isinstance(order, Move) and order.to[:3] == there:
                return Support(unit, order.unit, order.to) if rivals > 0 else None
        standing = self.orders.get(there)
        if standing is not None and not isinstance(standing, Move):
            return Support(unit, _unit_of(standing), None) if rivals > 1 else None
        return Move(unit, place)

    def help(self) -> None:
        """Whoever stays looks for a neighbour to support."""
        for unit in self.units:
            if isinstance(self.orders[unit.province], Hold):
                best = max(self.chances(unit), key=lambda found: found[0], default=None)
                if best is not None:
                    self.orders[unit.province] = best[1]

    def chances(self, unit: Unit) -> Iterator[tuple[float, Order]]:
        reach = {to[:3] for to in moves(unit)}
        for order in list(self.orders.values()):
            if isinstance(order, Move) and order.to[:3] in reach and not order.via:
                if self.worth.competition[order.to[:3]] > 0:
                    goal = Unit(order.unit.kind, order.to)
                    yield self.worth.of(goal), Support(unit, order.unit, order.to)
            elif isinstance(order, Hold | Support | Convoy):
                friend = _unit_of(order)
                if friend.province in reach and self.worth.competition[friend.province] > 1:
                    yield self.worth.of(friend), Support(unit, friend, None)

    def ferry(self) -> None:
        """An army that stays may go over one fleet at sea that stays, if that is worth more."""
        fleets = [u for u in self.units if u.kind == "F" and PROVINCES[u.province].kind == "sea"]
        for fleet in fleets:
            if isinstance(self.orders[fleet.province], Hold):
                best = max(self.crossings(fleet), key=lambda found: found[0], default=None)
                if best is not None:
                    _, army, to = best
                    self.orders[army.province] = Move(army, to, via=True)
                    self.orders[fleet.province] = Convoy(fleet, army, to)

    def crossings(self, fleet: Unit) -> Iterator[tuple[float, Unit, str]]:
        shores = {to[:3] for to in FLEET_MOVES[fleet.at] if PROVINCES[to[:3]].kind == "coastal"}
        taken = {o.to[:3] for o in self.orders.values() if isinstance(o, Move)}
        taken |= {p for p, o in self.orders.items() if not isinstance(o, Move)}
        for army in self.units:
            if army.kind == "A" and army.province in shores and self.stays(army):
                for to in sorted(shores - taken):
                    gain = self.worth.of(Unit("A", to)) - self.worth.of(army)
                    if gain > 0 and to not in moves(army):
                        yield gain, army, to

    def stays(self, unit: Unit) -> bool:
        return isinstance(self.orders[unit.province], Hold)


def movement(
    view: Mapping[str, Any], mine: Sequence[str], given: Iterable[str], rng: Rng
) -> dict[str, Order]:
    season = "spring" if view["season"] == "spring" else "fall"
    units = tuple(Unit(t[0], t[2:]) for p in mine for t in view["units"].get(p, ()))
    plan = Plan(view, values(view, mine, season=season, count=True), units, rng)
    plan.orders = {_unit_of(order).province: order for order in map(parse_order, given)}
    plan.march()
    return plan.orders


def retreats(
    view: Mapping[str, Any],
    mine: Sequence[str],
    choices: Mapping[str, Sequence[Order]],
    given: Iterable[str],
    rng: Rng,
) -> dict[str, Order]:
    season = "spring" if view["season"] == "spring" else "fall"
    worth = values(view, mine, season=season, count=True)
    taken = {o.to[:3] for o in map(parse_order, given) if isinstance(o, Retreat)}
    orders: dict[str, Order] = {}
    for place, options in choices.items():
        rated = [
            (worth.of(Unit(o.unit.kind, o.to)), o)
            for o in options
            if isinstance(o, Retreat) and o.to[:3] not in taken
        ]
        flight = pick(rated, rng)
        orders[place] = flight or next(o for o in options if isinstance(o, Disband))
        if flight is not None:
            taken.add(flight.to[:3])
    return orders


def adjustments(
    view: Mapping[str, Any],
    mine: Sequence[str],
    choices: Mapping[str, Sequence[Order]],
    given: Iterable[str],
    rng: Rng,
) -> dict[str, Order]:
    """Builds where they are worth most, removals where least; the rest is left open."""
    worth = values(view, mine, season="fall", count=False)
    done = [order for order in map(parse_order, given) if isinstance(order, Build | Disband)]
    orders: dict[str, Order] = {}
    for power in mine:
        due = view["adjustments"].get(power, {})
        wanted = due.get("builds", 0) if due.get("due", 0) > 0 else -due.get("due", 0)
        wanted -= sum(_belongs(view, power, order) for order in done)
        options = [
            (worth.of(o.unit) * (1 if isinstance(o, Build) else -1), o)
            for place in sorted(choices)
            for o in choices[place]
            if isinstance(o, Build | Disband) and _belongs(view, power, o)
        ]
        for _ in range(wanted):
            rated = [(v, o) for v, o in options if o.unit.province not in orders]
            found = pick(rated, rng)
            if found is not None:
                orders[found.unit.province] = found
    return orders


def _belongs(view: Mapping[str, Any], power: str, order: Build | Disband) -> bool:
    if isinstance(order, Build):
        return PROVINCES[order.unit.province].home == power
    return str(order.unit) in view["units"].get(power, ())


def pick(rated: Sequence[tuple[float, T]], rng: Rng) -> T | None:
    """The best, or with some luck the next as long as it is nearly as good; None of nothing."""
    if not rated:
        return None
    best = sorted(rated, key=lambda pair: (-pair[0], str(pair[1])))
    at = 0
    while at + 1 < len(best):
        here, there = best[at][0], best[at + 1][0]
        gap = SLACK * (here - there) / abs(here) if here else 1.0
        if rng.randrange(2) == 0 or rng.randrange(1000) < 1000 * min(1.0, max(0.0, gap)):
            break
        at += 1
    return best[at][1]


def shuffled(items: Sequence[Unit], rng: Rng) -> list[Unit]:
    left = list(items)
    return [left.pop(rng.randrange(len(left))) for _ in range(len(left))]


def _unit_of(order: Order) -> Unit:
    if isinstance(order, Waive):
        raise TypeError(order)
    return order.unit
