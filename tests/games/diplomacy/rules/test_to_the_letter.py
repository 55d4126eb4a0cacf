"""The letter of the Spanish book: one option for three readings."""

import pytest

from powderkeg.core.words import Msg, say
from powderkeg.games.diplomacy.actions import parse_order, parse_unit
from powderkeg.games.diplomacy.board import PROVINCE_NAMES
from powderkeg.games.diplomacy.rules.adjudicate import adjudicate
from powderkeg.games.diplomacy.rules.adjustments import removal_order
from powderkeg.games.diplomacy.rules.position import Position, Rulebook
from powderkeg.games.diplomacy.state import Options

LETTER = Rulebook(to_the_letter="es")


def judge(units, orders, rulebook):
    position = Position({power: tuple(map(parse_unit, found)) for power, found in units.items()})
    written = {power: [*map(parse_order, texts)] for power, texts in orders.items()}
    return adjudicate(position, written, rulebook)


@pytest.mark.rule("D-RET-04")
@pytest.mark.parametrize(("rulebook", "open_"), [(Rulebook(), True), (LETTER, False)])
def test_no_retreat_to_where_a_convoyed_attacker_came_from(rulebook, open_):
    units = {"ENGLAND": ["A hol", "F nth", "F eng"], "FRANCE": ["A bel"]}
    orders = {"ENGLAND": ["A hol - bel VIA", "F nth C A hol - bel", "F eng S A hol - bel"]}
    [beaten] = judge(units, orders, rulebook).dislodged
    assert ("hol" in beaten.retreats) is open_


@pytest.mark.rule("D-STAND-06")
@pytest.mark.parametrize(("rulebook", "enters"), [(Rulebook(), False), (LETTER, True)])
def test_rule_11_holds_for_attackers_by_convoy(rulebook, enters):
    units = {
        "ENGLAND": ["A nwy", "F ska", "F nth", "A fin"],
        "RUSSIA": ["A swe"],
    }
    orders = {
        "ENGLAND": ["A nwy - swe VIA", "F ska C A nwy - swe", "A fin S A nwy - swe", "F nth - nwy"],
        "RUSSIA": ["A swe - nwy"],
    }
    after = judge(units, orders, rulebook).position.units["ENGLAND"]
    assert (parse_unit("F nwy") in after) is enters


@pytest.mark.rule("D-CD-05")
@pytest.mark.parametrize(
    ("power", "places", "first"),
    [
        ("RUSSIA", ("spa", "por", "apu"), {"no": "A apu", "es": "A apu", "it": "A por"}),
        ("ENGLAND", ("spa", "por"), {"no": "A por", "es": "A spa", "it": "A por"}),  # España
        ("TURKEY", ("apu", "bud"), {"no": "A apu", "es": "A apu", "it": "A bud"}),  # Puglia
    ],
)
@pytest.mark.parametrize("lang", ["no", "es", "it"])
def test_removals_go_by_the_alphabet_of_the_book(power, places, first, lang):
    units = [parse_unit(f"A {at}") for at in places]
    assert str(removal_order(units, power, {}, Rulebook(to_the_letter=lang))[0]) == first[lang]


@pytest.mark.parametrize("lang", ["es", "it"])
def test_the_names_are_those_of_the_catalogue(lang):
    for code, names in PROVINCE_NAMES.items():
        assert names[lang] == say(Msg(f"diplomacy_map.{code}"), lang)


def test_one_option_is_enough():
    options = Options(to_the_letter="it")
    assert options.bars_convoy_origin
    assert options.silences_convoyed
    assert options.removal_alphabet == "it"
