"""The judge for programs: one JSON object per line."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from powderkeg.core.words import LANGS
from powderkeg.games.diplomacy.board import CENTRES
from powderkeg.games.diplomacy.judge.jsonl import judge_data, judge_line
from powderkeg.games.diplomacy.judge.sheet import OVER
from tests.games.diplomacy.judge.sample import SAMPLE, listed


@pytest.mark.rule("D-PHASE-09", "D-SC-01", "D-SET-06")
def test_the_sample_game_line_by_line(recorded):
    """The answer of one phase is the position of the next."""
    answer: dict[str, Any] = {"id": "sample"}
    answers = ""
    for phase in SAMPLE:
        assert answer.get("phase", "S1901M") == phase["phase"]
        answers += judge_line(json.dumps({**answer, "orders": phase["orders"]})) + "\n"
        answer = json.loads(answers.splitlines()[-1])
        units = {p: [u for u in us if u[0] != "*"] for p, us in answer["units"].items()}
        assert listed(units) == listed(phase["after_units"])
        assert listed(answer["centers"]) == listed(phase["after_centers"])
        assert answer["id"] == "sample"
        assert "refused" not in answer
    assert answer["phase"] == "S1903M"
    recorded("diplomacy_judge_sample.jsonl", answers)


def test_results_of_a_line():
    units = {"FRANCE": ["A PAR", "A MAR"], "GERMANY": ["A MUN"], "ITALY": ["A VEN", "F STP/SC"]}
    orders = {
        "FRANCE": ["A PAR - BUR"],
        "GERMANY": ["A MUN - BUR"],
        "ITALY": ["A VEN - PAR", "F STP - BOT", "A MUN H"],
    }
    answer = judge_data({"id": 1, "phase": "S1901M", "units": units, "orders": orders})
    assert answer["results"]["A PAR"] == {
        "order": "A PAR - BUR",
        "outcome": "bounces",
        "why": "standoff",
        "by": ["A MUN - BUR"],
        "rule": 3,
        "rule_id": "D-STAND-01",
    }
    assert answer["results"]["A VEN"]["outcome"] == "void"
    assert answer["results"]["A VEN"]["why"] == "not_adjacent"
    assert answer["results"]["A MAR"]["why"] == "unordered"
    assert answer["results"]["F STP/SC"]["outcome"] == "succeeds"
    assert [each["code"] for each in answer["refused"]] == ["diplomacy.why.foreign_unit"]


@pytest.mark.rule("D-RET-06")
def test_a_unit_without_a_retreat_keeps_the_result_of_its_order():
    units = {
        "FRANCE": ["A MAR", "A GAS"],
        "ITALY": ["A SPA", "F POR"],
        "ENGLAND": ["F MAO", "F WES", "F LYO"],
    }
    orders = {
        "FRANCE": ["A GAS - SPA", "A MAR S A GAS - SPA"],
        "ITALY": ["A SPA S F POR", "F POR - MAO"],
    }
    answer = judge_data({"phase": "S1901M", "units": units, "orders": orders})
    found = answer["results"]["A SPA"]
    assert (found["order"], found["outcome"]) == ("A SPA S F POR", "unmatched")
    assert (found["dislodged_by"], found["disbanded"]) == ("A GAS - SPA", "no_retreat")
    assert answer["units"]["ITALY"] == ["F POR"]
    assert answer["phase"] == "F1901M"


def test_orders_of_a_line_as_people_write_them():
    """Where wire notation does not do, a power's orders are read as people write."""
    orders = {"FRANCE": ["E Par-Bor", "Mar-Esp", "F Bre a la luna"], "RUSSIA": ["WAIVE"]}
    answer = judge_data({"orders": orders})
    assert answer["units"]["FRANCE"] == ["A BUR", "A SPA", "F BRE"]
    (refused,) = answer["refused"]
    assert refused["power"] == "FRANCE"
    assert refused["order"] == "F Bre a la luna"
    assert refused["code"] == "diplomacy_notation.unknown_place"


def test_dislodged_units_and_their_retreats():
    units = {"FRANCE": ["A PAR", "A MAR"], "GERMANY": ["A BUR"]}
    orders = {"FRANCE": ["A PAR - BUR", "A MAR S A PAR - BUR"], "GERMANY": ["A BUR - LON"]}
    data = {"phase": "S1901M", "units": units, "orders": orders}
    answer = judge_data(data)
    assert answer["phase"] == "S1901R"
    assert answer["units"]["GERMANY"] == ["*A BUR"]
    assert answer["retreats"] == {"GERMANY": {"A BUR": ["BEL", "GAS", "MUN", "PIC", "RUH"]}}
    assert answer["results"]["A BUR"]["dislodged_by"] == "A PAR - BUR"
    assert answer["results"]["A BUR"]["why"] == "not_adjacent"
    after = judge_data({**answer, "orders": {"GERMANY": ["A BUR R MUN"]}})
    assert (after["phase"], after["units"]["GERMANY"]) == ("F1901M", ["A MUN"])
    assert judge_data({**answer, "orders": {"GERMANY": ["A BUR - MUN"]}})["units"] == after["units"]
    lost = judge_data({**answer, "orders": {}})
    assert lost["units"]["GERMANY"] == []
    assert lost["results"]["A BUR"]["why"] == "no_retreat_order"


