"""Writing SVG: elements, and the lines that orders are drawn with."""

from collections.abc import Iterable, Sequence
from html import escape
from itertools import pairwise
from math import cos, hypot, pi, sin
from typing import TypeAlias

Point: TypeAlias = tuple[float, float]


def svg_tag(name: str, content: str = "", **attributes: object) -> str:
    """An element. `class_` is class, `stroke_width` is stroke-width; None leaves one out."""
    pairs = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escape(_attribute_text(value))}"'
        for key, value in attributes.items()
        if value is not None
    )
    return f"<{name}{pairs}>{content}</{name}>" if content else f"<{name}{pairs}/>"


def _attribute_text(value: object) -> str:
    return f"{value:.1f}".removesuffix(".0") if isinstance(value, float) else str(value)


def svg_group(content: Iterable[str], **attributes: object) -> str:
    return svg_tag("g", "\n".join(content), **attributes)


def translate_to(spot: Point) -> str:
    """The transform that moves an element there."""
    return f"translate({spot[0]:g} {spot[1]:g})"


def point_toward(a: Point, b: Point, distance: float) -> Point:
    """The point at that distance from `a` on the way to `b`."""
    length = hypot(b[0] - a[0], b[1] - a[1]) or 1.0
    return a[0] + (b[0] - a[0]) * distance / length, a[1] + (b[1] - a[1]) * distance / length


def bow_point(a: Point, b: Point, height: float) -> Point:
    """The control point that bends the way from `a` to `b` to its left, by `height` of its length."""
    return (
        (a[0] + b[0]) / 2 + (b[1] - a[1]) * height,
        (a[1] + b[1]) / 2 - (b[0] - a[0]) * height,
    )


def bowed_line(a: Point, b: Point, over: Point | None = None) -> list[Point]:
    """A slightly bowed way, so that arrows there and back lie side by side; over a point, if given."""
    if over is None:
        return smooth_curve([a, bow_point(a, b, 0.07), b])
    (x, y), (ox, oy) = bow_point(a, b, 0.02), over
    return smooth_curve([a, (x - (a[0] + b[0]) / 2 + ox, y - (a[1] + b[1]) / 2 + oy), b])


def smooth_curve(points: Sequence[Point]) -> list[Point]:
    """A smooth line through all points (Catmull and Rom), as many short steps."""
    if len(points) == 2:
        return list(points)
    padded = [points[0], *points, points[-1]]
    line: list[Point] = []
    for p0, p1, p2, p3 in zip(padded, padded[1:], padded[2:], padded[3:], strict=False):
        line += [_spline_point(p0, p1, p2, p3, step / 12) for step in range(12)]
    return [*line, points[-1]]


def _spline_point(p0: Point, p1: Point, p2: Point, p3: Point, t: float) -> Point:
    def along(k: int) -> float:
        a, b, c, d = p0[k], p1[k], p2[k], p3[k]
        return 0.5 * (
            2 * b
            + (c - a) * t
            + (2 * a - 5 * b + 4 * c - d) * t**2
            + (3 * b - a - 3 * c + d) * t**3
        )

    return along(0), along(1)


def trim_line(line: Sequence[Point], start: float, end: float) -> list[Point]:
    """The line without some of its start and end; at least half of it remains."""
    length = _line_length(line)
    if start + end > length / 2:
        start, end = start * length / 2 / (start + end), end * length / 2 / (start + end)
    return _cut_start(_cut_start(line, start)[::-1], end)[::-1]


def _cut_start(line: Sequence[Point], distance: float) -> list[Point]:
    for n, (a, b) in enumerate(pairwise(line)):
        step = hypot(b[0] - a[0], b[1] - a[1])
        if distance < step:
            return [point_toward(a, b, distance), *line[n + 1 :]]
        distance -= step
    return list(line[-2:])


def part_way(line: Sequence[Point], share: float) -> Point:
    """The point after that share of the line's length."""
    return _cut_start(line, _line_length(line) * share)[0]


def _line_length(line: Sequence[Point]) -> float:
    return sum(hypot(b[0] - a[0], b[1] - a[1]) for a, b in pairwise(line))


def path_data(line: Sequence[Point]) -> str:
    return "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in line)


def arrow_head(line: Sequence[Point], size: float) -> str:
    """A slender barbed head whose tip is the end of the line."""
    (tx, ty), (bx, by) = line[-1], part_back(line, size)
    ux, uy = _unit_vector((bx, by), (tx, ty))
    half = size * 0.42
    notch = (tx - ux * size * 0.72, ty - uy * size * 0.72)
    left = (tx - ux * size - uy * half, ty - uy * size + ux * half)
    right = (tx - ux * size + uy * half, ty - uy * size - ux * half)
    return path_data([(tx, ty), left, notch, right]) + "Z"


def part_back(line: Sequence[Point], distance: float) -> Point:
    """The point at a distance before the end of the line."""
    return _cut_start(line[::-1], distance)[0]


def _unit_vector(a: Point, b: Point) -> Point:
    length = hypot(b[0] - a[0], b[1] - a[1]) or 1.0
    return (b[0] - a[0]) / length, (b[1] - a[1]) / length


def star_path(points: int, outer: float, inner: float) -> str:
    """A star around (0, 0)."""
    rays = [
        (
            (outer if n % 2 == 0 else inner) * sin(n * pi / points),
            -(outer if n % 2 == 0 else inner) * cos(n * pi / points),
        )
        for n in range(2 * points)
    ]
    return path_data(rays) + "Z"
