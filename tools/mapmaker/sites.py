"""Where things stand on the paper: units, centres, cities, castles and names.

Small provinces are served first. Whatever has been placed is an obstacle for what comes later, so
nothing written or standing on the map overlaps; the tests hold the boxes against one another.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import atan2, degrees, hypot

import numpy as np
import shapely
import shapely.affinity
from shapely.geometry import Point as Spot
from shapely.geometry import Polygon, box
from shapely.geometry.base import BaseGeometry

from powderkeg.core.words import LANGS
from tools.mapmaker.chart import Chart
from tools.mapmaker.lettering import Label, Style, best, candidates, largest, middle
from tools.mapmaker.projection import Point, Sheet

GOOD = 9.0  # a cost for three labels that leaves little to wish for
SLANTS = (0, -20, 20, -40, 40, -60, 60, -75, 75)
Names = Mapping[str, Sequence[str]]  # by language: the name, then shorter forms of it


@dataclass(frozen=True, slots=True)
class Size:
    """The room a thing takes, around its middle."""

    width: float
    height: float

    def at(self, spot: Point, margin: float = 0) -> Polygon:
        w, h = self.width / 2 + margin, self.height / 2 + margin
        return box(spot[0] - w, spot[1] - h, spot[0] + w, spot[1] + h)


def tenth(spot: Iterable[float]) -> Point:
    x, y = spot
    return round(float(x), 1), round(float(y), 1)


def standing_room(shape: BaseGeometry, size: Size) -> BaseGeometry:
    """Where the middle of a thing may be so that all of it is inside the shape."""
    part = largest(shape)
    room = part
    w, h = size.width / 2, size.height / 2
    for dx in (-w, 0, w):
        for dy in (-h, 0, h):
            room &= shapely.affinity.translate(part, dx, dy)
    return room


def near(room: BaseGeometry, wish: Point) -> Point:
    """The point of `room` nearest to the wish."""
    if room.contains(Spot(wish)):
        return wish
    spot = shapely.shortest_line(room, Spot(wish)).coords[0]
    return spot[0], spot[1]


@dataclass(frozen=True)
class Parcel:
    """A province to be furnished: its room for names, and for the thing that stands in it."""

    chart: Chart
    name: str
    thing: Size

    @cached_property
    def shape(self) -> BaseGeometry:
        return self.chart.shapes[self.name]

    @cached_property
    def hints(self) -> dict[str, Point]:
        """Places wished for in the TOML file, on the sheet."""
        given = self.chart.spec.get("place", {}).get(self.name, {})
        return {what: self.chart.sheet(*lonlat) for what, lonlat in given.items()}

    @cached_property
    def middle(self) -> Point:
        return middle(self.shape)

    @cached_property
    def rooms(self) -> tuple[BaseGeometry, BaseGeometry]:
        """Where the thing stands wholly inside, and where it hangs over the edge a little."""
        return (
            standing_room(self.shape, self.thing),
            standing_room(self.shape.buffer(8), self.thing),
        )

    @cached_property
    def inside(self) -> BaseGeometry:
        return self.shape.buffer(-1.6)

    @cached_property
    def overboard(self) -> BaseGeometry:
        """Land and the water off it: names may run out over the sea, as on printed charts."""
        around = self.shape.buffer(36)
        seas = self.chart.of("sea", "water").values()
        wet = [sea & around for sea in seas if sea.intersects(around)]
        return shapely.union_all([self.shape, *wet]).buffer(-1.6)

    def wishes(self, what: str) -> list[Point]:
        """Places worth trying for the thing: where the file says, or the middle and around it."""
        if what in self.hints:
            return [self.hints[what]]
        (x, y), h, w = self.middle, self.thing.height * 0.55, self.thing.width * 0.6
        steps = [
            (0, -h),
            (0, h),
            (0, 0),
            (0, -2 * h),
            (0, 2 * h),
            (-w, 0),
            (w, 0),
            (-w, h),
            (w, -h),
        ]
        return [(x + dx, y + dy) for dx, dy in steps]

    def stand(self, wish: Point, obstacles: Sequence[Polygon]) -> Point:
        """A place for the thing: clear of obstacles, near the wish; or the least bad."""
        blocked = shapely.union_all([_swollen(obstacle, self.thing) for obstacle in obstacles])
        room, wider = self.rooms
        for choice in (room - blocked, wider - blocked, room):
            if not choice.is_empty:
                return tenth(near(choice, wish))
        return tenth(self.middle)


def _swollen(obstacle: Polygon, size: Size) -> Polygon:
    """Where the middle of a thing would make it touch the obstacle."""
    west, north, east, south = obstacle.bounds
    w, h = size.width / 2 + 1, size.height / 2 + 1
    return box(west - w, north - h, east + w, south + h)


def write(
    names: Sequence[str],
    styles: Sequence[Style],
    room: BaseGeometry,
    wish: Point,
    pull: float = 0.06,
) -> tuple[float, Label] | None:
    """The name in the first of its forms that fits."""
    for rank, name in enumerate(names):
        ways = [way for style in styles for way in candidates(name, style)]
        if found := best(ways, room, wish, pull):
            return found[0] + 30 * rank, found[1]
    return None


def sizes(top: float, least: float) -> tuple[float, ...]:
    count = int((top - least) / 0.9)
    return (*(round(top - 0.9 * n, 1) for n in range(count + 1)), least)


def labelled(
    parcel: Parcel, words: Names, blocked: Sequence[Polygon], styles: Sequence[Style]
) -> tuple[float, dict[str, Label]]:
    """The label in every language, clear of everything already placed, and its cost."""
    wish = parcel.hints.get("label", parcel.middle)
    pull = 0.3 if "label" in parcel.hints else 0.06
    obstacles = shapely.union_all([b.buffer(1.4) for b in blocked])
    inside = parcel.inside - obstacles
    total = 0.0
    labels: dict[str, Label] = {}
    for lang in LANGS:
        full, *short = words[lang]
        found = write([full], styles, inside, wish, pull)
        if (not found or found[0] > 14) and parcel.chart.kinds[parcel.name] == "land":
            over = write([full], styles, parcel.overboard - obstacles, wish, max(pull, 0.14))
            found = _cheaper(found, (over[0] + 9, over[1]) if over else None)
        found = found or write(short, styles, inside, wish, pull)
        if not found:
            return 1000, {}
        total += found[0]
        labels[lang] = found[1]
    return total, labels


def _cheaper(
    a: tuple[float, Label] | None, b: tuple[float, Label] | None
) -> tuple[float, Label] | None:
    return min((found for found in (a, b) if found), key=lambda f: f[0], default=None)


class Compass:
    """The direction of the parallels: names at sea follow them."""

    def __init__(self, sheet: Sheet) -> None:
        self.sheet = sheet
        self.degrees = [(lon, lat) for lon in range(-40, 61, 2) for lat in range(26, 78, 2)]
        self.spots = np.array([sheet(lon, lat) for lon, lat in self.degrees])

    def along(self, at: Point) -> tuple[float, float]:
        """Angle and bend of the parallel that passes nearest."""
        n = int(np.argmin(np.hypot(self.spots[:, 0] - at[0], self.spots[:, 1] - at[1])))
        lon, lat = self.degrees[n]
        (ax, ay), (mx, my), (bx, by) = (self.sheet(lon + d, lat) for d in (-4, 0, 4))
        angle = degrees(atan2(by - ay, bx - ax))
        chord = hypot(bx - ax, by - ay)
        sag = ((bx - ax) * (my - ay) - (by - ay) * (mx - ax)) / chord
        return round(angle, 1), round(-8 * sag / chord**2, 5)
