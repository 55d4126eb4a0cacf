"""Talk between Diplomacy bots: a lossless language, words for people, promises that are kept."""

import json
import random
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from powderkeg import bots
from powderkeg.bots.diplomacy.press import commitments, negotiation
from powderkeg.bots.diplomacy.press.daide import (
    All,
    Alliance,
    AnyOf,
    Cancel,
    DrawOffer,
    Evasion,
    Huh,
    Letter,
    Nar,
    No,
    Not,
    Offer,
    OrderOffer,
    Peace,
    PressFact,
    PressMessage,
    PressProposal,
    Solo,
    TryTokens,
    Yes,
    Zone,
    parse_letter,
    parse_message,
    parse_offer,
    press_level,
)
from powderkeg.bots.diplomacy.press.memory import AgreedDeal, EnvoyMemory, look_back
from powderkeg.bots.diplomacy.press.wording import message_words
from powderkeg.bots.engine.budget import Budget
from powderkeg.core import plain
from powderkeg.core.errors import Unreadable
from powderkeg.core.table import Table
from powderkeg.core.words import say
from powderkeg.games import diplomacy
from powderkeg.games.diplomacy.actions import (
    Build,
    Convoy,
    Disband,
    Hold,
    Move,
    Retreat,
    Support,
    Waive,
    parse_order,
)
from powderkeg.games.diplomacy.board import CODES, LOCATIONS, POWERS, PROVINCES, Unit, can_stand

# The language

some_powers = st.lists(st.sampled_from(POWERS), min_size=1, max_size=4, unique=True).map(tuple)
units = st.sampled_from(
    [unit for at in LOCATIONS for kind in ("A", "F") if can_stand(unit := Unit(kind, at))]
)
provinces = st.sampled_from(CODES)
seas = st.lists(
    st.sampled_from([c for c in CODES if PROVINCES[c].kind == "sea"]), min_size=1, unique=True
).map(tuple)


@st.composite
def orders(draw: st.DrawFn) -> OrderOffer:
    power, unit = draw(st.sampled_from(POWERS)), draw(units)
    other = draw(st.none() | st.sampled_from([p for p in POWERS if p != power]))
    kinds = [
        "hold",
        "move",
        "sea",
        "support",
        "advance",
        "convoy",
        "retreat",
        "disband",
        "build",
        "remove",
        "waive",
    ]
    match draw(st.sampled_from(kinds)):
        case "hold":
            return OrderOffer(power, Hold(unit))
        case "move":
            return OrderOffer(power, Move(unit, draw(st.sampled_from(LOCATIONS))))
        case "sea":
            return OrderOffer(power, Move(unit, draw(provinces), via=True), seas=draw(seas))
        case "support":
            return OrderOffer(power, Support(unit, draw(units)), other)
        case "advance":
            return OrderOffer(power, Support(unit, draw(units), draw(provinces)), other)
        case "retreat":
            return OrderOffer(power, Retreat(unit, draw(st.sampled_from(LOCATIONS))))
        case "disband":
            return OrderOffer(power, Disband(unit))
        case "build":
            return OrderOffer(power, Build(unit))
        case "remove":
            return OrderOffer(power, Disband(unit), winter=True)
        case "waive":
            return OrderOffer(power, Waive())
    return OrderOffer(power, Convoy(unit, draw(units), draw(provinces)), other)


offers: st.SearchStrategy[Offer] = st.recursive(
    st.one_of(
        some_powers.map(Peace),
        st.builds(Alliance, some_powers, some_powers),
        st.just(DrawOffer()),
        some_powers.map(DrawOffer),
        st.sampled_from(POWERS).map(Solo),
        orders(),
        st.builds(
            Zone, some_powers, st.lists(provinces, min_size=1, max_size=5, unique=True).map(tuple)
        ),
    ),
    lambda inner: st.one_of(
        inner.map(Not),
        inner.map(Nar),
        st.lists(inner, min_size=2, max_size=4).map(lambda found: All(tuple(found))),
        st.lists(inner, min_size=2, max_size=4).map(lambda found: AnyOf(tuple(found))),
    ),
    max_leaves=6,
)
tokens = st.lists(st.sampled_from(["PRP", "PCE", "ENG", "ERR", "QRY"]), max_size=5).map(tuple)
messages: st.SearchStrategy[PressMessage] = st.recursive(
    st.one_of(
        offers.map(PressProposal), offers.map(PressFact), tokens.map(Huh), tokens.map(TryTokens)
    ),
    lambda inner: st.one_of(inner.map(Yes), inner.map(No), inner.map(Evasion), inner.map(Cancel)),
    max_leaves=2,
)


