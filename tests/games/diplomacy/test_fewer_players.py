"""Games for fewer than seven players."""

import pytest

from powderkeg.core.chance import CHANCE, Drawn, Scripted
from powderkeg.core.table import Table
from powderkeg.games import diplomacy
from powderkeg.games.diplomacy.actions import Move, Retreat, parse
from powderkeg.games.diplomacy.board import CENTRES, START
from powderkeg.games.diplomacy.state import HANDS
from tests.games.diplomacy.scene import begin, board, codes, play, refused, units

# Fewer players


@pytest.mark.rule("D-ALT-01", "D-ALT-11")
def test_six_players_italy_holds_can_be_supported_and_never_retreats():
    state = begin(6)
    assert "ITALY" not in HANDS[6]
    assert state.static == {"ITALY"}
    state = board(state, {"ITALY": "A ven A rom", "AUSTRIA": "A tri A tyr", "FRANCE": "A pie"})
    held, _ = play(state, AUSTRIA="A tri - ven, A tyr S A tri - ven", FRANCE="A pie S A ven")
    assert units(held, "ITALY") == {"A ven", "A rom"}
    fell, facts = play(state, AUSTRIA="A tri - ven, A tyr S A tri - ven")
    assert units(fell, "ITALY") == {"A rom"}
    assert fell.phase == "F1901M"
    assert "why.in_disorder" in codes(facts)


@pytest.mark.rule("D-ALT-02")
def test_a_static_power_never_adjusts_and_counts_for_nobody():
    state = board(
        begin(6),
        {"ITALY": "A rom", "FRANCE": "A ven"},
        {"ITALY": "rom ven nap", "FRANCE": "par"},
        season="fall",
    )
    state, _ = play(state)
    assert state.centres["ven"] == "FRANCE"
    state, _ = play(state)
    assert units(state, "ITALY") == {"A rom"}
    rest = {"ITALY": " ".join(CENTRES[:20]), "FRANCE": "par"}
    state, _ = play(board(begin(6), {"ITALY": "A rom", "FRANCE": "A gas"}, rest, season="fall"))
    assert diplomacy.result(state) is None


@pytest.mark.rule("D-ALT-03")
def test_five_players_italy_and_germany_stand_still():
    state = begin(5)
    assert state.static == {"ITALY", "GERMANY"}
    for _ in range(4):
        state, _ = play(state)
    assert {power: state.units[power] for power in state.static} == {
        p: START[p] for p in state.static
    }


@pytest.mark.rule("D-ALT-04", "D-ALT-05", "D-ALT-06")
@pytest.mark.parametrize(
    ("players", "hands"),
    [
        (4, ["ENGLAND", "AUSTRIA FRANCE", "GERMANY TURKEY", "ITALY RUSSIA"]),
        (3, ["AUSTRIA ENGLAND GERMANY", "ITALY RUSSIA", "FRANCE TURKEY"]),
        (2, ["ENGLAND FRANCE RUSSIA", "AUSTRIA GERMANY TURKEY"]),
    ],
)
def test_who_plays_what(players, hands):
    state = begin(players)
    assert [" ".join(powers) for powers in state.hands.values()] == hands
    for seat, powers in state.hands.items():
        mine = {unit.province for power in powers for unit in START[power]}
        rows = diplomacy.ask(state, seat).node.rows
        assert {row.target[:3] for row in rows} == mine


@pytest.mark.rule("D-ALT-07", "D-ALT-08")
def test_between_two_italy_is_closed_at_first():
    state = begin(2)
    assert state.phase == "S1914M"
    state = board(
        state,
        {"AUSTRIA": "A tri A tyr F ion", "ITALY": "A ven A rom F nap", "FRANCE": "A mar F lyo"},
    )
    for text in ("A tri - ven", "A tyr - pie", "F ion - apu", "F ion - nap"):
        assert refused(state, "CENTRAL", text) == "why.neutral"
    for text in ("A mar - pie", "F lyo - tus", "F lyo C A mar - tus", "F lyo S A mar - pie"):
        assert refused(state, "ENTENTE", text).startswith("why.")
    assert parse("F ion - tys") in diplomacy.legal(state, "CENTRAL")
    assert parse("F ion - tun") in diplomacy.legal(state, "CENTRAL")
    listed = {o.to for o in diplomacy.legal(state, "ENTENTE") if isinstance(o, Move)}
    assert not listed & {"pie", "tus", "rom", "nap", "apu", "ven"}


@pytest.mark.rule("D-ALT-07")
def test_no_retreat_into_neutral_italy():
    state = board(begin(2), {"AUSTRIA": "A tri A vie", "FRANCE": "A tyr", "GERMANY": "A mun"})
    state, _ = play(state, CENTRAL="A tri - tyr, A vie S A tri - tyr")
    options = {o.to for o in diplomacy.legal(state, "ENTENTE") if isinstance(o, Retreat)}
    assert options == {"boh"}


@pytest.mark.rule("D-ALT-09")
@pytest.mark.parametrize("winner", ["ENTENTE", "CENTRAL"])
def test_a_coin_decides_about_italy(winner):
    source = Scripted([Drawn((winner,))])
    table = Table(diplomacy, 2, source=source)
    tosses = 0
    while table.state.phase != "S1916M":  # a second winter tosses no second coin
        for seat in sorted(table.to_act):
            before = len(table.log)
            table.act(seat, "ready")
            tosses += sum(entry.seat == CHANCE for entry in table.log[before:])
    assert tosses == 1
    assert table.state.hands[winner][-1] == "ITALY"
    table.act(winner, "A ven - tyr")
    assert not table.state.position.closed


@pytest.mark.rule("D-CD-01")
def test_a_player_back_in_time_is_not_in_disorder():
    state = diplomacy.apply(begin(), "FRANCE", parse("absent")).state
    assert state.absent == {"FRANCE"}
    state = diplomacy.apply(state, "FRANCE", parse("revise")).state
    assert not state.absent
    assert "FRANCE" in diplomacy.to_act(state)
