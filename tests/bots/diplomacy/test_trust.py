"""What a bot remembers of promises: kept ones build trust, broken ones cost it."""

import json
import random
from dataclasses import replace

import pytest

from powderkeg.bots.diplomacy.press import negotiation
from powderkeg.bots.diplomacy.press.daide import (
    Letter,
    No,
    Peace,
    PressProposal,
    parse_offer,
)
from powderkeg.bots.diplomacy.press.memory import EnvoyMemory, look_back
from powderkeg.bots.diplomacy.press.wording import message_words
from powderkeg.core import plain
from powderkeg.core.words import LANGS, Msg, say
from tests.bots.diplomacy.envoys import PEACE, agreed, played, view


def test_a_power_that_keeps_the_peace_is_trusted_more():
    memory = agreed("FRANCE", PEACE)
    after = look_back(view(played({"FRANCE": ["A par - bur"]}), "ENGLAND"), memory)
    assert after.trust("FRANCE") > memory.trust("FRANCE")
    assert after.deals[0].offer == PEACE


@pytest.mark.parametrize(
    ("offer", "does"),
    [
        (PEACE, ["F bre - eng"]),
        ("DMZ ( ENG FRA ) ( ECH )", ["F bre - eng"]),
        ("XDO ( ( FRA FLT BRE ) HLD )", ["F bre - mao"]),
    ],
)
def test_a_power_that_breaks_its_word_is_trusted_less(offer, does):
    """England has a fleet in the Channel when France goes there; or France promised otherwise."""
    memory = agreed("FRANCE", offer)
    memory = replace(memory, lands={"ENGLAND": ("eng", "lon")})
    after = look_back(view(played({"FRANCE": does}), "ENGLAND"), memory)
    assert after.trust("FRANCE") < memory.trust("FRANCE")
    assert not after.deals
    kept = look_back(view(played({"FRANCE": ["F bre H"]}), "ENGLAND"), memory)
    assert kept.trust("FRANCE") > memory.trust("FRANCE")


def test_a_deal_for_one_turn_ends_with_it():
    memory = agreed("FRANCE", "XDO ( ( FRA FLT BRE ) HLD )")
    after = look_back(view(played({"FRANCE": ["F bre H"]}), "ENGLAND"), memory)
    assert not after.deals
    assert after.kept["FRANCE"] == 1


def test_a_power_that_is_not_trusted_is_refused():
    table = played()
    memory = EnvoyMemory(broken={"FRANCE": 5.0})
    offer = Letter("FRANCE", ("ENGLAND",), PressProposal(Peace(("ENGLAND", "FRANCE"))))
    answer, after = negotiation.answer_letter(
        view(table, "ENGLAND"), memory, offer, random.Random(1)
    )
    assert isinstance(answer[0].message, No)
    assert answer[0].reason == "bots.press.why.trust"
    assert after.deals == ()


def reason(offer: str, memory: EnvoyMemory, seat: str = "ENGLAND", by: str = "FRANCE") -> str:
    """Why a bot refuses in the first spring."""
    seen, luck = view(played(), seat), random.Random(1)
    return negotiation.refusal_reason(seen, memory, by, parse_offer(offer), luck)


@pytest.mark.parametrize(
    ("offer", "why"),
    [
        ("PCE ( ENG GER )", "impossible"),
        ("XDO ( ( ENG FLT LON ) MTO MOS )", "impossible"),
        ("AND ( XDO ( ( ENG FLT LON ) MTO NTH ) ) ( XDO ( ( ENG FLT LON ) MTO ECH ) )", "plans"),
        ("XDO ( ( ENG FLT LON ) HLD )", "worse"),
    ],
)
def test_every_refusal_has_its_reason_in_three_languages(offer, why):
    assert reason(offer, EnvoyMemory()) == f"bots.press.why.{why}"
    assert len({say(Msg(f"bots.press.why.{why}"), lang) for lang in LANGS}) == len(LANGS)


