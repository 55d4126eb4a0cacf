"""Exchanges of influence: when they are due, and with which cubes (V-NEG-06..08)."""

import json
from dataclasses import replace

import pytest

import powderkeg.games.versailles as game
from powderkeg.core import ask as asks
from powderkeg.games.versailles.state import Options
from tests.games.versailles.deals.deal_scenes import (
    UP_TO_CARDS,
    UP_TO_EVENT,
    UP_TO_SOURCE,
    deal,
    syria,
    table,
    two_players,
)
from tests.games.versailles.scene import lay, opening

OFFER = ("usa.settle.syria", "usa.option.syria.uk_mandate", "uk.give.usa.3")


@pytest.mark.rule("V-NEG-06", "V-NEG-02")
def test_the_rulebooks_example_is_agreed_before_the_settlement():
    """EN, Negotiations: the USA settles Syria and takes the British mandate for three cubes."""
    play = deal(syria(), *OFFER, by="usa", to="uk")
    assert (play.free("uk"), play.used("usa")) == (15, 0)
    play.refuses("usa settle armenia", "no_cubes_there", "V-SETTLE-01")
    assert play.verbs("usa") == {"settle", "deploy", "demobilise"}
    play("usa settle syria")
    assert play.legal("usa") == ["option uk_mandate"]
    assert not play.facts_of("exchange")
    play("usa option uk_mandate")
    assert play.facts_of("exchange")[-1]["n"] == 3
    assert (play.free("uk"), play.used("uk"), play.used("usa")) == (12, 3, 1)
    assert play.facts_of("deal_kept")
    assert play.state.deals == ()


@pytest.mark.rule("V-NEG-03")
def test_the_promise_in_the_rulebooks_example_does_not_bind():
    play = lay(syria(), waiting=("mesopotamia", "ethiopia", "constantinople"))
    deal(play, *OFFER, "uk.later.shun.mesopotamia", by="usa", to="uk")
    assert [promise.term for promise in play.state.promises] == ["uk.later.shun.mesopotamia"]


@pytest.mark.rule("V-NEG-06")
def test_the_form_of_a_deal_can_write_the_rulebooks_example():
    question = game.ask(syria().state, "P3")
    assert asks.accepts_answer(question.node, f"propose uk {','.join(OFFER)}")


@pytest.mark.rule("V-NEG-06")
def test_an_exchange_alone_happens_at_once_if_it_can():
    play = deal(table(), "uk.give.france.2")
    assert (play.used("uk"), play.used("france")) == (6, 3)


@pytest.mark.rule("V-NEG-06")
def test_an_exchange_waits_until_the_cubes_are_exhausted():
    """France has nothing exhausted, but three cubes on an issue that the UK settles this turn."""
    play = deal(table(used={"france": 0}), "uk.give.france.3")
    assert not play.facts_of("exchange")
    play("uk settle armenia")
    assert play.facts_of("exchange")[-1]["n"] == 3
    assert play.used("france") == 0


@pytest.mark.rule("V-NEG-06")
def test_an_exchange_is_due_when_the_other_terms_are_kept():
    play = deal(table(), "france.option.armenia.to_turkey", "uk.give.france.2")
    assert not play.facts_of("exchange")
    play("uk settle armenia", "france option to_turkey")
    assert play.facts_of("exchange")
    other = deal(table(), "france.option.armenia.to_turkey", "uk.give.france.2")
    other("uk place constantinople 1", "uk place rheinland 1", "uk end")
    assert not other.facts_of("exchange")  # nothing was settled, so nothing is paid
    assert other.facts_of("deal_expired")


@pytest.mark.rule("V-NEG-06")
def test_a_term_not_to_do_something_is_paid_at_the_end_of_the_turn():
    play = deal(table(), "uk.shun.armenia", "france.give.uk.2")
    play("uk place constantinople 1", "uk place rheinland 1")
    assert not play.facts_of("exchange")
    play("uk end")
    assert play.facts_of("exchange")
    assert play.facts_of("deal_kept")
    assert play.used("uk") == 2


