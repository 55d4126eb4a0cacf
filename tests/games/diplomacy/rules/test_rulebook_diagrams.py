"""The rulebook's own examples: 32 diagrams, the examples in its text, the sample game."""

import json
import random
from pathlib import Path

import pytest

from powderkeg.core.chance import Seeded
from powderkeg.core.table import Table
from powderkeg.games import diplomacy
from powderkeg.games.diplomacy.actions import Move, parse_order, parse_unit
from powderkeg.games.diplomacy.board import unit_moves
from powderkeg.games.diplomacy.rules.adjudicate import adjudicate
from powderkeg.games.diplomacy.rules.outcomes import Outcome
from powderkeg.games.diplomacy.rules.position import Position

BOOK = json.loads((Path(__file__).parents[1] / "cases/diagrams.json").read_text(encoding="utf-8"))

RULES = {
    4: ["D-STAND-01"],
    5: ["D-STAND-03", "D-MOVE-04"],
    6: ["D-MOVE-05"],
    7: ["D-MOVE-07"],
    8: ["D-DISL-01", "D-SUP-07"],
    9: ["D-SUP-03"],
    10: ["D-STAND-01", "D-STAND-02"],
    11: ["D-SUP-06", "D-DISL-04"],
    12: ["D-STAND-05", "D-DISL-02"],
    13: ["D-STAND-06", "D-MOVE-06"],
    14: ["D-STAND-06"],
    15: ["D-CUT-01"],
    16: ["D-CUT-02"],
    17: ["D-CUT-03"],
    18: ["D-CUT-04"],
    19: ["D-CONV-01"],
    20: ["D-CONV-07"],
    21: ["D-CONV-09"],
    22: ["D-SELF-01"],
    23: ["D-SELF-02"],
    24: ["D-SELF-03"],
    25: ["D-SELF-02"],
    26: ["D-SELF-04"],
    27: ["D-SELF-06", "D-SUP-02"],
    28: ["D-CONV-13"],
    29: ["D-CONV-15"],
    30: ["D-CONV-16", "D-CUT-09"],
    31: ["D-CONV-17", "D-CUT-09"],
    32: ["D-CONV-17", "D-RET-06"],
    "32-nota": ["D-CONV-17"],
    "texto-transporte": ["D-CONV-04"],
    "texto-apoyo": ["D-CONV-06"],
    "texto-intercambio-23": ["D-SELF-03"],
}
# In the summary of the rulebook (specification, appendix 2); 24 in effect by its own rule.
NUMBERS = {4: 3, 5: 5, 6: 6, 7: 7, 12: 3, 13: 11, 15: 13, 16: 13, 17: 14, 18: 15, 21: 17, 22: 12}
NUMBERS |= {23: 12, 24: 12, 25: 12, 26: 12, 28: 19, 29: 20, 30: 21, 31: 22, 32: 14}

WORDS = {
    "bounced": "fails(bounce)",
    "no_convoy": "fails(no convoy)",
    "unmatched": "void(unmatched)",
}


def word(outcome: Outcome) -> str:
    said = WORDS.get(outcome.verdict, str(outcome.verdict))
    return said + ("+dislodged" if outcome.dislodged_by else "")


def position(units) -> Position:
    return Position({power: tuple(map(parse_unit, found)) for power, found in units.items()})


def upper(units) -> dict[str, list[str]]:
    return {power: sorted(str(u).upper() for u in found) for power, found in units.items() if found}


def test_all_diagrams_are_there():
    assert [each["diagram"] for each in BOOK["diagrams"]] == list(RULES)
    assert [each["diagram"] for each in BOOK["legal_move_diagrams"]] == [1, 2, 3]


@pytest.mark.rule("D-MAP-02", "D-MAP-03", "D-MAP-04")
@pytest.mark.parametrize("diagram", BOOK["legal_move_diagrams"], ids=lambda d: str(d["diagram"]))
def test_where_a_unit_can_go(diagram):
    found = {to.upper() for to in unit_moves(parse_unit(diagram["unit"]))}
    assert found == set(diagram["moves"])


