"""What an envoy remembers: deals, proposals and who kept its word."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final, NamedTuple

from powderkeg.bots.diplomacy.press.commitments import (
    LASTING,
    alike,
    breaks,
    land,
    lasting,
    parts,
    speaking_power,
)
from powderkeg.bots.diplomacy.press.daide import Offer, parse_offer
from powderkeg.games.diplomacy.actions import Order, parse_order
from powderkeg.games.diplomacy.board import POWERS, Power

LASTS: Final = 4  # movements for which peace and zones hold, unless they are agreed on again
DECAY: Final = 0.95  # what happened long ago counts less


class Deal(NamedTuple):
    """What was agreed with `partner`, and in how many movements it ends."""

    partner: Power
    offer: str
    left: int


@dataclass(frozen=True, slots=True)
class Memory:
    """What an envoy remembers: how often each power kept or broke its word, what is agreed, and
    of this movement (`phase`) what was proposed, how often it answered, which deals are over
    because they were broken, and whose was which land when it began."""

    phase: str = ""
    spoken: str = ""
    kept: dict[Power, float] = field(default_factory=dict)
    broken: dict[Power, float] = field(default_factory=dict)
    deals: tuple[Deal, ...] = ()
    proposed: tuple[str, ...] = ()
    answers: int = 0
    over: tuple[Deal, ...] = ()
    lands: dict[Power, tuple[str, ...]] = field(default_factory=dict)

    def trust(self, power: Power) -> float:
        """How likely it is that `power` keeps its word: at first, twice in three times."""
        kept, broken = 2 + self.kept.get(power, 0.0), 1 + self.broken.get(power, 0.0)
        return kept / (kept + broken)

    @property
    def promised(self) -> list[Offer]:
        """What I am bound to, or shall be if it is accepted."""
        asked = (text.partition(" ")[2] for text in self.proposed)
        return [parse_offer(text) for text in (*(deal.offer for deal in self.deals), *asked)]

    def with_deal(self, partner: Power, offer: Offer) -> "Memory":
        """This memory with one more deal; a deal agreed on again holds for its whole time."""
        holds = any(isinstance(part, LASTING) for part in parts(offer))
        deal = Deal(partner, str(offer), LASTS if holds else 1)
        return replace(self, deals=(*self.without_deal(partner, offer).deals, deal))

    def without_deal(self, partner: Power, offer: Offer) -> "Memory":
        """This memory without a deal and without what is left of it."""
        texts = {str(offer), str(lasting(offer))}
        left = tuple(d for d in self.deals if d.partner != partner or d.offer not in texts)
        return replace(self, deals=left)

    def with_proposal(self, partner: Power, offer: Offer) -> "Memory":
        """This memory with one more proposal of mine."""
        return replace(self, proposed=(*self.proposed, f"{partner} {offer}"))

    def has_proposed(self, partner: Power, offer: Offer) -> bool:
        """Whether I proposed the same to `partner` myself in this movement: I weighed it then."""
        mine = (text.partition(" ")[::2] for text in self.proposed)
        return any(to == partner and alike(parse_offer(text), offer) for to, text in mine)


def look_back(view: Mapping[str, Any], memory: Memory) -> Memory:
    """Note which powers kept their word in the last movement; forget the deals that are over."""
    if memory.phase == view["phase"]:
        return memory
    kept = {power: n * DECAY for power, n in memory.kept.items()}
    broken = {power: n * DECAY for power, n in memory.broken.items()}
    left: list[Deal] = []
    over: list[Deal] = []
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
        rest = lasting(parse_offer(deal.offer))
        if rest is not None and deal.left > 1 and not _is_broken(deal, me, mine, memory):
            left.append(Deal(deal.partner, str(rest), deal.left - 1))
    lands = {power: tuple(sorted(land(view, power))) for power in POWERS}
    return replace(
        memory,
        phase=view["phase"],
        kept=kept,
        broken=broken,
        deals=tuple(left),
        proposed=(),
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


def _is_broken(deal: Deal, power: Power, orders: list[Order], memory: Memory) -> bool:
    """Whether these orders of `power` break the deal."""
    promises = parts(parse_offer(deal.offer))
    return any(breaks(part, power, orders, memory.lands) for part in promises)
