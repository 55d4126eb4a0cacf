"""What offers mean: what they bind whom to, who has kept them, which of them go together."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from powderkeg.bots.diplomacy.plan.promises import Pledges
from powderkeg.bots.diplomacy.press.daide import All, Alliance, Do, Draw, Offer, Peace, Zone
from powderkeg.core.game import Seat
from powderkeg.games.diplomacy.actions import Move, Order, Support, parse_order, parse_unit
from powderkeg.games.diplomacy.board import POWERS, Power
from powderkeg.games.diplomacy.rules.legality import NumberedPosition, movement_objection
from powderkeg.games.diplomacy.rules.position import Position

LASTING: Final = (Peace, Alliance, Zone)  # they hold until they are over; the rest is for a turn


def parts(offer: Offer) -> Iterator[Offer]:
    """The single promises of an offer."""
    if isinstance(offer, All):
        for each in offer.offers:
            yield from parts(each)
    else:
        yield offer


def lasting(offer: Offer) -> Offer | None:
    """What is left of an offer when its turn is over."""
    left = tuple(part for part in parts(offer) if isinstance(part, LASTING))
    return All(left) if len(left) > 1 else next(iter(left), None)


def alike(one: Offer, other: Offer) -> bool:
    """Whether two offers promise the same, in whatever order it is said."""
    return {*map(_sorted, parts(one))} == {*map(_sorted, parts(other))}


def _sorted(part: Offer) -> Offer:
    match part:
        case Peace(powers):
            return Peace(tuple(sorted(powers)))
        case Alliance(powers, against):
            return Alliance(tuple(sorted(powers)), tuple(sorted(against)))
        case Zone(powers, provinces):
            return Zone(tuple(sorted(powers)), tuple(sorted(provinces)))
    return part


def promise(view: Mapping[str, Any], powers: Iterable[Power], offers: Iterable[Offer]) -> Pledges:
    """What `powers` promise with these offers: where not to go, and which orders to give."""
    mine = set(powers)
    barred: set[str] = set()
    given: list[str] = []
    for offer in offers:
        for part in parts(offer):
            match part:
                case Peace(signed) | Alliance(signed, _) if mine & set(signed):
                    for other in set(signed) - mine:
                        barred |= land(view, other)
                case Zone(signed, provinces) if mine & set(signed):
                    barred |= set(provinces)
                case Do(power, order) if power in mine:
                    given.append(str(order))
    return Pledges(tuple(sorted(barred)), tuple(given))


def speaking_power(view: Mapping[str, Any], seat: Seat) -> Power:
    """The power in whose name a seat speaks: the first of its powers."""
    return str(view["seats"][seat]["powers"][0])


def land(view: Mapping[str, Any], power: Power) -> set[str]:
    """The provinces that a power stands on or owns."""
    units = {text[2:5] for text in view["units"].get(power, ())}
    return units | set(view["centres"].get(power, ()))


def agree(
    view: Mapping[str, Any], powers: Iterable[Power], offers: Iterable[Offer], new: Offer
) -> bool:
    """Whether `powers` can keep a new offer beside the others: no promised order goes where they
    promised not to, and no unit is promised twice."""
    mine = list(powers)
    whole = promise(view, mine, [*offers, new])
    promised = [parse_order(text) for text in dict.fromkeys(whole.orders)]
    units = [str(order).split()[1] for order in promised]
    return len(set(units)) == len(units) and not {*map(goal, promised)} & set(whole.barred)


def breaks(
    part: Offer, power: Power, given: Iterable[Order], lands: Mapping[Power, tuple[str, ...]]
) -> bool:
    """Whether orders of `power` are against what it promised; `lands` are whose was what."""
    match part:
        case Peace(signed) | Alliance(signed, _) if power in signed:
            theirs = {at for other in signed if other != power for at in lands.get(other, ())}
            return any(goal(order) in theirs for order in given)
        case Zone(powers, provinces):
            return power in powers and any(goal(order) in provinces for order in given)
        case Do(who, order):
            return who == power and not any(_same(order, each) for each in given)
    return False


def goal(order: Order) -> str:
    """Where an order attacks, or helps to attack."""
    return order.to[:3] if isinstance(order, Move | Support) and order.to else ""


def _same(one: Order, other: Order) -> bool:
    """Whether two orders mean the same, however coasts and convoys are spelled."""
    if isinstance(one, Move) and isinstance(other, Move):
        return one.unit == other.unit and goal(one) == goal(other)
    if isinstance(one, Support) and isinstance(other, Support):
        return (one.unit, one.target) == (other.unit, other.target) and goal(one) == goal(other)
    return one == other


def meant_for(view: Mapping[str, Any], part: Offer, mine: Iterable[Power], other: Power) -> bool:
    """Whether a promise binds nobody but us two, and can be kept."""
    ours = {*mine, other}
    match part:
        case Peace(powers) | Zone(powers, _):
            return set(powers) <= ours and other in powers
        case Alliance(powers, against):
            return set(powers) <= ours and not ours & set(against)
        case Do(power, order):
            return power in ours and can_be_given(view, power, order)
        case Draw():
            return True
    return False


def can_be_given(view: Mapping[str, Any], power: Power, order: Order) -> bool:
    """Whether a unit of `power` could carry out this order of a movement."""
    units = {p: tuple(map(parse_unit, view["units"].get(p, ()))) for p in POWERS}
    players = {p: seat for seat, each in view["seats"].items() for p in each["powers"]}
    field = NumberedPosition(Position(units, players, frozenset(view["neutral"])))
    return movement_objection(field, field.powers.index(power), order) is None
