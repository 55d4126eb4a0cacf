"""Plans of one player (a row of orders for all its units), and the plans that differ a little."""

from collections.abc import Iterator, Sequence

from powderkeg.bots.diplomacy.numbers.kernel import CONVOY, HOLD, MOVE, SUPPORT, VIA
from powderkeg.bots.diplomacy.numbers.map import (
    NEAR,
    NEAR_FROM,
    NODE_COUNT,
    NODE_PROVINCE,
    SEA,
    SHORES,
    SHORES_FROM,
    TOUCH,
    TOUCH_FROM,
)
from powderkeg.bots.diplomacy.numbers.position import OrderCells, Scene, free_orders, put_orders
from powderkeg.games.diplomacy.board import PROVINCE_COUNT

PlanRow = tuple[int, ...]  # a row of orders in which only the cells of the player's units matter


class PlayerUnits:
    """The units of one player: where they are and where each can go."""

    def __init__(self, scene: Scene, hand: int, fixed: Sequence[int] = ()) -> None:
        self.scene, self.hand = scene, hand
        self.all = [
            at for at in range(PROVINCE_COUNT) if scene.units[at] and hand >> self._power_at(at) & 1
        ]
        self.free = [at for at in self.all if at not in fixed]  # units whose orders may be changed
        self.cells = [3 * at + i for at in self.all for i in range(3)]
        closed = scene.closed_row
        self.ways = {
            at: [to // 2 for to in self._nodes_beside(at) if not closed[NODE_PROVINCE[to]]]
            for at in self.all
        }
        self.touch = {at: frozenset(self._provinces_beside(at)) for at in self.all}

    def _power_at(self, at: int) -> int:
        return (self.scene.units[at] - 1) // NODE_COUNT

    def _node_at(self, at: int) -> int:
        return (self.scene.units[at] - 1) % NODE_COUNT

    def _nodes_beside(self, at: int) -> list[int]:
        node = self._node_at(at)
        return list(NEAR[NEAR_FROM[node] : NEAR_FROM[node + 1]])

    def _provinces_beside(self, at: int) -> list[int]:
        node = self._node_at(at)
        return list(TOUCH[TOUCH_FROM[node] : TOUCH_FROM[node + 1]])

    def free_row(self) -> list[int]:
        """A row in which these units have no orders yet and all others hold."""
        return free_orders(self.scene, [self.hand])

    def plan_key(self, plan: Sequence[int]) -> tuple[int, ...]:
        """The part of a plan that tells it apart from others."""
        return tuple([plan[cell] for cell in self.cells])

    # Changes

    def changed_plans(self, plan: Sequence[int]) -> Iterator[PlanRow]:
        """Plans that differ in the order of one unit, or of two that act together."""
        for at in self.free:
            yield from self._change_one(plan, at)
        for at in self.free:
            yield from self._change_with_support(plan, at)
            if SEA[at]:
                yield from self._change_with_convoy(plan, at)

    def _change_one(self, plan: Sequence[int], at: int) -> Iterator[PlanRow]:
        options = [(HOLD, -1, -1), *((MOVE, -1, to) for to in self.ways[at])]
        options += self._support_orders(plan, at)
        now = tuple(plan[3 * at : 3 * at + 3])
        for order in options:
            if order != now:
                yield self.apply_changes(plan, {at: order})

    def _support_orders(self, plan: Sequence[int], at: int) -> Iterator[OrderCells]:
        for friend in self.all:
            if friend != at and (order := self._support_order(plan, at, friend)) is not None:
                yield order

    def _support_order(self, plan: Sequence[int], at: int, friend: int) -> OrderCells | None:
        """The support of `at` for the order of `friend`, if it can reach."""
        moves = plan[3 * friend] in (MOVE, VIA)
        to = plan[3 * friend + 2] if moves else -1
        there = NODE_PROVINCE[2 * to] if moves else friend
        return (SUPPORT, friend, to) if there in self.touch[at] and there != at else None

    def _change_with_support(self, plan: Sequence[int], at: int) -> Iterator[PlanRow]:
        """Move `at` with the support of a unit that can reach the goal."""
        for to in self.ways[at]:
            there = NODE_PROVINCE[2 * to]
            for helper in self.free:
                if helper not in (at, there) and there in self.touch[helper]:
                    yield self.apply_changes(plan, {at: (MOVE, -1, to), helper: (SUPPORT, at, to)})

    def _change_with_convoy(self, plan: Sequence[int], fleet: int) -> Iterator[PlanRow]:
        """Convoy an army over this fleet."""
        shores = SHORES[SHORES_FROM[fleet] : SHORES_FROM[fleet + 1]]
        closed = self.scene.closed_row
        for army in self.free:
            if army in shores and not self._node_at(army) % 2:
                for end in shores:
                    if end != army and end not in self.touch[army] and not closed[end]:
                        yield self.apply_changes(
                            plan, {army: (VIA, -1, end), fleet: (CONVOY, army, end)}
                        )

    def apply_changes(self, plan: Sequence[int], orders: dict[int, OrderCells]) -> PlanRow:
        """The plan with these orders; units that helped the changed ones support them again or hold."""
        row = list(plan)
        put_orders(row, orders)
        for at in self.free:
            if at not in orders and row[3 * at] in (SUPPORT, CONVOY) and row[3 * at + 1] in orders:
                friend = row[3 * at + 1]
                again = None if row[3 * at] == CONVOY else self._support_order(row, at, friend)
                row[3 * at : 3 * at + 3] = again or (HOLD, -1, -1)
        return tuple(row)
