"""Orders as arrows, with their outcome visible at a glance.

A move is an arrow; one that failed is broken and ends in a burst where it was stopped. Support is a
dotted line to the arrow it helps, or with a bar to the unit it helps to stay; a cross marks a
support that was cut. An army by sea follows the fleets that carry it; they wear a ring. Jags surround a
dislodged unit.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import hypot
from typing import Final

from powderkeg.games.diplomacy.actions import (
    Build,
    Convoy,
    Disband,
    Hold,
    Move,
    Order,
    Retreat,
    Support,
    parse_order,
)
from powderkeg.games.diplomacy.board import Unit
from powderkeg.picture.svg import (
    Point,
    arrow_head,
    bowed_line,
    part_way,
    path_data,
    point_toward,
    smooth_curve,
    star_path,
    svg_group,
    svg_tag,
    translate_to,
    trim_line,
)

RIM: Final = 19.0  # arrows begin and end outside the blocks
STOP: Final = 0.72  # how far along its way a stopped arrow gets
DOTS: Final = ".1 6.4"
BURST: Final = star_path(7, 7.5, 3.6)
JAGS: Final = star_path(14, 25, 19)


@dataclass(frozen=True, slots=True)
class Pen:
    """Draws the orders of one position."""

    units: Mapping[Unit, str]
    dislodged: Mapping[Unit, str]
    spot: Callable[[str], Point]  # where a unit at a location is drawn
    aside: Callable[[str], Point]  # where one dislodged from there is drawn
    bend: Callable[[str, str], Point | None]  # a point of the way from one location to another

    def draw_orders(self, judged: Sequence[tuple[str, str]]) -> tuple[list[str], list[str]]:
        """The shapes below the units and those on top of them."""
        orders = [(parse_order(text), verdict) for text, verdict in judged]
        routes = {
            (order.unit, order.to): self._move_route(order, [o for o, _ in orders])
            for order, _ in orders
            if isinstance(order, Move)
        }
        below: list[str] = []
        above: list[str] = []
        for order, verdict in sorted(orders, key=lambda o: isinstance(o[0], Move | Retreat)):
            under, over = self._draw_order(order, verdict, routes)
            below += under
            above += over
        return [
            *below,
            *(_dislodged_jags(self._actual_spot(unit)) for unit in self._dislodged_units(orders)),
        ], above

    def _dislodged_units(self, orders: Iterable[tuple[Order, str]]) -> list[Unit]:
        """Units in provinces that another unit entered."""
        moved = [o for o, verdict in orders if isinstance(o, Move) and verdict == "ok"]
        entered = {move.to[:3] for move in moved}
        left = {move.unit.province for move in moved}
        return [unit for unit in self.units if unit.province in entered - left]

    def _draw_order(
        self, order: Order, verdict: str, routes: Mapping[tuple[Unit, str], Sequence[Point]]
    ) -> tuple[list[str], list[str]]:
        failed = verdict != "ok"
        match order:
            case Move(unit, to):
                return self._draw_move(unit, routes[unit, to], failed=failed)
            case Support(unit, target, to):
                return self._draw_support(unit, target, to, routes, failed=failed)
            case Convoy(unit):
                return self._draw_ring(unit, "convoy", 23, failed=failed)
            case Hold(unit):
                return self._draw_ring(unit, "hold", 20, failed=failed)
            case Retreat(unit, to):
                line = bowed_line(self.aside(unit.at), self.spot(to), self.bend(unit.at, to))
                shape = [_arrow_shape(line, "retreat", self._unit_colour(unit), failed=failed)]
                return shape, _burst_mark(line) if failed else []
            case Disband(unit):
                place = self.aside if unit in self.dislodged else self.spot
                return [], [_cross_mark(place(unit.at), 14, "disband")]
            case Build(unit):
                return [], [_build_badge(self.spot(unit.at))]
            case _:
                return [], []

    def _unit_colour(self, unit: Unit) -> str:
        """Of the unit at that province: orders may name its coast or not."""
        whose = {u.province: power for u, power in self.units.items()}
        out = {u.province: power for u, power in self.dislodged.items()}
        return self.dislodged.get(
            unit, whose.get(unit.province, out.get(unit.province, ""))
        ).lower()

    def _actual_spot(self, unit: Unit) -> Point:
        """Where the unit really stands, though an order may leave out its coast."""
        real = next((u for u in self.units if u.province == unit.province), unit)
        return self.spot(real.at)

    def _move_route(self, move: Move, orders: Iterable[Order]) -> list[Point]:
        """The way of a move: over the fleets that carry it, if some do."""
        start, end = self._actual_spot(move.unit), self.spot(move.to)
        fleets = [
            self._actual_spot(order.unit)
            for order in orders
            if isinstance(order, Convoy)
            and order.army.province == move.unit.province
            and order.to[:3] == move.to[:3]
        ]
        if not fleets:
            return bowed_line(start, end, self.bend(move.unit.at, move.to))
        way = [start]
        while fleets:  # from fleet to nearest fleet, as the army would go
            near = min(fleets, key=lambda f: hypot(f[0] - way[-1][0], f[1] - way[-1][1]))
            fleets.remove(near)
            way.append(near)
        return smooth_curve([*way, end])

    def _draw_move(
        self, unit: Unit, route: Sequence[Point], *, failed: bool
    ) -> tuple[list[str], list[str]]:
        if not failed:
            return [_arrow_shape(trim_line(route, RIM, RIM), "move", self._unit_colour(unit))], []
        cut = [*_points_before(route, STOP), part_way(route, STOP)]
        line = trim_line(cut, RIM * 0.9, 0)
        return [_arrow_shape(line, "move", self._unit_colour(unit), failed=True)], _burst_mark(line)

    def _draw_support(
        self,
        unit: Unit,
        target: Unit,
        to: str | None,
        routes: Mapping[tuple[Unit, str], Sequence[Point]],
        *,
        failed: bool,
    ) -> tuple[list[str], list[str]]:
        start = self._actual_spot(unit)
        helped = next(
            (
                route
                for (mover, goal), route in routes.items()
                if to and mover.province == target.province and goal[:3] == to[:3]
            ),
            None,
        )
        if helped:
            end, gap = part_way(helped, 0.55), 3.0
        elif to:  # a move that was not ordered: towards where it would have gone
            end, gap = self.spot(to), RIM
        else:
            end, gap = self._actual_spot(target), RIM + 2
        line = trim_line([start, end], RIM * 0.9, gap)
        parts = [
            svg_tag(
                "path", class_="casing", d=path_data(line), stroke_width=5, stroke_dasharray=DOTS
            ),
            svg_tag(
                "path", class_="shaft", d=path_data(line), stroke_width=3.4, stroke_dasharray=DOTS
            ),
            _hold_bar(line)
            if not to
            else svg_tag("circle", class_="head", cx=line[-1][0], cy=line[-1][1], r=3.2),
        ]
        drawn = _order_group(parts, "support", self._unit_colour(unit), failed=failed)
        return [drawn], [_cross_mark(part_way(line, 0.45), 5, "cut")] if failed else []

    def _draw_ring(
        self, unit: Unit, kind: str, radius: float, *, failed: bool
    ) -> tuple[list[str], list[str]]:
        x, y = self._actual_spot(unit)
        ring = [
            svg_tag("circle", class_="casing", cx=x, cy=y, r=radius, stroke_width=3.8),
            svg_tag(
                "circle",
                class_="ring",
                cx=x,
                cy=y,
                r=radius,
                stroke_dasharray="9 5" if kind == "convoy" else None,
            ),
        ]
        drawn = _order_group(ring, kind, self._unit_colour(unit), failed=failed)
        return [drawn], [
            _cross_mark((x + radius * 0.7, y - radius * 0.7), 5, "cut")
        ] if failed else []


def _order_group(parts: Iterable[str], kind: str, colour: str, *, failed: bool) -> str:
    return svg_group(parts, class_=f"order {kind} {colour}" + (" failed" if failed else ""))


def _arrow_shape(line: Sequence[Point], kind: str, colour: str, *, failed: bool = False) -> str:
    width = 4.2 if kind == "move" else 2.6
    shaft = line if failed else trim_line(line, 0, 8)
    dashes = "1.5 5" if kind == "retreat" else None
    parts = [
        svg_tag("path", class_="casing", d=path_data(shaft), stroke_width=width + 1.8),
        svg_tag(
            "path", class_="shaft", d=path_data(shaft), stroke_width=width, stroke_dasharray=dashes
        ),
    ]
    if not failed:
        parts.append(
            svg_tag("path", class_="head", d=arrow_head(line, 15 if kind == "move" else 11))
        )
    return _order_group(parts, kind, colour, failed=failed)


def _points_before(route: Sequence[Point], share: float) -> list[Point]:
    """The points of a line up to a share of its length."""
    steps = [hypot(b[0] - a[0], b[1] - a[1]) for a, b in pairwise(route)]
    kept, gone = [route[0]], 0.0
    for step, point in zip(steps, route[1:], strict=True):
        gone += step
        if gone >= share * sum(steps):
            break
        kept.append(point)
    return kept


def _burst_mark(line: Sequence[Point]) -> list[str]:
    return [svg_tag("path", class_="burst", d=BURST, transform=translate_to(line[-1]))]


def _dislodged_jags(spot: Point) -> str:
    """Jags around a dislodged unit."""
    return svg_tag("path", class_="beaten", d=JAGS, transform=translate_to(spot))


def _hold_bar(line: Sequence[Point]) -> str:
    """The bar at the end of a support to hold."""
    (ax, ay), (bx, by) = line[-2], line[-1]
    side = point_toward((0, 0), (ay - by, bx - ax), 7)
    d = path_data([(bx - side[0], by - side[1]), (bx + side[0], by + side[1])])
    return svg_tag("path", class_="shaft", d=d, stroke_width=3)


def _cross_mark(spot: Point, size: float, kind: str) -> str:
    d = f"M{-size} {-size}L{size} {size}M{-size} {size}L{size} {-size}"
    halo = svg_tag("path", class_="mark-halo", d=d)
    return svg_group(
        [halo, svg_tag("path", class_="mark", d=d)], class_=kind, transform=translate_to(spot)
    )


def _build_badge(spot: Point) -> str:
    x, y = spot[0] + 13, spot[1] - 11
    d = "M-5 0H5M0 -5V5"
    return svg_group(
        [svg_tag("circle", class_="badge", r=8), svg_tag("path", class_="mark", d=d)],
        class_="build",
        transform=translate_to((x, y)),
    )
