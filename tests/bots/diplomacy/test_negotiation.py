"""Deals between Diplomacy bots: what they propose, accept and refuse."""

import random

import pytest

from powderkeg.bots.diplomacy.press import negotiation
from powderkeg.bots.diplomacy.press.daide import (
    All,
    DrawOffer,
    Letter,
    Nar,
    No,
    Offer,
    Peace,
    PressProposal,
    Yes,
    Zone,
    parse_letter,
    parse_offer,
)
from powderkeg.bots.diplomacy.press.memory import AgreedDeal, EnvoyMemory, look_back
from powderkeg.core.table import Table
from powderkeg.games.diplomacy.board import CODES, PROVINCES
from tests.bots.diplomacy.envoys import PEACE, agreed, played, view


@pytest.mark.slow
@pytest.mark.parametrize(
    "order",
    ["( ENG FLT LON ) RTO WAL", "( FRA FLT BRE ) DSB", "( FRA AMY PAR ) BLD", "FRA WVE"],
)
def test_bots_promise_orders_of_movements_only(order):
    table = played()
    offer = parse_offer(f"AND ( PCE ( ENG FRA ) ) ( XDO ( {order} ) )")
    letter = Letter("FRANCE", ("ENGLAND",), PressProposal(offer))
    answer, memory = negotiation.answer_letter(
        view(table, "ENGLAND"), EnvoyMemory(), letter, random.Random(1)
    )
    assert answer[0].message == No(PressProposal(offer))
    assert memory.deals == ()


def backwards(offer: Offer) -> Offer:
    """The same promises, in another order."""
    match offer:
        case All(inner):
            return All(tuple(backwards(each) for each in reversed(inner)))
        case Peace(powers):
            return Peace(powers[::-1])
        case Zone(powers, places):
            return Zone(powers[::-1], places[::-1])
    return offer


@pytest.mark.slow
@pytest.mark.parametrize("turn", [lambda offer: offer, backwards])
def test_a_bot_agrees_to_what_it_proposed_itself(turn):
    table, offered = played(), 0
    for seat in table.seats:
        letters, memory = negotiation.propose_deals(
            view(table, seat), EnvoyMemory(), random.Random(f"0{seat}")
        )
        for letter in letters:
            (partner,), offered = letter.to, offered + 1
            back = Letter(partner, (letter.sender,), PressProposal(turn(letter.message.offer)))
            answer, after = negotiation.answer_letter(
                view(table, seat), memory, back, random.Random(f"{seat}/2")
            )
            assert [each.message for each in answer] == [Yes(back.message)]
            assert partner in [deal.partner for deal in after.deals]
    assert offered


def test_an_answer_to_nothing_binds_nobody():
    table = played()
    yes = Letter("FRANCE", ("ENGLAND",), Yes(PressProposal(Peace(("ENGLAND", "FRANCE")))))
    letters, memory = negotiation.answer_letter(
        view(table, "ENGLAND"), EnvoyMemory(), yes, random.Random(1)
    )
    assert not letters
    assert memory.deals == ()


def test_a_deal_is_given_up_openly():
    memory = agreed("FRANCE", PEACE)
    end = Letter("FRANCE", ("ENGLAND",), PressProposal(Nar(parse_offer(PEACE))))
    _, after = negotiation.answer_letter(view(played(), "ENGLAND"), memory, end, random.Random(1))
    assert after.deals == ()


def test_nobody_is_helped_to_victory():
    """Who is near victory hears that the peace is over, and gets no new one."""
    table = played()
    seen = view(table, "ENGLAND")
    seen["target"] = 6
    memory = EnvoyMemory(seen["phase"], deals=(AgreedDeal("FRANCE", PEACE, 3),))
    letters, after = negotiation.propose_deals(seen, memory, random.Random(1))
    assert Letter("ENGLAND", ("FRANCE",), PressProposal(Nar(parse_offer(PEACE)))) in letters
    assert after.deals == ()
    assert not any(isinstance(letter.message, Yes) for letter in letters)


def test_what_contradicts_a_promise_is_refused():
    seen = view(played(), "ENGLAND")
    memory = agreed("GERMANY", "DMZ ( ENG GER ) ( NTH )")
    offer = parse_offer("XDO ( ( ENG FLT LON ) MTO NTH )")
    letter = Letter("FRANCE", ("ENGLAND",), PressProposal(offer))
    assert isinstance(
        negotiation.answer_letter(seen, memory, letter, random.Random(1))[0][0].message, No
    )


def test_orders_that_nobody_can_give_are_refused():
    seen = view(played(), "ENGLAND")
    for text in (
        "XDO ( ( ENG AMY PAR ) HLD )",
        "XDO ( ( ENG FLT LON ) MTO BRE )",
        "XDO ( ( GER AMY MUN ) HLD )",
    ):
        letter = Letter("FRANCE", ("ENGLAND",), PressProposal(parse_offer(text)))
        assert isinstance(
            negotiation.answer_letter(seen, EnvoyMemory(), letter, random.Random(1))[0][0].message,
            No,
        )


def test_endless_offers_get_no_more_answers():
    seen, rng = view(played(), "ENGLAND"), random.Random(1)
    memory = EnvoyMemory()
    letter = Letter("FRANCE", ("ENGLAND",), PressProposal(parse_offer("SLO ( FRA )")))
    got = []
    for _ in range(negotiation.MOST_ANSWERS + 3):
        letters, memory = negotiation.answer_letter(seen, memory, letter, rng)
        got.append(sum(isinstance(each.message, No) for each in letters))
    assert got == [1] * negotiation.MOST_ANSWERS + [0] * 3