def test_retreat_lists_are_trusted_only_as_far_as_they_can_be_right():
    """Some programs list occupied places too."""
    data = {
        "phase": "S1901R",
        "units": {"FRANCE": ["A BUR", "A PIC"], "GERMANY": ["*A BUR"]},
        "retreats": {"GERMANY": {"A BUR": ["PIC", "MUN", "LON"]}},
    }
    for to, alive in (("PIC", False), ("LON", False), ("MUN", True)):
        answer = judge_data({**data, "orders": {"GERMANY": [f"A BUR R {to}"]}})
        assert bool(answer["units"]["GERMANY"]) is alive


@pytest.mark.rule("D-WIN-01", "D-WIN-02")
def test_the_game_is_over_with_eighteen_centres_after_fall():
    centres = [c.upper() for c in CENTRES]
    data = {
        "units": {"TURKEY": [f"A {centres[17]}"]},
        "centers": {"TURKEY": centres[:17]},
        "orders": {"TURKEY": []},
    }
    assert judge_data({**data, "phase": "S1910M"})["phase"] == "F1910M"
    answer = judge_data({**data, "phase": "F1910M"})
    assert answer["phase"] == OVER
    assert len(answer["centers"]["TURKEY"]) == 18
    again = json.loads(judge_line(json.dumps({**answer, "orders": {}})))
    assert again["error"]["code"] == "judge.over"


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("nonsense", "judge.not_json"),
        ("[1, 2]", "judge.not_json"),
        ('{"id": 5, "phase": "X1901M"}', "judge.bad_phase"),
        ('{"id": 5, "units": {"FRANCE": "A PAR"}}', "judge.bad_field"),
        ('{"id": 5, "units": {"NARNIA": ["A PAR"]}}', "judge.no_such_power"),
        ('{"id": 5, "units": {"FRANCE": ["A XYZ"]}}', "diplomacy_notation.unknown_place"),
        ('{"id": 5, "orders": ["A PAR - BUR"]}', "judge.bad_field"),
        ('{"id": 5, "units": {"FRANCE": ["A PAR", "F PAR"]}}', "judge.bad_unit"),
        ('{"id": 5, "units": {"FRANCE": ["A BRE", "F BRE"]}}', "judge.two_units"),
    ],
)
@pytest.mark.parametrize("lang", LANGS)
def test_a_bad_line_gets_an_answer(line, code, lang):
    answer = json.loads(judge_line(line, lang))
    assert answer["error"]["code"] == code
    assert not answer["error"]["message"].startswith(("judge.", "diplomacy"))
    assert answer["id"] == (5 if "id" in line else None)


@settings(deadline=None)
@given(st.text(max_size=80))
def test_any_line_gets_an_answer(line):
    assert json.loads(judge_line(line))["error"]


junk = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=9),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["FRANCE", "A PAR", "x"]), inner, max_size=2)
    ),
    max_leaves=6,
)

FIELDS = ["id", "phase", "units", "centers", "retreats", "orders"]


@pytest.mark.slow
@settings(deadline=None)
@given(
    st.dictionaries(st.sampled_from(FIELDS), junk), st.sampled_from(["S1901M", "F1901R", "W1901A"])
)
def test_any_object_gets_an_answer(data, phase):
    """Whatever stands in its fields: an error, or a position that can be judged on."""
    for line in (data, {**data, "phase": phase}):
        answer = json.loads(judge_line(json.dumps(line)))
        assert ("error" in answer) != ("results" in answer)
        assert answer["id"] == data.get("id")


def test_bottomless_lines():
    assert json.loads(judge_line("[" * 100_000))["error"]["code"] == "judge.not_json"


def test_a_power_named_twice_keeps_all_that_is_listed():
    answer = judge_data(
        {
            "units": {"FRANCE": ["A PAR"], "Francia": ["A MAR"]},
            "centers": {"france": ["PAR"], "FRANCE": ["MAR"]},
            "orders": {"FRANCE": ["A PAR - BUR"], "Francia": ["A MAR - SPA"]},
        }
    )
    assert answer["units"]["FRANCE"] == ["A BUR", "A SPA"]
    assert answer["centers"]["FRANCE"] == ["PAR", "MAR"]
