"""Futures by the hundred: everybody's drafts, the judge, retreats, builds, and what it is worth.

With Numba (extra ``fast``) the kernel and the judge are compiled; without it they run as they are,
slower and with the same results.
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
from powderkeg.bots.diplomacy.numbers.map import COUNT, NODES
from powderkeg.bots.diplomacy.numbers.position import Row, Scene, _players, _units, code_of, read
from powderkeg.bots.diplomacy.weights import Taste
from powderkeg.games.diplomacy.actions import Order
from powderkeg.games.diplomacy.board import NUMBER_OF, POWERS
from powderkeg.games.diplomacy.rules.adjudicate import adjudicate
from powderkeg.games.diplomacy.rules.position import Position

Rows = list[list[int]]
CELLS: Final = 3 * COUNT  # of a row of orders


class Engine(Protocol):
    """Drafts and futures of a scene. `chunk`: as many plans as are tried before a look at the clock."""

    chunk: int

    def drafts(self, scene: Scene, given: Row, hands: Row, seeds: Row) -> list[list[int]]:
        """For each seed a row of orders: as `given`, where `hands` draft what is free."""

    def crossed(self, plans: Sequence[Row], others: Sequence[Row], cells: Row) -> Any:
        """Rows of orders: each plan in its `cells` with each row of the others, plan by plan."""

    def futures(
        self, scene: Scene, orders: Any, seeds: Row, depth: int, taste: Taste
    ) -> list[list[float]]:
        """What each row of orders is worth to each hand when everybody drafts on for `depth`
        movements more."""

    def outlook(
        self, scene: Scene, units: Sequence[Row], seeds: Row, depth: int, taste: Taste
    ) -> list[list[float]]:
        """What each row of units is worth to each hand after retreats or adjustments of mine: the
        others adjust, and everybody drafts on for `depth` movements."""

    def after(self, scene: Scene, row: Row, seed: int) -> Scene:
        """The next movement, if these orders are given and everybody retreats and adjusts."""


def next_season(season: int) -> int:
    return FALL if season == SPRING else SPRING


def _later(scene: Scene, units: Row, owner: Row) -> Scene:
    season = next_season(scene.season)
    return replace(scene, units=tuple(units), owner=tuple(owner), season=season)


class Plain:
    """The kernel as it stands."""

    chunk = 2

    def __init__(self) -> None:
        self.sheet = [0] * SHEET

    def drafts(self, scene: Scene, given: Row, hands: Row, seeds: Row) -> list[list[int]]:
        units = [list(scene.units)] * len(seeds)
        owner = [list(scene.owner)] * len(seeds)
        orders = [list(given) for _ in seeds]
        kernel.draft_all(
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

    def crossed(self, plans: Sequence[Row], others: Sequence[Row], cells: Row) -> Any:
        rows = [list(other) for _ in plans for other in others]
        for n, row in enumerate(rows):
            plan = plans[n // len(others)]
            for cell in cells:
                row[cell] = plan[cell]
        return rows

    def futures(
        self, scene: Scene, orders: Any, seeds: Row, depth: int, taste: Taste
    ) -> list[list[float]]:
        units = [list(scene.units) for _ in orders]
        owner = [list(scene.owner) for _ in orders]
        dice, season = list(seeds), scene.season
        units = self._moved(scene, units, owner, [list(row) for row in orders], season, dice)
        return self._onward(scene, units, owner, next_season(season), dice, depth, taste)

    def outlook(
        self, scene: Scene, units: Sequence[Row], seeds: Row, depth: int, taste: Taste
    ) -> list[list[float]]:
        rows, owner = [list(row) for row in units], [list(scene.owner) for _ in units]
        dice = list(seeds)
        kernel.winter_all(self.sheet, rows, owner, list(scene.hands), scene.season, dice)
        return self._onward(scene, rows, owner, next_season(scene.season), dice, depth, taste)

    def after(self, scene: Scene, row: Row, seed: int) -> Scene:
        owner = [list(scene.owner)]
        moved = self._moved(scene, [list(scene.units)], owner, [list(row)], scene.season, [seed])
        return _later(scene, moved[0], owner[0])

    def _moved(
        self, scene: Scene, units: Rows, owner: Rows, orders: Rows, season: int, dice: list[int]
    ) -> Rows:
        """The units after a movement and what follows it."""
        judged = [judge(scene, u, o) for u, o in zip(units, orders, strict=True)]
        after, winners, contested = (list(column) for column in zip(*judged, strict=True))
        kernel.settle_all(
            self.sheet, units, winners, contested, after, owner,
            list(scene.hands), season, scene.closed_row, dice,
        )  # fmt: skip
        return after

    def _onward(
        self, scene: Scene, units: Rows, owner: Rows, season: int, dice: list[int], depth: int,
        taste: Taste,
    ) -> list[list[float]]:  # fmt: skip
        hands, closed = list(scene.hands), scene.closed_row
        orders = [[0] * CELLS for _ in units]
        for _ in range(depth):
            kernel.free_all(units, hands, orders)
            kernel.draft_all(self.sheet, units, owner, hands, season, closed, dice, orders)
            units = self._moved(scene, units, owner, orders, season, dice)
            season = next_season(season)
        out = [[0.0] * len(hands) for _ in units]
        kernel.score_all(
            self.sheet, units, owner, hands, taste.weights(season), scene.target, taste.mix,
            [0.0] * kernel.FEATURES, out,
        )  # fmt: skip
        return out


def judge(scene: Scene, units: Row, orders: Row) -> tuple[list[int], list[int], list[int]]:
    """One movement by the readable judge: units afterwards, dislodgers and standoffs by province."""
    position = Position(_units(units), _players(scene), frozenset(scene.closed))
    written: dict[str, list[Order]] = {power: [] for power in POWERS}
    for at in range(COUNT):
        if units[at]:
            written[POWERS[(units[at] - 1) // NODES]].append(read(units, orders, at))
    done = adjudicate(position, written, scene.rulebook)
    after, winners, contested = [0] * COUNT, [-1] * COUNT, [0] * COUNT
    for number, power in enumerate(POWERS):
        for unit in done.position.units.get(power, ()):
            after[NUMBER_OF[unit.province]] = code_of(number, unit)
    for each in done.dislodged:
        winners[NUMBER_OF[each.unit.province]] = NUMBER_OF[each.by.unit.province]
    for code in done.contested:
        contested[NUMBER_OF[code]] = 1
    return after, winners, contested


class Compiled:
    """The kernel and the judge in machine code."""

    chunk = 64

    def __init__(self) -> None:
        import numpy as np

        from powderkeg.games.diplomacy.fast import batch

        self.np, self.batch, self.kernel = np, batch, _compiled()
        self.sheet = np.zeros(SHEET, np.int64)

    def drafts(self, scene: Scene, given: Row, hands: Row, seeds: Row) -> list[list[int]]:
        np = self.np
        units = np.tile(np.array(scene.units, np.int16), (len(seeds), 1))
        owner = np.tile(np.array(scene.owner, np.int64), (len(seeds), 1))
        orders = np.tile(np.array(given, np.int16), (len(seeds), 1))
        who, closed = np.array(hands), np.array(scene.closed_row)
        dice = np.array(seeds, np.int64)
        self.kernel["draft_all"](self.sheet, units, owner, who, scene.season, closed, dice, orders)
        return orders.tolist()  # type: ignore[no-any-return]  # numbers

    def crossed(self, plans: Sequence[Row], others: Sequence[Row], cells: Row) -> Any:
        np = self.np
        rows = np.tile(np.array(others, np.int16), (len(plans), 1, 1))
        rows[:, :, cells] = np.array(plans, np.int16)[:, None, cells]
        return rows.reshape(len(plans) * len(others), CELLS)

    def futures(
        self, scene: Scene, orders: Any, seeds: Row, depth: int, taste: Taste
    ) -> list[list[float]]:
        np = self.np
        sheets = np.array(orders, np.int16)
        units = np.tile(np.array(scene.units, np.int16), (len(sheets), 1))
        owner = np.tile(np.array(scene.owner, np.int64), (len(sheets), 1))
        dice, season = np.array(seeds, np.int64), scene.season
        units = self._moved(scene, units, owner, sheets, season, dice)
        return self._onward(scene, units, owner, next_season(season), dice, depth, taste)

    def outlook(
        self, scene: Scene, units: Sequence[Row], seeds: Row, depth: int, taste: Taste
    ) -> list[list[float]]:
        np = self.np
        rows, dice = np.array(units, np.int16), np.array(seeds, np.int64)
        owner = np.tile(np.array(scene.owner, np.int64), (len(rows), 1))
        hands = np.array(scene.hands)
        self.kernel["winter_all"](self.sheet, rows, owner, hands, scene.season, dice)
        return self._onward(scene, rows, owner, next_season(scene.season), dice, depth, taste)

    def after(self, scene: Scene, row: Row, seed: int) -> Scene:
        np = self.np
        units, owner = np.array([scene.units], np.int16), np.array([scene.owner], np.int64)
        orders, dice = np.array([row], np.int16), np.array([seed], np.int64)
        moved = self._moved(scene, units, owner, orders, scene.season, dice)
        return _later(scene, moved[0].tolist(), owner[0].tolist())

    def _moved(
        self, scene: Scene, units: Any, owner: Any, orders: Any, season: int, dice: Any
    ) -> Any:
        done = self.batch.adjudicate_batch(
            units,
            orders.reshape(len(units), COUNT, 3),
            scene.rulebook,
            players=_players(scene),
            closed=scene.closed,
        )
        hands, closed = self.np.array(scene.hands), self.np.array(scene.closed_row)
        self.kernel["settle_all"](
            self.sheet, units, done.winners, done.contested, done.units, owner,
            hands, season, closed, dice,
        )  # fmt: skip
        return done.units

    def _onward(
        self, scene: Scene, units: Any, owner: Any, season: int, dice: Any, depth: int,
        taste: Taste,
    ) -> list[list[float]]:  # fmt: skip
        np, run = self.np, self.kernel
        hands, closed = np.array(scene.hands), np.array(scene.closed_row)
        orders = np.zeros((len(units), CELLS), np.int16)
        for _ in range(depth):
            run["free_all"](units, hands, orders)
            run["draft_all"](self.sheet, units, owner, hands, season, closed, dice, orders)
            units = self._moved(scene, units, owner, orders, season, dice)
            season = next_season(season)
        out, found = np.zeros((len(units), len(hands))), np.zeros(kernel.FEATURES)
        weights = np.array(taste.weights(season))
        run["score_all"](
            self.sheet, units, owner, hands, weights, scene.target, taste.mix, found, out
        )
        return out.tolist()  # type: ignore[no-any-return]  # numbers


def _compiled() -> dict[str, Callable[..., Any]]:
    """The kernel's functions compiled: copies of them that know each other and, for lists, arrays.

    What is compiled is kept on disk for later runs.
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


def engine(*, wait: bool) -> Engine:
    """The fastest that is there. To compile for the first time takes half a minute, which not
    everybody can `wait` for; until it is done the kernel runs as it stands, with the same results.
    """
    if not (find_spec("numba") and find_spec("numpy")):
        return Plain()
    compiling = _compiling()
    return compiling.result() if wait or compiling.done() else Plain()


@cache
def _compiling() -> "Future[Engine]":
    future: Future[Engine] = Future()
    Thread(target=_compile, args=(future,), daemon=True).start()
    return future


def _compile(future: "Future[Engine]") -> None:
    """Make every function ready by using it once."""
    try:
        made = Compiled()
        scene = Scene((0,) * COUNT, (-1,) * COUNT, SPRING, (1,))
        taste = Taste((1.0,) * kernel.FEATURES, (1.0,) * kernel.FEATURES, 0.5)
        made.drafts(scene, [0] * CELLS, [1], [1])
        made.futures(scene, made.crossed([[0] * CELLS], [[0] * CELLS], [0]), [1], 1, taste)
        made.outlook(scene, [scene.units], [1], 0, taste)
    except Exception:  # noqa: BLE001  # a Numba that does not work is as good as none
        future.set_result(Plain())
    else:
        future.set_result(made)
