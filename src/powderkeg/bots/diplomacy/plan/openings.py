"""The book of openings: what people play in the first spring, drawn by weight.

Bots that look only at the position would begin every game alike. The book gives way to orders that
are already written and to promises: an opening that would break one is not played.
"""

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Final

from powderkeg.bots.diplomacy.numbers.position import written_orders
from powderkeg.bots.diplomacy.plan.promises import Promises, read_promises
from powderkeg.bots.diplomacy.turn import TurnPlan, TurnPlanner
from powderkeg.bots.engine.budget import Clock
from powderkeg.core.chance import Rng
from powderkeg.core.game import View
from powderkeg.core.words import Msg
from powderkeg.games.diplomacy.actions import Movement, Order, parse_order
from powderkeg.games.diplomacy.board import Power

FIRST_SPRING: Final = "S1901M"


@dataclass(frozen=True, slots=True)
class BookOpening:
    """The orders of one power by province, and how often they are chosen."""

    weight: int
    orders: Mapping[str, Movement]

    def suits_units(self, units: Sequence[str]) -> bool:
        """Whether these are the units that the opening moves."""
        return {str(order.unit) for order in self.orders.values()} == set(units)

    def keeps_promises(self, promises: Promises) -> bool:
        """Whether the opening enters nothing that is barred and has the promised orders of its units."""
        goals = {str(getattr(order, "to", None))[:3] for order in self.orders.values()}
        promised = {text[2:5]: text for text in promises.orders}
        kept = all(promised.get(at, str(o)) == str(o) for at, o in self.orders.items())
        return kept and not goals & set(promises.barred)

    def contains_orders(self, written: Mapping[str, Order]) -> bool:
        """Whether the orders that its units already have are those of the opening."""
        return all(written.get(at, order) == order for at, order in self.orders.items())


@cache
def opening_book() -> Mapping[Power, tuple[BookOpening, ...]]:
    """All openings by power."""
    text = (files("powderkeg.bots.diplomacy") / "openings.toml").read_text("utf-8")
    return {
        power: tuple(_read_opening(each) for each in lines)
        for power, lines in tomllib.loads(text).items()
    }


def _read_opening(line: Mapping[str, object]) -> BookOpening:
    weight, texts = line["weight"], line["orders"]
    assert isinstance(weight, int)  # noqa: S101  # our own file
    assert isinstance(texts, list)  # noqa: S101  # our own file
    orders = [order for text in texts if isinstance(order := parse_order(text), Movement)]
    return BookOpening(weight, {order.unit.province: order for order in orders})


def with_book(planner: TurnPlanner) -> TurnPlanner:
    """A planner that opens by the book where the book has an opening."""

    def plan(view: View, rng: Rng, clock: Clock) -> TurnPlan:
        return opening_turn(view, rng) or planner(view, rng, clock)

    return plan


def opening_turn(view: View, rng: Rng) -> TurnPlan | None:
    """A drawn opening for every power of a seat; None where the book has none for one of them."""
    if view["stage"] != "movement" or view["phase"] != FIRST_SPRING:
        return None
    orders: dict[str, Order] = {}
    for power in view["seats"][view["seat"]]["powers"]:
        fitting = _fitting_openings(view, power)
        if not fitting:
            return None
        orders |= _draw_opening(fitting, rng).orders
    return TurnPlan(orders, Msg("bots.reason.opening"))


def is_known_opening(view: View) -> bool:
    """Whether a seat's orders in the first spring are in the book: a matter of taste, not of judgement."""
    written, powers = written_orders(view), view["seats"][view["seat"]]["powers"]
    units = sum(len(view["units"][power]) for power in powers)
    complete = view["phase"] == FIRST_SPRING and len(written) == units
    return complete and all(_fitting_openings(view, power) for power in powers)


def _fitting_openings(view: View, power: Power) -> list[BookOpening]:
    promises, written = read_promises(view), written_orders(view)
    return [
        each
        for each in opening_book()[power]
        if each.suits_units(view["units"][power])
        and each.keeps_promises(promises)
        and each.contains_orders(written)
    ]


def _draw_opening(openings: Sequence[BookOpening], rng: Rng) -> BookOpening:
    """One opening, each as likely as its weight."""
    left = rng.randrange(sum(each.weight for each in openings))
    for each in openings:
        left -= each.weight
        if left < 0:
            return each
    raise AssertionError("the weights of all openings were counted")