@pytest.mark.slow
@given(messages)
@settings(deadline=None)
def test_what_is_said_is_read_back_without_loss(message):
    assert parse_message(str(message)) == message
    assert str(parse_message(str(message).lower())) == str(message)


@given(st.builds(Letter, st.sampled_from(POWERS), some_powers, messages))
@settings(deadline=None)
def test_letters_too(letter):
    assert parse_letter(str(letter)) == letter


@given(messages)
@settings(deadline=None, max_examples=50)
def test_everything_is_said_in_three_languages(message):
    spoken = [say(message_words(message), lang) for lang in ("en", "es", "it")]
    for text in spoken:
        assert "bots.press" not in text
        assert "{" not in text
    if not isinstance(message, Huh | TryTokens):
        assert len(set(spoken)) > 1


@pytest.mark.parametrize(
    ("text", "needs"),
    [
        ("PRP ( PCE ( AUS GER ) )", 10),
        ("PRP ( ALY ( AUS GER ) VSS ( RUS TUR ) )", 10),
        ("REJ ( PRP ( DRW ) )", 10),
        ("PRP ( DRW ( AUS GER ) )", 10),
        ("PRP ( SLO ( TUR ) )", 10),
        ("PRP ( NOT ( PCE ( AUS GER ) ) )", 10),
        ("PRP ( XDO ( ( RUS FLT ( STP SCS ) ) MTO GOB ) )", 20),
        ("PRP ( XDO ( ( RUS FLT BLA ) MTO ( BUL ECS ) ) )", 20),
        ("PRP ( XDO ( ( ENG AMY LVP ) CTO SPA VIA ( IRI MAO ) ) )", 20),
        ("PRP ( XDO ( ( ENG FLT ECH ) CVY ( FRA AMY BRE ) CTO LON ) )", 20),
        ("PRP ( XDO ( ( AUS AMY TYR ) SUP ( FRA AMY BUR ) MTO MUN ) )", 20),
        ("PRP ( XDO ( ( ENG FLT LON ) RTO NTH ) )", 20),
        ("PRP ( XDO ( ( RUS FLT NWY ) RTO ( STP NCS ) ) )", 20),
        ("PRP ( XDO ( ( ENG FLT LON ) DSB ) )", 20),
        ("PRP ( XDO ( ( RUS FLT ( STP NCS ) ) BLD ) )", 20),
        ("PRP ( XDO ( ( ENG FLT LON ) REM ) )", 20),
        ("PRP ( XDO ( ENG WVE ) )", 20),
        ("FCT ( PCE ( ENG FRA ) )", 10),
        ("HUH ( )", 10),
        ("TRY ( )", 10),
        ("YES ( PRP ( DMZ ( FRA ITA ) ( PIE GOL ) ) )", 20),
        ("PRP ( AND ( PCE ( AUS GER ) ) ( DMZ ( AUS GER ) ( TYR BOH ) ) )", 30),
        ("PRP ( ORR ( PCE ( AUS GER ) ) ( DRW ) )", 30),
    ],
)
def test_texts_of_the_grammar(text, needs):
    assert str(parse_message(text)) == text
    assert press_level(parse_message(text)) == needs


@pytest.mark.parametrize(
    "text",
    [
        "",
        "PRP",
        "PRP ( PCE )",
        "PRP ( PCE ( QQQ ) )",
        "PRP ( PCE ( ENG FRA )",
        "PRP ( PCE ( ENG FRA ) ) )",
        "PRP ( AND ( DRW ) )",
        "PRP ( XDO ( ( ENG AMY ECH ) HLD ) )",
        "PRP ( XDO ( ( ENG AMY LON ) CTO BRE VIA ( PAR ) ) )",
        "PRP ( XDO ( ) )",
        "PRP ( DMZ ( ENG ) ( ENG ) )",
        "PRP ( DMZ ( ENG FRA ) ( ) )",
        "PRP ( DMZ ( ENG ) ( ( STP NCS ) ) )",
        "PRP ( XDO ( ENG ) )",
        "PRP ( XDO ( WVE ) )",
        "PRP ( XDO ( ( ENG FLT LON ) RTO ) )",
        "FCT ( PRP ( DRW ) )",
        "QRY ( DRW )",
        "YES(" * 198 + "PRP(DRW)" + ")" * 198,
        "HUH(" + "(" * 500 + ")" * 501,
    ],
)
def test_what_is_no_press_is_refused(text):
    with pytest.raises(Unreadable) as error:
        parse_message(text)
    assert error.value.msg.code == "bots.press.unreadable"


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


