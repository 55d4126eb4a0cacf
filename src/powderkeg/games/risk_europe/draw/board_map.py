"""The map of a position: armies, crowns, castles, and on demand supply lines and marches.

`draw_map` takes plain data, so that command line and server can both use it::

    {"territories": {"england": {"owner": "blue", "units": {"footman": 3, "archer": 1},
                                 "castle": True,
                                 "attacker": {"army": "orange", "units": {"cavalry": 2}}}},
     "crowns": {"blue": 2}}

Everything may be missing: a territory not named is unclaimed. Two letters and the hatching of
the land tell the armies apart without colour.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from html import escape
from importlib.resources import files
from typing import Any, Final, NamedTuple

from powderkeg.core.words import Msg, has_words, say
from powderkeg.games.risk_europe.board import (
    ADJACENT,
    COLOURS,
    TERRITORIES,
    TERRITORY_NAMES,
    TERRITORY_NUMBER,
    UNITS,
)
from powderkeg.games.risk_europe.draw.pieces import (
    draw_army,
    draw_castle,
    draw_city,
    draw_crowns,
    draw_swords,
    plate_size,
)
from powderkeg.picture.sheet import draw_washes, fill_map, tincture_pattern
from powderkeg.picture.svg import (
    Point,
    arrow_head,
    bow_point,
    path_data,
    smooth_curve,
    svg_group,
    svg_tag,
    translate_to,
    trim_line,
)

CITY_TERRITORIES: Final = {t.name: t for t in TERRITORIES if t.city}


def draw_map(
    position: Mapping[str, Any],
    *,
    supply: Mapping[str, Sequence[Sequence[str]]] | None = None,
    marches: Iterable[tuple[str, str, str]] = (),
    lang: str = "en",
    theme: str = "paper",
    title: str = "",
) -> str:
    """The whole map as SVG.

    `supply`: for each owner the supply lines to show, each a list of territories.
    `marches`: arrows, each an owner, from where and to where.
    """
    held: Mapping[str, Mapping[str, Any]] = position.get("territories", {})
    owners = {name: what["owner"] for name, what in held.items() if what.get("owner")}
    lines = [
        _supply_line(owner, line) for owner, group_ in (supply or {}).items() for line in group_
    ]
    slots = {
        "washes": draw_washes(owners),
        "orders": [*lines, *(_draw_march(*march) for march in marches)],
        "units": [
            *(
                draw_city(city_spot(name), city.gold, city.tax, owners.get(name, ""))
                for name, city in CITY_TERRITORIES.items()
            ),
            *_draw_castles(held),
            *(piece for name, what in held.items() for piece in _draw_armies(name, what, lang)),
            *_draw_title(title),
        ],
    }
    return fill_map(
        base_map(),
        slots,
        lang=lang,
        theme=theme,
        defs=[tincture_pattern(colour) for colour in COLOURS],
        footer=_draw_legend(position.get("crowns", {}), lang),
    )


def view_position(view: Mapping[str, Any]) -> dict[str, Any]:
    """What `draw_map` needs, from a view of the game."""
    crowns = {colour: army["crowns"] for colour, army in view["armies"].items()}
    return {"territories": view["territories"], "crowns": crowns}


def supply_lines(view: Mapping[str, Any], *colours: str) -> dict[str, list[list[str]]]:
    """The supply lines of a view, for `draw_map`: those of `colours`, or of everybody."""
    lands = view["territories"]
    lines: dict[str, list[list[str]]] = {}
    linked = {
        name: land["owner"]
        for name, land in lands.items()
        if land["owner"] in (colours or COLOURS) and not land["attacker"]
    }
    while linked:
        name, owner = next(iter(linked.items()))
        lines.setdefault(owner, []).append(_take_line(linked, name))
    return lines


def _take_line(owners: dict[str, str], start: str) -> list[str]:
    """The territories in one line with `start`, taken out of `owners`."""
    owner = owners.pop(start)
    line = [start]
    for name in line:
        for other in (TERRITORY_NAMES[n] for n in ADJACENT[TERRITORY_NUMBER[name]]):
            if owners.get(other) == owner:
                line.append(other)
                del owners[other]
    return sorted(line)


@cache
def base_map() -> str:
    """The map without anything on it."""
    return _map_data("map.svg")


@cache
def territory_anchors() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(_map_data("anchors.json"))
    return found


def _map_data(name: str) -> str:
    return (files("powderkeg.games.risk_europe") / "data" / name).read_text(encoding="utf-8")


def territory_spot(territory: str, what: str = "stack") -> Point:
    """Where in a territory its army, its rival's, its castle or its city is drawn."""
    x, y = territory_anchors()["territories"][territory][what]
    return x, y


def city_spot(territory: str) -> Point:
    return territory_spot(territory, "city")


def army_sign(colour: str, lang: str) -> str:
    """The two letters of an army: unlike single ones they differ in every language."""
    return _army_name(colour, lang)[:2]


def _army_name(colour: str, lang: str) -> str:
    code = f"risk_europe.seat.{colour}"
    return say(Msg(code), lang) if has_words(code, lang) else colour.title()


