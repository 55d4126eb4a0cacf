"""Negotiation with teeth: V-NEG. Offers, what binds, what is refused, what lapses."""

from itertools import combinations

import pytest

import powderkeg.games.versailles as game
from powderkeg.core import ask as asks
from powderkeg.games.versailles.actions import ProposeDeal
from powderkeg.games.versailles.board import NATIONS, NOBODY
from powderkeg.games.versailles.deals.feasibility import CAN_KEEP, offerable_terms
from powderkeg.games.versailles.deals.offers import OFFERS_PER_TURN
from powderkeg.games.versailles.deals.terms import ARGUMENTS
from powderkeg.games.versailles.state import Options
from powderkeg.games.versailles.steps import ChooseCube, ChooseDeploy, Turn
from tests.games.versailles.deals.deal_scenes import (
    BID_SYRIA,
    deal,
    settle_on,
    table,
)
from tests.games.versailles.scene import Play, conference, lay, midway, opening, unsettled

# Offers


@pytest.mark.rule("V-NEG-01", "V-NEG-09")
def test_an_offer_is_public_and_waits_for_all():
    play = table()("france propose usa+uk uk.settle.armenia,france.option.armenia.to_turkey")
    for seat in ("P1", "P2", "P3", None):
        (offer,) = game.view(play.state, seat)["deals"]
        assert (offer["by"], offer["agreed"], offer["made"]) == ("france", ["france"], False)
    play("usa accept 1")
    assert not play.state.deals[0].made
    play.refuses("usa accept 1", "not_your_deal", "V-NEG-09")
    play("uk accept 1")
    assert play.state.deals[0].made


@pytest.mark.rule("V-NEG-09")
def test_offers_are_refused_withdrawn_and_countered():
    play = table()("france propose uk uk.settle.armenia")
    play.refuses("usa accept 1", "not_your_deal", "V-NEG-09")
    play.refuses("uk withdraw 1", "not_your_offer", "V-NEG-09")
    play("uk refuse 1")
    play.refuses("france withdraw 1", "no_such_deal", "V-NEG-09")
    play("france propose uk uk.settle.armenia", "france withdraw 2")
    assert play.state.deals == ()
    play("france propose uk uk.settle.armenia")
    play("uk counter 3 uk.settle.armenia,france.option.armenia.us_mandate")
    (offer,) = play.state.deals
    assert (offer.number, NATIONS[offer.by], len(offer.terms)) == (4, "uk", 2)
    play("france accept 4")
    assert play.state.deals[0].made


def test_out_of_turn_the_default_is_no_to_an_offer():
    play = table()("france propose usa+uk uk.settle.armenia")
    (seat,) = {play.seat("usa"), play.seat("uk")} - game.to_act(play.state)
    assert str(game.default(play.state, seat)) == "refuse 1"


@pytest.mark.rule("V-NEG-08")
def test_deals_at_any_pending_decision_also_out_of_turn():
    play = settle_on(table())
    play("usa propose france france.option.armenia.us_mandate", "france accept 1")
    assert play.legal("france") == ["option us_mandate"]
    play.refuses("france option to_turkey", "breaks_deal", "V-NEG-02")


@pytest.mark.rule("V-NEG-08")
def test_no_deals_before_the_first_turn():
    play = lay_before_first_turn()
    play.refuses("P1 propose france uk.give.france.1", "no_deals_yet", "V-NEG-08")


def lay_before_first_turn():
    return Play(game.start(game.seats(3, Options()), Options()))("chance draw P1", "P1 nation uk")


@pytest.mark.rule("V-NEG-10")
def test_players_only():
    play = table()
    play.refuses("uk propose italy uk.settle.armenia", "not_a_player", "V-NEG-10")
    play.refuses("uk propose uk uk.settle.armenia", "not_a_player", "V-NEG-10")
    play.refuses("uk propose france usa.perform", "not_a_party", "V-NEG-10")
    play.refuses("uk propose france uk.give.usa.1", "not_a_party", "V-NEG-10")
    play.refuses("uk propose usa+france uk.settle.armenia", "parties_order", "V-NEG-09")


