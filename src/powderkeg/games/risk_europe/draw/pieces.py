"""The pieces of Risk Europe as drawings: four kinds of unit, crowns, castles, crossed swords."""

from collections.abc import Sequence
from typing import Final

from powderkeg.picture.svg import Point, svg_group, svg_tag, translate_to

CELL: Final = (25, 17)  # an icon and a number
WIDER: Final = 6  # for a number of two figures
SIGN: Final = 18  # the letters before them

# Each fits into sixteen by sixteen around (0, 0). Filled parts first, lines second.
UNIT_ICONS: Final[dict[str, tuple[str, str]]] = {
    "footman": (
        "M-1 -7.4a2.4 2.4 0 1 1-.01 0zM-5 7.4V1.4Q-5 -2 -1 -2T3 1.4V7.4z",
        "M5.6 7.6V-7.6M4.2 -5L5.6 -8L7 -5",
    ),
    "archer": ("M8 0L3.8 -2.6V2.6z", "M-2.4 -7.4C5.4 -4.6 5.4 4.6 -2.4 7.4V-7.4M-7.4 0H5"),
    "cavalry": (
        (
            "M-4.6 7.6H5.2C5.2 3 6.4 -1 4.3 -4.6C3.2 -6.5 1.4 -7.1 0 -7.8L-.6 -5.8C-3.2 -5 -5.2 -2.5"
            " -6.6 .4L-4.8 2.4C-3.2 1.8 -2.2 .8 -.6 .8C-.8 3.2 -4.2 4.2 -4.6 7.6z"
        ),
        "",
    ),
    "siege": (
        "M-4.4 3.4a2.2 2.2 0 1 1-.01 0zM4.4 3.4a2.2 2.2 0 1 1-.01 0zM-6.4 -8a2.1 2.1 0 1 1-.01 0z",
        "M-7 3.2H7M-6 -6L5 2M-2.6 3L.4 -3.4L4 3",
    ),
}
CROWN: Final = "M-6 3L-7 -3.6L-3.2 -.6L0 -5L3.2 -.6L7 -3.6L6 3z"
TOWER: Final = (
    "M-8 -8.5h3.4v2.6h2.8v-2.6h3.6v2.6h2.8v-2.6h3.4v5.4l-1.6 1.6v9.6h-13.6v-9.6l-1.6 -1.6z"
)
DOOR: Final = "M-2.2 8v-3.6a2.2 2.2 0 0 1 4.4 0v3.6z"


def draw_icon(unit: str, spot: Point) -> str:
    solid, lines = UNIT_ICONS[unit]
    parts = [svg_tag("path", class_="icon", d=solid)]
    parts += [svg_tag("path", class_="icon-line", d=lines)] if lines else []
    return svg_group(parts, transform=f"{translate_to(spot)} scale(.88)")


def plate_size(units: Sequence[tuple[str, int]]) -> tuple[float, float]:
    """Width and height of an army's plate."""
    columns, rows = (1 if len(units) == 1 else 2), (2 if len(units) > 2 else 1)
    return SIGN + columns * _cell_width(units) + 4, rows * CELL[1] + 4


def _cell_width(units: Sequence[tuple[str, int]]) -> int:
    return CELL[0] + (WIDER if any(count > 9 for _, count in units) else 0)


def draw_army(
    spot: Point, owner: str, sign: str, units: Sequence[tuple[str, int]], territory: str
) -> str:
    """An army in one place: its letters, then each kind of unit with its number."""
    columns, cell = (1 if len(units) == 1 else 2), _cell_width(units)
    width, height = plate_size(units)
    left, top = -width / 2, -height / 2
    parts = [
        svg_tag(
            "rect", class_="shadow", x=left + 1.5, y=top + 2.5, width=width, height=height, rx=4
        ),
        svg_tag("rect", class_="block", x=left, y=top, width=width, height=height, rx=4),
        svg_tag("text", sign, class_="sign", x=left + SIGN / 2 + 1.5, y=4.2),
    ]
    for n, (unit, count) in enumerate(units):
        x = left + SIGN + 2 + n % columns * cell
        y = top + 2 + (n // columns + 0.5) * CELL[1]
        parts.append(draw_icon(unit, (x + 8, y)))
        parts.append(
            svg_tag("text", str(count), class_="count", x=x + (cell + 13.4) / 2, y=y + 4.2)
        )
    return svg_group(
        parts, class_=f"muster {owner}", transform=translate_to(spot), data_at=territory
    )


def draw_city(spot: Point, gold: bool, tax: int, owner: str) -> str:  # noqa: FBT001  # as the board says it
    """A city: a gold or black coin with its crown and its tax value, ringed by its owner."""
    ring = [svg_tag("circle", class_="owner-ring", r=12.2)] if owner else []
    coin = [
        svg_tag("circle", class_="coin", r=10.2),
        svg_tag("path", class_="crown", d=CROWN, transform="translate(0 -3.4) scale(.78)"),
        svg_tag("text", str(tax), class_="tax", y=8),
    ]
    kind = "gold" if gold else "black"
    return svg_group(
        [*ring, *coin], class_=f"city {kind} {owner}".strip(), transform=translate_to(spot)
    )


def draw_crowns(spot: Point, crowns: int) -> str:
    """How many crowns an army has, on a coin of gold."""
    parts = [
        svg_tag("circle", class_="coin", r=11.5),
        svg_tag("path", class_="crown", d=CROWN, transform="translate(0 -4.2) scale(.86)"),
        svg_tag("text", str(crowns), class_="tax", y=8.4),
    ]
    return svg_group(parts, class_="crowns gold", transform=translate_to(spot))


def draw_castle(spot: Point, owner: str) -> str:
    parts = [svg_tag("path", class_="tower", d=TOWER), svg_tag("path", class_="door", d=DOOR)]
    flag = [
        svg_tag("path", class_="pole", d="M0 -8V-16"),
        svg_tag("path", class_="pennon", d="M0 -16L8 -13.5L0 -11z"),
    ]
    return svg_group(
        [*parts, *(flag if owner else [])],
        class_=f"castle {owner}".strip(),
        transform=translate_to(spot),
    )


def draw_swords(spot: Point) -> str:
    """Between two armies that dispute a territory."""
    blades = "M-7 -7L6 6M3.4 7.4L7.4 3.4M7 -7L-6 6M-3.4 7.4L-7.4 3.4"
    parts = [
        svg_tag("circle", class_="badge", r=10.5),
        svg_tag("path", class_="blades", d=blades),
    ]
    return svg_group(parts, class_="dispute", transform=translate_to(spot))
