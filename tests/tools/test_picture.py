"""Pictures are rendered with our own fonts, and colours stay apart for every eye."""

import zlib
from itertools import combinations

import pytest

from powderkeg.games.diplomacy.board import POWERS
from powderkeg.games.diplomacy.draw import board_map as diplomacy
from powderkeg.games.risk_europe.board import COLOURS
from powderkeg.games.risk_europe.draw import board_map as risk_europe
from powderkeg.picture import render_png
from powderkeg.picture.ink import THEMES, apply_inks, theme_inks
from powderkeg.picture.sheet import TINCTURES, fill_map

# How dichromats see: Machado, Oliveira and Fernandes (2009), severity 1, on linear RGB.
EYES = {
    "all cones": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopia": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deuteranopia": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "tritanopia": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}
LMS = (
    (0.4122214708, 0.5363325363, 0.0514459929),
    (0.2119034982, 0.6806995451, 0.1073969566),
    (0.0883024619, 0.2817188376, 0.6299787005),
)
LAB = (
    (0.2104542553, 0.7936177850, -0.0040720468),
    (1.9779984951, -2.4285922050, 0.4505937099),
    (0.0259040371, 0.7827717662, -0.8086757660),
)


def times(matrix, vector):
    return [sum(a * b for a, b in zip(row, vector, strict=True)) for row in matrix]


def seen(colour, eyes):
    """The colour in OKLab, as those eyes see it, in hundredths."""
    channels = [int(colour[n : n + 2], 16) / 255 for n in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    light = [min(max(c, 0), 1) for c in times(EYES[eyes], linear)]
    return [100 * c for c in times(LAB, [c ** (1 / 3) for c in times(LMS, light)])]


def apart(a, b, eyes):
    return sum((x - y) ** 2 for x, y in zip(seen(a, eyes), seen(b, eyes), strict=True)) ** 0.5


@pytest.mark.parametrize("eyes", EYES)
@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("owners", [POWERS, COLOURS], ids=["powers", "armies"])
def test_blocks_stay_apart_for_every_eye(owners, theme, eyes):
    colours = [theme_inks(theme)[owner.lower()] for owner in owners]
    assert min(apart(a, b, eyes) for a, b in combinations(colours, 2)) >= 11.5


@pytest.mark.parametrize("eyes", EYES)
@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("owners", [POWERS, COLOURS], ids=["powers", "armies"])
def test_washes_stay_apart_from_each_other_and_from_bare_paper(owners, theme, eyes):
    colours = [theme_inks(theme)[f"{owner.lower()}-wash"] for owner in owners] + [
        theme_inks(theme)["land"]
    ]
    assert min(apart(a, b, eyes) for a, b in combinations(colours, 2)) >= 3.8


def contrast(a, b):
    """As WCAG counts it."""
    light = []
    for colour in (a, b):
        channels = [int(colour[n : n + 2], 16) / 255 for n in (1, 3, 5)]
        linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
        light.append(0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2])
    return (max(light) + 0.05) / (min(light) + 0.05)


HATCHING = 0.22  # the opacity of .tincture in atlas.css


def blend(paper, line, opacity):
    """The colour of a line that the paper shines through."""
    pairs = [(int(paper[n : n + 2], 16), int(line[n : n + 2], 16)) for n in (1, 3, 5)]
    return "#" + "".join(f"{round(a + (b - a) * opacity):02x}" for a, b in pairs)


LIGHT = {"FRANCE", "ITALY", "RUSSIA", "TURKEY", "orange", "purple"}


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("owner", [*POWERS, *COLOURS])
def test_letters_on_blocks_and_names_on_washes_can_be_read(theme, owner):
    ink = theme_inks(theme)
    letters = ink["on-light" if owner in LIGHT else "on-dark"]
    assert contrast(letters, ink[owner.lower()]) >= 4.5
    assert contrast(ink["ink"], ink[f"{owner.lower()}-wash"]) >= 4.5


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("owner", [*POWERS, *COLOURS])
def test_borders_stand_out_between_lands_of_one_owner(theme, owner):
    inks = theme_inks(theme)
    wash, lines = inks[f"{owner.lower()}-wash"], inks[owner.lower()]
    for ground in (wash, blend(wash, lines, HATCHING), inks["land"]):
        assert contrast(inks["border"], ground) >= 3


@pytest.mark.parametrize("owners", [POWERS, COLOURS], ids=["powers", "armies"])
def test_every_owner_has_a_hatching_of_its_own(owners):
    assert len({TINCTURES[owner.lower()] for owner in owners}) == len(owners)


def test_themes_have_the_same_inks():
    paper, lamplight = (theme_inks(theme) for theme in THEMES)
    assert paper.keys() == lamplight.keys()


def test_a_colour_that_does_not_exist_is_found_out():
    with pytest.raises(KeyError):
        apply_inks(".x { fill: var(--no-such-ink); }", "paper")


def test_only_our_maps_have_room_for_a_legend():
    with pytest.raises(ValueError, match="not one of our maps"):
        fill_map("<svg><defs></defs></svg>", {}, lang="en", theme="paper", footer="x")


def pixels(picture):
    """The raw bytes of a PNG's picture, still filtered: enough to see whether it is blank."""
    assert picture.startswith(b"\x89PNG")
    data, at = b"", 8
    while at < len(picture):
        length = int.from_bytes(picture[at : at + 4])
        if picture[at + 4 : at + 8] == b"IDAT":
            data += picture[at + 8 : at + 8 + length]
        at += 12 + length
    return zlib.decompress(data)


PICTURES = {
    "diplomacy": lambda **how: diplomacy.draw_map({"units": {"FRANCE": ["A par"]}}, **how),
    "risk_europe": lambda **how: risk_europe.draw_map({}, **how),
}


@pytest.mark.slow
@pytest.mark.parametrize("game", PICTURES)
@pytest.mark.parametrize("theme", THEMES)
def test_pictures_are_not_blank(game, theme):
    picture = render_png(PICTURES[game](theme=theme), width=300)
    assert int.from_bytes(picture[16:20]) == 300
    assert len(set(pixels(picture))) > 100


@pytest.mark.slow
@pytest.mark.parametrize("game", PICTURES)
def test_names_are_drawn_with_our_fonts(game):
    """Without a font there would be no letters, and all languages would look the same."""
    assert (
        len({render_png(PICTURES[game](lang=lang), width=300) for lang in ("en", "es", "it")}) == 3
    )