@pytest.mark.rule("V-NEG-05")
@pytest.mark.parametrize(
    "term",
    [
        *("uk.cubes.france.3", "uk.unit.france", "uk.points.france.2", "uk.issue.syria", "uk.give"),
        *("uk.modify.europe.double", "uk.deploy.league", "uk.settle.atlantis", "mars.draw"),
    ],
)
def test_nothing_changes_hands(term):
    table().refuses(f"uk propose france {term}", "not_a_term", "V-NEG-05")


def test_limits():
    play = table()
    play.refuses("uk propose france uk.draw,uk.draw", "terms_count", "V-NEG-09")
    for _ in range(OFFERS_PER_TURN):
        play("uk propose france uk.settle.armenia")
    play.refuses("uk propose france uk.settle.armenia", "offers_used", "V-NEG-09")


# Binding and not binding


@pytest.mark.rule("V-NEG-02")
def test_the_rulebooks_own_deal():
    """Settle if the winner takes a certain option."""
    play = deal(table(), "uk.settle.armenia", "france.option.armenia.to_turkey")
    politics = [
        t for t in play.legal("uk") if t.split()[0] in ("place", "reclaim", "settle", "end")
    ]
    assert politics == ["settle armenia"]
    play.refuses("uk place ethiopia 2", "breaks_deal", "V-NEG-02")
    settle_on(play)
    assert play.legal("france") == ["option to_turkey"]
    play.refuses("france option independent", "breaks_deal", "V-NEG-02")
    play("france option to_turkey")
    assert play.facts_of("deal_kept")


@pytest.mark.rule("V-NEG-03")
def test_promises_are_shown_and_never_enforced():
    play = deal(table(), "uk.later.shun.armenia", "france.give.uk.2")
    assert game.view(play.state, None)["promises"] == [
        {"turn": 1, "by": "uk", "to": ["france"], "term": "uk.later.shun.armenia"}
    ]
    assert play.state.deals == ()
    assert "place armenia 3" in play.legal("uk")
    play("uk place armenia 3", "uk place ethiopia 2", "uk end")
    assert len(play.state.promises) == 1
    play.refuses("uk propose france uk.later.perform", "cannot_keep", "V-NEG-09")


@pytest.mark.rule("V-NEG-04")
def test_a_term_is_used_up_once():
    play = deal(table(), "uk.settle.armenia", "france.option.armenia.to_turkey")
    settle_on(play, "france option to_turkey")
    midway(play, unsettled("armenia", 2))
    play("france bid 0+0 1", "usa pass", "uk pass")
    assert len(play.legal("france")) == 3


@pytest.mark.rule("V-NEG-06")
def test_exchange_of_influence():
    play = table(used={"uk": 2, "france": 9})
    before = play.free("uk") + play.free("france")
    play.refuses("uk propose france uk.give.france.7", "cannot_keep", "V-NEG-09")
    play.refuses("uk propose france uk.give.france.0", "cannot_keep", "V-NEG-09")
    play.refuses("uk propose france france.prepay.uk.3", "cannot_keep", "V-NEG-09")  # 2 exhausted
    deal(play, "uk.give.france.6")
    assert (play.used("uk"), play.used("france")) == (8, 3)
    assert play.free("uk") + play.free("france") == before


@pytest.mark.rule("V-NEG-06")
def test_no_more_than_there_is():
    play = table(used={"uk": 10, "france": 9})  # UK: two available
    play.refuses("uk propose france uk.prepay.france.3", "cannot_keep", "V-NEG-09")
    both = "uk propose france+usa uk.prepay.france.2,uk.prepay.usa.1"
    play.refuses(both, "too_much", "V-NEG-06")


