"""Orders as people write them are read as they are meant, and written so that they can be read."""

import json
import re
import tomllib
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from powderkeg.core.errors import RulesError, Unreadable
from powderkeg.core.words import LANGS, Msg, has_words, say
from powderkeg.games.diplomacy.actions import (
    Build,
    Convoy,
    Disband,
    Hold,
    Move,
    Order,
    Retreat,
    Support,
    Waive,
    parse_order,
    parse_unit,
)
from powderkeg.games.diplomacy.board import (
    HOMES,
    LOCATIONS,
    POWERS,
    PROVINCES,
    Unit,
    UnitKind,
    can_stand,
    unit_moves,
)
from powderkeg.games.diplomacy.judge.judge import judge_phase
from powderkeg.games.diplomacy.judge.sheet import Sheet
from powderkeg.games.diplomacy.notation import lexicon as names
from powderkeg.games.diplomacy.notation.lexicon import edit_distance, find_power, order_lexicon
from powderkeg.games.diplomacy.notation.reading import (
    UnderstoodOrder,
    read_order,
    read_order_set,
    read_orders,
    read_place,
    read_unit,
    split_orders,
)
from powderkeg.games.diplomacy.notation.resolve import Context
from powderkeg.games.diplomacy.notation.writing import FORMS, write_order, written_unit
from powderkeg.games.diplomacy.rules.legality import (
    NumberedPosition,
    movement_objection,
    spell_movement,
)
from powderkeg.games.diplomacy.rules.outcomes import Why
from powderkeg.games.diplomacy.rules.position import Position
from powderkeg.games.diplomacy.words import order_name, place_name

KINDS: tuple[UnitKind, UnitKind] = ("A", "F")
CASES = Path(__file__).parents[1] / "cases"
WRITTEN = tomllib.loads((CASES / "notation.toml").read_text(encoding="utf-8"))["case"]
BOOK = json.loads((CASES / "diagrams.json").read_text(encoding="utf-8"))
DATC = json.loads((CASES / "datc.json").read_text(encoding="utf-8"))["cases"]
RETREATS = {"RUSSIA": {"A STP": ["LVN", "MOS"]}, "FRANCE": {"A BUR": ["GAS", "PIC"]}}
RULEBOOK = [{"phase": "S1901M", **case} for case in BOOK["diagrams"]] + BOOK["sample_game"]


def units(listed: dict[str, list[str]]) -> dict[str, tuple[Unit, ...]]:
    return {power: tuple(map(parse_unit, texts)) for power, texts in listed.items()}


def context(case: dict[str, Any], power: str) -> Context:
    retreats = case.get("retreats", {})
    centres = case.get("centers", {}).get(power, [])
    owed = case.get("owed", len(centres) - len(case["units"].get(power, [])))
    sites = case.get("sites", [home for home in HOMES[power] if home.upper() in centres])
    return Context(
        power,
        units(case["units"]),
        case.get("phase", "M")[-1],
        {parse_unit(unit): tuple(map(str.lower, places)) for unit, places in retreats.items()},
        owed,
        sites,
    )


def lines():
    for case in WRITTEN:
        for text in case["texts"]:
            marks = [pytest.mark.rule(case["rule"])] if "rule" in case else []
            yield pytest.param(case, text, id=f"{case['lang']}: {text}", marks=marks)


@pytest.mark.parametrize(("case", "text"), list(lines()))
def test_as_people_write(case, text):
    board = context(case, case["power"]) if "units" in case else None
    if "refused" in case:
        with pytest.raises(RulesError) as error:
            read_order(text, board, case["lang"])
        assert error.value.code == case["refused"]
        assert all(not say(error.value.msg, lang).startswith("diplomacy_") for lang in LANGS)
        return
    order = read_order(text, board, case["lang"])
    assert str(order) == case["means"]
    if board and "ends" in case:
        assert ends(board, order) == case["ends"]


def ends(board: Context, order: Order) -> str:
    """Where the one unit ordered stands when the phase has been judged."""
    beaten = {unit: tuple(places) for unit, places in board.retreats.items()}
    standing = {power: tuple(found) for power, found in board.units.items()}
    sheet = Sheet(f"S1901{board.phase}", standing, {}, {board.power: beaten})
    after = judge_phase(sheet, {board.power: [order]}).sheet.units[board.power]
    return ", ".join(str(unit) for unit in after if unit not in board.units[board.power]) or (
        ", ".join(map(str, after)) if board.phase == "M" else ""
    )


