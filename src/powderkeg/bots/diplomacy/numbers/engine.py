"""Two engines that play hundreds of futures of a scene: drafted orders, adjudication, retreats,
builds and the evaluation at the end.

With Numba (extra ``fast``) the kernel and the adjudicator are compiled; without it the same code runs
as plain Python, slower and with the same results.
"""

import inspect
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import replace
from functools import cache
from importlib.util import find_spec
from threading import Thread
from types import FunctionType
from typing import Any, Final, Protocol

from powderkeg.bots.diplomacy.numbers import kernel
from powderkeg.bots.diplomacy.numbers.kernel import FALL, SHEET, SPRING
from powderkeg.bots.diplomacy.numbers.map import NODE_COUNT
from powderkeg.bots.diplomacy.numbers.position import (
    NumberRow,
    Scene,
    order_at,
    players_by_power,
    unit_code,
    units_by_power,
)
from powderkeg.bots.diplomacy.weights import PositionWeights
from powderkeg.core.chance import Rng
from powderkeg.games.diplomacy.actions import Order
from powderkeg.games.diplomacy.board import NUMBER_OF, POWERS, PROVINCE_COUNT
from powderkeg.games.diplomacy.rules.adjudicate import adjudicate
from powderkeg.games.diplomacy.rules.position import Position

NumberRows = list[list[int]]
ROW_CELLS: Final = 3 * PROVINCE_COUNT  # numbers in a row of orders
SEED_COUNT: Final = (1 << 31) - 2  # seeds of the kernel's generator


def draw_seeds(rng: Rng, count: int) -> list[int]:
    """Draw seeds for the kernel's generator."""
    return [1 + rng.randrange(SEED_COUNT) for _ in range(count)]


class Engine(Protocol):
    """Drafts orders and plays futures of a scene. `chunk` plans are tried between two looks at the
    clock."""

    chunk: int

    def draft_orders(
        self, scene: Scene, given: NumberRow, hands: NumberRow, seeds: NumberRow
    ) -> list[list[int]]:
        """One row of orders per seed: `given`, completed where units of `hands` have no order yet."""

    def cross_plans(
        self, plans: Sequence[NumberRow], others: Sequence[NumberRow], cells: NumberRow
    ) -> Any:
        """Every plan combined with every row of the others: the plan fills `cells`. Plan by plan."""

    def evaluate_futures(
        self, scene: Scene, orders: Any, seeds: NumberRow, depth: int, weights: PositionWeights
    ) -> list[list[float]]:
        """The value of each row of orders to each hand after `depth` more drafted movements."""

    def evaluate_units(
        self,
        scene: Scene,
        units: Sequence[NumberRow],
        seeds: NumberRow,
        depth: int,
        weights: PositionWeights,
    ) -> list[list[float]]:
        """The value of each row of units to each hand, after my retreats or adjustments: the others
        adjust, then `depth` movements are drafted."""

    def play_movement(self, scene: Scene, row: NumberRow, seed: int) -> Scene:
        """The scene of the next movement, after these orders and everybody's retreats and builds."""


def next_season(season: int) -> int:
    """The season of the next movement."""
    return FALL if season == SPRING else SPRING


def _following_scene(scene: Scene, units: NumberRow, owner: NumberRow) -> Scene:
    season = next_season(scene.season)
    return replace(scene, units=tuple(units), owner=tuple(owner), season=season)


