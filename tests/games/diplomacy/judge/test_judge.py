"""The judge itself: positions and orders in, outcomes and the next position out."""

import pytest

from powderkeg.core.errors import RulesError
from powderkeg.games.diplomacy.actions import Hold, parse_order, parse_unit
from powderkeg.games.diplomacy.board import POWERS
from powderkeg.games.diplomacy.judge.judge import judge_phase
from powderkeg.games.diplomacy.judge.sheet import OVER, Sheet, first_sheet
from powderkeg.games.diplomacy.notation.lexicon import find_power
from powderkeg.games.diplomacy.rules.outcomes import Why
from tests.games.diplomacy.judge.sample import SAMPLE


@pytest.mark.rule("D-ORD-08")
def test_holding_everywhere_changes_nothing():
    sheet = first_sheet()
    orders = {power: [Hold(unit) for unit in units] for power, units in sheet.units.items()}
    for given_ in ({}, orders):
        after = judge_phase(sheet, given_)
        assert after.sheet == Sheet("F1901M", sheet.units, sheet.centres)


def test_nothing_is_judged_when_the_game_is_over():
    with pytest.raises(RulesError) as error:
        judge_phase(Sheet(OVER, first_sheet().units, first_sheet().centres), {})
    assert error.value.code == "judge.over"


@pytest.mark.rule("D-PHASE-09")
def test_empty_phases_are_skipped():
    """Nothing dislodged and nothing to build or remove: from fall straight to spring."""
    sheet = Sheet("F1901M", first_sheet().units, first_sheet().centres)
    after = judge_phase(sheet, {"FRANCE": [parse_order("A par - bur")]})
    assert after.sheet.phase == "S1902M"
    assert after.counted


@pytest.mark.rule("D-RET-06", "D-RET-03")
def test_a_unit_with_nowhere_to_go_is_gone_at_once():
    phase = next(phase for phase in SAMPLE if phase["phase"] == "F1902M")
    units = {p: tuple(map(parse_unit, us)) for p, us in phase["units"].items()}
    orders = {p: [parse_order(o) for o in os] for p, os in phase["orders"].items()}
    centres = {c.lower(): p for p, cs in phase["centers"].items() for c in cs}
    judged = judge_phase(Sheet("F1902M", units, centres), orders)
    assert parse_unit("F rum") not in judged.sheet.dislodged["RUSSIA"]
    gone = [str(o.order) for o in judged.outcomes if o.why is Why.NO_RETREAT]
    assert gone == ["F rum D"]


def test_power_names_of_the_sample_game():
    assert {find_power(name) for name in SAMPLE[0]["orders_es"]} == set(POWERS)
