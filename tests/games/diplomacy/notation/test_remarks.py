"""Remarks in brackets: what belongs to an order, and what is only said beside it."""

import pytest

from powderkeg.core.errors import RulesError
from powderkeg.games.diplomacy.actions import parse_unit
from powderkeg.games.diplomacy.notation.reading import UnderstoodOrder, read_order, read_order_set
from powderkeg.games.diplomacy.notation.resolve import Context

BOARD = Context("FRANCE", {"FRANCE": tuple(map(parse_unit, ("A par", "A mar")))})


@pytest.mark.rule("D-ORD-04")
@pytest.mark.parametrize(
    ("text", "order"),
    [
        ("A Mar S A Par (- Bur)", "A mar S A par - bur"),
        ("A Mar S A Par [to Burgundy]", "A mar S A par - bur"),
        ("A Par - Bur (this is war)", "A par - bur"),
        ("A Par - Bur (a well-meant bounce)", "A par - bur"),
        ("A Par - Bur (sorry!)", "A par - bur"),
    ],
)
def test_brackets_that_name_a_place_belong_to_the_order(text, order):
    assert str(read_order(text)) == order


@pytest.mark.rule("D-ORD-05")
@pytest.mark.parametrize(
    ("text", "order"),
    [
        ("A Par - Bur (to help Munich)", "A par - bur"),
        ("A Par - Bur [bounce with Marseilles, please]", "A par - bur"),
        ("A Mar S A Par - Bur (Munich must not get in)", "A mar S A par - bur"),
        ("A Par H (Burgundy looks dangerous)", "A par H"),
        ("E Par-Bor (para ayudar a Múnich)", "A par - bur"),
        ("A Par-Bor (per aiutare Monaco)", "A par - bur"),
    ],
)
def test_a_remark_in_brackets_may_speak_of_a_place(text, order):
    (found,) = read_order_set([text], BOARD).orders
    assert isinstance(found, UnderstoodOrder)
    assert str(found.order) == order
    assert found.corrected  # the moderator sees what was left out


@pytest.mark.rule("D-ORD-04", "D-ORD-06")
@pytest.mark.parametrize(
    "text",
    [
        "A Mar S A Par (which goes to Bur)",
        "A Par - Bur (Gas)",
        "A Par - Bur (to Gas)",
        "A Par - Bur (Munich bounces: Par - Gas)",
        "A Par - Bur (maybe Gas)",
        "A Par (I hope Bur)",
        "A Par - Bur (sorry, Gas)",
        "A Par - Bur (I mean Gas)",
        "A Par - Bur (better Gas)",
        "A Par - Bur (rather: Gascony)",
        "A Par - Bur (actually Gas)",
        "E Par-Bor (mejor Gas)",
        "E Par-Bor (perdón, Gas)",
        "E Par-Bor (digo Gas)",
        "A Par-Bor (meglio Gua)",
        "A Par-Bor (anzi, Guascogna)",
        "A Par-Bor (scusa, Guascogna)",
    ],
)
def test_a_place_in_brackets_that_could_change_the_order_is_no_remark(text):
    (found,) = read_order_set([text], BOARD).orders
    assert isinstance(found, RulesError)