@pytest.mark.rule("V-NEG-07")
def test_several_exchanges_a_turn():
    """EN, Negotiations 5: in any deal and at any time; six is the most in one deal."""
    play = deal(deal(lay(opening(3), used={"france": 9}), "uk.give.france.6"), "uk.give.france.2")
    assert play.used("france") == 1
    play.refuses("uk propose france uk.give.france.7", "cannot_keep", "V-NEG-09")


@pytest.mark.rule("V-NEG-07")
def test_the_option_allows_one_exchange_a_turn_in_each_direction():
    play = opening(3, options=Options(exchange_once=True))
    deal(lay(play, used={"uk": 4, "france": 5}), "uk.give.france.1")
    play.refuses("uk propose france uk.give.france.1", "cannot_keep", "V-NEG-09")
    deal(play, "france.give.uk.1")


@pytest.mark.rule("V-NEG-08")
def test_an_exchange_during_a_bid_lets_the_receiver_raise():
    units = dict.fromkeys(("uk", "france", "usa"), ("exhausted",) * 3)
    play = lay(opening(3), held={"syria": "uk"}, units=units, used={"uk": 10, "france": 12})
    midway(play, unsettled("syria", 2))
    play("uk bid 0+0 3")
    assert "bid 0+0 4" not in play.legal("france")
    play.refuses("uk propose france uk.prepay.france.3", "cannot_keep", "V-NEG-09")  # 3 are bid
    deal(play, "usa.prepay.france.2", by="usa", to="france")
    assert "bid 0+0 5" in play.legal("france")


@pytest.mark.rule("V-NEG-09")
def test_a_deal_ends_with_the_turn():
    play = deal(table(), "uk.shun.armenia")
    play.refuses("uk place armenia 3", "breaks_deal", "V-NEG-02")
    play("uk place ethiopia 2", "uk place constantinople 1", "uk end")
    assert play.state.deals == ()
    assert play.facts_of("deal_over")


# What cannot be agreed


@pytest.mark.rule("V-NEG-02")
def test_an_event_that_deploys_respects_a_region_kept_out_of():
    out = deal(opening(3), "uk.keepout.africa")
    midway(out, ChooseDeploy(0))
    assert not [text for text in out.legal("uk") if "africa" in text]


@pytest.mark.rule("V-NEG-09")
@pytest.mark.parametrize(
    "term",
    [
        "france.settle.armenia",  # it is not France's turn
        "uk.settle.ethiopia",  # not on the table
        "uk.place.syria",
        "france.place.ethiopia",
        "uk.option.armenia.to_turkey",  # France leads there
        "france.option.armenia.to_japan",
        "france.flag.armenia.uk",  # no naval icon there
        "uk.perform",  # the event is not optional, nor the UK's
        "uk.choose.france",  # the USA decide the event
        "usa.branch.3",
        "uk.advance.korea",
        "france.draw",
        "uk.dive.rheinland",
        "usa.modify.europe.plus",  # no unit there
        "uk.pass.syria",
        "uk.bid.syria",
        "uk.give.uk.1",
        "france.deploy.africa",
        "uk.answer.settle~ethiopia",
        "france.answer.place~ethiopia~3",
        "uk.answer.nonsense",
    ],
)
def test_a_party_cannot_be_asked_for_the_impossible(term):
    play = table()
    play.refuses(f"uk propose france+usa {term}", "cannot_keep", "V-NEG-09")


