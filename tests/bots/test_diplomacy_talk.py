"""Talk between Diplomacy bots: a lossless language, words for people, promises that are kept."""

import json
import random
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from powderkeg import bots
from powderkeg.bots.budget import Budget
from powderkeg.bots.diplomacy import talk
from powderkeg.bots.diplomacy.daide import (
    All,
    Alliance,
    AnyOf,
    Cancel,
    Do,
    Draw,
    Evasion,
    Huh,
    Letter,
    Message,
    Nar,
    No,
    Not,
    Offer,
    Peace,
    Proposal,
    Solo,
    Try,
    Yes,
    Zone,
    level,
    parse,
    parse_letter,
    parse_offer,
)
from powderkeg.bots.diplomacy.speech import said
from powderkeg.bots.diplomacy.talk import Deal, Memory
from powderkeg.core import plain
from powderkeg.core.errors import Unreadable
from powderkeg.core.table import Table
from powderkeg.core.words import say
from powderkeg.games import diplomacy
from powderkeg.games.diplomacy.board import CODES, LOCATIONS, POWERS, PROVINCES, Unit, fits
from powderkeg.games.diplomacy.orders import Convoy, Hold, Move, Support, parse_order

# The language

some_powers = st.lists(st.sampled_from(POWERS), min_size=1, max_size=4, unique=True).map(tuple)
units = st.sampled_from(
    [unit for at in LOCATIONS for kind in ("A", "F") if fits(unit := Unit(kind, at))]
)
provinces = st.sampled_from(CODES)
seas = st.lists(
    st.sampled_from([c for c in CODES if PROVINCES[c].kind == "sea"]), min_size=1, unique=True
).map(tuple)


@st.composite
def orders(draw: st.DrawFn) -> Do:
    power, unit = draw(st.sampled_from(POWERS)), draw(units)
    other = draw(st.none() | st.sampled_from([p for p in POWERS if p != power]))
    kind = draw(st.sampled_from(["hold", "move", "sea", "support", "advance", "convoy"]))
    match kind:
        case "hold":
            return Do(power, Hold(unit))
        case "move":
            return Do(power, Move(unit, draw(st.sampled_from(LOCATIONS))))
        case "sea":
            return Do(power, Move(unit, draw(provinces), via=True), seas=draw(seas))
        case "support":
            return Do(power, Support(unit, draw(units)), other)
        case "advance":
            return Do(power, Support(unit, draw(units), draw(provinces)), other)
    return Do(power, Convoy(unit, draw(units), draw(provinces)), other)


offers: st.SearchStrategy[Offer] = st.recursive(
    st.one_of(
        some_powers.map(Peace),
        st.builds(Alliance, some_powers, some_powers),
        st.just(Draw()),
        some_powers.map(Draw),
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
messages: st.SearchStrategy[Message] = st.recursive(
    st.one_of(offers.map(Proposal), tokens.map(Huh), tokens.map(Try)),
    lambda inner: st.one_of(inner.map(Yes), inner.map(No), inner.map(Evasion), inner.map(Cancel)),
    max_leaves=2,
)


@given(messages)
@settings(deadline=None)
def test_what_is_said_is_read_back_without_loss(message):
    assert parse(str(message)) == message
    assert str(parse(str(message).lower())) == str(message)


@given(st.builds(Letter, st.sampled_from(POWERS), some_powers, messages))
@settings(deadline=None)
def test_letters_too(letter):
    assert parse_letter(str(letter)) == letter


@given(messages)
@settings(deadline=None, max_examples=50)
def test_everything_is_said_in_three_languages(message):
    spoken = [say(said(message), lang) for lang in ("en", "es", "it")]
    for text in spoken:
        assert "bots.press" not in text
        assert "{" not in text
    if not isinstance(message, Huh | Try):
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
        ("YES ( PRP ( DMZ ( FRA ITA ) ( PIE GOL ) ) )", 20),
        ("PRP ( AND ( PCE ( AUS GER ) ) ( DMZ ( AUS GER ) ( TYR BOH ) ) )", 30),
        ("PRP ( ORR ( PCE ( AUS GER ) ) ( DRW ) )", 30),
    ],
)
def test_texts_of_the_grammar(text, needs):
    assert str(parse(text)) == text
    assert level(parse(text)) == needs


