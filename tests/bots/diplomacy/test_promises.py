"""Promises in the orders of bots: what is promised can be kept, and is kept unless breaking it pays."""

import random
from dataclasses import replace
from typing import Any

import pytest

from powderkeg import bots
from powderkeg.bots.characters import CHARACTER_NAMES
from powderkeg.bots.diplomacy.press import commitments, negotiation
from powderkeg.bots.diplomacy.press.daide import (
    parse_offer,
)
from powderkeg.bots.diplomacy.press.deal_value import DealEvaluator
from powderkeg.bots.diplomacy.press.memory import AgreedDeal, EnvoyMemory
from powderkeg.bots.engine.budget import Budget
from powderkeg.games import diplomacy
from powderkeg.games.diplomacy.actions import (
    Move,
    parse_order,
)
from tests.bots.diplomacy.envoys import PEACE, played, view

STILL = random.Random(1)


@pytest.mark.parametrize(
    ("made", "new", "together"),
    [
        (["PCE ( ENG FRA )"], "PCE ( ENG GER )", True),
        (["PCE ( ENG FRA )"], "XDO ( ( ENG FLT LON ) MTO NTH )", True),
        (["DMZ ( ENG GER ) ( NTH )"], "XDO ( ( ENG FLT LON ) MTO NTH )", False),
        (["XDO ( ( ENG FLT LON ) MTO NTH )"], "DMZ ( ENG GER ) ( NTH )", False),
        (["XDO ( ( ENG FLT LON ) MTO NTH )"], "XDO ( ( ENG FLT LON ) MTO ECH )", False),
        (["XDO ( ( ENG FLT LON ) MTO NTH )"], "XDO ( ( ENG FLT LON ) MTO NTH )", True),
        (["PCE ( ENG FRA )"], "XDO ( ( ENG FLT LON ) SUP ( GER AMY MUN ) MTO PAR )", False),
        (["PCE ( GER FRA )"], "XDO ( ( ENG FLT LON ) SUP ( GER AMY MUN ) MTO PAR )", True),
    ],
)
def test_nothing_is_promised_that_cannot_be_kept_beside_the_rest(made, new, together):
    seen = view(played(), "ENGLAND")
    offers = [parse_offer(text) for text in made]
    assert commitments.can_keep_offer(seen, ["ENGLAND"], offers, parse_offer(new)) is together


@pytest.mark.slow
@pytest.mark.parametrize("level", ["normal", "hard", "expert"])
def test_bots_keep_their_word(level):
    """England promised peace to France and Germany, and an order."""
    table = played({"ENGLAND": ["F lon - eng", "F edi - nth", "A lvp - yor"]})
    memory = EnvoyMemory(
        deals=(
            AgreedDeal("FRANCE", PEACE, 3),
            AgreedDeal("GERMANY", "DMZ ( ENG GER ) ( HOL DEN BEL NWY )", 3),
            AgreedDeal("RUSSIA", "XDO ( ( ENG AMY YOR ) MTO LON )", 1),
        )
    )
    seen = view(table, "ENGLAND")
    pledged = negotiation.deal_promises(seen, memory)
    barred = set(pledged["barred"])
    assert {"bre", "par", "mar", "hol", "den", "bel", "nwy"} <= barred
    for seed in range(8):
        mind = bots.find_bot(diplomacy, level, Budget(60))
        again = played({"ENGLAND": ["F lon - eng", "F edi - nth", "A lvp - yor"]})
        while not again.view("ENGLAND")["seats"]["ENGLAND"]["ready"]:
            asked, question = view(again, "ENGLAND"), again.ask("ENGLAND")
            assert question is not None
            asked["pledges"] = pledged
            action = mind(asked, question, again.legal("ENGLAND"), random.Random(seed))
            again.act("ENGLAND", action)
        written = [parse_order(text) for text in again.view("ENGLAND")["drafts"].values()]
        goals = {order.to[:3] for order in written if isinstance(order, Move)}
        assert not goals & barred
        assert parse_order("A yor - lon") in written


def bound_to_france(*, tempting: bool) -> tuple[dict[str, Any], EnvoyMemory]:
    """It is fall, and England has promised peace to France. If it is `tempting`, France has left
    its homes, and armies of England stand before them."""
    seen = {**view(played(), "ENGLAND"), "season": "fall"}
    if tempting:
        units = {"FRANCE": ["A spa"], "ENGLAND": ["A pic", "A gas", "F eng"]}
        seen["units"] = {**seen["units"], **units}
    memory = EnvoyMemory(seen["phase"], deals=(AgreedDeal("FRANCE", PEACE, 3),))
    return seen, memory


def test_a_word_is_broken_only_where_it_pays():
    seen, memory = bound_to_france(tempting=False)
    assert negotiation.worth_keeping(seen, memory, random.Random(1)) == memory.deals
    seen, memory = bound_to_france(tempting=True)
    assert negotiation.worth_keeping(seen, memory, random.Random(1)) == ()
    pledged = negotiation.deal_promises(seen, memory, random.Random(1))
    assert pledged["barred"] == []
    assert pledged["expected"][0]["power"] == "FRANCE"  # the other is still believed
    assert {"par", "bre", "mar"} <= set(negotiation.deal_promises(seen, memory)["barred"])


@pytest.mark.parametrize(("character", "kept"), [("loyal", True), ("opportunist", False)])
def test_a_loyal_bot_keeps_its_word_even_where_a_breach_would_pay(character, kept):
    seen, memory = bound_to_france(tempting=True)
    memory = replace(memory, character=character)
    deals = negotiation.worth_keeping(seen, memory, random.Random(1))
    assert deals == (memory.deals if kept else ())


def test_an_opportunist_breaks_its_word_for_less(monkeypatch):
    """What a breach gains lies between what it is worth to an opportunist and to the others."""
    monkeypatch.setattr(DealEvaluator, "breach_gain", lambda *_: 0.02)
    seen, memory = bound_to_france(tempting=False)
    kept = {
        character: bool(
            negotiation.worth_keeping(seen, replace(memory, character=character), STILL)
        )
        for character in ("", *CHARACTER_NAMES)
    }
    assert kept == {"": True, "loyal": True, "opportunist": False, "cautious": True}


def test_promises_of_others_are_expected_as_far_as_they_are_trusted():
    seen = view(played(), "ENGLAND")
    memory = EnvoyMemory(deals=(AgreedDeal("FRANCE", PEACE, 3),), kept={"FRANCE": 4.0})
    (expected,) = negotiation.deal_promises(seen, memory)["expected"]
    assert expected["power"] == "FRANCE"
    assert expected["trust"] == pytest.approx(6 / 7)
    assert {"lon", "edi", "lvp"} <= set(expected["barred"])
