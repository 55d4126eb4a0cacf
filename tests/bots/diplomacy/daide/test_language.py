"""DAIDE's tokens, map, positions and orders: what is written is read back, and as the protocol says."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from powderkeg.bots.diplomacy.daide.framing import (
    INITIAL_FRAME,
    Fault,
    Frame,
    Kind,
    ProtocolFault,
    check_initial,
    error_frame,
    variant_names,
)
from powderkeg.bots.diplomacy.daide.messages import (
    centres_text,
    daide_order,
    map_text,
    order_scene,
    position_text,
    read_centres,
    read_position,
    read_turn,
    sea_route,
    turn_text,
)
from powderkeg.bots.diplomacy.daide.tokens import TOKEN_CODES, decode_tokens, encode_tokens
from powderkeg.bots.diplomacy.press.daide import parse_tree, read_order_tree
from powderkeg.core.errors import Unreadable
from powderkeg.games.diplomacy.actions import Move, parse_order, parse_unit
from powderkeg.games.diplomacy.board import PROVINCES, START
from powderkeg.games.diplomacy.rules.outcomes import Dislodged
from powderkeg.games.diplomacy.rules.turn import HOME_CENTRES

# Tokens


@pytest.mark.parametrize(
    ("text", "octets"),
    [
        ("NME ( 'Al' )", "480c 4000 4b41 4b6c 4001"),
        ("NOW ( SPR 1901 )", "480e 4000 4700 076d 4001"),
        ("( RUS FLT ( STP SCS ) )", "4000 4105 4201 4000 574a 4608 4001 4001"),
        ("MIS ( -2 )", "480b 4000 3ffe 4001"),
        ("FCT FOR FWD", "4a06 4a07 4a08"),
        ("", ""),
    ],
)
def test_octets_of_the_protocol(text, octets):
    assert encode_tokens(text) == bytes.fromhex(octets)
    assert decode_tokens(bytes.fromhex(octets)) == text


def test_a_text_does_not_grow_when_it_is_passed_on():
    sent = b"".join(bytes([0x4B, octet]) for octet in b"don't \xff\xfe")
    assert decode_tokens(sent) == "'don`t ??'"
    assert len(encode_tokens(decode_tokens(sent))) == len(sent)


words = st.one_of(
    st.sampled_from(sorted(TOKEN_CODES)),
    st.integers(-8192, 8191).map(str),
    st.text("abcXYZ 019.ñ", min_size=1).map(lambda text: f"'{text}'"),
)


@pytest.mark.slow
@settings(deadline=None)
@given(st.lists(words))
def test_texts_are_read_back(listed):
    joined = [w for i, w in enumerate(listed) if not (i and w[0] == listed[i - 1][0] == "'")]
    text = " ".join(joined)
    if "' '" not in text:  # two strings are never side by side
        assert decode_tokens(encode_tokens(text)) == text


@pytest.mark.parametrize("text", ["XYZ", "8192", "-8193", "'open", "12345"])
def test_words_that_are_no_tokens(text):
    with pytest.raises(Unreadable):
        encode_tokens(text)


@pytest.mark.parametrize("octets", ["40", "4a0d", "5800", "ffff"])
def test_octets_that_are_no_tokens(octets):
    with pytest.raises(Unreadable):
        decode_tokens(bytes.fromhex(octets))


def test_every_province_of_ours_has_a_token_of_its_kind():
    numbers = sorted(code & 0xFF for code in TOKEN_CODES.values() if code >> 8 >= 0x50)
    assert numbers == list(range(75))
    kinds = {"inland": 0x50, "sea": 0x52, "coastal": 0x54}
    special = {"bot": "GOB", "eng": "ECH", "lyo": "GOL"}
    for code, province in PROVINCES.items():
        category = TOKEN_CODES[special.get(code, code.upper())] >> 8
        wanted = 0x56 if province.coasts else kinds[province.kind]
        assert category == wanted + bool(province.centre)


def test_variants_name_their_own_powers_and_provinces():
    names = variant_names(bytes.fromhex("4100 585858 00 5000 414243 00"))
    assert names == {0x4100: "XXX", 0x5000: "ABC"}
    assert decode_tokens(bytes.fromhex("480e41005000"), names) == "NOW XXX ABC"


# Frames


def test_the_first_message():
    assert bytes(INITIAL_FRAME).hex() == "000000040001da10"
    check_initial(INITIAL_FRAME)
    assert bytes(error_frame(Fault.TIMER)).hex() == "040000020001"
    assert bytes(Frame(Kind.DIPLOMACY, b"\x48\x04")).hex() == "020000024804"


@pytest.mark.parametrize(
    ("frame", "fault"),
    [
        (Frame(Kind.DIPLOMACY, b"\x48\x04"), Fault.NO_INITIAL),
        (Frame(Kind.INITIAL, bytes.fromhex("000110da")), Fault.WRONG_ENDIAN),
        (Frame(Kind.INITIAL, bytes.fromhex("0001beef")), Fault.WRONG_MAGIC),
        (Frame(Kind.INITIAL, bytes.fromhex("0002da10")), Fault.WRONG_VERSION),
        (Frame(Kind.INITIAL, b"\x00"), Fault.TOO_SHORT),
    ],
)
def test_faults_of_the_first_message(frame, fault):
    with pytest.raises(ProtocolFault) as error:
        check_initial(frame)
    assert error.value.fault is fault


# Positions


@pytest.mark.parametrize(
    ("phase", "turn"),
    [
        ("S1901M", "SPR 1901"),
        ("S1902R", "SUM 1902"),
        ("F1901M", "FAL 1901"),
        ("F1910R", "AUT 1910"),
        ("W1901A", "WIN 1901"),
    ],
)
def test_turns(phase, turn):
    assert turn_text(phase) == turn
    assert read_turn(list(turn.split())) == phase


def test_the_opening_position():
    text = position_text("S1901M", START, ())
    assert text.startswith("NOW ( SPR 1901 ) ( AUS AMY")
    assert "( RUS FLT ( STP SCS ) )" in text
    assert read_position(parse_tree(text)[1:]).units == START
    centres = centres_text(HOME_CENTRES)
    assert "( UNO BEL" in centres
    assert read_centres(parse_tree(centres)[1:]) == HOME_CENTRES


def test_units_that_must_retreat():
    fleet = parse_unit("F con")
    beaten = Dislodged("TURKEY", fleet, Move(fleet, fleet.at), ("bla", "bul/ec", "bul/sc"))
    text = position_text("S1902R", {}, [beaten])
    assert text.endswith("( TUR FLT CON MRT ( BLA ( BUL ECS ) ( BUL SCS ) ) )")
    assert read_position(parse_tree(text)[1:]).dislodged == (beaten,)


def test_the_map():
    tree = parse_tree(map_text())
    assert tree[1] == ["AUS", "ENG", "FRA", "GER", "ITA", "RUS", "TUR"]
    ways = {row[0]: row[1:] for row in tree[3]}
    assert len(ways) == 75
    assert sorted(ways["CON"][0]) == ["AMY", "ANK", "BUL", "SMY"]
    assert ["BUL", "SCS"] in ways["CON"][1]
    assert any(way[0] == ["FLT", "NCS"] for way in ways["STP"])
    assert [way[0] for way in ways["NTH"]] == ["FLT"]


# Orders


@pytest.mark.parametrize(
    ("power", "order", "text"),
    [
        ("FRANCE", "A par - bur", "( FRA AMY PAR ) MTO BUR"),
        ("FRANCE", "A par H", "( FRA AMY PAR ) HLD"),
        ("FRANCE", "A par S A mun - bur", "( FRA AMY PAR ) SUP ( GER AMY MUN ) MTO BUR"),
        ("ENGLAND", "A lon - nwy VIA", "( ENG AMY LON ) CTO NWY VIA ( NTH )"),
        ("ENGLAND", "A lon - nwy", "( ENG AMY LON ) CTO NWY VIA ( NTH )"),
        ("ENGLAND", "F nth C A lon - nwy", "( ENG FLT NTH ) CVY ( ENG AMY LON ) CTO NWY"),
        ("FRANCE", "F mao - spa/nc", "( FRA FLT MAO ) MTO ( SPA NCS )"),
        ("FRANCE", "A par R pic", "( FRA AMY PAR ) RTO PIC"),
        ("FRANCE", "A par D", "( FRA AMY PAR ) DSB"),
        ("FRANCE", "F bre B", "( FRA FLT BRE ) BLD"),
        ("FRANCE", "WAIVE", "FRA WVE"),
    ],
)
def test_orders(power, order, text):
    units = {
        "FRANCE": tuple(map(parse_unit, ["A par", "F mao"])),
        "GERMANY": (parse_unit("A mun"),),
        "ENGLAND": tuple(map(parse_unit, ["A lon", "F nth"])),
    }
    assert daide_order(power, parse_order(order), order_scene(units)) == text
    read = read_order_tree(parse_tree(text))
    assert read.power == power
    assert str(read.order).removesuffix(" VIA") == order.removesuffix(" VIA")


def test_removals_in_winter_have_their_own_word():
    scene = order_scene({}, winter=True)
    assert daide_order("FRANCE", parse_order("A par D"), scene) == "( FRA AMY PAR ) REM"


def test_the_shortest_route_is_named():
    seas = frozenset(["eng", "mao", "wes", "nth", "nao"])
    assert sea_route(parse_order("A lon - tun"), seas) == ("eng", "mao", "wes")
    assert sea_route(parse_order("A lon - tun"), frozenset(["eng"])) == ()
