"""DAIDE, the language of bots: nothing is lost, and everything can be said in three languages."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

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
    press_level,
)
from powderkeg.bots.diplomacy.press.wording import message_words
from powderkeg.core.errors import Unreadable
from powderkeg.core.words import say
from powderkeg.games.diplomacy.actions import (
    Build,
    Convoy,
    Disband,
    Hold,
    Move,
    Retreat,
    Support,
    Waive,
)
from powderkeg.games.diplomacy.board import CODES, LOCATIONS, POWERS, PROVINCES, Unit, can_stand

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


@given(st.builds(Letter, st.sampled_from(POWERS), some_powers, messages, st.just("")))
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
