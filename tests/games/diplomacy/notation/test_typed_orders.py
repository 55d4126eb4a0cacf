"""Orders typed by people are read by what their seat may know, and centres are counted by year."""

import json
from dataclasses import replace

import pytest

from powderkeg.core import plain
from powderkeg.core.errors import RulesError
from powderkeg.games import diplomacy
from powderkeg.games.diplomacy.actions import Absent, Ready, parse
from powderkeg.games.diplomacy.board import POWERS, Unit
from powderkeg.games.diplomacy.rules.outcomes import Dislodged
from powderkeg.games.diplomacy.state import Options, State


def started(players=7):
    options = Options()
    return diplomacy.start(diplomacy.seats(players, options), options)


def read(state, seat, text, lang=None):
    """What was understood in wire notation; what was not, by code."""
    found = diplomacy.read(diplomacy.view(state, seat), text, lang)
    return [(m.code if isinstance(m, RulesError) else str(m)) for _, m in found]


@pytest.mark.rule("D-ORD-02", "D-ORD-05")
@pytest.mark.parametrize(
    ("text", "lang"),
    [
        ("Army Paris to Burgundy; F Bre-MAO\n3) A Marseilles holds", "en"),
        ("Ejército París a Borgoña; F Brest - Atlántico Medio\nE Marsella se mantiene", "en"),
        ("Armata Parigi in Borgogna; F Bre - OAM\n- A Marsiglia resta", "es"),
        ("A par - bur, F bre - mao, A mar H", "it"),
    ],
)
def test_any_language_is_read_whatever_the_readers(text, lang):
    assert read(started(), "FRANCE", text, lang) == ["A par - bur", "F bre - mao", "A mar H"]


def test_what_is_unclear_is_said_order_by_order():
    codes = read(started(), "FRANCE", "A Par-Xyzzy\nA Munich holds\nA Par-Bur\nready\npropose draw")
    assert codes == [
        "diplomacy_notation.unknown_place",
        "diplomacy_notation.not_yours",
        "A par - bur",
        "ready",
        "propose draw",
    ]


def test_wire_notation_is_read_whatever_the_language_says_of_it():
    """In Spanish an army is an E and nothing is an S: the rules may still say what is wrong."""
    assert read(started(), "FRANCE", "A mun S A ber", "es") == ["A mun S A ber"]
    assert read(started(), "FRANCE", "A mun S A ber", "en") == ["diplomacy_notation.not_yours"]


def test_more_than_anybody_has_to_order_is_not_read():
    many = "\n".join(f"A Par-Bur{' ' * n}x" for n in range(50))
    assert read(started(), "FRANCE", many).count("diplomacy_notation.too_many") == 10


def test_a_seat_with_several_powers_orders_all_of_them():
    text = "A Vienna - Galicia; F Brest H; A Munich H"
    seat = "AUSTRIA_FRANCE"
    assert read(started(4), seat, text) == [
        "A vie - gal",
        "F bre H",
        "diplomacy_notation.not_yours",
    ]


def test_a_move_is_a_retreat_and_a_bare_unit_is_built_where_that_is_meant():
    state = started()
    beaten = Dislodged("FRANCE", Unit("A", "bur"), parse("A mun - bur"), ("gas", "pic"))
    fled = replace(state, stage="retreat", dislodged=(beaten,))
    assert read(fled, "FRANCE", "A Burgundy to Gascony") == ["A bur R gas"]
    fewer = {**state.units, "FRANCE": (Unit("F", "bre"),)}
    winter = replace(state, stage="adjustment", season="fall", units=fewer)
    assert read(winter, "FRANCE", "A Paris; Fleet Marseilles") == ["A par B", "F mar B"]


# Centres by year


def until_spring(state):
    year = state.year
    while state.year == year and state.stage != "over":
        seat = min(diplomacy.to_act(state))
        state = diplomacy.apply(state, seat, Ready()).state
    return state


@pytest.mark.rule("D-SC-01")
def test_the_view_tells_the_centres_of_every_year():
    state = started()
    opening = {"year": 1900, "centres": {p: 4 if p == "RUSSIA" else 3 for p in POWERS}}
    assert diplomacy.view(state, None)["history"] == [opening]
    state = diplomacy.apply(state, "GERMANY", parse("F kie - den")).state
    state = until_spring(until_spring(state))
    view = diplomacy.view(state, "FRANCE")
    first = {"year": 1901, "centres": {**opening["centres"], "GERMANY": 4}}
    assert view["history"] == [opening, first, {**first, "year": 1902}]
    assert plain.load(State, json.loads(json.dumps(plain.dump(state)))) == state
    assert diplomacy.view(started(2), None)["history"][0]["year"] == 1913


def test_a_state_stored_before_centres_were_counted_still_loads():
    old = plain.dump(until_spring(started()))
    del old["counts"]
    state = plain.load(State, old)
    assert state.counts == ()
    assert diplomacy.default(state, "FRANCE") == Absent()