def _draw_armies(name: str, what: Mapping[str, Any], lang: str) -> list[str]:
    """The owner's muster; where the land is disputed the attacker's too, and swords between."""
    units = _present_units(what.get("units", {}))
    if not units:
        return []
    owner, attacker = what["owner"], what.get("attacker")
    if not attacker:
        return [draw_army(territory_spot(name), owner, army_sign(owner, lang), units, name)]
    rival, foes = attacker["army"], _present_units(attacker["units"])
    places = _facing_places(name, units, foes)
    return [
        draw_army(places.army, owner, army_sign(owner, lang), units, name),
        draw_army(places.rival, rival, army_sign(rival, lang), foes, name),
        draw_swords(places.swords),
    ]


class Facing(NamedTuple):
    """Where two armies stand that dispute a land, and the castle behind the defenders."""

    army: Point
    rival: Point
    swords: Point
    castle: Point


APART: Final = 8  # from the middle to either army, so that swords fit between
BEHIND: Final = 11  # from an army to its castle


def _facing_places(
    name: str, units: Sequence[tuple[str, int]], foes: Sequence[tuple[str, int]]
) -> Facing:
    (x, y), (there_x, there_y) = territory_spot(name), territory_spot(name, "rival")
    (width, height), (their_width, their_height) = plate_size(units), plate_size(foes)
    middle = (x + there_x) / 2, (y + there_y) / 2
    if abs(there_x - x) > abs(there_y - y):  # side by side
        way = 1 if there_x > x else -1
        army = middle[0] - way * (APART + width / 2), middle[1]
        rival = middle[0] + way * (APART + their_width / 2), middle[1]
        return Facing(army, rival, middle, (army[0] - way * (width / 2 + BEHIND), army[1]))
    way = 1 if there_y > y else -1
    army = x, middle[1] - way * (APART + height / 2)
    rival = there_x, middle[1] + way * (APART + their_height / 2)
    return Facing(army, rival, middle, (army[0] - width / 2 - BEHIND, army[1]))


def _present_units(units: Mapping[str, int]) -> list[tuple[str, int]]:
    return [(unit, units[unit]) for unit in UNITS if units.get(unit)]


def _draw_castles(held: Mapping[str, Mapping[str, Any]]) -> list[str]:
    return [
        draw_castle(_castle_spot(name, what), what.get("owner") or "")
        for name, what in held.items()
        if what.get("castle")
    ]


def _castle_spot(name: str, what: Mapping[str, Any]) -> Point:
    attacker, units = what.get("attacker"), _present_units(what.get("units", {}))
    if not (attacker and units):
        return territory_spot(name, "castle")
    return _facing_places(name, units, _present_units(attacker["units"])).castle


def _supply_line(owner: str, territories: Sequence[str]) -> str:
    """The borders and sea lines that join the territories, as one net."""
    inside = set(territories)
    pairs = [
        (name, other)
        for name in sorted(inside)
        for other in (TERRITORY_NAMES[n] for n in ADJACENT[TERRITORY_NUMBER[name]])
        if other in inside and name < other
    ]
    d = "".join(path_data(_way_between(a, b)) for a, b in pairs)
    knots = [
        svg_tag("circle", class_="knot", cx=x, cy=y, r=4)
        for x, y in map(territory_spot, sorted(inside))
    ]
    net = (
        [svg_tag("path", class_="net-casing", d=d), svg_tag("path", class_="net", d=d)] if d else []
    )
    return svg_group([*net, *knots], class_=f"supply-line {owner}")


def _way_between(a: str, b: str) -> list[Point]:
    """From army to army; over water along the dotted line."""
    lines = territory_anchors()["sea_lines"]
    for key, reverse in ((f"{a}-{b}", False), (f"{b}-{a}", True)):
        if key in lines:
            shore = [(x, y) for x, y in lines[key]]
            return smooth_curve(
                [territory_spot(a), *(shore[::-1] if reverse else shore), territory_spot(b)]
            )
    return [territory_spot(a), territory_spot(b)]


def _draw_march(owner: str, start: str, end: str) -> str:
    a, b = territory_spot(start), territory_spot(end)
    line = trim_line(smooth_curve([a, bow_point(a, b, 0.08), b]), 26, 26)
    shaft = path_data(trim_line(line, 0, 8))
    parts = [
        svg_tag("path", class_="casing", d=shaft, stroke_width=7),
        svg_tag("path", class_="shaft", d=shaft, stroke_width=5.2),
        svg_tag("path", class_="head", d=arrow_head(line, 17)),
    ]
    return svg_group(parts, class_=f"march {owner}")


def _draw_title(text: str) -> list[str]:
    return [svg_tag("text", escape(text), class_="title", x=24, y=44, font_size=24)] if text else []


def _draw_legend(crowns: Mapping[str, int], lang: str) -> str:
    """The armies with their colours and letters, below the map."""
    width = territory_anchors()["size"][0] + 44
    shown = [colour for colour in COLOURS if not crowns or colour in crowns]
    entries = []
    for n, colour in enumerate(shown):
        plate = [
            svg_tag("rect", class_="block", x=-13, y=-11, width=26, height=22, rx=3),
            svg_tag("text", army_sign(colour, lang), class_="sign", y=4.4),
            *([draw_crowns((28, 0), crowns[colour])] if colour in crowns else []),
            svg_tag("text", _army_name(colour, lang), class_="name", x=46 if crowns else 20, y=5),
        ]
        spot_ = (26 + n * width / len(shown), 10)
        entries.append(svg_group(plate, class_=colour, transform=translate_to(spot_)))
    return svg_group(entries, class_="legend")
