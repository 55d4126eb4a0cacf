"""The board of Risk Europe: territories, cities, castles, armies and sea lines."""

import csv
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import sqrt

import shapely
from shapely.geometry import Point as Spot
from shapely.geometry import Polygon, box
from shapely.geometry.base import BaseGeometry

from powderkeg.core.words import LANGS
from powderkeg.picture.svg import bow_point, point_toward, svg_group, svg_tag
from tools.mapmaker import neighbours
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
from tools.mapmaker.lettering import Label, Style, largest
from tools.mapmaker.projection import Point
from tools.mapmaker.sites import (
    GOOD,
    SLANTS,
    Names,
    Parcel,
    Size,
    labelled,
    near,
    sizes,
    standing_room,
    tenth,
    write,
)
from tools.mapmaker.words import ROOT, names

FOLDER = ROOT / "src/powderkeg/games/risk_europe/data"
STACK = Size(73, 39)  # the muster of an army: two by two kinds of unit
CITY = Size(21, 21)
LEGIBLE = 14.9  # units: at least nine pixels in a window of 1366x768
CASTLE = Size(17, 18)
ABOVE_OR_BELOW = tuple((x, y) for y in (38, -38) for x in (0, 20, -20, 37, -37))
RIVALS = (*ABOVE_OR_BELOW, (73, 0), (-73, 0))
CASTLES = ((-46, 0), (46, 0), (0, -30), (0, 30), (-30, -30), (30, -30), (-30, 30), (30, 30))


@dataclass(slots=True)
class Site:
    """The places of one territory: its owner's army, an attacker's, its city and its castle."""

    stack: Point
    rival: Point
    castle: Point
    city: Point | None = None
    labels: dict[str, Label] = field(default_factory=dict)
    towns: dict[str, Label] = field(default_factory=dict)

    def boxes(self) -> list[Polygon]:
        found = [STACK.at(self.stack), CASTLE.at(self.castle)]
        return found + ([CITY.at(self.city)] if self.city else [])


def rows(name: str) -> list[dict[str, str]]:
    return list(csv.DictReader((FOLDER / name).read_text().splitlines()))


def sea_pairs() -> list[tuple[str, str]]:
    return [(row["a"], row["b"]) for row in rows("borders.csv") if row["by"] == "sea"]


def wrong_neighbours(chart: Chart) -> list[str]:
    """Where the land borders of drawing and game differ; sea lines are drawn from the data."""
    drawn = neighbours.touching(neighbours.borders(chart.of("land")))
    wanted = {
        (min(row["a"], row["b"]), max(row["a"], row["b"]))
        for row in rows("borders.csv")
        if row["by"] == "land"
    }
    missing = [f"{a}-{b} is not drawn" for a, b in sorted(wanted - drawn)]
    return missing + [f"{a}-{b} is drawn" for a, b in sorted(drawn - wanted)]


def sites(chart: Chart) -> dict[str, Site]:
    shapes_ = chart.of("land")
    words = names("risk_europe.territory.{id}", shapes_)
    cities = {row["id"]: row["city"] for row in rows("territories.csv") if row["city"]}
    towns = names("risk_europe.city.{id}", cities.values())
    placed: list[Polygon] = []
    result: dict[str, Site] = {}
    for name in sorted(shapes_, key=lambda n: (largest(shapes_[n]).area, n)):
        town = towns[cities[name]] if name in cities else None
        site = _site(chart, name, words[name], town, placed)
        placed += site.boxes()
        placed += [text.footprint for text in (*site.labels.values(), *site.towns.values())]
        result[name] = site
    _rivals(chart, result)
    return dict(sorted(result.items()))


def _site(
    chart: Chart, name: str, words: Names, town: Names | None, placed: Sequence[Polygon]
) -> Site:
    parcel = Parcel(chart, name, STACK)
    top = min(max(9 + sqrt(largest(parcel.shape).area) / 13, LEGIBLE), 17.5)
    style = Style("AlegreyaSC-Medium", sizes(top, 9.6), 0.05, SLANTS)
    nearby = [p for p in placed if p.distance(parcel.shape) < 60]
    city, towns = _city(parcel, town) if town else (None, {})
    nearby += [CITY.at(city)] if city else []
    nearby += [text.footprint for text in towns.values()]
    options = []
    for n, wish in enumerate(parcel.wishes("stack")):
        stack = parcel.stand(wish, nearby)
        castle = _beside(
            stack,
            CASTLE,
            CASTLES,
            inside=[(parcel.shape, 1)],
            over=[(obstacle, 2) for obstacle in nearby],
        )
        blocked = [*nearby, STACK.at(stack), CASTLE.at(castle)]
        cost, labels = labelled(parcel, words, blocked, [style])
        options.append((cost + n, n, stack, castle, labels))
        if cost < GOOD:
            break
    _, _, stack, castle, labels = min(options)
    return Site(stack, stack, castle, city, _legible(labels), _legible(towns))


def _legible(labels: Mapping[str, Label]) -> dict[str, Label]:
    """Letters that can be read, even if a border shows between them."""
    return {
        lang: text if text.size >= LEGIBLE else _enlarged(text, LEGIBLE / text.size)
        for lang, text in labels.items()
    }


def _enlarged(text: Label, scale: float) -> Label:
    return replace(text, size=LEGIBLE, width=text.width * scale)


