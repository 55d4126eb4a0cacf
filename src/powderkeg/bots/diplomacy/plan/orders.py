"""Plans of one player: orders of all its units in a row of numbers, and plans that differ a little."""

from collections.abc import Iterator, Sequence

from powderkeg.bots.diplomacy.numbers.kernel import CONVOY, FREE, HOLD, MOVE, SUPPORT, VIA
from powderkeg.bots.diplomacy.numbers.map import (
    COUNT,
    NEAR,
    NEAR_FROM,
    NODES,
    PROVINCE,
    SEA,
    SHORES,
    SHORES_FROM,
    TOUCH,
    TOUCH_FROM,
)
from powderkeg.bots.diplomacy.numbers.position import Scene

Plan = tuple[int, ...]  # a row of orders in which only the cells of my units matter


class Army:
    """The units of one player: where they are and where each can go."""

    def __init__(self, scene: Scene, hand: int, fixed: Sequence[int] = ()) -> None:
        self.scene, self.hand = scene, hand
        self.all = [at for at in range(COUNT) if scene.units[at] and hand >> self._power(at) & 1]
        self.free = [at for at in self.all if at not in fixed]  # those that may be changed
        self.cells = [3 * at + i for at in self.all for i in range(3)]
        closed = scene.closed_row
        self.ways = {
            at: [to // 2 for to in self._near(at) if not closed[PROVINCE[to]]] for at in self.all
        }
        self.touch = {at: frozenset(self._touch(at)) for at in self.all}

    def _power(self, at: int) -> int:
        return (self.scene.units[at] - 1) // NODES

    def _node(self, at: int) -> int:
        return (self.scene.units[at] - 1) % NODES

    def _near(self, at: int) -> list[int]:
        node = self._node(at)
        return list(NEAR[NEAR_FROM[node] : NEAR_FROM[node + 1]])

    def _touch(self, at: int) -> list[int]:
        node = self._node(at)
        return list(TOUCH[TOUCH_FROM[node] : TOUCH_FROM[node + 1]])

    def idle(self) -> list[int]:
        """A row in which everybody holds and my units have no orders."""
        row = [HOLD, -1, -1] * COUNT
        for at in self.all:
            row[3 * at] = FREE
        return row

    def key(self, plan: Sequence[int]) -> tuple[int, ...]:
        """What tells plans apart."""
        return tuple([plan[cell] for cell in self.cells])

    # Changes

    def changes(self, plan: Sequence[int]) -> Iterator[Plan]:
        """Plans that differ in what one unit does, or two that act together."""
        for at in self.free:
            yield from self._alone(plan, at)
        for at in self.free:
            yield from self._backed(plan, at)
            if SEA[at]:
                yield from self._carried(plan, at)

    def _alone(self, plan: Sequence[int], at: int) -> Iterator[Plan]:
        options = [(HOLD, -1, -1), *((MOVE, -1, to) for to in self.ways[at])]
        options += self._supports(plan, at)
        now = tuple(plan[3 * at : 3 * at + 3])
        for order in options:
            if order != now:
                yield self.changed(plan, {at: order})

    def _supports(self, plan: Sequence[int], at: int) -> Iterator[tuple[int, int, int]]:
        for friend in self.all:
            if friend != at and (order := self._support(plan, at, friend)) is not None:
                yield order

    def _support(self, plan: Sequence[int], at: int, friend: int) -> tuple[int, int, int] | None:
        """To help `friend` in what it does."""
        moves = plan[3 * friend] in (MOVE, VIA)
        to = plan[3 * friend + 2] if moves else -1
        there = PROVINCE[2 * to] if moves else friend
        return (SUPPORT, friend, to) if there in self.touch[at] and there != at else None

    def _backed(self, plan: Sequence[int], at: int) -> Iterator[Plan]:
        """`at` goes somewhere with the help of another that can."""
        for to in self.ways[at]:
            there = PROVINCE[2 * to]
            for helper in self.free:
                if helper not in (at, there) and there in self.touch[helper]:
                    yield self.changed(plan, {at: (MOVE, -1, to), helper: (SUPPORT, at, to)})

    def _carried(self, plan: Sequence[int], fleet: int) -> Iterator[Plan]:
        """An army goes over this fleet."""
        shores = SHORES[SHORES_FROM[fleet] : SHORES_FROM[fleet + 1]]
        closed = self.scene.closed_row
        for army in self.free:
            if army in shores and not self._node(army) % 2:
                for end in shores:
                    if end != army and end not in self.touch[army] and not closed[end]:
                        yield self.changed(plan, {army: (VIA, -1, end), fleet: (CONVOY, army, end)})

    def changed(self, plan: Sequence[int], orders: dict[int, tuple[int, int, int]]) -> Plan:
        """The plan with these orders, and whoever helped what is not done now helping what is."""
        row = list(plan)
        for at, order in orders.items():
            row[3 * at : 3 * at + 3] = order
        for at in self.free:
            if at not in orders and row[3 * at] in (SUPPORT, CONVOY) and row[3 * at + 1] in orders:
                friend = row[3 * at + 1]
                again = None if row[3 * at] == CONVOY else self._support(row, at, friend)
                row[3 * at : 3 * at + 3] = again or (HOLD, -1, -1)
        return tuple(row)
