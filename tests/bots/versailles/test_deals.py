"""Deals of Versailles' bots: both sides gain, and a refusal has a reason."""

import random
from collections import Counter
from dataclasses import replace
from typing import Any

import pytest

from powderkeg.bots.arena import tournament
from powderkeg.bots.versailles import negotiation
from powderkeg.bots.versailles.levels import JUDGE, PERSISTENT, PLAIN, SHREWD
from powderkeg.bots.versailles.negotiation import LEAST_GAIN, Bargainer, pending_offers
from powderkeg.bots.versailles.policy import Policy
from powderkeg.core.chance import CHANCE
from powderkeg.core.words import LANGS, Msg, say
from powderkeg.games import versailles
from powderkeg.games.versailles.actions import AcceptDeal, ProposeDeal, RefuseDeal
from powderkeg.games.versailles.actions import CounterDeal as CounterOffer
from powderkeg.games.versailles.board import GAME_END, NATIONS, NOBODY
from powderkeg.games.versailles.state import State, issue_leader
from tests.bots.versailles.positions import LEVELS, at_turn, begin, step, think


@pytest.fixture(scope="module")
def deal() -> tuple[State, str, ProposeDeal]:
    """A position, a seat, and the deal that it offers."""
    for turn in range(4, 40):
        p = at_turn(turn, seed=2)
        seat = min(versailles.to_act(p))
        said = think("normal", p, seat).action
        if isinstance(said, ProposeDeal):
            return p, seat, said
    raise AssertionError("nobody ever offers anything")


def test_an_offer_is_good_for_both(deal):
    p, seat, offer = deal
    other = p.seats[p.order.index(NATIONS.index(offer.to[0]))]
    bargainer = Bargainer(Policy(PLAIN))  # the mind that made the offer
    before = bargainer.shares(p)
    offered_ = versailles.apply(p, seat, offer).state
    number = offered_.deals[-1].number
    made = versailles.apply(offered_, other, AcceptDeal(number)).state
    gains = bargainer.seat_gains(before, bargainer.shares(made))
    assert gains[seat] > 0
    assert gains[other] > 0


@pytest.mark.slow
def test_experts_haggle_for_what_the_other_may_still_sign():
    """In the first turns of quick players: what an expert offers and answers is no worse for itself
    than what the others would have said, and every party would still sign."""
    plain, asked, better = Bargainer(SHREWD.policy), 0, 0
    p, rng = begin(4), random.Random(3)
    while p.agenda and p.turn < 25:
        seat = min(versailles.to_act(p))
        if seat != CHANCE and (first := plain.make_offer(p, seat)) is not None:
            shrewd = SHREWD.make_offer(p, seat)
            assert shrewd is not None
            asked += 1
            usual, mine = (gains_of(plain, p, seat, said.action) for said in (first, shrewd))
            other = p.seats[p.order.index(NATIONS.index(shrewd.action.to[0]))]
            partner = p.seats[p.order.index(NATIONS.index(first.action.to[0]))]
            appeal = SHREWD.deal_appeal(usual[seat], usual[partner])
            assert SHREWD.deal_appeal(mine[seat], mine[other]) >= appeal
            assert min(mine[seat], mine[other]) > LEAST_GAIN
            better += mine[seat] > usual[seat]
        p = step(p, rng, SHREWD.policy.choose_action)
    assert asked >= 5
    assert better


def test_the_expert_has_the_last_word_about_its_own_offer():
    """Who counters once must then take or leave it: the expert asks again for what may still be signed."""
    told = 0
    for turn in range(4, 60):
        p = at_turn(turn, seed=2)
        seat = min(versailles.to_act(p))
        offer = PERSISTENT.make_offer(p, seat)
        if offer is None:
            continue
        offered_ = versailles.apply(p, seat, offer.action).state
        other = p.seats[p.order.index(NATIONS.index(offer.action.to[0]))]
        counter = SHREWD.answer_offer(offered_, other)
        if counter is None or not isinstance(counter.action, CounterOffer):
            continue
        countered = versailles.apply(offered_, other, counter.action).state
        asked_again = PERSISTENT.answer_offer(countered, seat)
        assert SHREWD.answer_offer(countered, seat).action == AcceptDeal(countered.deals[-1].number)
        assert asked_again is not None
        if isinstance(asked_again.action, CounterOffer):
            again = versailles.apply(countered, seat, asked_again.action).state
            number = again.deals[-1].number
            assert SHREWD.answer_offer(again, other).action == AcceptDeal(number)
            assert all(say(asked_again.reason, lang) for lang in LANGS)
            told += 1
    assert told >= 2


def gains_of(mind: Bargainer, p: State, seat: str, offer: Any) -> dict[str, float]:
    """What everybody gains if a proposal is accepted."""
    offered_ = versailles.apply(p, seat, offer).state
    other = p.seats[p.order.index(NATIONS.index(offer.to[0]))]
    signed = versailles.apply(offered_, other, AcceptDeal(offered_.deals[-1].number)).state
    return mind.seat_gains(mind.shares(p), mind.shares(signed))


def test_a_good_offer_is_accepted_out_of_turn_with_a_reason(deal):
    p, seat, offer = deal
    after = versailles.apply(p, seat, offer).state
    number = after.deals[-1].number
    (other, which), *_ = pending_offers(after)
    assert which == str(number)
    assert other not in versailles.to_act(after)
    for level in ("easy", "normal"):
        thought = think(level, after, other)
        assert thought.action == AcceptDeal(number)
        assert NATIONS[p.active].upper()[:2] in say(thought.reason, "en").upper()


