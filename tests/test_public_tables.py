"""Tables of the real games as Python and notebooks see them."""

import copy
import pickle
import random

import pytest

import powderkeg
from powderkeg.core.errors import RulesError
from powderkeg.games.diplomacy.board import POWERS


@pytest.mark.parametrize("name", powderkeg.GAME_NAMES)
def test_tables_can_be_pickled_copied_and_played_on(name):
    table, rng = powderkeg.table(name, seed=3), random.Random(3)
    for _ in range(30):
        seat = min(table.to_act)
        table.act(seat, table.legal(seat).sample(rng))
    for twin in (pickle.loads(pickle.dumps(table)), copy.deepcopy(table)):
        assert twin.state == table.state
        assert twin.facts == table.facts
        seat = min(twin.to_act)
        twin.act(seat, twin.legal(seat).sample(rng))
        assert len(table.log) < len(twin.log)


@pytest.mark.parametrize("name", powderkeg.GAME_NAMES)
def test_notebooks_show_a_map_or_the_board_in_words(name):
    table = powderkeg.table(name, seed=3)
    drawn, written = table._repr_svg_(), table._repr_html_()
    assert (drawn is None) == (name == "versailles") == (written is not None)
    assert (drawn or "<svg").startswith("<svg")
    assert repr(table).startswith(f"<Table: {name}, {len(table.seats)} players")


@pytest.mark.parametrize(
    "text", ["A par - bur", "A par-bur", "Army Paris to Burgundy", "Ejército París a Borgoña"]
)
def test_orders_are_read_as_people_type_them(text):
    table = powderkeg.table("diplomacy")
    assert table.act("FRANCE", text)[0].do == "A par - bur"


def test_a_whole_turn_is_typed_at_once():
    table = powderkeg.table("diplomacy")
    entries = table.submit("FRANCE", "A par-bur; A mar S par-bur\nF bre-mao\nready")
    assert [entry.do for entry in entries] == [
        "A par - bur",
        "A mar S A par - bur",
        "F bre - mao",
        "ready",
    ]


def test_a_position_is_set_up_from_parts_of_a_view():
    units = {"FRANCE": ["A bur", "A ruh"], "GERMANY": ["A mun"]}
    table = powderkeg.table("diplomacy", state={"units": units, "year": 1905, "season": "fall"})
    assert table.state.phase == "F1905M"
    assert table.view(None)["units"] == {power: units.get(power, []) for power in POWERS}
    table.submit("FRANCE", ["bur-mun", "ruh S bur-mun"])
    for seat in sorted(table.to_act):
        table.act(seat, "ready")
    assert table.view(None)["units"]["FRANCE"] == ["A mun", "A ruh"]
    with pytest.raises(RulesError, match="cannot occur"):
        powderkeg.table("diplomacy", state={"units": {"FRANCE": ["A bur", "A bur"]}})


@pytest.mark.parametrize("name", powderkeg.GAME_NAMES)
def test_a_game_goes_on_from_what_a_seat_knows(name):
    table, rng = powderkeg.table(name, seed=3), random.Random(3)
    for _ in range(30):
        seat = min(table.to_act)
        table.act(seat, table.legal(seat).sample(rng))
    view = table.view(table.seats[0])
    other = powderkeg.table(name, seed=4, state=view)
    assert other.view(table.seats[0]) == view
    powderkeg.table(name, state=table.state)
