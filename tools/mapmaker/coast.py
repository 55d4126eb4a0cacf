"""The coastlines: cut once from Natural Earth, kept in this folder, read by every build.

`python -m tools.mapmaker.coast land-50m.json` makes data/land.json from the TopoJSON file of the
npm package `world-atlas`. It is run only to take a newer edition; builds need no network.
"""

import json
import sys
from itertools import accumulate, pairwise
from pathlib import Path
from statistics import median
from typing import Any

import shapely
from shapely.geometry import MultiPolygon, Polygon, box
from shapely.geometry.base import BaseGeometry

DATA = Path(__file__).parent / "data"
WINDOW = box(-45, 20, 72, 78)  # Europe with its shores, and enough around it for any frame


def load() -> list[Polygon]:
    """Every landmass of the window, in degrees."""
    rings = json.loads((DATA / "land.json").read_text())["polygons"]
    return [Polygon(shell, holes) for shell, *holes in rings]


def cut(topology: dict[str, Any]) -> dict[str, Any]:
    """The window's part of a `world-atlas` land file, to a hundredth of a degree."""
    arcs = [_unpacked(arc, topology["transform"]) for arc in topology["arcs"]]
    pieces: list[BaseGeometry] = []
    for geometry in topology["objects"]["land"]["geometries"]:
        for polygon in geometry["arcs"]:
            shell, *holes = (_ring(ring, arcs) for ring in polygon)
            area = shapely.make_valid(Polygon(shell, holes)) & WINDOW
            pieces.append(shapely.set_precision(area, 0.01))
    polygons = [part for piece in pieces for part in _parts(piece)]
    return {
        "source": "Natural Earth 1:50m land (public domain), npm package world-atlas 2.0.2",
        "polygons": [
            [_rounded(ring) for ring in (part.exterior, *part.interiors)] for part in polygons
        ],
    }


def _unpacked(arc: list[list[int]], transform: dict[str, list[float]]) -> list[tuple[float, float]]:
    (kx, ky), (dx, dy) = transform["scale"], transform["translate"]
    xs, ys = accumulate(x for x, _ in arc), accumulate(y for _, y in arc)
    return [(x * kx + dx, y * ky + dy) for x, y in zip(xs, ys, strict=True)]


def _ring(refs: list[int], arcs: list[list[tuple[float, float]]]) -> list[tuple[float, float]]:
    points: list[tuple[float, float]] = []
    for ref in refs:
        arc = arcs[ref] if ref >= 0 else arcs[~ref][::-1]
        points += arc[1:] if points else arc
    return _unwrapped(points)


def _unwrapped(points: list[tuple[float, float]]) -> list[tuple[float, float]]:
    """A ring that crosses the date line goes on beyond 180 degrees instead of jumping back."""
    turns = 0
    result = points[:1]
    for (before, _), (lon, lat) in pairwise(points):
        turns -= (lon - before > 180) - (before - lon > 180)
        result.append((lon + 360 * turns, lat))
    home = 360 * round(median(lon for lon, _ in result) / 360)
    return [(lon - home, lat) for lon, lat in result]


def _parts(shape: BaseGeometry) -> list[Polygon]:
    if isinstance(shape, Polygon):
        return [] if shape.is_empty else [shape]
    return [part for part in getattr(shape, "geoms", ()) if isinstance(part, Polygon)]


def _rounded(ring: Any) -> list[list[float]]:
    return [[round(x, 2), round(y, 2)] for x, y in ring.coords]


def main() -> None:
    land = cut(json.loads(Path(sys.argv[1]).read_text()))
    text = json.dumps(land, separators=(",", ":")).replace("]],[[", "]],\n[[")
    (DATA / "land.json").write_text(text + "\n")
    print(len(land["polygons"]), "landmasses,", MultiPolygon(load()).area, "square degrees")


if __name__ == "__main__":
    main()
