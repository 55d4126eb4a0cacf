"""Commitments of offers: what they bind a power to, whether orders break them, which go together."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final

from powderkeg.bots.diplomacy.plan.promises import Promises
from powderkeg.bots.diplomacy.press.daide import (
    All,
    Alliance,
    DrawOffer,
    Offer,
    OrderOffer,
    Peace,
    Zone,
)
from powderkeg.core.game import Seat
from powderkeg.games.diplomacy.actions import Move, Order, Support, parse_order, parse_unit
from powderkeg.games.diplomacy.board import POWERS, Power
from powderkeg.games.diplomacy.rules.legality import NumberedPosition, movement_objection
from powderkeg.games.diplomacy.rules.position import Position

LASTING_OFFERS: Final = (
    Peace,
    Alliance,
    Zone,
)  # these hold for several movements, all others for one


def offer_parts(offer: Offer) -> Iterator[Offer]:
    """The single promises of an offer."""
    if isinstance(offer, All):
        for each in offer.offers:
            yield from offer_parts(each)
    else:
        yield offer


def lasting_part(offer: Offer) -> Offer | None:
    """The part of an offer that still holds when its turn is over."""
    left = tuple(part for part in offer_parts(offer) if isinstance(part, LASTING_OFFERS))
    return All(left) if len(left) > 1 else next(iter(left), None)


def is_same_offer(one: Offer, other: Offer) -> bool:
    """Whether two offers promise the same, in any order."""
    return {*map(_sorted_part, offer_parts(one))} == {*map(_sorted_part, offer_parts(other))}


def _sorted_part(part: Offer) -> Offer:
    match part:
        case Peace(powers):
            return Peace(tuple(sorted(powers)))
        case Alliance(powers, against):
            return Alliance(tuple(sorted(powers)), tuple(sorted(against)))
        case Zone(powers, provinces):
            return Zone(tuple(sorted(powers)), tuple(sorted(provinces)))
    return part


def promised_by(
    view: Mapping[str, Any], powers: Iterable[Power], offers: Iterable[Offer]
) -> Promises:
    """The promises of `powers` in these offers: provinces not to enter, and orders to give."""
    mine = set(powers)
    barred: set[str] = set()
    given: list[str] = []
    for offer in offers:
        for part in offer_parts(offer):
            match part:
                case Peace(signed) | Alliance(signed, _) if mine & set(signed):
                    for other in set(signed) - mine:
                        barred |= land_of(view, other)
                case Zone(signed, provinces) if mine & set(signed):
                    barred |= set(provinces)
                case OrderOffer(power, order) if power in mine:
                    given.append(str(order))
    return Promises(tuple(sorted(barred)), tuple(given))


def speaking_power(view: Mapping[str, Any], seat: Seat) -> Power:
    """The power in whose name a seat speaks: the first of its powers."""
    return str(view["seats"][seat]["powers"][0])


def land_of(view: Mapping[str, Any], power: Power) -> set[str]:
    """The provinces that a power stands on or owns."""
    units = {text[2:5] for text in view["units"].get(power, ())}
    return units | set(view["centres"].get(power, ()))


def can_keep_offer(
    view: Mapping[str, Any], powers: Iterable[Power], offers: Iterable[Offer], new: Offer
) -> bool:
    """Whether `powers` can keep a new offer beside the others: no promised order enters a barred
    province, and no unit has two promised orders."""
    mine = list(powers)
    whole = promised_by(view, mine, [*offers, new])
    promised = [parse_order(text) for text in dict.fromkeys(whole.orders)]
    units = [str(order).split()[1] for order in promised]
    return len(set(units)) == len(units) and not {*map(attack_goal, promised)} & set(whole.barred)


def is_breach(
    part: Offer, power: Power, given: Iterable[Order], lands: Mapping[Power, tuple[str, ...]]
) -> bool:
    """Whether orders of `power` break its promise; `lands` are the provinces of each power then."""
    match part:
        case Peace(signed) | Alliance(signed, _) if power in signed:
            theirs = {at for other in signed if other != power for at in lands.get(other, ())}
            return any(attack_goal(order) in theirs for order in given)
        case Zone(powers, provinces):
            return power in powers and any(attack_goal(order) in provinces for order in given)
        case OrderOffer(who, order):
            return who == power and not any(_is_same_order(order, each) for each in given)
    return False


def attack_goal(order: Order) -> str:
    """The province that an order attacks or helps to attack; empty if none."""
    return order.to[:3] if isinstance(order, Move | Support) and order.to else ""


def _is_same_order(one: Order, other: Order) -> bool:
    """Whether two orders mean the same, however coasts and convoys are spelled."""
    if isinstance(one, Move) and isinstance(other, Move):
        return one.unit == other.unit and attack_goal(one) == attack_goal(other)
    if isinstance(one, Support) and isinstance(other, Support):
        return (one.unit, one.target) == (other.unit, other.target) and attack_goal(
            one
        ) == attack_goal(other)
    return one == other


def is_between(view: Mapping[str, Any], part: Offer, mine: Iterable[Power], other: Power) -> bool:
    """Whether a promise binds only `mine` and `other`, and can be kept."""
    ours = {*mine, other}
    match part:
        case Peace(powers) | Zone(powers, _):
            return set(powers) <= ours and other in powers
        case Alliance(powers, against):
            return set(powers) <= ours and not ours & set(against)
        case OrderOffer(power, order):
            return power in ours and is_possible_order(view, power, order)
        case DrawOffer():
            return True
    return False


def is_possible_order(view: Mapping[str, Any], power: Power, order: Order) -> bool:
    """Whether a unit of `power` could carry out this order of a movement."""
    return order_checker(view)(power, order)


def order_checker(view: Mapping[str, Any]) -> Callable[[Power, Order], bool]:
    """`is_possible_order` for many orders of one position, which is set up once."""
    units = {p: tuple(map(parse_unit, view["units"].get(p, ()))) for p in POWERS}
    players = {p: seat for seat, each in view["seats"].items() for p in each["powers"]}
    field = NumberedPosition(Position(units, players, frozenset(view["neutral"])))
    return lambda power, order: movement_objection(field, field.powers.index(power), order) is None