@pytest.mark.rule("V-NEG-09")
@pytest.mark.parametrize(
    "terms",
    [
        ("uk.settle.armenia", "uk.settle.rheinland"),
        ("uk.settle.armenia", "uk.place.ethiopia"),
        ("uk.place.ethiopia", "uk.shun.ethiopia"),
        ("uk.deploy.africa", "uk.deploy.pacific"),
        ("uk.deploy.africa", "uk.keepout.africa"),
        ("france.option.armenia.to_turkey", "france.option.armenia.independent"),
        ("uk.advance.ethiopia", "uk.advance.constantinople"),
        ("uk.draw", "uk.dive.syria"),
        ("uk.dive.syria", "uk.dive.korea"),
        ("france.modify.europe.plus", "france.modify.europe.minus"),
        ("usa.choose.uk", "usa.choose.france"),
        ("france.branch.1", "france.branch.2"),
        ("uk.answer.settle~armenia", "uk.answer.settle~rheinland"),
    ],
)
def test_terms_that_contradict_each_other(terms):
    play = table()
    play.refuses(f"uk propose france+usa {','.join(terms)}", "contradiction", "V-NEG-09")
    deal(play, terms[0], to="france+usa")  # nor can a second deal contradict the first
    play.refuses(f"uk propose france+usa {terms[1]}", "contradiction", "V-NEG-09")


def deal_form(play, who, to):
    """The terms that `who` may put into an offer."""
    root = game.ask(play.state, play.seat(who)).node
    propose = next(option for option in root.options if option.text == "propose")
    return next(partner.then for partner in propose.then.options if partner.text == to)


@pytest.mark.rule("V-NEG-07", "V-NEG-09")
def test_the_form_of_a_deal_says_what_excludes_what():
    """Every pair that the form keeps apart is refused."""
    play = table()
    form = deal_form(play, "uk", "france+usa")
    rivals = {pair for group in form.exclusive for pair in combinations(group, 2)}
    assert ("uk.settle.armenia", "uk.place.ethiopia") in rivals
    assert ("uk.give.france.1", "uk.give.usa.1") not in rivals
    assert ("uk.give.france.1", "uk.give.france.2") in rivals
    for one, two in rivals:
        exchange = ".give." in one or ".prepay." in one
        wrong = ("one_exchange", "V-NEG-07") if exchange else ("contradiction", "V-NEG-09")
        play.refuses(f"uk propose france+usa {one},{two}", *wrong)


@pytest.mark.rule("V-NEG-09")
def test_an_offer_that_contradicts_a_deal_made_meanwhile_cannot_be_accepted():
    play = table()("uk propose france uk.settle.armenia")
    deal(play, "uk.settle.rheinland", to="usa")
    play.refuses("france accept 1", "contradiction", "V-NEG-09")
    play("france refuse 1")


@pytest.mark.rule("V-NEG-06")
def test_cubes_given_away_cannot_be_placed():
    play = table(used={"uk": 9, "france": 6})  # three available
    play.refuses("uk propose france uk.give.france.2,uk.place.ethiopia", "too_much", "V-NEG-06")
    play.refuses(
        "uk propose france uk.place.ethiopia,uk.place.constantinople,uk.place.rheinland",
        "too_much",
        "V-NEG-06",
    )
    deal(play, "uk.place.ethiopia", "uk.place.rheinland")
    play.refuses("uk place constantinople 1", "breaks_deal", "V-NEG-02")
    play("uk place rheinland 1")
    assert play.legal("uk") == ["place ethiopia 2"]


@pytest.mark.rule("V-NEG-09")
@pytest.mark.parametrize(
    "terms",
    [
        ("uk.answer.settle~armenia", "uk.place.ethiopia"),
        ("uk.answer.place~ethiopia~3", "uk.shun.ethiopia"),
        ("uk.answer.demobilise~available", "uk.deploy.africa"),
        ("uk.answer.reclaim~4~-", "uk.settle.armenia"),
    ],
)
def test_terms_that_leave_no_answer_to_the_question_put_now(terms):
    play = table()
    play.refuses(f"uk propose france {','.join(terms)}", "contradiction", "V-NEG-09")
    deal(play, terms[1])
    play.refuses(f"uk propose france {terms[0]}", "contradiction", "V-NEG-09")


