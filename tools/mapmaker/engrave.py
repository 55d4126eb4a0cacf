"""Writing the chart as SVG: compact, with an id for every province and classes for every line."""

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from itertools import pairwise
from math import cos, radians, sin

import shapely
from shapely.geometry import LineString, Polygon
from shapely.geometry.base import BaseGeometry

from powderkeg.picture.svg import svg_group, svg_tag
from tools.mapmaker.chart import Chart
from tools.mapmaker.lettering import BASELINE, LEADING, Label, bowed
from tools.mapmaker.projection import Point, Sheet

MARGIN = 22
WAVES = ((15, 0.5), (9.5, 0.65), (4.6, 0.8))  # how far off the shore, how wide the line


def path(shape: BaseGeometry) -> str:
    """Path data in relative tenths: coordinates lie on the grid, so nothing is lost."""
    if isinstance(shape, Polygon):
        return "".join(_run(ring.coords[:-1]) + "z" for ring in (shape.exterior, *shape.interiors))
    if isinstance(shape, LineString):
        return _run(shape.coords) if len(shape.coords) > 1 else ""
    return "".join(path(part) for part in getattr(shape, "geoms", ()))


def _run(points: Iterable[Sequence[float]]) -> str:
    tenths = [(round(x * 10), round(y * 10)) for x, y, *_ in points]
    (x, y), text = tenths[0], ""
    for nx, ny in tenths[1:]:
        if (nx, ny) != (x, y):
            text += _number(nx - x) + _number(ny - y)
            x, y = nx, ny
    start = f"M{_number(tenths[0][0]).strip()}{_number(tenths[0][1])}"
    return start + ("l" + text.lstrip() if text else "")


def _number(tenths: int) -> str:
    """A number in tenths with what must stand before it: a minus sign separates by itself."""
    text = f"{tenths / 10:g}".replace("0.", ".", 1) if abs(tenths) < 10 else f"{tenths / 10:g}"
    return text if text.startswith("-") else " " + text


def page(chart: Chart, game: str, layers: Sequence[str], defs: Sequence[str]) -> str:
    w, h, m = chart.sheet.width, chart.sheet.height, MARGIN
    clip = svg_tag("clipPath", svg_tag("rect", width=w, height=h), id="frame")
    shore = svg_tag(
        "path", id="shore", d=path(chart.ground & chart.frame.buffer(12, join_style="mitre"))
    )
    lines = svg_tag("path", class_="hatch", d="M0 0v6")
    hatch = svg_tag(
        "pattern",
        lines,
        id="hatch",
        width=3.4,
        height=6,
        patternUnits="userSpaceOnUse",
        patternTransform="rotate(45)",
    )
    body = [
        svg_tag("defs", "".join([clip, shore, hatch, *defs])),
        svg_tag("rect", class_="sheet", x=-m, y=-m, width=w + 2 * m, height=h + 2 * m),
        *layers,
    ]
    return (
        svg_tag(
            "svg",
            "\n" + "\n".join(body) + "\n",
            xmlns="http://www.w3.org/2000/svg",
            viewBox=f"{-m} {-m} {w + 2 * m} {h + 2 * m}",
            class_=f"atlas {game}",
        )
        + "\n"
    )


def water(chart: Chart) -> list[str]:
    """The sea: its ground, the lines that follow the shore, and the net of degrees."""
    sheet = chart.sheet
    lines = []
    for away, width in WAVES:
        lines += [svg_tag("use", href="#shore", class_="wave", stroke_width=2 * away + 2 * width)]
        lines += [svg_tag("use", href="#shore", class_="trough", stroke_width=2 * away)]
    return [
        svg_tag("rect", class_="sea-ground", width=sheet.width, height=sheet.height),
        svg_group(lines, class_="waves"),
        svg_tag("path", class_="graticule", d="".join(path(line) for line in graticule(sheet))),
    ]


def graticule(sheet: Sheet, step: int = 10) -> list[LineString]:
    """Meridians and parallels, beyond the frame on all sides."""
    lons, lats = range(-60, 81), range(20, 83)
    lines = [LineString([sheet(lon, lat) for lat in lats]) for lon in range(-60, 81, step)]
    lines += [LineString([sheet(lon, lat) for lon in lons]) for lat in range(20, 81, step)]
    frame = shapely.box(0, 0, sheet.width, sheet.height)
    return [shapely.set_precision((line & frame).simplify(0.2), 0.1) for line in lines]


def shapes(chart: Chart, kind: str, class_: str) -> str:
    """The paths of one kind. Their fill is the group's, so that a <use> of one can have its own."""
    found = chart.of(kind)
    return svg_group(
        [svg_tag("path", id=name, class_=class_, d=path(shape)) for name, shape in found.items()],
        class_=f"{kind}s",
    )


def slot(name: str) -> str:
    """An empty group that the program which shows the map fills."""
    return svg_tag("g", id=name, class_=name)


