"""Negotiation without a language model: what to propose, what to accept, which powers to trust.

Everything is a function of what a seat sees and of its `EnvoyMemory`. A deal is proposed when both
sides gain by it, evaluated by the same futures that the bots plan with; the deal with the greatest
product of gains goes first. Other powers are trusted by how often they kept their word. Our bots
keep theirs, unless that costs them more than the partner's goodwill is worth; how much that is
depends on their character (`memory.HABITS`).
"""

import math
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, Final

from powderkeg.bots.diplomacy.numbers.engine import draw_seeds, find_engine
from powderkeg.bots.diplomacy.numbers.position import own_hand, read_scene
from powderkeg.bots.diplomacy.plan.promises import ExpectedPromises, Promises
from powderkeg.bots.diplomacy.press.commitments import (
    can_keep_offer,
    is_between,
    offer_parts,
    promised_by,
    speaking_power,
)
from powderkeg.bots.diplomacy.press.daide import (
    DrawOffer,
    Letter,
    Nar,
    No,
    Offer,
    OrderOffer,
    PressProposal,
    Yes,
    parse_offer,
)
from powderkeg.bots.diplomacy.press.deal_value import DealEvaluator
from powderkeg.bots.diplomacy.press.memory import AgreedDeal, EnvoyMemory, look_back
from powderkeg.bots.engine.budget import Clock
from powderkeg.core.chance import Rng
from powderkeg.games.diplomacy.board import NUMBER_OF, Power

PUBLIC_PROPOSALS: Final = 1  # per movement, where everybody reads them
MOST_ANSWERS: Final = 12  # per movement; further letters get none
DEAL_SAMPLES: Final = 8  # futures by which a deal is evaluated
DANGER_CENTRES: Final = 4  # centres from victory at which a power gets no more help
GOODWILL: Final = 0.03  # value of a partner's goodwill, as a share of the game,
NEIGHBOUR_BONUS: Final = 0.005  # and more for each of its units nearby


# Letters


def propose_deals(
    view: Mapping[str, Any],
    memory: EnvoyMemory,
    rng: Rng,
    *,
    public: bool = False,
    clock: Clock | None = None,
) -> tuple[list[Letter], EnvoyMemory]:
    """Look back at the last movement and propose deals for the next one.

    In `public` everybody reads the proposals: they are few and none mentions an attack.
    """
    memory = look_back(view, memory)
    me = speaking_power(view, view["seat"])
    gone = [*memory.over, *(deal for deal in memory.deals if _is_dangerous(view, deal.partner))]
    letters = [_cancel_letter(me, deal) for deal in gone]
    memory = replace(
        memory,
        spoken=view["phase"],
        deals=tuple(deal for deal in memory.deals if deal not in gone),
    )
    most = PUBLIC_PROPOSALS if public else memory.habits.proposals
    for offer, partner in _best_offers(view, memory, rng, clock=clock, public=public):
        if len(memory.proposed) == most:
            break
        if can_keep_offer(view, _own_powers(view), memory.promised_offers, offer):
            letters.append(Letter(me, (partner,), PressProposal(offer)))
            memory = memory.with_proposal(partner, offer)
    return letters, memory


def _cancel_letter(me: Power, deal: AgreedDeal) -> Letter:
    """A letter that calls off a deal."""
    return Letter(me, (deal.partner,), PressProposal(Nar(parse_offer(deal.offer))))


