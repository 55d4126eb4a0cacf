"""The maps tell the truth, nothing on them overlaps, and anyone can make them again."""

import json
import re
import xml.etree.ElementTree as ET
from functools import cache
from itertools import combinations
from pathlib import Path

import pytest
import shapely
from shapely.geometry import Point

from powderkeg.core.words import LANGS
from tools.mapmaker import build, coast, diplomacy, neighbours, risk_europe
from tools.mapmaker.bends import wrong_way
from tools.mapmaker.lettering import Label, bowed, wordings
from tools.mapmaker.projection import Conic, Lens, Sheet
from tools.mapmaker.words import names

GAMES = {"diplomacy": diplomacy, "risk_europe": risk_europe}
SVG = "{http://www.w3.org/2000/svg}"
both = pytest.mark.parametrize("name", GAMES)
drawn = pytest.mark.slow  # the map is drawn first, which takes seconds


@cache
def made(name):
    return build.build(name)


def sheet(name):
    return made(name).chart


def committed(name, file):
    return (GAMES[name].FOLDER / file).read_text(encoding="utf-8")


def places(name):
    data = json.loads(committed(name, "anchors.json"))
    return data["provinces"] if name == "diplomacy" else data["territories"]


def labels(name, lang):
    found = {}
    for place, spots in places(name).items():
        for kind in ("labels", "towns"):
            if lang in spots.get(kind, {}):
                text = spots[kind][lang]
                found[place, kind] = Label(
                    tuple(text["lines"]),
                    tuple(text["at"]),
                    text["size"],
                    text["angle"],
                    text["bend"],
                    text["width"],
                    text["spacing"],
                ).footprint
    return found


def things(name):
    """The boxes of everything that stands on the map."""
    found = {}
    for place, spots in places(name).items():
        if name == "diplomacy":
            found[place, "unit"] = diplomacy.UNIT.at(spots["unit"])
            for coast_, at in spots.get("coasts", {}).items():
                found[place, coast_] = diplomacy.UNIT.at(at["unit"])
            if "centre" in spots:
                found[place, "centre"] = diplomacy.CENTRE.at(spots["centre"])
        else:
            found[place, "stack"] = risk_europe.STACK.at(spots["stack"])
            if "city" in spots:
                found[place, "city"] = risk_europe.CITY.at(spots["city"])
    return found


# Truth


@drawn
@both
def test_drawn_neighbours_are_the_games_neighbours(name):
    assert made(name).wrong == ()


@drawn
def test_a_drawing_that_lies_is_found_out(monkeypatch):
    true = diplomacy.rows("borders.csv")
    lie = [row for row in true if (row["a"], row["b"]) != ("bel", "bur")]
    lie.append({"a": "par", "b": "mar", "by": "army"})
    monkeypatch.setattr(diplomacy, "rows", lambda name: lie)
    assert diplomacy.wrong_neighbours(sheet("diplomacy")) == [
        "army: mar-par is not drawn",
        "army: bel-bur is drawn",
    ]


@drawn
def test_the_two_coasts_are_drawn_apart():
    lines = neighbours.borders(diplomacy.bodies(sheet("diplomacy")))
    seas = frozenset(sheet("diplomacy").of("sea"))
    runs = {place: neighbours.coasts(place, lines, seas) for place in ("spa", "stp", "bul", "con")}
    assert {tuple(sorted(run.seas)) for run in runs["spa"]} == {("mao",), ("lyo", "mao", "wes")}
    assert {tuple(sorted(run.seas)) for run in runs["stp"]} == {("bar",), ("bot",)}
    assert {tuple(sorted(run.seas)) for run in runs["bul"]} == {("aeg",), ("bla",)}
    assert {tuple(sorted(run.seas)) for run in runs["con"]} == {("aeg",), ("bla",)}


@drawn
def test_nobody_can_sail_past_denmark_or_constantinople():
    """The Sound, the Belts and the Straits belong to the provinces on their shores."""
    touch = neighbours.touching(neighbours.borders(diplomacy.bodies(sheet("diplomacy"))))
    assert ("den", "swe") in touch
    assert ("bal", "ska") not in touch
    assert ("aeg", "bla") not in touch


@drawn
@both
def test_every_province_is_in_one_piece(name):
    apart = {"den", "denmark", "sicily", "sea"}  # islands with a seed; inland seas
    shapes = sheet(name).of("land", "sea")
    assert {k for k, s in shapes.items() if s.geom_type != "Polygon"} <= apart


