"""Names on the map: how wide they are, what room they take, and where they fit best."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from math import cos, radians, sin
from pathlib import Path
from typing import Any

import numpy as np
import shapely
from shapely.geometry import MultiPolygon, Polygon
from shapely.geometry.base import BaseGeometry
from shapely.ops import polylabel

from tools.mapmaker.projection import Point

LEADING = 0.92  # from line to line, in ems
RISE = 0.60  # small capitals are low: the room of a line, in ems
BASELINE = 0.24  # from the middle of a line down to its baseline, in ems
STEPS = 36  # places tried across a room, though not closer than 3 units to one another


@cache
def advances() -> dict[str, dict[str, float]]:
    found: dict[str, dict[str, float]] = json.loads(
        (Path(__file__).parent / "data" / "advances.json").read_text()
    )
    return found


@dataclass(frozen=True, slots=True)
class Style:
    """A manner of writing: the face, sizes from the most wanted to the least, and the spacing."""

    face: str
    sizes: tuple[float, ...]
    spacing: float  # between letters, in ems
    angles: tuple[float, ...] = (0,)
    bends: tuple[float, ...] = (0,)  # curvature: one over the radius, positive bulges upwards
    slant: float = 0.2  # what a degree away from level costs
    price: float = 0  # what this manner costs as such

    def width(self, text: str, size: float) -> float:
        glyphs = advances()[self.face]
        return size * (sum(glyphs[c] for c in text) + self.spacing * (len(text) - 1))


@dataclass(frozen=True, slots=True)
class Label:
    """A name in its place: `at` is the middle of the writing."""

    lines: tuple[str, ...]
    at: Point
    size: float
    angle: float
    bend: float
    width: float
    spacing: float

    @property
    def footprint(self) -> Polygon:
        return Polygon(_outline(self) + np.array(self.at))


def _outline(label: Label) -> Any:
    """The room of a label around (0, 0): a box, or a bow along its arc."""
    height = label.size * (RISE + LEADING * (len(label.lines) - 1))
    half = label.width / 2
    xs = np.linspace(-half, half, 2 if label.bend == 0 else 9)
    top = [bowed(x, -height / 2, label.bend) for x in xs]
    low = [bowed(x, height / 2, label.bend) for x in reversed(xs)]
    turn = radians(label.angle)
    return np.array(
        [(x * cos(turn) - y * sin(turn), x * sin(turn) + y * cos(turn)) for x, y in top + low]
    )


def bowed(x: float, y: float, bend: float) -> Point:
    """A point of a straight line of writing, once the line is bent into an arc."""
    if bend == 0:
        return x, y
    radius = 1 / bend
    turn = x / radius
    return (radius - y) * sin(turn), radius - (radius - y) * cos(turn)


def wordings(name: str) -> list[tuple[str, ...]]:
    """A name in one line, and broken where its halves are most alike."""
    cuts = [i for i, c in enumerate(name) if c in " -"]
    if not cuts or len(name) < 9:
        return [(name,)]
    cut = min(cuts, key=lambda i: abs(len(name) - 1 - 2 * i))
    keep = 1 if name[cut] == "-" else 0
    return [(name,), (name[: cut + keep], name[cut + 1 :])]


def candidates(name: str, style: Style) -> Iterator[tuple[float, Label]]:
    """Every way to write a name, with what it costs, around (0, 0)."""
    for rank, size in enumerate(style.sizes):
        for lines in wordings(name):
            width = max(style.width(line, size) for line in lines)
            for angle in style.angles:
                for bend in style.bends if len(lines) == 1 else (0.0,):
                    cost = style.price + 4 * rank + style.slant * abs(angle)
                    cost += 2.5 if len(lines) > 1 else 0
                    yield cost, Label(lines, (0, 0), size, angle, bend, width, style.spacing)


def best(
    ways: Iterable[tuple[float, Label]], room: BaseGeometry, wish: Point, pull: float = 0.06
) -> tuple[float, Label] | None:
    """The cheapest way that fits into `room`, as near as possible to the wanted place.

    `pull` is what a unit of distance from there costs.
    """
    spots = _grid(room)
    if not len(spots):
        return None
    away = np.hypot(spots[:, 0] - wish[0], spots[:, 1] - wish[1])
    order = np.argsort(away, kind="stable")
    spots, away = spots[order], away[order]
    shapely.prepare(room)
    found: tuple[float, Label] | None = None
    for cost, label in sorted(ways, key=lambda way: way[0]):
        if found and cost >= found[0]:
            break
        n = _first_fit(room, _outline(label), spots)
        if n is not None:
            total = cost + pull * float(away[n])
            if not found or total < found[0]:
                at = (round(float(spots[n, 0]), 1), round(float(spots[n, 1]), 1))
                found = total, replace(label, at=at)
    return found


def _first_fit(room: BaseGeometry, outline: Any, spots: Any) -> int | None:
    """The first spot where the whole outline lies within the room."""
    left = np.arange(len(spots))
    for corner in outline:  # cheap, and most spots fail already here
        at = spots[left] + corner
        left = left[shapely.contains_xy(room, at[:, 0], at[:, 1])]
    for start in range(0, len(left), 40):
        some = left[start : start + 40]
        boxes = shapely.polygons(outline + spots[some][:, None])
        fits = shapely.contains_properly(room, boxes)
        if fits.any():
            return int(some[np.argmax(fits)])
    return None


def _grid(room: BaseGeometry) -> Any:
    west, north, east, south = room.bounds
    step = max(3.0, ((east - west) * (south - north)) ** 0.5 / STEPS)
    xs, ys = np.arange(west, east, step), np.arange(north, south, step)
    grid = np.stack(np.meshgrid(xs, ys, indexing="ij"), axis=-1).reshape(-1, 2)
    shapely.prepare(room)
    return grid[shapely.contains_xy(room, grid[:, 0], grid[:, 1])] if len(grid) else grid


def middle(shape: BaseGeometry) -> Point:
    """The point farthest from any edge of the largest part."""
    part = largest(shape)
    spot = polylabel(part, 1.0)
    return spot.x, spot.y


def largest(shape: BaseGeometry) -> Polygon:
    parts = list(shape.geoms) if isinstance(shape, MultiPolygon) else [shape]
    return max(parts, key=lambda part: part.area)
