"""Where the arrow of a move bends, so that it runs through the two provinces and past no third one."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import product

import shapely
from shapely.geometry import LineString
from shapely.geometry import Point as Spot
from shapely.geometry.base import BaseGeometry
from shapely.prepared import prep

from powderkeg.picture.svg import bowed_line
from tools.mapmaker.projection import Point

STEP = 12  # units between the points that are tried
CLEAR = 18.0  # how far an arrow keeps from a unit that it does not concern
WORTH = 30.0  # units of a wrong way that a bend must save


def bends(
    pairs: Iterable[tuple[str, str]],
    shapes: Mapping[str, BaseGeometry],
    spots: Mapping[str, Point],
) -> dict[str, Point]:
    """For pairs of locations, in order: a point of the arrow between them, where it needs one."""
    found = {}
    for a, b in sorted(pairs):
        room = shapely.union_all([shapes[a[:3]], shapes[b[:3]]]).buffer(2)
        strangers = [at for place, at in spots.items() if place[:3] not in (a[:3], b[:3])]
        if point := _best_bend(spots[a], spots[b], room, strangers):
            found[f"{a}-{b}"] = point
    return found


def _best_bend(a: Point, b: Point, room: BaseGeometry, strangers: Sequence[Point]) -> Point | None:
    usual = wrong_way(a, b, None, room, strangers)
    if usual < WORTH:
        return None
    straight = LineString([a, b]).length
    left, top, right, bottom = map(int, room.bounds)
    inside = prep(room.buffer(-8))
    costs = []
    for x, y in product(range(left, right, STEP), range(top, bottom, STEP)):
        if inside.contains(Spot(x, y)):
            over = float(x), float(y)
            detour = LineString(bowed_line(a, b, over)).length - straight
            costs.append((wrong_way(a, b, over, room, strangers) + detour / 2, over))
    cost, over = min(costs, default=(usual, a))
    return over if cost < usual - WORTH else None


def wrong_way(
    a: Point, b: Point, over: Point | None, room: BaseGeometry, strangers: Sequence[Point]
) -> float:
    """How much of the arrows there and back is drawn through others, or close to their units."""
    lines = [LineString(bowed_line(*ends, over)) for ends in ((a, b), (b, a))]
    astray = sum((line - room).length for line in lines)
    close = sum(line.distance(Spot(at)) < CLEAR for line in lines for at in strangers)
    return float(astray + 25 * close)