@pytest.mark.rule("V-NEG-06")
def test_what_the_turn_did_not_exhaust_is_not_exchanged():
    """France expects three from a settlement, but only the five that it has are ever exhausted."""
    play = deal(table(used={"france": 1}), "uk.give.france.3")
    play("uk place constantinople 1", "uk place rheinland 1", "uk end")
    assert play.facts_of("exchange")[-1]["n"] == 1
    assert (play.used("uk"), play.used("france")) == (5, 0)


@pytest.mark.rule("V-NEG-06")
def test_a_deal_that_moved_less_than_promised_is_not_kept():
    play = deal(table(used={"france": 1}), "uk.give.france.3")
    play("uk place constantinople 1", "uk place rheinland 1", "uk end")
    assert not play.facts_of("deal_kept")
    assert [(a["n"], a["promised"]) for a in play.facts_of("deal_short")] == [(1, 3)]


@pytest.mark.rule("V-NEG-06")
@pytest.mark.parametrize(
    ("term", "laid", "upto"),
    [
        ("uk.draw", {"pile": ()}, UP_TO_SOURCE),
        (
            "uk.cube.no",
            {"lobby": ("kun", "hoover")},
            (*UP_TO_CARDS, "uk advance ethiopia", "uk advance kun"),
        ),
    ],
)
def test_what_the_rules_decide_keeps_a_deal_too(term, laid, upto):
    """Without a pile the UK must draw; an event without the icon takes no cube."""
    play = deal(lay(table(), **laid), term, "france.give.uk.2")(*upto)
    assert play.facts_of("exchange")[-1]["n"] == 2
    assert play.facts_of("deal_kept")
    assert not play.facts_of("deal_expired")


@pytest.mark.rule("V-NEG-06")
def test_older_games_ended_such_a_deal_without_its_exchange():
    play = lay(table(), pile=())
    play.state = replace(play.state, options=Options(forced_terms=False))
    deal(play, "uk.draw", "france.give.uk.2")(*UP_TO_SOURCE)
    assert play.facts_of("deal_expired")
    assert not play.facts_of("exchange")


@pytest.mark.rule("V-NEG-02", "V-NEG-06")
@pytest.mark.parametrize(
    ("moves", "breaks"),
    [
        ((), "place rheinland 6"),
        (("uk place constantinople 1",), "place rheinland 6"),
        ((*UP_TO_EVENT, "usa choose uk", "uk choose 1", "uk advance ethiopia"), ""),
    ],
)
def test_cubes_that_are_owed_are_kept_back(moves, breaks):
    """The UK has eight cubes and owes two once France has chosen its strategy."""
    play = deal(table(), "france.strategy.global_trade", "uk.give.france.2")(*moves)
    assert play.state.deals
    if breaks:
        play.refuses(f"uk {breaks}", "breaks_deal", "V-NEG-02")
        fewer = int(breaks[-1]) - 1
        assert f"{breaks[:-1]}{fewer}" in play.legal("uk")


@pytest.mark.rule("V-NEG-06")
def test_prepaid_cubes_can_be_placed_at_once():
    play = lay(opening(3), used={"uk": 14}, cubes={})
    play.refuses("uk propose france uk.place.armenia,france.give.uk.3", "cannot_keep", "V-NEG-09")
    deal(play, "france.prepay.uk.3")
    assert play.free("uk") == 4
    play("uk place armenia 3", "uk place ethiopia 1")


@pytest.mark.rule("V-NEG-07")
def test_a_deal_holds_one_exchange_each_way_and_six_cubes():
    play = lay(opening(3), used={"uk": 4, "france": 9})
    both = "uk propose france uk.give.france.4,uk.prepay.france.3"
    play.refuses(both, "one_exchange", "V-NEG-07")
    play.refuses("uk propose france uk.give.france.7", "cannot_keep", "V-NEG-09")
    deal(play, "uk.give.france.2", "france.give.uk.1")


