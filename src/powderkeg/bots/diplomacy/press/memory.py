"""The memory of an envoy: deals, proposals, which powers kept their word, and how it deals with others."""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final, NamedTuple

from powderkeg.bots.diplomacy.press.commitments import (
    LASTING_OFFERS,
    is_breach,
    is_same_offer,
    land_of,
    lasting_part,
    offer_parts,
    speaking_power,
)
from powderkeg.bots.diplomacy.press.daide import Offer, parse_offer
from powderkeg.games.diplomacy.actions import Order, parse_order
from powderkeg.games.diplomacy.board import POWERS, Power

DEAL_MOVEMENTS: Final = (
    4  # movements for which peace and zones hold, unless they are agreed on again
)
TRUST_DECAY: Final = 0.95  # what happened long ago counts less


@dataclass(frozen=True, slots=True)
class DealHabits:
    """What an envoy asks of a deal, and what its word is worth to it."""

    margin: float = 0.002  # least gain of a deal, as a share of the game
    trust: float = 0.4  # powers that are trusted less get no deals
    goodwill: float = 1.0  # factor of a partner's goodwill: how much a breach must gain
    proposals: int = 3  # per movement
    attacks: bool = True  # whether it promises orders, such as support for an attack


HABITS: Final = {
    "": DealHabits(),
    "loyal": DealHabits(margin=0.0, goodwill=math.inf),
    "opportunist": DealHabits(margin=0.001, trust=0.3, goodwill=0.2),
    "cautious": DealHabits(margin=0.006, trust=0.6, goodwill=2.0, proposals=1, attacks=False),
}


class AgreedDeal(NamedTuple):
    """A deal with `partner`, and the number of movements for which it still holds."""

    partner: Power
    offer: str
    left: int


@dataclass(frozen=True, slots=True)
class EnvoyMemory:
    """The memory of an envoy: how often each power kept or broke its word, and the deals that hold.
    Of this movement (`phase`): its proposals and those that were declined, the number of its answers, the
    deals that are over because they were broken, and the provinces of each power when it began. Stored as JSON."""

    phase: str = ""
    spoken: str = ""
    kept: dict[Power, float] = field(default_factory=dict)
    broken: dict[Power, float] = field(default_factory=dict)
    deals: tuple[AgreedDeal, ...] = ()
    proposed: tuple[str, ...] = ()
    declined: tuple[str, ...] = ()
    answers: int = 0
    over: tuple[AgreedDeal, ...] = ()
    lands: dict[Power, tuple[str, ...]] = field(default_factory=dict)
    character: str = ""

    @property
    def habits(self) -> DealHabits:
        """How the envoy deals with others."""
        return HABITS[self.character]

    def trust(self, power: Power) -> float:
        """How likely `power` is to keep its word: at first, two times in three."""
        kept, broken = 2 + self.kept.get(power, 0.0), 1 + self.broken.get(power, 0.0)
        return kept / (kept + broken)

    @property
    def promised_offers(self) -> list[Offer]:
        """The offers that bind me, or will bind me if they are accepted."""
        agreed = (parse_offer(deal.offer) for deal in self.deals)
        return [*agreed, *(offer for _, offer in self._proposals())]

    def with_deal(self, partner: Power, offer: Offer) -> "EnvoyMemory":
        """This memory with one more deal; a deal agreed on again holds for its whole time."""
        holds = any(isinstance(part, LASTING_OFFERS) for part in offer_parts(offer))
        deal = AgreedDeal(partner, str(offer), DEAL_MOVEMENTS if holds else 1)
        return replace(self, deals=(*self.without_deal(partner, offer).deals, deal))

    def without_deal(self, partner: Power, offer: Offer) -> "EnvoyMemory":
        """This memory without a deal and without what is left of it."""
        texts = {str(offer), str(lasting_part(offer))}
        left = tuple(d for d in self.deals if d.partner != partner or d.offer not in texts)
        return replace(self, deals=left)

    def with_proposal(self, partner: Power, offer: Offer) -> "EnvoyMemory":
        """This memory with one more proposal of mine."""
        return replace(self, proposed=(*self.proposed, f"{partner} {offer}"))

    def has_proposed(self, partner: Power, offer: Offer) -> bool:
        """Whether I proposed the same to `partner` myself in this movement: I weighed it then."""
        return any(to == partner and is_same_offer(mine, offer) for to, mine in self._proposals())

    def with_refusal(self, partner: Power, offer: Offer) -> "EnvoyMemory":
        """This memory when a proposal of mine was declined."""
        return replace(self, declined=(*self.declined, f"{partner} {offer}"))

    def offers_to(self, partner: Power) -> list[Offer]:
        """My proposals to `partner` that were neither agreed to nor declined."""
        closed = {f"{deal.partner} {deal.offer}" for deal in self.deals} | {*self.declined}
        made = self._proposals()
        return [offer for to, offer in made if to == partner and f"{to} {offer}" not in closed]

    def _proposals(self) -> Iterator[tuple[Power, Offer]]:
        """My proposals in this movement, each with the power that it went to."""
        for text in self.proposed:
            to, _, offer = text.partition(" ")
            yield to, parse_offer(offer)


def look_back(view: Mapping[str, Any], memory: EnvoyMemory) -> EnvoyMemory:
    """Note which powers kept their word in the last movement; forget the deals that are over."""
    if memory.phase == view["phase"]:
        return memory
    kept = {power: n * TRUST_DECAY for power, n in memory.kept.items()}
    broken = {power: n * TRUST_DECAY for power, n in memory.broken.items()}
    left: list[AgreedDeal] = []
    over: list[AgreedDeal] = []
    me = speaking_power(view, view["seat"])
    for deal in memory.deals:
        theirs, mine = (_reported_orders(view, memory.phase, who) for who in (deal.partner, me))
        if theirs is None or mine is None:
            continue
        if _is_broken(deal, deal.partner, theirs, memory):
            broken[deal.partner] = broken.get(deal.partner, 0.0) + 1
            over.append(deal)
            continue
        kept[deal.partner] = kept.get(deal.partner, 0.0) + 1
        rest = lasting_part(parse_offer(deal.offer))
        if rest is not None and deal.left > 1 and not _is_broken(deal, me, mine, memory):
            left.append(AgreedDeal(deal.partner, str(rest), deal.left - 1))
    lands = {power: tuple(sorted(land_of(view, power))) for power in POWERS}
    return replace(
        memory,
        phase=view["phase"],
        kept=kept,
        broken=broken,
        deals=tuple(left),
        proposed=(),
        declined=(),
        answers=0,
        over=tuple(over),
        lands=lands,
    )


def _reported_orders(view: Mapping[str, Any], phase: str, power: Power) -> list[Order] | None:
    """The orders of a power in a past movement; None if the view no longer reports it."""
    for report in view["reports"]:
        if report["phase"] == phase:
            return [parse_order(o["order"]) for o in report["outcomes"] if o["power"] == power]
    return None


def _is_broken(deal: AgreedDeal, power: Power, orders: list[Order], memory: EnvoyMemory) -> bool:
    """Whether these orders of `power` break the deal."""
    promises = offer_parts(parse_offer(deal.offer))
    return any(is_breach(part, power, orders, memory.lands) for part in promises)
