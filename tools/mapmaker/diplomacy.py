"""The board of Diplomacy: what stands where, and whether the drawing tells the truth."""

import csv
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import sqrt

import shapely
from shapely.geometry import LineString, Polygon
from shapely.geometry import Point as Spot
from shapely.geometry.base import BaseGeometry

from powderkeg.core.words import LANGS
from powderkeg.picture.svg import svg_group, svg_tag
from tools.mapmaker import neighbours
from tools.mapmaker.bends import bends
from tools.mapmaker.chart import Chart
from tools.mapmaker.engrave import (
    border_frame,
    label,
    label_places,
    page,
    path,
    scenery,
    shapes,
    slot,
    water,
)
from tools.mapmaker.lettering import Label, Style, largest, middle
from tools.mapmaker.projection import Point
from tools.mapmaker.sites import (
    GOOD,
    SLANTS,
    Compass,
    Names,
    Parcel,
    Size,
    labelled,
    near,
    sizes,
    standing_room,
    tenth,
)
from tools.mapmaker.sites import write as write_name
from tools.mapmaker.words import ROOT, names

FOLDER = ROOT / "src/powderkeg/games/diplomacy/data"
UNIT = Size(32, 23)
CENTRE = Size(9, 9)
LEGIBLE = 14.6  # units: at least nine pixels where the whole map is 690 pixels high


@dataclass(slots=True)
class Site:
    """The places of one province; `coasts` hold the fleets of a province with two."""

    unit: Point
    dislodged: Point
    centre: Point | None = None
    coasts: dict[str, "Site"] = field(default_factory=dict)
    labels: dict[str, Label] = field(default_factory=dict)
    short: dict[str, Label] = field(default_factory=dict)  # for small screens

    def boxes(self) -> list[Polygon]:
        found = [UNIT.at(self.unit)] + [UNIT.at(site.unit) for site in self.coasts.values()]
        return found + ([CENTRE.at(self.centre)] if self.centre else [])


def rows(name: str) -> list[dict[str, str]]:
    return list(csv.DictReader((FOLDER / name).read_text().splitlines()))


def bodies(chart: Chart) -> dict[str, BaseGeometry]:
    """Provinces with the straits that belong to them."""
    found = chart.of("land", "sea")
    for name, strait in chart.of("water").items():
        owner = name.removesuffix("-water")
        found[owner] = shapely.union_all([found[owner], strait])
    return found


def wrong_neighbours(chart: Chart) -> list[str]:
    """Where drawing and game differ, in words; nothing is the proof that the map is true."""
    shapes, seas = bodies(chart), frozenset(chart.of("sea"))
    lines = neighbours.borders(shapes)
    touch = neighbours.touching(lines)
    army = {(a, b) for a, b in touch if a not in seas and b not in seas}
    fleet = {(a, b) for a, b in touch if a in seas and b in seas}
    shores = [c for p in sorted(shapes) if p not in seas for c in neighbours.coasts(p, lines, seas)]
    for n, shore in enumerate(shores):
        here = _location(chart, shore)
        fleet |= {_pair(here, sea) for sea in shore.seas}
        fleet |= {
            _pair(here, _location(chart, other))
            for other in shores[n + 1 :]
            if other.place != shore.place and neighbours.meet(shore, other)
        }
    borders = rows("borders.csv")
    return _differences("army", army, borders) + _differences("fleet", fleet, borders)


def _location(chart: Chart, shore: neighbours.Coast) -> str:
    """The location whose fleet lies nearest to this stretch of shore: ``spa/nc``."""
    coasts = chart.spec["coast"].get(shore.place)
    if not coasts:
        return shore.place
    at = {name: Spot(chart.sheet(*lonlat)) for name, lonlat in coasts.items()}
    return f"{shore.place}/{min(at, key=lambda name: at[name].distance(shore.line))}"


def _pair(a: str, b: str) -> tuple[str, str]:
    return min(a, b), max(a, b)


def _differences(
    by: str, drawn: set[tuple[str, str]], borders: Sequence[Mapping[str, str]]
) -> list[str]:
    wanted = {_pair(row["a"], row["b"]) for row in borders if row["by"] in {by, "both"}}
    missing = [f"{by}: {a}-{b} is not drawn" for a, b in sorted(wanted - drawn)]
    return missing + [f"{by}: {a}-{b} is drawn" for a, b in sorted(drawn - wanted)]