@pytest.mark.rule("V-NEG-06", "V-NEG-09")
def test_cubes_given_away_are_missing_for_every_other_term():
    """Three available: an answer, a dive, a bid that could be paid before cannot be afterwards."""
    poor = {"uk": 9, "france": 6, "usa": 6}
    play = table(used=poor)
    for term in ("uk.answer.place~ethiopia~2", "uk.dive.cilicia"):
        play.refuses(f"uk propose france uk.give.france.2,{term}", "too_much", "V-NEG-06")
        play("uk propose france " + term)
        play(f"uk withdraw {play.state.next_deal - 1}")
    bids = midway(lay(opening(3), held={"syria": "usa"}, used={"uk": 12, "usa": 6}), BID_SYRIA)
    bids("usa bid 3+0 1")
    lay(bids, used={"france": 12})
    bids.refuses("france propose uk france.give.uk.3,france.bid.syria", "too_much", "V-NEG-06")


@pytest.mark.rule("V-NEG-06", "V-PLACE-01")
def test_cubes_owed_to_the_second_issue_cannot_be_given_away():
    """Two are left, and the cheapest second issue costs one."""
    play = lay(opening(3), used={"uk": 11, "france": 6})  # four available
    lay(play, cubes={issue: {"usa": 1} for issue in play.state.waiting})
    play("uk place armenia 2")
    play.refuses("uk propose france uk.give.france.2", "cannot_keep", "V-NEG-09")
    deal(play, "uk.give.france.1")
    assert play.legal("uk") == ["place rheinland 1"]


@pytest.mark.rule("V-NEG-06", "V-EVENT-06")
def test_a_nation_that_gives_its_last_cube_away_puts_none_on_the_event():
    play = lay(opening(3), used={"uk": 14, "france": 6}, event="hoover")
    midway(play, ChooseCube())
    assert set(play.legal("uk")) == {"cube yes", "cube no"}
    deal(play, "uk.give.france.1")
    assert play.facts_of("no_cube")
    assert (play.state.event_cube, play.free("uk")) == (NOBODY, 0)


@pytest.mark.rule("V-NEG-06", "V-EVENT-09")
def test_a_nation_that_gives_the_price_away_cannot_perform_the_event():
    """Balfour costs two cubes; after the gift one is left."""
    play = lay(opening(3), used={"uk": 13, "france": 6})
    conference(play, "balfour")
    assert set(play.legal("uk")) == {"perform", "decline"}
    deal(play, "uk.give.france.1")
    assert play.facts_of("declines")
    assert play.happy("uk") == 20


@pytest.mark.rule("V-NEG-04")
def test_a_term_that_was_kept_by_the_only_possible_answer_is_kept():
    """The UK has nothing to bid with and is passed over, as agreed."""
    play = lay(opening(3), held={"syria": "usa"}, used={"uk": 0, "france": 0, "usa": 0})
    lay(play, cubes={"armenia": {"uk": 15}}, units={"uk": ("exhausted",) * 3})
    midway(play, BID_SYRIA)
    deal(play, "uk.pass.syria", by="usa", to="uk")
    play("usa bid 0+0 1")
    assert play.decider == "france"
    assert play.facts_of("deal_kept")
    assert not play.facts_of("deal_expired")


# Forms and random players


def test_questions_offer_every_term():
    play = table()
    for seat in ("P1", "P2", "P3"):
        question = game.ask(play.state, seat)
        assert question is not None
        offers = [a for a in game.legal(play.state, seat) if isinstance(a, ProposeDeal)]
        assert offers
        assert all(asks.accepts_answer(question.node, str(offer)) for offer in offers)
    assert asks.accepts_answer(
        game.ask(play.state, "P2").node, "propose usa+uk france.option.armenia.to_turkey"
    )


def test_every_kind_of_term_is_known_and_said():
    assert set(ARGUMENTS) == set(CAN_KEEP)
    play = table()
    assert {term.kind for term in offerable_terms(play.state, (0, 1, 2))} >= {
        *("settle", "place", "shun", "deploy", "keepout", "option", "choose", "branch"),
        *("advance", "draw", "dive", "modify", "give"),
    }
    assert isinstance(play.pending, Turn)
