"""Promises as a planner needs them: provinces not to enter, orders to give, promises of others."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from powderkeg.bots.diplomacy.numbers.engine import Engine
from powderkeg.bots.diplomacy.numbers.position import (
    OrderCells,
    Scene,
    copy_cells,
    order_cells,
    put_orders,
)
from powderkeg.bots.diplomacy.plan.orders import PlayerUnits
from powderkeg.core.errors import RulesError
from powderkeg.games.diplomacy.actions import Convoy, Hold, Move, Support, parse_order
from powderkeg.games.diplomacy.board import NUMBER_OF


class ExpectedPromises(NamedTuple):
    """The promises of another power, and how likely it is to keep them."""

    power: str
    barred: tuple[str, ...]
    orders: tuple[str, ...]
    trust: float


@dataclass(frozen=True, slots=True)
class Promises:
    """The promises of a player, and those that it was given."""

    barred: tuple[str, ...] = ()
    orders: tuple[str, ...] = ()
    expected: tuple[ExpectedPromises, ...] = ()

    def dump(self) -> dict[str, Any]:
        """As JSON for `view["pledges"]`."""
        return {
            "barred": list(self.barred),
            "orders": list(self.orders),
            "expected": [each._asdict() for each in self.expected],
        }

    def bound_scene(self, scene: Scene) -> Scene:
        """The scene with the provinces closed that these promises bar."""
        return replace(scene, closed=(*scene.closed, *self.barred))

    def promised_cells(self, own: PlayerUnits) -> dict[int, OrderCells]:
        """The promised orders of the player's units."""
        found = {}
        for text in self.orders:
            try:
                order = parse_order(text)
            except RulesError:
                continue
            if isinstance(order, Hold | Move | Support | Convoy):
                at = NUMBER_OF[order.unit.province]
                if at in own.all:
                    found[at] = order_cells(order)
        return found

    def draft_orders(
        self, engine: Engine, scene: Scene, number: int, dice: Sequence[int]
    ) -> list[list[int]]:
        """Draft the orders of a hand that keeps these promises, once per seed."""
        own = PlayerUnits(scene, scene.hands[number])
        row = own.free_row()
        put_orders(row, self.promised_cells(own))
        return engine.draft_orders(self.bound_scene(scene), row, [scene.hands[number]], list(dice))

    @staticmethod
    def write_orders(scene: Scene, number: int, row: list[int], draft: Sequence[int]) -> None:
        """Copy the orders of one hand into a row."""
        copy_cells(row, draft, PlayerUnits(scene, scene.hands[number]).cells)


def read_promises(view: Mapping[str, Any]) -> Promises:
    """The promises in a view; none where nobody negotiates."""
    found = view.get("pledges") or {}
    return Promises(
        tuple(found.get("barred", ())),
        tuple(found.get("orders", ())),
        tuple(
            ExpectedPromises(e["power"], tuple(e["barred"]), tuple(e["orders"]), float(e["trust"]))
            for e in found.get("expected", ())
        ),
    )