# Trust


def view(table: Table, seat: str) -> dict[str, Any]:
    return dict(table.view(seat))


def played(*moves: dict[str, list[str]]) -> Table:
    table = Table(diplomacy, 7, diplomacy.Options(last_year=1905))
    for written in moves:
        for seat in table.seats:
            for text in written.get(seat, [f"{u} H" for u in table.state.units[seat]]):
                table.act(seat, text)
            table.act(seat, "ready")
    return table


def agreed(partner: str, offer: str) -> EnvoyMemory:
    """England's memory of a deal in spring 1901."""
    table = played()
    memory = look_back(view(table, "ENGLAND"), EnvoyMemory())
    deal = Letter(partner, ("ENGLAND",), Yes(PressProposal(parse_offer(offer))))
    memory = replace(memory, proposed=(f"{partner} {offer}",))
    letters, memory = negotiation.answer_letter(
        view(table, "ENGLAND"), memory, deal, random.Random(1)
    )
    assert not letters
    assert memory.deals == (AgreedDeal(partner, offer, memory.deals[0].left),)
    return memory


PEACE = "PCE ( ENG FRA )"


def test_who_keeps_the_peace_is_trusted_more():
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
def test_who_breaks_his_word_is_trusted_less(offer, does):
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


def test_who_is_not_trusted_is_refused():
    table = played()
    memory = EnvoyMemory(broken={"FRANCE": 5.0})
    offer = Letter("FRANCE", ("ENGLAND",), PressProposal(Peace(("ENGLAND", "FRANCE"))))
    answer, after = negotiation.answer_letter(
        view(table, "ENGLAND"), memory, offer, random.Random(1)
    )
    assert isinstance(answer[0].message, No)
    assert after.deals == ()


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
@pytest.mark.parametrize("told", [lambda offer: offer, backwards])
def test_who_is_offered_what_it_proposed_itself_agrees(told):
    table, offered = played(), 0
    for seat in table.seats:
        letters, memory = negotiation.propose_deals(
            view(table, seat), EnvoyMemory(), random.Random(f"0{seat}")
        )
        for letter in letters:
            (partner,), offered = letter.to, offered + 1
            back = Letter(partner, (letter.sender,), PressProposal(told(letter.message.offer)))
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


def test_who_broke_a_deal_hears_that_it_is_over_and_gets_no_other_at_once():
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


def test_who_broke_the_deal_himself_does_not_count_on_it():
    """England attacked France: the deal is over on both sides, and France did nothing wrong."""
    memory = replace(agreed("FRANCE", PEACE), lands={"FRANCE": ("eng", "bre")})
    after = look_back(view(played({"ENGLAND": ["F lon - eng"]}), "ENGLAND"), memory)
    assert after.deals == ()
    assert after.broken == {}


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


def test_who_asks_without_end_gets_no_answer_any_more():
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


def test_a_memory_can_be_stored():
    memory = agreed("FRANCE", PEACE)
    stored = json.loads(json.dumps(plain.dump(memory)))
    assert plain.load(EnvoyMemory, stored) == memory


# Promises


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


def test_promises_of_others_are_expected_as_far_as_they_are_trusted():
    seen = view(played(), "ENGLAND")
    memory = EnvoyMemory(deals=(AgreedDeal("FRANCE", PEACE, 3),), kept={"FRANCE": 4.0})
    (expected,) = negotiation.deal_promises(seen, memory)["expected"]
    assert expected["power"] == "FRANCE"
    assert expected["trust"] == pytest.approx(6 / 7)
    assert {"lon", "edi", "lvp"} <= set(expected["barred"])


def negotiated(table: Table, seed: int) -> dict[str, EnvoyMemory]:
    """Every seat speaks once and answers what it hears."""
    memories = {seat: EnvoyMemory() for seat in table.seats}
    rng = random.Random(seed)
    for seat in table.seats:
        letters, memories[seat] = negotiation.propose_deals(view(table, seat), memories[seat], rng)
        while letters:
            letter = letters.pop(0)
            assert parse_letter(str(letter)) == letter
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
