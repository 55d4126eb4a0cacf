"""The laws of the contract, and what must hold for every position and every set of orders."""

import os
import random
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from powderkeg.core.check import check_game, perft
from powderkeg.games import diplomacy
from powderkeg.games.diplomacy.actions import (
    Build,
    Convoy,
    Disband,
    Hold,
    Move,
    Order,
    Retreat,
    Support,
    Waive,
    parse,
)
from powderkeg.games.diplomacy.board import LOCATIONS, POWERS, PROVINCES, Unit, can_stand
from powderkeg.games.diplomacy.rules.adjudicate import adjudicate
from powderkeg.games.diplomacy.rules.adjustments import resolve_adjustments
from powderkeg.games.diplomacy.rules.legality import (
    NumberedPosition,
    movement_objection,
    spell_movement,
)
from powderkeg.games.diplomacy.rules.listing import legal_orders
from powderkeg.games.diplomacy.rules.outcomes import Verdict
from powderkeg.games.diplomacy.rules.position import Position, Rulebook
from powderkeg.games.diplomacy.rules.retreats import resolve_retreats
from powderkeg.games.diplomacy.state import Options

GAMES = 6 if os.environ.get("POWDERKEG_FULL") else 2


@pytest.mark.slow
@pytest.mark.parametrize("players", diplomacy.players)
def test_laws_of_the_contract(players):
    options = Options(last_year=1916 if players == 2 else 1902)
    report = check_game(diplomacy, players, options, games=GAMES, share=0.05)
    assert report.finished == report.games


@pytest.mark.slow
@pytest.mark.parametrize(
    "options",
    [
        Options(paradox="szykman", convoy_intent="via_only", land_fallback=True, last_year=1901),
        Options(retreat_to_convoy_origin=False, convoyed_dislodger_silences=True, last_year=1901),
        Options(removal_distance="owned", victory_centres=4, sum_of_nations=True, talk_always=True),
    ],
)
def test_laws_hold_for_other_readings(options):
    check_game(diplomacy, 4, options, games=1, share=0.05, endless=True, cap=400)


def test_perft():
    """Any slip in legality changes these numbers; other programs count 238 first orders too."""
    state = diplomacy.start(diplomacy.seats(7, Options()), Options())
    assert sum(map(len, legal_orders(state.position).values())) == 238
    assert perft(diplomacy, state, 1) == 44
    assert perft(diplomacy, state, 2) == 1892


# Random positions and orders

UNITS = st.sampled_from(
    [u for at in LOCATIONS for u in (Unit("A", at), Unit("F", at)) if can_stand(u)]
)
PLACES = st.sampled_from(LOCATIONS)
ANY_UNITS = st.builds(Unit, st.sampled_from("AF"), PLACES)
ORDERS: st.SearchStrategy[Order] = st.one_of(
    st.builds(Hold, ANY_UNITS),
    st.builds(Move, ANY_UNITS, PLACES, st.booleans()),
    st.builds(Support, ANY_UNITS, ANY_UNITS, st.none() | PLACES),
    st.builds(Convoy, ANY_UNITS, ANY_UNITS, PLACES),
    st.builds(Retreat, ANY_UNITS, PLACES),
    st.builds(Disband, ANY_UNITS),
    st.builds(Build, ANY_UNITS),
    st.builds(Waive, PLACES | st.just("")),
)


@st.composite
def positions(draw) -> Position:
    found = draw(st.lists(UNITS, min_size=1, max_size=34, unique_by=lambda unit: unit.province))
    units: dict[str, list[Unit]] = {power: [] for power in POWERS}
    for unit in found:
        units[draw(st.sampled_from(POWERS))].append(unit)
    return Position({power: tuple(mine) for power, mine in units.items()})


def some_legal(position: Position, rng: random.Random) -> dict[str, list[Order]]:
    legal = legal_orders(position)
    return {p: [rng.choice(legal[u.province]) for u in us] for p, us in position.units.items()}


