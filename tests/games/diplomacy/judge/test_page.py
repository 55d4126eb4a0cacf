"""The judge for moderators: a page of orders as people type them."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from powderkeg.core.errors import RulesError, Unreadable
from powderkeg.core.words import LANGS, say
from powderkeg.games.diplomacy.actions import parse_unit
from powderkeg.games.diplomacy.board import POWERS, Unit
from powderkeg.games.diplomacy.judge.page import judge_page, page_blocks
from powderkeg.games.diplomacy.judge.report import blank_page, judge_report
from powderkeg.games.diplomacy.judge.sheet import first_sheet
from powderkeg.games.diplomacy.rules.outcomes import Why
from tests.games.diplomacy.judge.sample import SAMPLE, cli, listed, written


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
    assert "France, A Mar H: no valid order was given." in text
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
    report = judge_report(judge_page(f"Fall 1902\n{units}{orders}"), "en")
    assert report.count("A Bur is dislodged by A Mun-Bur.") == 1


@pytest.mark.parametrize(
    ("text", "code", "line"),
    [
        ("Units\nNarnia: A Par", "judge.no_such_power", 2),
        ("Units\nA Par", "judge.whose", 2),
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
        ("Narnia: A Par-Bur", "judge.no_such_power"),
        ("A Par-Bur", "judge.whose"),
        ("From: anna@example.org\nFrance: A Mar H", "judge.no_such_power"),
        ("Hi GM,\n\nFrance: A Mar H", "judge.whose"),
    ],
)
def test_lines_that_belong_to_no_power_do_not_stop_the_page(text, code):
    (turn,) = judge_page(text)
    assert [(each.power, each.error.code) for each in turn.refused] == [("", code)]
    assert f"Line 1: {say(turn.refused[0].error.msg, 'en')}" in judge_report([turn], "en")
    assert bool(turn.judged) == ("France" in text)


def test_lines_below_an_unknown_name_belong_to_no_power():
    (turn,) = judge_page("France: A Mar H\nNarnia:\n A Par-Bur\nItaly: A Ven H")
    assert list(turn.orders) == ["FRANCE", "ITALY"]
    assert [each.line for each in turn.refused] == [2, 3]


def test_a_misspelt_power_is_read_and_said():
    (turn,) = judge_page("Francia: E Mar M\nTtalia: E Rom M\n  E Ven M", lang="es")
    assert list(map(str, turn.orders["ITALY"])) == ["A rom H", "A ven H"]
    assert not turn.refused
    report = judge_report([turn], "es")
    assert "Leído con correcciones\nLínea 2, Italia: «Ttalia» se ha leído como Italia." in report


def test_what_was_put_right_is_said():
    (turn,) = judge_page("France: A Par-Burgandy, F Mar H, F Bre-MAO")
    report = judge_report([turn], "en")
    assert "Line 1, France: “A Par-Burgandy” was read as A Par-Bur." in report
    assert "Line 1, France: “F Mar H” was read as A Mar H." in report
    assert report.count("was read as") == 2


@pytest.mark.rule("D-ORD-02")
def test_refusals_are_argued_in_the_language_of_the_page():
    """The rulebook's diagram 20 misprints MOr for MOc."""
    units = "Unidades\nInglaterra: E Lon, F CMa, F AtC\nFrancia: F MOc\n"
    for order, fixed in (
        ("F MOr T E Inglés Lon-Tun", "Francia no tiene ninguna unidad en Mediterráneo Oriental"),
        ("E Roma M", "Francia no tiene ninguna unidad en Roma"),
        ("Xyz", "Ninguna región del mapa se llama «Xyz»"),
    ):
        page = f"Primavera de 1901\n{units}Órdenes\nFrancia: {order}\n"
        assert fixed in judge_report(judge_page(page), "es")
        assert fixed in cli("-", "--lang", "es", stdin=page)


def test_full_stops_between_orders():
    (turn,) = judge_page("Francia: E Paris-Borgoña. F Brest-AtC.\nRusia: F Seb A E Mos. E Mos M")
    assert [str(o) for o in turn.orders["FRANCE"]] == ["A par - bur", "F bre - mao"]
    assert [str(o) for o in turn.orders["RUSSIA"]] == ["F sev S A mos", "A mos H"]


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
    """They belong to the power that stands there, else to the power whose home they are."""
    (turn,) = judge_page("Fall 1905\nUnits\nItaly: A Mar, A Tun\nFrance: A Par")
    assert [turn.sheet.centres.get(c) for c in ("mar", "tun", "bre", "spa")] == [
        "ITALY",
        "ITALY",
        "FRANCE",
        None,
    ]


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
