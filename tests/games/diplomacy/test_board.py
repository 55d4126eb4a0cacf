"""The map as data, counted against the board, and the start."""

import pytest

from powderkeg.core.errors import Unreadable
from powderkeg.games.diplomacy.actions import Convoy, Move, Support, parse
from powderkeg.games.diplomacy.board import (
    ARMY_MOVES,
    CENTRES,
    FLEET_MOVES,
    HOMES,
    LOCATIONS,
    POWERS,
    PROVINCES,
    START,
    Unit,
    can_stand,
    unit_moves,
)
from powderkeg.games.diplomacy.rules.listing import legal_orders
from powderkeg.games.diplomacy.rules.position import Position
from powderkeg.games.diplomacy.state import HANDS, Options, start


def moves_of(*units: str, closed: frozenset[str] = frozenset()) -> set[str]:
    """The moves that the first of some units can be ordered."""
    found = [Unit(text[0], text[2:]) for text in units]  # type: ignore[arg-type]  # A or F
    position = Position({"FRANCE": tuple(found)}, closed=closed)
    return {o.to for o in legal_orders(position)[found[0].province] if isinstance(o, Move)}


def test_borders_are_written_once_and_lead_both_ways():
    for near in (ARMY_MOVES, FLEET_MOVES):
        for place, found in near.items():
            assert all(place in near[to] for to in found)


@pytest.mark.rule("D-MAP-01")
def test_kinds_of_region():
    kinds = [province.kind for province in PROVINCES.values()]
    assert {kind: kinds.count(kind) for kind in set(kinds)} == {
        "inland": 14,
        "coastal": 42,
        "sea": 19,
    }
    for province in PROVINCES.values():
        borders_sea = any(PROVINCES[to[:3]].kind == "sea" for to in _fleet_moves(province.code))
        if province.kind != "sea":
            assert borders_sea == (province.kind == "coastal")
    assert "par" not in moves_of("F bre")
    assert "nth" not in moves_of("A lon")
    assert "bre" in moves_of("A par")
    assert "bre" in moves_of("F eng")


def _fleet_moves(code: str) -> list[str]:
    return [to for place in (PROVINCES[code].coasts or (code,)) for to in FLEET_MOVES[place]]


@pytest.mark.rule("D-MAP-02")
def test_armies_go_to_neighbouring_land():
    assert moves_of("A par") == {"bre", "pic", "bur", "gas"}


@pytest.mark.rule("D-MAP-03")
def test_fleets_go_from_sea_to_sea_and_coast():
    assert moves_of("F eng") == {"iri", "wal", "lon", "bel", "pic", "bre", "nth", "mao"}


@pytest.mark.rule("D-MAP-04")
def test_fleets_follow_a_common_coast():
    assert moves_of("F rom") == {"tus", "nap", "tys"}
    assert "swe" in moves_of("F nwy")
    assert "ank" not in moves_of("F smy")


@pytest.mark.rule("D-MAP-05")
def test_two_coasts():
    assert {p.code for p in PROVINCES.values() if p.coasts} == {"bul", "spa", "stp"}
    assert moves_of("F spa/nc") == {"por", "gas", "mao"}
    assert moves_of("F spa/sc") == {"por", "mao", "wes", "lyo", "mar"}
    assert moves_of("A spa") == {"por", "gas", "mar"}
    assert not can_stand(Unit("F", "spa"))
    assert not can_stand(Unit("A", "spa/nc"))


@pytest.mark.rule("D-MAP-06")
def test_canals_have_one_coast():
    assert {"bla", "aeg"} <= moves_of("F con")
    assert {"hel", "bal", "hol", "ber"} <= moves_of("F kie")
    assert {"ank", "smy", "bul"} == moves_of("A con")
    assert "aeg" not in moves_of("F bla")
    assert "bal" not in moves_of("F hel")


@pytest.mark.rule("D-MAP-07")
def test_sweden_and_denmark():
    assert "swe" in moves_of("A den")
    assert "den" in moves_of("F swe")
    assert "ska" not in moves_of("F bal")
    assert {"ska", "bal", "bot", "nwy", "fin"} <= moves_of("F swe")
    assert "ber" not in moves_of("A den")
    assert "ber" not in moves_of("F den")


@pytest.mark.rule("D-MAP-08", "D-MAP-09")
@pytest.mark.parametrize("place", ["swi", "ire", "sic", "sar", "cor", "cre", "ice"])
def test_no_switzerland_and_no_islands(place):
    with pytest.raises(Unreadable) as error:
        parse(f"A mun - {place}")
    assert error.value.code == "diplomacy.no_such_place"
    assert {"cly", "edi", "yor", "lvp", "wal", "lon"} <= set(PROVINCES)


@pytest.mark.rule("D-MAP-10")
def test_only_seas_carry():
    units = (
        *tuple(Unit("F", at) for at in ("con", "den", "kie")),
        Unit("A", "swe"),
        Unit("A", "smy"),
    )
    orders = legal_orders(Position({"TURKEY": units}))
    assert not [o for found in orders.values() for o in found if isinstance(o, Convoy)]
    assert "ber" not in moves_of("A swe", "F den")
    assert "ber" in moves_of("A swe", "F bal")


@pytest.mark.rule("D-MAP-11", "D-SET-05")
def test_supply_centres():
    assert len(CENTRES) == 34
    assert all(PROVINCES[code].kind != "sea" for code in CENTRES)
    neutral = {code for code in CENTRES if PROVINCES[code].home is None}
    assert neutral == {
        "bel",
        "bul",
        "den",
        "gre",
        "hol",
        "nwy",
        "por",
        "rum",
        "ser",
        "spa",
        "swe",
        "tun",
    }
    state = start(tuple(HANDS[7]), Options())
    assert not neutral & set(state.centres)
    assert not neutral & {unit.province for units in state.units.values() for unit in units}


@pytest.mark.rule("D-SET-03")
def test_start_units():
    units = {power: " ".join(map(str, found)) for power, found in START.items()}
    assert units == {
        "AUSTRIA": "A vie A bud F tri",
        "ENGLAND": "F lon F edi A lvp",
        "FRANCE": "A par A mar F bre",
        "GERMANY": "A ber A mun F kie",
        "ITALY": "A rom A ven F nap",
        "RUSSIA": "A mos A war F sev F stp/sc",
        "TURKEY": "A con A smy F ank",
    }
    assert all(can_stand(unit) for found in START.values() for unit in found)


@pytest.mark.rule("D-SET-04")
def test_home_centres():
    assert {power: len(HOMES[power]) for power in POWERS} == dict.fromkeys(POWERS, 3) | {
        "RUSSIA": 4
    }
    state = start(tuple(HANDS[7]), Options())
    for power, units in START.items():
        assert {unit.province for unit in units} == set(HOMES[power])
        assert set(state.centres_of(power)) == set(HOMES[power])


def test_every_location_has_moves_for_every_unit_that_can_stand_there():
    for place in LOCATIONS:
        for unit in (Unit("A", place), Unit("F", place)):
            assert bool(unit_moves(unit)) == can_stand(unit)


@pytest.mark.rule("D-SUP-03", "D-SUP-04")
def test_listed_supports_reach_where_their_giver_could_go():
    position = Position(START)
    for at, orders in legal_orders(position).items():
        unit = next(u for units in START.values() for u in units if u.province == at)
        reach = {to[:3] for to in unit_moves(unit)}
        supports = [o for o in orders if isinstance(o, Support)]
        assert all((o.to or o.target.at)[:3] in reach for o in supports)