def test_a_bot_that_has_offered_does_not_offer_again(deal):
    p, seat, offer = deal
    after = versailles.apply(p, seat, offer).state
    refused = versailles.apply(
        after, pending_offers(after)[0][0], RefuseDeal(after.deals[-1].number)
    ).state
    assert not isinstance(think("normal", refused, seat).action, ProposeDeal)
    assert not isinstance(think("hard", after, seat).action, ProposeDeal)


def begging(p: State) -> tuple[State, str, str]:
    """The active player asks the next for cubes, for nothing."""
    seat = min(versailles.to_act(p))
    me = p.active
    other = next(n for n in p.order if n != me and p.available[n] >= 3)
    spent = replace(
        p,
        available=tuple(n - 3 if i == me else n for i, n in enumerate(p.available)),
        exhausted=tuple(n + 3 if i == me else n for i, n in enumerate(p.exhausted)),
    )
    offer = ProposeDeal((NATIONS[other],), (f"{NATIONS[other]}.give.{NATIONS[me]}.3",))
    return versailles.apply(spent, seat, offer).state, p.seats[p.order.index(other)], seat


@pytest.mark.parametrize("level", LEVELS)
def test_a_gift_is_refused_with_a_reason(level):
    p = next(p for p in map(at_turn, range(2, 12)) if p.available[p.active] >= 3)
    after, other, _ = begging(p)
    thought = think(level, after, other)
    assert isinstance(thought.action, RefuseDeal | CounterOffer)
    assert {say(thought.reason, lang) for lang in LANGS}
    assert say(thought.reason, "es")
    assert len({say(Msg(thought.spoken), lang) for lang in LANGS}) == len(LANGS)


def test_a_character_changes_what_is_asked_of_a_deal():
    """A gain of half the usual, and one of twice the usual for which the leader gains three times."""
    before = {"P1": 0.5, "P2": 0.2, "P3": 0.3}
    small = {"P1": 0.0, "P2": LEAST_GAIN / 2, "P3": 0.0}
    lopsided = {"P1": 6 * LEAST_GAIN, "P2": 4 * LEAST_GAIN, "P3": 0.0}
    suits = {
        character: [
            Bargainer(Policy(JUDGE)).in_character(character).suits_me(before, gains, "P2", ["P1"])
            for gains in (small, lopsided)
        ]
        for character in ("", "loyal", "cautious")
    }
    assert suits == {"": [False, True], "loyal": [True, True], "cautious": [False, False]}
    assert Bargainer(Policy(JUDGE)).in_character("opportunist").haggles
    assert not SHREWD.in_character("loyal").haggles


def test_an_opportunist_asks_for_more_than_a_loyal_bot(deal):
    p, seat, offer = deal
    after = versailles.apply(p, seat, offer).state
    other = pending_offers(after)[0][0]
    assert isinstance(think("normal/loyal", after, other).action, AcceptDeal)
    assert isinstance(think("normal/opportunist", after, other).action, CounterOffer)


def test_the_leader_of_the_game_must_give_more():
    fair = negotiation.is_fair
    before = {"P1": 0.5, "P2": 0.2, "P3": 0.3}
    gains = {"P1": 0.1, "P2": 0.03, "P3": -0.1}
    assert not fair(before, gains, "P2", ["P1"])
    assert fair(before, gains | {"P1": 0.05}, "P2", ["P1"])
    assert fair(before | {"P1": 0.1}, gains, "P2", ["P1"])
    assert not fair(before, gains | {"P2": LEAST_GAIN / 2, "P1": 0.0}, "P2", ["P1"])


@pytest.mark.slow
def test_a_counter_asks_for_influence():
    """Every counter-offer has terms that both gain from."""
    found = []
    for turn in range(4, 36):
        p = at_turn(turn, seed=4)
        seat = min(versailles.to_act(p))
        for issue in p.table:
            first = issue_leader(p, issue)
            if first in (NOBODY, p.active) or issue == GAME_END:
                continue
            for option in p.pack.issues[issue].options:
                mine, theirs = NATIONS[p.active], NATIONS[first]
                terms = (f"{mine}.settle.{issue}", f"{theirs}.option.{issue}.{option.id}")
                after = versailles.apply(p, seat, ProposeDeal((theirs,), terms)).state
                other = p.seats[p.order.index(first)]
                said = Bargainer(Policy(JUDGE)).answer_offer(after, other)
                assert said is not None
                assert said.action in versailles.legal(after, other)
                found.append(type(said.action))
    counts = Counter(found)
    assert counts[AcceptDeal]
    assert counts[RefuseDeal]


@pytest.mark.slow
def test_bots_make_deals_and_few_offers():
    planned = tournament.plan_tournament(
        versailles, {"n": "normal"}, (tournament.Duel("n", "n"),), seeds=1
    )
    kept = tournament.play_pairing(planned, planned.schedule()[0])
    said = Counter(
        line.split('"do":"')[1].split(" ")[0]
        for line in kept.text.splitlines()[1:]
        if '"do":"' in line
    )
    assert not kept.played.faults
    assert said["accept"] > 0
    assert said["propose"] <= said["place"] + said["settle"] + said["reclaim"]
