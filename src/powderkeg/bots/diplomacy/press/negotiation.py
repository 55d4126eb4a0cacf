"""Talk without a language model: what to propose, what to agree to, whom to trust.

An envoy speaks for a seat. It is a pure function of what the seat sees and of a `Memory`, which is
data and can be stored between calls:

    letters, memory = correspond(view, memory, inbox, rng)  # letters to send, and what to remember
    view["pledges"] = pledges(view, memory, rng)            # before the bot is asked for orders

Letters are in `daide`, in plain words by `wording.said`. A deal is proposed when both sides are better
off with it, by the same futures that the bots plan with, and the deal that is best for both together
(the product of what they gain) goes first. Others are believed as far as they kept their word. Our
bots keep theirs, unless it costs them more than the partner's goodwill is worth.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, Final

from powderkeg.bots.diplomacy.numbers.engine import engine
from powderkeg.bots.diplomacy.numbers.position import hand_number, scene_of
from powderkeg.bots.diplomacy.plan.promises import Expected, Pledges
from powderkeg.bots.diplomacy.plan.search import seeds
from powderkeg.bots.diplomacy.press.commitments import (
    agree,
    meant_for,
    parts,
    promise,
    speaking_power,
)
from powderkeg.bots.diplomacy.press.daide import (
    Do,
    Draw,
    Letter,
    Nar,
    No,
    Offer,
    Proposal,
    Yes,
    parse_offer,
)
from powderkeg.bots.diplomacy.press.deal_value import Bargain
from powderkeg.bots.diplomacy.press.memory import Deal, Memory, look_back
from powderkeg.bots.engine.budget import Clock
from powderkeg.core.chance import Rng
from powderkeg.games.diplomacy.board import NUMBER_OF, Power

LETTERS: Final = 3  # proposals for a movement,
IN_PUBLIC: Final = 1  # and where everybody has to read them
ANSWERS: Final = 12  # in a movement; who writes more gets none
SAMPLES: Final = 8  # futures by which a deal is judged
MARGIN: Final = 0.002  # what a deal must bring, as a share of the game
TRUSTED: Final = 0.4  # who is believed less gets no deals
DANGER: Final = 4  # centres from victory at which a power gets no help any more
GOODWILL: Final = 0.03  # what a partner's goodwill is worth, as a share of the game,
NEIGHBOUR: Final = 0.005  # and more for every unit of theirs that is near


# Speaking and hearing


def speak(
    view: Mapping[str, Any],
    memory: Memory,
    rng: Rng,
    *,
    public: bool = False,
    clock: Clock | None = None,
) -> tuple[list[Letter], Memory]:
    """Look back at the last movement, and propose deals for the next one.

    What is said in `public` is said to all, so it is little, and no attack is spoken of.
    """
    memory = look_back(view, memory)
    me = speaking_power(view, view["seat"])
    gone = [*memory.over, *(deal for deal in memory.deals if _dangerous(view, deal.partner))]
    letters = [_called_off(me, deal) for deal in gone]
    memory = replace(
        memory,
        spoken=view["phase"],
        deals=tuple(deal for deal in memory.deals if deal not in gone),
    )
    for offer, partner in _best_offers(view, memory, rng, clock=clock, public=public):
        if len(memory.proposed) == (IN_PUBLIC if public else LETTERS):
            break
        if agree(view, _mine(view), memory.promised, offer):
            letters.append(Letter(me, (partner,), Proposal(offer)))
            memory = memory.with_proposal(partner, offer)
    return letters, memory


def _called_off(me: Power, deal: Deal) -> Letter:
    return Letter(me, (deal.partner,), Proposal(Nar(parse_offer(deal.offer))))


def hear(
    view: Mapping[str, Any],
    memory: Memory,
    letter: Letter,
    rng: Rng,
    *,
    clock: Clock | None = None,
) -> tuple[list[Letter], Memory]:
    """Answer a proposal, or note an answer."""
    memory = look_back(view, memory)
    partner = letter.sender
    match letter.message:
        case Proposal(Nar(offer)):
            return [], memory.without_deal(partner, offer)
        case Proposal(offer) if memory.answers < ANSWERS:
            me, memory = (
                speaking_power(view, view["seat"]),
                replace(memory, answers=memory.answers + 1),
            )
            if memory.has_proposed(partner, offer) or _acceptable(
                view, memory, partner, offer, rng
            ):
                yes = Letter(me, (partner,), Yes(letter.message))
                return [yes], memory.with_deal(partner, offer)
            no = Letter(me, (partner,), No(letter.message))
            return _instead(view, memory, no, rng, clock)
        case Yes(Proposal(offer)) if f"{partner} {offer}" in memory.proposed:
            return [], memory.with_deal(partner, offer)
    return [], memory


def _instead(
    view: Mapping[str, Any], memory: Memory, no: Letter, rng: Rng, clock: Clock | None
) -> tuple[list[Letter], Memory]:
    """After a no, what could be agreed on instead, once a movement."""
    (partner,) = no.to
    asked = {text.partition(" ")[0] for text in memory.proposed}
    if partner in asked or view["stage"] != "movement":
        return [no], memory
    for offer, _ in _best_offers(view, memory, rng, only=partner, clock=clock):
        if agree(view, _mine(view), memory.promised, offer):
            better = Letter(no.sender, (partner,), Proposal(offer))
            return [no, better], memory.with_proposal(partner, offer)
    return [no], memory


def _mine(view: Mapping[str, Any]) -> list[Power]:
    return list(view["seats"][view["seat"]]["powers"])


def _others(view: Mapping[str, Any]) -> Iterator[Power]:
    """The powers that speak for the other seats in the game."""
    for seat, each in view["seats"].items():
        if seat != view["seat"] and any(view["units"].get(power) for power in each["powers"]):
            yield each["powers"][0]


def _dangerous(view: Mapping[str, Any], power: Power) -> bool:
    hand = next(each["powers"] for each in view["seats"].values() if power in each["powers"])
    return bool(sum(len(view["centres"][p]) for p in hand) >= view["target"] - DANGER)


# Whom to trust


# Which deals


def _bargain(view: Mapping[str, Any], rng: Rng) -> Bargain:
    scene, me = scene_of(view), hand_number(view)
    return Bargain(view, scene, me, engine(wait=False), seeds(rng, SAMPLES))


def _best_offers(
    view: Mapping[str, Any],
    memory: Memory,
    rng: Rng,
    *,
    only: Power = "",
    public: bool = False,
    clock: Clock | None = None,
) -> list[tuple[Offer, Power]]:
    """Deals that are good for both, the best for both together first; one for each partner."""
    talks, me = _bargain(view, rng), speaking_power(view, view["seat"])
    bound = {deal.partner for deal in (*memory.deals, *memory.over)}
    leaders = tuple(power for power in _others(view) if _dangerous(view, power))
    found: list[tuple[float, str, Offer, Power]] = []
    for partner in [only] if only else list(_others(view)):
        if partner in (*bound, *leaders) or memory.trust(partner) < TRUSTED:
            continue
        for offer in talks.offers(me, partner, leaders):
            if clock is not None and clock.late():
                break
            if public and any(isinstance(part, Do) for part in parts(offer)):
                continue
            mine, theirs = talks.gains(partner, offer)
            if mine > MARGIN and theirs > MARGIN:
                found.append((mine * theirs, str(offer), offer, partner))
    found.sort(key=lambda each: (-each[0], each[1]))
    best: dict[Power, tuple[Offer, Power]] = {}
    for _, _, offer, partner in found:
        best.setdefault(partner, (offer, partner))
    return list(best.values())


def _acceptable(
    view: Mapping[str, Any], memory: Memory, partner: Power, offer: Offer, rng: Rng
) -> bool:
    if memory.trust(partner) < TRUSTED or partner not in set(_others(view)):
        return False
    if partner in {deal.partner for deal in memory.over}:
        return False  # not in the same breath
    mine, promised = _mine(view), list(parts(offer))
    if not all(meant_for(view, part, mine, partner) for part in promised):
        return False
    if all(isinstance(part, Draw) for part in promised):
        return _draw_welcome(view, mine)
    if _dangerous(view, partner) or not agree(view, mine, memory.promised, offer):
        return False
    return _bargain(view, rng).gains(partner, offer)[0] > MARGIN


def _draw_welcome(view: Mapping[str, Any], mine: list[Power]) -> bool:
    """A draw is welcome to who has less than an equal share of the centres."""
    own = sum(len(view["centres"][power]) for power in mine)
    total = sum(map(len, view["centres"].values()))
    return own * (1 + sum(1 for _ in _others(view))) <= total


# What follows from deals


def pledges(view: Mapping[str, Any], memory: Memory, rng: Rng | None = None) -> dict[str, Any]:
    """What deals mean for a plan, as a bot reads it in ``view["pledges"]``. With `rng`, a deal
    that it pays to break binds the others only."""
    kept = memory.deals if rng is None else worth_keeping(view, memory, rng)
    own = promise(view, _mine(view), [parse_offer(deal.offer) for deal in kept])
    expected = []
    for deal in memory.deals:
        hand = next(e["powers"] for e in view["seats"].values() if deal.partner in e["powers"])
        theirs = promise(view, hand, [parse_offer(deal.offer)])
        trust = memory.trust(deal.partner)
        expected.append(Expected(deal.partner, theirs.barred, theirs.orders, trust))
    return Pledges(own.barred, own.orders, tuple(expected)).dump()


def worth_keeping(view: Mapping[str, Any], memory: Memory, rng: Rng) -> tuple[Deal, ...]:
    """The deals that are kept: all but those whose breach brings more than the partner's goodwill
    is worth, which is the more the nearer their units are."""
    if not memory.deals or view["stage"] != "movement":
        return memory.deals
    talks = _bargain(view, rng)
    made = [(deal.partner, parse_offer(deal.offer)) for deal in memory.deals]
    ours, kept = talks.reach(talks.me), []
    for number, deal in enumerate(memory.deals):
        near = sum(NUMBER_OF[text[2:5]] in ours for text in view["units"].get(deal.partner, ()))
        if talks.temptation(made, number) <= GOODWILL + NEIGHBOUR * near:
            kept.append(deal)
    return tuple(kept)