def answer_letter(
    view: Mapping[str, Any],
    memory: EnvoyMemory,
    letter: Letter,
    rng: Rng,
    *,
    clock: Clock | None = None,
) -> tuple[list[Letter], EnvoyMemory]:
    """Answer a proposal, or remember an answer."""
    memory = look_back(view, memory)
    partner = letter.sender
    match letter.message:
        case PressProposal(Nar(offer)):
            return [], memory.without_deal(partner, offer)
        case PressProposal(offer) if memory.answers < MOST_ANSWERS:
            me = speaking_power(view, view["seat"])
            memory = replace(memory, answers=memory.answers + 1)
            mine = memory.has_proposed(partner, offer)
            why = "" if mine else refusal_reason(view, memory, partner, offer, rng)
            if not why:
                yes = Letter(me, (partner,), Yes(letter.message))
                return [yes], memory.with_deal(partner, offer)
            no = Letter(me, (partner,), No(letter.message), why)
            return _counter_offer(view, memory, no, rng, clock)
        case Yes(PressProposal(offer)) if f"{partner} {offer}" in memory.proposed:
            return [], memory.with_deal(partner, offer)
        case No(PressProposal(offer)) if f"{partner} {offer}" in memory.proposed:
            return [], memory.with_refusal(partner, offer)
    return [], memory


def _counter_offer(
    view: Mapping[str, Any], memory: EnvoyMemory, no: Letter, rng: Rng, clock: Clock | None
) -> tuple[list[Letter], EnvoyMemory]:
    """The refusal, with an offer of our own beside it, once per movement and partner."""
    (partner,) = no.to
    asked = {text.partition(" ")[0] for text in memory.proposed}
    if partner in asked or view["stage"] != "movement":
        return [no], memory
    for offer, _ in _best_offers(view, memory, rng, only=partner, clock=clock):
        if can_keep_offer(view, _own_powers(view), memory.promised_offers, offer):
            better = Letter(no.sender, (partner,), PressProposal(offer))
            return [no, better], memory.with_proposal(partner, offer)
    return [no], memory


def _own_powers(view: Mapping[str, Any]) -> list[Power]:
    """The powers of the seat."""
    return list(view["seats"][view["seat"]]["powers"])


def _other_speakers(view: Mapping[str, Any]) -> Iterator[Power]:
    """The powers that speak for the other seats with units."""
    for seat, each in view["seats"].items():
        if seat != view["seat"] and any(view["units"].get(power) for power in each["powers"]):
            yield each["powers"][0]


def _is_dangerous(view: Mapping[str, Any], power: Power) -> bool:
    """Whether the player of `power` is close to victory."""
    hand = next(each["powers"] for each in view["seats"].values() if power in each["powers"])
    return bool(sum(len(view["centres"][p]) for p in hand) >= view["target"] - DANGER_CENTRES)


# Deals


def _deal_evaluator(view: Mapping[str, Any], rng: Rng) -> DealEvaluator:
    scene, me = read_scene(view), own_hand(view)
    return DealEvaluator(view, scene, me, find_engine(wait=False), draw_seeds(rng, DEAL_SAMPLES))


def _best_offers(
    view: Mapping[str, Any],
    memory: EnvoyMemory,
    rng: Rng,
    *,
    only: Power = "",
    public: bool = False,
    clock: Clock | None = None,
) -> list[tuple[Offer, Power]]:
    """The best offer for each partner that both sides gain by, greatest product of gains first."""
    talks, me = _deal_evaluator(view, rng), speaking_power(view, view["seat"])
    habits, bound = memory.habits, {deal.partner for deal in (*memory.deals, *memory.over)}
    no_attacks = public or not habits.attacks
    leaders = tuple(power for power in _other_speakers(view) if _is_dangerous(view, power))
    found: list[tuple[float, str, Offer, Power]] = []
    for partner in [only] if only else list(_other_speakers(view)):
        if partner in (*bound, *leaders) or memory.trust(partner) < habits.trust:
            continue
        for offer in talks.possible_offers(me, partner, leaders):
            if clock is not None and clock.late():
                break
            if no_attacks and any(isinstance(part, OrderOffer) for part in offer_parts(offer)):
                continue
            mine, theirs = talks.deal_gains(partner, offer)
            # in a counter-offer any gain of the partner will do: it wanted to talk
            if mine > habits.margin and theirs > (0.0 if only else habits.margin):
                found.append((mine * theirs, str(offer), offer, partner))
    found.sort(key=lambda each: (-each[0], each[1]))
    best: dict[Power, tuple[Offer, Power]] = {}
    for _, _, offer, partner in found:
        best.setdefault(partner, (offer, partner))
    return list(best.values())


