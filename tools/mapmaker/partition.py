"""Cutting land and sea into provinces whose shared borders are one and the same line."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import pairwise
from math import floor

import shapely
from shapely.geometry import LineString, MultiPoint, Polygon
from shapely.geometry import Point as Spot
from shapely.geometry.base import BaseGeometry
from shapely.ops import polygonize

from tools.mapmaker.projection import Point

GRID = 0.1  # the finest step of the pen: every coordinate of the map is a multiple of it
SPECK = 14.0  # a piece so small in a corner of the frame is left out
Bend = Callable[[float, float], Point]


def cells(seeds: Mapping[str, Sequence[Point]], frame: Polygon) -> dict[str, BaseGeometry]:
    """For each name the union of the Voronoi cells of its seeds, out to beyond the frame."""
    owners = [name for name, points in seeds.items() for _ in points]
    points = MultiPoint([p for points in seeds.values() for p in points])
    voronoi = shapely.voronoi_polygons(points, extend_to=frame.buffer(100), ordered=True)
    parts: dict[str, list[BaseGeometry]] = defaultdict(list)
    for name, cell in zip(owners, voronoi.geoms, strict=True):
        parts[name].append(cell)
    return {name: shapely.union_all(group) for name, group in parts.items()}


def arcs(areas: Iterable[BaseGeometry]) -> list[LineString]:
    """The lines between areas, each from one junction to the next."""
    merged = shapely.line_merge(shapely.union_all([area.boundary for area in areas]))
    return list(getattr(merged, "geoms", [merged]))


def rounded(line: LineString, times: int = 2) -> LineString:
    """Chaikin's corner cutting with fixed ends."""
    points = [(p[0], p[1]) for p in line.segmentize(14).coords]
    for _ in range(times):
        cut = [points[0]]
        for (ax, ay), (bx, by) in pairwise(points):
            cut += [(0.75 * ax + 0.25 * bx, 0.75 * ay + 0.25 * by)]
            cut += [(0.25 * ax + 0.75 * bx, 0.25 * ay + 0.75 * by)]
        points = [*cut, points[-1]]
    return LineString(points)


def drawn(
    areas: Mapping[str, BaseGeometry], bend: Bend
) -> tuple[list[LineString], dict[str, BaseGeometry]]:
    """The borders between areas as a hand would draw them, and the areas inside them.

    Corners are cut arc by arc; then every point moves by a smooth field that depends on its
    place alone, so that lines that met still meet and none cross.
    """
    lines = [
        LineString([bend(x, y) for x, y in rounded(arc).segmentize(4).coords]).simplify(0.2)
        for arc in arcs(areas.values())
    ]
    faces = list(polygonize(shapely.union_all(lines)))
    result: dict[str, list[Polygon]] = defaultdict(list)
    for face in faces:
        result[max(areas, key=lambda name: areas[name].intersection(face).area)].append(face)
    return lines, {name: shapely.union_all(parts) for name, parts in result.items()}


def tremor(seed: int, waves: Sequence[tuple[float, float]]) -> Bend:
    """A smooth displacement field: the sum of lattice noises of (wavelength, height)."""

    def bend(x: float, y: float) -> Point:
        dx = dy = 0.0
        for k, (length, height) in enumerate(waves):
            dx += height * _noise(x / length, y / length, seed + 7 * k)
            dy += height * _noise(x / length, y / length, seed + 7 * k + 3)
        return x + dx, y + dy

    return bend


def _noise(x: float, y: float, seed: int) -> float:
    i, j = floor(x), floor(y)
    u, v = _ease(x - i), _ease(y - j)
    top = _lattice(i, j, seed) * (1 - u) + _lattice(i + 1, j, seed) * u
    low = _lattice(i, j + 1, seed) * (1 - u) + _lattice(i + 1, j + 1, seed) * u
    return top * (1 - v) + low * v


def _ease(t: float) -> float:
    return t * t * (3 - 2 * t)


def _lattice(i: int, j: int, seed: int) -> float:
    h = (i * 374761393 + j * 668265263 + seed * 1442695041) & 0xFFFFFFFF
    h = ((h ^ (h >> 13)) * 1274126177) & 0xFFFFFFFF
    return ((h ^ (h >> 16)) & 0xFFFF) / 0x8000 - 1


def faces(lines: Sequence[BaseGeometry], owner: Callable[[Spot], str]) -> dict[str, list[Polygon]]:
    """The pieces between `lines`, by owner.

    All lines are noded together and snapped to the grid first, so that where a border meets the
    shore both sides have the very same point, and neighbours share their edges exactly.
    """
    found: dict[str, list[Polygon]] = defaultdict(list)
    for face in polygonize(shapely.union_all(lines, grid_size=GRID)):
        if name := owner(face.representative_point()):
            found[name].append(face)
    return dict(found)


def holder(spot: Spot, areas: Mapping[str, BaseGeometry]) -> str:
    """Whose area the spot lies in."""
    return next((name for name, area in areas.items() if area.contains(spot)), "")


def settled(
    pieces: Mapping[str, list[Polygon]], seeds: Mapping[str, Sequence[Point]]
) -> dict[str, BaseGeometry]:
    """Pieces that a border cut off from all seeds of their province go to who surrounds them."""
    kept: dict[str, list[Polygon]] = {}
    stray: list[tuple[str, Polygon]] = []
    for name, parts in pieces.items():
        whole = _parts(shapely.union_all(parts))
        spots = MultiPoint(seeds[name]) if name in seeds else None
        kept[name] = [p for p in whole if spots is None or p.intersects(spots)]
        kept[name] = kept[name] or [max(whole, key=lambda p: p.area)]
        stray += [(name, p) for p in whole if p not in kept[name]]
    for name, piece in sorted(stray, key=lambda s: -s[1].area):
        touch = {k: sum((piece.boundary & p.boundary).length for p in v) for k, v in kept.items()}
        best = max(touch, key=lambda k: (touch[k], k == name))
        if touch[best] > 0 or piece.area > SPECK:
            kept[best if touch[best] > 0 else name].append(piece)
    return {name: shapely.union_all(parts) for name, parts in sorted(kept.items())}


def _parts(shape: BaseGeometry) -> list[Polygon]:
    return list(getattr(shape, "geoms", [shape]))
