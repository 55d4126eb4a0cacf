"""One case a clause: what becomes of orders, why, and by which rule of the summary."""

import tomllib
from itertools import permutations
from pathlib import Path

import pytest

from powderkeg.core import plain
from powderkeg.core.words import Msg, say
from powderkeg.games.diplomacy.actions import Move, parse_order, parse_unit
from powderkeg.games.diplomacy.board import Unit
from powderkeg.games.diplomacy.rules.adjudicate import adjudicate
from powderkeg.games.diplomacy.rules.outcomes import Outcome, Verdict, Why
from powderkeg.games.diplomacy.rules.position import Position, Rulebook
from powderkeg.games.diplomacy.words import reason_name

FOLDER = Path(__file__).parents[1] / "cases"
CASES = tomllib.loads((FOLDER / "movement.toml").read_text(encoding="utf-8"))["case"]
MARKED = [pytest.param(c, marks=pytest.mark.rule(*c["rules"]), id=c["what"]) for c in CASES]


def position(units) -> Position:
    return Position({power: tuple(map(parse_unit, found)) for power, found in units.items()})


def judge(units, orders, rulebook=Rulebook()):  # noqa: B008  # frozen
    written = {power: [*map(parse_order, texts)] for power, texts in orders.items()}
    return adjudicate(position(units), written, rulebook)


def reason_of(outcome: Outcome) -> str:
    """What a case says of an order: verdict, reason, number of the summary, dislodged."""
    parts: list[str] = [outcome.verdict, outcome.why]
    parts += [str(outcome.number)] if outcome.number else []
    return " ".join([*parts, *(["dislodged"] if outcome.dislodged_by else [])])


@pytest.mark.parametrize("case", MARKED)
def test_case(case):
    done = judge(case["units"], case["orders"])
    found = {str(outcome.order): reason_of(outcome) for outcome in done.outcomes}
    assert {order: found[order] for order in case["expect"]} == case["expect"]
    if "after" in case:
        after = {p: [str(u) for u in units] for p, units in done.position.units.items()}
        assert after == case["after"]
    if "contested" in case:
        assert list(done.contested) == case["contested"]
    if "retreats" in case:
        assert {str(d.unit): list(d.retreats) for d in done.dislodged} == case["retreats"]


@pytest.mark.rule("D-SET-09")
@pytest.mark.parametrize("kinds", ["AA", "AF", "FA", "FF"])
def test_armies_and_fleets_are_equally_strong(kinds):
    units = {"GERMANY": [f"{kinds[0]} ber"], "RUSSIA": [f"{kinds[1]} lvn"]}
    orders = {"GERMANY": [f"{kinds[0]} ber - pru"], "RUSSIA": [f"{kinds[1]} lvn - pru"]}
    done = judge(units, orders)
    assert [reason_of(o) for o in done.outcomes] == ["bounced standoff 3"] * 2


@pytest.mark.rule("D-PHASE-08", "D-SET-02")
def test_the_order_of_listing_is_no_matter():
    case = next(c for c in CASES if "dislodged unit has no effect" in c["what"])
    outcomes = set()
    for powers in permutations(case["orders"]):
        orders = {power: list(reversed(case["orders"][power])) for power in powers}
        done = judge({power: case["units"][power] for power in powers}, orders)
        outcomes.add(
            frozenset((o.power, o.order, reason_of(o), frozenset(o.by)) for o in done.outcomes)
        )
    assert len(outcomes) == 1


# Readings that can be chosen


@pytest.mark.rule("D-CONV-14")
def test_land_fallback_is_a_choice():
    units = {"FRANCE": ["A bel"], "ENGLAND": ["F nth"]}
    orders = {"FRANCE": ["A bel - hol VIA"], "ENGLAND": ["F nth - hel"]}
    assert reason_of(judge(units, orders, Rulebook(land_fallback=True)).outcomes[0]) == "ok moved"


@pytest.mark.rule("D-CONV-11")
def test_intent_can_be_limited_to_words():
    units = {"ENGLAND": ["A nwy", "F ska"], "RUSSIA": ["A swe"]}
    orders = {"ENGLAND": ["A nwy - swe", "F ska C A nwy - swe"], "RUSSIA": ["A swe - nwy"]}
    done = judge(units, orders, Rulebook(convoy_intent="via_only"))
    assert reason_of(done.outcomes[0]) == "bounced no_swap 6"