def scenery(chart: Chart) -> str:
    """Islands that nobody enters and land off the board, as two paths."""
    closed = {k: v for k, v in chart.of("closed").items() if k.startswith("off-")}
    blocked = {k: v for k, v in chart.of("closed").items() if k not in closed}
    parts = [
        svg_tag("path", class_="island", d="".join(path(s) for s in chart.of("island").values()))
    ]
    parts += [svg_tag("path", class_="closed", d="".join(path(s) for s in closed.values()))]
    for name, shape in blocked.items():
        parts += [svg_tag("path", class_="closed", d=path(shape))]
        parts += [svg_tag("path", id=name, class_="impassable", d=path(shape))]
    return svg_group(parts, class_="scenery")


def label(text: Label, key: str, class_: str) -> tuple[str, str]:
    """The element, and the arc it needs in the definitions (or nothing)."""
    size, (x, y) = text.size, text.at
    common = {
        "class_": f"label {class_}",
        "font_size": f"{size:g}",
        "letter_spacing": f"{size * text.spacing:.2g}",
    }
    if text.bend:
        arc = svg_tag("path", id=f"arc-{key}", d=_arc(text))
        along = svg_tag("textPath", escape(text.lines[0]), href=f"#arc-{key}", startOffset="50%")
        return svg_tag("text", along, data_place=key.split("-", 1)[1], **common), arc
    turn = f"rotate({text.angle:g} {x:g} {y:g})" if text.angle else None
    top = y + BASELINE * size - LEADING * size * (len(text.lines) - 1) / 2
    if len(text.lines) == 1:
        inner = escape(text.lines[0])
    else:
        inner = "".join(
            svg_tag("tspan", escape(line), x=f"{x:g}", y=f"{top + n * LEADING * size:.1f}")
            for n, line in enumerate(text.lines)
        )
    at = {"x": f"{x:g}", "y": f"{top:.1f}", "transform": turn}
    return svg_tag("text", inner, data_place=key.split("-", 1)[1], **common, **at), ""


def _arc(text: Label) -> str:
    """The baseline of a bent label, as one elliptical arc a little longer than the writing."""
    turn, half = radians(text.angle), text.width / 2 + 6
    ends = []
    for x in (-half, half):
        bx, by = bowed(x, BASELINE * text.size, text.bend)
        ends.append((bx * cos(turn) - by * sin(turn), bx * sin(turn) + by * cos(turn)))
    (ax, ay), (bx, by) = [(x + text.at[0], y + text.at[1]) for x, y in ends]
    radius = abs(1 / text.bend - BASELINE * text.size)
    sweep = 1 if text.bend > 0 else 0
    return f"M{ax:.1f} {ay:.1f}A{radius:.0f} {radius:.0f} 0 0 {sweep} {bx:.1f} {by:.1f}"


def border_frame(chart: Chart) -> str:
    """The neat lines around the sheet, with the degrees between them."""
    w, h = chart.sheet.width, chart.sheet.height
    parts = [
        svg_tag("rect", class_="rule", width=w, height=h),
        svg_tag("rect", class_="rule", x=-12, y=-12, width=w + 24, height=h + 24),
        svg_tag("rect", class_="rule bold", x=-15.5, y=-15.5, width=w + 31, height=h + 31),
        *_degrees(chart.sheet),
    ]
    return svg_group(parts, class_="frame")


def _degrees(sheet: Sheet) -> list[str]:
    """Numbers where meridians meet the upper and lower edge, and parallels the sides."""
    found = []
    for lon in range(-60, 81, 10):
        line = [sheet(lon, lat / 4) for lat in range(80, 330)]
        for level, y in ((0, -6), (sheet.height, sheet.height + 6)):
            x = _crossing(line, level, 1)
            if x is not None and 20 < x < sheet.width - 20:
                found.append(_number_at(x, y, abs(lon), 0))
    for lat in range(20, 81, 10):
        line = [sheet(lon / 4, lat) for lon in range(-240, 320)]
        for level, left, turn in ((0, -6, -90), (sheet.width, sheet.width + 6, 90)):
            up = _crossing(line, level, 0)
            if up is not None and 20 < up < sheet.height - 20:
                found.append(_number_at(left, up, lat, turn))
    return found


def _crossing(line: Sequence[Point], level: float, axis: int) -> float | None:
    for a, b in pairwise(line):
        if (a[axis] - level) * (b[axis] - level) < 0:
            t = (level - a[axis]) / (b[axis] - a[axis])
            return a[1 - axis] + t * (b[1 - axis] - a[1 - axis])
    return None


def _number_at(x: float, y: float, degrees: int, turn: int) -> str:
    rotate = f"rotate({turn} {x:.1f} {y:.1f})" if turn else None
    at = {"x": f"{x:.1f}", "y": f"{y + 2.8:.1f}", "transform": rotate}
    return svg_tag("text", f"{degrees}°", class_="degree", **at)


def label_places(labels: Mapping[str, Label]) -> dict[str, object]:
    """Labels as plain data."""
    return {
        lang: {
            "lines": list(text.lines),
            "at": text.at,
            "size": text.size,
            "angle": text.angle,
            "bend": text.bend,
            "width": round(text.width, 1),
            "spacing": text.spacing,
        }
        for lang, text in labels.items()
    }
