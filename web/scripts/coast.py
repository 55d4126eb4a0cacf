"""Draws the coast of Europe that decorates the frame: web/src/design/coast.ts.

Run `.venv/bin/python -m web.scripts.coast` from the root; it needs tools/mapmaker and shapely.
The boards have maps of their own; this one is plain, light and belongs to no game.
"""

from pathlib import Path

from shapely import Polygon, affinity, box, transform

from tools.mapmaker.coast import load
from tools.mapmaker.projection import Conic

TARGET = Path(__file__).parent.parent / "src/design/coast.ts"
FRAME = box(0, 0, 1000, 640)
SCALE = 1180
CONIC = Conic((38, 60), (14, 49))


def drawn() -> str:
    pieces = []
    for land in load():
        sheet = transform(land, lambda points: [CONIC(x, y) for x, y in points])
        placed = affinity.translate(affinity.scale(sheet, SCALE, SCALE, origin=(0, 0)), 470, 335)
        piece = (placed.buffer(0) & FRAME.buffer(8)).simplify(1.1)
        pieces += [part for part in getattr(piece, "geoms", [piece]) if part.area > 14]
    return "".join(_path(part) for part in pieces if isinstance(part, Polygon))


def _path(part: Polygon) -> str:
    rings = [part.exterior, *(hole for hole in part.interiors if Polygon(hole).area > 30)]
    return "".join(f"M{_points(ring.coords)}Z" for ring in rings)


def _points(coords: object) -> str:
    return "L".join(f"{x:.0f} {y:.0f}" for x, y in list(coords)[:-1])  # type: ignore[call-overload]  # shapely's sequence


if __name__ == "__main__":
    TARGET.write_text(
        "// Made by scripts/coast.py from Natural Earth (public domain). 1000 x 640.\n"
        f'export const COAST =\n  "{drawn()}";\n'
    )