@drawn
@both
def test_shapes_do_not_overlap(name):
    shapes = sheet(name).of("land", "sea", "water", "closed")
    overlaps = [
        (a, b)
        for a, b in combinations(sorted(shapes), 2)
        if shapes[a].intersects(shapes[b]) and (shapes[a] & shapes[b]).area > 0.01
    ]
    assert overlaps == []


# Places


@drawn
@both
def test_what_stands_in_a_province_is_inside_it(name):
    shapes = sheet(name).shapes
    for place, spots in places(name).items():
        for kind in ("unit", "centre", "stack", "city"):
            if kind in spots:
                assert shapes[place].buffer(0.2).contains(Point(spots[kind])), (place, kind)


def test_an_attacker_hides_neither_a_city_nor_another_army():
    standing = things("risk_europe")
    paper = shapely.box(0, 0, *json.loads(committed("risk_europe", "anchors.json"))["size"])
    for place, spots in places("risk_europe").items():
        attacker = risk_europe.STACK.at(spots["rival"])
        assert paper.contains(attacker), place
        hidden = {
            what
            for what, box in standing.items()
            if what != (place, "stack") and box.intersects(attacker)
        }
        assert hidden == set(), place


@drawn
def test_fleets_of_two_coasts_lie_off_their_own_coast():
    shapes = sheet("diplomacy").shapes
    for place in ("spa", "stp", "bul"):
        spots = places("diplomacy")[place]["coasts"]
        assert len(spots) == 2
        for spot in spots.values():
            assert shapes[place].distance(Point(spot["unit"])) < 20


@both
@pytest.mark.parametrize("lang", LANGS)
def test_names_do_not_collide(name, lang):
    boxes = labels(name, lang)
    clashes = [(a, b) for a, b in combinations(boxes, 2) if boxes[a].intersects(boxes[b])]
    assert clashes == []


@pytest.mark.slow
@both
@pytest.mark.parametrize("lang", LANGS)
def test_names_keep_clear_of_what_stands_there(name, lang):
    clashes = [
        (text, thing)
        for text, box in labels(name, lang).items()
        for thing, other in things(name).items()
        if (box & other).area > 1
    ]
    assert clashes == []


@both
def test_things_do_not_stand_on_one_another(name):
    boxes = things(name)
    clashes = [(a, b) for a, b in combinations(boxes, 2) if (boxes[a] & boxes[b]).area > 1]
    assert clashes == []


@drawn
@both
@pytest.mark.parametrize("lang", LANGS)
def test_names_lie_within_the_frame(name, lang):
    frame = sheet(name).frame
    assert [key for key, box in labels(name, lang).items() if not frame.contains(box)] == []


@both
@pytest.mark.parametrize("lang", LANGS)
def test_names_are_large_enough_to_read(name, lang):
    sizes = [spots["labels"][lang]["size"] for spots in places(name).values()]
    assert min(sizes) >= (10.4 if name == "diplomacy" else 9.6)


# The files


@both
def test_the_map_is_sound(name):
    text = committed(name, "map.svg")
    root = ET.fromstring(text)
    ids = {e.get("id") for e in root.iter()}
    assert set(places(name)) <= ids
    assert {"washes", "orders", "units", "shore"} <= ids
    assert len(ids - {None}) == len([e for e in root.iter() if e.get("id")])
    assert root.get("viewBox").split()[:2] == ["-22", "-22"]
    assert len(text.encode()) < 250_000
    assert not [e for e in root.iter() if e.tag == SVG + "script"]
    assert not re.search(r"\son\w+=|javascript:|http(?!://www\.w3\.org/2000/svg)", text)


@both
@pytest.mark.parametrize("lang", LANGS)
def test_names_on_the_map_are_the_catalogues(name, lang):
    code = {"diplomacy": "diplomacy_map.{id}", "risk_europe": "risk_europe.territory.{id}"}[name]
    shorter = ["diplomacy_map.{id}.abbr"] if name == "diplomacy" else []
    words = names(code, places(name), *shorter)
    root = ET.fromstring(committed(name, "map.svg"))
    [group] = [g for g in root.iter(SVG + "g") if g.get("lang") == lang]
    shown = {
        text.get("data-place"): "".join(text.itertext())
        for text in group.iter(SVG + "text")
        if "of-city" not in text.get("class")
    }
    assert set(shown) == set(places(name))
    for place, text in shown.items():  # a name in two lines loses the space between them
        assert text.replace(" ", "") in {word.replace(" ", "") for word in words[place][lang]}