@pytest.mark.parametrize(
    "diagram",
    [
        pytest.param(d, id=str(d["diagram"]), marks=pytest.mark.rule(*RULES[d["diagram"]]))
        for d in BOOK["diagrams"]
    ],
)
def test_diagram(diagram):
    orders = {p: [*map(parse_order, texts)] for p, texts in diagram["orders"].items()}
    done = adjudicate(position(diagram["units"]), orders)
    said = {
        p: [[str(o.order).upper(), word(o)] for o in done.outcomes if o.power == p] for p in orders
    }
    assert said == diagram["results"]
    assert upper(done.position.units) == diagram["expected_units"]
    assert sorted(each.unit.at.upper() for each in done.dislodged) == diagram["dislodged"]
    for each in done.dislodged:
        options = diagram["retreat_options"].get(each.power, {}).get(str(each.unit).upper(), [])
        assert [to.upper() for to in each.retreats] == options
    number = NUMBERS.get(diagram["diagram"])
    assert number is None or number in {o.number for o in done.outcomes}


# The sample game, played at a table


def play_sample() -> tuple[Table, list[tuple[str, diplomacy.State]]]:
    """Play the printed orders; keep the state after each printed phase."""
    table = Table(diplomacy, 7, source=Seeded(random.Random(0)))
    states = []
    for phase in BOOK["sample_game"]:
        assert table.state.phase == phase["phase"]
        assert upper(table.state.units) == without_dislodged(phase, table.state)
        if phase["phase"].startswith("W"):
            owned = {p: [c.upper() for c in table.state.centres_of(p)] for p in table.seats}
            assert owned == phase["centers"]
        for power, texts in sorted(phase["orders"].items()):
            for text in texts:
                table.act(power, text.replace("STP/SC", "stp/sc").lower())
        for seat in sorted(table.to_act):
            table.act(seat, "ready")
        states.append((phase["phase"], table.state))
    return table, states


def without_dislodged(phase, state) -> dict[str, list[str]]:
    """The printed units, less those that wait for a retreat: they are off the board."""
    gone = {(each.power, str(each.unit).upper()) for each in state.dislodged}
    units = {p: sorted(u for u in us if (p, u) not in gone) for p, us in phase["units"].items()}
    return {power: found for power, found in units.items() if found}


@pytest.mark.rule("D-SET-06", "D-CUT-06", "D-DISL-05", "D-SC-02", "D-SC-04", "D-ADJ-01", "D-RET-03")
def test_the_sample_game():
    table, states = play_sample()
    for (name, state), phase in zip(states, BOOK["sample_game"], strict=True):
        assert upper(state.units) == phase["after_units"] or state.dislodged, name
    counts = {power: len(table.state.centres_of(power)) for power in table.seats}
    assert counts == {
        "AUSTRIA": 5,
        "ENGLAND": 5,
        "FRANCE": 5,
        "GERMANY": 6,
        "ITALY": 4,
        "RUSSIA": 4,
        "TURKEY": 5,
    }
    assert table.state.phase == "S1903M"


def outcomes_of(table: Table, phase: str) -> list[Outcome]:
    """What came of a movement phase, judged again from the printed orders."""
    printed = next(each for each in BOOK["sample_game"] if each["phase"] == phase)
    orders = {p: [*map(parse_order, texts)] for p, texts in printed["orders"].items()}
    return list(adjudicate(position(printed["units"]), orders).outcomes)


@pytest.mark.parametrize("phase", ["S1901M", "F1901M", "S1902M", "F1902M"])
def test_the_printed_results_of_the_sample_game(phase):
    printed = next(each for each in BOOK["sample_game"] if each["phase"] == phase)
    outcomes = outcomes_of(play_sample()[0], phase)
    failed = {
        o.order.unit.at.upper() for o in outcomes if isinstance(o.order, Move) and o.verdict != "ok"
    }
    cut = {o.order.unit.at.upper() for o in outcomes if o.verdict == "cut"}
    assert failed == set(printed["expected_failed_moves"])
    assert cut == set(printed["cut"])
    assert {o.order.unit.at.upper() for o in outcomes if o.dislodged_by} == set(
        printed["dislodged"]
    )