@pytest.mark.parametrize(
    "text",
    [
        "",
        "PRP",
        "PRP ( PCE )",
        "PRP ( PCE ( XXX ) )",
        "PRP ( PCE ( ENG FRA )",
        "PRP ( PCE ( ENG FRA ) ) )",
        "PRP ( AND ( DRW ) )",
        "PRP ( XDO ( ( ENG AMY ECH ) HLD ) )",
        "PRP ( XDO ( ( ENG AMY LON ) CTO BRE VIA ( PAR ) ) )",
        "PRP ( XDO ( ) )",
        "PRP ( DMZ ( ENG ) ( ENG ) )",
        "QRY ( DRW )",
    ],
)
def test_what_is_no_press_is_refused(text):
    with pytest.raises(Unreadable) as error:
        parse(text)
    assert error.value.msg.code == "bots.press.unreadable"
    assert talk.understood(text) is None


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


def agreed(partner: str, offer: str) -> Memory:
    """England's memory of a deal in spring 1901."""
    table = played()
    memory = talk.look_back(view(table, "ENGLAND"), Memory())
    deal = Letter(partner, ("ENGLAND",), Yes(Proposal(parse_offer(offer))))
    memory = replace(memory, proposed=(f"{partner} {offer}",))
    letters, memory = talk.hear(view(table, "ENGLAND"), memory, deal, random.Random(1))
    assert not letters
    assert memory.deals == (Deal(partner, offer, memory.deals[0].left),)
    return memory


PEACE = "PCE ( ENG FRA )"


def test_who_keeps_the_peace_is_trusted_more():
    memory = agreed("FRANCE", PEACE)
    after = talk.look_back(view(played({"FRANCE": ["A par - bur"]}), "ENGLAND"), memory)
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
    after = talk.look_back(view(played({"FRANCE": does}), "ENGLAND"), memory)
    assert after.trust("FRANCE") < memory.trust("FRANCE")
    assert not after.deals
    kept = talk.look_back(view(played({"FRANCE": ["F bre H"]}), "ENGLAND"), memory)
    assert kept.trust("FRANCE") > memory.trust("FRANCE")


def test_a_deal_for_one_turn_ends_with_it():
    memory = agreed("FRANCE", "XDO ( ( FRA FLT BRE ) HLD )")
    after = talk.look_back(view(played({"FRANCE": ["F bre H"]}), "ENGLAND"), memory)
    assert not after.deals
    assert after.kept["FRANCE"] == 1


def test_who_is_not_trusted_is_refused():
    table = played()
    memory = Memory(broken={"FRANCE": 5.0})
    offer = Letter("FRANCE", ("ENGLAND",), Proposal(Peace(("ENGLAND", "FRANCE"))))
    answer, after = talk.hear(view(table, "ENGLAND"), memory, offer, random.Random(1))
    assert isinstance(answer[0].message, No)
    assert after.deals == ()


def test_an_answer_to_nothing_binds_nobody():
    table = played()
    yes = Letter("FRANCE", ("ENGLAND",), Yes(Proposal(Peace(("ENGLAND", "FRANCE")))))
    letters, memory = talk.hear(view(table, "ENGLAND"), Memory(), yes, random.Random(1))
    assert not letters
    assert memory.deals == ()


def test_a_deal_is_given_up_openly():
    memory = agreed("FRANCE", PEACE)
    end = Letter("FRANCE", ("ENGLAND",), Proposal(Nar(parse_offer(PEACE))))
    _, after = talk.hear(view(played(), "ENGLAND"), memory, end, random.Random(1))
    assert after.deals == ()


def test_nobody_is_helped_to_victory():
    """Who is near victory hears that the peace is over, and gets no new one."""
    table = played()
    seen = view(table, "ENGLAND")
    seen["target"] = 6
    memory = Memory(seen["phase"], deals=(Deal("FRANCE", PEACE, 3),))
    letters, after = talk.speak(seen, memory, random.Random(1))
    assert Letter("ENGLAND", ("FRANCE",), Proposal(Nar(parse_offer(PEACE)))) in letters
    assert after.deals == ()
    assert not any(isinstance(letter.message, Yes) for letter in letters)