@pytest.mark.slow
def test_a_no_may_come_with_another_offer_but_only_one_a_movement():
    """France asks for what cannot be; there is something that both would gain by."""
    table = played({"FRANCE": ["A par - bur"], "GERMANY": ["A mun - ruh"]})
    seen, silly = view(table, "GERMANY"), PressProposal(parse_offer("SLO ( FRA )"))
    found = []
    for seed in range(20):
        letter, rng = Letter("FRANCE", ("GERMANY",), silly), random.Random(seed)
        letters, memory = negotiation.answer_letter(seen, EnvoyMemory(), letter, rng)
        assert isinstance(letters[0].message, No)
        found += letters[1:]
        if letters[1:]:
            assert len(negotiation.answer_letter(seen, memory, letter, rng)[0]) == 1
    assert found
    assert all(isinstance(each.message, PressProposal) and each.to == ("FRANCE",) for each in found)


@pytest.mark.slow
def test_in_public_one_offer_without_orders_is_made():
    table = played({"FRANCE": ["A par - bur"], "GERMANY": ["A mun - ruh"]})
    count = 0
    for seat in table.seats:
        letters, _ = negotiation.propose_deals(
            view(table, seat), EnvoyMemory(), random.Random(3), public=True
        )
        assert len(letters) <= 1
        assert "XDO" not in "".join(map(str, letters))
        count += len(letters)
    assert count


@pytest.mark.slow
def test_the_small_ally_against_who_is_about_to_win():
    table = played({"FRANCE": ["A par - bur"], "GERMANY": ["A mun - ruh"]})
    seen = view(table, "GERMANY")
    held = [c for codes in seen["centres"].values() for c in codes]
    free = [c for c in CODES if PROVINCES[c].centre and c not in held]
    seen["centres"] = {**seen["centres"], "TURKEY": [*seen["centres"]["TURKEY"], *free]}
    assert len(seen["centres"]["TURKEY"]) >= seen["target"] - negotiation.DANGER_CENTRES
    letters = [
        letter
        for seed in range(6)
        for letter in negotiation.propose_deals(seen, EnvoyMemory(), random.Random(seed))[0]
    ]
    assert letters
    for letter in letters:
        assert "TURKEY" not in letter.to
        assert "VSS ( TUR )" in str(letter)


def test_offers_about_others_are_refused():
    table = played()
    for text in ("PCE ( GER FRA )", "ALY ( ENG FRA ) VSS ( ENG )", "SLO ( FRA )"):
        offer = Letter("FRANCE", ("ENGLAND",), PressProposal(parse_offer(text)))
        answer, _ = negotiation.answer_letter(
            view(table, "ENGLAND"), EnvoyMemory(), offer, random.Random(1)
        )
        assert isinstance(answer[0].message, No)


def test_a_draw_is_welcome_to_the_small():
    table = played()
    offer = Letter("FRANCE", ("ENGLAND",), PressProposal(DrawOffer()))
    seen = view(table, "ENGLAND")
    assert isinstance(
        negotiation.answer_letter(seen, EnvoyMemory(), offer, random.Random(1))[0][0].message, Yes
    )
    seen["centres"] = {**seen["centres"], "ENGLAND": ["lon", "edi", "lvp", "nwy", "bel", "den"]}
    assert isinstance(
        negotiation.answer_letter(seen, EnvoyMemory(), offer, random.Random(1))[0][0].message, No
    )


def negotiated(table: Table, seed: int) -> dict[str, EnvoyMemory]:
    """Every seat speaks once and answers what it hears."""
    memories = {seat: EnvoyMemory() for seat in table.seats}
    rng = random.Random(seed)
    for seat in table.seats:
        letters, memories[seat] = negotiation.propose_deals(view(table, seat), memories[seat], rng)
        while letters:
            letter = letters.pop(0)
            assert parse_letter(str(letter)) == letter._replace(reason="")
            for to in letter.to:
                more, memories[to] = negotiation.answer_letter(
                    view(table, to), memories[to], letter, rng
                )
                letters += more
    return memories


def test_talk_comes_to_deals_on_which_both_agree():
    table = played(
        {"FRANCE": ["A par - bur"], "GERMANY": ["A mun - ruh"], "ITALY": ["A ven - pie"]}
    )
    memories = negotiated(table, 3)
    deals = [(seat, deal) for seat in table.seats for deal in memories[seat].deals]
    assert deals
    for seat, deal in deals:
        twin = [
            d for d in memories[deal.partner].deals if (d.partner, d.offer) == (seat, deal.offer)
        ]
        assert twin, (seat, deal)
    assert memories == negotiated(table, 3)


def test_an_offer_that_was_declined_is_no_longer_open():
    seen, offer = view(played(), "ENGLAND"), parse_offer(PEACE)
    memory = look_back(seen, EnvoyMemory()).with_proposal("FRANCE", offer)
    no = Letter("FRANCE", ("ENGLAND",), No(PressProposal(offer)))
    letters, after = negotiation.answer_letter(seen, memory, no, random.Random(1))
    assert not letters
    assert memory.offers_to("FRANCE") == [offer]
    assert after.offers_to("FRANCE") == []