@pytest.mark.slow
@pytest.mark.rule("D-ORD-02")
@pytest.mark.parametrize("case", RULEBOOK, ids=lambda c: str(c.get("diagram", c["phase"])))
def test_rulebook_orders_in_spanish(case):
    for name, texts in case["orders_es"].items():
        power = find_power(name)
        board = context({**case, "retreats": RETREATS.get(power, {})}, power)
        lang, orders = read_orders(texts, board)
        assert orders == [parse_order(text) for text in case["orders"][power]]
        assert read_orders(texts, board, "es")[1] == orders
        if case["phase"][-1] == "M":
            assert lang == "es"


@pytest.mark.slow
@pytest.mark.parametrize("case", DATC, ids=lambda case: case["id"])
def test_datc_orders(case):
    """As the adjudicator takes them: true units and coasts, and only the power's own units."""
    phase = case["phases"][0]
    if phase["phase"][-1] != "M":
        return
    field = NumberedPosition(
        Position({power: units(phase["units"]).get(power, ()) for power in POWERS})
    )
    for power, texts in phase["orders"].items():
        lang, orders = read_orders(texts, context(phase, power))
        assert lang == "en"
        for text, order in zip(texts, orders, strict=True):
            wire = parse_order(text)
            why = movement_objection(field, field.powers.index(power), wire)
            if isinstance(order, RulesError):
                assert why in (Why.FOREIGN_UNIT, Why.NO_UNIT)
            elif why:
                assert movement_objection(field, field.powers.index(power), order) == why
            else:
                assert spell_movement(field, order) == spell_movement(field, wire)


@pytest.mark.rule("D-ORD-02")
def test_one_order_set_is_read_in_one_language():
    """In Spanish "A" is support: a set is not read letter by letter in several languages."""
    board = Context("FRANCE", units({"FRANCE": ["A par", "A mar"], "GERMANY": ["A bur"]}))
    lang, orders = read_orders(["E Par A E Mar-Bor", "E Mar-Bor"], board)
    assert (lang, list(map(str, orders))) == ("es", ["A par S A mar - bur", "A mar - bur"])
    lang, orders = read_orders(["A Par S A Mar-Bor", "A Mar-Bor"], board)
    assert (lang, list(map(str, orders))) == ("it", ["A par S A mar - bur", "A mar - bur"])
    lang, orders = read_orders(["A Par S A Mar-Bur", "E Mar-Bor"], board)
    assert lang == "en"
    assert str(orders[0]) == "A par S A mar - bur"
    assert isinstance(orders[1], Unreadable)


@pytest.mark.rule("D-ORD-05")
def test_each_order_is_judged_by_itself():
    """What another order says does not decide between two meanings (DATC 4.E.2 a)."""
    board = Context("ENGLAND", units({"ENGLAND": ["A lvp", "A lvn"]}))
    _, orders = read_orders(["A Liverpool-Yor", "A Liv H"], board, "en")
    assert str(orders[0]) == "A lvp - yor"
    assert isinstance(orders[1], Unreadable)


def test_refusals_say_what_could_be_meant():
    board = Context("ENGLAND", units({"ENGLAND": ["A lvp", "A lvn"]}))
    with pytest.raises(Unreadable) as error:
        read_order("A Liv H", board, "en")
    assert say(error.value.msg, "es").endswith("E Lvp M y E Lvn M.")
    with pytest.raises(Unreadable) as error:
        read_order("A Par - Xarix", lang="en")
    assert say(error.value.msg, "it").endswith("Forse: Parigi.")


# What we write, we read


locations = st.sampled_from(LOCATIONS)
units_ = st.builds(Unit, st.sampled_from("AF"), locations).filter(can_stand)
armies = units_.filter(lambda unit: unit.kind == "A")


def going(unit: Unit) -> st.SearchStrategy[str]:
    """Places that a unit of that kind can be sent to, coasts only for fleets."""
    return locations.filter(lambda to: unit.kind == "F" or to in PROVINCES)


orders = st.one_of(
    st.builds(Hold, units_),
    units_.flatmap(
        lambda u: st.builds(
            Move, st.just(u), going(u), st.just(value=False) if u.kind == "F" else st.booleans()
        )
    ),
    st.builds(Support, units_, units_),
    units_.flatmap(lambda t: st.builds(Support, units_, st.just(t), going(t))),
    st.builds(Convoy, units_, armies, st.sampled_from(sorted(PROVINCES))),
    units_.flatmap(lambda u: st.builds(Retreat, st.just(u), going(u))),
    st.builds(Disband, units_),
    st.builds(Build, units_),
    st.builds(Waive, st.sampled_from(["", "bre", "stp"])),
)


@settings(deadline=None)
@given(orders, st.sampled_from(LANGS), st.sampled_from(FORMS))
def test_written_orders_are_read_back(order: Order, lang: str, form):
    assert read_order(write_order(order, lang, form), lang=lang) == order


