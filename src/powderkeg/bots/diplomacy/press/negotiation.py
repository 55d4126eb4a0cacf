"""Negotiation without a language model: what to propose, what to accept, which powers to trust.

Everything is a function of what a seat sees and of its `EnvoyMemory`. A deal is proposed when both
sides gain by it, evaluated by the same futures that the bots plan with; the deal with the greatest
product of gains goes first. Other powers are trusted as far as they kept their word. Our bots keep
theirs, unless that costs them more than the partner's goodwill is worth.
"""

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

MOST_PROPOSALS: Final = 3  # per movement,
PUBLIC_PROPOSALS: Final = 1  # and where everybody reads them
MOST_ANSWERS: Final = 12  # per movement; further letters get none
DEAL_SAMPLES: Final = 8  # futures by which a deal is evaluated
DEAL_MARGIN: Final = 0.002  # least gain of a deal, as a share of the game
LEAST_TRUST: Final = 0.4  # powers that are trusted less get no deals
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
    for offer, partner in _best_offers(view, memory, rng, clock=clock, public=public):
        if len(memory.proposed) == (PUBLIC_PROPOSALS if public else MOST_PROPOSALS):
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
            if mine or _is_acceptable(view, memory, partner, offer, rng):
                yes = Letter(me, (partner,), Yes(letter.message))
                return [yes], memory.with_deal(partner, offer)
            no = Letter(me, (partner,), No(letter.message))
            return _counter_offer(view, memory, no, rng, clock)
        case Yes(PressProposal(offer)) if f"{partner} {offer}" in memory.proposed:
            return [], memory.with_deal(partner, offer)
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
    bound = {deal.partner for deal in (*memory.deals, *memory.over)}
    leaders = tuple(power for power in _other_speakers(view) if _is_dangerous(view, power))
    found: list[tuple[float, str, Offer, Power]] = []
    for partner in [only] if only else list(_other_speakers(view)):
        if partner in (*bound, *leaders) or memory.trust(partner) < LEAST_TRUST:
            continue
        for offer in talks.possible_offers(me, partner, leaders):
            if clock is not None and clock.late():
                break
            if public and any(isinstance(part, OrderOffer) for part in offer_parts(offer)):
                continue
            mine, theirs = talks.deal_gains(partner, offer)
            if mine > DEAL_MARGIN and theirs > DEAL_MARGIN:
                found.append((mine * theirs, str(offer), offer, partner))
    found.sort(key=lambda each: (-each[0], each[1]))
    best: dict[Power, tuple[Offer, Power]] = {}
    for _, _, offer, partner in found:
        best.setdefault(partner, (offer, partner))
    return list(best.values())


def _is_acceptable(
    view: Mapping[str, Any], memory: EnvoyMemory, partner: Power, offer: Offer, rng: Rng
) -> bool:
    """Whether to accept an offer: it is kept by a trusted partner, possible, and a gain."""
    if memory.trust(partner) < LEAST_TRUST or partner not in set(_other_speakers(view)):
        return False
    if partner in {deal.partner for deal in memory.over}:
        return False  # not in the movement in which it broke another
    mine, promised = _own_powers(view), list(offer_parts(offer))
    if not all(is_between(view, part, mine, partner) for part in promised):
        return False
    if all(isinstance(part, DrawOffer) for part in promised):
        return _wants_draw(view, mine)
    if _is_dangerous(view, partner) or not can_keep_offer(
        view, mine, memory.promised_offers, offer
    ):
        return False
    return _deal_evaluator(view, rng).deal_gains(partner, offer)[0] > DEAL_MARGIN


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
    if not memory.deals or view["stage"] != "movement":
        return memory.deals
    talks = _deal_evaluator(view, rng)
    made = [(deal.partner, parse_offer(deal.offer)) for deal in memory.deals]
    ours, kept = talks.reachable_provinces(talks.me), []
    for number, deal in enumerate(memory.deals):
        near = sum(NUMBER_OF[text[2:5]] in ours for text in view["units"].get(deal.partner, ()))
        if talks.breach_gain(made, number) <= GOODWILL + NEIGHBOUR_BONUS * near:
            kept.append(deal)
    return tuple(kept)