@drawn
def test_arrows_run_through_the_two_provinces_that_they_concern():
    shapes, data = diplomacy.bodies(sheet("diplomacy")), places("diplomacy")
    bends = json.loads(committed("diplomacy", "anchors.json"))["bends"]
    spots = {name: place["unit"] for name, place in data.items()}
    for name, place in data.items():
        spots |= {f"{name}/{c}": at["unit"] for c, at in place.get("coasts", {}).items()}
    wrong = {}
    for row in diplomacy.rows("borders.csv"):
        a, b = sorted((row["a"], row["b"]))
        room = shapely.union_all([shapes[a[:3]], shapes[b[:3]]]).buffer(2)
        others = [at for name, at in spots.items() if name[:3] not in (a[:3], b[:3])]
        wrong[a, b] = wrong_way(spots[a], spots[b], bends.get(f"{a}-{b}"), room, others)
    assert {pair: way for pair, way in wrong.items() if way > 40} == {}  # Yorkshire once had 297


@drawn
@both
def test_the_maps_can_be_made_again(name):
    """Equal but for the last tenth of a coordinate, which another machine may round otherwise."""
    for file, text in (("map.svg", made(name).svg), ("anchors.json", made(name).anchors)):
        old = committed(name, file)
        assert skeleton(old) == skeleton(text)
        pairs = zip(numbers(old), numbers(text), strict=True)
        assert all(abs(a - b) <= 0.25 for a, b in pairs)


NUMBER = re.compile(r"-?(?:\d+\.?\d*|\.\d+)")


def skeleton(text):
    return NUMBER.sub("#", text).replace(" ", "")


def numbers(text):
    return [float(n) for n in NUMBER.findall(text)]


# The parts


def test_the_projection_keeps_angles():
    conic = Conic((38, 60), (13, 49))
    x, y = conic(13, 49)
    assert (x, y) == pytest.approx((0, 0))
    (ex, ey), (nx, ny) = conic(13.001, 49), conic(13, 49.001)
    assert ex * nx + ey * ny == pytest.approx(0, abs=1e-12)
    assert ny < 0 < ex


def test_a_lens_squeezes_beyond_its_edge_only():
    lens = Lens(edge=0.3, scale=0.5, width=0.02)
    assert lens(0.1) == pytest.approx(0.1, abs=1e-3)
    assert lens(1.1) - lens(1.0) == pytest.approx(0.05, abs=1e-3)
    steps = [lens(t / 100) for t in range(200)]
    assert steps == sorted(steps)


@drawn
@both
def test_the_sheet_fits_its_frame(name):
    paper: Sheet = sheet(name).sheet
    assert paper(*paper.fit["w"])[0] == pytest.approx(0)
    assert paper(*paper.fit["e"])[0] == pytest.approx(paper.width)
    assert paper(*paper.fit["n"])[1] == pytest.approx(0)


def test_long_names_are_broken_in_the_middle():
    assert wordings("Western Mediterranean")[1] == ("Western", "Mediterranean")
    assert wordings("Mid-Atlantic Ocean")[1] == ("Mid-Atlantic", "Ocean")
    assert wordings("Paris") == [("Paris",)]


def test_writing_bends_along_an_arc_of_its_length():
    ends = [bowed(x, 0, 0.004) for x in (-100, 0, 100)]
    assert ends[1] == pytest.approx((0, 0))
    assert ends[0][1] == ends[2][1] > 0
    assert shapely.LineString([bowed(x, 0, 0.004) for x in range(-100, 101)]).length == (
        pytest.approx(200, rel=1e-3)
    )


def test_a_ring_across_the_date_line_is_cut_out_whole():
    """Asia reaches beyond 180 degrees: unwrapped it must not smear over the map."""
    square = [[170, 60], [10, 0], [10, 0], [0, 10], [-20, 0], [0, -10]]
    wrapped = [[(lon + 180) % 360 - 180, lat] for lon, lat in _walk(square)]
    ring = coast._unwrapped([tuple(p) for p in wrapped])
    assert max(lon for lon, _ in ring) - min(lon for lon, _ in ring) == 20


def _walk(steps):
    x = y = 0
    for dx, dy in steps:
        x, y = x + dx, y + dy
        yield x, y


def test_the_coastline_names_its_source():
    text = (Path(coast.DATA) / "land.json").read_text()
    assert "Natural Earth" in text[:200]
    assert all(part.is_valid for part in coast.load())