@pytest.mark.rule("V-NEG-07")
def test_six_cubes_are_the_most_for_each_receiver():
    play = lay(opening(3), used={"france": 9, "usa": 9})
    deal(play, "uk.prepay.france.6", "uk.prepay.usa.6", to="france+usa")
    assert [fact["n"] for fact in play.facts_of("exchange")] == [6, 6]


@pytest.mark.rule("V-NEG-06")
def test_nobody_owes_more_than_the_turn_can_free():
    play = lay(opening(3), used={"uk": 13, "france": 9})
    play.refuses("france propose uk uk.give.france.9", "cannot_keep", "V-NEG-09")
    deal(play, "uk.give.france.2", by="france", to="uk")
    assert play.free("uk") == 0
    reclaimed = deal(play, "uk.give.france.3", by="france", to="uk")  # out of what it reclaims
    reclaimed("uk reclaim 6 -")
    assert reclaimed.facts_of("exchange")[-1]["n"] == 3


@pytest.mark.rule("V-NEG-06")
def test_the_option_exchanges_when_the_deal_is_made():
    play = opening(3, options=Options(exchange_at_once=True))
    lay(play, table=("syria", "armenia"), cubes={"syria": {"uk": 4}}, used={"france": 5})
    play.refuses("uk propose usa usa.give.uk.3", "cannot_keep", "V-NEG-09")
    play.refuses("uk propose france uk.prepay.france.3", "cannot_keep", "V-NEG-09")
    deal(play, "uk.settle.syria", "uk.give.france.2")
    assert play.used("france") == 3


# The USA of two players


@pytest.mark.rule("V-NEG-11", "V-2P-23")
def test_what_the_usa_do_can_be_agreed():
    play = deal(two_players(), "usa.settle.rheinland", "france.give.uk.2")
    play("uk reclaim 1 -", "uk end")
    assert play.legal("uk") == ["settle rheinland"]
    play.refuses("uk reclaim 0 -", "reclaim_nothing", "V-2P-16")
    play("uk settle rheinland")
    assert play.facts_of("exchange")[-1]["n"] == 2


@pytest.mark.rule("V-NEG-11")
def test_the_steps_of_a_settlement_by_the_usa_can_be_agreed():
    play = lay(two_players(), event="hoover", unrest={"europe": 4})
    terms = ("usa.settle.rheinland", "usa.decline", "usa.advance.ethiopia")
    deal(play, *terms)("uk reclaim 1 -", "uk end", "uk settle rheinland")
    play("france option remains_german")
    assert play.legal("uk") == ["decline"]
    play("uk decline", "uk advance murdoch", "uk cube no")
    assert play.legal("uk") == ["advance ethiopia"]
    question = game.ask(two_players().state, "P1")
    assert asks.accepts_answer(question.node, f"propose france {','.join(terms[:1])}")


@pytest.mark.rule("V-NEG-11", "V-2P-23")
def test_the_usa_give_nothing_and_promise_nothing():
    play = two_players()
    play.refuses("uk propose france usa.give.uk.1", "not_a_party", "V-NEG-10")
    play.refuses("uk propose france usa.later.settle.armenia", "cannot_keep", "V-NEG-09")
    play.refuses("uk propose france usa.option.armenia.to_turkey", "cannot_keep", "V-NEG-09")
    deal(play, "usa.shun.ethiopia")
    three = lay(opening(3), cubes={"armenia": {"usa": 1}})
    three.refuses("uk propose france usa.settle.armenia", "not_a_party", "V-NEG-10")


# Custom cards


def test_an_option_that_a_pack_adds_can_be_agreed():
    added = {"happiness": {}, "unrest": {}, "counters": [], "name": "Free port"}
    pack = json.dumps({"issues.syria.options.free_port": added})
    play = opening(3, options=Options(pack=pack))
    lay(play, table=("syria", "armenia"), cubes={"syria": {"uk": 1}})
    deal(play, "uk.settle.syria", "uk.option.syria.free_port", by="uk", to="france")
    assert play("uk settle syria").legal("uk") == ["option free_port"]