@pytest.mark.rule("D-STAND-06")
def test_the_literal_rule_11_silences_victims_of_convoyed_armies():
    units = {
        "ENGLAND": ["A nwy", "F den", "F fin"],
        "GERMANY": ["F ska"],
        "RUSSIA": ["A swe", "F bar"],
        "FRANCE": ["F nwg", "F nth"],
    }
    orders = {
        "ENGLAND": ["A nwy - swe VIA", "F den S A nwy - swe", "F fin S A nwy - swe"],
        "GERMANY": ["F ska C A nwy - swe"],
        "RUSSIA": ["A swe - nwy", "F bar S A swe - nwy"],
        "FRANCE": ["F nwg - nwy", "F nth S F nwg - nwy"],
    }
    ours, literal = (
        judge(units, orders, Rulebook(convoyed_dislodger_silences=flag)) for flag in (False, True)
    )
    assert reason_of(ours.outcomes[6]) == "bounced standoff 3"
    assert reason_of(literal.outcomes[6]) == "ok loser_powerless 11"


@pytest.mark.rule("D-CONV-11", "D-ALT-10")
def test_own_fleet_means_the_players_fleet():
    units = {"RUSSIA": ["A nwy"], "ITALY": ["F ska"], "GERMANY": ["A swe"]}
    orders = {
        "RUSSIA": ["A nwy - swe"],
        "ITALY": ["F ska C A nwy - swe"],
        "GERMANY": ["A swe - nwy"],
    }
    written = {power: [*map(parse_order, texts)] for power, texts in orders.items()}
    apart = adjudicate(position(units), written)
    together = Position(position(units).units, {"RUSSIA": "ITALY_RUSSIA", "ITALY": "ITALY_RUSSIA"})
    assert apart.outcomes[0].verdict == "bounced"
    assert adjudicate(together, written).outcomes[0].verdict == "ok"


@pytest.mark.rule("D-ALT-10")
def test_nations_of_one_player_fight_like_strangers():
    units = {"FRANCE": ["A par", "A mar"], "AUSTRIA": ["A bur"]}
    players = {"FRANCE": "AUSTRIA_FRANCE", "AUSTRIA": "AUSTRIA_FRANCE"}
    orders = {"FRANCE": [Move(Unit("A", "par"), "bur"), parse_order("A mar S A par - bur")]}
    done = adjudicate(Position(position(units).units, players), orders)
    assert [str(each.unit) for each in done.dislodged] == ["A bur"]


BELGIUM = {"GERMANY": ["A hol", "A ruh"], "FRANCE": ["F pic"], "ENGLAND": ["F nth"]}


def reason(units, orders, wanted):
    done = judge(units, orders)
    return next(outcome for outcome in done.outcomes if str(outcome.order) == wanted)


@pytest.mark.rule("D-STAND-04")
def test_a_move_names_the_rival_that_it_beats():
    orders = {"GERMANY": ["A hol - bel", "A ruh S A hol - bel"], "FRANCE": ["F pic - bel"]}
    won = reason(BELGIUM, orders, "A hol - bel")
    assert (won.why, won.by, won.strengths) == (
        "overpowered",
        (parse_order("F pic - bel"),),
        (2, 1),
    )
    said = say(reason_name(won, lambda order: Msg(str(order))))
    assert said == "Germany, A hol - bel: done, stronger than F pic - bel: 2 against 1."


def test_only_the_strongest_rivals_are_named():
    units = {**BELGIUM, "RUSSIA": ["F eng"], "ITALY": ["A bur", "A par"]}
    orders = {
        "GERMANY": ["A hol - bel", "A ruh S A hol - bel"],
        "ENGLAND": ["F nth S A hol - bel"],
        "FRANCE": ["F pic - bel"],
        "RUSSIA": ["F eng S A bur - bel"],
        "ITALY": ["A bur - bel"],
    }
    won = reason(units, orders, "A hol - bel")
    assert (won.by, won.strengths) == ((parse_order("A bur - bel"),), (3, 2))


def test_a_convoyed_army_and_one_that_follows_name_their_rivals_too():
    units = {"ENGLAND": ["A lon", "F nth", "A hol"], "FRANCE": ["F pic"], "GERMANY": ["A bel"]}
    orders = {
        "ENGLAND": ["A lon - bel VIA", "F nth C A lon - bel", "A hol S A lon - bel"],
        "FRANCE": ["F pic - bel"],
        "GERMANY": ["A bel - bur"],
    }
    assert reason(units, orders, "A lon - bel VIA").why == "overpowered"
    orders["FRANCE"] = ["F pic H"]
    assert reason(units, orders, "A lon - bel VIA").why == "carried"


def test_a_move_without_rivals_is_unopposed():
    assert reason(BELGIUM, {"GERMANY": ["A hol - bel"]}, "A hol - bel").why == "moved"


def test_outcomes_stored_before_strengths_are_read():
    outcome = Outcome("FRANCE", parse_order("A par - bur"), Verdict.OK, Why.MOVED)
    stored = plain.dump(outcome)
    del stored["strengths"]
    assert plain.load(Outcome, stored) == outcome