class PlainEngine:
    """Runs the kernel as plain Python."""

    chunk = 1

    def __init__(self) -> None:
        self.sheet = [0] * SHEET

    def draft_orders(
        self, scene: Scene, given: NumberRow, hands: NumberRow, seeds: NumberRow
    ) -> list[list[int]]:
        units = [list(scene.units)] * len(seeds)
        owner = [list(scene.owner)] * len(seeds)
        orders = [list(given) for _ in seeds]
        kernel.draft_rows(
            self.sheet,
            units,
            owner,
            list(hands),
            scene.season,
            scene.closed_row,
            list(seeds),
            orders,
        )
        return orders

    def cross_plans(
        self, plans: Sequence[NumberRow], others: Sequence[NumberRow], cells: NumberRow
    ) -> Any:
        rows = [list(other) for _ in plans for other in others]
        for n, row in enumerate(rows):
            plan = plans[n // len(others)]
            for cell in cells:
                row[cell] = plan[cell]
        return rows

    def evaluate_futures(
        self, scene: Scene, orders: Any, seeds: NumberRow, depth: int, weights: PositionWeights
    ) -> list[list[float]]:
        units = [list(scene.units) for _ in orders]
        owner = [list(scene.owner) for _ in orders]
        dice, season = list(seeds), scene.season
        units = self._finish_movement(
            scene, units, owner, [list(row) for row in orders], season, dice
        )
        return self._roll_out(scene, units, owner, next_season(season), dice, depth, weights)

    def evaluate_units(
        self,
        scene: Scene,
        units: Sequence[NumberRow],
        seeds: NumberRow,
        depth: int,
        weights: PositionWeights,
    ) -> list[list[float]]:
        rows, owner = [list(row) for row in units], [list(scene.owner) for _ in units]
        dice = list(seeds)
        kernel.adjust_rows(self.sheet, rows, owner, list(scene.hands), scene.season, dice)
        return self._roll_out(scene, rows, owner, next_season(scene.season), dice, depth, weights)

    def play_movement(self, scene: Scene, row: NumberRow, seed: int) -> Scene:
        owner = [list(scene.owner)]
        moved = self._finish_movement(
            scene, [list(scene.units)], owner, [list(row)], scene.season, [seed]
        )
        return _following_scene(scene, moved[0], owner[0])

    def _finish_movement(
        self,
        scene: Scene,
        units: NumberRows,
        owner: NumberRows,
        orders: NumberRows,
        season: int,
        dice: list[int],
    ) -> NumberRows:
        """Adjudicate a movement and play what follows it; return the units."""
        judged = [adjudicate_row(scene, u, o) for u, o in zip(units, orders, strict=True)]
        after, winners, contested = (list(column) for column in zip(*judged, strict=True))
        kernel.finish_movements(
            self.sheet, units, winners, contested, after, owner,
            list(scene.hands), season, scene.closed_row, dice,
        )  # fmt: skip
        return after

    def _roll_out(
        self, scene: Scene, units: NumberRows, owner: NumberRows, season: int, dice: list[int], depth: int,
        weights: PositionWeights,
    ) -> list[list[float]]:  # fmt: skip
        hands, closed = list(scene.hands), scene.closed_row
        orders = [[0] * ROW_CELLS for _ in units]
        for _ in range(depth):
            kernel.free_rows(units, hands, orders)
            kernel.draft_rows(self.sheet, units, owner, hands, season, closed, dice, orders)
            units = self._finish_movement(scene, units, owner, orders, season, dice)
            season = next_season(season)
        out = [[0.0] * len(hands) for _ in units]
        kernel.score_rows(
            self.sheet, units, owner, hands, weights.for_season(season), scene.target, weights.mix,
            [0.0] * kernel.FEATURE_COUNT, out,
        )  # fmt: skip
        return out


def adjudicate_row(
    scene: Scene, units: NumberRow, orders: NumberRow
) -> tuple[list[int], list[int], list[int]]:
    """Adjudicate one movement by the rules: units afterwards, dislodgers and standoffs by province."""
    position = Position(units_by_power(units), players_by_power(scene), frozenset(scene.closed))
    written: dict[str, list[Order]] = {power: [] for power in POWERS}
    for at in range(PROVINCE_COUNT):
        if units[at]:
            written[POWERS[(units[at] - 1) // NODE_COUNT]].append(order_at(units, orders, at))
    done = adjudicate(position, written, scene.rulebook)
    after, winners, contested = [0] * PROVINCE_COUNT, [-1] * PROVINCE_COUNT, [0] * PROVINCE_COUNT
    for number, power in enumerate(POWERS):
        for unit in done.position.units.get(power, ()):
            after[NUMBER_OF[unit.province]] = unit_code(number, unit)
    for each in done.dislodged:
        winners[NUMBER_OF[each.unit.province]] = NUMBER_OF[each.by.unit.province]
    for code in done.contested:
        contested[NUMBER_OF[code]] = 1
    return after, winners, contested


class CompiledEngine:
    """Runs the kernel and the batch adjudicator as machine code."""

    chunk = 64

    def __init__(self) -> None:
        import numpy as np

        from powderkeg.games.diplomacy.fast import batch

        self.np, self.batch, self.kernel = np, batch, _compile_kernel()
        self.sheet = np.zeros(SHEET, np.int64)

    def draft_orders(
        self, scene: Scene, given: NumberRow, hands: NumberRow, seeds: NumberRow
    ) -> list[list[int]]:
        np = self.np
        units = np.tile(np.array(scene.units, np.int16), (len(seeds), 1))
        owner = np.tile(np.array(scene.owner, np.int64), (len(seeds), 1))
        orders = np.tile(np.array(given, np.int16), (len(seeds), 1))
        who, closed = np.array(hands), np.array(scene.closed_row)
        dice = np.array(seeds, np.int64)
        self.kernel["draft_rows"](self.sheet, units, owner, who, scene.season, closed, dice, orders)
        return orders.tolist()  # type: ignore[no-any-return]  # numbers

    def cross_plans(
        self, plans: Sequence[NumberRow], others: Sequence[NumberRow], cells: NumberRow
    ) -> Any:
        np = self.np
        rows = np.tile(np.array(others, np.int16), (len(plans), 1, 1))
        rows[:, :, cells] = np.array(plans, np.int16)[:, None, cells]
        return rows.reshape(len(plans) * len(others), ROW_CELLS)

    def evaluate_futures(
        self, scene: Scene, orders: Any, seeds: NumberRow, depth: int, weights: PositionWeights
    ) -> list[list[float]]:
        np = self.np
        sheets = np.array(orders, np.int16)
        units = np.tile(np.array(scene.units, np.int16), (len(sheets), 1))
        owner = np.tile(np.array(scene.owner, np.int64), (len(sheets), 1))
        dice, season = np.array(seeds, np.int64), scene.season
        units = self._finish_movement(scene, units, owner, sheets, season, dice)
        return self._roll_out(scene, units, owner, next_season(season), dice, depth, weights)

    def evaluate_units(
        self,
        scene: Scene,
        units: Sequence[NumberRow],
        seeds: NumberRow,
        depth: int,
        weights: PositionWeights,
    ) -> list[list[float]]:
        np = self.np
        rows, dice = np.array(units, np.int16), np.array(seeds, np.int64)
        owner = np.tile(np.array(scene.owner, np.int64), (len(rows), 1))
        hands = np.array(scene.hands)
        self.kernel["adjust_rows"](self.sheet, rows, owner, hands, scene.season, dice)
        return self._roll_out(scene, rows, owner, next_season(scene.season), dice, depth, weights)

    def play_movement(self, scene: Scene, row: NumberRow, seed: int) -> Scene:
        np = self.np
        units, owner = np.array([scene.units], np.int16), np.array([scene.owner], np.int64)
        orders, dice = np.array([row], np.int16), np.array([seed], np.int64)
        moved = self._finish_movement(scene, units, owner, orders, scene.season, dice)
        return _following_scene(scene, moved[0].tolist(), owner[0].tolist())

    def _finish_movement(
        self, scene: Scene, units: Any, owner: Any, orders: Any, season: int, dice: Any
    ) -> Any:
        done = self.batch.adjudicate_batch(
            units,
            orders.reshape(len(units), PROVINCE_COUNT, 3),
            scene.rulebook,
            players=players_by_power(scene),
            closed=scene.closed,
        )
        hands, closed = self.np.array(scene.hands), self.np.array(scene.closed_row)
        self.kernel["finish_movements"](
            self.sheet, units, done.winners, done.contested, done.units, owner,
            hands, season, closed, dice,
        )  # fmt: skip
        return done.units

    def _roll_out(
        self, scene: Scene, units: Any, owner: Any, season: int, dice: Any, depth: int,
        weights: PositionWeights,
    ) -> list[list[float]]:  # fmt: skip
        np, run = self.np, self.kernel
        hands, closed = np.array(scene.hands), np.array(scene.closed_row)
        orders = np.zeros((len(units), ROW_CELLS), np.int16)
        for _ in range(depth):
            run["free_rows"](units, hands, orders)
            run["draft_rows"](self.sheet, units, owner, hands, season, closed, dice, orders)
            units = self._finish_movement(scene, units, owner, orders, season, dice)
            season = next_season(season)
        out, found = np.zeros((len(units), len(hands))), np.zeros(kernel.FEATURE_COUNT)
        factors = np.array(weights.for_season(season))
        run["score_rows"](
            self.sheet, units, owner, hands, factors, scene.target, weights.mix, found, out
        )
        return out.tolist()  # type: ignore[no-any-return]  # numbers


def _compile_kernel() -> dict[str, Callable[..., Any]]:
    """Copies of the kernel's functions, compiled, that call each other and see arrays for lists.

    Numba keeps the machine code on disk for later runs.
    """
    import numpy as np
    from numba import njit

    names: dict[str, Any] = {
        name: np.array(value) if isinstance(value, list) else value
        for name, value in vars(kernel).items()
    }
    for name, function in inspect.getmembers(kernel, inspect.isfunction):
        copy = FunctionType(function.__code__, names, name)
        copy.__module__, copy.__qualname__ = kernel.__name__, name
        names[name] = njit(cache=True, nogil=True, error_model="numpy")(copy)
    return names


def find_engine(*, wait: bool) -> Engine:
    """The fastest engine available. The first compilation takes half a minute; callers that cannot
    `wait` get the plain engine until it is done, with the same results."""
    if not (find_spec("numba") and find_spec("numpy")):
        return PlainEngine()
    compiling = _compiled_engine()
    return compiling.result() if wait or compiling.done() else PlainEngine()


@cache
def _compiled_engine() -> "Future[Engine]":
    """The compiled engine, being compiled in a thread since the first call."""
    future: Future[Engine] = Future()
    Thread(target=_compile_engine, args=(future,), daemon=True).start()
    return future


def _compile_engine(future: "Future[Engine]") -> None:
    """Compile every function by calling it once."""
    try:
        made = CompiledEngine()
        scene = Scene((0,) * PROVINCE_COUNT, (-1,) * PROVINCE_COUNT, SPRING, (1,))
        weights = PositionWeights((1.0,) * kernel.FEATURE_COUNT, (1.0,) * kernel.FEATURE_COUNT, 0.5)
        made.draft_orders(scene, [0] * ROW_CELLS, [1], [1])
        made.evaluate_futures(
            scene, made.cross_plans([[0] * ROW_CELLS], [[0] * ROW_CELLS], [0]), [1], 1, weights
        )
        made.evaluate_units(scene, [scene.units], [1], 0, weights)
    except Exception:  # noqa: BLE001  # a Numba that does not work is as good as none
        future.set_result(PlainEngine())
    else:
        future.set_result(made)