def refusal_reason(
    view: Mapping[str, Any], memory: EnvoyMemory, partner: Power, offer: Offer, rng: Rng
) -> str:
    """Why an offer is refused, as the code of a sentence; empty if it is accepted.

    The sentence says nothing about deals with others: an offer that contradicts one of them is
    refused in the same words as one that gains too little.
    """
    mine, promised, habits = _own_powers(view), list(offer_parts(offer)), memory.habits
    if partner in {deal.partner for deal in memory.over}:
        return "bots.press.why.broken"  # not in the movement in which it broke another
    if memory.trust(partner) < habits.trust:
        return "bots.press.why.trust"
    known = partner in set(_other_speakers(view))
    if not known or not all(is_between(view, part, mine, partner) for part in promised):
        return "bots.press.why.impossible"
    if all(isinstance(part, DrawOffer) for part in promised):
        return "" if _wants_draw(view, mine) else "bots.press.why.draw"
    if _is_dangerous(view, partner):
        return "bots.press.why.leader"
    if not habits.attacks and _asks_orders(promised, mine):
        return "bots.press.why.orders"
    if not can_keep_offer(view, mine, (), offer):
        return "bots.press.why.plans"
    gain = _deal_evaluator(view, rng).deal_gains(partner, offer)[0]
    fits = can_keep_offer(view, mine, memory.promised_offers, offer)
    return "" if fits and gain > habits.margin else _weighed_reason(gain)


def _asks_orders(promised: list[Offer], mine: list[Power]) -> bool:
    """Whether an offer asks for orders of ours."""
    return any(isinstance(part, OrderOffer) and part.power in mine for part in promised)


def _weighed_reason(gain: float) -> str:
    """Why a deal with this gain is not good enough."""
    return "bots.press.why.worse" if gain <= 0 else "bots.press.why.little"


def _wants_draw(view: Mapping[str, Any], mine: list[Power]) -> bool:
    """Whether we have less than an equal share of the centres, so that a draw is welcome."""
    own = sum(len(view["centres"][power]) for power in mine)
    total = sum(map(len, view["centres"].values()))
    return own * (1 + sum(1 for _ in _other_speakers(view))) <= total


# Promises


def deal_promises(
    view: Mapping[str, Any], memory: EnvoyMemory, rng: Rng | None = None
) -> dict[str, Any]:
    """The promises of all deals, as a bot reads them in ``view["pledges"]``. With `rng`, a deal
    that we gain by breaking binds only the others."""
    kept = memory.deals if rng is None else worth_keeping(view, memory, rng)
    own = promised_by(view, _own_powers(view), [parse_offer(deal.offer) for deal in kept])
    expected = []
    for deal in memory.deals:
        hand = next(e["powers"] for e in view["seats"].values() if deal.partner in e["powers"])
        theirs = promised_by(view, hand, [parse_offer(deal.offer)])
        trust = memory.trust(deal.partner)
        expected.append(ExpectedPromises(deal.partner, theirs.barred, theirs.orders, trust))
    return Promises(own.barred, own.orders, tuple(expected)).dump()


def worth_keeping(view: Mapping[str, Any], memory: EnvoyMemory, rng: Rng) -> tuple[AgreedDeal, ...]:
    """The deals that we keep: all but those whose breach gains more than the partner's goodwill is
    worth. The more of its units are near, the more it is worth."""
    goodwill = memory.habits.goodwill
    if not memory.deals or view["stage"] != "movement" or math.isinf(goodwill):
        return memory.deals
    talks = _deal_evaluator(view, rng)
    made = [(deal.partner, parse_offer(deal.offer)) for deal in memory.deals]
    ours, kept = talks.reachable_provinces(talks.me), []
    for number, deal in enumerate(memory.deals):
        near = sum(NUMBER_OF[text[2:5]] in ours for text in view["units"].get(deal.partner, ()))
        if talks.breach_gain(made, number) <= goodwill * (GOODWILL + NEIGHBOUR_BONUS * near):
            kept.append(deal)
    return tuple(kept)
