"""The judge: a moderator's page and a program's lines go in, reasons and the next position out."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import typer
from hypothesis import given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

from powderkeg.cli.judge import judge_orders as command
from powderkeg.core.errors import RulesError, Unreadable
from powderkeg.core.words import LANGS, say
from powderkeg.games.diplomacy.actions import Hold, parse_order, parse_unit
from powderkeg.games.diplomacy.board import CENTRES, POWERS, Unit
from powderkeg.games.diplomacy.judge.jsonl import judge_data, judge_line
from powderkeg.games.diplomacy.judge.judge import judge_phase
from powderkeg.games.diplomacy.judge.page import judge_page, page_blocks
from powderkeg.games.diplomacy.judge.report import blank_page, judge_report
from powderkeg.games.diplomacy.judge.sheet import OVER, Sheet, first_sheet
from powderkeg.games.diplomacy.notation.lexicon import find_power
from powderkeg.games.diplomacy.rules.outcomes import Why

CASES = Path(__file__).parents[1] / "cases"
SAMPLE = json.loads((CASES / "diagrams.json").read_text(encoding="utf-8"))["sample_game"]

app = typer.Typer()
app.command()(command)


def cli(*args: str, stdin: str = "") -> str:
    done = CliRunner().invoke(app, list(args), input=stdin, catch_exceptions=False)
    assert done.exit_code == 0
    return done.output


def listed(units: dict[str, list[str]]) -> dict[str, list[str]]:
    return {power: sorted(texts) for power, texts in units.items() if texts}


def written(phase: dict[str, Any]) -> str:
    return "\n".join(f"{name}: {', '.join(texts)}" for name, texts in phase["orders_es"].items())


# A moderator's page


@pytest.mark.slow
def test_the_sample_game_on_one_page_is_recorded(recorded):
    """The rulebook's sample game as a moderator would copy it, judged in one go."""
    names = {"S": "Primavera de", "F": "Otoño de", "W": "Invierno de"}
    text = ""
    for phase in SAMPLE:
        kind = ", retiradas" if phase["phase"][-1] == "R" else ""
        text += f"{names[phase['phase'][0]]} {phase['phase'][1:5]}{kind}\n{written(phase)}\n\n"
    turns = judge_page(text)
    assert [turn.sheet.phase for turn in turns] == [phase["phase"] for phase in SAMPLE]
    assert not any(turn.refused for turn in turns)
    for lang in LANGS:
        recorded(f"diplomacy_judge_sample.{lang}.txt", judge_report(turns, lang))


@pytest.mark.slow
@pytest.mark.parametrize("lang", LANGS)
def test_the_sample_game_phase_by_phase(lang):
    """What the judge writes is the page for the next phase: only the orders are added."""
    sheet = ""
    for phase in SAMPLE:
        sheet = cli("-", "--lang", lang, stdin=f"{sheet}\n{written(phase)}\n")
        judged = judge_page(sheet)[-1].sheet
        got = {
            power: [str(unit).upper() for unit in units] for power, units in judged.units.items()
        }
        assert listed(got) == listed(phase["after_units"])
        owned = {power: [c.upper() for c in judged.owned(power)] for power in POWERS}
        assert listed(owned) == listed(phase["after_centers"])


@pytest.mark.parametrize("lang", LANGS)
def test_a_page_without_orders_is_only_repeated(lang):
    blank = blank_page(first_sheet(), lang)
    assert judge_report(judge_page(blank), lang) == blank
    assert cli("-", "--lang", lang, stdin="") == blank


@pytest.mark.parametrize(
    "text",
    [
        "S1901M\nFrance: A Par-Bur",
        "Spring 1901\n\nFRANCE\nA Par-Bur",
        "== Spring 1901 ==\nOrders:\nFrance: A Par-Bur  # the usual",
        "Primavera de 1901\n# nota\nÓrdenes\nFrancia: E Par-Bor",
        "Primavera 1901\nOrdini\nFrancia:\n  A Par-Bor",
        "France A Par-Bur",
        "\ufeffFrance (3 centres):\n 1. A Par-Bur",
        "France\n- A Par-Bur",
        "France \u2013 A Par-Bur",
        "Units\nFrance: A Par, A Mar, F Bre\n\nOrders\nFrance: A Par-Bur",
        "Units:\nFrancia: E París, E Marsella\n F Brest\nOrders:\nFrancia: E Par-Bor.",
    ],
)
def test_what_a_moderator_would_type(text):
    (turn,) = judge_page(text)
    assert turn.sheet.phase == "S1901M"
    assert [str(order) for order in turn.orders["FRANCE"]] == ["A par - bur"]
    assert turn.judged is not None
    assert Unit("A", "bur") in turn.judged.sheet.units["FRANCE"]


