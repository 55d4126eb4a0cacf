"""Deals that become impossible: what ends them, and what goes on (V-NEG-09)."""

from dataclasses import replace

import pytest

from powderkeg.games.versailles.state import StateBuilder
from tests.games.versailles.deals.deal_scenes import (
    BID_SYRIA,
    UP_TO_EVENT,
    deal,
    optional_event,
    settle_on,
    table,
    two_players,
)
from tests.games.versailles.scene import lay, midway, opening

# What becomes impossible


@pytest.mark.rule("V-NEG-09")
def test_a_deal_lapses_when_another_makes_it_impossible():
    """France agrees on an option; then the active player does not settle the issue."""
    play = deal(table(), "france.option.armenia.to_turkey")
    play("uk settle rheinland")
    assert play.facts_of("deal_expired")
    assert play.state.deals == ()


@pytest.mark.rule("V-NEG-09")
def test_an_open_offer_lapses_too():
    play = table()("france propose uk uk.settle.armenia,france.give.uk.1")
    play("uk reclaim 4 -")  # nothing is exhausted any more, and no settlement comes
    assert play.state.deals == ()
    play.refuses("uk accept 1", "no_such_deal", "V-NEG-09")


@pytest.mark.rule("V-NEG-09")
def test_a_unit_that_leaves_ends_a_deal_about_the_die():
    play = deal(table(), "france.modify.europe.minus")
    b = StateBuilder(play.state)
    b.posts = [-1 if owner == 1 else owner for owner in b.posts]
    b.spent[1] += 1
    play.state = b.freeze()
    midway(play)
    assert play.facts_of("deal_expired")


@pytest.mark.rule("V-NEG-09")
def test_a_dive_lapses_when_the_cubes_are_gone():
    play = table(used={"uk": 10})  # two available; the third card costs two
    deal(play, "uk.dive.cilicia")
    settle_on(play, "france option to_turkey", "usa choose uk", "uk choose 1")
    play("uk advance ethiopia", "uk advance hoover", "uk cube yes")
    assert play.free("uk") == 2  # his cube on Armenia came back, the one on the event is gone
    assert play.legal("uk") == ["dive cilicia"]
    other = deal(table(used={"uk": 10}), "uk.dive.cilicia")
    midway(lay(other, used={"uk": 11}))
    assert other.facts_of("deal_expired")


@pytest.mark.rule("V-NEG-09")
def test_a_unit_taken_by_an_event_ends_a_deal_to_deploy():
    """The USA decide the event and choose the UK, whose last unit goes home."""
    play = table(event="foch", units={"uk": ("mutinied", "mutinied", "available")})
    deal(play, "uk.deploy.africa")
    play(*UP_TO_EVENT, "usa choose uk", "uk choose 1")
    assert play.facts_of("deal_expired")


@pytest.mark.rule("V-NEG-09")
@pytest.mark.parametrize("term", ["usa.perform", "usa.decline"])
def test_without_a_settlement_nobody_decides_the_event(term):
    play = deal(optional_event(), term, to="france+usa")
    play("uk reclaim 4 -")
    assert play.facts_of("deal_expired")


@pytest.mark.rule("V-NEG-09")
@pytest.mark.parametrize("term", ["uk.advance.ethiopia", "uk.draw", "uk.dive.korea"])
def test_without_a_settlement_no_card_moves(term):
    """His own act, which no deal forbids him: he agreed on how to settle, not to settle."""
    play = deal(table(), term)
    play("uk reclaim 4 -")
    assert play.facts_of("deal_expired")


@pytest.mark.rule("V-NEG-09")
def test_a_player_who_is_not_chosen_takes_no_branch():
    play = deal(table(), "france.branch.2")
    play(*UP_TO_EVENT, "usa choose uk", "uk choose 1")
    assert [args["deal"] for args in play.facts_of("deal_expired")] == [1]


@pytest.mark.rule("V-NEG-09")
def test_an_outbid_party_cannot_bid_or_choose_the_option_any_more():
    play = lay(opening(3), held={"syria": "uk"}, units={"uk": ("exhausted",) * 3}, used={"uk": 13})
    midway(play, BID_SYRIA)("uk bid 0+0 1")
    play("usa propose uk uk.option.syria.french_mandate", "uk accept 1")
    play("france bid 3+0 15")
    assert play.facts_of("deal_expired")  # the UK was passed over, and another won
    assert play.owner("syria") == "france"


@pytest.mark.rule("V-NEG-09")
def test_a_bid_agreed_on_lapses_when_a_rival_goes_too_high():
    units = {"uk": ("exhausted",) * 3, "france": ("available",) * 3, "usa": ("exhausted",) * 3}
    play = midway(lay(opening(3), held={"syria": "france"}, units=units), BID_SYRIA)
    deal(play, "usa.bid.syria", by="uk", to="usa")
    play("france bid 3+0 0")  # nobody can match three units
    assert play.facts_of("deal_expired")


@pytest.mark.rule("V-NEG-09", "V-DISCARD-04")
def test_a_discard_pushed_too_deep_ends_a_deal_to_take_it():
    """The USA unsettle an issue, nobody bids, and it comes to lie on top of the pile."""
    play = table(event="mordacq", held={"indemnity": "france"})
    deal(play, "uk.dive.cilicia")  # the third card
    play(*UP_TO_EVENT, "usa perform", "france pass", "usa pass", "uk pass")
    assert play.state.pile[0] == "indemnity"
    assert play.facts_of("deal_expired")


@pytest.mark.rule("V-NEG-09")
def test_a_withdrawn_unit_ends_a_deal_about_the_die():
    """Lodge: each player withdraws a unit; France's leaves Europe."""
    play = lay(opening(3), event="lodge", cubes={"armenia": {"france": 3}})
    lay(play, units={"france": ("europe 5", "available", "available")})
    deal(play, "france.modify.europe.minus")
    play("uk settle armenia", "france option to_turkey")
    assert play.facts_of("deal_expired")


@pytest.mark.rule("V-NEG-09")
def test_the_deals_of_others_go_on_when_one_lapses():
    play = table()
    deal(play, "uk.shun.ethiopia", to="usa")
    deal(play, "france.option.armenia.to_turkey", by="usa", to="uk+france")
    play("uk settle rheinland")
    assert [args["deal"] for args in play.facts_of("deal_expired")] == [2]
    assert [b.number for b in play.state.deals] == [1]


def test_a_deal_that_nothing_keeps_does_not_bind():
    """Should a deal ever leave no answer at all, the game goes on without it."""
    play = deal(table(), "uk.shun.ethiopia")
    b = StateBuilder(play.state)
    shuns = tuple(f"uk.shun.{issue}" for issue in b.cubes)
    (made,) = b.deals
    b.deals = (made._replace(terms=shuns),)
    b.exhausted[0], b.available[0] = 0, b.available[0] + b.exhausted[0]
    play.state = b.freeze()
    midway(play)
    assert play.legal("uk")


@pytest.mark.rule("V-NEG-11")
@pytest.mark.parametrize("known", [True, False])
def test_a_deal_waits_for_the_settlement_of_the_usa(known):
    """The UK places; the USA of two players may still settle what France leads."""
    play = two_players()
    play.state = replace(play.state, options=replace(play.state.options, usa_in_deals=known))
    deal(play, "france.option.rheinland.to_france")
    play("uk reclaim 4 -", "uk end")
    assert bool(play.state.deals) is known
    if not known:
        play.refuses("uk propose france usa.settle.rheinland", "not_a_party", "V-NEG-10")