ONE_OF_EACH_KIND: tuple[Order, ...] = tuple(
    map(
        parse_order,
        [
            "A par H",
            "A par - bur",
            "F mao - spa/nc",
            "A lon - bre VIA",
            "A par S A mar",
            "A par S A mar - bur",
            "F eng C A lon - bre",
            "A par R bur",
            "F stp/nc R nwy",
            "A par D",
            "F bre B",
            "F stp/sc B",
            "WAIVE bre",
            "WAIVE",
        ],
    )
)


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("order", ONE_OF_EACH_KIND, ids=str)
def test_every_kind_of_order_is_read_as_the_game_tells_it(order, lang):
    """A player who writes as the chronicle writes must be understood."""
    assert read_order(say(order_name(order), lang), lang=lang) == order


@pytest.mark.parametrize(
    ("lang", "text"),
    [("en", "build F Brest"), ("es", "construir F Brest"), ("it", "costruisci F Brest")],
)
def test_adjustments_are_read_as_the_game_offers_them(lang, text):
    assert read_order(text, lang=lang) == Build(Unit("F", "bre"))
    assert read_order(say(Msg("diplomacy.do.waive"), lang), lang=lang) == Waive("")


@settings(deadline=None)
@given(orders, st.sampled_from(LANGS))
def test_orders_are_read_as_the_game_tells_them(order: Order, lang: str):
    assert read_order(say(order_name(order), lang), lang=lang) == order


@settings(deadline=None)
@given(
    orders, st.sampled_from(LANGS), st.sampled_from(FORMS), st.sampled_from([str.upper, str.lower])
)
def test_case_and_accents_do_not_matter(order: Order, lang: str, form, change):
    text = write_order(order, lang, form)
    plain = names.fold_text(text).upper() if change is str.upper else names.fold_text(text)
    if lang == "en" or not re.search(r"\bA\b", plain, re.IGNORECASE):  # "a" needs its case there
        assert read_order(plain, lang=lang) == order


@pytest.mark.slow
@pytest.mark.parametrize("lang", LANGS)
def test_every_single_step_is_read_back(lang):
    """Two names and a dash may look like a third: Swe-Den is no Sweden."""
    standing = [Unit(kind, at) for kind in KINDS for at in LOCATIONS]
    for unit in filter(can_stand, standing):
        for to in unit_moves(unit):
            assert read_order(write_order(Move(unit, to), lang), lang=lang) == Move(unit, to)


@pytest.mark.parametrize("lang", LANGS)
def test_every_place_is_known_by_all_its_names(lang):
    for code in PROVINCES:
        for name in (place_name(code), place_name(code, short=True)):
            assert read_place(say(name, lang), lang) == code
        assert code in order_lexicon(lang).find_places((code,)) or lang != "en"
    for location in LOCATIONS:
        for short in (False, True):
            text = say(place_name(location, short=short), lang)
            assert read_place(text, lang) == location


@pytest.mark.parametrize("lang", LANGS)
def test_names_are_not_shared_by_two_places(lang):
    named, aliases, _ = order_lexicon(lang).exact
    traps = {"liv", "gal"}
    assert {key for key, codes in named.items() if len(codes) > 1} <= traps
    assert {key for key, codes in aliases.items() if len(codes) > 1} == set()


def test_aliases_are_of_places_on_the_map():
    data = names._notation_data()
    assert set(data["aliases"]) <= set(PROVINCES)
    for traps in data["traps"].values():
        assert {code for codes in traps.values() for code in codes} <= set(PROVINCES)
    for lang in LANGS:
        assert set(data["words"][lang]["powers"]) == set(POWERS)


@pytest.mark.parametrize("lang", LANGS)
def test_every_power_is_known_by_its_name(lang):
    for power in POWERS:
        assert has_words(f"diplomacy.power.{power}", lang)
        assert find_power(say(Msg(f"diplomacy.power.{power}"), lang)) == power


@pytest.mark.parametrize(
    ("text", "unit"),
    [
        ("A Par", "A par"),
        ("F StP(sc)", "F stp/sc"),
        ("F S. Petersburgo (costa sur)", "F stp/sc"),
        ("F CS SPt", "F stp/sc"),
        ("E Múnich", "A mun"),
        ("Armata Monaco", "A mun"),
        ("F Mare del Nord", "F nth"),
        ("North Sea", "F nth"),
        ("Paris", "A par"),
        ("A Varsovia", "A war"),
    ],
)
def test_units(text, unit):
    assert str(read_unit(text)) == unit


def test_unit_without_a_letter_may_be_either():
    with pytest.raises(Unreadable) as error:
        read_unit("Brest")
    assert error.value.code == "diplomacy_notation.ambiguous"


MEANINGLESS = ("Ba", "xx", "Blorfland", "Mar xx")