@pytest.mark.parametrize(
    ("line", "phase"),
    [
        ("Spring 1901", "S1901M"),
        ("Autumn 1903, retreats", "F1903R"),
        ("Fall 1901 Retreats:", "F1901R"),
        ("Otoño de 1902 (retiradas)", "F1902R"),
        ("Inverno 1905", "W1905A"),
        ("fall 1901 builds", "W1901A"),
        ("f1901m", "F1901M"),
        ("W1901A", "W1901A"),
    ],
)
def test_phases(line, phase):
    assert page_blocks(line)[0].phase == phase


@pytest.mark.rule("D-ORD-06", "D-ORD-08")
def test_unreadable_orders_are_reported_and_the_unit_holds():
    (turn,) = judge_page("France: A Par-Bur, A Mar-Xyz\n  F Bre to the moon\n")
    assert [(each.line, each.text) for each in turn.refused] == [
        (1, "A Mar-Xyz"),
        (2, "F Bre to the moon"),
    ]
    text = judge_report([turn], "en")
    assert "Line 1, France: No place on the map is called “Xyz”" in text
    assert "France, A Mar H, for want of a valid order." in text
    assert turn.judged is not None
    assert parse_unit("A mar") in turn.judged.sheet.units["FRANCE"]


@pytest.mark.rule("D-ORD-16")
def test_support_of_a_move_does_not_order_it():
    (turn,) = judge_page("France: A Par S A Mar-Bur")
    assert turn.judged is not None
    assert parse_unit("A mar") in turn.judged.sheet.units["FRANCE"]
    why = {str(outcome.order): outcome.why for outcome in turn.judged.outcomes}
    assert why["A par S A mar - bur"] is Why.MOVE_DIFFERS


@pytest.mark.rule("D-ORD-15")
def test_two_different_orders_for_one_unit():
    (turn,) = judge_page("France: A Par-Bur, A Par-Pic\nGermany: A Mun S A Par")
    assert turn.judged is not None
    why = {str(outcome.order): outcome.why for outcome in turn.judged.outcomes}
    assert why["A par - bur"] == why["A par - pic"] == Why.CONFLICT
    assert parse_unit("A par") in turn.judged.sheet.units["FRANCE"]
    assert "A Par-Bur: not possible, the unit was given different orders." in judge_report(
        [turn], "en"
    )


def test_a_unit_with_two_orders_is_dislodged_once():
    units = "Units\nFrance: A Bur\nGermany: A Mun, A Ruh\nOrders\n"
    orders = "France: A Bur-Mun, A Bur H\nGermany: A Mun-Bur, A Ruh S A Mun-Bur"
    told = judge_report(judge_page(f"Fall 1902\n{units}{orders}"), "en")
    assert told.count("A Bur is dislodged by A Mun-Bur.") == 1


@pytest.mark.parametrize(
    ("text", "code", "line"),
    [
        ("Narnia: A Par-Bur", "judge.no_such_power", 1),
        ("A Par-Bur", "judge.whose", 1),
        ("\nUnits\nFrance: A Par, F Xyz", "diplomacy_notation.unknown_place", 3),
        ("Spring 1901\nFrance: A Par-Bur\nSpring 1902\nFrance: none", "judge.other_phase", 3),
    ],
)
def test_what_is_wrong_with_a_page(text, code, line):
    with pytest.raises(Unreadable) as error:
        judge_page(text)
    assert error.value.code == "judge.at_line"
    assert error.value.msg.args["line"] == line
    assert error.value.msg.args["why"].code == code


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("Units\nFrance: A Par\nItaly: A Par", "judge.two_units"),
        ("Units\nFrance: A NTH", "judge.bad_unit"),
        ("Units\nFrance: F Spa", "judge.bad_unit"),
        ("Units\nFrance: A Par\nCentres\nFrance: Bur", "judge.not_a_centre"),
        ("Units\nFrance: A Par\nCentres\nFrance: Par\nItaly: Par", "judge.centre_twice"),
        ("S1901A\nFrance: A Par-Bur", "judge.bad_phase"),
    ],
)
def test_impossible_positions(text, code):
    with pytest.raises(Unreadable) as error:
        judge_page(text)
    assert error.value.code == code


