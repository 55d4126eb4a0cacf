"""The sandbox of Diplomacy: seven powers in one hand, and positions put together by a person."""

import pytest

from powderkeg.core.errors import RulesError
from powderkeg.core.table import Table
from powderkeg.games import diplomacy, find_sandbox_tool
from powderkeg.games.diplomacy.board import CENTRES
from powderkeg.games.diplomacy.rules.turn import VICTORY_CENTRES

TOOL = find_sandbox_tool("diplomacy")


def sandbox() -> Table:
    return Table(diplomacy, 1, diplomacy.Options())


def test_one_seat_orders_every_power_and_each_still_fights_for_itself():
    table = sandbox()
    for order in ("A par - bur", "A mun - bur", "F lon - nth", "A vie - gal", "A war - gal"):
        table.act("ALL", order)
    table.act("ALL", "ready")
    view = diplomacy.view(table.state, "ALL")
    assert view["phase"] == "F1901M"
    assert "A par" in view["units"]["FRANCE"]  # a standoff between powers of one hand
    assert "F nth" in view["units"]["ENGLAND"]


def test_a_support_against_another_power_of_the_same_hand_counts():
    table = sandbox()
    position = {
        "year": 1905,
        "season": "fall",
        "units": {"FRANCE": ["A par", "A mar"], "GERMANY": ["A bur"]},
        "centres": {"FRANCE": ["par", "mar", "bre"], "GERMANY": ["mun"]},
    }
    table = Table(diplomacy, 1, diplomacy.Options(), state=TOOL.edit(table.state, position))
    table.act("ALL", "A par - bur")
    table.act("ALL", "A mar S A par - bur")
    table.act("ALL", "ready")
    view = diplomacy.view(table.state, "ALL")
    assert view["phase"] == "F1905R"
    assert [each["unit"] for each in view["dislodged"]] == ["A bur"]


def test_a_sandbox_is_never_won_and_nothing_is_voted_on():
    position = {
        "year": 1905,
        "season": "fall",
        "units": {"FRANCE": ["A par"]},
        "centres": {"FRANCE": sorted(CENTRES)[: VICTORY_CENTRES + 2]},
    }
    edited = TOOL.edit(sandbox().state, position)
    table = Table(diplomacy, 1, diplomacy.Options(), state=edited)
    table.act("ALL", "ready")
    state = table.state
    assert (state.ending, state.phase) == (None, "W1905A")
    legal = {str(action) for action in diplomacy.legal(state, "ALL")}
    assert "ready" in legal
    assert not any(text.startswith("propose") for text in legal)


def test_a_game_is_gathered_without_what_others_wrote():
    table = Table(diplomacy, 7, diplomacy.Options())
    table.act("FRANCE", "A par - bur")
    table.act("GERMANY", "ready")
    state = TOOL.gather(table.state)
    assert state.drafts == {}
    assert diplomacy.to_act(state) == {"ALL"}
    assert diplomacy.broken(state) == []


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"units": {}}, "diplomacy.position.empty"),
        ({"units": {"FRANCE": ["A nth"]}}, "diplomacy.position.cannot_stand"),
        ({"units": {"FRANCE": ["A par"], "ITALY": ["A par"]}}, "diplomacy.position.crowded"),
        ({"centres": {"FRANCE": ["bur"]}}, "diplomacy.position.no_centre"),
        ({"centres": {"FRANCE": ["par"], "ITALY": ["par"]}}, "judge.centre_twice"),
        ({"units": {"FRANCE": ["A atlantis"]}}, "diplomacy.no_such_place"),
        ({"year": 3000}, "diplomacy.position.year"),
        ({"season": "monsoon"}, "diplomacy.position.season"),
    ],
)
def test_a_position_that_cannot_be_is_refused_with_a_reason(change, code):
    position = {"year": 1901, "season": "spring", "units": {"FRANCE": ["A par"]}, **change}
    with pytest.raises(RulesError) as refused:
        TOOL.edit(sandbox().state, position)
    assert refused.value.msg.code == code
