"""A chart: the sheet, the ground and every province as a shape, made from one TOML file."""

import tomllib
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import shapely
from shapely.geometry import LineString, MultiPolygon, Polygon, box
from shapely.geometry import Point as Spot
from shapely.geometry.base import BaseGeometry
from shapely.prepared import prep as prepared

from tools.mapmaker import coast
from tools.mapmaker.partition import GRID, Bend, cells, drawn, faces, holder, settled, tremor
from tools.mapmaker.projection import Point, Sheet

HERE = Path(__file__).parent
LEAST_ISLAND = 14.0  # square units; smaller ones would be specks of dirt in print
LEAST_LAKE = 60.0


@dataclass(frozen=True, slots=True)
class Chart:
    """Shapes by name. `kinds`: land, sea, closed (land nobody enters), still (water nobody sails),
    water (a strait that belongs to the province it runs through), island (scenery)."""

    spec: dict[str, Any]
    sheet: Sheet
    frame: Polygon
    ground: BaseGeometry
    shapes: dict[str, BaseGeometry]
    kinds: dict[str, str]

    def of(self, *kinds: str) -> dict[str, BaseGeometry]:
        return {
            name: self.shapes[name] for name in sorted(self.shapes) if self.kinds[name] in kinds
        }


def make(name: str) -> Chart:
    spec = tomllib.loads((HERE / f"{name}.toml").read_text())
    sheet = Sheet.make(spec["sheet"])
    frame = box(0, 0, sheet.width, sheet.height)
    ground = printed(sheet, frame)
    kinds = {k: kind for kind in ("land", "closed", "sea", "still") for k in spec.get(kind, {})}
    hand = {k: tremor(seed, waves) for k, (seed, *waves) in spec["hand"].items()}
    seeds = {k: [sheet(*p) for p in spec[kinds[k]][k]] for k in kinds}
    lines, owners, islands = _settle_land(ground, frame, seeds, kinds, hand["land"])
    at_sea = {k: v for k, v in seeds.items() if kinds[k] in {"sea", "still"}}
    sea_lines, seas = drawn(cells(at_sea, frame), hand["sea"])
    straits = {f"{k}-water": _ring(sheet, points) for k, points in spec.get("water", {}).items()}
    wet = {**straits, **seas}
    edges = [frame.boundary, ground.boundary & frame]
    edges += [line & ground & frame for line in lines]
    edges += [(line & frame) - ground for line in sea_lines]
    edges += [(strait.boundary & frame) - ground for strait in straits.values()]
    dry = prepared(ground)
    pieces = faces(edges, lambda spot: holder(spot, owners if dry.contains(spot) else wet))
    shapes = settled({k: v for k, v in pieces.items() if k in owners}, seeds)
    shapes |= settled({k: v for k, v in pieces.items() if k in wet}, seeds)
    visible = [island & frame for island in sorted(islands, key=lambda i: i.bounds)]
    scenery = {f"island-{n}": i for n, i in enumerate(i for i in visible if not i.is_empty)}
    kinds |= dict.fromkeys(straits, "water") | dict.fromkeys(scenery, "island")
    return Chart(spec, sheet, frame, ground, shapes | scenery, kinds)


def printed(sheet: Sheet, frame: Polygon) -> BaseGeometry:
    """The land as an engraver would simplify it: no specks, no hair-thin inlets."""
    around = frame.buffer(30, join_style="mitre")
    land = shapely.union_all([_projected(sheet, part) for part in coast.load()]) & around
    land = land.buffer(0.7).buffer(-1.1).buffer(0.4).simplify(0.55)
    parts = [
        Polygon(part.exterior, [r for r in part.interiors if Polygon(r).area > LEAST_LAKE])
        for part in land.geoms
        if part.area > LEAST_ISLAND
    ]
    return shapely.set_precision(MultiPolygon(parts), GRID)


def _projected(sheet: Sheet, part: Polygon) -> BaseGeometry:
    fine = part.segmentize(1)
    rings = [[sheet(x, y) for x, y in ring.coords] for ring in (fine.exterior, *fine.interiors)]
    return shapely.make_valid(Polygon(rings[0], rings[1:]))


def _ring(sheet: Sheet, points: Sequence[Point]) -> Polygon:
    return shapely.set_precision(Polygon([sheet(*p) for p in points]), GRID)


def _settle_land(
    ground: BaseGeometry,
    frame: Polygon,
    seeds: Mapping[str, Sequence[Point]],
    kinds: Mapping[str, str],
    hand: Bend,
) -> tuple[list[LineString], dict[str, BaseGeometry], list[BaseGeometry]]:
    """Each landmass is shared out among the seeds on it: a cell never reaches over water.

    Islands without a seed are scenery.
    """
    parts = list(ground.geoms)
    by_part: dict[int, dict[str, list[Point]]] = defaultdict(lambda: defaultdict(list))
    for name, points in seeds.items():
        if kinds[name] in {"land", "closed"}:
            for point in points:
                n = min(range(len(parts)), key=lambda i: parts[i].distance(Spot(point)))
                by_part[n][name].append(point)
    lines: list[LineString] = []
    owners: dict[str, list[BaseGeometry]] = defaultdict(list)
    for n, here in sorted(by_part.items()):
        if len(here) == 1:
            owners[next(iter(here))].append(parts[n])
            continue
        part_lines, part_owners = drawn(cells(here, frame), hand)
        lines += [line & parts[n] for line in part_lines]
        for name, area in part_owners.items():
            owners[name].append(area & parts[n])
    islands = [part for n, part in enumerate(parts) if n not in by_part]
    return lines, {k: shapely.union_all(v) for k, v in owners.items()}, islands
