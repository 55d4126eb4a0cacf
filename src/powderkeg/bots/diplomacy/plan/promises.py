"""Promises as a planner needs them: places not to enter, orders to give, and what to expect."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from powderkeg.bots.diplomacy.numbers.engine import Engine
from powderkeg.bots.diplomacy.numbers.position import Scene, cells
from powderkeg.bots.diplomacy.plan.orders import Army
from powderkeg.core.errors import RulesError
from powderkeg.games.diplomacy.actions import Convoy, Hold, Move, Support, parse_order
from powderkeg.games.diplomacy.board import NUMBER_OF


class Expected(NamedTuple):
    """What another power promised, and how likely it is to keep it."""

    power: str
    barred: tuple[str, ...]
    orders: tuple[str, ...]
    trust: float


@dataclass(frozen=True, slots=True)
class Pledges:
    """What a player promised, and what it was promised."""

    barred: tuple[str, ...] = ()
    orders: tuple[str, ...] = ()
    expected: tuple[Expected, ...] = ()

    def dump(self) -> dict[str, Any]:
        return {
            "barred": list(self.barred),
            "orders": list(self.orders),
            "expected": [each._asdict() for each in self.expected],
        }

    def scene(self, scene: Scene) -> Scene:
        """The map as who keeps these promises sees it."""
        return replace(scene, closed=(*scene.closed, *self.barred))

    def fixed(self, army: Army) -> dict[int, tuple[int, int, int]]:
        """Promised orders of units that are there."""
        found = {}
        for text in self.orders:
            try:
                order = parse_order(text)
            except RulesError:
                continue
            if isinstance(order, Hold | Move | Support | Convoy):
                at = NUMBER_OF[order.unit.province]
                if at in army.all:
                    found[at] = cells(order)
        return found

    def drafts(
        self, engine: Engine, scene: Scene, number: int, dice: Sequence[int]
    ) -> list[list[int]]:
        """Drafts of a hand that keeps these promises."""
        army = Army(scene, scene.hands[number])
        row = army.idle()
        for at, order in self.fixed(army).items():
            row[3 * at : 3 * at + 3] = order
        return engine.drafts(self.scene(scene), row, [scene.hands[number]], list(dice))

    @staticmethod
    def write(scene: Scene, number: int, row: list[int], draft: Sequence[int]) -> None:
        """Put the orders of one hand into a row."""
        for cell in Army(scene, scene.hands[number]).cells:
            row[cell] = draft[cell]


def read(view: Mapping[str, Any]) -> Pledges:
    """The pledges in a view; none where nobody talks."""
    found = view.get("pledges") or {}
    return Pledges(
        tuple(found.get("barred", ())),
        tuple(found.get("orders", ())),
        tuple(
            Expected(e["power"], tuple(e["barred"]), tuple(e["orders"]), float(e["trust"]))
            for e in found.get("expected", ())
        ),
    )