def sites(chart: Chart) -> dict[str, Site]:
    """Land first, small before large; then the seas around what has been written over them."""
    compass = Compass(chart.sheet)
    words = names("diplomacy_map.{id}", chart.of("land", "sea"), "diplomacy_map.{id}.abbr")
    placed = [
        UNIT.at(chart.sheet(*lonlat))
        for coasts in chart.spec["coast"].values()
        for lonlat in coasts.values()
    ]
    result: dict[str, Site] = {}
    for kind in ("land", "sea"):
        shapes = chart.of(kind)
        for name in sorted(shapes, key=lambda n: (largest(shapes[n]).area, n)):
            site = _site(chart, name, words[name], placed, _styles(shapes[name], kind, compass))
            placed += site.boxes() + [label.footprint for label in site.labels.values()]
            result[name] = site
    _abbreviate(chart, words, result)
    return dict(sorted(result.items()))


def _abbreviate(chart: Chart, words: Mapping[str, Names], places: Mapping[str, Site]) -> None:
    """Give every name that a small screen cannot show a short form in letters large enough."""
    for name, site in places.items():
        small = [lang for lang in LANGS if site.labels[lang].size < LEGIBLE]
        others = [box for other in places.values() for box in other.boxes()]
        others += [
            text.footprint
            for key, other in places.items()
            if key != name
            for text in (*other.labels.values(), *other.short.values())
        ]
        site.short = {
            lang: _short_label(chart, name, words[name][lang][-1], others) for lang in small
        }


def _short_label(chart: Chart, name: str, text: str, others: Sequence[Polygon]) -> Label:
    """A short name clear of everything else; over others' names where there is no room."""
    parcel = Parcel(chart, name, UNIT)
    at_sea = chart.kinds[name] == "sea"
    face = "AlegreyaSC-MediumItalic" if at_sea else "AlegreyaSC-Medium"
    style = Style(face, (LEGIBLE,), 0.04, SLANTS)
    near = shapely.union_all([other.buffer(0.8) for other in others])
    for room in (parcel.inside - near, parcel.overboard - near, parcel.shape.buffer(6) - near):
        if found := write_name([text], [style], room, parcel.middle):
            return found[1]
    found = write_name([text], [style], parcel.shape.buffer(12), parcel.middle)
    if not found:
        raise ValueError(f"no room for {text}")
    return found[1]


def _styles(shape: BaseGeometry, kind: str, compass: Compass) -> list[Style]:
    area = largest(shape).area
    if kind == "land":
        top = min(max(9 + sqrt(area) / 13, LEGIBLE), 17.5)
        return [Style("AlegreyaSC-Medium", sizes(top, 10.4), 0.04, SLANTS)]
    top = min(max(10 + sqrt(area) / 22, LEGIBLE), 21)
    angle, bend = compass.along(middle(shape))
    face = "AlegreyaSC-MediumItalic"
    along = Style(face, sizes(top, 10.4), 0.16, (angle,), (bend, 0), slant=0)
    across = Style(face, sizes(top, 10.4), 0.10, SLANTS, price=5)
    return [along, across]


def _site(
    chart: Chart, name: str, words: Names, placed: Sequence[Polygon], styles: Sequence[Style]
) -> Site:
    parcel, sheet = Parcel(chart, name, UNIT), chart.sheet
    town = chart.spec["town"].get(name)
    centre = _town(parcel.shape, sheet(*town)) if town else None
    coasts = {
        coast: Site(at := tenth(sheet(*lonlat)), _aside(at, parcel.shape, placed))
        for coast, lonlat in chart.spec["coast"].get(name, {}).items()
    }
    nearby = [p for p in placed if p.distance(parcel.shape) < 60]
    nearby += Site((0, 0), (0, 0), centre, coasts).boxes()[1:]
    options = []
    for n, wish in enumerate(parcel.wishes("unit")):
        unit = parcel.stand(wish, nearby)
        cost, labels = labelled(parcel, words, [*nearby, UNIT.at(unit)], styles)
        options.append((cost + n, n, unit, labels))
        if cost < GOOD:
            break
    _, _, unit, labels = min(options)
    taken = [*nearby, *(label.footprint for label in labels.values())]
    return Site(unit, _aside(unit, parcel.shape, taken), centre, coasts, labels)


def _town(shape: BaseGeometry, wish: Point) -> Point:
    rooms = [standing_room(part, CENTRE) for part in getattr(shape, "geoms", [shape])]
    return tenth(near(shapely.union_all(rooms), wish))


