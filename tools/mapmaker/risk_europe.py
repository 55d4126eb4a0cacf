"""The board of Risk Europe: territories, cities, castles, armies and sea lines."""

import csv
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import sqrt

import shapely
from shapely.geometry import Polygon
from shapely.geometry.base import BaseGeometry

from powderkeg.picture.svg import bow, group, tag, toward
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
    LANGS,
    SLANTS,
    Names,
    Size,
    labelled,
    near,
    sizes,
    stand,
    standing_room,
    tenth,
    wishes,
    write,
)
from tools.mapmaker.words import ROOT, names

FOLDER = ROOT / "src/powderkeg/games/risk_europe/data"
STACK = Size(73, 39)  # the muster of an army: two by two kinds of unit
CITY = Size(21, 21)
CASTLE = Size(17, 18)
RIVALS = ((0, 38), (0, -38), (73, 0), (-73, 0), (38, 38), (-38, 38))
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
    return dict(sorted(result.items()))


def _site(
    chart: Chart, name: str, words: Names, town: Names | None, placed: Sequence[Polygon]
) -> Site:
    shape = chart.shapes[name]
    top = min(max(9 + sqrt(largest(shape).area) / 13, 11.5), 17)
    style = Style("AlegreyaSC-Medium", sizes(top, 9.6), 0.05, SLANTS)
    fixed: list[Polygon] = []
    city = None
    towns: dict[str, Label] = {}
    if town:
        wish = chart.sheet(*chart.spec["town"][name])
        city = tenth(near(standing_room(shape, CITY), wish))
        fixed.append(CITY.at(city))
        towns = _town_names(shape, city, town, fixed)
        fixed += [text.footprint for text in towns.values()]
    nearby = [p for p in placed if p.distance(shape) < 60]
    options = []
    place = chart.spec.get("place", {}).get(name, {})
    wish_list = [chart.sheet(*place["stack"])] if "stack" in place else wishes(shape, STACK)
    for n, wish in enumerate(wish_list):
        stack = stand(shape, STACK, wish, [*nearby, *fixed])
        castle = _beside(shape, stack, CASTLE, CASTLES, [*nearby, *fixed, STACK.at(stack)])
        blocked = [*nearby, *fixed, STACK.at(stack), CASTLE.at(castle)]
        cost, labels = labelled(chart, name, words, blocked, [style])
        options.append((cost + n, n, stack, castle, labels))
        if cost < GOOD:
            break
    _, _, stack, castle, labels = min(options)
    taken = [*nearby, *fixed, STACK.at(stack), *(text.footprint for text in labels.values())]
    rival = _beside(shape, stack, STACK, RIVALS, taken)
    return Site(stack, rival, castle, city, labels, towns)


def _town_names(
    shape: BaseGeometry, city: Point, town: Names, fixed: Sequence[Polygon]
) -> dict[str, Label]:
    """The name of a city close by its crown."""
    style = Style("AlegreyaSC-MediumItalic", (11.5, 10.5, 9.6), 0.02)
    room = shape.buffer(-1.5) - shapely.union_all([f.buffer(1) for f in fixed])
    around = shapely.Point(city).buffer(60)
    found = {}
    for lang in LANGS:
        best = min(
            (
                way
                for wish in ((0, 17), (0, -17), (30, 0), (-30, 0))
                if (
                    way := write(
                        town[lang], [style], room & around, (city[0] + wish[0], city[1] + wish[1])
                    )
                )
            ),
            key=lambda way: way[0],
            default=None,
        )
        if best:
            found[lang] = best[1]
    return found


def _beside(
    shape: BaseGeometry, stack: Point, size: Size, steps: Sequence[Point], taken: Sequence[Polygon]
) -> Point:
    """Next to the army, over as little else as possible."""
    spots = [tenth((stack[0] + dx, stack[1] + dy)) for dx, dy in steps]

    def cost(spot: Point) -> float:
        room = size.at(spot)
        return float((room - shape).area + 2 * sum((room & other).area for other in taken))

    return min(spots, key=cost)


def sea_line(chart: Chart, a: str, b: str) -> tuple[Point, Point, Point]:
    """The curve between two shores: its ends and the point that bows it."""
    hint = chart.spec["sea_line"].get(f"{a}-{b}", {})
    if "ends" in hint:
        start, end = (chart.sheet(*lonlat) for lonlat in hint["ends"])
    else:
        shortest = shapely.shortest_line(chart.shapes[a], chart.shapes[b]).coords
        start, end = (_inland(*shortest), _inland(*reversed(shortest)))
    return tenth(start), tenth(bow(start, end, hint.get("bow", 0.12))), tenth(end)


def _inland(shore: Sequence[float], towards: Sequence[float]) -> Point:
    """A little back from the shore, so that the line visibly begins on land."""
    return toward((shore[0], shore[1]), (towards[0], towards[1]), -5)


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
        labels.append(group(written, class_="labels", lang=lang))
    layers = [
        group(
            [
                *water(chart),
                _sea_lines(chart),
                slot("supply"),
                scenery(chart),
                shapes(chart, "land", "territory land"),
                slot("washes"),
                _borders(chart),
                tag("use", href="#shore", class_="coast"),
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
    return tag("path", class_="border", d="".join(path(line) for line in lines.values()))


def _sea_lines(chart: Chart) -> str:
    drawn = []
    for a, b in sea_pairs():
        (ax, ay), (mx, my), (bx, by) = sea_line(chart, a, b)
        d = f"M{ax:g} {ay:g}Q{mx:g} {my:g} {bx:g} {by:g}"
        drawn.append(tag("path", id=f"line-{a}-{b}", class_="sea-line", d=d))
    return group(drawn, class_="sea-lines")


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
