"""From a view to the numbers that the bots work with, and back to orders."""

from collections.abc import Mapping, Sequence
from dataclasses import fields
from typing import Any

from powderkeg.bots.diplomacy.numbers import kernel
from powderkeg.bots.diplomacy.numbers.engine import Scene, code_of, read
from powderkeg.bots.diplomacy.numbers.kernel import FALL, SPRING, WINTER
from powderkeg.bots.diplomacy.numbers.map import COUNT, NODES
from powderkeg.core.errors import RulesError
from powderkeg.core.game import Seat
from powderkeg.games.diplomacy.actions import (
    Convoy,
    Hold,
    Move,
    Order,
    Support,
    parse_order,
    parse_unit,
)
from powderkeg.games.diplomacy.board import CODES, NUMBER, POWERS
from powderkeg.games.diplomacy.rules.position import Rulebook

Cells = tuple[int, int, int]  # an order in numbers


def scene_of(view: Mapping[str, Any]) -> Scene:
    """The position of a view; the units of each seat are a hand, in the order of the seats."""
    units, owner = [0] * COUNT, [-1] * COUNT
    for number, power in enumerate(POWERS):
        for text in view["units"].get(power, ()):
            unit = parse_unit(text)
            units[NUMBER[unit.province]] = code_of(number, unit)
        for code in view["centres"].get(power, ()):
            owner[NUMBER[code]] = number
    season = SPRING if view["season"] == "spring" else FALL
    return Scene(
        tuple(units),
        tuple(owner),
        WINTER if view["stage"] == "adjustment" else season,
        tuple(_hand(each["powers"]) for each in view["seats"].values()),
        view["target"],
        _rulebook(view),
        tuple(view["neutral"]),
    )


def _hand(powers: Sequence[str]) -> int:
    return sum(1 << POWERS.index(power) for power in powers)


def _rulebook(view: Mapping[str, Any]) -> Rulebook:
    names = {field.name for field in fields(Rulebook)}
    return Rulebook(**{k: v for k, v in view["options"].items() if k in names})


def hand_number(view: Mapping[str, Any], seat: Seat | None = None) -> int:
    return list(view["seats"]).index(view["seat"] if seat is None else seat)


def given(view: Mapping[str, Any]) -> dict[str, Order]:
    """The orders that I have written, by province."""
    found = {}
    for province, text in view["drafts"].items():
        try:
            found[province] = parse_order(text)
        except RulesError:
            continue
    return found


def cells(order: Order) -> Cells:
    """An order of a movement in numbers."""
    match order:
        case Move(_, to, via):
            return kernel.VIA if via else kernel.MOVE, -1, NUMBER[to]
        case Support(_, unit, to):
            return kernel.SUPPORT, NUMBER[unit.province], -1 if to is None else NUMBER[to]
        case Convoy(_, army, to):
            return kernel.CONVOY, NUMBER[army.province], NUMBER[to]
    return kernel.HOLD, -1, -1


def orders(scene: Scene, hand: int, row: Sequence[int]) -> dict[str, Order]:
    """The orders of one hand, by province."""
    return {
        CODES[at]: read(scene.units, row, at)
        for at in range(COUNT)
        if scene.units[at] and hand >> ((scene.units[at] - 1) // NODES) & 1
    }


def fixed(found: Mapping[str, Order]) -> dict[int, Cells]:
    """Orders of a movement by number of province."""
    return {
        NUMBER[province]: cells(order)
        for province, order in found.items()
        if isinstance(order, Hold | Move | Support | Convoy)
    }