def test_a_refusal_does_not_tell_of_a_deal_with_another_power():
    """England promised Germany a fleet move, and France asks for another of the same fleet."""
    bound = agreed("GERMANY", "XDO ( ( ENG FLT LON ) MTO NTH )")
    asked = "AND ( PCE ( ENG FRA ) ) ( XDO ( ( ENG FLT LON ) MTO WAL ) )"
    assert reason(asked, bound) in ("bots.press.why.little", "bots.press.why.worse")
    held = "XDO ( ( ENG FLT LON ) HLD )"
    assert reason(held, bound) == reason(held, EnvoyMemory()) == "bots.press.why.worse"


def test_a_large_power_does_not_want_a_draw():
    assert reason("DRW", EnvoyMemory(), seat="RUSSIA") == "bots.press.why.draw"
    assert reason("DRW", EnvoyMemory(), seat="ENGLAND") == ""


def test_a_cautious_bot_promises_no_orders_and_forgives_less():
    cautious = EnvoyMemory(character="cautious")
    support = "AND ( PCE ( ENG FRA ) ) ( XDO ( ( ENG FLT LON ) MTO NTH ) )"
    assert reason(support, cautious) == "bots.press.why.orders"
    once = {"FRANCE": 1.0}
    assert reason(PEACE, replace(cautious, broken=once)) == "bots.press.why.trust"
    assert reason(PEACE, EnvoyMemory(broken=once)) != "bots.press.why.trust"


def test_a_memory_of_an_older_version_is_even_handed():
    stored = plain.dump(EnvoyMemory(kept={"FRANCE": 1.0}))
    del stored["character"]
    assert plain.load(EnvoyMemory, stored) == EnvoyMemory(kept={"FRANCE": 1.0})


def test_a_power_that_broke_a_deal_hears_that_it_is_over_and_gets_no_other_at_once():
    memory = replace(agreed("FRANCE", PEACE), lands={"ENGLAND": ("eng",)})
    seen = view(played({"FRANCE": ["F bre - eng"]}), "ENGLAND")
    letters, after = negotiation.propose_deals(seen, memory, random.Random(1))
    assert str(letters[0]) == "FRM ( ENG ) ( FRA ) ( PRP ( NAR ( PCE ( ENG FRA ) ) ) )"
    assert say(message_words(letters[0].message), "es").startswith("Esto ya no vale")
    assert not [each for each in letters[1:] if each.to == ("FRANCE",)]
    offer = Letter("FRANCE", ("ENGLAND",), PressProposal(Peace(("ENGLAND", "FRANCE"))))
    assert isinstance(
        negotiation.answer_letter(seen, after, offer, random.Random(1))[0][0].message, No
    )


def test_an_order_is_promised_for_one_turn_and_the_peace_beside_it_lasts():
    both = "AND ( PCE ( ENG FRA ) ) ( XDO ( ( FRA FLT BRE ) MTO MAO ) )"
    memory = agreed("FRANCE", both)
    table = played({"FRANCE": ["F bre - mao"]})
    after = look_back(view(table, "ENGLAND"), memory)
    assert [deal.offer for deal in after.deals] == [PEACE]
    assert negotiation.deal_promises(view(table, "ENGLAND"), after)["expected"][0]["orders"] == ()
    later = look_back(
        view(played({"FRANCE": ["F bre - mao"]}, {"FRANCE": ["F mao H"]}), "ENGLAND"), after
    )
    assert later.broken.get("FRANCE", 0) == 0


def test_a_power_that_broke_the_deal_itself_does_not_count_on_it():
    """England attacked France: the deal is over on both sides, and France did nothing wrong."""
    memory = replace(agreed("FRANCE", PEACE), lands={"FRANCE": ("eng", "bre")})
    after = look_back(view(played({"ENGLAND": ["F lon - eng"]}), "ENGLAND"), memory)
    assert after.deals == ()
    assert after.broken == {}


def test_a_memory_can_be_stored():
    memory = agreed("FRANCE", PEACE)
    stored = json.loads(json.dumps(plain.dump(memory)))
    assert plain.load(EnvoyMemory, stored) == memory