def check_resolution(position: Position, done) -> None:
    after = [unit for units in done.position.units.values() for unit in units]
    assert len({unit.province for unit in after}) == len(after)  # D-SET-10
    assert all(can_stand(unit) for unit in after)
    before = sum(map(len, position.units.values()))
    assert len(after) + len(done.dislodged) == before
    occupied = {unit.province for unit in after}
    owner = {u.province: p for p, units in position.units.items() for u in units}
    for each in done.dislodged:
        assert owner[each.by.unit.province] != each.power  # D-SELF-01
        for to in each.retreats:
            assert to[:3] not in occupied
            assert to[:3] not in done.contested
    assert not occupied & set(done.contested)


@pytest.mark.rule("D-SET-10", "D-SELF-01", "D-RET-03")
@settings(max_examples=150, deadline=None)
@given(positions(), st.randoms(use_true_random=False))
def test_legal_orders_give_sound_results(position, rng):
    orders = some_legal(position, rng)
    done = adjudicate(position, orders)
    assert not [o for o in done.outcomes if o.verdict == Verdict.VOID]
    check_resolution(position, done)


@pytest.mark.slow
@pytest.mark.rule("D-ORD-07")
@settings(max_examples=150, deadline=None)
@given(
    positions(),
    st.dictionaries(st.sampled_from([*POWERS, "NOBODY"]), st.lists(ORDERS, max_size=12)),
)
def test_no_set_of_orders_is_too_bad(position, orders):
    done = adjudicate(position, orders)
    assert len(done.outcomes) >= sum(map(len, orders.values()))
    check_resolution(position, done)
    resolve_retreats(done.position, done.dislodged, orders)
    adjusted = resolve_adjustments(
        position, {code: "FRANCE" for code in PROVINCES if PROVINCES[code].centre}, orders
    )
    assert all(can_stand(unit) for units in adjusted.position.units.values() for unit in units)


@pytest.mark.slow
@pytest.mark.rule("D-PHASE-08")
@settings(max_examples=80, deadline=None)
@given(positions(), st.randoms(use_true_random=False))
def test_listing_order_and_names_of_powers_do_not_matter(position, rng):
    orders = some_legal(position, rng)
    done = adjudicate(position, orders)
    powers = list(POWERS)
    rng.shuffle(powers)
    shuffled = Position(
        {p: tuple(rng.sample(position.units[p], len(position.units[p]))) for p in powers}
    )
    mixed = {p: rng.sample(orders[p], len(orders[p])) for p in powers}
    again = adjudicate(shuffled, mixed)
    assert _alike(again) == _alike(done)
    assert set(again.dislodged) == set(done.dislodged)
    turned = dict(zip(POWERS, POWERS[1:] + POWERS[:1], strict=True))
    renamed = adjudicate(
        Position({turned[p]: units for p, units in position.units.items()}),
        {turned[p]: found for p, found in orders.items()},
    )
    assert [o._replace(power=turned[o.power]) for o in done.outcomes] == list(renamed.outcomes)


def _alike(done) -> set[object]:
    return {(o.power, o.order, o.verdict, o.why, frozenset(o.by)) for o in done.outcomes}


@settings(max_examples=60, deadline=None)
@given(positions())
def test_an_all_hold_turn_changes_nothing(position):
    done = adjudicate(position, {})
    assert done.position.units == position.units
    assert not done.dislodged


@settings(max_examples=60, deadline=None)
@given(positions(), st.lists(ORDERS, max_size=40))
def test_what_is_listed_is_what_is_legal(position, orders):
    """The list and the check are written apart; they agree."""
    field = NumberedPosition(position)
    listed = legal_orders(position)
    for power, units in enumerate(position.units.values()):
        for unit in units:
            assert all(movement_objection(field, power, o) is None for o in listed[unit.province])
            assert len(set(listed[unit.province])) == len(listed[unit.province])
        for order in orders:
            if movement_objection(field, power, order) is None:
                plain = spell_movement(field, order)
                if isinstance(plain, Support) and plain.to:
                    plain = replace(plain, to=plain.to[:3])
                assert plain in listed[plain.unit.province]


@given(ORDERS)
def test_wire_round_trip(order):
    assert parse(str(order)) == order
    assert parse(str(order).lower()) == parse(str(order).upper()) == order


@pytest.mark.rule("D-SET-02")
def test_same_orders_same_result():
    rng = random.Random(5)
    state = diplomacy.start(diplomacy.seats(7, Options()), Options())
    orders = some_legal(state.position, rng)
    assert adjudicate(state.position, orders) == adjudicate(state.position, orders, Rulebook())