@pytest.mark.slow
@pytest.mark.rule("D-ORD-06")
@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("form", FORMS)
def test_no_sea_is_left_for_a_meaningless_place(lang, form):
    """`F Mar de Noruega - Ba` was once carried out as a move to Norway."""
    for sea in (code for code, province in PROVINCES.items() if province.kind == "sea"):
        fleet = Unit("F", sea)
        board = Context("ENGLAND", {"ENGLAND": (fleet,)})
        written = say(written_unit(fleet, form), lang)
        for place in MEANINGLESS:
            with pytest.raises(RulesError):
                read_order(f"{written} - {place}", board)


@pytest.mark.parametrize(
    ("line", "orders"),
    [
        ("E Paris-Borgoña. F Brest-AtC.", ["E Paris-Borgoña", "F Brest-AtC."]),
        ("F Rum A E Seb. E Seb A F Rum", ["F Rum A E Seb", "E Seb A F Rum"]),
        ("A Vie - Gal.Army Bud H.", ["A Vie - Gal", "Army Bud H."]),
        ("F St. Petersburg(sc) - Bot", ["F St. Petersburg(sc) - Bot"]),
        ("F S. Petersburgo M. E Mos M", ["F S. Petersburgo M", "E Mos M"]),
        ("A Ven supp. A Tri. H", ["A Ven supp. A Tri. H"]),
        ("F Eng. C. A Lon-Bre", ["F Eng. C. A Lon-Bre"]),
        ("A Par H (yes, really), F Bre H", ["A Par H (yes, really)", "F Bre H"]),
        ("A Vie -> Gal. (*bounce, cut*)", ["A Vie -> Gal. (*bounce, cut*)"]),
        ("A Par-Bur; F Bre-MAO, A Mar H", ["A Par-Bur", "F Bre-MAO", "A Mar H"]),
        (
            "1) A Par-Bur 2) A Mar S A Par-Bur 3. F Bre-MAO",
            ["A Par-Bur", "A Mar S A Par-Bur", "F Bre-MAO"],
        ),
    ],
)
def test_orders_in_a_line(line, orders):
    assert list(split_orders(line)) == orders


def test_ties_between_languages_go_to_the_preferred_one():
    board = Context("FRANCE", units({"FRANCE": ["F wes"]}))
    for lang in LANGS:
        chosen, (error,) = read_orders(["xyzzy"], board, prefer=lang)
        assert chosen == lang
        assert isinstance(error, Unreadable)


def test_the_language_that_says_most_explains_the_refusal():
    """A clear order for a unit that is not there is no riddle in another language."""
    board = Context("FRANCE", units({"FRANCE": ["F wes"]}))
    lang, (error,) = read_orders(["F MOr T E Inglés Lon-Tun"], board)
    assert isinstance(error, RulesError)
    assert (lang, error.code) == ("es", "diplomacy_notation.no_unit_there")


@pytest.mark.parametrize(
    ("text", "corrected"),
    [
        ("A Par-Bur", False),
        ("Army Paris moves to Burgundy", False),
        ("A Par-Burg", False),
        ("Par-Bur", False),
        ("E Par-Bor", False),
        ("A Par-Burgandy", True),
        ("F Par-Bur", True),
        ("A Paris suports A Mar-Bur", True),
        ("A Par S F Mar-Bur", True),
        ("A Par-Bur (please!)", True),
        ("A Par (French) - Bur", False),
    ],
)
def test_what_was_put_right_is_marked(text, corrected):
    board = Context("FRANCE", units({"FRANCE": ["A par", "A mar"]}))
    (found,) = read_order_set([text], board).orders
    assert isinstance(found, UnderstoodOrder)
    assert found.corrected == corrected


def test_no_such_place():
    with pytest.raises(Unreadable) as error:
        read_place("Atlantis City")
    assert error.value.code.startswith("diplomacy_notation.unknown_place")


def test_long_texts_are_no_orders():
    with pytest.raises(Unreadable):
        read_order("A Par moves " + "in the " * 1000 + "Bur")


@pytest.mark.slow
@settings(deadline=None)
@given(st.text(max_size=60))
def test_any_text_is_read_or_refused(text):
    board = Context("FRANCE", units({"FRANCE": ["A par", "F bre"]}))
    for lang in (None, *LANGS):
        with suppress(RulesError):
            read_order(text, board, lang)


@pytest.mark.parametrize(
    ("a", "b", "slips"),
    [
        ("paris", "paris", 0),
        ("prais", "paris", 1),
        ("pari", "paris", 1),
        ("parris", "paris", 1),
        ("porus", "paris", 2),
        ("rome", "paris", 3),
    ],
)
def test_distance(a, b, slips):
    assert edit_distance(a, b, 2) == edit_distance(b, a, 2) == slips
