"""What the drawing says about neighbours, to be held against what the game says.

A player reads the map, so the map must not lie: two provinces touch on paper exactly where a unit
can go from one to the other. An army goes where land meets land. A fleet goes where two seas meet,
between a sea and its shore, and along a shore: from one coast to the next that begins where it ends.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import shapely
from shapely.geometry import LineString, Point
from shapely.geometry.base import BaseGeometry
from shapely.strtree import STRtree

LEAST = 4.0  # a shorter common line reads as a corner
CORNER = 0.3


@dataclass(frozen=True, slots=True)
class Coast:
    """An unbroken stretch of shore of one province."""

    place: str
    line: LineString
    seas: frozenset[str]


def borders(shapes: Mapping[str, BaseGeometry]) -> dict[tuple[str, str], BaseGeometry]:
    """The common line of every two shapes that have one."""
    names = sorted(shapes)
    tree = STRtree([shapes[name] for name in names])
    found = {}
    for i, name in enumerate(names):
        for j in sorted(int(j) for j in tree.query(shapes[name])):
            if j > i:
                shared = _lines(shapes[name].boundary & shapes[names[j]].boundary)
                if shared.length > 0:
                    found[name, names[j]] = shared
    return found


def _lines(shape: BaseGeometry) -> BaseGeometry:
    parts = [
        p for p in getattr(shape, "geoms", [shape]) if isinstance(p, LineString) and p.length > 0
    ]
    return shapely.line_merge(shapely.MultiLineString(parts)) if parts else LineString()


def touching(lines: Mapping[tuple[str, str], BaseGeometry]) -> set[tuple[str, str]]:
    return {pair for pair, line in lines.items() if line.length >= LEAST}


def coasts(
    place: str,
    lines: Mapping[tuple[str, str], BaseGeometry],
    seas: frozenset[str],
) -> list[Coast]:
    """The shores of `place`, each a connected run of lines it shares with seas."""
    shared = {
        sea: lines[key] for sea in seas if (key := (min(place, sea), max(place, sea))) in lines
    }
    merged = _lines(shapely.union_all(list(shared.values()))) if shared else LineString()
    runs = [run for run in getattr(merged, "geoms", [merged]) if run.length >= LEAST]
    return [
        Coast(
            place, run, frozenset(s for s, line in shared.items() if (line & run).length >= LEAST)
        )
        for run in runs
    ]


def meet(a: Coast, b: Coast) -> bool:
    """Whether one shore begins where the other ends."""
    return any(
        Point(p).distance(Point(q)) < CORNER
        for p in (a.line.coords[0], a.line.coords[-1])
        for q in (b.line.coords[0], b.line.coords[-1])
    )