def _rivals(chart: Chart, places: Mapping[str, Site]) -> None:
    """Attackers come and go, so they are placed when everything else is: beside the army that
    they fight, never off the sheet, hardly over other pieces, over names if need be."""
    pieces = {name: site.boxes() for name, site in places.items()}
    texts = [t.footprint for s in places.values() for t in (*s.labels.values(), *s.towns.values())]
    sheet = box(0, 0, chart.sheet.width, chart.sheet.height).buffer(-10)
    for name, site in places.items():
        army, *own = pieces.pop(name)  # which it may touch: they fight
        others = [*own, *(piece for boxes in pieces.values() for piece in boxes)]
        site.rival = _beside(
            site.stack,
            STACK,
            RIVALS,
            inside=[(chart.shapes[name], 1), (sheet, 50)],
            over=[(shapely.union_all(texts), 2), (shapely.union_all(others), 20)],
        )
        pieces[name] = [army, *own, STACK.at(site.rival)]


def _city(parcel: Parcel, town: Names) -> tuple[Point, dict[str, Label]]:
    """A crown where the city lies, and the city's name close by."""
    wish = parcel.chart.sheet(*parcel.chart.spec["town"][parcel.name])
    city = tenth(near(standing_room(parcel.shape, CITY), wish))
    return city, _town_names([parcel.inside, parcel.overboard], city, town)


def _town_names(rooms: Sequence[BaseGeometry], city: Point, town: Names) -> dict[str, Label]:
    """The names beside the crown; out over the water if the letters would be smaller inside."""
    style = Style("AlegreyaSC-MediumItalic", (15, 14.2, 13.4, 12.4, 11.5, 10.5, 9.6), 0.02)
    sides = [(city[0] + dx, city[1] + dy) for dx, dy in ((0, 17), (0, -17), (30, 0), (-30, 0))]
    found: dict[str, Label] = {}
    for lang in LANGS:
        ways = [
            (way[0] + 6 * n, way[1])
            for n, inside in enumerate(rooms)
            for side in sides
            if (way := write(town[lang], [style], _town_room(inside, city), side))
        ]
        if ways:
            found[lang] = min(ways, key=lambda way: way[0])[1]
    return found


def _town_room(inside: BaseGeometry, city: Point) -> BaseGeometry:
    return (inside - CITY.at(city, 1)) & Spot(city).buffer(75)


WeighedAreas = Sequence[tuple[BaseGeometry, float]]  # areas, and how much each unit of them matters


def _beside(
    stack: Point, size: Size, steps: Sequence[Point], *, inside: WeighedAreas, over: WeighedAreas
) -> Point:
    """Next to the army, as far inside and over as little else as possible."""
    spots = [tenth((stack[0] + dx, stack[1] + dy)) for dx, dy in steps]

    def cost(spot: Point) -> float:
        room = size.at(spot)
        outside = sum(weight * (room - area).area for area, weight in inside)
        return float(outside + sum(weight * (room & area).area for area, weight in over))

    return min(spots, key=cost)


def sea_line(chart: Chart, a: str, b: str) -> tuple[Point, Point, Point]:
    """The curve between two shores: its ends and the point that bows it."""
    hint = chart.spec["sea_line"].get(f"{a}-{b}", {})
    if "ends" in hint:
        start, end = (chart.sheet(*lonlat) for lonlat in hint["ends"])
    else:
        shortest = shapely.shortest_line(chart.shapes[a], chart.shapes[b]).coords
        start, end = (_inland(*shortest), _inland(*reversed(shortest)))
    return tenth(start), tenth(bow_point(start, end, hint.get("bow", 0.12))), tenth(end)


def _inland(shore: Sequence[float], towards: Sequence[float]) -> Point:
    """A little back from the shore, so that the line visibly begins on land."""
    return point_toward((shore[0], shore[1]), (towards[0], towards[1]), -5)


def drawing(chart: Chart, places: Mapping[str, Site]) -> str:
    """The whole map as SVG."""
    defs, labels = [], []
    for lang in LANGS:
        written = []
        for name, site in places.items():
            text, arc = label(site.labels[lang], f"{lang}-{name}", "on-land")
            written.append(text)
            defs += [arc] if arc else []
            if lang in site.towns:
                written.append(label(site.towns[lang], f"{lang}-{name}", "of-city")[0])
        labels.append(svg_group(written, class_="labels", lang=lang))
    layers = [
        svg_group(
            [
                *water(chart),
                _sea_lines(chart),
                slot("supply"),
                scenery(chart),
                shapes(chart, "land", "territory land"),
                slot("washes"),
                _borders(chart),
                svg_tag("use", href="#shore", class_="coast"),
            ],
            clip_path="url(#frame)",
        ),
        *labels,
        slot("orders"),
        slot("units"),
        border_frame(chart),
    ]
    return page(chart, "risk-europe", layers, defs)


def _borders(chart: Chart) -> str:
    lines = neighbours.borders(chart.of("land", "closed"))
    return svg_tag("path", class_="border", d="".join(path(line) for line in lines.values()))


def _sea_lines(chart: Chart) -> str:
    drawn = []
    for a, b in sea_pairs():
        (ax, ay), (mx, my), (bx, by) = sea_line(chart, a, b)
        d = f"M{ax:g} {ay:g}Q{mx:g} {my:g} {bx:g} {by:g}"
        drawn.append(svg_tag("path", id=f"line-{a}-{b}", class_="sea-line", d=d))
    return svg_group(drawn, class_="sea-lines")


def anchors(chart: Chart, places: Mapping[str, Site]) -> dict[str, object]:
    """Every place as plain data."""
    found = {
        name: {
            "stack": site.stack,
            "rival": site.rival,
            "castle": site.castle,
            **({"city": site.city} if site.city else {}),
            "labels": label_places(site.labels),
            **({"towns": label_places(site.towns)} if site.towns else {}),
        }
        for name, site in places.items()
    }
    lines = {f"{a}-{b}": sea_line(chart, a, b) for a, b in sea_pairs()}
    return {
        "size": [chart.sheet.width, chart.sheet.height],
        "territories": found,
        "sea_lines": lines,
    }
