"""Offers that people put together from promises, as messages of the press language."""

from collections.abc import Sequence
from typing import Final

from powderkeg.bots.diplomacy.press import commitments
from powderkeg.bots.diplomacy.press.daide import (
    All,
    Alliance,
    DrawOffer,
    Offer,
    OrderOffer,
    Peace,
    PressProposal,
    Zone,
    parse_message,
)
from powderkeg.bots.envoy import PromisePart
from powderkeg.core.errors import Illegal, Unreadable
from powderkeg.core.game import Seat, View
from powderkeg.games.diplomacy.actions import Convoy, Hold, Move, Movement, Support, parse_order
from powderkeg.games.diplomacy.board import CODES, Power, Unit

PROMISE_FIELDS: Final = {
    "peace": "",
    "alliance": "against",
    "zone": "places",
    "order": "action",
    "draw": "",
}


def compose_offer(view: View, to: Sequence[Seat], parts: Sequence[PromisePart]) -> str:
    offers = part_offers(view, to, parts)
    if not offers:
        raise Unreadable("bots.press.nothing")
    return str(PressProposal(All(offers) if len(offers) > 1 else offers[0]))


def part_offers(view: View, to: Sequence[Seat], parts: Sequence[PromisePart]) -> tuple[Offer, ...]:
    """What each of the parts promises, for the writer of a view and its readers."""
    both = tuple(sorted(commitments.speaking_power(view, seat) for seat in {view["seat"], *to}))
    return tuple(_offer_of_part(view, both, to, part) for part in parts)


def _offer_of_part(
    view: View, both: tuple[Power, ...], to: Sequence[Seat], part: PromisePart
) -> Offer:
    if part.kind not in PROMISE_FIELDS:
        raise Unreadable("bots.press.unreadable", text=part.kind)
    if part.kind not in ("draw", "order") and len(both) < 2:
        raise Unreadable("bots.press.nobody")
    match part.kind:
        case "peace":
            return Peace(both)
        case "alliance":
            return Alliance(both, _alliance_targets(view, both, part.against))
        case "zone":
            return Zone(both, _zone_codes(part.places))
        case "order":
            return _order_offer(view, [view["seat"], *to], part.action)
    return DrawOffer()


def _alliance_targets(
    view: View, both: tuple[Power, ...], seats: Sequence[Seat]
) -> tuple[Power, ...]:
    found = tuple(commitments.speaking_power(view, seat) for seat in seats)
    if not found or set(found) & set(both):
        raise Unreadable("bots.press.against_whom")
    return found


def _zone_codes(codes: Sequence[str]) -> tuple[str, ...]:
    if not codes or not set(codes) <= set(CODES):
        raise Unreadable("bots.press.where")
    return tuple(dict.fromkeys(codes))


def _order_offer(view: View, seats: Sequence[Seat], text: str) -> OrderOffer:
    """The offer of an order of the writer or of an addressee."""
    order = parse_order(text)
    if not isinstance(order, Hold | Move | Support | Convoy):
        raise Unreadable("bots.press.unreadable", text=text)
    power = _unit_owner(view, order.unit)
    powers = {power for seat in seats for power in view["seats"][seat]["powers"]}
    if power is None or power not in powers:
        raise Illegal("bots.press.not_ours", unit=str(order.unit))
    if not commitments.is_possible_order(view, power, order) or _needs_convoy(view, power, order):
        raise Illegal("bots.press.no_such_order", order=text)
    friend = getattr(order, "target", None) or getattr(order, "army", None)
    other = _unit_owner(view, friend) if friend is not None else None
    return OrderOffer(power, order, None if other == power else other)


def _needs_convoy(view: View, power: Power, order: Movement) -> bool:
    """Whether the order needs a convoy: the press language names its seas, a person does not."""
    if not isinstance(order, Move):
        return False
    alone = {**view, "units": {power: [str(order.unit)]}}
    return order.via or not commitments.is_possible_order(alone, power, order)


def split_offer(view: View, sender: Seat, text: str) -> tuple[PromisePart, ...]:
    """The parts from which the reader of the view and the sender of an offer would compose it; none if there
    is no such form, or if it binds others or not both."""
    message = parse_message(text)
    if not isinstance(message, PressProposal):
        return ()
    both = {commitments.speaking_power(view, seat) for seat in (view["seat"], sender)}
    parts = [_part_of_offer(view, both, each) for each in commitments.offer_parts(message.offer)]
    return tuple(part for part in parts if part) if all(parts) else ()


def _part_of_offer(view: View, both: set[Power], offer: Offer) -> PromisePart | None:
    match offer:
        case Peace(powers) | Zone(powers) | Alliance(powers) if set(powers) != both:
            return None
        case Peace():
            return PromisePart("peace")
        case Alliance(against=against) if both & set(against):
            return None
        case Alliance(against=against):
            seats = [
                seat for seat, each in view["seats"].items() if set(each["powers"]) & set(against)
            ]
            return PromisePart("alliance", against=tuple(seats))
        case Zone(provinces=provinces):
            return PromisePart("zone", places=provinces)
        case OrderOffer(power, Hold() | Move() | Support() | Convoy() as order, seas=()):
            ours = {
                each
                for seat in view["seats"].values()
                if both & set(seat["powers"])
                for each in seat["powers"]
            }
            return PromisePart("order", action=str(order)) if power in ours else None
        case DrawOffer(powers=()):
            return PromisePart("draw")
    return None


def _unit_owner(view: View, unit: Unit) -> Power | None:
    at = [power for power, units in view["units"].items() if str(unit) in units]
    return at[0] if at else None
