"""The map of a position, with its orders as arrows.

`draw_map` takes plain data, so that command line, server and adjudicator can all use it:

- position: ``{"units": {"FRANCE": ["A par", "F bre"]}, "centers": {"FRANCE": ["par"]},
  "dislodged": {"GERMANY": ["A bur"]}}``; centers and dislodged may be missing.
- orders: wire texts, or pairs of wire text and verdict (``"ok"``, ``"bounced"``, ``"cut"`` ...).

Units are wooden blocks: square ones are armies, long ones fleets. Their two letters and the
hatching of the land tell the powers apart without colour.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from html import escape
from typing import Any, Final, TypeAlias

from powderkeg.core.words import Msg, has_words, say
from powderkeg.games.diplomacy.actions import Build, parse_order, parse_unit
from powderkeg.games.diplomacy.board import HOMES, POWERS, PROVINCES, Unit, data_text
from powderkeg.games.diplomacy.draw.order_arrows import Pen
from powderkeg.picture.sheet import draw_washes, fill_map, tincture_pattern
from powderkeg.picture.svg import Point, svg_group, svg_tag, translate_to

__all__ = ["draw_map", "view_position"]

DrawnOrder: TypeAlias = str | tuple[str, str]

HOMELANDS: Final = {  # the other provinces of a power in 1901, coloured while it lives
    "AUSTRIA": ("boh", "gal", "tyr"),
    "ENGLAND": ("cly", "wal", "yor"),
    "FRANCE": ("bur", "gas", "pic"),
    "GERMANY": ("pru", "ruh", "sil"),
    "ITALY": ("apu", "pie", "tus"),
    "RUSSIA": ("fin", "lvn", "ukr"),
    "TURKEY": ("arm", "syr"),
}
HULL: Final = "M-19 0C-13 -8.5 -7 -9.5 0 -9.5S13 -8.5 19 0C13 8.5 7 9.5 0 9.5S-13 8.5 -19 0Z"


def draw_map(
    position: Mapping[str, Any],
    orders: Iterable[DrawnOrder] = (),
    *,
    lang: str = "en",
    theme: str = "paper",
    title: str = "",
) -> str:
    """The whole map as SVG."""
    units = _owned_units(position.get("units", {}))
    dislodged = _owned_units(position.get("dislodged", {}))
    judged = [(order, "ok") if isinstance(order, str) else order for order in orders]
    pen = Pen(units, dislodged, unit_spot, dislodged_spot, move_bend)
    built = {
        order.unit: _owner_of_home(order.unit)
        for text, _ in judged
        if isinstance(order := parse_order(text), Build)
    }
    blocks = [unit_block(unit, power, lang) for unit, power in units.items()]
    blocks += [unit_block(unit, power, lang, away=True) for unit, power in dislodged.items()]
    blocks += [unit_block(unit, power, lang, extra="built") for unit, power in built.items()]
    lines, marks = pen.draw_orders(judged)
    centers = position.get("centers", {})
    slots = {
        "washes": draw_washes(_land_owners(units, centers)),
        "orders": lines,
        "units": [*_centre_marks(centers), *blocks, *marks, *_map_title(title)],
    }
    return fill_map(
        blank_map(),
        slots,
        lang=lang,
        theme=theme,
        defs=[tincture_pattern(power.lower()) for power in POWERS],
        footer=_power_legend(centers, lang),
    )


def view_position(view: Mapping[str, Any]) -> dict[str, Any]:
    """The position that `draw_map` draws, from a view of the game."""
    dislodged: dict[str, list[str]] = {}
    for each in view["dislodged"]:
        dislodged.setdefault(each["power"], []).append(each["unit"])
    return {"units": view["units"], "centers": view["centres"], "dislodged": dislodged}


@cache
def blank_map() -> str:
    """The map without anything on it."""
    return data_text("map.svg")


@cache
def map_anchors() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(data_text("anchors.json"))
    return found


def unit_spot(location: str) -> Point:
    """Where a unit at that location is drawn."""
    x, y = _location_anchors(location)["unit"]
    return x, y


def dislodged_spot(location: str) -> Point:
    """Where a unit that was dislodged from that location is drawn."""
    x, y = _location_anchors(location)["dislodged"]
    return x, y


def move_bend(a: str, b: str) -> Point | None:
    """A point of the way between two locations, where a straight one would cross a third province."""
    found: list[float] | None = map_anchors()["bends"].get("-".join(sorted((a, b))))
    return (found[0], found[1]) if found else None


def _location_anchors(location: str) -> dict[str, Any]:
    place: dict[str, Any] = map_anchors()["provinces"][location[:3]]
    coasts: dict[str, dict[str, Any]] = place.get("coasts", {})
    return coasts.get(location[4:], place)


def _owned_units(by_power: Mapping[str, Sequence[str]]) -> dict[Unit, str]:
    return {parse_unit(text): power for power, texts in by_power.items() for text in texts}


def _owner_of_home(unit: Unit) -> str:
    return PROVINCES[unit.province].home or POWERS[0]


def _land_owners(units: Mapping[Unit, str], centers: Mapping[str, Sequence[str]]) -> dict[str, str]:
    """The power in whose colour each land province is drawn: of a centre its owner, of other land the
    power that stands there, or lived there in 1901."""
    owners: dict[str, str] = {}
    for power, homeland in HOMELANDS.items():
        if any(home in centers.get(power, ()) for home in HOMES[power]):
            owners |= dict.fromkeys(homeland, power.lower())
    for unit, power in units.items():
        province = PROVINCES[unit.province]
        if province.kind != "sea" and not province.centre:
            owners[province.code] = power.lower()
    for power, provinces in centers.items():
        owners |= {code: power.lower() for code in provinces}
    return owners


def power_sign(power: str, lang: str) -> str:
    """The two letters of a power, which differ in every language."""
    code = f"diplomacy_map.power.{power}"
    return (say(Msg(code), lang) if has_words(code, lang) else power.title())[:2]


def unit_block(unit: Unit, power: str, lang: str, *, away: bool = False, extra: str = "") -> str:
    """A unit: a square block for an army, a hull for a fleet."""
    parts = _army_shape() if unit.kind == "A" else _fleet_shape()
    letters = svg_tag("text", power_sign(power, lang), class_="sign", y=4.4)
    state = "dislodged" if away else extra
    classes = f"unit {'army' if unit.kind == 'A' else 'fleet'} {power.lower()} {state}".strip()
    turn = (
        translate_to(dislodged_spot(unit.at)) + " rotate(-9) scale(.88)"
        if away
        else translate_to(unit_spot(unit.at))
    )
    return svg_group([*parts, letters], class_=classes, transform=turn, data_at=unit.at)


def _army_shape() -> list[str]:
    return [
        svg_tag("rect", class_="shadow", x=-11.5, y=-8.5, width=26, height=22, rx=3),
        svg_tag("rect", class_="block", x=-13, y=-11, width=26, height=22, rx=3),
        svg_tag("path", class_="bevel", d="M-11 8V-7Q-11 -9 -9 -9H9"),
    ]


def _fleet_shape() -> list[str]:
    return [
        svg_tag("path", class_="shadow", d=HULL, transform="translate(1.5 2.5)"),
        svg_tag("path", class_="block", d=HULL),
        svg_tag("path", class_="bevel", d="M-15.5 -1.5C-10 -6.8 -6 -7.6 0 -7.6S8 -6.8 11 -5"),
    ]


def _centre_marks(centers: Mapping[str, Sequence[str]]) -> list[str]:
    """Owned supply centres in the colour of their owner."""
    drawn = []
    for power, provinces in centers.items():
        for code in provinces:
            x, y = map_anchors()["provinces"][code]["centre"]
            drawn.append(svg_tag("circle", class_=f"owned {power.lower()}", cx=x, cy=y, r=4.6))
            drawn.append(svg_tag("circle", class_="town", cx=x, cy=y, r=1.6))
    return drawn


def _map_title(text: str) -> list[str]:
    if not text:
        return []
    return [
        svg_tag(
            "text",
            escape(text),
            class_="title",
            x=24,
            y=map_anchors()["size"][1] - 24,
            font_size=24,
        )
    ]


def _power_legend(centers: Mapping[str, Sequence[str]], lang: str) -> str:
    """The powers with their colours, letters and centres, below the map."""
    step = (map_anchors()["size"][0] + 44) / len(POWERS)
    entries = []
    for n, power in enumerate(POWERS):
        name = f"diplomacy_map.power.{power}"
        words = say(Msg(name), lang) if has_words(name, lang) else power.title()
        count = len(centers.get(power, ()))
        parts = [
            svg_group(
                [*_army_shape(), svg_tag("text", power_sign(power, lang), class_="sign", y=4.4)]
            ),
            svg_tag("text", f"{words} {count}", class_="name", x=20, y=5),
        ]
        entries.append(
            svg_group(parts, class_=power.lower(), transform=translate_to((26 + n * step, 10)))
        )
    return svg_group(entries, class_="legend")