def _aside(unit: Point, shape: BaseGeometry, taken: Sequence[Polygon]) -> Point:
    """Where a unit that was driven out waits: beside its place, over as little as possible."""
    steps = [(24, 15), (-24, 15), (24, -15), (-24, -15), (31, 0), (-31, 0), (0, 23), (0, -23)]
    spots = [tenth((unit[0] + dx, unit[1] + dy)) for dx, dy in steps]

    def cost(spot: Point) -> float:
        room = UNIT.at(spot)
        return float((room - shape).area + sum((room & other).area for other in taken))

    return min(spots, key=cost)


def drawing(chart: Chart, places: Mapping[str, Site]) -> str:
    """The whole map as SVG."""
    defs, labels = [], []
    for lang in LANGS:
        written = []
        for name, site in places.items():
            manner = "at-sea" if chart.kinds[name] == "sea" else "on-land"
            short = site.short.get(lang)
            fine = f"{manner} fine" if short else manner
            text, arc = label(site.labels[lang], f"{lang}-{name}", fine)
            written.append(text)
            defs += [arc] if arc else []
            if short:
                written.append(label(short, f"{lang}-{name}", f"{manner} short")[0])
        labels.append(svg_group(written, class_="labels", lang=lang))
    layers = [
        svg_group(
            [
                *water(chart),
                shapes(chart, "sea", "province sea"),
                shapes(chart, "water", "strait"),
                _lines(neighbours.borders(chart.of("sea")), "sea-border"),
                scenery(chart),
                shapes(chart, "land", "province land"),
                slot("washes"),
                *_frontiers(chart),
                svg_tag("use", href="#shore", class_="coast"),
                *_crossings(chart),
            ],
            clip_path="url(#frame)",
        ),
        _centres(places),
        *labels,
        slot("orders"),
        slot("units"),
        border_frame(chart),
    ]
    return page(chart, "diplomacy", layers, defs)


def _lines(lines: Mapping[tuple[str, str], BaseGeometry], class_: str) -> str:
    return svg_tag("path", class_=class_, d="".join(path(line) for line in lines.values()))


def _frontiers(chart: Chart) -> list[str]:
    """Borders between provinces, and bolder ones between the states of 1901."""
    nation = {p: n for n, provinces in chart.spec["nation"].items() for p in provinces}
    lines = neighbours.borders(chart.of("land", "closed"))
    inner = {(a, b): line for (a, b), line in lines.items() if nation.get(a, a) == nation.get(b, b)}
    outer = {pair: line for pair, line in lines.items() if pair not in inner}
    return [_lines(inner, "border"), _lines(outer, "frontier")]


def _crossings(chart: Chart) -> list[str]:
    """Dots over water where armies march from shore to shore (D-MAP-07)."""
    ends = [[tenth(chart.sheet(*p)) for p in line] for line in chart.spec["crossing"].values()]
    return [svg_tag("path", class_="crossing", d=path(LineString(line))) for line in ends]


def _centres(places: Mapping[str, Site]) -> str:
    marks = []
    for name, site in places.items():
        if site.centre:
            x, y = site.centre
            marks.append(svg_tag("circle", id=f"centre-{name}", class_="centre", cx=x, cy=y, r=4.2))
            marks.append(svg_tag("circle", class_="town", cx=x, cy=y, r=1.7))
    return svg_group(marks, class_="centres")


def anchors(chart: Chart, places: Mapping[str, Site]) -> dict[str, object]:
    """Every place as plain data."""
    found = {
        name: {
            "kind": chart.kinds[name],
            "unit": site.unit,
            "dislodged": site.dislodged,
            **({"centre": site.centre} if site.centre else {}),
            **({"coasts": _coasts(site)} if site.coasts else {}),
            "labels": label_places(site.labels),
            **({"short": label_places(site.short)} if site.short else {}),
        }
        for name, site in places.items()
    }
    pairs = {_pair(row["a"], row["b"]) for row in rows("borders.csv")}
    return {
        "size": [chart.sheet.width, chart.sheet.height],
        "provinces": found,
        "bends": bends(pairs, bodies(chart), _spots(places)),
    }


def _spots(places: Mapping[str, Site]) -> dict[str, Point]:
    """Where units stand, by location."""
    found = {name: site.unit for name, site in places.items()}
    for name, site in places.items():
        found |= {f"{name}/{coast}": each.unit for coast, each in site.coasts.items()}
    return found


def _coasts(site: Site) -> dict[str, object]:
    return {
        name: {"unit": coast.unit, "dislodged": coast.dislodged}
        for name, coast in site.coasts.items()
    }