def test_retreats_on_a_page():
    position = "Fall 1902, retreats\nUnits\nGermany: A Bur\nDislodged\nFrance: A Bur [Gas, Pic]\n"
    (turn,) = judge_page(position + "Orders\nFrance: A Bur-Gas")
    assert turn.judged is not None
    assert parse_unit("A gas") in turn.judged.sheet.units["FRANCE"]
    (turn,) = judge_page(position + "Orders\nFrance: none")
    assert turn.judged is not None
    assert turn.judged.sheet.units["FRANCE"] == ()
    (turn,) = judge_page(position.replace(" [Gas, Pic]", "") + "Orders\nFrance: A Bur R Mun")
    assert turn.judged is not None
    assert parse_unit("A mun") in turn.judged.sheet.units["FRANCE"]


def test_centres_that_nobody_listed():
    """Whoever stands there, else whose home it is."""
    (turn,) = judge_page("Fall 1905\nUnits\nItaly: A Mar, A Tun\nFrance: A Par")
    assert [turn.sheet.centres.get(c) for c in ("mar", "tun", "bre", "spa")] == [
        "ITALY",
        "ITALY",
        "FRANCE",
        None,
    ]


# Programs


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


@settings(deadline=None)
@given(st.text(max_size=200))
def test_any_page_is_judged_or_refused(text):
    try:
        turns = judge_page(text)
    except RulesError as error:
        message = say(error.msg, "en")
        assert not message.startswith("judge.")
    else:
        assert judge_report(turns, "it")


@pytest.mark.slow
def test_lines_are_answered_one_by_one(tmp_path):
    """A program may write a line, wait for the answer, and go on; a bad line spoils nothing."""
    start = "import typer; from powderkeg.cli.judge import judge_orders; typer.run(judge_orders)"
    with subprocess.Popen(
        [sys.executable, "-c", start, "--jsonl"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        encoding="utf-8",
    ) as judging:
        assert judging.stdin is not None
        assert judging.stdout is not None
        for n, line in enumerate(
            ['{"id": 0}', "?", '{"id": 2, "orders": {"FRANCE": ["Par-Bur"]}}']
        ):
            judging.stdin.write(line + "\n")
            judging.stdin.flush()
            answer = json.loads(judging.stdout.readline())
            assert answer["id"] == (None if n == 1 else n)
        judging.stdin.close()
    assert judging.returncode == 0


def test_files(tmp_path):
    path = tmp_path / "page.txt"
    path.write_text("France: A Par-Bur", encoding="utf-8")
    assert "Francia, A Par-Bor:" in cli(str(path), "--lang", "it")
    with pytest.raises(Unreadable):
        cli(str(tmp_path / "none.txt"))
    with pytest.raises(Unreadable):
        cli(str(tmp_path))


@pytest.mark.slow
@pytest.mark.parametrize("stdin", [True, False])
def test_what_is_no_text(tmp_path, stdin):
    path = tmp_path / "page.bin"
    path.write_bytes(b"France: A Par-Bur\n\xff\xfe\x00")
    args = [sys.executable, "-m", "powderkeg", "judge", "--lang", "es"]
    done = subprocess.run(
        args if stdin else [*args, str(path)],
        input=path.read_bytes(),
        capture_output=True,
        check=False,
    )
    assert done.returncode != 0
    assert "no se puede leer como texto" in " ".join(done.stderr.decode().split())


def test_readings_of_the_rulebook():
    """An army whose convoy is missing stays, unless the group lets it walk (D-CONV-14)."""
    units = {"GERMANY": ["A BER", "F BAL"]}
    line = json.dumps({"units": units, "orders": {"GERMANY": ["A BER - KIE VIA"]}})
    stays = json.loads(cli("-", "--jsonl", stdin=line))
    walks = json.loads(cli("-", "--jsonl", "-o", "land_fallback=true", stdin=line))
    assert "A BER" in stays["units"]["GERMANY"]
    assert "A KIE" in walks["units"]["GERMANY"]
    with pytest.raises(Unreadable):
        cli("-", "-o", "victory_centres=20", stdin="")


@pytest.mark.slow
def test_maps(tmp_path):
    """The last phase judged is drawn with its orders; a page without orders, as it stands."""
    svg, png = tmp_path / "map.svg", tmp_path / "map.png"
    cli("-", "--svg", str(svg), "--png", str(png), "--lang", "it", stdin="France: A Par-Bur")
    assert "Primavera 1901" in svg.read_text(encoding="utf-8")
    assert png.read_bytes().startswith(b"\x89PNG")
    moved = svg.read_text(encoding="utf-8")
    cli("-", "--svg", str(svg), "--lang", "it", stdin="")
    assert svg.read_text(encoding="utf-8") != moved


def test_maps_need_the_extra(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    with pytest.raises(Unreadable) as error:
        cli("-", "--png", str(tmp_path / "map.png"), stdin="")
    assert error.value.code == "judge.no_drawing"


# The judge itself


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