def test_offers_about_others_are_refused():
    table = played()
    for text in ("PCE ( GER FRA )", "ALY ( ENG FRA ) VSS ( ENG )", "SLO ( FRA )"):
        offer = Letter("FRANCE", ("ENGLAND",), Proposal(parse_offer(text)))
        answer, _ = talk.hear(view(table, "ENGLAND"), Memory(), offer, random.Random(1))
        assert isinstance(answer[0].message, No)


def test_a_draw_is_welcome_to_the_small():
    table = played()
    offer = Letter("FRANCE", ("ENGLAND",), Proposal(Draw()))
    seen = view(table, "ENGLAND")
    assert isinstance(talk.hear(seen, Memory(), offer, random.Random(1))[0][0].message, Yes)
    seen["centres"] = {**seen["centres"], "ENGLAND": ["lon", "edi", "lvp", "nwy", "bel", "den"]}
    assert isinstance(talk.hear(seen, Memory(), offer, random.Random(1))[0][0].message, No)


def test_a_memory_can_be_stored():
    memory = agreed("FRANCE", PEACE)
    stored = json.loads(json.dumps(plain.dump(memory)))
    assert plain.load(Memory, stored) == memory


def test_letters_are_answered_and_other_talk_is_not():
    table, rng = played(), random.Random(1)
    inbox = [
        "Hello England! Peace?",
        "FRM ( FRA ) ( ENG ) ( PRP ( PCE ( GER FRA ) ) )",
        "FRM ( FRA ) ( TUR ) ( PRP ( PCE ( TUR FRA ) ) )",
    ]
    first, memory = talk.correspond(view(table, "ENGLAND"), Memory(), inbox, rng)
    answers = [letter for letter in first if not isinstance(letter.message, Proposal)]
    assert [str(letter) for letter in answers] == [
        "FRM ( ENG ) ( FRA ) ( REJ ( PRP ( PCE ( GER FRA ) ) ) )"
    ]
    assert memory.phase == "S1901M"
    again, _ = talk.correspond(view(table, "ENGLAND"), memory, [], rng)
    assert again == []  # what is to be proposed is proposed once a movement


# Promises


@pytest.mark.parametrize("level", ["normal", "hard", "expert"])
def test_bots_keep_their_word(level):
    """England promised peace to France and Germany, and an order."""
    table = played({"ENGLAND": ["F lon - eng", "F edi - nth", "A lvp - yor"]})
    memory = Memory(
        deals=(
            Deal("FRANCE", PEACE, 3),
            Deal("GERMANY", "DMZ ( ENG GER ) ( HOL DEN BEL NWY )", 3),
            Deal("RUSSIA", "XDO ( ( ENG AMY YOR ) MTO LON )", 1),
        )
    )
    seen = view(table, "ENGLAND")
    pledged = talk.pledges(seen, memory)
    barred = set(pledged["barred"])
    assert {"bre", "par", "mar", "hol", "den", "bel", "nwy"} <= barred
    for seed in range(8):
        mind = bots.find(diplomacy, level, Budget(60))
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


def test_promises_of_others_are_expected_as_far_as_they_are_trusted():
    seen = view(played(), "ENGLAND")
    memory = Memory(deals=(Deal("FRANCE", PEACE, 3),), kept={"FRANCE": 4.0})
    (expected,) = talk.pledges(seen, memory)["expected"]
    assert expected["power"] == "FRANCE"
    assert expected["trust"] == pytest.approx(6 / 7)
    assert {"lon", "edi", "lvp"} <= set(expected["barred"])


def negotiated(table: Table, seed: int) -> dict[str, Memory]:
    """Every seat speaks once and answers what it hears."""
    memories = {seat: Memory() for seat in table.seats}
    rng = random.Random(seed)
    for seat in table.seats:
        letters, memories[seat] = talk.speak(view(table, seat), memories[seat], rng)
        while letters:
            letter = letters.pop(0)
            assert parse_letter(str(letter)) == letter
            for to in letter.to:
                more, memories[to] = talk.hear(view(table, to), memories[to], letter, rng)
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
