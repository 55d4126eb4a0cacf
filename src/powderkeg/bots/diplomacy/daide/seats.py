"""Seats of a DAIDE game: a power, and the program or the bot that plays it."""

from collections import Counter
from dataclasses import dataclass, field
from typing import Any, Protocol

from powderkeg.bots.diplomacy.press.daide import OrderOffer
from powderkeg.core.errors import Illegal
from powderkeg.games.diplomacy.actions import Build, Disband, Order, Waive
from powderkeg.games.diplomacy.board import CENTRES, HOMES, Power, Unit
from powderkeg.games.diplomacy.flow import apply
from powderkeg.games.diplomacy.rules.adjustments import adjustment_balance, build_sites
from powderkeg.games.diplomacy.state import State

MOST_WRONG_CODES = 20  # for one power, from one address: a passcode is one of 8,191 numbers
MOST_CODES_IN_ALL = 400  # for one power, from all addresses


class Caller(Protocol):
    """A program at the other end: texts are sent to it. `origin` is its address."""

    origin: str

    def send(self, text: str) -> None:
        """Send one message."""


@dataclass
class DaideSeat:
    """A power of the game."""

    power: Power
    passcode: int
    caller: Caller | None = None
    is_bot: bool = True
    name: str = "Powderkeg"
    version: str = "-"
    orders: dict[str, Order] = field(default_factory=dict)  # by province; waived builds by number
    letters: int = 0  # sent in this phase
    waits: bool = False  # NOT ( GOF )
    accepted: bool = False  # the map
    disorder: bool = False
    wrong_codes: Counter[str] = field(default_factory=Counter)  # tries to return, by origin
    memory: Any = None  # of a bot that talks

    def may_return(self, origin: str) -> bool:
        """Whether a program from there may try a passcode: one that tries many shuts out only
        itself, until so many were tried in all that one of them may soon be right."""
        here, all_tries = self.wrong_codes[origin], self.wrong_codes.total()
        return here < MOST_WRONG_CODES and all_tries < MOST_CODES_IN_ALL

    def clear_turn(self) -> None:
        self.orders, self.waits, self.letters = {}, False, 0


# Why an order is refused, as DAIDE says it.
_NOTES = {
    "no_unit": "NSU",
    "foreign_unit": "NYU",
    "not_now": "NRS",
    "coast_needed": "CST",
    "build_coast_needed": "CST",
    "fleet_built_inland": "CST",
    "no_route": "NSF",
    "convoy_off_route": "NSF",
    "fleet_by_convoy": "NSA",
    "convoys_no_army": "NSA",
    "supports_nobody": "NSU",
    "convoy_by_army": "NSF",
    "convoy_from_coast": "NAS",
    "not_dislodged": "NRN",
    "retreat_barred": "NVR",
    "no_build_due": "NMB",
    "build_twice": "ESC",
    "no_removal_due": "NMR",
    "not_a_home": "HSC",
    "home_lost": "YSC",
    "home_occupied": "ESC",
}


def take_order(seat: DaideSeat, state: State, offer: OrderOffer) -> str:
    """Keep an order if it might be valid; the note that answers it (MBV if it might)."""
    if offer.power != seat.power:
        return "NYU"
    if state.stage == "adjustment" and not _has_room(seat, state, offer.order):
        return "NMR" if isinstance(offer.order, Disband) else "NMB"
    order = _placed_waive(seat, state) if isinstance(offer.order, Waive) else offer.order
    try:
        apply(_with_orders(seat, state), seat.power, order)
    except Illegal as error:
        if isinstance(order, Build) and order.unit.province not in HOMES[seat.power]:
            return "HSC" if order.unit.province in CENTRES else "NSC"
        return _NOTES.get(error.code.rpartition(".")[2], "FAR")
    seat.orders[_order_key(order)] = order
    return "MBV"


def drop_order(seat: DaideSeat, order: Order) -> bool:
    """Take back an order; whether it was there."""
    if isinstance(order, Waive):
        found = next((key for key, o in seat.orders.items() if isinstance(o, Waive)), None)
    else:
        found = next((key for key, o in seat.orders.items() if o == order), None)
    return found is not None and seat.orders.pop(found, None) is not None


def _order_key(order: Order) -> str:
    return order.at[:3] if isinstance(order, Waive) else order.unit.province


def _has_room(seat: DaideSeat, state: State, order: Order) -> bool:
    """Whether another build or removal is due; an order for the same place replaces the first."""
    due = adjustment_balance(state.position, state.centres, seat.power)
    if isinstance(order, Disband) != (due < 0):
        return False
    others = [key for key in seat.orders if isinstance(order, Waive) or key != _order_key(order)]
    return len(others) < abs(due)


def _placed_waive(seat: DaideSeat, state: State) -> Waive:
    """Our rules waive the build of a place; DAIDE's waives any."""
    sites = build_sites(state.position, state.centres, seat.power)
    free = [site for site in sites if site not in seat.orders]
    return Waive(free[0]) if free else Waive(seat.power)


def _with_orders(seat: DaideSeat, state: State) -> State:
    for order in seat.orders.values():
        state = apply(state, seat.power, order).state
    return state


def missing_units(seat: DaideSeat, state: State) -> list[Unit]:
    """Units of the power that have no order yet, in a movement or a retreat."""
    if state.stage == "movement":
        able = list(state.units[seat.power])
    else:
        able = [each.unit for each in state.dislodged if each.power == seat.power]
    return [unit for unit in able if unit.province not in seat.orders]


def missing_count(seat: DaideSeat, state: State) -> int:
    """Removals that are still due in winter; builds count below zero."""
    due = adjustment_balance(state.position, state.centres, seat.power)
    sites = len(build_sites(state.position, state.centres, seat.power))
    wanted = min(due, sites) if due > 0 else due
    given = len(seat.orders)
    return -(wanted - given) if wanted > 0 else -wanted - given


def is_complete(seat: DaideSeat, state: State) -> bool:
    """Whether nothing more is due from the power in this phase."""
    if state.stage == "adjustment":
        return missing_count(seat, state) == 0
    return not missing_units(seat, state)
